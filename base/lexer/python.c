/* Python. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"//=", 0, FAMILY_AUGMENT}, {"**=", 0, FAMILY_AUGMENT},
	{"->", 0, FAMILY_NONE}, {":=", 0, FAMILY_ASSIGN}, {"**", 13, FAMILY_POWER},
	{"//", 12, FAMILY_MULTIPLY}, SHIFTED, AUGMENTED, SHIFTS(10), EQUALS(6), ORDERS(6),
	BITS(9, 8, 7), {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NONE}, {"~", 0, FAMILY_NOT},
	{"not", 0, FAMILY_NOT}, {"in", 6, FAMILY_COMPARE}, {"is", 6, FAMILY_COMPARE},
	{"and", 4, FAMILY_AND}, {"or", 3, FAMILY_OR}, ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_python = {
	.name = "python",
	.opposites =
		" min max sum \0 any all \0 append extend insert \0 floor ceil \0 ceil floor round \0"
		" keys values items \0 startswith endswith \0"
		" lower upper title capitalize swapcase casefold \0"
		" lstrip rstrip strip \0 ljust rjust center \0 islower isupper \0"
		" isalpha isdigit isalnum \0 find rfind \0 index rindex \0 split rsplit splitlines \0"
		" sorted reversed \0 sin cos tan \0 log2 log10 log \0 union intersection difference \0"
		" add discard remove update \0 encode decode \0 int float str round \0 str repr \0"
		" list tuple set \0 isinstance issubclass \0 sort reverse \0 partition rpartition \0"
		" match search fullmatch \0 get setdefault \0 getattr hasattr \0 map filter \0"
		" group groups \0 minutes hours seconds days weeks \0",
	.suffixes = " py pyi ",
	.line_comments = " # ",
	.quotes = "\"'",
	.interpolating = "\"'",
	.interpolation = " { ",
	.traits = LANGUAGE_INDENTED | LANGUAGE_NEWLINES | LANGUAGE_TRIPLE | LANGUAGE_PREFIXES,
	.operators = operators,
	.keywords =
		" and as assert async await break class continue def del elif else except finally for "
		"from global if import in is lambda nonlocal not or pass raise return try while with "
		"yield True False None self cls ",
	.operand_words = " True False None self cls ",
	.function_words = " def ",
	.class_words = " class ",
	.import_words = " import from global nonlocal ",
	.types = " Optional List Dict Tuple Set Any Union Callable ",
	.word_true = "True",
	.word_false = "False",
	.word_not = "not ",
	.word_null = "None",
	.empty = {"not ", ""},
	.wrappers = " len int str copy.deepcopy list abs set sorted tuple float repr sum round dict"
				" reversed max min bool enumerate .strip() .lower() .copy() .items() .upper()"
				" .keys() .values() .split() ",
};
