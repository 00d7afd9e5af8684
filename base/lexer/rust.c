/* Rust. */
#include "base/lexer/languages.h"

const struct language language_rust = {
	.name = "rust",
	.opposites =
		" min max \0 MIN MAX \0 min_by max_by \0 any all \0 floor ceil round \0 first last \0"
		" push_front push_back \0 pop_front pop_back \0 starts_with ends_with \0 find rfind \0"
		" to_lowercase to_uppercase \0 trim_start trim_end trim \0 keys values \0"
		" is_some is_none \0 is_ok is_err \0 wrapping_add wrapping_sub \0"
		" saturating_add saturating_sub \0 checked_add checked_sub \0 insert remove \0"
		" map filter \0 is_negative is_positive \0 is_lowercase is_uppercase \0"
		" is_ascii_lowercase is_ascii_uppercase \0 to_ascii_lowercase to_ascii_uppercase \0"
		" take skip \0 take_while skip_while \0 sum product \0 sort sort_unstable \0"
		" is_alphabetic is_alphanumeric is_numeric \0 push push_str \0",
	.suffixes = " rs ",
	SLASH_COMMENTS,
	.quotes = "\"'",
	.traits = LANGUAGE_NESTED_COMMENTS | LANGUAGE_GENERICS | LANGUAGE_CHARACTERS |
		LANGUAGE_PREFIXES | LANGUAGE_BARE,
	.operators = rust_operators,
	.keywords =
		" as async await break const continue crate dyn else enum extern false fn for if impl in "
		"let loop match mod move mut pub ref return self Self static struct super trait true "
		"type unsafe use where while ",
	.operand_words = " self Self true false ",
	.function_words = " fn ",
	.import_words = " use mod extern type ",
	.types =
		" i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char str String Vec "
		"Option Result Box HashMap HashSet ",
	LOWER_TRUTHS,
	.empty = {"", ".is_empty()"},
	.wrappers =
		" Some Ok String::from Box::new .clone() .trim() .to_string() .to_lowercase() .abs()"
		" .len() ",
	.chained = " .rev() ",
	.number_methods = " .abs() ",
};
