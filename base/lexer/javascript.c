/* JavaScript and TypeScript. */
#include "base/lexer/languages.h"

#define KEYWORDS \
	" async await break case catch class const continue debugger default delete do else export " \
	"extends finally for function if import in instanceof let new of return static super switch " \
	"this throw try typeof var void while with yield true false null undefined "

#define SCRIPT \
	SLASH_COMMENTS, \
		.quotes = "\"'", .interpolating = "`", .interpolation = " ${ ", \
		.opposites = " min max \0 some every \0 find filter findIndex \0 map filter forEach \0" \
					 " forEach map \0 floor ceil round trunc \0 ceil floor round \0" \
					 " keys values entries \0 startsWith endsWith \0 toLowerCase toUpperCase \0" \
					 " trimStart trimEnd trim \0 padStart padEnd \0 push unshift \0 pop shift \0" \
					 " unshift push \0 shift pop \0 indexOf lastIndexOf \0 includes indexOf \0" \
					 " slice splice \0 substr substring slice \0 substring substr slice \0" \
					 " charAt charCodeAt \0 call apply \0 test exec \0 replace replaceAll \0" \
					 " parseInt parseFloat \0 encodeURI encodeURIComponent \0 sin cos tan \0" \
					 " NEGATIVE_INFINITY POSITIVE_INFINITY \0 MIN_VALUE MAX_VALUE \0" \
					 " MIN_SAFE_INTEGER MAX_SAFE_INTEGER \0 add delete has \0", \
		.operators = script_operators, .operand_words = " this super true false null undefined ", \
		.function_words = " function ", .class_words = " class ", LOWER_TRUTHS, \
		.word_null = "null", .empty = {"", ".length === 0"}, \
		.wrappers = \
			" Number String Math.abs Math.floor Math.round parseInt Math.ceil Array.from" \
			" Math.trunc Boolean .trim() .toLowerCase() .slice() .toString() .toUpperCase()" \
			" .reverse() .sort() ", \
		.chained = " .reverse() .sort() .trim() .filter(Boolean) "

const struct language language_javascript = {
	.name = "javascript",
	SCRIPT,
	.suffixes = " js mjs cjs jsx ",
	.traits = LANGUAGE_SHAPED | LANGUAGE_REGEX,
	.keywords = KEYWORDS,
	.import_words = " import ",
};

const struct language language_typescript = {
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
