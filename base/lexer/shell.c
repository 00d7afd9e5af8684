/* The shell. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"-eq", 8, FAMILY_COMPARE}, {"-ne", 8, FAMILY_COMPARE}, {"-lt", 9, FAMILY_COMPARE},
	{"-le", 9, FAMILY_COMPARE}, {"-gt", 9, FAMILY_COMPARE}, {"-ge", 9, FAMILY_COMPARE},
	{";;", 0, FAMILY_NONE}, {"**", 13, FAMILY_POWER}, AUGMENTED, SHIFTS(10), EQUALS(8), ORDERS(9),
	LOGIC, STEPS, {"&", 7, FAMILY_BITS}, {"^", 6, FAMILY_BITS}, {"|", 0, FAMILY_NONE},
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_shell = {
	.name = "shell",
	.suffixes = " sh bash ",
	.line_comments = " # ",
	.quotes = "\"",
	.raw_quotes = "'",
	.interpolating = "\"",
	.interpolation = " $( ",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_SHAPED | LANGUAGE_SIGILS | LANGUAGE_HEREDOCS,
	.operators = operators,
	.keywords = " if then else elif fi for while until do done case esac in function return local "
				"readonly export set shift exit break continue echo printf test ",
	.function_words = " function ",
	.import_words = " set export source readonly trap ",
	.word_not = "! ",
	.empty = {"", ""},
	.wrappers = " ",
};
