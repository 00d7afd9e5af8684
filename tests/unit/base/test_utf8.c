#include "tests/unit/unit.h"

#include <locale.h>

#include "base/memory.h"
#include "base/utf8.h"

static void knows_valid_text(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t n, valid;
	} cases[] = {
		{"abc", 3, 3},
		{"\xc3\xa9", 2, 2},
		{"\xf0\x9f\x98\x80", 4, 4},
		{"a\0b", 3, 1},
		{"\xc0\x80", 2, 0},
		{"\xed\xa0\x80", 3, 0},
		{"\xf4\x90\x80\x80", 4, 0},
		{"x\xe2\x82", 3, 1},
		{"\xe0\x80\xaf", 3, 0},
		{"\x80", 1, 0},
		{"", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(utf8_valid_length(cases[i].bytes, cases[i].n), cases[i].valid);
}

static void scrubs_every_byte_string_to_valid_text(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 256; a++)
		for (unsigned b = 0; b < 256; b++) {
			char bytes[] = {(char)a, (char)b, 'x'};
			AUTO_STRBUF sb = STRBUF_INIT(64);
			utf8_scrub(&sb, bytes, sizeof bytes);
			assert_int_equal(utf8_valid_length(sb.text, sb.length), sb.length);
			assert_int_equal(sb.text[sb.length - 1], 'x');
		}
}

static void tells_an_unfinished_character_from_a_wrong_one(void **state)
{
	(void)state;
	assert_int_equal(utf8_unfinished("a\xc3", 2), 1);
	assert_int_equal(utf8_unfinished("\xf0\x9f\x98", 3), 3);
	assert_int_equal(utf8_unfinished("\xc3\xa9", 2), 0);
	assert_int_equal(utf8_unfinished("a\xff", 2), 0);
	assert_int_equal(utf8_unfinished("\x80\x80\x80\x80", 4), 0);
}

static void formats_without_cutting_a_character(void **state)
{
	(void)state;
	static const struct {
		const char *text, *field;
	} cases[] = {{"1234567", "1234567"}, {"12345678", "1234..."},
		{"123\xc3\xa9"
		 "5678",
			"123..."},
		{"12\xc3\xa9"
		 "56789",
			"12\xc3\xa9..."}};
	char field[8];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		utf8_format(field, sizeof field, "%s", cases[i].text);
		assert_string_equal(field, cases[i].field);
	}
}

/* Names of branches and files are any bytes, and stand in errors. */
static void formats_bytes_as_text(void **state)
{
	(void)state;
	char field[64], small[8];
	utf8_format(field, sizeof field, "cannot read '%s'", "refs/h7\267\322d");
	assert_string_equal(field,
		"cannot read 'refs/h7\xef\xbf\xbd\xef\xbf\xbd"
		"d'");
	utf8_format(small, sizeof small, "%s", "ab\xff\xff");
	assert_string_equal(small, "ab...");
}

static void shows_what_would_steer_a_terminal(void **state)
{
	(void)state;
	AUTO_STRBUF sb = STRBUF_INIT(1000);
	utf8_show(&sb,
		"a\033]52;c;x\007\tb\r\n\xe2\x80\xae"
		"c\xc2\x9b"
		"d\xff");
	assert_string_equal(sb.text, "a\\e]52;c;x\\x07\tb\\r\n<U+202E>c<U+009B>d\xef\xbf\xbd");
}

static void cuts_no_character_in_two(void **state)
{
	(void)state;
	static const char text[] = "\xc3\xa9\xe6\xbc\xa2x"; /* one column, two, one */
	static const size_t fitting[] = {0, 2, 2, 5, 6, 6};
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t columns = 0; columns < sizeof fitting / sizeof *fitting; columns++)
		assert_int_equal(utf8_fitting(text, columns), fitting[columns]);
	static const struct {
		const char *text, *cut;
		size_t most;
	} cases[] = {{"12345", "12345", 5}, {"123456", "1...6", 5}, {"1234567", "1...", 4},
		{"1\xc3\xa9"
		 "3456789",
			"1...89", 6},
		{"123456\xc3\xa9", "1...", 5}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_string_equal(utf8_cut_middle(&arena, cases[i].text, cases[i].most), cases[i].cut);
	}
	setlocale(LC_CTYPE, "C");
}

/* Replies of models are folded line by line: the rest of the text must cost nothing. */
static void what_fits_is_found_without_the_rest(void **state)
{
	(void)state;
	enum { SIZE = 4 << 20, TIMES = 100000 };
	AUTO_FREE char *text = malloc(SIZE + 1);
	assert_non_null(text);
	memset(text, 'x', SIZE);
	text[SIZE] = '\0';
	for (size_t i = 0; i < TIMES; i++)
		assert_int_equal(utf8_fitting(text, 80), 80);
}

static void latin1_goes_to_text_and_back(void **state)
{
	(void)state;
	char bytes[255];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i + 1);
	AUTO_STRBUF text = STRBUF_INIT(1000);
	AUTO_STRBUF back = STRBUF_INIT(1000);
	utf8_from_latin1(&text, bytes, sizeof bytes);
	assert_int_equal(text.length, 127 + 2 * 128);
	assert_int_equal(utf8_valid_length(text.text, text.length), text.length);
	assert_int_equal(utf8_characters(text.text, text.length), sizeof bytes);
	assert_int_equal(utf8_to_latin1(&back, text.text, text.length), text.length);
	assert_int_equal(back.length, sizeof bytes);
	assert_memory_equal(back.text, bytes, sizeof bytes);
	strbuf_reset(&back);
	assert_int_equal(utf8_to_latin1(&back, "a\xc3\xa9\xe2\x82\xac", 6), 3);
	assert_string_equal(back.text, "a\xe9");
}

UNIT(utf8)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_valid_text),
		cmocka_unit_test(scrubs_every_byte_string_to_valid_text),
		cmocka_unit_test(tells_an_unfinished_character_from_a_wrong_one),
		cmocka_unit_test(formats_without_cutting_a_character),
		cmocka_unit_test(formats_bytes_as_text),
		cmocka_unit_test(shows_what_would_steer_a_terminal),
		cmocka_unit_test(cuts_no_character_in_two),
		cmocka_unit_test(what_fits_is_found_without_the_rest),
		cmocka_unit_test(latin1_goes_to_text_and_back),
	};
	return RUN_TESTS(tests);
}
