/* Sources that the test command compiles. */
#include "tests/unit/top_fixture.h"

#include "base/memory.h"
#include "verify/guard/guard.h"

static const struct {
	const char *path, *text;
} files[] = {
	{"Main.java",
		"class Main { public static void main(String[] a) { assert Calc.area() == 1; } }"},
	{"Calc.java", "class Calc { static int area() { return 2; } }"},
	{"calc.c", "#include <assert.h>\nint area(int a) { assert(a > 0); return a; }\n"},
	{"cases.cc", "TEST(Calc, Area) { EXPECT_EQ(area(1), 1); }\n"},
	{"main.c", "int main(void) { return area(1) != 1; }\n"},
};

/* "products: programs" that are found with this command. */
static const char *found(struct arena *arena, const char *command)
{
	const char *paths[ARRAY_SIZE(files)];
	struct rondo_error err;
	char file[TOP_SIZE + 64];
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		paths[i] = files[i].path;
		snprintf(file, sizeof file, "%s/%s", top, paths[i]);
		assert_int_equal(file_write(file, files[i].text, strlen(files[i].text), 0644, &err), 0);
	}
	text_sort(paths, ARRAY_SIZE(paths));
	struct compiled_sources sources;
	compiled_sources_find(top, command, paths, ARRAY_SIZE(paths), arena, &sources);
	for (const char *const *path = sources.products; path && *path; path++)
		strbuf_addf(&said, "%s ", *path);
	for (const char *const *path = sources.programs; path && *path; path++)
		strbuf_addf(&said, ": %s", *path);
	return arena_strdup(arena, said.text);
}

static void what_has_main_is_a_program_and_what_has_not_is_a_product(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const rows[][2] = {
		{"javac -d out Calc.java Main.java && java -cp out Main", "Calc.java : Main.java"},
		{"javac -d out *.java && java -cp out Main", "Calc.java : Main.java"},
		{"javac -d out $(find . -name '*.java') && java Main", "Calc.java : Main.java"},
		{"find -name '*.java' | xargs javac && java Main", "Calc.java : Main.java"},
		{"gcc -Wall -o t ./calc.c main.c && ./t", "calc.c : main.c"},
		{"gcc -Wall -o t ./[cm]*.c && ./t", "calc.c : main.c"},
		{"cc -c calc.c && cc -c main.c && cc -o t calc.o main.o && ./t", "calc.c : main.c"},
		{"g++ -o t calc.c cases.cc main.c && ./t", "calc.c : main.c"},
		{"g++ -o t calc.c cases.cc -lgtest_main && ./t", ""}, /* whose main() is it? */
		{"cc -o t main.c && ./t", ""},
		{"cc -o t nowhere.c main.c && ./t", ""},
		{"cat calc.c main.c", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(found(&arena, rows[i][0]), rows[i][1]);
}

static void of_what_the_command_compiles_programs_are_protected(void **state)
{
	(void)state;
	static const char *const products[] = {"calc.c", "test_calc.c", NULL};
	static const char *const programs[] = {"src/Main.java", NULL};
	const struct protection protection = {
		.command = "cc calc.c main.c test_calc.c && ./a.out", .compiled = {products, programs}};
	assert_string_equal(protection_rule(&protection, "src/Main.java"), PROTECTED_COMMAND);
	assert_null(protection_rule(&protection, "calc.c"));
	assert_string_equal(protection_rule(&protection, "main.c"), PROTECTED_COMMAND);
	assert_true(protection_is_test(&protection, "test_calc.c"));
}

UNIT(compiled)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_has_main_is_a_program_and_what_has_not_is_a_product, set_up, tear_down),
		cmocka_unit_test(of_what_the_command_compiles_programs_are_protected),
	};
	return RUN_TESTS(tests);
}
