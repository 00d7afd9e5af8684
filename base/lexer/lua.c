/* Lua. */
#include "base/lexer/languages.h"

/* The length is bound as tightly as a sign, and never stands between two operands. */
/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"..", 10, FAMILY_ADD}, {"//", 12, FAMILY_MULTIPLY},
	{"==", 5, FAMILY_COMPARE}, {"~=", 5, FAMILY_COMPARE}, {"::", 0, FAMILY_NONE}, SHIFTS(9),
	ORDERS(5), {"&", 8, FAMILY_BITS}, {"~", 7, FAMILY_BITS}, {"|", 6, FAMILY_BITS},
	{"^", 13, FAMILY_POWER}, {"#", 13, FAMILY_BITS}, {"=", 0, FAMILY_ASSIGN},
	{":", 0, FAMILY_ACCESS}, {"not", 0, FAMILY_NOT}, {"and", 4, FAMILY_AND}, {"or", 3, FAMILY_OR},
	ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_lua = {
	.name = "lua",
	.opposites = " pairs ipairs \0 min max \0 floor ceil \0 lower upper \0 insert remove \0"
				 " find match \0 match gmatch find \0 sub gsub \0 byte char \0 tostring tonumber \0"
				 " pack unpack \0 sin cos tan \0 rep reverse \0 pcall xpcall \0 assert error \0",
	.suffixes = " lua ",
	.line_comments = " -- ",
	.quotes = "\"'",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_LONG_BRACKETS | LANGUAGE_ENDED,
	.operators = operators,
	.keywords =
		" and break do else elseif end false for function goto if in local nil not or repeat "
		"return self then true until while ",
	.operand_words = " false nil self true ",
	.function_words = " function ",
	.import_words = " goto ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "not ",
	.word_null = "nil",
	.empty = {"#", " == 0"},
	.wrappers = " tostring tonumber math.floor # math.abs math.ceil string.lower string.upper "
				":lower() :upper() :reverse() ",
};
