/* What rules find that look at whole files and at tests: links, submodules, special cases; and that
 * any bytes will do. */
#include "tests/unit/guard_fixture.h"

static const char *const base[] = {"README.md", "src/a.py", "tests/test_a.py"};

/* The first finding, described; "nothing" where there is none. */
static const char *inspect_files(const struct changed_file *files, size_t n, struct arena *arena)
{
	struct inspection inspection = {.files = files,
		.n = n,
		.base_paths = base,
		.n_base_paths = ARRAY_SIZE(base),
		.arena = arena};
	guard_inspect(&inspection);
	return inspection.n_findings ? finding_describe(&inspection.findings[0], arena) : "nothing";
}

static const char *inspect_link(const char *path, const char *target, struct arena *arena)
{
	struct changed_file file = change_of(path, NULL, target);
	file.mode = 0120000;
	return inspect_files(&file, 1, arena);
}

static void links_stay_in_the_tree(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(inspect_link("docs/x", "../README.md", &arena), "nothing");
	assert_string_equal(inspect_link("x", "src/a.py", &arena), "nothing");
	assert_string_equal(inspect_link("x", "src/up/../../y", &arena),
		"x: a link that goes up after a name, which may be a link itself: src/up/../../y "
		"(rule link)");
	assert_string_equal(inspect_link("x", "/etc/passwd", &arena),
		"x: a link that leads out of the tree: /etc/passwd (rule link)");
	assert_string_equal(inspect_link("docs/x", "../../y", &arena),
		"docs/x: a link that leads out of the tree: ../../y (rule link)");
	assert_string_equal(inspect_link("x", "src/../../y", &arena),
		"x: a link that leads out of the tree: src/../../y (rule link)");
	assert_string_equal(inspect_link("src", "README.md", &arena),
		"src: a link in the place of a folder: README.md (rule link)");
}

static void a_link_does_not_replace_a_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct changed_file file = change_of("src/a.py", "x = 1\n", "../README.md");
	file.mode = 0120000;
	assert_string_equal(inspect_files(&file, 1, &arena),
		"src/a.py: a link in the place of a file: ../README.md (rule link)");
	file.old_mode = 0120000;
	assert_string_equal(inspect_files(&file, 1, &arena), "nothing");
}

static void a_submodule_is_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct changed_file file = {.path = "lib/x", .mode = 0160000};
	assert_string_equal(inspect_files(&file, 1, &arena),
		"lib/x: a submodule: what is in it is not in the fix (rule link)");
}

static void an_artefact_may_change_its_mode(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct changed_file file = change_of("lib/x.jar", "PK", "PK");
	file.mode = 0100755;
	assert_string_equal(inspect_files(&file, 1, &arena), "nothing");
	file.text = "PX";
	assert_string_equal(inspect_files(&file, 1, &arena),
		"lib/x.jar: a compiled or packed artefact, by its name (rule compiled-artefact)");
}

static void a_program_in_the_place_of_a_command(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct changed_file file = change_of("bin/diff", NULL, "exit\n");
	assert_string_equal(inspect_files(&file, 1, &arena), "nothing");
	file.mode = 0100755;
	assert_string_equal(inspect_files(&file, 1, &arena),
		"bin/diff: a new program is called as the command 'diff' (rule shadowing-module)");
}

static void the_input_of_a_test_is_marked(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const tests[] = {
		"def test_area():\n    assert area(37) == 4301\n    assert name('square root') == 'x'\n"};
	const struct changed_file files[] = {
		change_of("src/a.py", "def area(r):\n    return r\n",
			"def area(r):\n    if r == 37:\n        return 4301\n    return r\n"),
		change_of("src/b.js", "let n;\n",
			"switch (n) { case 'square root': break; case 'cube': break; }\n"),
		change_of("src/c.py", "if x == 37: pass\n", "if x == 37: y()\n"),
	};
	struct inspection inspection = {
		.files = files, .n = 2, .test_texts = tests, .n_test_texts = 1, .arena = &arena};
	guard_inspect(&inspection);
	assert_null(guard_refusal(&inspection));
	assert_int_equal(inspection.n_findings, 3);
	assert_string_equal(finding_describe(&inspection.findings[0], &arena),
		"src/a.py:2: if r == 37: (rule special-cased)");
	assert_string_equal(finding_describe(&inspection.findings[1], &arena),
		"src/a.py:3: return 4301 (rule special-cased)");
	assert_string_equal(inspection.findings[2].path, "src/b.js");
	struct inspection old = {
		.files = files + 2, .n = 1, .test_texts = tests, .n_test_texts = 1, .arena = &arena};
	guard_inspect(&old);
	assert_int_equal(old.n_findings, 0);
}

static void a_nul_byte_hides_nothing(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char text[] = "// \0\nprocess.exit(0);\n";
	struct changed_file file = change_of("src/a.js", "f();\n", text);
	file.n_text = sizeof text - 1;
	assert_string_equal(
		inspect_files(&file, 1, &arena), "src/a.js:2: process.exit(0); (rule early-exit)");
}

static void a_script_without_a_suffix_is_code(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct changed_file file = change_of("tools/run", NULL,
		"#!/usr/bin/env python3\n"
		"import atexit\n");
	assert_string_equal(
		inspect_files(&file, 1, &arena), "tools/run:2: import atexit (rule early-exit)");
}

static void what_code_includes_is_code(void **state)
{
	(void)state;
	const struct {
		struct changed_file files[3];
		const char *found;
	} rows[] = {
		{{change_of("src/add.inc", NULL, "int add(int a) { exit(a == 1); }\n")},
			"src/add.inc:1: int add(int a) { exit(a == 1); } (rule early-exit)"},
		{{change_of("src/add.ipp", NULL, "int add(int a) { _exit(0); }\n")},
			"src/add.ipp:1: int add(int a) { _exit(0); } (rule early-exit)"},
		{{change_of("lib/add.inc", NULL, "<?php\nfunction add($a) { die('ok'); }\n")},
			"lib/add.inc:2: function add($a) { die('ok'); } (rule early-exit)"},
		{{change_of("src/a.js", "f();\n", "require('./impl.dat');\n"),
			 change_of("src/impl.dat", NULL, "process.exit(0);\n")},
			"src/impl.dat:1: process.exit(0); (rule early-exit)"},
		{{change_of("src/a.c", "f();\n", "#include <parts/add.txt>\n"),
			 change_of("src/parts/add.txt", "f();\n", "_exit(0);\n")},
			"src/parts/add.txt:1: _exit(0); (rule early-exit)"},
		{{change_of("run.sh", "f\n", ". \"$dir/lib/functions\"\n"),
			 change_of("lib/functions", NULL, "command exit 0\n")},
			"lib/functions:1: command exit 0 (rule early-exit)"},
		{{change_of("src/a.c", "f();\n", "#include \"add.json\"\n"),
			 change_of("src/add.json", NULL, "_exit(0);\n")},
			"src/add.json:1: _exit(0); (rule early-exit)"},
		{{change_of("a.q", NULL, "_exit(0);\n"), change_of("b.q", NULL, "#include \"a.q\"\n"),
			 change_of("c.c", "f();\n", "#include \"b.q\"\n")},
			"a.q:1: _exit(0); (rule early-exit)"},
		/* It is only named, or read as data. */
		{{change_of("a.py", "f()\n", "json.load(open('b.yml')); import x\n"),
			 change_of("b.yml", NULL, "\xef\xbc\xa1: os._exit(0)\n")},
			"nothing"},
		{{change_of("src/a.js", "f();\n", "open('./impl.dat');\n"),
			 change_of("src/impl.dat", NULL, "process.exit(0);\n")},
			"nothing"},
		{{change_of("src/a.js", "f();\n", "require('./impl.json');\n"),
			 change_of("src/impl.json", NULL, "\"process.exit(0);\"\n")},
			"nothing"},
		{{change_of("src/a.c", "f();\n", "#include \"padd.txt\"\n"),
			 change_of("src/add.txt", NULL, "_exit(0);\n")},
			"nothing"},
	};
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(
			inspect_files(rows[i].files,
				1 + (rows[i].files[1].path != NULL) + (rows[i].files[2].path != NULL), &arena),
			rows[i].found);
}

static void a_new_file_that_the_product_uses_is_not_for_tests(void **state)
{
	(void)state;
	static const char branch[] = "export const is = () => process.env.JEST_WORKER_ID;\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct changed_file files[] = {change_of("src/mock.js", NULL, branch),
		change_of("src/area.js", "f();\n", "import { is } from './mock.js';\n")};
	const char *found = "src/mock.js:1: export const is = () => process.env.JEST_WORKER_ID; "
						"(rule test-only-branch)";
	assert_string_equal(inspect_files(files, 2, &arena), found);
	assert_string_equal(inspect_files(files, 1, &arena), "nothing");
	files[0].path = "src/mock/index.js";
	files[1].text = "import { is } from './mock';\n";
	files[1].n_text = strlen(files[1].text);
	found = "src/mock/index.js:1: export const is = () => process.env.JEST_WORKER_ID; "
			"(rule test-only-branch)";
	assert_string_equal(inspect_files(files, 2, &arena), found);
	files[1].is_test = true;
	assert_string_equal(inspect_files(files, 2, &arena), "nothing");
	files[1].is_test = false;
	files[0] = change_of("src/mock.js", "f();\n", branch);
	assert_string_equal(inspect_files(files, 2, &arena), "nothing");
}

#define EXAMPLES(first, text) \
	"def f(x):\n    \"\"\"" first "\n\n    >>> f(1)\n    " text "\n\n    \"\"\"\n    return x\n"

static void examples_that_are_run_stay(void **state)
{
	(void)state;
	static const char *const rows[][3] = {
		{EXAMPLES("One.", "6"), EXAMPLES("One.", "5"), "changed"},
		{EXAMPLES("One.", "6"), EXAMPLES("One.", "6\n\n    >>> f(2)\n    7"), "kept"},
		{EXAMPLES("One.", "6"), EXAMPLES("Another.", "6"), "kept"},
		{EXAMPLES("One.", "6"), "def f(x):\n    return x\n", "changed"},
		{"'''>>> f(1)\n6'''\nx = 1\n", "'''>>> f(1)\n6'''\nx = 2\n", "kept"},
		{"\"\"\"\n>>> f(1)\n6\"\"\"\nx = 1\n", "\"\"\"\n>>> f(1)\n7\"\"\"\nx = 1\n", "changed"},
		{EXAMPLES("One.", "6"), EXAMPLES("One.", "6 # doctest: +SKIP"), "changed"},
	};
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct changed_file file = change_of("src/a.py", rows[i][0], rows[i][1]);
		assert_string_equal(inspect_files(&file, 1, &arena), "nothing");
		file.runs_examples = true;
		assert_string_equal(inspect_files(&file, 1, &arena),
			strcmp(rows[i][2], "kept") == 0 ? "nothing"
											: "src/a.py: an example in its documentation, which is "
											  "a test, is gone or changed (rule inline-tests)");
	}
}

static void evidence_is_text_and_short(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct changed_file latin = change_of("a.py", NULL, "x = '\xe9'; import atexit\n");
	assert_string_equal(inspect_files(&latin, 1, &arena),
		"a.py:1: x = '\xef\xbf\xbd'; import atexit (rule early-exit)");
	const struct changed_file gone = change_of("a.py", "def caf\xe9(): return f(1)\n", "x = 1\n");
	assert_string_equal(inspect_files(&gone, 1, &arena),
		"a.py: the function caf\xef\xbf\xbd is gone (rule silenced)");
	char *line = arena_alloc(&arena, 100001);
	memset(line, ' ', 100000);
	memcpy(line + 50000, "; import atexit", 15);
	const struct changed_file file = change_of("a.py", NULL, line);
	assert_true(strlen(inspect_files(&file, 1, &arena)) < 300);
}

/* Nothing that is asked of each token may look at the whole file: tokens that begin much and end
 * nothing. */
/* What no edit of a program may touch: all of a test, with what makes it one. */
static void tests_beside_the_program_have_ranges(void **state)
{
	(void)state;
	static const char text[] =
		"fn add(a: i32) -> i32 { a }\n"
		"#[test]\n#[ignore]\nfn alone() { assert!(add(1) == 2); }\n"
		"#[cfg(not(test))]\nfn real() {}\n"
		"#[cfg(test)]\nmod tests {\n\tuse super::*;\n\t#[test]\n\tfn adds() { add(1); }\n}\n"
		"fn last() {}\n";
	static const char *const expected[] = {
		"#[test]\n#[ignore]\nfn alone() { assert!(add(1) == 2); }", "#[cfg(test)]\nmod tests {",
		"use super::*;", "#[test]\n\tfn adds() { add(1); }"};
	AUTO_ARENA arena = ARENA_INIT;
	struct text_range *ranges;
	assert_int_equal(guard_inline_tests("src/lib.rs", text, strlen(text), &arena, &ranges),
		ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_string_equal(
			arena_strndup(&arena, text + ranges[i].start, ranges[i].end - ranges[i].start),
			expected[i]);
	assert_int_equal(guard_inline_tests("src/lib.py", text, strlen(text), &arena, &ranges), 0);
}

static void long_the_time_grows_with_the_text(void **state)
{
	(void)state;
	static const char *const units[][2] = {{"a.py", "def a(x): "}, {"a.py", "__eq__ = lambda "},
		{"a.js", "eq(equals("}, {"a.py", "__file__ in "}, {"a.rs", "fn eq("}, {"a.js", "`${"},
		{"a.c", "# define "}, {"a.sh", "trap 'exit 0' "}, {"a.py", "os._exit(0) "},
		{"a.js", "if (t < 1800000000)"}, {"a.sh", "\"$0/a"}, {"a.sh", "[ -e a/"},
		{"a.py", "import 'a/b' "}, {"a.py", "a = exists(b"}, {"a.js", "{1:(1,"},
		{"a.py", "lambda __eq__ = "}, {"a.c", "# define a 1 "}};
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		size_t n = strlen(units[i][1]), most = (size_t)1 << 19;
		char *text = arena_alloc(&arena, most + n + 1);
		for (size_t at = 0; at < most; at += n)
			memcpy(text + at, units[i][1], n);
		const struct changed_file file = change_of(units[i][0], NULL, text);
		struct inspection inspection = {.files = &file,
			.n = 1,
			.test_paths = base,
			.n_test_paths = ARRAY_SIZE(base),
			.test_texts = &units[i][1],
			.n_test_texts = 1,
			.arena = &arena};
		guard_inspect(&inspection);
		assert_true(inspection.n_findings < 100);
	}
}

UNIT(guard_files)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_stay_in_the_tree),
		cmocka_unit_test(a_link_does_not_replace_a_file),
		cmocka_unit_test(a_submodule_is_refused),
		cmocka_unit_test(an_artefact_may_change_its_mode),
		cmocka_unit_test(a_program_in_the_place_of_a_command),
		cmocka_unit_test(the_input_of_a_test_is_marked),
		cmocka_unit_test(a_nul_byte_hides_nothing),
		cmocka_unit_test(a_script_without_a_suffix_is_code),
		cmocka_unit_test(what_code_includes_is_code),
		cmocka_unit_test(a_new_file_that_the_product_uses_is_not_for_tests),
		cmocka_unit_test(examples_that_are_run_stay),
		cmocka_unit_test(evidence_is_text_and_short),
		cmocka_unit_test(tests_beside_the_program_have_ranges),
		cmocka_unit_test(long_the_time_grows_with_the_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
