/* Scripts that only a build file calls tests. */
#include "tests/unit/top_fixture.h"

#include "base/memory.h"
#include "verify/guard/guard.h"

#define SHELL "out=$(./calc 2 3)\nif [ \"$out\" != 5 ]; then exit 1; fi\n"

static const struct {
	const char *path, *text;
} files[] = {
	{"calc.c", "int add(int a, int b) { return a + b; }\n"},
	{"calc.py", "def add(a, b):\n    return a + b\n\nassert add(1, 1) == 2\n"},
	{"ci/probe.sh", SHELL},
	{"gen.py", "print('int table[] = {1, 2};')\n"},
	{"index.js", "if (process.argv.length > 5) process.exit(1);\n"},
	{"scripts/check.js", "require('assert').equal(require('..').add(2, 3), 5);\n"},
	{"scripts/check.sh", SHELL},
	{"scripts/probe.js", "if (require('..').add(2, 3) !== 5) throw new Error('add');\n"},
	{"scripts/probe.py", "import calc\nassert calc.add(2, 3) == 5\n"},
	{"scripts/probe.sh", SHELL},
	{"tool.sh", "[ $# = 1 ] || exit 1\necho $1\n"},
};

static void put(const char *name, const char *text)
{
	struct rondo_error err;
	char path[TOP_SIZE + 64], dir[TOP_SIZE + 64];
	snprintf(path, sizeof path, "%s/%s", top, name);
	snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
	assert_int_equal(file_make_dir(dir, 0755, &err), 0);
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

/* What is found with this build file. */
static const char *found(
	struct arena *arena, const char *command, const char *name, const char *text)
{
	const char *paths[ARRAY_SIZE(files) + 1] = {name};
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		paths[i + 1] = files[i].path;
		put(files[i].path, files[i].text);
	}
	text_sort(paths, ARRAY_SIZE(paths));
	put(name, text);
	const char *const *tests = test_scripts_find(top, command, paths, ARRAY_SIZE(paths), arena);
	for (; tests && *tests; tests++)
		strbuf_addf(&said, "%s%s", said.length ? " " : "", *tests);
	return arena_strdup(arena, said.text);
}

struct row {
	const char *command, *name, *text, *found;
};

static void check_found(const struct row *rows, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < n; i++) {
		const char *is = found(&arena, rows[i].command, rows[i].name, rows[i].text);
		if (strcmp(is, rows[i].found) != 0)
			print_error("%s:\n%s", rows[i].name, rows[i].text);
		assert_string_equal(is, rows[i].found);
	}
}

static void what_a_build_file_runs_as_a_test_is_one(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"make test", "Makefile", "test: calc\n\t@sh scripts/check.sh\n", "scripts/check.sh"},
		{"make test", "Makefile", "test:\n\tsh scripts/check.sh ./calc | tee log\n",
			"scripts/check.sh"},
		{"make test", "Makefile", "test: all probe\nprobe:\n\t$(SHELL) -e scripts/probe.sh\n",
			"scripts/probe.sh"},
		{"make test", "Makefile", "test:\n\t$(MAKE) probe\nprobe:\n\tcd scripts && sh probe.sh\n",
			"scripts/probe.sh"},
		{"make -s probe", "GNUmakefile", "probe test::\n\tpython3 \\\n\t  scripts/probe.py\n",
			"scripts/probe.py"},
		{"make test", "Makefile", "test:\n\tA=1 python3 -m scripts.probe\n", "scripts/probe.py"},
		{"make test", "Makefile", "test:\n\tif ./scripts/probe.sh; then echo ok; fi\n",
			"scripts/probe.sh"},
		{"make -C ci check", "ci/Makefile", "check:\n\t./probe.sh\n", "ci/probe.sh"},
		{"make check", "Makefile.am", "TESTS = scripts/check.sh calc\n", "scripts/check.sh"},
		{"make check", "Makefile.am", "check-local:\n\tsh $(srcdir)/scripts/probe.sh\n",
			"scripts/probe.sh"},
		{"npm test", "package.json", "{\"scripts\": {\"test\": \"node scripts/check.js\"}}",
			"scripts/check.js"},
		{"npm test", "package.json",
			"{\"scripts\": {\"test\": \"npm run lint && npm run probe\", \"lint\": \"eslint .\", "
			"\"probe\": \"cross-env A=1 nyc node -r ./setup scripts/probe.js\"}}",
			"scripts/probe.js"},
		{"yarn probe", "package.json",
			"{\"scripts\": {\"test\": \"jest\", \"preprobe\": \"node scripts/probe.js\", "
			"\"probe\": \"jest\"}}",
			"scripts/probe.js"},
		{"ctest", "CMakeLists.txt",
			"add_test(NAME cli\n  COMMAND sh ${CMAKE_SOURCE_DIR}/scripts/probe.sh)\n",
			"scripts/probe.sh"},
		{"ctest", "CMakeLists.txt", "add_test(cli scripts/check.sh $<TARGET_FILE:calc>)\n",
			"scripts/check.sh"},
		{"meson test", "meson.build",
			"test('a', find_program('scripts/probe.sh'), timeout: 30)\n"
			"test('b', python, args: files('scripts/probe.py'), env: e)\n",
			"scripts/probe.sh scripts/probe.py"},
	};
	check_found(rows, ARRAY_SIZE(rows));
}

static void what_may_be_the_product_stays_open(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"make test", "Makefile", "test:\n\tcc -o calc calc.c\n\t./calc\n", ""},
		{"make test", "Makefile", "test:\n\tsh tool.sh 5 | grep -q 5\n", ""},
		{"make test", "Makefile", "test:\n\tsh tool.sh | diff - expected\n", ""},
		{"make test", "Makefile", "test:\n\tsh tool.sh --version\n", ""},
		{"make test", "Makefile", "test:\n\tpython3 gen.py\n", ""},
		{"make test", "Makefile", "test:\n\tpython3 calc.py\n", ""}, /* it tests itself */
		{"make test", "Makefile", "run:\n\tsh scripts/probe.sh\ntest:\n\t./calc\n", ""},
		{"make test", "Makefile", "check = scripts/check.sh\ntest := sh scripts/check.sh\n", ""},
		{"make test", "Makefile", "test:\n\tsh scripts/none.sh\n", ""},
		{"npm test", "package.json", "{\"scripts\": {\"test\": \"node index.js\"}}", ""},
		{"npm test", "package.json", "{\"scripts\": {\"start\": \"node scripts/probe.js\"}}", ""},
		{"npm test", "package.json", "{\"scripts\": [", ""},
		{"meson test", "meson.build", "test('a', sh, args: [files('tool.sh'), '-v'])\n", ""},
	};
	check_found(rows, ARRAY_SIZE(rows));
}

static void a_script_without_other_code_is_the_product(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const paths[] = {"Makefile", "README.md", "check.sh"};
	put("Makefile", "test:\n\tsh check.sh\n");
	put("check.sh", SHELL);
	assert_null(test_scripts_find(top, "make test", paths, ARRAY_SIZE(paths), &arena));
}

static void they_are_protected_as_tests(void **state)
{
	(void)state;
	static const char *const scripts[] = {"scripts/probe.sh", NULL};
	const struct protection protection = {.command = "make test", .test_scripts = scripts};
	assert_true(protection_is_test(&protection, "scripts/probe.sh"));
	assert_null(protection_rule(&protection, "scripts/other.sh"));
}

UNIT(test_scripts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_build_file_runs_as_a_test_is_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_may_be_the_product_stays_open, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_script_without_other_code_is_the_product, set_up, tear_down),
		cmocka_unit_test(they_are_protected_as_tests),
	};
	return RUN_TESTS(tests);
}
