/* PHP. */
#include "base/lexer/languages.h"

/* & ^ | bind looser than comparisons, "and", "or" and "xor" looser than an assignment. "?" "?"
 * is cut in two so that nothing takes it for a trigraph. */
/* clang-format off */
static const struct operator_row operators[] = {
	{"...", 0, FAMILY_NONE}, {"<=>", 8, FAMILY_NONE}, {"===", 8, FAMILY_COMPARE},
	{"!==", 8, FAMILY_COMPARE}, {"<<=", 0, FAMILY_AUGMENT}, {">>=", 0, FAMILY_AUGMENT},
	{"**=", 0, FAMILY_AUGMENT}, {"?" "?=", 0, FAMILY_AUGMENT}, {"?->", 0, FAMILY_ACCESS},
	{"**", 13, FAMILY_POWER}, {"=>", 0, FAMILY_NONE}, {"->", 0, FAMILY_ACCESS},
	{"::", 0, FAMILY_ACCESS}, {"??", 3, FAMILY_OR}, {"?:", 3, FAMILY_OR}, {"++", 0, FAMILY_STEP},
	{"--", 0, FAMILY_STEP}, {".=", 0, FAMILY_AUGMENT}, AUGMENTED, {"<<", 10, FAMILY_SHIFT},
	{">>", 10, FAMILY_SHIFT}, {"<=", 9, FAMILY_COMPARE}, {">=", 9, FAMILY_COMPARE},
	{"==", 8, FAMILY_COMPARE}, {"!=", 8, FAMILY_COMPARE}, {"<>", 8, FAMILY_COMPARE},
	{"&&", 4, FAMILY_AND}, {"||", 3, FAMILY_OR}, {"<", 9, FAMILY_COMPARE},
	{">", 9, FAMILY_COMPARE}, {"&", 7, FAMILY_BITS}, {"^", 6, FAMILY_BITS}, {"|", 5, FAMILY_BITS},
	{"=", 0, FAMILY_ASSIGN}, {"!", 0, FAMILY_NOT}, {"~", 0, FAMILY_NOT}, {".", 10, FAMILY_ADD},
	{"and", 2, FAMILY_AND}, {"or", 1, FAMILY_OR}, {"xor", 1, FAMILY_OR},
	{"instanceof", 13, FAMILY_NONE}, ARITHMETIC, MARKS,
};
/* clang-format on */

/* clang-format off */
static const char *const opposites[] = {
	" min max ", " floor ceil round intdiv ", " ceil floor round ",
	" array_push array_unshift ", " array_pop array_shift ", " array_unshift array_push ",
	" array_shift array_pop ", " array_keys array_values ", " array_map array_filter ",
	" array_merge array_replace ", " array_diff array_intersect array_diff_key ",
	" array_slice array_splice ", " array_sum array_product ",
	" array_key_first array_key_last ", " in_array array_search array_key_exists ",
	" ltrim rtrim trim ", " rtrim ltrim trim ", " trim ltrim rtrim ", " strtolower strtoupper ",
	" ucfirst lcfirst ucwords ", " sort rsort usort asort ", " usort uasort uksort ",
	" ksort krsort sort ", " asort arsort ", " strpos str_contains strrpos stripos ",
	" strstr strrchr ", " substr mb_substr ", " strlen mb_strlen count ", " count strlen ",
	" str_starts_with str_ends_with str_contains ", " is_null isset empty ", " isset empty ",
	" empty isset ", " is_int is_numeric is_float ", " intval floatval ", " explode implode ",
	" htmlspecialchars htmlspecialchars_decode ", " json_encode json_decode ",
	" urlencode urldecode rawurlencode ", " preg_match preg_match_all ", " str_pad str_repeat ",
	" print printf ", " sprintf printf ", " PHP_INT_MAX PHP_INT_MIN ",
	" STR_PAD_LEFT STR_PAD_RIGHT ", " sin cos tan ", " strcmp strcasecmp strnatcmp ",
	" current end reset ", " next prev ", NULL,
};
/* clang-format on */

const struct language language_php = {
	.id = LANGUAGE_PHP,
	.name = "php",
	.opposites = opposites,
	.suffixes = " php phtml ",
	.line_comments = " // # ",
	.block_comment = {"/*", "*/"},
	.quotes = "\"'`",
	.raw_quotes = "",
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
