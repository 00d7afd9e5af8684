/* Libraries that are loaded when they are needed. */
#include "base/library.h"

#include <string.h>

#include "base/memory.h"
#include "tests/unit/unit.h"

static double (*root)(double number);
static int begun;

static void begin(void)
{
	begun++;
}

static const struct library_function functions[] = {{"sqrt", &root}};

static void a_library_is_loaded_once(void **state)
{
	(void)state;
	struct rondo_error err;
	struct library library = {.file = "libm.so.6",
		.package = "libc6",
		.functions = functions,
		.n = 1,
		.begin = begin,
		.lock = PTHREAD_MUTEX_INITIALIZER};
	assert_int_equal(library_need(&library, &err), 0);
	assert_int_equal(library_need(&library, &err), 0);
	assert_int_equal(begun, 1);
	assert_true(root(9) > 2.9 && root(9) < 3.1);
}

static void one_that_is_missing_is_told_with_its_package(void **state)
{
	(void)state;
	struct rondo_error err;
	struct library library = {
		.file = "libnowhere.so.7", .package = "libnowhere7", .lock = PTHREAD_MUTEX_INITIALIZER};
	for (int i = 0; i < 2; i++) {
		assert_int_equal(library_need(&library, &err), -1);
		assert_string_equal(err.message,
			"libnowhere cannot be loaded: libnowhere.so.7: cannot open shared object file: "
			"No such file or directory");
		assert_string_equal(err.help, "apt-get install libnowhere7");
	}
	free(library.missing);
}

static void one_without_a_function_is_of_no_use(void **state)
{
	(void)state;
	struct rondo_error err;
	void (*none)(void);
	const struct library_function wanted[] = {{"sqrt", &root}, {"no_such_function", &none}};
	struct library library = {.file = "libm.so.6",
		.package = "libc6",
		.functions = wanted,
		.n = 2,
		.begin = begin,
		.lock = PTHREAD_MUTEX_INITIALIZER};
	begun = 0;
	assert_int_equal(library_need(&library, &err), -1);
	assert_non_null(strstr(err.message, "undefined symbol: no_such_function"));
	assert_int_equal(begun, 0);
	free(library.missing);
}

UNIT(library)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_library_is_loaded_once),
		cmocka_unit_test(one_that_is_missing_is_told_with_its_package),
		cmocka_unit_test(one_without_a_function_is_of_no_use),
	};
	return RUN_TESTS(tests);
}
