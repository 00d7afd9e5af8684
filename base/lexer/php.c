/* PHP. */
#include "base/lexer/languages.h"

/* & ^ | bind looser than comparisons, "and", "or" and "xor" looser than an assignment. "?" "?"
 * is cut in two because it would be a trigraph. */
/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"<=>", 8, FAMILY_NONE}, {"===", 8, FAMILY_COMPARE},
	{"!==", 8, FAMILY_COMPARE}, {"**=", 0, FAMILY_AUGMENT}, {"?" "?=", 0, FAMILY_AUGMENT},
	{"?->", 0, FAMILY_ACCESS}, {"**", 13, FAMILY_POWER}, {"=>", 0, FAMILY_NONE},
	{"->", 0, FAMILY_ACCESS}, {"::", 0, FAMILY_ACCESS}, {"??", 3, FAMILY_OR},
	{"?:", 3, FAMILY_OR}, {".=", 0, FAMILY_AUGMENT}, {"<>", 8, FAMILY_COMPARE}, SHIFTED,
	AUGMENTED, SHIFTS(10), EQUALS(8), ORDERS(9), LOGIC, STEPS, BITS(7, 6, 5),
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, {".", 10, FAMILY_ADD},
	{"and", 2, FAMILY_AND}, {"or", 1, FAMILY_OR}, {"xor", 1, FAMILY_OR},
	{"instanceof", 13, FAMILY_NONE}, ARITHMETIC, MARKS,
};
/* clang-format on */

const struct language language_php = {
	.name = "php",
	.opposites =
		" min max \0 floor ceil round intdiv \0 ceil floor round \0 array_push array_unshift \0"
		" array_pop array_shift \0 array_unshift array_push \0 array_shift array_pop \0"
		" array_keys array_values \0 array_map array_filter \0 array_merge array_replace \0"
		" array_diff array_intersect array_diff_key \0 array_slice array_splice \0"
		" array_sum array_product \0 array_key_first array_key_last \0"
		" in_array array_search array_key_exists \0 ltrim rtrim trim \0 rtrim ltrim trim \0"
		" trim ltrim rtrim \0 strtolower strtoupper \0 ucfirst lcfirst ucwords \0"
		" sort rsort usort asort \0 usort uasort uksort \0 ksort krsort sort \0 asort arsort \0"
		" strpos str_contains strrpos stripos \0 strstr strrchr \0 substr mb_substr \0"
		" strlen mb_strlen count \0 count strlen \0"
		" str_starts_with str_ends_with str_contains \0 is_null isset empty \0 isset empty \0"
		" empty isset \0 is_int is_numeric is_float \0 intval floatval \0 explode implode \0"
		" htmlspecialchars htmlspecialchars_decode \0 json_encode json_decode \0"
		" urlencode urldecode rawurlencode \0 preg_match preg_match_all \0"
		" str_pad str_repeat \0 print printf \0 sprintf printf \0 PHP_INT_MAX PHP_INT_MIN \0"
		" STR_PAD_LEFT STR_PAD_RIGHT \0 sin cos tan \0 strcmp strcasecmp strnatcmp \0"
		" current end reset \0 next prev \0",
	.suffixes = " php phtml ",
	.line_comments = " // # ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'`",
	.interpolating = "\"",
	.interpolation = " {$ ${ ",
	.traits = LANGUAGE_VARIABLES | LANGUAGE_TEMPLATE | LANGUAGE_HEREDOC_LITERALS,
	.operators = operators,
	.keywords =
		" abstract and as break case catch class clone const continue declare default do echo"
		" else elseif enddeclare endfor endforeach endif endswitch endwhile enum extends"
		" final finally fn for foreach function global goto if implements include"
		" include_once instanceof insteadof interface match namespace new or print private"
		" protected public readonly require require_once return self static parent switch"
		" throw trait try use var while xor yield true false null TRUE FALSE NULL True False"
		" Null $this ",
	.operand_words = " $this self static parent true false null TRUE FALSE NULL True False Null ",
	.function_words = " function fn ",
	.class_words = " class interface trait enum ",
	.import_words = " namespace use declare require require_once include include_once global ",
	.types = " int float string bool array object mixed callable iterable void never ",
	LOWER_TRUTHS,
	.word_null = "null",
	.empty = {"empty(", ")"},
	.absent = {"", " === null"},
	.present = {"", " !== null"},
	.wrappers = " count strlen intval (int) (float) (string) trim abs array_values strtolower round"
				" strtoupper floor array_unique array_reverse array_keys htmlspecialchars ",
};
