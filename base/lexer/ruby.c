/* Ruby. */
#include "base/lexer/languages.h"

/* clang-format off */
static const char *const opposites[] = {
	" min max sum ", " any? all? none? ", " first last ", " floor ceil round ", " push unshift ",
	" pop shift ", " downcase upcase ", " lstrip rstrip strip ", " ljust rjust ",
	" select reject ", " keys values ", " start_with? end_with? ", " min_by max_by ",
	" index rindex ", " even? odd? ", NULL,
};
/* clang-format on */

const struct language language_ruby = {
	.id = LANGUAGE_RUBY,
	.name = "ruby",
	.opposites = opposites,
	.suffixes = " rb ",
	.line_comments = " # ",
	.quotes = "\"'",
	.raw_quotes = "",
	.interpolating = "\"",
	.interpolation = " #{ ",
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
	LOWER_TRUTHS,
	.word_null = "nil",
	.empty = {"", ".empty?"},
	.wrappers = " Integer Float String Array .strip .downcase .dup .to_s .to_i .sort .reverse ",
};
