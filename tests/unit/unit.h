/* What every unit test includes first: cmocka needs these headers in this order. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TOP_SIZE = 256 };

/* A directory of the test's own in TMPDIR, which make check puts in memory: its path, or NULL. */
__attribute__((unused)) static char *make_top(char top[TOP_SIZE])
{
	const char *dir = getenv("TMPDIR");
	snprintf(top, TOP_SIZE, "%s/rondo-test-XXXXXX", dir && *dir ? dir : "/tmp");
	return mkdtemp(top);
}

/* From here on no descriptor can be opened. Gives the usual limit, to be set again. */
struct rlimit no_descriptors(void);

#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* The tests of one file: test_NOUN.c ends with UNIT(NOUN) and the body of a function that runs
 * them. */
struct unit {
	const char *noun;
	int (*run)(void); /* gives how many failed */
	struct unit *next;
};

/* Add it to those that this binary runs. */
void unit_add(struct unit *unit);

#define UNIT(noun_) \
	static int noun_##_unit(void); \
	__attribute__((constructor)) static void noun_##_unit_add(void) \
	{ \
		static struct unit unit = {.noun = #noun_, .run = noun_##_unit}; \
		unit_add(&unit); \
	} \
	static int noun_##_unit(void)
