/* Go. */
#include "base/lexer/languages.h"

/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"&^=", 0, FAMILY_AUGMENT}, {":=", 0, FAMILY_ASSIGN},
	{"<-", 0, FAMILY_NONE}, {"&^", 12, FAMILY_BITS}, SHIFTED, AUGMENTED, SHIFTS(12), EQUALS(8),
	ORDERS(8), LOGIC, STEPS, BITS(12, 11, 11), {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT},
	ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_go = {
	.name = "go",
	.opposites = " min max \0 Min Max \0 MinInt MaxInt \0 Floor Ceil Round Trunc \0"
				 " HasPrefix HasSuffix \0 TrimPrefix TrimSuffix \0 TrimLeft TrimRight Trim \0"
				 " ToLower ToUpper \0 Index LastIndex \0 Before After \0 IsLower IsUpper \0"
				 " IsLetter IsDigit \0 Ints Strings \0",
	.suffixes = " go ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.raw_quotes = "`",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_BARE,
	.operators = operators,
	.keywords =
		" break case chan const continue default defer else fallthrough for func go goto if "
		"import interface map package range return select struct switch type var true false nil ",
	.operand_words = " true false nil ",
	.function_words = " func ",
	.import_words = " import package type ",
	.types = " int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 "
			 "complex128 string bool byte rune error any ",
	LOWER_TRUTHS,
	.word_null = "nil",
	.empty = {"len(", ") == 0"},
	.wrappers =
		" len float64 int string strings.TrimSpace strings.ToLower math.Abs int64 []rune []byte ",
};
