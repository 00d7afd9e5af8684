/* C and C++. */
#include "base/lexer/languages.h"

#define KEYWORDS \
	" auto break case char const continue default do double else enum extern float for goto if " \
	"inline int long register restrict return short signed sizeof static struct switch typedef " \
	"union unsigned void volatile while bool _Bool true false NULL "
#define TYPES \
	" int char long short double float unsigned signed void bool _Bool size_t ssize_t int8_t " \
	"int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t ptrdiff_t FILE "

#define OPPOSITES \
	" min max \0 MIN MAX \0 fmin fmax \0 INT_MIN INT_MAX \0 LONG_MIN LONG_MAX \0" \
	" floor ceil round trunc \0 strchr strrchr \0 strcpy strcat \0 strncpy strncat \0" \
	" tolower toupper \0 islower isupper \0 isalpha isdigit isalnum \0 sin cos tan \0" \
	" push_front push_back \0 pop_front pop_back \0 front back \0 begin end \0 rbegin rend \0" \
	" lower_bound upper_bound \0 min_element max_element \0 any_of all_of none_of \0"

const struct language language_c = {
	.name = "c",
	.opposites = OPPOSITES,
	.suffixes = " c h ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED,
	.operators = c_operators,
	.keywords = KEYWORDS,
	.operand_words = " true false NULL ",
	.import_words = " typedef ",
	.types = TYPES,
	LOWER_TRUTHS,
	.word_null = "NULL",
	.empty = {"!", ""},
	.wrappers = " abs (double) strlen tolower toupper (int) (long) fabs sizeof sqrt ",
};

const struct language language_cpp = {
	.name = "c++",
	.opposites = OPPOSITES,
	.suffixes = " cc cpp cxx hh hpp hxx ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED | LANGUAGE_GENERICS,
	.operators = cpp_operators,
	.keywords = KEYWORDS
	" and or not catch class constexpr const_cast delete dynamic_cast explicit friend "
	"mutable namespace new noexcept nullptr operator override private protected public "
	"reinterpret_cast static_cast template this throw try typename using virtual ",
	.operand_words = " this true false nullptr NULL ",
	.class_words = " class struct ",
	.import_words = " using typedef ",
	.types = TYPES " string vector map set pair unordered_map unordered_set std ",
	LOWER_TRUTHS,
	.word_null = "nullptr",
	.empty = {"", ".empty()"},
	.wrappers = " std::abs (double) std::move (int) (long) std::to_string std::sqrt .size() ",
};
