/* Code blocks: what runs them, what is kept, what is answered; what they may do. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "executors/block_language.h"
#include "executors/functions.h"
#include "tests/unit/executor_fixture.h"

static struct code_block block(const char *language, const char *code)
{
	return (struct code_block){.language = language, .info = "", .lead = "", .code = code};
}

static void code_blocks_run_in_order_and_stop_at_a_failure(void **state)
{
	struct fixture *fixture = *state;
	static const struct code_block blocks[] = {
		{.language = "sh", .code = "# filename: dir/a.sh\necho one\n", .filename = "dir/a.sh"},
		{.language = "python", .code = "print('two'); raise SystemExit(3)\n"},
		{.language = "sh", .code = "echo never\n"},
	};
	run_blocks(fixture, blocks, 3);
	assert_string_equal(fixture->result.output, "one\ntwo\n");
	assert_int_equal(fixture->result.exit_code, 3);
	assert_int_equal(fixture->result.n_files, 1);
	assert_true(file_exists(at(&fixture->arena, "tree/dir/a.sh")));
}

static void what_a_signal_ends_is_told(void **state)
{
	struct fixture *fixture = *state;
	struct code_block by_signal = block("python",
		"import os, signal\n"
		"print('one', flush=True)\n"
		"os.kill(os.getpid(), signal.SIGSEGV)\n");
	struct code_block by_number = block("sh", "exit 139\n");
	run_blocks(fixture, &by_signal, 1);
	assert_string_equal(fixture->result.output, "one\n\nkilled by SIGSEGV");
	assert_int_equal(fixture->result.exit_code, 139);
	run_blocks(fixture, &by_number, 1);
	assert_string_equal(fixture->result.output, "");
}

static void code_blocks_that_cannot_be_run_are_answered(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		struct code_block block;
		const char *answer;
	} cases[] = {
		{{.language = "cobol", .code = "x"},
			"unknown language 'cobol'; known: python, sh, bash, javascript, typescript, c, cpp, "
			"go, ruby, perl, php, lua, java, rust, powershell\n"},
		{{.language = "sh", .code = "echo x", .cut_off = true},
			"This block was cut off: its closing fence is missing. It was not run.\n"},
		{{.language = "sh", .code = "echo x\n", .filename = "../x"}, "'../x' leaves the tree\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run_blocks(fixture, &cases[i].block, 1);
		assert_string_equal(fixture->result.output, cases[i].answer);
		assert_int_equal(fixture->result.exit_code, 1);
	}
}

static void languages_are_added_and_restricted(void **state)
{
	struct fixture *fixture = *state;
	const char *allow[] = {"python", "count"}, *names[] = {"count"}, *commands[] = {"wc -l <"};
	struct executor_settings settings = {
		.network = "none", .rules = {.allow = {allow, 2}}, .languages = {names, commands, 1}};
	static const struct {
		struct code_block block;
		const char *answer;
	} cases[] = {
		{{.language = "count", .code = "a\nb\n"}, "2\n"},
		{{.language = "py", .code = "print(1)\n"}, "1\n"},
		{{.language = "sh", .code = "echo no\n"},
			"language 'sh' may not run here; allowed: python, count\n"},
		{{.language = "cobol", .code = "x"}, "unknown language 'cobol'; allowed: python, count\n"},
	};
	fixture->executor->settings = &settings;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run_blocks(fixture, &cases[i].block, 1);
		assert_string_equal(fixture->result.output, cases[i].answer);
	}
}

static void code_blocks_never_write_through_a_planted_link(void **state)
{
	struct fixture *fixture = *state;
	put("canary", "alive");
	assert_int_equal(
		symlink(at(&fixture->arena, "canary"), at(&fixture->arena, "tree/planted.sh")), 0);
	assert_int_equal(symlink(top, at(&fixture->arena, "tree/way-out")), 0);
	static const struct code_block blocks[] = {
		{.language = "sh", .code = "echo in tree\n", .filename = "planted.sh"},
		{.language = "sh", .code = "echo outside\n", .filename = "way-out/canary"},
	};
	run_blocks(fixture, blocks, 2);
	assert_true(text_starts_with(fixture->result.output, "in tree\ncannot write 'way-out/canary'"));
	assert_content(fixture, "canary", "alive");
}

/* The file that a block becomes lies beside the tree's, so that it finds them, and goes. */
static void blocks_find_what_lies_in_the_tree(void **state)
{
	struct fixture *fixture = *state;
	put("tree/near.py", "VALUE = 5\n");
	put("tree/near.js", "exports.value = 6;\n");
	const struct code_block blocks[] = {block("python", "import near; print(near.VALUE)\n"),
		block("javascript", "console.log(require('./near').value)\n")};
	run_blocks(fixture, blocks, 2);
	assert_string_equal(fixture->result.output, "5\n6\n");
	assert_int_equal(fixture->result.n_programs, 2);
	assert_true(text_ends_with(fixture->result.programs[0], "/python3"));
	assert_int_equal(run_line(fixture, "ls -A | grep -c tmp_code"), 1);
	assert_string_equal(fixture->output.text, "0\n");
}

/* Go's own packages are kept once they were compiled, which takes ten seconds. */
static const char *const *with_kept_go_cache(struct arena *arena)
{
	const char **env = arena_alloc(arena, 2 * sizeof *env), *cache = getenv("XDG_CACHE_HOME");
	env[0] = cache && *cache
		? arena_printf(arena, "GOCACHE=%s/rondo-tests/go", cache)
		: arena_printf(arena, "GOCACHE=%s/.cache/rondo-tests/go", getenv("HOME"));
	return env;
}

/* One program for each language that this machine has; the others are answered. */
static void each_language_runs_or_says_what_is_missing(void **state)
{
	struct fixture *fixture = *state;
	static const char *const programs[][3] = {
		{"c", "cc", "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n"},
		{"c++", "c++", "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n"},
		{"perl", "perl", "print \"hello\\n\";\n"},
		{"ruby", "ruby", "puts 'hello'\n"},
		{"php", "php", "<?php echo \"hello\\n\";\n"},
		{"lua", "lua", "print('hello')\n"},
		{"java", "java",
			"class Hello { public static void main(String[] a) { System.out.println(\"hello\"); } "
			"}\n"},
		{"rust", "rustc", "fn main() { println!(\"hello\"); }\n"},
		{"go", "go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hello\") }\n"},
		{"pwsh", "pwsh", "Write-Output hello\n"},
	};
	fixture->env = with_kept_go_cache(&fixture->arena);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const struct code_block one = block(programs[i][0], programs[i][2]);
		const char *line =
			arena_printf(&fixture->arena, "command -v %s >/dev/null", programs[i][1]);
		bool is_there = run_line(fixture, line) == 0;
		run_blocks(fixture, &one, 1);
		assert_string_equal(fixture->result.output,
			is_there
				? "hello\n"
				: arena_printf(&fixture->arena, "language '%s' cannot run here: there is no %s\n",
					  programs[i][0], programs[i][1]));
	}
}

static void what_is_no_program_is_saved_where_it_names_a_file(void **state)
{
	struct fixture *fixture = *state;
	struct code_block page = block("html", "<!-- filename: page.html -->\n<p>\n");
	assert_false(executor_takes(fixture->executor, &page));
	page.filename = "page.html";
	assert_true(executor_takes(fixture->executor, &page));
	run_blocks(fixture, &page, 1);
	assert_string_equal(fixture->result.output, "Code saved to page.html\n");
	assert_string_equal(fixture->result.files[0], "page.html");
	const struct code_block diff = block("diff", "--- a\n"),
							unknown = block("cobol", "STOP RUN.\n"),
							output = block("", "5 passed\n");
	assert_false(executor_takes(fixture->executor, &diff));
	assert_true(executor_takes(fixture->executor, &unknown));
	assert_false(executor_takes(fixture->executor, &output));
}

static void a_policy_says_whether_a_language_runs(void **state)
{
	struct fixture *fixture = *state;
	const char *names[] = {"py", "sh"}, *words[] = {"save", "ignore"};
	struct executor_settings settings = {.network = "none", .policies = {names, words, 2}};
	fixture->executor->settings = &settings;
	struct code_block blocks[] = {
		block("python", "print(1)\n"), block("sh", "echo 2\n"), block("perl", "print 3;")};
	blocks[0].filename = "kept.py";
	run_blocks(fixture, blocks, 3);
	assert_string_equal(fixture->result.output, "Code saved to kept.py\n3");
	assert_true(file_exists(at(&fixture->arena, "tree/kept.py")));
}

static void untagged_code_is_guessed_by_a_rule(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *code, *filename, *language;
	} cases[] = {{"print('x')\n", NULL, "python"},
		{"#!/usr/bin/env python3\n"
		 "x\n",
			NULL, "python"},
		{"#!/bin/bash\n"
		 "x\n",
			NULL, "bash"},
		{"#!/bin/sh\n"
		 "x\n",
			NULL, "sh"},
		{"// filename: a.js\n"
		 "x\n",
			"a.js", "javascript"},
		{"pip install x\n", NULL, "sh"},
		{"\n"
		 "ls -la /tmp\n",
			NULL, "sh"},
		{"x = 1\n"
		 "if x:\n"
		 "    pass\n",
			NULL, "python"},
		{"from os import path\n", NULL, "python"}, {"from the first line on\n", NULL, ""},
		{"for i in 1 2; do\n", NULL, ""}, {"5 passed in 0.1 s\n", NULL, ""}, {"", NULL, ""}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct code_block one = block("", cases[i].code);
		one.filename = cases[i].filename;
		assert_string_equal(language_guess(&one, &fixture->arena), cases[i].language);
	}
}

static void blocks_run_in_the_working_directory(void **state)
{
	struct fixture *fixture = *state;
	struct executor_settings settings = {.network = "none", .work_dir = "made/here"};
	fixture->executor->settings = &settings;
	struct code_block blocks[] = {
		block("sh", "pwd; echo x > left\n"), block("python", "print('named')\n")};
	blocks[1].filename = "a.py";
	run_blocks(fixture, blocks, 2);
	assert_string_equal(fixture->result.output,
		arena_printf(&fixture->arena,
			"%s/tree/made/here\n"
			"named\n",
			top));
	assert_string_equal(fixture->result.files[0], "made/here/a.py");
	assert_true(file_exists(at(&fixture->arena, "tree/made/here/left")));
}

struct canceller {
	struct cancel *cancel;
	const char *path;
};

static void *cancel_once_there(void *owner)
{
	struct canceller *canceller = owner;
	while (!file_exists(canceller->path))
		poll(NULL, 0, 5);
	cancel_fire(canceller->cancel, SIGTERM);
	return NULL;
}

/* 75: in mid-block; what was printed and made by then stays, what was to come never does, nor does
 * rondo's own file. */
static void a_cancelled_block_ends_at_once(void **state)
{
	struct fixture *fixture = *state;
	struct cancel cancel;
	pthread_t thread;
	if (!fixture->executor)
		skip();
	const struct code_block blocks[] = {
		block("sh", "echo begun; touch runs; sleep 100; touch later\n"),
		block("sh", "echo never\n")};
	assert_int_equal(cancel_init(&cancel, NULL, 0, &fixture->err), 0);
	fixture->ctx.cancel = &cancel;
	struct canceller canceller = {&cancel, at(&fixture->arena, "tree/runs")};
	assert_int_equal(pthread_create(&thread, NULL, cancel_once_there, &canceller), 0);
	run_blocks(fixture, blocks, 2);
	pthread_join(thread, NULL);
	fixture->ctx.cancel = NULL;
	cancel_release(&cancel);
	assert_int_equal(fixture->result.exit_code, 125);
	assert_true(text_starts_with(fixture->result.output, "begun\n"));
	assert_true(text_ends_with(fixture->result.output, "\nCancelled"));
	assert_true(fixture->result.is_cut);
	assert_null(strstr(fixture->result.output, "never"));
	run_line(fixture, "ls -A | grep -v '^node_modules$\\|^.git$'");
	assert_string_equal(fixture->output.text, "runs\n");
}

/* 93 and 95: imported from `functions`; what does not load is an error before anything runs. */
static void functions_of_the_user_can_be_imported(void **state)
{
	struct fixture *fixture = *state;
	const char *files[] = {"sums.py"}, *broken[] = {"broken.py"}, *strange[] = {"not-a-name.py"};
	struct functions functions = {.files = files, .n = 1, .dir = top, .folder = "functions-runner"};
	put("sums.py",
		"def add(a: int, b: int = {'x': 1}['x']) -> int:\n"
		"    \"\"\"The sum of a and b.\"\"\"\n"
		"    return a + b\n\n\n"
		"def _own():\n    pass\n\n\ndef none(): return None\n");
	put("broken.py", "import nothing_of_that_name\n");
	assert_int_equal(
		functions_install(fixture->executor, &functions, &fixture->ctx, &fixture->err), 0);
	const struct code_block one = block("python", "from functions import add\nprint(add(1, 2))\n");
	struct block_order order = {.blocks = &one,
		.n = 1,
		.timeout_ms = 10000,
		.env = functions_env(fixture->executor, &functions, &fixture->arena)};
	assert_int_equal(executor_execute_code_blocks(fixture->executor, &order, &fixture->arena,
						 &fixture->result, &fixture->ctx, &fixture->err),
		0);
	assert_string_equal(fixture->result.output, "3\n");
	const char *text;
	assert_int_equal(functions_describe(&functions, &fixture->arena, &text, &fixture->err), 0);
	assert_string_equal(text,
		"def add(a: int, b: int = {'x': 1}['x']) -> int:\n"
		"    \"\"\"The sum of a and b.\"\"\"\n"
		"    ...\n\n"
		"def none():\n"
		"    ...");
	functions.files = broken;
	assert_int_equal(
		functions_install(fixture->executor, &functions, &fixture->ctx, &fixture->err), -1);
	assert_string_equal(fixture->err.message,
		"functions failed to load: ModuleNotFoundError: No module named 'nothing_of_that_name'");
	functions.files = strange;
	assert_int_equal(
		functions_install(fixture->executor, &functions, &fixture->ctx, &fixture->err), -1);
	assert_string_equal(fixture->err.message,
		"functions: 'not-a-name.py' is no Python module's file: letters, digits, '_', then .py");
}

UNIT(blocks)
{
	const struct CMUnitTest tests[] = {
		IN_LOCAL(code_blocks_run_in_order_and_stop_at_a_failure),
		IN_LOCAL(what_a_signal_ends_is_told),
		IN_SANDBOX(what_a_signal_ends_is_told),
		IN_LOCAL(code_blocks_that_cannot_be_run_are_answered),
		IN_LOCAL(languages_are_added_and_restricted),
		IN_LOCAL(code_blocks_never_write_through_a_planted_link),
		IN_LOCAL(blocks_find_what_lies_in_the_tree),
		IN_LOCAL(each_language_runs_or_says_what_is_missing),
		IN_LOCAL(what_is_no_program_is_saved_where_it_names_a_file),
		IN_LOCAL(a_policy_says_whether_a_language_runs),
		IN_LOCAL(untagged_code_is_guessed_by_a_rule),
		IN_LOCAL(blocks_run_in_the_working_directory),
		IN_LOCAL(a_cancelled_block_ends_at_once),
		IN_SANDBOX(a_cancelled_block_ends_at_once),
		IN_LOCAL(functions_of_the_user_can_be_imported),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
