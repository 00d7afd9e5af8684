/* Dates that what is made bears. */
#include "tests/unit/unit.h"

#include <math.h>

#include "base/clock.h"

static void date_of_the_environment_counts(void **state)
{
	(void)state;
	struct rondo_error err;
	int64_t date_ms;
	char text[CLOCK_DATE_SIZE];
	setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
	assert_int_equal(clock_made_ms(&date_ms, &err), 0);
	clock_format_date(date_ms, text);
	assert_string_equal(text, "2023-11-14T22:13:20.000Z");
	setenv("SOURCE_DATE_EPOCH", "0", 1);
	assert_int_equal(clock_made_ms(&date_ms, &err), 0);
	assert_int_equal(date_ms, 0);
}

static void without_one_it_is_now(void **state)
{
	(void)state;
	struct rondo_error err;
	int64_t date_ms, before = clock_date_ms();
	unsetenv("SOURCE_DATE_EPOCH");
	assert_int_equal(clock_made_ms(&date_ms, &err), 0);
	assert_true(date_ms >= before && date_ms <= clock_date_ms());
}

static void what_is_no_date_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"", "x", "-1", "+1", " 1", "1.5", "1e9", "12 ", "253402300800", "99999999999999999999"};
	struct rondo_error err;
	int64_t date_ms;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("SOURCE_DATE_EPOCH", bad[i], 1);
		assert_int_equal(clock_made_ms(&date_ms, &err), -1);
		assert_int_equal(err.code, RONDO_ERROR_USAGE);
		assert_non_null(strstr(err.message, bad[i]));
		assert_non_null(strstr(err.help, "unset it"));
		assert_true(date_ms > 0);
	}
	unsetenv("SOURCE_DATE_EPOCH");
}

static void seconds_that_nobody_measured_are_none(void **state)
{
	(void)state;
	assert_int_equal(clock_ms_of(1.25), 1250);
	assert_int_equal(clock_ms_of(-1), 0);
	assert_int_equal(clock_ms_of(INFINITY), 0);
	assert_int_equal(clock_ms_of(1e300), 0);
	assert_int_equal(clock_ms_of(NAN), 0);
}

UNIT(clock)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_that_nobody_measured_are_none),
		cmocka_unit_test(date_of_the_environment_counts),
		cmocka_unit_test(without_one_it_is_now),
		cmocka_unit_test(what_is_no_date_is_refused),
	};
	return RUN_TESTS(tests);
}
