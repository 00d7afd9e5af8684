/* reads: the files by which a project says how it is tested */
/* Files of a small tree, apart by the byte 1; the first byte of each says which it is. The suites
 * that are found, in it and below, have a command of one line, and are found again the same. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/suite.h"

static const char *const files[] = {"Cargo.toml", "Makefile", "Rakefile", "build.gradle",
	"composer.json", "go.mod", "meson.build", "package.json", "phpunit.xml", "pom.xml",
	"pyproject.toml", "pytest.ini", "run_tests.sh", "setup.cfg", "tests/test_a.py", "tox.ini",
	"CMakeLists.txt", ".mocharc.json", "configure.ac", "a_test.go", "src/CMakeLists.txt",
	"src/Makefile", "src/Cargo.toml", "src/package.json"};

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Write the files. Their paths, and some more, sorted as a tree's are. */
static const char **put(const uint8_t *data, size_t size, struct arena *arena, size_t *ret_n)
{
	static const char *const others[] = {"README", "src/a.py", "tests/b.js"};
	bool is_there[ARRAY_SIZE(files)] = {false};
	const char **paths = NULL;
	size_t n = 0;
	while (size) {
		const uint8_t *end = memchr(data, 1, size);
		size_t length = end ? (size_t)(end - data) : size, file;
		if (length) {
			file = data[0] % ARRAY_SIZE(files);
			fuzz_write(files[file], data + 1, length - 1);
			is_there[file] = true;
		}
		data += length + (end != NULL);
		size -= length + (end != NULL);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (is_there[i])
			ARENA_PUSH(arena, paths, n, files[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ARENA_PUSH(arena, paths, n, others[i]);
	qsort(paths, n, sizeof *paths, compare);
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
	const char *dir = fuzz_dir();
	assert(file_make_dir(fuzz_path("tests"), 0700, &err) == 0 &&
		file_make_dir(fuzz_path("src"), 0700, &err) == 0);
	const char **paths = put(data, size, &arena, &n);
	if (suite_detect(dir, paths, n, "", &arena, &suite, &err) == 0) {
		check(&suite);
		suite_resolve(&suite, dir, &arena);
		check(&suite);
		assert(suite_detect(dir, paths, n, "", &arena, &again, &err) == 0);
		assert(strcmp(suite.command, again.command) == 0);
	} else {
		assert_error(&err);
	}
	size_t n_suites = suite_detect_projects(dir, paths, n, paths, n, 4, &arena, &suites);
	for (size_t i = 0; i < n_suites && i < 4; i++)
		check(&suites[i]);
	AUTO_FREE char *command = fuzz_text(data + 1, size - 1);
	if (*command && !strchr(command, '\n')) {
		suite_from_command(command, "said", &arena, &suite);
		suite_resolve(&suite, dir, &arena);
		assert_text(suite_shown(&suite));
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(fuzz_path(files[i]));
	return 0;
}
