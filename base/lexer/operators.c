/* Operators of several languages. */
#include "base/lexer/languages.h"

/* C, C++, Java, JavaScript, TypeScript: & ^ | bind looser than comparisons. "?" "?=" is cut in two
 * so that nothing takes it for a trigraph. */
/* clang-format off */
const struct operator_row c_operators[] = {
	{"...", 0, FAMILY_NONE}, {">>>=", 0, FAMILY_AUGMENT}, {"===", 8, FAMILY_COMPARE},
	{"!==", 8, FAMILY_COMPARE}, {">>>", 10, FAMILY_SHIFT}, {"<<=", 0, FAMILY_AUGMENT},
	{">>=", 0, FAMILY_AUGMENT}, {"**=", 0, FAMILY_AUGMENT}, {"&&=", 0, FAMILY_AUGMENT},
	{"||=", 0, FAMILY_AUGMENT}, {"?" "?=", 0, FAMILY_AUGMENT}, {"**", 13, FAMILY_POWER},
	{"=>", 0, FAMILY_NONE}, {"->", 0, FAMILY_ACCESS}, {"::", 0, FAMILY_ACCESS},
	{"?.", 0, FAMILY_ACCESS}, {"??", 3, FAMILY_OR}, {"++", 0, FAMILY_STEP}, {"--", 0, FAMILY_STEP},
	AUGMENTED, {"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT}, {"<=", 9, FAMILY_COMPARE},
	{">=", 9, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE}, {"!=", 8, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"<", 9, FAMILY_COMPARE},
	{">", 9, FAMILY_COMPARE}, {"&", 7, FAMILY_BITS}, {"^", 6, FAMILY_BITS}, {"|", 5, FAMILY_BITS},
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */

/* Rust and Ruby: & ^ | bind tighter than comparisons. */
/* clang-format off */
const struct operator_row tight_operators[] = {
	{"..=", 0, FAMILY_NONE}, {"...", 0, FAMILY_NONE}, {"<=>", 6, FAMILY_NONE},
	{"===", 6, FAMILY_COMPARE}, {"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT},
	{"**=", 0, FAMILY_AUGMENT}, {"&&=", 0, FAMILY_AUGMENT}, {"||=", 0, FAMILY_AUGMENT},
	{"..", 0, FAMILY_NONE}, {"=>", 0, FAMILY_NONE}, {"=~", 6, FAMILY_NONE}, {"->", 0, FAMILY_NONE},
	{"::", 0, FAMILY_ACCESS}, {"&.", 0, FAMILY_ACCESS}, {"**", 13, FAMILY_POWER}, AUGMENTED,
	{"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT}, {"<=", 6, FAMILY_COMPARE},
	{">=", 6, FAMILY_COMPARE}, {"==", 6, FAMILY_COMPARE}, {"!=", 6, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"<", 6, FAMILY_COMPARE},
	{">", 6, FAMILY_COMPARE}, {"&", 9, FAMILY_BITS}, {"^", 8, FAMILY_BITS}, {"|", 7, FAMILY_BITS},
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */
