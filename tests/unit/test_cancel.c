/* Tokens: what fires them, also by their parents. */
#include "tests/unit/unit.h"

#include <signal.h>

#include "base/cancel.h"

static void the_earliest_deadline_counts(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel program, run, turn;
	assert_int_equal(cancel_init(&program, NULL, 0, &err), 0);
	assert_int_equal(cancel_init(&run, &program, 60000, &err), 0);
	assert_int_equal(cancel_init(&turn, &run, 90000, &err), 0);
	assert_int_equal(cancel_deadline(NULL), 0);
	assert_int_equal(cancel_deadline(&program), 0);
	assert_int_equal(cancel_deadline(&run), run.deadline_ms);
	assert_int_equal(cancel_deadline(&turn), run.deadline_ms);
	turn.deadline_ms = run.deadline_ms - 1;
	assert_int_equal(cancel_deadline(&turn), turn.deadline_ms);
	cancel_release(&turn);
	cancel_release(&run);
	cancel_release(&program);
}

static void a_parent_fires_its_children(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel run, turn;
	assert_int_equal(cancel_init(&run, NULL, 0, &err), 0);
	assert_int_equal(cancel_init(&turn, &run, 0, &err), 0);
	assert_int_equal(cancel_reason(&turn), 0);
	cancel_fire(&run, SIGTERM);
	cancel_fire(&run, SIGINT);
	assert_int_equal(cancel_reason(&turn), SIGTERM);
	assert_int_equal(cancel_error(&turn, &err), -1);
	assert_string_equal(err.message, "stopped by SIGTERM");
	cancel_release(&turn);
	cancel_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_deadline_counts),
		cmocka_unit_test(a_parent_fires_its_children),
	};
	return RUN_TESTS(tests);
}
