/* What files of languages are made of. Private to source/. */
#pragma once
#include "base/lexer/source.h"

/* --- operators: rows of tables, those that begin another one after it --- */

/* clang-format off */
#define SHIFTED {"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT}
#define AUGMENTED \
	{"+=", 0, FAMILY_AUGMENT}, {"-=", 0, FAMILY_AUGMENT}, {"*=", 0, FAMILY_AUGMENT}, \
	{"/=", 0, FAMILY_AUGMENT}, {"%=", 0, FAMILY_AUGMENT}, {"&=", 0, FAMILY_AUGMENT}, \
	{"|=", 0, FAMILY_AUGMENT}, {"^=", 0, FAMILY_AUGMENT}
#define SHIFTS(binds) {"<<", binds, FAMILY_SHIFT}, {">>", binds, FAMILY_SHIFT}
#define EQUALS(binds) {"==", binds, FAMILY_COMPARE}, {"!=", binds, FAMILY_COMPARE}
#define ORDERS(binds) \
	{"<=", binds, FAMILY_COMPARE}, {">=", binds, FAMILY_COMPARE}, \
	{"<", binds, FAMILY_COMPARE}, {">", binds, FAMILY_COMPARE}
#define LOGIC {"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}
#define STEPS {"++", 0, FAMILY_STEP}, {"--", 0, FAMILY_STEP}
#define BITS(both, one, any) \
	{"&", both, FAMILY_BITS}, {"^", one, FAMILY_BITS}, {"|", any, FAMILY_BITS}
#define ARITHMETIC \
	{"*", 12, FAMILY_MULTIPLY}, {"/", 12, FAMILY_MULTIPLY}, {"%", 12, FAMILY_MULTIPLY}, \
	{"+", 11, FAMILY_ADD}, {"-", 11, FAMILY_ADD}
#define MARKS \
	{",", 0, FAMILY_NONE}, {";", 0, FAMILY_NONE}, {":", 0, FAMILY_NONE}, {"?", 0, FAMILY_NONE}, \
	{"@", 0, FAMILY_NONE}, {"#", 0, FAMILY_NONE}, {"\\", 0, FAMILY_NONE}, \
	{"$", 0, FAMILY_NONE}, {"`", 0, FAMILY_NONE}, {".", 0, FAMILY_ACCESS}, {NULL, 0, FAMILY_NONE}
/* clang-format on */

extern const struct operator_row c_operators[], cpp_operators[], java_operators[],
	script_operators[], rust_operators[], ruby_operators[];

/* --- what several have in common --- */

#define SLASH_COMMENTS .line_comments = " // ", .block_comment = {"/*", "*/"}
#define LOWER_TRUTHS .word_true = "true", .word_false = "false", .word_not = "!"
