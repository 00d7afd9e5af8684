/* What every unit test includes first: cmocka needs these headers in this order. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)
