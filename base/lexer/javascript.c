/* JavaScript and TypeScript. */
#include "base/lexer/languages.h"

#define KEYWORDS \
	" async await break case catch class const continue debugger default delete do else export " \
	"extends finally for function if import in instanceof let new of return static super switch " \
	"this throw try typeof var void while with yield true false null undefined "

/* clang-format off */
static const char *const opposites[] = {
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
/* clang-format on */

#define SCRIPT \
	SLASH_COMMENTS, \
		.quotes = "\"'", .raw_quotes = "", .interpolating = "`", .interpolation = " ${ ", \
		.opposites = opposites, .operators = c_operators, \
		.operand_words = " this super true false null undefined ", .function_words = " function ", \
		.class_words = " class ", LOWER_TRUTHS, .word_null = "null", \
		.empty = {"", ".length === 0"}, \
		.wrappers = \
			" Number String Math.abs Math.floor Math.round parseInt Math.ceil Array.from" \
			" Math.trunc Boolean .trim() .toLowerCase() .slice() .toString() .toUpperCase()" \
			" .reverse() .sort() "

const struct language language_javascript = {
	.id = LANGUAGE_JAVASCRIPT,
	.name = "javascript",
	SCRIPT,
	.suffixes = " js mjs cjs jsx ",
	.traits = LANGUAGE_SHAPED | LANGUAGE_REGEX,
	.keywords = KEYWORDS,
	.import_words = " import ",
	.types = " ",
};

const struct language language_typescript = {
	.id = LANGUAGE_TYPESCRIPT,
	.name = "typescript",
	SCRIPT,
	.suffixes = " ts mts cts tsx ",
	.traits = LANGUAGE_SHAPED | LANGUAGE_REGEX | LANGUAGE_GENERICS,
	.keywords = KEYWORDS
	" abstract as declare enum implements interface keyof namespace private protected public "
	"readonly type ",
	.import_words = " import type interface declare ",
	.types =
		" number string boolean any void unknown never object bigint symbol Array Map Set Record "
		"Promise ReadonlyArray Partial ",
};
