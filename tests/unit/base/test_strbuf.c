#include "tests/unit/unit.h"

#include "base/strbuf.h"

static void grows_and_stays_terminated(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(1 << 20);
	assert_string_equal(sb.text, "");
	for (int i = 0; i < 1000; i++)
		strbuf_addf(&sb, "%d,", i);
	assert_int_equal(sb.length, strlen(sb.text));
	assert_true(text_ends_with(sb.text, "998,999,"));
}

static void keeps_head_and_tail_beyond_its_limit(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(10);
	strbuf_adds(&sb, "abcdefgh");
	strbuf_adds(&sb, "ijklmnop");
	assert_string_equal(sb.text, "abcdelmnop");
	assert_int_equal(sb.cut, 6);
	strbuf_addc(&sb, 'q');
	assert_string_equal(sb.text, "abcdemnopq");
	strbuf_adds(&sb, "0123456789");
	assert_string_equal(sb.text, "abcde56789");
	assert_int_equal(sb.cut, 17);
	strbuf_mark_cut(&sb);
	assert_string_equal(sb.text, "abcde\n[... 17 bytes cut ...]\n56789");
}

static void no_half_character_stands_beside_the_mark(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(10);
	strbuf_adds(&sb, "ääääääää");
	strbuf_mark_cut(&sb);
	assert_string_equal(sb.text, "ää\n[... 8 bytes cut ...]\nää");
	assert_int_equal(sb.length, strlen(sb.text));
}

static void cuts_the_same_however_it_is_fed(void **state)
{
	(void)state;
	char text[1000];
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)('a' + i % 26);
	AUTO_STRBUF whole = STRBUF_INIT(64);
	strbuf_add(&whole, text, sizeof text);
	for (size_t step = 1; step < 200; step += 13) {
		AUTO_STRBUF parts = STRBUF_INIT(64);
		for (size_t at = 0; at < sizeof text; at += step)
			strbuf_add(&parts, text + at, at + step > sizeof text ? sizeof text - at : step);
		assert_string_equal(parts.text, whole.text);
		assert_int_equal(parts.cut, whole.cut);
	}
}

/* What was cut goes with the end that is taken away; no more than the argument is read. */
static void a_shortened_head_begins_anew(void **state)
{
	(void)state;
	for (size_t length = 0; length <= 5; length++) {
		AUTO_STRBUF sb = STRBUF_INIT(10);
		strbuf_adds(&sb, "abcdefghijklmnop");
		strbuf_truncate(&sb, length);
		assert_int_equal(sb.cut, 0);
		char one[] = {'X'}; /* and no NUL after it */
		strbuf_add(&sb, one, sizeof one);
		assert_int_equal(sb.length, length + 1);
		strbuf_mark_cut(&sb);
		assert_int_equal(sb.length, length + 1);
		assert_memory_equal(sb.text, "abcde", length);
		assert_string_equal(sb.text + length, "X");
		strbuf_adds(&sb, "0123456789");
		assert_int_equal(sb.length, 10);
		assert_int_equal(sb.cut, length + 1);
		assert_string_equal(sb.text + 5, "56789");
	}
}

static void a_shortened_tail_keeps_what_was_cut(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(10);
	strbuf_adds(&sb, "abcdefghijklmnop");
	strbuf_truncate(&sb, 7);
	strbuf_addc(&sb, 'X');
	assert_string_equal(sb.text, "abcdelmX");
	strbuf_mark_cut(&sb);
	assert_string_equal(sb.text, "abcde\n[... 6 bytes cut ...]\nlmX");
}

static void white_space_after_a_cut_is_removed_and_the_cut_is_not(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(10);
	strbuf_adds(&sb, "abcd fghijk\n\n\n\n\n\n");
	strbuf_rtrim(&sb);
	assert_string_equal(sb.text, "abcd ");
	assert_int_equal(sb.cut, 7);
	strbuf_mark_cut(&sb);
	assert_string_equal(sb.text, "abcd \n[... 7 bytes cut ...]\n");
}

static void hands_its_text_over(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(100);
	char *empty = strbuf_detach(&sb);
	assert_string_equal(empty, "");
	free(empty);
	strbuf_adds(&sb, "text \n");
	strbuf_rtrim(&sb);
	char *text = strbuf_detach(&sb);
	assert_string_equal(text, "text");
	assert_string_equal(sb.text, "");
	free(text);
}

static void addresses_are_left_out(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(100);
	strbuf_add_without_addresses(&sb, "<f at 0x7f12AB>, 0xg, 10x2, 0x0x1");
	assert_string_equal(sb.text, "<f at 0x>, 0xg, 10x, 0xx1");
	strbuf_add_without_addresses(&sb, "");
	strbuf_add_without_addresses(&sb, " 0x");
	assert_string_equal(sb.text, "<f at 0x>, 0xg, 10x, 0xx1 0x");
}

static void knows_what_somebody_meant(void **state)
{
	(void)state;
	static const char *const names[] = {"max_turns", "termination", "participants"};
	assert_string_equal(text_nearest("max_turn", names, 3), "max_turns");
	assert_string_equal(text_nearest("particpiants", names, 3), "participants");
	assert_null(text_nearest("colour", names, 3));
	assert_null(text_nearest("x", names, 3));
	assert_null(text_nearest("x", (const char *const[]){"y"}, 1));
	assert_string_equal(text_nearest("xy", (const char *const[]){"x"}, 1), "x");
}

static void a_word_stands_by_itself(void **state)
{
	(void)state;
	static const char *const with[] = {"DONE", "It is DONE.", "UNDONE, then DONE", "(DONE)"};
	static const char *const without[] = {
		"", "done", "UNDONE", "DONE_", "DONE2", "DON", "DONE\xc3\xa9"};
	for (size_t i = 0; i < sizeof with / sizeof *with; i++)
		assert_true(text_has_word(with[i], "DONE"));
	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		assert_false(text_has_word(without[i], "DONE"));
	assert_false(text_has_word("DONE", ""));
}

static void lines_are_found_by_their_numbers(void **state)
{
	(void)state;
	static const char text[] = "a\n\nbc";
	const char *end = text + strlen(text);
	assert_ptr_equal(text_line(text, 5, 0), text);
	assert_ptr_equal(text_line(text, 5, 1), text + 2);
	assert_ptr_equal(text_line(text, 5, 2), text + 3);
	assert_ptr_equal(text_line(text, 5, 3), end);
	assert_ptr_equal(text_line(text, 5, 9), end);
	assert_ptr_equal(text_line(text, 2, 1), text + 2);
	assert_ptr_equal(text_line(text, 0, 1), text);
}

static void a_part_of_a_text_begins_and_ends(void **state)
{
	(void)state;
	assert_true(text_n_starts_with("abc", 3, "ab"));
	assert_true(text_n_starts_with("abc", 2, "ab"));
	assert_false(text_n_starts_with("abc", 1, "ab"));
	assert_false(text_n_starts_with("bab", 3, "ab"));
	assert_true(text_n_starts_with("abc", 0, ""));
	assert_true(text_n_ends_with("abcd", 3, "bc"));
	assert_false(text_n_ends_with("abcd", 4, "bc"));
	assert_false(text_n_ends_with("bc", 1, "bc"));
	assert_true(text_n_ends_with("bc", 0, ""));
}

static void a_text_is_read_line_by_line(void **state)
{
	(void)state;
	static const char text[] = "a\n\nbc\n";
	const char *at = text;
	size_t n;
	for (int last = 0; last <= 1; last++) { /* with a newline at the end, and without */
		const char *end = text + strlen(text) - (size_t)last;
		at = text;
		assert_ptr_equal(text_next_line(&at, end, &n), text);
		assert_int_equal(n, 1);
		assert_ptr_equal(text_next_line(&at, end, &n), text + 2);
		assert_int_equal(n, 0);
		assert_ptr_equal(text_next_line(&at, end, &n), text + 3);
		assert_int_equal(n, 2);
		assert_null(text_next_line(&at, end, &n));
	}
	at = text;
	assert_null(text_next_line(&at, text, &n));
}

UNIT(strbuf)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_found_by_their_numbers),
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(keeps_head_and_tail_beyond_its_limit),
		cmocka_unit_test(no_half_character_stands_beside_the_mark),
		cmocka_unit_test(cuts_the_same_however_it_is_fed),
		cmocka_unit_test(a_shortened_head_begins_anew),
		cmocka_unit_test(a_shortened_tail_keeps_what_was_cut),
		cmocka_unit_test(white_space_after_a_cut_is_removed_and_the_cut_is_not),
		cmocka_unit_test(hands_its_text_over),
		cmocka_unit_test(addresses_are_left_out),
		cmocka_unit_test(knows_what_somebody_meant),
		cmocka_unit_test(a_word_stands_by_itself),
		cmocka_unit_test(a_part_of_a_text_begins_and_ends),
		cmocka_unit_test(a_text_is_read_line_by_line),
	};
	return RUN_TESTS(tests);
}
