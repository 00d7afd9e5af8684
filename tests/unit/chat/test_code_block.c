#include "tests/unit/unit.h"

#include "chat/code_block.h"

static struct arena arena;

static struct code_block *extract(const char *markdown, size_t expected)
{
	size_t n;
	struct code_block *blocks = code_blocks_extract(&arena, markdown, &n);
	assert_int_equal(n, expected);
	return blocks;
}

static void reads_fences_with_their_language(void **state)
{
	(void)state;
	struct code_block *blocks = extract("Text.\n"
										"```Python title=x\n"
										"print(1)\n\n"
										"print(2)\n"
										"```\n"
										"and\n"
										"~~~ sh \n"
										"ls\n"
										"~~~\n"
										"```\n"
										"plain\n"
										"```\n",
		3);
	assert_string_equal(blocks[0].language, "python");
	assert_string_equal(blocks[0].code, "print(1)\n\nprint(2)\n");
	assert_string_equal(blocks[1].language, "sh");
	assert_string_equal(blocks[2].language, "");
	for (int i = 0; i < 3; i++)
		assert_false(blocks[i].cut_off);
}

static void tells_the_info_string_and_the_line_before(void **state)
{
	(void)state;
	static const struct {
		const char *markdown, *info, *lead;
	} cases[] = {
		{"a.py\n```Python title=x  \nx\n```\n", "Python title=x", "a.py"},
		{"```\n```\n", "", ""},
		{"one\n\n  **two**  \n\n\n~~~ sh\n~~~\n", "sh", "**two**"},
		{"- `src/__init__.py`\n\n  ```py\n  x\n  ```\n", "py", "- `src/__init__.py`"},
		{"a `` ``` `` b\n```c\n```", "c", "a `` ``` `` b"},
		{"a.c\r\n```c\r\n```\r\n", "c", "a.c"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code_block *block = extract(cases[i].markdown, 1);
		assert_string_equal(block->info, cases[i].info);
		assert_string_equal(block->lead, cases[i].lead);
	}
	assert_string_equal(extract("a\n```\nx\n```\n```\ny\n```\n", 2)[1].lead, "```");
}

/* What is left of a text when its blocks are cut out of it. */
static void tells_where_blocks_lie(void **state)
{
	(void)state;
	static const struct {
		const char *markdown, *rest;
	} cases[] = {
		{"a\n```py\nx\n```\nb\n", "a\nb\n"},
		{"```\n```\nb", "b"},
		{"a\n~~~\n```\n~~~", "a\n"},
		{"a\r```\rx\r```\rb", "a\rb"},
		{"a\r\n"
		 "```\r\n"
		 "x\r\n"
		 "\r\n"
		 "y\r\n"
		 "```\r\n"
		 "b",
			"a\r\n"
			"b"},
		{"a\n"
		 "```py\n"
		 "x\n"
		 "y",
			"a\n"},
		{"a\n"
		 "```",
			"a\n"},
		{"- a\n\n  ```\n  x\n  ```\n- b\n", "- a\n\n- b\n"},
		{"> ```\n> x\nb\n", "b\n"},
		{"```\n"
		 "x\n"
		 "```\n\n"
		 "```\n"
		 "y\n"
		 "```\n"
		 "b `` ``` `` c",
			"\n"
			"b `` ``` `` c"},
		{"a `` ``` `` b\n"
		 "```\n"
		 "x\n"
		 "```\n",
			"a `` ``` `` b\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n, at = 0;
		const struct code_block *blocks = code_blocks_extract(&arena, cases[i].markdown, &n);
		const char *rest = "";
		assert_true(n > 0);
		for (size_t j = 0; j < n; j++) {
			rest = arena_printf(
				&arena, "%s%.*s", rest, (int)(blocks[j].offset - at), cases[i].markdown + at);
			at = blocks[j].offset + blocks[j].length;
		}
		assert_string_equal(
			arena_printf(&arena, "%s%s", rest, cases[i].markdown + at), cases[i].rest);
	}
}

/* 125: what stands in a sentence is said, not meant to be run; AG2's older way took it for code
 * where it was told to. */
static void takes_indented_code_for_text(void **state)
{
	(void)state;
	extract("Like this:\n\n    rm -rf /\n\nor `inline`.\n", 0);
	extract("Run `source setup.sh` from terminal", 0);
}

static void keeps_tabs(void **state)
{
	(void)state;
	assert_string_equal(extract("```make\n"
								"all:\n"
								"\t\t\ta\n"
								"\t\t\tb\n"
								"\t\t\tc\n"
								"\t\t\td\n"
								"```\n",
							1)[0]
							.code,
		"all:\n\t\t\ta\n\t\t\tb\n\t\t\tc\n\t\t\td\n");
	assert_string_equal(extract("- ```go\n  \tx\n  \t  y\n  ```\n", 1)[0].code, "\tx\n\t  y\n");
	assert_string_equal(extract("  ```c\n\tx\n  ```\n", 1)[0].code, "  x\n");
}

static void sees_the_end_of_a_fence_everywhere(void **state)
{
	(void)state;
	static const char *const closed[] = {
		"```sh\nls\n```",
		"- item\n\n  ```sh\n  ls\n  ```\n",
		"> ```sh\n> ls\n> ```\n",
		"1. > ```sh\n   > ls\n   > ```\n",
		"```sh\nls\n\n\n```\n",
		"````sh\n```\n````\n",
		"  ```sh\n  ls\n  ```   \n",
		"```sh\r\nls\r\n```\r\n",
		"```sh\n\n\nls\n```\ntext\n",
		"```sh\n```\n",
		"```sh\n\n\n```",
		"text\n```sh\n```\nmore",
		"- ```sh\n  ```\n",
	};
	for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
		assert_false(extract(closed[i], 1)[0].cut_off);
}

static void sees_what_was_cut_off(void **state)
{
	(void)state;
	static const char *const open[] = {
		"```sh\nls\n",
		"```sh\nls",
		"```sh",
		"```sh\n",
		"```sh\n\n\n",
		"````sh\nls\n```\n",
		"```sh\nls\n~~~\n",
		"> ```sh\n> ls\n\n```\n",
		"- ```sh\n  ls\n",
		"```sh\nls\n``` x\n",
		"```sh\nls\n    ```\n",
	};
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		assert_true(extract(open[i], i == 7 ? 2 : 1)[0].cut_off);
}

static void tells_blocks_apart(void **state)
{
	(void)state;
	struct code_block *blocks = extract("```a\nx\n```\n```b\n```\n```c\n```\n\n```d\ny\n", 4);
	assert_false(blocks[0].cut_off);
	assert_false(blocks[1].cut_off);
	assert_false(blocks[2].cut_off);
	assert_true(blocks[3].cut_off);
}

static void keeps_an_outer_fence_whole(void **state)
{
	(void)state;
	struct code_block *blocks = extract("````markdown\n```python\nx\n```\n````\n", 1);
	assert_string_equal(blocks[0].code, "```python\nx\n```\n");
}

static void reads_file_names_from_comments_that_say_so(void **state)
{
	(void)state;
	static const struct {
		const char *code, *name;
	} cases[] = {
		{"# filename: src/app/main.py\n", "src/app/main.py"},
		{"// filename: a.js\n", "a.js"},
		{"/* filename: a.css */\n", "a.css"},
		{"<!-- filename: a b.html -->\n", "a b.html"},
		{"\n\n# filename: late.py\n", "late.py"},
		{"#!/bin/sh\n# filename: x.sh\n", "x.sh"},
		{"# compute the sum\n", NULL},
		{"# test.py\n", NULL},
		{"x = 1\n"
		 "# filename: no.py\n",
			NULL},
		{"# filename:\n", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *markdown = arena_printf(&arena, "```x\n%s```\n", cases[i].code);
		struct code_block *block = extract(markdown, 1);
		if (cases[i].name)
			assert_string_equal(block->filename, cases[i].name);
		else
			assert_null(block->filename);
	}
}

static void survives_every_truncation(void **state)
{
	(void)state;
	static const char text[] = "1. a\n\n"
							   "   > ```py\n"
							   "   > # filename: x\n"
							   "   > \n"
							   "   > ```\n\n"
							   "~~~\n"
							   "```\n"
							   "~~~\n"
							   "```c\n"
							   "\xf0\x9f";
	for (size_t n = 0; n < sizeof text; n++) {
		size_t found;
		code_blocks_extract(&arena, arena_strndup(&arena, text, n), &found);
		assert_true(found <= 3);
	}
}

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

UNIT(code_block)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_fences_with_their_language),
		cmocka_unit_test(tells_the_info_string_and_the_line_before),
		cmocka_unit_test(tells_where_blocks_lie),
		cmocka_unit_test(takes_indented_code_for_text),
		cmocka_unit_test(keeps_tabs),
		cmocka_unit_test(sees_the_end_of_a_fence_everywhere),
		cmocka_unit_test(sees_what_was_cut_off),
		cmocka_unit_test(tells_blocks_apart),
		cmocka_unit_test(keeps_an_outer_fence_whole),
		cmocka_unit_test(reads_file_names_from_comments_that_say_so),
		cmocka_unit_test(survives_every_truncation),
	};
	return cmocka_run_group_tests(tests, NULL, release);
}
