/* Java, and what is written alike: Kotlin, C#. */
#include "base/lexer/languages.h"

const struct language language_java = {
	.name = "java",
	.opposites =
		" min max \0 MIN_VALUE MAX_VALUE \0 floor ceil round \0 indexOf lastIndexOf \0"
		" startsWith endsWith \0 toLowerCase toUpperCase \0 keySet values entrySet \0"
		" anyMatch allMatch noneMatch \0 addFirst addLast \0 getFirst getLast \0"
		" removeFirst removeLast \0 pollFirst pollLast \0 push pop peek \0 isBefore isAfter \0"
		" add remove contains \0 isLetter isDigit \0",
	.suffixes = " java kt cs ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.traits = LANGUAGE_SHAPED | LANGUAGE_TRIPLE | LANGUAGE_GENERICS,
	.operators = java_operators,
	.keywords =
		" abstract assert boolean break byte case catch char class const continue default do "
		"double else enum extends final finally float for if implements import instanceof int "
		"interface long native new package private protected public return short static super "
		"switch synchronized this throw throws transient try var void volatile while true false "
		"null ",
	.operand_words = " this super true false null ",
	.function_words = " fun ",
	.class_words = " class interface enum ",
	.import_words = " import package using ",
	.types =
		" int char long short double float byte boolean void String Integer Long Double Boolean "
		"Object List Map Set ArrayList HashMap HashSet Character StringBuilder ",
	LOWER_TRUTHS,
	.word_null = "null",
	.empty = {"", ".isEmpty()"},
	.wrappers = " Math.abs (double) (int) (long) String.valueOf Math.round Math.floor Math.ceil"
				" Integer.parseInt .trim() .toLowerCase() .toString() .toUpperCase() .clone() ",
};
