/* Sources in C and C++ that only a build file calls tests. */
#include "tests/unit/top_fixture.h"

#include "base/memory.h"
#include "verify/guard/guard.h"

static void put(const char *name, const char *text)
{
	struct rondo_error err;
	char path[TOP_SIZE + 64];
	snprintf(path, sizeof path, "%s/%s", top, name);
	assert_int_equal(file_create(path, text, strlen(text), 0644, &err), 0);
}

/* What is found with this build file, beside a product, two programs and a header. */
static const char *found(struct arena *arena, const char *name, const char *text)
{
	const char *paths[] = {name, "calc.c", "calc.h", "t.c", "tool.c", "x.cpp"};
	text_sort(paths, ARRAY_SIZE(paths));
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	put(name, text);
	const char *const *tests = built_tests_find(top, paths, ARRAY_SIZE(paths), arena);
	for (; tests && *tests; tests++)
		strbuf_addf(&said, "%s%s", said.length ? " " : "", *tests);
	return arena_strdup(arena, said.text);
}

static void put_sources(void)
{
	put("calc.c", "int area(int a, int b) { return a * b; } /* the domain() of it */\n");
	put("calc.h", "int area(int a, int b);\n");
	put("t.c", "#include \"calc.h\"\nint main(void) { return area(3, 5) != 15; }\n");
	put("tool.c", "int main (int n, char **args) { return n; }\n");
	put("x.cpp", "auto main() -> int { return 0; }\n");
}

static void each_kind_of_build_file_names_its_tests(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text, *found;
	} rows[] = {
		{"CMakeLists.txt",
			"# add_test(tool tool)\nadd_executable(t t.c calc.c)\nAdd_Executable(tool tool.c)\n"
			"add_test(NAME \"all of it\" COMMAND t)\nadd_test(NAME u COMMAND tool --version)\n",
			"t.c"},
		{"CMakeLists.txt", "add_executable(one t.c)\nadd_test(first $<TARGET_FILE:one>)\n", "t.c"},
		{"CMakeLists.txt",
			"add_executable(unit\n  x.cpp calc.c)\ngtest_discover_tests(unit)\nadd_test(NAME a "
			"COMMAND nothing WORKING_DIRECTORY /)",
			"x.cpp"},
		{"CMakeLists.txt", "add_executable(t t.c", ""},
		{"meson.build",
			"lib = static_library('calc', 'calc.c')\n"
			"t = executable('t', 't.c', link_with: lib)\ntest('t', t)\n"
			"tool = executable('tool', ['tool.c'])\ntest('tool', tool, args: ['-v'])\n",
			"t.c"},
		{"Makefile.am",
			"check_PROGRAMS = t u\nTESTS = $(check_PROGRAMS)\nu_SOURCES = x.cpp \\\n\tcalc.c\n"
			"bin_PROGRAMS = tool\n",
			"t.c x.cpp"},
		{"Makefile", "t: t.c calc.c\n\tcc -o t t.c calc.c\ncheck: t\n\t@./t\n\t./tool --check\n",
			"t.c"},
		{"GNUmakefile", "check: t x\n\tcd . && ./t | cat; ./x \\\n\t\n", "t.c x.cpp"},
		{"notes.txt", "check: t\n\t./t\n", ""},
	};
	AUTO_ARENA arena = ARENA_INIT;
	put_sources();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_string_equal(found(&arena, rows[i].name, rows[i].text), rows[i].found);
		char path[TOP_SIZE + 64];
		snprintf(path, sizeof path, "%s/%s", top, rows[i].name);
		assert_int_equal(remove(path), 0);
	}
}

static void a_program_without_other_sources_is_the_product(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *const paths[] = {"Makefile", "t.c"};
	put("t.c", "int main(void) { return 0; }\n");
	put("Makefile", "check: t\n\t./t\n");
	assert_null(built_tests_find(top, paths, ARRAY_SIZE(paths), &arena));
}

static void a_header_may_be_the_product(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *paths[] = {"Makefile", "declared.h", "t.c"};
	put("t.c", "int main(void) { return area(3, 5) != 15; }\n");
	put("Makefile", "check: t\n\t./t\n");
	put("declared.h", "int area(int a, int b);\n");
	assert_null(built_tests_find(top, paths, ARRAY_SIZE(paths), &arena));
	paths[1] = "defined.h";
	put("defined.h", "static int area(int a, int b)\n{\n\treturn a * b;\n}\n");
	const char *const *tests = built_tests_find(top, paths, ARRAY_SIZE(paths), &arena);
	assert_non_null(tests);
	assert_string_equal(tests[0], "t.c");
	assert_null(tests[1]);
}

static void such_a_test_is_protected(void **state)
{
	(void)state;
	const char *const tests[] = {"t.c", NULL};
	struct protection protection = {.built_tests = tests};
	assert_true(protection_is_test(&protection, "t.c"));
	assert_null(protection_rule(&protection, "src/t.c"));
}

UNIT(built_tests)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_kind_of_build_file_names_its_tests, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_program_without_other_sources_is_the_product, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_header_may_be_the_product, set_up, tear_down),
		cmocka_unit_test(such_a_test_is_protected),
	};
	return RUN_TESTS(tests);
}
