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

enum { TOP_SIZE = 256 };

/* A directory of the test's own in TMPDIR, which make check puts in memory: its path, or NULL. */
__attribute__((unused)) static char *make_top(char top[TOP_SIZE])
{
	const char *dir = getenv("TMPDIR");
	snprintf(top, TOP_SIZE, "%s/rondo-test-XXXXXX", dir && *dir ? dir : "/tmp");
	return mkdtemp(top);
}

#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)
