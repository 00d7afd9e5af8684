/* When the screen says again what is done now. */
#include "tests/unit/unit.h"

#include "cli/cli.h"

static void a_terminal_is_redrawn_ten_times_a_second(void **state)
{
	(void)state;
	struct screen screen = {.terminal = true, .drawn_at_ms = 1000};
	assert_true(screen_is_due(&screen, 1000));
	screen.n_live = 1;
	assert_false(screen_is_due(&screen, 1099));
	assert_true(screen_is_due(&screen, 1100));
}

static void a_pipe_gets_one_line_each_ten_seconds(void **state)
{
	(void)state;
	struct screen screen = {.drawn_at_ms = 1000};
	assert_false(screen_is_due(&screen, 1000));
	assert_false(screen_is_due(&screen, 10999));
	assert_true(screen_is_due(&screen, 11000));
}

UNIT(screen)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_is_redrawn_ten_times_a_second),
		cmocka_unit_test(a_pipe_gets_one_line_each_ten_seconds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
