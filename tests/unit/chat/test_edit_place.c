/* Where the lines of an edit stand in a file, also when they do not quite fit. */
#include "tests/unit/edit_text_fixture.h"

#include "base/utf8.h"

static void blanks_at_line_ends_do_not_matter(void **state)
{
	(void)state;
	files[0].text = "a = 1  \nb = 2\t\nc = 3\n";
	assert_string_equal(applied("cart/pricing.py\n"
								"```\n" SEARCH("a = 1\n"
											   "b = 2\n",
									"a = 1\n"
									"b = 4\n") "```\n",
							"cart/pricing.py"),
		"a = 1  \nb = 4\nc = 3\n");
	assert_string_equal(applied("dos.txt\n```\n" SEARCH("two\n", "2\n2b\n") "```\n", "dos.txt"),
		"one\r\n2\r\n2b\r\nthree\r\n");
}

static void the_replacement_moves_with_the_indentation(void **state)
{
	(void)state;
	const char *expected = pricing("    if price > 100:\n        return 20\n    return 0\n",
		"    if price > 50:\n        return 5\n\n    return 0\n");
	assert_string_equal(applied("cart/pricing.py\n```\n" SEARCH("if price > 100:\n"
																"    return 20\n"
																"return 0\n",
									"if price > 50:\n"
									"    return 5\n\n"
									"return 0\n") "```\n",
							"cart/pricing.py"),
		expected);
	assert_string_equal(
		applied("cart/pricing.py\n```\n" SEARCH(
					"      if price > 100:\n          return 20\n      return 0\n",
					"      if price > 50:\n          return 5\n\n      return 0\n") "```\n",
			"cart/pricing.py"),
		expected);
}

static void a_replacement_that_cannot_move_is_refused(void **state)
{
	(void)state;
	struct edit_reading reading = read_reply("cart/pricing.py\n```\n" SEARCH(
		"          if price > 100:\n              return 20\n", "x = 1\n") "```\n");
	assert_non_null(strstr(reading.problem, "not in the file"));
}

static void wrong_lines_around_the_change_are_left_out(void **state)
{
	(void)state;
	assert_string_equal(applied("```diff\n"
								"--- a/cart/pricing.py\n"
								"+++ b/cart/pricing.py\n"
								"@@\n"
								" def wrong(price):\n"
								"     if price > 100:\n"
								"-        return 20\n"
								"+        return 25\n"
								"     return 0\n"
								"```\n",
							"cart/pricing.py"),
		pricing("return 20", "return 25"));
	/* What is added between lines of which only one is right goes where that one is. */
	assert_string_equal(applied("```diff\n--- a/cart/pricing.py\n+++ b/cart/pricing.py\n@@\n"
								"         return 20\n+    x = 1\n     return 1\n```\n",
							"cart/pricing.py"),
		pricing("return 20\n", "return 20\n    x = 1\n"));
	files[0].text = "a\n}\nb\n";
	struct edit_reading reading = read_reply("```diff\n"
											 "--- a/cart/pricing.py\n"
											 "+++ b/cart/pricing.py\n"
											 "@@\n"
											 " z\n"
											 " }\n"
											 "+x\n"
											 " y\n"
											 "```\n");
	assert_non_null(reading.problem);
}

static void nothing_is_done_where_two_places_fit(void **state)
{
	(void)state;
	expect_problem("cart/pricing.py\n"
				   "```\n" SEARCH("    if price > 100:\n", "    if price >= 100:\n") "```\n",
		"- block 1, search 1, cart/pricing.py: the lines to replace fit more than one place, at "
		"lines 9 and 15: add "
		"lines around them that tell which\n");
	/* The line above fits here, the line below there. */
	files[0].text = "a1\nsame\nb1\na2\nsame\nb2\n";
	expect_problem("cart/pricing.py\n```\n" SEARCH("a1\nsame\nb2\n", "a1\nother\nb2\n") "```\n",
		"- block 1, search 1, cart/pricing.py: the lines to replace fit more than one place, at "
		"lines 2 and 5: add "
		"lines around them that tell which\n");
}

static void what_does_not_fit_is_answered_with_the_nearest_lines(void **state)
{
	(void)state;
	expect_problem("cart/pricing.py\n"
				   "```python\n" SEARCH("    if price >= 100:\n"
										"        return 19\n",
					   "x\n") "```\n",
		"- block 1, search 1, cart/pricing.py: the lines to replace are not in the file. The "
		"nearest are lines 7 to 12 "
		"(the text begins after '| '):\n\n"
		"    7 | \n"
		"    8 | def discount(price):\n"
		"    9 |     if price > 100:\n"
		"    10 |         return 10\n    11 |     return 0\n    12 | \n");
	expect_problem("Makefile\n```\n" SEARCH("zzz\n", "x\n") "```\n",
		"- block 1, search 1, Makefile: the lines to replace are not in the file, nor any like "
		"them\n");
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 200; i++)
		strbuf_adds(&text, "\xc3\xa9");
	files[0].text = text.text;
	const char *reply = arena_printf(&arena,
		"cart/pricing.py\n"
		"```\n"
		"<<<<<<< SEARCH\n"
		"%sx\n"
		"=======\n"
		">>>>>>> REPLACE\n"
		"```\n",
		text.text);
	const char *problem = read_reply(reply).problem;
	assert_int_equal(utf8_valid_length(problem, strlen(problem)), strlen(problem));
	assert_non_null(strstr(problem, "\xc3\xa9 ...\n"));
}

static void a_missing_last_line_end_stays_so(void **state)
{
	(void)state;
	assert_string_equal(applied("Makefile\n"
								"```\n" SEARCH("\tpytest -q\n",
									"\tpytest -q\n"
									"\techo\n") "```\n",
							"Makefile"),
		"check:\n\tpytest -q\n\techo");
	assert_string_equal(applied("Makefile\n"
								"```\n" SEARCH("\tpytest -q\n", "") "```\n",
							"Makefile"),
		"check:");
}

static void splices_keep_to_lines(void **state)
{
	(void)state;
	struct edit_reading reading = read_reply("dos.txt\n```\none\ntwo\ntwo\nthree\n```\n");
	assert_null(reading.problem);
	const struct splice *splice = &reading.edit.files[0].splices[0];
	assert_string_equal(splice->text, "two\r\n");
	assert_int_equal(splice->length, 0);
	assert_string_equal(applied("Makefile\n"
								"```\n" SEARCH("check:\n",
									"all:\n"
									"check:\n") "```\n",
							"Makefile"),
		"all:\ncheck:\n\tpytest -q");
}

/* Each indentation of a block stands for one of the file. */
static void tabs_and_blanks_are_told_apart_by_the_file(void **state)
{
	(void)state;
	files[0].text = "\tif a {\n\t\tb()\n\t}\n";
	assert_string_equal(applied("cart/pricing.py\n```\n" SEARCH("    if a {\n        b()\n    }\n",
									"    if a {\n        c()\n    }\n") "```\n",
							"cart/pricing.py"),
		"\tif a {\n\t\tc()\n\t}\n");
	/* The first line has lost its own. */
	assert_string_equal(applied("cart/pricing.py\n```\n" SEARCH(
									"if a {\n\t\tb()\n\t}\n", "if c {\n\t\tb()\n\t}\n") "```\n",
							"cart/pricing.py"),
		"\tif c {\n\t\tb()\n\t}\n");
	/* Nobody knows what a further indentation would be. */
	assert_non_null(read_reply("cart/pricing.py\n```\n" SEARCH("    if a {\n        b()\n    }\n",
								   "    if a {\n            b()\n    }\n") "```\n")
						.problem);
	/* The same indentation cannot be two. */
	assert_non_null(
		read_reply("cart/pricing.py\n```\n" SEARCH("if a {\nb()\n}\n", "x\n") "```\n").problem);
}

static void what_is_indented_rightly_is_not_moved(void **state)
{
	(void)state;
	assert_string_equal(applied("cart/pricing.py\n```\n" SEARCH("if price > 100:\n    return 20\n",
									"    if price > 50:\n        return 20\n") "```\n",
							"cart/pricing.py"),
		pricing(
			"    if price > 100:\n        return 20\n", "    if price > 50:\n        return 20\n"));
}

static void quotes_and_blanks_may_be_retyped(void **state)
{
	(void)state;
	files[0].text = "def f(a,b):\n    print('a - b', a)\n    return a\n";
	static const char *const lines[] = {"    print(\"a - b\", a)\n",
		"    print(\xe2\x80\x98"
		"a \xe2\x80\x93 b\xe2\x80\x99, a)\n",
		"    print( 'a - b',a )\n", "    print('a\xc2\xa0- b', a)\n"};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(
			applied(arena_printf(&arena,
						"cart/pricing.py\n```\n<<<<<<< SEARCH\ndef f(a, b):\n%s"
						"=======\ndef f(a, b):\n    print(\xe2\x80\x9c+\xe2\x80\x9d)\n"
						">>>>>>> REPLACE\n```\n",
						lines[i]),
				"cart/pricing.py"),
			"def f(a,b):\n    print(\"+\")\n    return a\n");
	/* Two lines that differ in their quotes alone are two places. */
	files[0].text = "x('a')\nx(\"a\")\n";
	assert_non_null(read_reply("cart/pricing.py\n```\n" SEARCH("x(\xe2\x80\x98"
															   "a\xe2\x80\x99)\n",
								   "y()\n") "```\n")
						.problem);
}

static void a_part_of_a_line_is_found_where_it_stands_once(void **state)
{
	(void)state;
	assert_string_equal(
		applied("cart/pricing.py\n```\n" SEARCH("+= item.price\n", "+= 2 * item.price\n") "```\n",
			"cart/pricing.py"),
		pricing("+= item.price", "+= 2 * item.price"));
	static const char *const parts[] = {
		"price > 100\n", "sult += item\n", "+= item.pri\n", "item\n"};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		assert_non_null(read_reply(arena_printf(&arena,
									   "cart/pricing.py\n```\n<<<<<<< SEARCH\n%s=======\nx\n"
									   ">>>>>>> REPLACE\n```\n",
									   parts[i]))
							.problem);
}

static void numbers_and_entities_are_no_text(void **state)
{
	(void)state;
	static const char *const blocks[][2] = {
		{"15 |     if price > 100:\n16 |         return 20\n",
			"15 |     if price > 50:\n16 |         return 20\n"},
		{"  15\t    if price > 100:\n  16\t        return 20\n",
			"    if price > 50:\n        return 20\n"},
		{"    if price &gt; 100:\n        return 20\n",
			"    if price &gt; 50:\n        return 20\n"}};
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++)
		assert_string_equal(applied(arena_printf(&arena,
										"cart/pricing.py\n```\n<<<<<<< SEARCH\n%s=======\n%s"
										">>>>>>> REPLACE\n```\n",
										blocks[i][0], blocks[i][1]),
								"cart/pricing.py"),
			pricing("    if price > 100:\n        return 20\n",
				"    if price > 50:\n        return 20\n"));
	/* A file may have them. */
	files[0].text = "1 | a &lt; b\n";
	assert_string_equal(
		applied("cart/pricing.py\n```\n" SEARCH("1 | a &lt; b\n", "2 | a &gt; b\n") "```\n",
			"cart/pricing.py"),
		"2 | a &gt; b\n");
}

UNIT(edit_place)
{
	const struct CMUnitTest tests[] = {
		TEST(blanks_at_line_ends_do_not_matter),
		TEST(the_replacement_moves_with_the_indentation),
		TEST(a_replacement_that_cannot_move_is_refused),
		TEST(wrong_lines_around_the_change_are_left_out),
		TEST(nothing_is_done_where_two_places_fit),
		TEST(what_does_not_fit_is_answered_with_the_nearest_lines),
		TEST(a_missing_last_line_end_stays_so),
		TEST(splices_keep_to_lines),
		TEST(tabs_and_blanks_are_told_apart_by_the_file),
		TEST(what_is_indented_rightly_is_not_moved),
		TEST(quotes_and_blanks_may_be_retyped),
		TEST(a_part_of_a_line_is_found_where_it_stands_once),
		TEST(numbers_and_entities_are_no_text),
	};
	return RUN_TESTS(tests);
}
