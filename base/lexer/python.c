/* Python. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"//=", 0, FAMILY_AUGMENT}, {"**=", 0, FAMILY_AUGMENT},
	{"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT}, {"->", 0, FAMILY_NONE},
	{":=", 0, FAMILY_ASSIGN}, {"**", 13, FAMILY_POWER}, {"//", 12, FAMILY_MULTIPLY}, AUGMENTED,
	{"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT}, {"<=", 6, FAMILY_COMPARE},
	{">=", 6, FAMILY_COMPARE}, {"==", 6, FAMILY_COMPARE}, {"!=", 6, FAMILY_COMPARE},
	{"<", 6, FAMILY_COMPARE}, {">", 6, FAMILY_COMPARE}, {"&", 9, FAMILY_BITS},
	{"^", 8, FAMILY_BITS}, {"|", 7, FAMILY_BITS}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NONE},
	{"~", 0, FAMILY_NOT}, {"not", 0, FAMILY_NOT}, {"in", 6, FAMILY_COMPARE},
	{"is", 6, FAMILY_COMPARE}, {"and", 4, FAMILY_AND}, {"or", 3, FAMILY_OR}, ARITHMETIC, MARKS,
};
/* clang-format on */

/* clang-format off */
static const char *const opposites[] = {
	" min max sum ", " any all ", " append extend insert ", " floor ceil ", " ceil floor round ",
	" keys values items ", " startswith endswith ", " lower upper title capitalize casefold ",
	" lstrip rstrip strip ", " ljust rjust center ", " islower isupper ",
	" isalpha isdigit isalnum ", " find rfind ", " index rindex ", " split rsplit splitlines ",
	" sorted reversed ", " sin cos tan ", " log2 log10 log ", " union intersection difference ",
	" add discard remove update ", " encode decode ", " int float str round ", " str repr ",
	" list tuple set ", " isinstance issubclass ", " sort reverse ", " partition rpartition ",
	" match search fullmatch ", " get setdefault ", " getattr hasattr ", " map filter ",
	" group groups ", " minutes hours seconds days weeks ", NULL,
};
/* clang-format on */

const struct language language_python = {
	.id = LANGUAGE_PYTHON,
	.name = "python",
	.opposites = opposites,
	.suffixes = " py pyi ",
	.line_comments = " # ",
	.quotes = "\"'",
	.raw_quotes = "",
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
	.wrappers = " len int str list abs set sorted tuple float repr sum round dict reversed max min"
				" bool enumerate .strip() .lower() .copy() .items() .upper() .keys() .values()"
				" .split() ",
};
