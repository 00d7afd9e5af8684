/*
 * One table a language: all that rondo knows about it. A language that is added here is known
 * everywhere; nothing else asks for a language by its name.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "source/source.h"

#define MARKS \
	{",", 0, FAMILY_NONE}, {";", 0, FAMILY_NONE}, {":", 0, FAMILY_NONE}, {"?", 0, FAMILY_NONE}, \
		{"@", 0, FAMILY_NONE}, {"#", 0, FAMILY_NONE}, {"\\", 0, FAMILY_NONE}, \
		{"$", 0, FAMILY_NONE}, {"`", 0, FAMILY_NONE}, {".", 0, FAMILY_ACCESS}, \
		{NULL, 0, FAMILY_NONE}

#define AUGMENTED \
	{"+=", 0, FAMILY_AUGMENT}, {"-=", 0, FAMILY_AUGMENT}, {"*=", 0, FAMILY_AUGMENT}, \
		{"/=", 0, FAMILY_AUGMENT}, {"%=", 0, FAMILY_AUGMENT}, {"&=", 0, FAMILY_AUGMENT}, \
		{"|=", 0, FAMILY_AUGMENT}, {"^=", 0, FAMILY_AUGMENT}

#define ARITHMETIC \
	{"*", 12, FAMILY_MULTIPLY}, {"/", 12, FAMILY_MULTIPLY}, {"%", 12, FAMILY_MULTIPLY}, \
		{"+", 11, FAMILY_ADD}, {"-", 11, FAMILY_ADD}

/* C, C++, Java, JavaScript, TypeScript: & ^ | bind looser than comparisons. "?" "?=" is cut in two
 * so that nothing takes it for a trigraph. */
static const struct operator_row c_operators[] = {
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

static const struct operator_row shell_operators[] = {
	{"-eq", 8, FAMILY_COMPARE}, {"-ne", 8, FAMILY_COMPARE}, {"-lt", 9, FAMILY_COMPARE},
	{"-le", 9, FAMILY_COMPARE}, {"-gt", 9, FAMILY_COMPARE}, {"-ge", 9, FAMILY_COMPARE},
	{";;", 0, FAMILY_NONE}, {"**", 13, FAMILY_POWER}, {"++", 0, FAMILY_STEP},
	{"--", 0, FAMILY_STEP}, AUGMENTED, {"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT},
	{"<=", 9, FAMILY_COMPARE}, {">=", 9, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE},
	{"!=", 8, FAMILY_COMPARE}, {"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR},
	{"<", 9, FAMILY_COMPARE}, {">", 9, FAMILY_COMPARE}, {"&", 7, FAMILY_BITS},
	{"^", 6, FAMILY_BITS}, {"|", 0, FAMILY_NONE}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT},
	{"~", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};

/* Rust and Ruby: & ^ | bind tighter than comparisons. */
static const struct operator_row tight_operators[] = {
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

static const struct operator_row go_operators[] = {
	{"...", 0, FAMILY_NONE}, {"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT},
	{"&^=", 0, FAMILY_AUGMENT}, {":=", 0, FAMILY_ASSIGN}, {"<-", 0, FAMILY_NONE},
	{"&^", 12, FAMILY_BITS}, {"++", 0, FAMILY_STEP}, {"--", 0, FAMILY_STEP}, AUGMENTED,
	{"<<", 12, FAMILY_SHIFT}, {">>", 12, FAMILY_SHIFT}, {"<=", 8, FAMILY_COMPARE},
	{">=", 8, FAMILY_COMPARE}, {"==", 8, FAMILY_COMPARE}, {"!=", 8, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"<", 8, FAMILY_COMPARE},
	{">", 8, FAMILY_COMPARE}, {"&", 12, FAMILY_BITS}, {"^", 11, FAMILY_BITS},
	{"|", 11, FAMILY_BITS}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, ARITHMETIC, MARKS,
};

static const struct operator_row python_operators[] = {
	{"...", 0, FAMILY_NONE}, {"//=", 0, FAMILY_AUGMENT}, {"**=", 0, FAMILY_AUGMENT},
	{"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT}, {"->", 0, FAMILY_NONE},
	{":=", 0, FAMILY_ASSIGN}, {"**", 13, FAMILY_POWER}, {"//", 12, FAMILY_MULTIPLY}, AUGMENTED,
	{"<<", 10, FAMILY_SHIFT}, {">>", 10, FAMILY_SHIFT}, {"<=", 6, FAMILY_COMPARE},
	{">=", 6, FAMILY_COMPARE}, {"==", 6, FAMILY_COMPARE}, {"!=", 6, FAMILY_COMPARE},
	{"<", 6, FAMILY_COMPARE}, {">", 6, FAMILY_COMPARE}, {"&", 9, FAMILY_BITS},
	{"^", 8, FAMILY_BITS}, {"|", 7, FAMILY_BITS}, {"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NONE},
	{"~", 0, FAMILY_NOT}, {"not", 0, FAMILY_NOT}, {"in", 6, FAMILY_COMPARE},
	{"is", 6, FAMILY_COMPARE}, {"and", 4, FAMILY_AND}, {"or", 3, FAMILY_OR}, ARITHMETIC, MARKS,
};

/* What a library's users take for each other; in a row the likeliest first. */
static const char *const python_opposites[] = {
	" min max sum ", " any all ", " append extend insert ", " floor ceil ", " ceil floor round ",
	" keys values items ", " startswith endswith ", " lower upper title capitalize casefold ",
	" lstrip rstrip strip ", " ljust rjust center ", " islower isupper ",
	" isalpha isdigit isalnum ", " find rfind ", " index rindex ", " split rsplit splitlines ",
	" sorted reversed ", " sin cos tan ", " log2 log10 log ", " union intersection difference ",
	" add discard remove update ", " encode decode ", " int float str round ", " str repr ",
	" list tuple set ", " isinstance issubclass ", " sort reverse ", " partition rpartition ",
	" match search fullmatch ", " get setdefault ", " getattr hasattr ", " map filter ",
	" group groups ", " minutes hours seconds days weeks ", NULL,
};
static const char *const script_opposites[] = {
	" min max ", " some every ", " find filter findIndex ", " map filter forEach ", " forEach map ",
	" floor ceil round trunc ", " ceil floor round ", " keys values entries ",
	" startsWith endsWith ", " toLowerCase toUpperCase ", " trimStart trimEnd trim ",
	" padStart padEnd ", " push unshift ", " pop shift ", " unshift push ", " shift pop ",
	" indexOf lastIndexOf ", " includes indexOf ", " slice splice ", " substr substring slice ",
	" substring substr slice ", " charAt charCodeAt ", " call apply ",
	" test exec ", " replace replaceAll ", " parseInt parseFloat ",
	" encodeURI encodeURIComponent ", " sin cos tan ", " NEGATIVE_INFINITY POSITIVE_INFINITY ",
	" MIN_VALUE MAX_VALUE ", " MIN_SAFE_INTEGER MAX_SAFE_INTEGER ", " add delete has ", NULL,
};
static const char *const c_opposites[] = {
	" min max ", " MIN MAX ", " fmin fmax ", " INT_MIN INT_MAX ", " LONG_MIN LONG_MAX ",
	" floor ceil round trunc ", " strchr strrchr ", " strcpy strcat ", " strncpy strncat ",
	" tolower toupper ", " islower isupper ", " isalpha isdigit isalnum ", " sin cos tan ",
	" push_front push_back ", " pop_front pop_back ", " front back ", " begin end ",
	" rbegin rend ", " lower_bound upper_bound ", " min_element max_element ",
	" any_of all_of none_of ", NULL,
};
static const char *const java_opposites[] = {
	" min max ", " MIN_VALUE MAX_VALUE ", " floor ceil round ", " indexOf lastIndexOf ",
	" startsWith endsWith ", " toLowerCase toUpperCase ", " keySet values entrySet ",
	" anyMatch allMatch noneMatch ", " addFirst addLast ", " getFirst getLast ",
	" removeFirst removeLast ", " pollFirst pollLast ", " push pop peek ", " isBefore isAfter ",
	" add remove contains ", " isLetter isDigit ", NULL,
};
static const char *const go_opposites[] = {
	" min max ", " Min Max ", " MinInt MaxInt ", " Floor Ceil Round Trunc ",
	" HasPrefix HasSuffix ", " TrimPrefix TrimSuffix ", " TrimLeft TrimRight Trim ",
	" ToLower ToUpper ", " Index LastIndex ", " Before After ", " IsLower IsUpper ",
	" IsLetter IsDigit ", " Ints Strings ", NULL,
};
static const char *const rust_opposites[] = {
	" min max ", " MIN MAX ", " min_by max_by ", " any all ", " floor ceil round ", " first last ",
	" push_front push_back ", " pop_front pop_back ", " starts_with ends_with ", " find rfind ",
	" to_lowercase to_uppercase ", " trim_start trim_end trim ", " keys values ",
	" is_some is_none ", " is_ok is_err ", " wrapping_add wrapping_sub ",
	" saturating_add saturating_sub ", " checked_add checked_sub ", " insert remove ",
	" map filter ", NULL,
};
static const char *const ruby_opposites[] = {
	" min max sum ", " any? all? none? ", " first last ", " floor ceil round ", " push unshift ",
	" pop shift ", " downcase upcase ", " lstrip rstrip strip ", " ljust rjust ",
	" select reject ", " keys values ", " start_with? end_with? ", " min_by max_by ",
	" index rindex ", " even? odd? ", NULL,
};
static const char *const no_opposites[] = {NULL};

static const struct language python = {
	.name = "python",
	.opposites = python_opposites,
	.suffixes = " py pyi ",
	.line_comments = " # ",
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "\"'",
	.interpolation = "{",
	.traits = LANGUAGE_INDENTED | LANGUAGE_NEWLINES | LANGUAGE_TRIPLE | LANGUAGE_PREFIXES,
	.operators = python_operators,
	.keywords =
		" and as assert async await break class continue def del elif else except finally for "
		"from global if import in is lambda nonlocal not or pass raise return try while with "
		"yield True False None self cls ",
	.operand_words = " True False None self cls ",
	.function_words = " def ",
	.class_words = " class ",
	.import_words = " import from global nonlocal ",
	.types = " Optional List Dict Tuple Set Any Union Callable ",
	.word_true = "True",
	.word_false = "False",
	.word_not = "not ",
	.word_null = "None",
	.empty = {"not ", ""},
	.wrappers =
		" len int str abs list set sorted float sum round tuple reversed dict max min bool repr enumerate "
		".strip() .lower() .copy() .items() .upper() .keys() .values() .split() ",
};

#define SCRIPT_KEYWORDS \
	" async await break case catch class const continue debugger default delete do else export " \
	"extends finally for function if import in instanceof let new of return static super switch " \
	"this throw try typeof var void while with yield true false null undefined "

static const struct language javascript = {
	.name = "javascript",
	.opposites = script_opposites,
	.suffixes = " js mjs cjs jsx ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "`",
	.interpolation = "${",
	.traits = LANGUAGE_SHAPED | LANGUAGE_REGEX,
	.operators = c_operators,
	.keywords = SCRIPT_KEYWORDS,
	.operand_words = " this super true false null undefined ",
	.function_words = " function ",
	.class_words = " class ",
	.import_words = " import ",
	.types = " ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "null",
	.empty = {"", ".length === 0"},
	.wrappers =
		" Number String Math.abs Math.floor Math.round parseInt Math.ceil Array.from Math.trunc Boolean "
		".trim() .toLowerCase() .slice() .toString() .toUpperCase() .reverse() .sort() ",
};

static const struct language typescript = {
	.name = "typescript",
	.opposites = script_opposites,
	.suffixes = " ts mts cts tsx ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "`",
	.interpolation = "${",
	.traits = LANGUAGE_SHAPED | LANGUAGE_REGEX | LANGUAGE_GENERICS,
	.operators = c_operators,
	.keywords = SCRIPT_KEYWORDS
	" abstract as declare enum implements interface keyof namespace private protected public "
	"readonly type ",
	.operand_words = " this super true false null undefined ",
	.function_words = " function ",
	.class_words = " class ",
	.import_words = " import type interface declare ",
	.types =
		" number string boolean any void unknown never object bigint symbol Array Map Set Record "
		"Promise ReadonlyArray Partial ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "null",
	.empty = {"", ".length === 0"},
	.wrappers =
		" Number String Math.abs Math.floor Math.round parseInt Math.ceil Array.from Math.trunc Boolean "
		".trim() .toLowerCase() .slice() .toString() .toUpperCase() .reverse() .sort() ",
};

#define C_KEYWORDS \
	" auto break case char const continue default do double else enum extern float for goto if " \
	"inline int long register restrict return short signed sizeof static struct switch typedef " \
	"union unsigned void volatile while bool _Bool true false NULL "
#define C_TYPES \
	" int char long short double float unsigned signed void bool _Bool size_t ssize_t int8_t " \
	"int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t ptrdiff_t FILE "

static const struct language c = {
	.name = "c",
	.opposites = c_opposites,
	.suffixes = " c h ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "",
	.interpolation = "",
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED,
	.operators = c_operators,
	.keywords = C_KEYWORDS,
	.operand_words = " true false NULL ",
	.function_words = " ",
	.class_words = " ",
	.import_words = " typedef ",
	.types = C_TYPES,
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "NULL",
	.empty = {"!", ""},
	.wrappers = " abs (double) strlen tolower toupper (int) (long) fabs sizeof sqrt ",
};

static const struct language cpp = {
	.name = "c++",
	.opposites = c_opposites,
	.suffixes = " cc cpp cxx hh hpp hxx ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "",
	.interpolation = "",
	.traits = LANGUAGE_SHAPED | LANGUAGE_PREPROCESSED | LANGUAGE_GENERICS,
	.operators = c_operators,
	.keywords = C_KEYWORDS
	" catch class constexpr const_cast delete dynamic_cast explicit friend mutable namespace "
	"new noexcept nullptr operator override private protected public reinterpret_cast "
	"static_cast template this throw try typename using virtual ",
	.operand_words = " this true false nullptr NULL ",
	.function_words = " ",
	.class_words = " class struct ",
	.import_words = " using typedef ",
	.types = C_TYPES " string vector map set pair unordered_map unordered_set std ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "nullptr",
	.empty = {"", ".empty()"},
	.wrappers = " std::abs (double) std::move (int) (long) std::to_string std::sqrt .size() ",
};

static const struct language java = {
	.name = "java",
	.opposites = java_opposites,
	.suffixes = " java kt cs ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "",
	.interpolation = "",
	.traits = LANGUAGE_SHAPED | LANGUAGE_TRIPLE | LANGUAGE_GENERICS,
	.operators = c_operators,
	.keywords =
		" abstract assert boolean break byte case catch char class const continue default do "
		"double else enum extends final finally float for if implements import instanceof int "
		"interface long native new package private protected public return short static super "
		"switch synchronized this throw throws transient try var void volatile while true false "
		"null ",
	.operand_words = " this super true false null ",
	.function_words = " fun ",
	.class_words = " class interface enum ",
	.import_words = " import package using ",
	.types =
		" int char long short double float byte boolean void String Integer Long Double Boolean "
		"Object List Map Set ArrayList HashMap HashSet Character StringBuilder ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "null",
	.empty = {"", ".isEmpty()"},
	.wrappers =
		" Math.abs (double) (int) (long) String.valueOf Math.round Math.floor Math.ceil Integer.parseInt "
		".trim() .toLowerCase() .toString() .toUpperCase() .clone() ",
};

static const struct language go = {
	.name = "go",
	.opposites = go_opposites,
	.suffixes = " go ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "`",
	.interpolating = "",
	.interpolation = "",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_BARE,
	.operators = go_operators,
	.keywords =
		" break case chan const continue default defer else fallthrough for func go goto if "
		"import interface map package range return select struct switch type var true false nil ",
	.operand_words = " true false nil ",
	.function_words = " func ",
	.class_words = " ",
	.import_words = " import package type ",
	.types =
		" int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 "
		"complex128 string bool byte rune error any ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "nil",
	.empty = {"len(", ") == 0"},
	.wrappers =
		" len float64 int string strings.TrimSpace strings.ToLower math.Abs int64 []rune []byte ",
};

static const struct language rust = {
	.name = "rust",
	.opposites = rust_opposites,
	.suffixes = " rs ",
	.line_comments = " // ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "",
	.interpolation = "",
	.traits = LANGUAGE_NESTED_COMMENTS | LANGUAGE_GENERICS | LANGUAGE_CHARACTERS |
		  LANGUAGE_PREFIXES | LANGUAGE_BARE,
	.operators = tight_operators,
	.keywords =
		" as async await break const continue crate dyn else enum extern false fn for if impl in "
		"let loop match mod move mut pub ref return self Self static struct super trait true "
		"type unsafe use where while ",
	.operand_words = " self Self true false ",
	.function_words = " fn ",
	.class_words = " ",
	.import_words = " use mod extern type ",
	.types =
		" i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char str String Vec "
		"Option Result Box HashMap HashSet ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.empty = {"", ".is_empty()"},
	.wrappers = " Some Ok String::from Box::new .clone() .trim() .to_string() .to_lowercase() .abs() .len() ",
};

static const struct language shell = {
	.name = "shell",
	.opposites = no_opposites,
	.suffixes = " sh bash ",
	.line_comments = " # ",
	.quotes = "\"",
	.raw_quotes = "'",
	.interpolating = "\"",
	.interpolation = "$(",
	.traits = LANGUAGE_NEWLINES | LANGUAGE_SHAPED | LANGUAGE_SIGILS | LANGUAGE_HEREDOCS,
	.operators = shell_operators,
	.keywords =
		" if then else elif fi for while until do done case esac in function return local "
		"readonly export set shift exit break continue echo printf test ",
	.operand_words = " ",
	.function_words = " function ",
	.class_words = " ",
	.import_words = " set export source readonly trap ",
	.types = " ",
	.word_not = "! ",
	.empty = {"", ""},
	.wrappers = " ",
};

static const struct language ruby = {
	.name = "ruby",
	.opposites = ruby_opposites,
	.suffixes = " rb ",
	.line_comments = " # ",
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "\"",
	.interpolation = "#{",
	.traits = LANGUAGE_INDENTED | LANGUAGE_NEWLINES | LANGUAGE_REGEX | LANGUAGE_HEREDOCS,
	.operators = tight_operators,
	.keywords =
		" alias and begin break case class def do else elsif end ensure false for if in module "
		"next nil not or redo require rescue retry return self super then true undef unless "
		"until when while yield ",
	.operand_words = " self super true false nil ",
	.function_words = " def ",
	.class_words = " class module ",
	.import_words = " require require_relative include ",
	.types = " ",
	.word_true = "true",
	.word_false = "false",
	.word_not = "!",
	.word_null = "nil",
	.empty = {"", ".empty?"},
	.wrappers = " Integer Float String Array .strip .downcase .dup .to_s .to_i .sort .reverse ",
};

const struct language *const languages[] = {
	&python, &javascript, &typescript, &c, &cpp, &java, &go, &rust, &shell, &ruby};
const size_t languages_n = ARRAY_SIZE(languages);

const struct language *language_of(const char *path)
{
	const char *suffix = file_suffix(path);
	for (size_t i = 0; i < languages_n; i++)
		if (words_hold(languages[i]->suffixes, suffix, strlen(suffix)))
			return languages[i];
	return NULL;
}

const struct operator_row *language_operator(const struct language *language, const char *text)
{
	for (const struct operator_row *row = language->operators; row->text; row++)
		if (strcmp(row->text, text) == 0)
			return row;
	return NULL;
}
