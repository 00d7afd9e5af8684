/* Rust. */
#include "base/lexer/languages.h"

/* clang-format off */
static const char *const opposites[] = {
	" min max ", " MIN MAX ", " min_by max_by ", " any all ", " floor ceil round ", " first last ",
	" push_front push_back ", " pop_front pop_back ", " starts_with ends_with ", " find rfind ",
	" to_lowercase to_uppercase ", " trim_start trim_end trim ", " keys values ",
	" is_some is_none ", " is_ok is_err ", " wrapping_add wrapping_sub ",
	" saturating_add saturating_sub ", " checked_add checked_sub ", " insert remove ",
	" map filter ", NULL,
};
/* clang-format on */

const struct language language_rust = {
	.id = LANGUAGE_RUST,
	.name = "rust",
	.opposites = opposites,
	.suffixes = " rs ",
	SLASH_COMMENTS,
	PLAIN_STRINGS,
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
	LOWER_TRUTHS,
	.empty = {"", ".is_empty()"},
	.wrappers =
		" Some Ok String::from Box::new .clone() .trim() .to_string() .to_lowercase() .abs()"
		" .len() ",
};
