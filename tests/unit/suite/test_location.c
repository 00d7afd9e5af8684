/* Places in what interpreters and compilers print, as a test's result names them. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "verify/suite/location.h"

static const struct {
	const char *text, *file;
	int line;
} rows[] = {
	{"  File \"/tree/a b/c.py\", line 3, in f", "a b/c.py", 3},
	{"    at f (/tree/a.js:3:9)", "a.js", 3},
	{"src/a.c:12: error", "src/a.c", 12},
	{"lua: ./mod.lua:12: attempt to index a nil value", "mod.lua", 12},
	{"\tmod.lua:7: in function 'f'", "mod.lua", 7},
	{"Died at lib/My/Cart.pm line 12.", "lib/My/Cart.pm", 12},
	{"#   at t/cart.t line 8.", "t/cart.t", 8},
	{"PHP Warning:  Undefined variable $x in /tree/src/cart.php on line 9", "src/cart.php", 9},
	{"#0 /tree/src/cart.php(12): total(Array)", "src/cart.php", 12},
	{"#1 {main}", NULL, 0},
	{"\t[C]: in ?", NULL, 0},
	{"on line 4 line 5 (6)", NULL, 0},
	{" line ", NULL, 0},
	{"(", NULL, 0},
	{"f(3)", NULL, 0},
};

static void each_says_it_in_another_way(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct location location = {0};
		bool found = location_find(&location, "/tree", rows[i].text);
		if (found != (rows[i].file != NULL) ||
			(found && strcmp(location.file, rows[i].file) != 0) || location.line != rows[i].line)
			fail_msg("%s: %s:%d", rows[i].text, location.file, location.line);
	}
}

static void relative_paths_start_in_the_directory_of_the_suite(void **state)
{
	(void)state;
	static const char *const places[][2] = {
		{"a.js:3", "packages/app/a.js"},
		{"./test/a.js:3", "packages/app/test/a.js"},
		{"../lib/b.js:3", "packages/lib/b.js"},
		{"/tree/packages/lib/b.js:3", "packages/lib/b.js"},
		{"at f (/tree/c.js:3:9)", "c.js"},
		{"../../../usr/include/d.h:3", NULL},
		{"../../../../tree/src/f.c:3", "src/f.c"},
		{"/tree2/g.c:3", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct location location = {0};
		bool found = location_find(&location, "/tree" LOCATION_FROM "packages/app", places[i][0]);
		if (found != (places[i][1] != NULL) || (found && strcmp(location.file, places[i][1]) != 0))
			fail_msg("%s: %s", places[i][0], location.file);
	}
}

UNIT(location)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_it_in_another_way),
		cmocka_unit_test(relative_paths_start_in_the_directory_of_the_suite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
