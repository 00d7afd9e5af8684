/* Ruby. */
#include "base/lexer/languages.h"

const struct language language_ruby = {
	.name = "ruby",
	.opposites =
		" min max sum \0 any? all? none? \0 first last \0 floor ceil round \0 push unshift \0"
		" pop shift \0 downcase upcase capitalize swapcase \0 lstrip rstrip strip \0 ljust rjust \0"
		" select reject \0 keys values \0 start_with? end_with? \0 min_by max_by \0"
		" index rindex \0 even? odd? \0",
	.suffixes = " rb ",
	.line_comments = " # ",
	.quotes = "\"'",
	.interpolating = "\"",
	.interpolation = " #{ ",
	.traits = LANGUAGE_INDENTED | LANGUAGE_NEWLINES | LANGUAGE_REGEX | LANGUAGE_HEREDOCS |
		LANGUAGE_OWN_NAMES,
	.operators = ruby_operators,
	.keywords =
		" alias and begin break case class def do else elsif end ensure false for if in module "
		"next nil not or redo require rescue retry return self super then true undef unless "
		"until when while yield ",
	.operand_words = " self super true false nil ",
	.function_words = " def ",
	.class_words = " class module ",
	.import_words = " require require_relative include ",
	LOWER_TRUTHS,
	.word_null = "nil",
	.empty = {"", ".empty?"},
	.wrappers = " Integer Float String Array .strip .downcase .dup .to_s .to_i .sort .reverse ",
	.chained = " .reverse .sort .uniq .compact .flatten ",
};
