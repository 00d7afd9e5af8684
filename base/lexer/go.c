/* Go. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT},
	{"&^=", 0, FAMILY_AUGMENT}, {":=", 0, FAMILY_ASSIGN}, {"<-", 0, FAMILY_NONE},
	{"&^", 12, FAMILY_BITS}, {"++", 0, FAMILY_STEP}, {"--", 0, FAMILY_STEP}, AUGMENTED,
	{"<<", 12, FAMILY_SHIFT}, {">>", 12, FAMILY_SHIFT}, {"<=", 8, FAMILY_COMPARE},
	{">=", 8, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE}, {"!=", 8, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"<", 8, FAMILY_COMPARE},
	{">", 8, FAMILY_COMPARE}, {"&", 12, FAMILY_BITS}, {"^", 11, FAMILY_BITS},
	{"|", 11, FAMILY_BITS}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};
/* clang-format on */

/* clang-format off */
static const char *const opposites[] = {
	" min max ", " Min Max ", " MinInt MaxInt ", " Floor Ceil Round Trunc ",
	" HasPrefix HasSuffix ", " TrimPrefix TrimSuffix ", " TrimLeft TrimRight Trim ",
	" ToLower ToUpper ", " Index LastIndex ", " Before After ", " IsLower IsUpper ",
	" IsLetter IsDigit ", " Ints Strings ", NULL,
};
/* clang-format on */

const struct language language_go = {
	.id = LANGUAGE_GO,
	.name = "go",
	.opposites = opposites,
	.suffixes = " go ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.raw_quotes = "`",
	.interpolating = "",
	.interpolation = " ",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_BARE,
	.operators = operators,
	.keywords =
		" break case chan const continue default defer else fallthrough for func go goto if "
		"import interface map package range return select struct switch type var true false nil ",
	.operand_words = " true false nil ",
	.function_words = " func ",
	.class_words = " ",
	.import_words = " import package type ",
	.types = " int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 "
			 "complex128 string bool byte rune error any ",
	LOWER_TRUTHS,
	.word_null = "nil",
	.empty = {"len(", ") == 0"},
	.wrappers =
		" len float64 int string strings.TrimSpace strings.ToLower math.Abs int64 []rune []byte ",
};
