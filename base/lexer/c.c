/* C and C++. */
#include "base/lexer/languages.h"

#define KEYWORDS \
	" auto break case char const continue default do double else enum extern float for goto if " \
	"inline int long register restrict return short signed sizeof static struct switch typedef " \
	"union unsigned void volatile while bool _Bool true false NULL "
#define TYPES \
	" int char long short double float unsigned signed void bool _Bool size_t ssize_t int8_t " \
	"int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t ptrdiff_t FILE "

/* clang-format off */
static const char *const opposites[] = {
	" min max ", " MIN MAX ", " fmin fmax ", " INT_MIN INT_MAX ", " LONG_MIN LONG_MAX ",
	" floor ceil round trunc ", " strchr strrchr ", " strcpy strcat ", " strncpy strncat ",
	" tolower toupper ", " islower isupper ", " isalpha isdigit isalnum ", " sin cos tan ",
	" push_front push_back ", " pop_front pop_back ", " front back ", " begin end ",
	" rbegin rend ", " lower_bound upper_bound ", " min_element max_element ",
	" any_of all_of none_of ", NULL,
};
/* clang-format on */

const struct language language_c = {
	.id = LANGUAGE_C,
	.name = "c",
	.opposites = opposites,
	.suffixes = " c h ",
	SLASH_COMMENTS,
	PLAIN_STRINGS,
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED,
	.operators = c_operators,
	.keywords = KEYWORDS,
	.operand_words = " true false NULL ",
	.function_words = " ",
	.class_words = " ",
	.import_words = " typedef ",
	.types = TYPES,
	LOWER_TRUTHS,
	.word_null = "NULL",
	.empty = {"!", ""},
	.wrappers = " abs (double) strlen tolower toupper (int) (long) fabs sizeof sqrt ",
};

const struct language language_cpp = {
	.id = LANGUAGE_CPP,
	.name = "c++",
	.opposites = opposites,
	.suffixes = " cc cpp cxx hh hpp hxx ",
	SLASH_COMMENTS,
	PLAIN_STRINGS,
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED | LANGUAGE_GENERICS,
	.operators = c_operators,
	.keywords = KEYWORDS
	" catch class constexpr const_cast delete dynamic_cast explicit friend mutable namespace "
	"new noexcept nullptr operator override private protected public reinterpret_cast "
	"static_cast template this throw try typename using virtual ",
	.operand_words = " this true false nullptr NULL ",
	.function_words = " ",
	.class_words = " class struct ",
	.import_words = " using typedef ",
	.types = TYPES " string vector map set pair unordered_map unordered_set std ",
	LOWER_TRUTHS,
	.word_null = "nullptr",
	.empty = {"", ".empty()"},
	.wrappers = " std::abs (double) std::move (int) (long) std::to_string std::sqrt .size() ",
};
