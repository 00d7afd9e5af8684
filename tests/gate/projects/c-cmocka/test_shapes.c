#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "shapes.h"

static void area_multiplies(void **state)
{
	(void)state;
	assert_int_equal(area(3, 5), 15);
}

static void perimeter_goes_around(void **state)
{
	(void)state;
	assert_int_equal(perimeter(3, 5), 16);
}

static void kind_knows_squares(void **state)
{
	(void)state;
	assert_string_equal(kind(2, 2), "square");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(area_multiplies),
		cmocka_unit_test(perimeter_goes_around),
		cmocka_unit_test(kind_knows_squares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
