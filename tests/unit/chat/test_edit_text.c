/* Edits as models write them: each form, and what is refused. */
#include "tests/unit/edit_text_fixture.h"

#include "base/clock.h"
#include "chat/edit_form.h"

static void a_reply_without_edits_is_no_error(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "All is well.", "Try this:\n```sh\npytest -q\n```\n",
		"In `cart/pricing.py` I see:\n"
		"```python\n"
		"return 0\n"
		"```\n",
		"It ends so:\n\n"
		"```\n"
		"FAILED 3.5\n"
		"```\n"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct edit_reading reading = read_reply(texts[i]);
		assert_null(reading.problem);
		assert_int_equal(reading.edit.n, 0);
	}
}

static void a_program_may_name_its_file(void **state)
{
	(void)state;
	assert_string_equal(applied("```python\n"
								"# filename: new/a.py\n"
								"x = 1\n"
								"```\n",
							"new/a.py"),
		"x = 1\n");
	assert_string_equal(applied("```sh\n"
								"#!/bin/sh\n"
								"# filename: run.sh\n"
								"ls\n"
								"```\n",
							"run.sh"),
		"#!/bin/sh\n"
		"ls\n");
}

static void a_whole_file_has_its_path_before_the_fence_or_in_it(void **state)
{
	(void)state;
	static const char *const leads[] = {"a/b.py\n"
										"```python\n",
		"`a/b.py`\n\n"
		"```python\n",
		"**a/b.py**:\n"
		"```\n",
		"### `a/b.py`\n"
		"```python\n",
		"File: a/b.py\n"
		"```py\n",
		"1. **`a/b.py`**\n\n"
		"```python\n",
		"```python a/b.py\n", "```python:a/b.py\n", "```python title=\"a/b.py\"\n", "```a/b.py\n",
		"a/b.py (new)\n"
		"```\n",
		"text\n\n"
		"./a/b.py\n"
		"```python\n"};
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		assert_string_equal(applied(arena_printf(&arena,
										"Here:\n\n"
										"%sx = 1\n"
										"```\n",
										leads[i]),
								"a/b.py"),
			"x = 1\n");
	assert_string_equal(applied("pkg/__init__.py\n"
								"```python\n"
								"x = 1\n"
								"```",
							"pkg/__init__.py"),
		"x = 1\n");
}

static void a_whole_file_keeps_line_ends_and_a_missing_last_one(void **state)
{
	(void)state;
	assert_string_equal(applied("Makefile\n"
								"```make\n"
								"check:\n"
								"\tpytest\n"
								"```\n",
							"Makefile"),
		"check:\n"
		"\tpytest");
	assert_string_equal(applied("dos.txt\n```\n1\n2\n```\n", "dos.txt"), "1\r\n2\r\n");
}

static void search_and_replace_change_lines(void **state)
{
	(void)state;
	static const char block[] = SEARCH("        return 20\n", "        return 25\n");
	const char *expected = pricing("return 20", "return 25");
	static const char *const frames[][2] = {{"cart/pricing.py\n```python\n", "```\n"},
		{"```python cart/pricing.py\n", "```"}, {"```\ncart/pricing.py\n", "```"}};
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		assert_string_equal(
			applied(arena_printf(&arena, "%s%s%s", frames[i][0], block, frames[i][1]),
				"cart/pricing.py"),
			expected);
}

static void a_sentence_may_name_the_file_of_a_block(void **state)
{
	(void)state;
	static const char block[] = SEARCH("        return 20\n", "        return 25\n");
	static const char *const leads[] = {"This mends `cart/pricing.py`:",
		"In cart/pricing.py, again cart/pricing.py.", "(**cart/pricing.py**)"};
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		assert_string_equal(applied(arena_printf(&arena,
										"%s\n"
										"```\n"
										"%s```\n",
										leads[i], block),
								"cart/pricing.py"),
			pricing("return 20", "return 25"));
	assert_non_null(read_reply(arena_printf(&arena,
								   "Not dos.txt but cart/pricing.py:\n"
								   "```\n"
								   "%s```\n",
								   block))
						.problem);
	assert_null(read_reply("In cart/pricing.py I see:\n```python\nreturn 0\n```\n").problem);
}

static void several_blocks_are_carried_out_in_order(void **state)
{
	(void)state;
	const char *markdown =
		"cart/pricing.py\n"
		"```python\n" SEARCH("        return 10\n", "        return 11\n")
			SEARCH("        return 11\n", "        return 12\n") "```\n"
																 "and\n"
																 "```python cart/a.py\n"
																 "y\n"
																 "```\n";
	assert_string_equal(applied(markdown, "cart/pricing.py"), pricing("return 10", "return 12"));
	struct edit_reading reading = read_reply(markdown);
	assert_string_equal(reading.edit.description, "cart/pricing.py (2 places), cart/a.py (new)");
	assert_int_equal(reading.edit.files[0].n, 1);
	assert_string_equal(reading.edit.files[0].splices[0].text, "        return 12\n");
}

static void an_empty_search_makes_a_file(void **state)
{
	(void)state;
	assert_string_equal(applied("n.py\n```python\n" SEARCH("", "x\n") "```\n", "n.py"), "x\n");
	assert_string_equal(applied("cart/__init__.py\n"
								"```python\n" SEARCH("\n", "x\n") "```\n",
							"cart/__init__.py"),
		"x\n");
	expect_problem("cart/pricing.py\n```python\n" SEARCH("", "x\n") "```\n",
		"- block 1, search 1, cart/pricing.py: nothing is said of where to put it, and the file is "
		"there already: "
		"quote the lines that stand around it\n");
}

static void a_diff_is_found_by_its_text(void **state)
{
	(void)state;
	const char *expected = pricing("return 20", "return 25");
	static const char hunk[] = "@@ -99,3 +1,3 @@ def surcharge\n"
							   " def surcharge(price):\n"
							   "     if price > 100:\n"
							   "-        return 20\n+        return 25\n     return 0\n";
	static const char *const heads[] = {"```diff\n--- a/cart/pricing.py\n+++ b/cart/pricing.py\n",
		"```patch\n"
		"diff --git a/x b/x\n"
		"index 1..2 100644\n"
		"--- a/cart/pricing.py\t2026\n"
		"+++ b/cart/pricing.py\n",
		"```\n--- cart/pricing.py\n+++ cart/pricing.py\n", "cart/pricing.py\n```diff\n"};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		assert_string_equal(
			applied(arena_printf(&arena, "%s%s```\n", heads[i], hunk), "cart/pricing.py"),
			expected);
}

static void a_diff_makes_and_removes_files(void **state)
{
	(void)state;
	const char *markdown = "```diff\n"
						   "--- /dev/null\n"
						   "+++ b/new.py\n"
						   "@@ -0,0 +1,2 @@\n"
						   "+a = 1\n"
						   "+b = 2\n"
						   "--- a/Makefile\n"
						   "+++ /dev/null\n@@ -1 +0,0 @@\n-check:\n```\n";
	assert_string_equal(applied(markdown, "new.py"), "a = 1\nb = 2\n");
	struct edit_reading reading = read_reply(markdown);
	assert_string_equal(reading.edit.description, "new.py (new), Makefile (removed)");
	assert_true(reading.edit.files[1].remove);
}

static void all_of_a_reply_is_applied_or_nothing(void **state)
{
	(void)state;
	expect_problem("new.py\n"
				   "```python\n"
				   "x = 1\n"
				   "```\n"
				   "Makefile\n"
				   "```\n" SEARCH("zzz\n", "x\n")
					   SEARCH("yyy\n", "x\n") "```\n"
											  "nosuch.py\n```\n" SEARCH("a\n", "b\n") "```\n",
		"- block 2, search 1, Makefile: the lines to replace are not in the file, nor any like "
		"them\n"
		"- block 3, search 1, nosuch.py: there is no such file\n");
	expect_problem("cart/prices.py\n```\n" SEARCH("a\n", "b\n") "```\n",
		"- block 1, search 1, cart/prices.py: there is no such file, did you mean "
		"'cart/pricing.py'?\n");
}

static void a_block_that_is_cut_off_is_told(void **state)
{
	(void)state;
	expect_problem("a.py\n"
				   "```python\n"
				   "x = 1\n",
		"- block 1, a.py: its closing fence or tag is missing, so its end may be missing, too\n");
	expect_problem("a.py\n```python\nx = 1\n```\n```\ny",
		"- block 2: its closing fence or tag is missing, so its end may be missing, too\n");
	expect_problem("a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n```\n",
		"- block 1, search 1, a.py: the line '>>>>>>> REPLACE' is missing; where the text itself "
		"holds ```, the fence "
		"must be longer\n");
	expect_problem("a.py\n```\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n```\n",
		"- block 1, search 1, a.py: the line '=======' is missing; where the text itself holds "
		"```, the fence "
		"must be longer\n");
}

/* What models write that were taught by other tools, each as the same edit. */
static void forms_of_other_tools_are_read(void **state)
{
	(void)state;
	static const char old[] = "        result += item.price\n", new[] = "        result += 1\n";
	static const char *const replies[] = {
		"I see.\n\ncart/pricing.py\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\nDone.",
		"cart/pricing.py\n```python\n<<<<<<< ORIGINAL\n%s=======\n%s>>>>>>> UPDATED\n```\n",
		"cart/pricing.py\n```\n------- SEARCH\n%s=======\n%s+++++++ REPLACE\n```\n",
		"<replace_in_file>\n<path>cart/pricing.py</path>\n<diff>\n------- SEARCH\n%s=======\n"
		"%s+++++++ REPLACE\n</diff>\n</replace_in_file>\n",
		"So:\n<edit>\n<path>cart/pricing.py</path>\n<search>\n%s</search>\n<replace>\n%s"
		"</replace>\n</edit>\n",
		"```xml\n<str_replace_editor>\n<path>cart/pricing.py</path>\n<old_str>\n%s</old_str>\n"
		"<new_str>\n%s</new_str>\n</str_replace_editor>\n```\n",
		"<function_calls>\n<invoke name=\"str_replace_editor\">\n"
		"<parameter name=\"command\">str_replace</parameter>\n"
		"<parameter name=\"path\">cart/pricing.py</parameter>\n"
		"<parameter name=\"old_str\">%s</parameter>\n"
		"<parameter name=\"new_str\">%s</parameter>\n</invoke>\n</function_calls>\n",
		"<function=edit_file>\n<parameter=path>cart/pricing.py</parameter>\n"
		"<parameter=old_string>\n%s</parameter>\n<parameter=new_string>\n%s</parameter>\n"
		"</function>\n",
		"<apply_diff>\n<path>cart/pricing.py</path>\n<diff>\n<<<<<<< SEARCH\n:start_line:9\n"
		"-------\n%s=======\n%s>>>>>>> REPLACE\n</diff>\n</apply_diff>\n",
		"Here it is:\n\n```markdown\nThe sum.\n\ncart/pricing.py\n```python\n<<<<<<< SEARCH\n%s"
		"=======\n%s>>>>>>> REPLACE\n```\n\nThat is all.\n```\n",
		"cart/pricing.py\n```python\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n",
		"<edit path=\"cart/pricing.py\">\n<original>\n%s</original>\n<updated>\n%s</updated>\n"
		"</edit>",
		"*** Begin Patch\n*** Update File: cart/pricing.py\n@@ def total(items):\n-%s+%s"
		"*** End Patch\n",
		"```sh\napply_patch <<'EOF'\n*** Begin Patch\n*** Update File: cart/pricing.py\n@@\n-%s+%s"
		"*** End of File\n*** End Patch\nEOF\n```\n",
		"```diff\n--- a/cart/pricing.py\n+++ b/cart/pricing.py\n@@ -1,4 +1,4 @@\n def "
		"total(items):\n"
		" ...\n     for item in items:\n-%s+%s ...\n```\n"};
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		AUTO_STRBUF reply = STRBUF_INIT(STRBUF_TEXT);
		const char *at = replies[i], *first = strstr(at, "%s"), *second = strstr(first + 2, "%s");
		strbuf_add(&reply, at, (size_t)(first - at));
		strbuf_adds(&reply, old);
		strbuf_add(&reply, first + 2, (size_t)(second - first - 2));
		strbuf_adds(&reply, new);
		strbuf_adds(&reply, second + 2);
		print_message("# form %zu\n", i);
		assert_non_null(
			strstr(applied(reply.text, "cart/pricing.py"), "items:\n        result += 1\n"));
	}
}

static void envelopes_and_tags_make_and_remove_files(void **state)
{
	(void)state;
	assert_string_equal(
		applied(
			"*** Begin Patch\n*** Add File: new.py\n+x = 1\n+\n+y = 2\n*** End Patch", "new.py"),
		"x = 1\n\ny = 2\n");
	assert_string_equal(
		applied(
			"<write_to_file>\n<path>new.py</path>\n<content>\nx = 1\n</content>\n</write_to_file>",
			"new.py"),
		"x = 1\n");
	assert_string_equal(applied("<file path=\"new.py\">\nx = 1\n</file>\n", "new.py"), "x = 1\n");
	struct edit_reading reading =
		read_reply("*** Begin Patch\n*** Delete File: Makefile\n*** End Patch\n");
	assert_int_equal(reading.edit.n, 1);
	assert_true(reading.edit.files[0].remove);
	expect_problem(
		"*** Begin Patch\n*** Update File: Makefile\n*** Move to: Other\n*** End Patch\n",
		"- block 1, Other: the patch renames 'Makefile': remove one file and write the other "
		"instead\n");
	expect_problem("<edit>\n<path>Makefile</path>\n<search>\ncheck:\n</search>\n</edit>\n",
		"- block 1, Makefile: it needs <search> and <replace>, or <content>: what is there, and "
		"what "
		"takes its place\n");
	expect_problem(
		"<invoke name=\"view\">\n<parameter name=\"path\">Makefile</parameter>\n</invoke>\n",
		"- block 1, Makefile: there are no tools to call here: write edits as you were shown, and "
		"commands in a block of `sh`\n");
	expect_problem("<edit>\n<path>Makefile</path>\n<search>\ncheck:\n",
		"- block 1: its closing fence or tag is missing, so its end may be missing, too\n");
}

/* In a fence or not, the call of a tool or a list of edits. */
static void edits_as_json_are_read(void **state)
{
	(void)state;
	static const char *const replies[] = {"{\"filename\": \"cart/pricing.py\", %s}",
		"Good.\n\n[{\"file\": \"cart/pricing.py\", %s}]\n",
		"```json\n{\"why\": \"a } there\", \"edits\": [{\"path\": \"cart/pricing.py\", "
		"%s}]}\n```\n",
		"<tool_call>\n{\"name\": \"str_replace\", \"arguments\":\n"
		"{\"path\": \"cart/pricing.py\", %s}}\n</tool_call>\n",
		"{\"path\": \"cart/pricing.py\", \"edits\": [{%s}]}"};
	static const char pair[] = "\"old_str\": \"return 20\\n\", \"new_str\": \"return 25\\n\"";
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		const char *at = strstr(replies[i], "%s");
		const char *reply =
			arena_printf(&arena, "%.*s%s%s", (int)(at - replies[i]), replies[i], pair, at + 2);
		assert_string_equal(applied(reply, "cart/pricing.py"), pricing("return 20", "return 25"));
	}
	assert_string_equal(
		applied("{\"name\": \"write\", \"arguments\": \"{\\\"path\\\": \\\"new.py\\\", "
				"\\\"content\\\": \\\"x = 1\\\"}\"}",
			"new.py"),
		"x = 1");
	expect_problem("{\"path\": \"Makefile\", \"search\": \"zzz\", \"replace\": \"y\"}",
		"- block 1, edit 1, Makefile: the lines to replace are not in the file, nor any like "
		"them\n");
}

static void other_json_is_no_edit(void **state)
{
	(void)state;
	static const char *const replies[] = {"{\"path\": \"Makefile\"}", "{ braces in prose }\n",
		"```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"Makefile\"}}\n```\n",
		"{\"path\": \"Makefile\", \"search\": \"a", "[see there]", "{}", "[]"};
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		struct edit_reading reading = read_reply(replies[i]);
		assert_null(reading.problem);
		assert_int_equal(reading.edit.n, 0);
	}
	/* With a path above it, it is a file. */
	static const char text[] = "{\"path\": \"a\", \"content\": \"b\"}\n";
	assert_string_equal(
		applied(arena_printf(&arena, "data.json\n```json\n%s```\n", text), "data.json"), text);
}

static void a_file_in_markdown_is_no_outer_fence(void **state)
{
	(void)state;
	assert_string_equal(applied("doc/a.md\n"
								"````markdown\n"
								"So:\n\n"
								"b.py\n"
								"```python\n"
								"x\n"
								"```\n"
								"````\n",
							"doc/a.md"),
		"So:\n\nb.py\n```python\nx\n```\n");
	assert_string_equal(applied("````md\n"
								"new.py\n"
								"```python\n"
								"x = 1\n"
								"```\n"
								"````\n",
							"new.py"),
		"x = 1\n");
	assert_string_equal(applied("```markdown\n"
								"new.py\n"
								"```python\n"
								"x = 1\n"
								"```\n"
								"```",
							"new.py"),
		"x = 1\n");
}

static void a_block_of_markdown_among_others_is_no_outer_fence(void **state)
{
	(void)state;
	assert_string_equal(applied("```markdown\n"
								"# What I do\n"
								"```\n\n"
								"new.py\n"
								"```python\n"
								"x = 1\n"
								"```\n",
							"new.py"),
		"x = 1\n");
}

/* Else the rest of the file would be gone. */
static void a_piece_of_a_file_is_not_the_file(void **state)
{
	(void)state;
	static const char problem[] =
		"- block 1, cart/pricing.py: the block holds only a piece of the file, and would take the "
		"place of all of it: change the piece by a search/replace block, or write the whole file\n";
	expect_problem("cart/pricing.py\n```python\ndef discount(price):\n    if price > 100:\n"
				   "        return 15\n    return 0\n```\n",
		problem);
	expect_problem("cart/pricing.py\n```python\ndef total(items):\n    result = 1\n"
				   "    for item in items:\n        result += item.price\n    return result\n```\n",
		problem);
	expect_problem("cart/pricing.py\n```python\ndef total(items):\n    return 1\n\n"
				   "# Other functions remain the same\n```\n",
		problem);
	expect_problem("Makefile\n```make\n...\n```\n",
		"- block 1, Makefile: the block holds only a piece of the file, and would take the place "
		"of "
		"all of it: change the piece by a search/replace block, or write the whole file\n");
	/* It is shorter, but ends as the file does. */
	static const char text[] = "def total(items):\n    return 1\n\n\ndef surcharge(price):\n"
							   "    return 0\n";
	assert_string_equal(
		applied(arena_printf(&arena, "cart/pricing.py\n```\n%s```\n", text), "cart/pricing.py"),
		text);
	static const char other[] = "from cart.money import discount, surcharge, total\n";
	assert_string_equal(
		applied(arena_printf(&arena, "cart/pricing.py\n```\n%s```\n", other), "cart/pricing.py"),
		other);
}

static void the_beginning_of_a_path_may_be_wrong(void **state)
{
	(void)state;
	static const char *const paths[] = {"pricing.py", "a/cart/pricing.py", "/repo/cart/pricing.py",
		"src/cart/pricing.py", "cart\\pricing.py", "../cart/pricing.py"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		assert_string_equal(
			applied(arena_printf(
						&arena, "%s\n```\n" SEARCH("return 20\n", "return 25\n") "```\n", paths[i]),
				"cart/pricing.py"),
			pricing("return 20", "return 25"));
	/* What is written as a whole may be a new file. */
	assert_string_equal(applied("pricing.py\n```\nx = 1\n```\n", "pricing.py"), "x = 1\n");
}

static void every_edit_names_its_file(void **state)
{
	(void)state;
	expect_problem("Here:\n```\n" SEARCH("a\n", "b\n") "```\n",
		"- block 1, search 1: no file is named: its path stands alone on the line before the "
		"fence\n");
	expect_problem("```diff\n-a\n+b\n```\n",
		"- block 1, hunk 1: no file is named: a diff begins with '--- a/PATH' and '+++ b/PATH'\n");
	expect_problem("Makefile\n" SEARCH("a\n", "b\n"),
		"- block 1, search 1, Makefile: the lines to replace are not in the file, nor any like "
		"them\n");
}

static void files_outside_the_tree_are_refused(void **state)
{
	(void)state;
	static const char *const paths[][2] = {
		{"/etc/x.conf", "'/etc/x.conf' is not a path below the tree"},
		{"../x.py", "'../x.py' leaves the tree"},
		{"a/../../x.py", "'a/../../x.py' leaves the tree"},
		{".git/hooks/x.sh", "'.git/hooks/x.sh' leaves the tree"}};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		expect_problem(arena_printf(&arena, "%s\n```python\nx\n```\n", paths[i][0]),
			arena_printf(&arena,
				"- block 1: %s: only files below the tree's root can be edited, and not .git\n",
				paths[i][1]));
		expect_problem(arena_printf(&arena,
						   "```diff\n"
						   "--- a/%s\n"
						   "+++ /dev/null\n"
						   "-x\n"
						   "```\n",
						   paths[i][0]),
			arena_printf(&arena,
				"- block 1: %s: only files below the tree's root can be edited, and not .git\n",
				paths[i][1]));
	}
	expect_problem("link.py\n```python\nx\n```\n",
		"- block 1, link.py: it cannot be edited: 'link.py' is a link, not a file\n");
}

static void code_that_is_left_out_is_not_written(void **state)
{
	(void)state;
	expect_problem("cart/pricing.py\n"
				   "```python\n"
				   "def total(items):\n"
				   "    return 0\n\n"
				   "# ... rest of the code ...\n"
				   "```\n",
		"- block 1, cart/pricing.py: '... rest of the code ...' stands for lines that are left "
		"out: write them, or change "
		"only what is to be changed\n");
	expect_problem("cart/pricing.py\n```python\n```\n",
		"- block 1, cart/pricing.py: the block is empty, the file is not; a diff to /dev/null "
		"removes a file\n");
	assert_string_equal(applied("a.py\n"
								"```python\n"
								"def f():\n"
								"    ...\n"
								"```\n",
							"a.py"),
		"def f():\n"
		"    ...\n");
}

static void an_edit_that_changes_nothing_is_told(void **state)
{
	(void)state;
	expect_problem("cart/pricing.py\n"
				   "```\n" SEARCH("        return 20\n", "        return 20\n") "```\n",
		"- all blocks: the files hold this text already: nothing would change\n");
	expect_problem("```diff\n--- a/Makefile\n+++ b/Makefile\n@@\n check:\n```\n",
		"- block 1, Makefile: the diff changes nothing\n");
}

/* Where the task is one file, a program in a fence is that file; a look at it is not. */
static void a_program_for_the_only_file_needs_no_path(void **state)
{
	(void)state;
	static const char program[] =
		"It adds up:\n\n```python\ndef total(items):\n    return sum(items)\n\n\n"
		"def discount(price):\n    if price > 100:\n        return 10\n    return 0\n```\n";
	assert_int_equal(read_reply(program).edit.n, 0);
	only = "cart/pricing.py";
	const char *text = applied(program, only);
	assert_true(text_starts_with(text, "def total(items):\n    return sum(items)\n"));
	assert_int_equal(
		read_reply("```python\nfrom pricing import total\nprint(total([]))\n```").edit.n, 0);
	assert_int_equal(read_reply("```sh\npython3 cart/pricing.py\n```").edit.n, 0);
	assert_non_null(
		read_reply("```python\ndef discount(price):\n    if price > 100:\n        return 10\n"
				   "    return 0\n    if price > 100:\n# ... rest of the code\n```")
			.problem);
}

/* `n` times a text, and what stands around them. */
static const char *many(const char *before, const char *text, size_t n, const char *after)
{
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_RECORD);
	strbuf_adds(&all, before);
	for (size_t i = 0; i < n; i++)
		strbuf_adds(&all, text);
	strbuf_adds(&all, after);
	return arena_strdup(&arena, all.text);
}

/* A model in a loop writes megabytes of what begins something, and ends none of it: each beginning
 * was looked for to the end of the text, for minutes. */
static void what_never_ends_is_not_read_again_and_again(void **state)
{
	(void)state;
	static const struct {
		const char *before, *text, *after;
	} rows[] = {
		{"", "[\n", "]"},
		{"", "{\n", ""},
		{"<edit>\n", "<path>", "\n</edit>\n"},
		{"<edit>\n", "<path ", "\n</edit>\n"},
		{"<edit>\n", "</edit ", "\n"},
		{"> ````\n> code\n\n", "a ``` b\n\n", ""},
		{"````\n", "```\n", ""},
	};
	int64_t start_ms = clock_now_ms();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(
			read_reply(many(rows[i].before, rows[i].text, 200000, rows[i].after)).edit.n, 0);
	assert_true(clock_now_ms() - start_ms < 60000);
}

static void json_is_found_behind_what_never_ends(void **state)
{
	(void)state;
	static const char edit[] = "{\"path\": \"a.py\", \"content\": \"print(1)\\n\"}\n";
	size_t left = 10;
	assert_null(edit_json_end(edit, &left));
	assert_int_equal(left, 0);
	assert_int_equal(read_reply(many("", "[ never\n", 200, edit)).edit.n, 1);
}

UNIT(edit_text)
{
	const struct CMUnitTest tests[] = {
		TEST(a_reply_without_edits_is_no_error),
		TEST(a_program_may_name_its_file),
		TEST(a_program_for_the_only_file_needs_no_path),
		TEST(a_whole_file_has_its_path_before_the_fence_or_in_it),
		TEST(a_whole_file_keeps_line_ends_and_a_missing_last_one),
		TEST(search_and_replace_change_lines),
		TEST(a_sentence_may_name_the_file_of_a_block),
		TEST(several_blocks_are_carried_out_in_order),
		TEST(an_empty_search_makes_a_file),
		TEST(a_diff_is_found_by_its_text),
		TEST(a_diff_makes_and_removes_files),
		TEST(all_of_a_reply_is_applied_or_nothing),
		TEST(a_block_that_is_cut_off_is_told),
		TEST(forms_of_other_tools_are_read),
		TEST(envelopes_and_tags_make_and_remove_files),
		TEST(edits_as_json_are_read),
		TEST(other_json_is_no_edit),
		TEST(a_file_in_markdown_is_no_outer_fence),
		TEST(a_block_of_markdown_among_others_is_no_outer_fence),
		TEST(a_piece_of_a_file_is_not_the_file),
		TEST(the_beginning_of_a_path_may_be_wrong),
		TEST(every_edit_names_its_file),
		TEST(files_outside_the_tree_are_refused),
		TEST(code_that_is_left_out_is_not_written),
		TEST(an_edit_that_changes_nothing_is_told),
		TEST(what_never_ends_is_not_read_again_and_again),
		TEST(json_is_found_behind_what_never_ends),
	};
	return RUN_TESTS(tests);
}
