/* Operators of several languages. */
#include "base/lexer/languages.h"

/* In these & ^ | bind looser than comparisons. */
/* clang-format off */
#define LOOSE \
	SHIFTED, AUGMENTED, SHIFTS(10), EQUALS(8), ORDERS(9), LOGIC, STEPS, BITS(7, 6, 5), \
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS

#define OF_C \
	{"...", 0, FAMILY_NONE}, {"->", 0, FAMILY_ACCESS}, {"::", 0, FAMILY_ACCESS}, LOOSE

const struct operator_row c_operators[] = {OF_C};

const struct operator_row cpp_operators[] = {
	{"and", 4, FAMILY_AND}, {"or", 3, FAMILY_OR}, {"not", 0, FAMILY_NOT}, OF_C,
};

/* What Java, C# and Kotlin have. "?" "?=" is cut in two because it would be a trigraph. */
const struct operator_row java_operators[] = {
	{"...", 0, FAMILY_NONE}, {">>>=", 0, FAMILY_AUGMENT}, {"===", 8, FAMILY_COMPARE},
	{"!==", 8, FAMILY_COMPARE}, {">>>", 10, FAMILY_SHIFT}, {"?" "?=", 0, FAMILY_AUGMENT},
	{"=>", 0, FAMILY_NONE}, {"->", 0, FAMILY_NONE}, {"::", 0, FAMILY_ACCESS},
	{"?.", 0, FAMILY_ACCESS}, {"??", 3, FAMILY_OR}, LOOSE,
};

/* JavaScript, TypeScript. */
const struct operator_row script_operators[] = {
	{"...", 0, FAMILY_NONE}, {">>>=", 0, FAMILY_AUGMENT}, {"===", 8, FAMILY_COMPARE},
	{"!==", 8, FAMILY_COMPARE}, {">>>", 10, FAMILY_SHIFT}, {"**=", 0, FAMILY_AUGMENT},
	{"&&=", 0, FAMILY_AUGMENT}, {"||=", 0, FAMILY_AUGMENT}, {"?" "?=", 0, FAMILY_AUGMENT},
	{"**", 13, FAMILY_POWER}, {"=>", 0, FAMILY_NONE}, {"?.", 0, FAMILY_ACCESS},
	{"??", 3, FAMILY_OR}, LOOSE,
};
/* clang-format on */

/* In these they bind tighter. */
/* clang-format off */
#define TIGHT \
	{"..", 0, FAMILY_NONE}, {"=>", 0, FAMILY_NONE}, {"->", 0, FAMILY_NONE}, \
	{"::", 0, FAMILY_ACCESS}, SHIFTED, AUGMENTED, SHIFTS(10), EQUALS(6), ORDERS(6), LOGIC, \
	BITS(9, 8, 7), {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, \
	ARITHMETIC, MARKS

const struct operator_row rust_operators[] = {
	{"..=", 0, FAMILY_NONE}, {"...", 0, FAMILY_NONE}, TIGHT,
};

const struct operator_row ruby_operators[] = {
	{"...", 0, FAMILY_NONE}, {"<=>", 6, FAMILY_NONE}, {"===", 6, FAMILY_COMPARE},
	{"**=", 0, FAMILY_AUGMENT}, {"&&=", 0, FAMILY_AUGMENT}, {"||=", 0, FAMILY_AUGMENT},
	{"=~", 6, FAMILY_NONE}, {"&.", 0, FAMILY_ACCESS}, {"**", 13, FAMILY_POWER}, TIGHT,
};
/* clang-format on */
