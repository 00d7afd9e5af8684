/* reads: the files by which a project says how it is tested */
/* The first byte says which file of a small tree the rest is. The suites that are found, in it and
 * below, have a command of one line, and are found again the same. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/suite.h"

static const char *const files[] = {"Cargo.toml", "Makefile", "Rakefile", "build.gradle",
	"composer.json", "go.mod", "meson.build", "package.json", "phpunit.xml", "pom.xml",
	"pyproject.toml", "pytest.ini", "run_tests.sh", "setup.cfg", "tests/test_a.py", "tox.ini",
	"CMakeLists.txt", ".mocharc.json", "configure.ac", "a_test.go"};

/* Sorted, as a tree's paths are. */
static const char *const *paths_with(const char *file, size_t *ret_n)
{
	static const char *paths[4];
	const char *const others[] = {"README", "src/a.py", "tests/b.js"};
	size_t n = 0, i = 0;
	while (i < ARRAY_SIZE(others) && strcmp(others[i], file) < 0)
		paths[n++] = others[i++];
	paths[n++] = file;
	while (i < ARRAY_SIZE(others))
		paths[n++] = others[i++];
	*ret_n = n;
	return paths;
}

static void check(const struct suite *suite)
{
	const char *shown = suite_shown(suite);
	assert(shown && *shown);
	assert_text(shown);
	assert_text(suite->origin);
	assert(!suite->dir || (*suite->dir && *suite->dir != '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct suite suite, again, *suites;
	size_t n;
	if (!size)
		return 0;
	const char *file = files[data[0] % ARRAY_SIZE(files)], *dir = fuzz_dir();
	const char *const *paths = paths_with(file, &n);
	assert(file_make_dir(fuzz_path("tests"), 0700, &err) == 0);
	fuzz_write(file, data + 1, size - 1);
	if (suite_detect(dir, paths, n, "", &arena, &suite, &err) == 0) {
		check(&suite);
		suite_resolve(&suite, dir, &arena);
		check(&suite);
		assert(suite_detect(dir, paths, n, "", &arena, &again, &err) == 0);
		assert(strcmp(suite.command, again.command) == 0);
	} else {
		assert_error(&err);
	}
	n = suite_detect_projects(dir, paths, n, paths, n, 4, &arena, &suites);
	for (size_t i = 0; i < n && i < 4; i++)
		check(&suites[i]);
	AUTO_FREE char *command = fuzz_text(data + 1, size - 1);
	if (*command && !strchr(command, '\n')) {
		suite_from_command(command, "said", &arena, &suite);
		suite_resolve(&suite, dir, &arena);
		assert_text(suite_shown(&suite));
	}
	unlink(fuzz_path(file));
	return 0;
}
