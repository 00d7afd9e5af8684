/* Perl. */
#include "base/lexer/languages.h"

/* Numbers and texts are compared by operators of their own; "and", "or" and "not" bind looser
 * than an assignment. */
/* clang-format off */
static const struct operator_row operators[] = {
	{"<=>", 8, FAMILY_NONE}, {"...", 0, FAMILY_NONE}, {"**=", 0, FAMILY_AUGMENT},
	{"||=", 0, FAMILY_AUGMENT}, {"&&=", 0, FAMILY_AUGMENT}, {"//=", 0, FAMILY_AUGMENT},
	{"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT}, {"..", 0, FAMILY_NONE},
	{"=~", 13, FAMILY_NONE}, {"!~", 13, FAMILY_NONE}, {"=>", 0, FAMILY_NONE},
	{"->", 0, FAMILY_ACCESS}, {"::", 0, FAMILY_ACCESS}, {"**", 13, FAMILY_POWER},
	{"++", 0, FAMILY_STEP}, {"--", 0, FAMILY_STEP}, {".=", 0, FAMILY_AUGMENT}, AUGMENTED,
	{"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT}, {"<=", 9, FAMILY_COMPARE},
	{">=", 9, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE}, {"!=", 8, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"//", 3, FAMILY_OR}, {"<", 9, FAMILY_COMPARE},
	{">", 9, FAMILY_COMPARE}, {"&", 7, FAMILY_BITS}, {"^", 6, FAMILY_BITS}, {"|", 5, FAMILY_BITS},
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, {".", 11, FAMILY_ADD},
	{"@", 13, FAMILY_BITS}, {"$", 13, FAMILY_BITS}, {"x", 12, FAMILY_MULTIPLY},
	{"lt", 9, FAMILY_COMPARE}, {"gt", 9, FAMILY_COMPARE}, {"le", 9, FAMILY_COMPARE},
	{"ge", 9, FAMILY_COMPARE}, {"eq", 8, FAMILY_COMPARE}, {"ne", 8, FAMILY_COMPARE},
	{"cmp", 8, FAMILY_NONE}, {"and", 2, FAMILY_AND}, {"or", 1, FAMILY_OR}, {"xor", 1, FAMILY_OR},
	{"not", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */

/* clang-format off */
static const char *const opposites[] = {
	" push unshift ", " unshift push ", " pop shift ", " shift pop ", " keys values each ",
	" lc uc lcfirst ", " uc lc ucfirst ", " lcfirst ucfirst lc ", " ucfirst lcfirst uc ",
	" index rindex ", " first last ", " min max sum sum0 ", " minstr maxstr ", " any all none ",
	" floor ceil int ", " int sprintf floor ceil ", " sprintf int ", " exists defined ",
	" defined exists ", " delete exists ", " map grep ", " grep map first ", " sort reverse ",
	" join split ", " split join ", " length scalar ", " scalar length ", " chomp chop ",
	" chop chomp ", " die warn ", " localtime gmtime ", " ord chr ", " hex oct ", " sin cos ",
	" substr index ", " uniq uniqnum ", " wantarray defined ", " print say ", NULL,
};
/* clang-format on */

const struct language language_perl = {
	.id = LANGUAGE_PERL,
	.name = "perl",
	.opposites = opposites,
	.suffixes = " pl pm t psgi ",
	.line_comments = " # ",
	.quotes = "\"'`",
	.raw_quotes = "",
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
	.types = " ",
	.word_true = "1",
	.word_false = "0",
	.word_not = "!",
	.word_null = "undef",
	.empty = {"!", ""},
	.absent = {"!defined(", ")"},
	.present = {"defined(", ")"},
	.wrappers = " int scalar lc length abs uc sort reverse keys defined ",
};
