/* Perl. */
#include "base/lexer/languages.h"

/* Numbers and texts are compared by operators of their own; "and", "or" and "not" bind looser
 * than an assignment. */
/* clang-format off */
static const struct operator_row operators[] = {
	{"<=>", 8, FAMILY_NONE}, {"...", 0, FAMILY_NONE}, {"**=", 0, FAMILY_AUGMENT},
	{"||=", 0, FAMILY_AUGMENT}, {"&&=", 0, FAMILY_AUGMENT}, {"//=", 0, FAMILY_AUGMENT},
	{"..", 0, FAMILY_NONE}, {"=~", 13, FAMILY_NONE}, {"!~", 13, FAMILY_NONE},
	{"=>", 0, FAMILY_NONE}, {"->", 0, FAMILY_ACCESS}, {"::", 0, FAMILY_ACCESS},
	{"**", 13, FAMILY_POWER}, {".=", 0, FAMILY_AUGMENT}, {"//", 3, FAMILY_OR}, SHIFTED, AUGMENTED,
	SHIFTS(10), EQUALS(8), ORDERS(9), LOGIC, STEPS, BITS(7, 6, 5), {"=", 0, FAMILY_ASSIGN},
	{"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, {".", 11, FAMILY_ADD}, {"@", 13, FAMILY_BITS},
	{"$", 13, FAMILY_BITS}, {"x", 12, FAMILY_MULTIPLY}, {"lt", 9, FAMILY_COMPARE},
	{"gt", 9, FAMILY_COMPARE}, {"le", 9, FAMILY_COMPARE}, {"ge", 9, FAMILY_COMPARE},
	{"eq", 8, FAMILY_COMPARE}, {"ne", 8, FAMILY_COMPARE}, {"cmp", 8, FAMILY_NONE},
	{"and", 2, FAMILY_AND}, {"or", 1, FAMILY_OR}, {"xor", 1, FAMILY_OR}, {"not", 0, FAMILY_NOT},
	ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_perl = {
	.name = "perl",
	.opposites =
		" push unshift \0 unshift push \0 pop shift \0 shift pop \0 keys values each \0"
		" lc uc lcfirst \0 uc lc ucfirst \0 lcfirst ucfirst lc \0 ucfirst lcfirst uc \0"
		" index rindex \0 first last \0 min max sum sum0 \0 minstr maxstr \0 any all none \0"
		" floor ceil int \0 int sprintf floor ceil \0 sprintf int \0 exists defined \0"
		" defined exists \0 delete exists \0 map grep \0 grep map first \0 sort reverse \0"
		" join split \0 split join \0 length scalar \0 scalar length \0 chomp chop \0"
		" chop chomp \0 die warn \0 localtime gmtime \0 ord chr \0 hex oct \0 sin cos \0"
		" substr index \0 uniq uniqnum \0 wantarray defined \0 print say \0",
	.suffixes = " pl pm t psgi ",
	.line_comments = " # ",
	.quotes = "\"'`",
	.interpolating = "\"",
	.interpolation = " @{ ${ ",
	.traits = LANGUAGE_VARIABLES | LANGUAGE_BRACED_KEYS | LANGUAGE_QUOTE_WORDS |
		LANGUAGE_HEREDOC_LITERALS | LANGUAGE_REGEX,
	.operators = operators,
	.keywords =
		" __PACKAGE__ BEGIN END and cmp do else elsif eq eval for foreach ge goto gt if last"
		" le local lt my ne next no not or our package print printf redo require return say"
		" state sub undef unless until use while x xor ",
	.operand_words = " undef __PACKAGE__ ",
	.function_words = " sub ",
	.class_words = " package ",
	.import_words = " package use no require ",
	.word_true = "1",
	.word_false = "0",
	.word_not = "!",
	.word_null = "undef",
	.empty = {"!", ""},
	.absent = {"!defined(", ")"},
	.present = {"defined(", ")"},
	.wrappers = " int scalar lc length abs uc sort reverse keys defined ",
};
