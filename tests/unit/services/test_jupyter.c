/* Blocks in a real kernel: what the peers' tests say (semantics.md 8.5), and what blocks show. */
#include "tests/unit/jupyter_fixture.h"

#include "base/clock.h"

static void case_99_text_is_printed(void **state)
{
	struct fixture *fixture = *state;
	assert_string_equal(run(fixture, "print('hello world!')\n"), "hello world!\n");
	assert_int_equal(fixture->result.exit_code, 0);
	assert_int_equal(fixture->result.n_files, 0);
}

static void case_101_several_blocks(void **state)
{
	static const struct code_block blocks[] = {
		{.language = "python", .code = "import sys; print('hello world!')\n"},
		{.language = "py", .code = "a = 100 + 100\nprint(a)\n"}};
	run_blocks(*state, blocks, 2, BLOCK_MS);
	assert_string_equal(((struct fixture *)*state)->result.output, "hello world!\n\n200\n");
}

static void case_103_the_second_of_three_blocks_fails(void **state)
{
	struct fixture *fixture = *state;
	static const struct code_block blocks[] = {
		{.language = "python", .code = "print('hello world!')\n"},
		{.language = "python3", .code = "a = 100 + 100\nprint(a)\nfoo\n"},
		{.language = "python", .code = "print('never')\n"}};
	run_blocks(fixture, blocks, 3, BLOCK_MS);
	assert_int_equal(fixture->result.exit_code, 1);
	assert_int_equal(strncmp(fixture->result.output, "hello world!\n\n200\n\n---", 22), 0);
	assert_true(strstr(fixture->result.output, "Cell In [2]") ||
		strstr(fixture->result.output, "Cell In[2]"));
	assert_says(fixture, "NameError: name 'foo' is not defined");
	assert_null(strstr(fixture->result.output, "never"));
	assert_null(strchr(fixture->result.output, '\x1b'));
}

static void case_105_timeout_is_a_result(void **state)
{
	struct fixture *fixture = *state;
	int64_t begin;
	run(fixture, "import time\n");
	begin = clock_now_ms();
	run_for(fixture, "print('begun', flush=True); time.sleep(60)\n", 5000);
	assert_int_equal(fixture->result.exit_code, 124);
	assert_says(fixture, "begun");
	assert_says(fixture, "Timeout\nThe block was interrupted; the kernel has kept its variables.");
	assert_true(clock_now_ms() - begin < 50000);
}

/* A deadline of the run is a timeout. */
static void case_105_cancelling_is_a_result(void **state)
{
	struct fixture *fixture = *state;
	struct cancel cancel;
	run(fixture, "import time; x = 5\n");
	assert_int_equal(cancel_init(&cancel, NULL, 2000, &fixture->err), 0);
	fixture->ctx.cancel = &cancel;
	int64_t begin = clock_now_ms();
	run(fixture, "time.sleep(60)\n");
	assert_int_equal(fixture->result.exit_code, 124);
	assert_true(clock_now_ms() - begin < 50000);
	fixture->ctx.cancel = NULL;
	cancel_release(&cancel);
	assert_string_equal(run(fixture, "print(x)\n"), "5\n");
}

/* There is nothing to be started first. */
static void case_107_the_first_block_starts_the_kernel(void **state)
{
	struct fixture *fixture = *state;
	assert_string_equal(run(fixture, "1 + 1\n"), "2");
}

static void case_109_the_value_of_the_last_expression(void **state)
{
	struct fixture *fixture = *state;
	static const struct code_block blocks[] = {{.language = "python", .code = "a = 123 + 123\n"},
		{.language = "python", .code = "print(a)\n"}};
	run_blocks(fixture, blocks, 2, BLOCK_MS);
	assert_string_equal(fixture->result.output, "246\n");
	run(fixture,
		"msg = 'hello'\n"
		"def test_function(a, b):\n"
		"    return a + b\n"
		"test_function(431, 423)\n");
	assert_string_equal(fixture->result.output, "854");
}

static void case_111_state_survives_an_interrupt(void **state)
{
	struct fixture *fixture = *state;
	run_for(fixture, "x = 123\nimport time; time.sleep(60)\n", 5000);
	assert_int_equal(fixture->result.exit_code, 124);
	assert_string_equal(run(fixture, "print(x)\n"), "123\n");
}

/* From a directory, since the sandbox has no network. */
static void case_113_pip_says_nothing_but_errors(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import os, zipfile\n"
		"os.makedirs('wheels')\n"
		"with zipfile.ZipFile('wheels/small-1.0-py3-none-any.whl', 'w') as wheel:\n"
		"    wheel.writestr('small.py', 'size = 7')\n"
		"    wheel.writestr('small-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: "
		"small\\nVersion: 1.0\\n')\n"
		"    wheel.writestr('small-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: "
		"true\\nTag: py3-none-any\\n')\n"
		"    wheel.writestr('small-1.0.dist-info/RECORD', '')\n"
		"import importlib.util; print(importlib.util.find_spec('pip') is not None)\n");
	if (strcmp(fixture->result.output, "True\n") != 0)
		skip();
	assert_string_equal(
		run(fixture,
			"!python3 -m pip install --no-index --find-links wheels --target here small\n"),
		"");
	assert_int_equal(fixture->result.exit_code, 0);
	assert_string_equal(
		run(fixture, "import sys; sys.path.insert(0, 'here'); import small; print(small.size)\n"),
		"7\n");
	run(fixture, "!python3 -m pip install --no-index --target here no_such_package\n");
	assert_int_equal(fixture->result.exit_code, 0);
	assert_says(fixture, "ERROR: ");
}

static void assert_not_started(const char *kernel, const char *output_dir, const char *why)
{
	struct chosen chosen = {.where = "sandbox", .kernel = kernel, .output_dir = output_dir};
	struct fixture fixture = {0};
	if (!has_kernel)
		skip();
	int status = make(&fixture, &chosen);
	if (status == 0)
		status = executor_try(fixture.executor, &fixture.ctx, &fixture.err);
	assert_int_equal(status, -1);
	assert_non_null(strstr(fixture.err.message, why));
	executor_free(fixture.executor);
	arena_release(&fixture.arena);
}

static void case_115_what_is_missing_is_named(void **state)
{
	(void)state;
	assert_not_started("python3", "../tree", "'../tree' leaves the tree");
	assert_not_started("ruby", ".", "Kernel ruby is not installed. There is: python3");
	assert_not_started("../x", ".", "Kernel ../x is not installed");
}

static void sys_exit_ends_the_block_alone(void **state)
{
	struct fixture *fixture = *state;
	run(fixture, "y = 1\nimport sys; sys.exit(3)\n");
	assert_int_equal(fixture->result.exit_code, 3);
	run(fixture, "print(y); sys.exit(0)\n");
	assert_int_equal(fixture->result.exit_code, 0);
}

static void what_programs_print_past_the_kernel_is_there(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import os, subprocess\n"
		"os.write(1, b'raw')\n"
		"subprocess.run(['sh', '-c', 'echo out; echo err >&2'])\n");
	assert_says(fixture, "rawout\nerr\n");
	assert_string_equal(run(fixture, "!echo bang\n"), "bang\n");
}

static void text_of_any_kind_is_shown(void **state)
{
	struct fixture *fixture = *state;
	assert_string_equal(
		run(fixture, "print('a\\0b', b'\\xff'.decode('utf8', 'surrogateescape'), '\\u00fc')\n"),
		"a\\0b \xef\xbf\xbd \xc3\xbc\n");
}

static void input_finds_nobody(void **state)
{
	struct fixture *fixture = *state;
	run(fixture, "input('?')\n");
	assert_int_equal(fixture->result.exit_code, 1);
	assert_says(fixture, "StdinNotImplementedError");
}

static void pictures_are_kept(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import base64\nfrom IPython.display import Image, HTML, JSON, display\n"
		"png = "
		"base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
		"M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==')\n"
		"display(Image(png), HTML('<b>x</b>'), JSON({'a': 1}))\n");
	assert_int_equal(fixture->result.n_files, 3);
	assert_says(fixture, "Image data saved to output-");
	assert_says(fixture, "HTML data saved to output-");
	assert_says(fixture, "JSON data saved to output-");
	assert_true(file_exists(
		in(fixture, arena_printf(&fixture->arena, "tree/%s", fixture->result.files[0]))));
}

static void blocks_in_other_languages_are_programs(void **state)
{
	struct fixture *fixture = *state;
	static const struct code_block blocks[] = {
		{.language = "python", .code = "7\n"}, {.language = "sh", .code = "cat module.py\n"}};
	run_blocks(fixture,
		&(struct code_block){.language = "python",
			.code = "a = 8\n"
					"print(a)\n",
			.filename = "module.py"},
		1, BLOCK_MS);
	assert_string_equal(fixture->result.output, "8\n");
	assert_string_equal(fixture->result.files[0], "module.py");
	run_blocks(fixture, blocks, 2, BLOCK_MS);
	assert_string_equal(fixture->result.output, "7\na = 8\nprint(a)\n");
	run_blocks(fixture,
		&(struct code_block){.language = "python", .code = "1\n", .filename = "../x.py"}, 1,
		BLOCK_MS);
	assert_int_equal(fixture->result.exit_code, 1);
	run_blocks(fixture, &(struct code_block){.language = "cobol", .code = "x\n"}, 1, BLOCK_MS);
	assert_says(fixture, "unknown language 'cobol'");
}

static void late_output_comes_with_the_next_block(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import threading, os\n"
		"def wait():\n"
		"    while not os.path.exists('go'): pass\n"
		"    os.write(1, b'from a thread\\n')\n"
		"    open('said', 'w')\n"
		"threading.Thread(target=wait).start()\n");
	run_blocks(fixture,
		&(struct code_block){
			.language = "sh", .code = "touch go; while [ ! -e said ]; do :; done\n"},
		1, BLOCK_MS);
	run(fixture, "print('mine')\n");
	assert_string_equal(fixture->result.output,
		"mine\n\n"
		"Late output of earlier blocks:\n"
		"from a thread\n");
}

UNIT(jupyter)
{
	const struct CMUnitTest tests[] = {
		SHARED(case_99_text_is_printed),
		SHARED(case_101_several_blocks),
		IN_SANDBOX(case_103_the_second_of_three_blocks_fails),
		SHARED(case_105_timeout_is_a_result),
		SHARED(case_105_cancelling_is_a_result),
		SHARED(case_107_the_first_block_starts_the_kernel),
		SHARED(case_109_the_value_of_the_last_expression),
		SHARED(case_111_state_survives_an_interrupt),
		SHARED(case_113_pip_says_nothing_but_errors),
		cmocka_unit_test(case_115_what_is_missing_is_named),
		SHARED(sys_exit_ends_the_block_alone),
		SHARED(what_programs_print_past_the_kernel_is_there),
		SHARED(text_of_any_kind_is_shown),
		SHARED(input_finds_nobody),
		SHARED(pictures_are_kept),
		SHARED(blocks_in_other_languages_are_programs),
		SHARED(late_output_comes_with_the_next_block),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
