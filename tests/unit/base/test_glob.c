/* Globs, also hostile ones. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/glob.h"
#include "base/memory.h"

static void globs(void **state)
{
	(void)state;
	static const struct {
		const char *glob, *path;
		bool matches;
	} cases[] = {
		{"*.py", "a.py", true},
		{"*.py", "a/b.py", true},
		{"*.py", "a.pyc", false},
		{"a/*.py", "a/b.py", true},
		{"a/*.py", "a/b/c.py", false},
		{"a/*.py", "x/a/b.py", false},
		{"a/**/c.py", "a/c.py", true},
		{"a/**/c.py", "a/b/b/c.py", true},
		{"a/**/c.py", "a/bc.py", false},
		{"**/x", "x", true},
		{"**/x", "a/b/x", true},
		{"**/x", "a/bx", false},
		{"a/**", "a/b/c", true},
		{"a/**", "b/a/c", false},
		{"a/**z", "a/b/xz", true},
		{"?.c", "a.c", true},
		{"?.c", "ab.c", false},
		{"a/?", "a//", false},
		{"[a-c].c", "b.c", true},
		{"[a-c].c", "d.c", false},
		{"[!a-c].c", "d.c", true},
		{"[]].c", "].c", true},
		{"[a", "[a", true},
		{"a[/]b", "a/b", false},
		{"tests/", "tests/a.py", true},
		{"tests/", "src/tests/x/a", true},
		{"tests/", "tests", false},
		{"tests/", "mytests/a", false},
		{"a/b/", "a/b/c", true},
		{"a/b/", "x/a/b/c", false},
		{"/a.c", "a.c", true},
		{"/a.c", "b/a.c", false},
		{"./a.c", "a.c", true},
		{"\\*.c", "*.c", true},
		{"\\*.c", "a.c", false},
		{"", "a", false},
		{"*", "", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"**/a/**/b", "x/a/y/b", true},
		{"**/a/**/b", "x/y/b", false},
		{"*_test.go", "p/x_test.go", true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (glob_matches(cases[i].glob, cases[i].path) != cases[i].matches)
			fail_msg("glob '%s' and path '%s'", cases[i].glob, cases[i].path);
}

static void a_hostile_glob_takes_no_time(void **state)
{
	(void)state;
	char path[4096], glob[512];
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	for (size_t i = 0; i + 2 < sizeof glob; i += 2)
		memcpy(glob + i, "*a", 2);
	memcpy(glob + sizeof glob - 2, "b", 2);
	assert_false(glob_matches(glob, path));
	for (size_t i = 0; i + 4 < sizeof glob; i += 4)
		memcpy(glob + i, "**/a", 4);
	for (size_t i = 1; i < sizeof path - 1; i += 2)
		path[i] = '/';
	assert_false(glob_matches(glob, path));
}

UNIT(glob)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs),
		cmocka_unit_test(a_hostile_glob_takes_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
