/* reads: environments of Python in a checkout */
/* Up to the byte 1 it is the pyvenv.cfg of .venv, then that of another environment, then a program.
 * What is found has an absolute path or one below; what a program says that it needs is text. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/python_place.h"

static const char *const files[] = {".venv/pyvenv.cfg", "venv/pyvenv.cfg", "pyproject.toml"};

static void begin(void)
{
	static const char *const dirs[] = {
		".venv/bin", ".venv/lib/python3.11/site-packages/pytest", "venv/bin", "home/.config"};
	struct rondo_error err;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		assert(file_make_dir(fuzz_path(dirs[i]), 0700, &err) == 0);
	fuzz_write(".venv/bin/python3", "", 0);
	fuzz_write("venv/bin/python3", "", 0);
	assert(chmod(fuzz_path(".venv/bin/python3"), 0700) == 0);
	assert(chmod(fuzz_path("venv/bin/python3"), 0700) == 0);
	setenv("HOME", fuzz_path("home"), 1);
	assert(chdir(fuzz_dir()) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct python_place place;
	static bool is_ready;
	static const char *const paths[] = {"pyproject.toml", "tests/test_a.py"};
	struct suite suite = {.type = &pytest_suite, .command = "pytest"};
	if (!is_ready)
		begin();
	is_ready = true;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const uint8_t *end = size ? memchr(data, 1, size) : NULL;
		size_t n = end ? (size_t)(end - data) : size;
		fuzz_write(files[i], data, n);
		data += n + (end != NULL);
		size -= n + (end != NULL);
	}
	static const char *const names[] = {"pytest", "absent"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *why;
		const char *prefix =
			python_find_environment(fuzz_dir(), paths, ARRAY_SIZE(paths), names[i], &arena, &why);
		assert(!prefix || *prefix == '/');
		assert_text(why);
	}
	if (python_find_place(&suite, fuzz_dir(), paths, ARRAY_SIZE(paths), &arena, &place, &err) < 0)
		assert_error(&err);
	else
		assert_text(place.told);
	return 0;
}
