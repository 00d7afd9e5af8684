/* The shell. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"-eq", 8, FAMILY_COMPARE}, {"-ne", 8, FAMILY_COMPARE}, {"-lt", 9, FAMILY_COMPARE},
	{"-le", 9, FAMILY_COMPARE}, {"-gt", 9, FAMILY_COMPARE}, {"-ge", 9, FAMILY_COMPARE},
	{";;", 0, FAMILY_NONE}, {"**", 13, FAMILY_POWER}, {"++", 0, FAMILY_STEP},
	{"--", 0, FAMILY_STEP}, AUGMENTED, {"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT},
	{"<=", 9, FAMILY_COMPARE}, {">=", 9, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE},
	{"!=", 8, FAMILY_COMPARE}, {"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR},
	{"<", 9, FAMILY_COMPARE}, {">", 9, FAMILY_COMPARE}, {"&", 7, FAMILY_BITS},
	{"^", 6, FAMILY_BITS}, {"|", 0, FAMILY_NONE}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT},
	{"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */

static const char *const opposites[] = {NULL};

const struct language language_shell = {
	.id = LANGUAGE_SHELL,
	.name = "shell",
	.opposites = opposites,
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
	.operand_words = " ",
	.function_words = " function ",
	.class_words = " ",
	.import_words = " set export source readonly trap ",
	.types = " ",
	.word_not = "! ",
	.empty = {"", ""},
	.wrappers = " ",
};
