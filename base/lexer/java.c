/* Java, and what is written alike: Kotlin, C#. */
#include "base/lexer/languages.h"

/* clang-format off */
static const char *const opposites[] = {
	" min max ", " MIN_VALUE MAX_VALUE ", " floor ceil round ", " indexOf lastIndexOf ",
	" startsWith endsWith ", " toLowerCase toUpperCase ", " keySet values entrySet ",
	" anyMatch allMatch noneMatch ", " addFirst addLast ", " getFirst getLast ",
	" removeFirst removeLast ", " pollFirst pollLast ", " push pop peek ", " isBefore isAfter ",
	" add remove contains ", " isLetter isDigit ", NULL,
};
/* clang-format on */

const struct language language_java = {
	.id = LANGUAGE_JAVA,
	.name = "java",
	.opposites = opposites,
	.suffixes = " java kt cs ",
	SLASH_COMMENTS,
	PLAIN_STRINGS,
	.traits = LANGUAGE_SHAPED | LANGUAGE_TRIPLE | LANGUAGE_GENERICS,
	.operators = c_operators,
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
