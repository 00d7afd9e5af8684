/* Tokens: what fires them, also by their parents, and what clears them; and threads that no signal
 * reaches. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <signal.h>

#include "base/cancel.h"
#include "base/thread.h"

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

static bool is_readable(const struct cancel *cancel)
{
	struct pollfd fds[CANCEL_FDS];
	return poll(fds, cancel_poll(cancel, fds), 0) > 0;
}

static void a_token_is_cleared(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel cancel;
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_clear(&cancel);
	for (int i = 0; i < 2; i++) {
		cancel_fire(&cancel, SIGTERM);
		cancel_fire(&cancel, SIGINT);
		assert_int_equal(cancel_reason(&cancel), SIGTERM);
		assert_true(is_readable(&cancel));
		cancel_clear(&cancel);
		assert_int_equal(cancel_reason(&cancel), 0);
		assert_false(is_readable(&cancel));
	}
	cancel_release(&cancel);
}

#define ROUNDS 20000

static void *fire(void *owner)
{
	for (int i = 0; i < ROUNDS; i++)
		cancel_fire(owner, SIGTERM);
	return NULL;
}

/* Reason and descriptor agree, however the two meet. */
static void firing_and_clearing_at_the_same_time(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel cancel;
	pthread_t thread;
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	assert_int_equal(pthread_create(&thread, NULL, fire, &cancel), 0);
	for (int i = 0; i < ROUNDS; i++)
		cancel_clear(&cancel);
	pthread_join(thread, NULL);
	assert_int_equal(is_readable(&cancel), cancel_reason(&cancel) != 0);
	cancel_clear(&cancel);
	assert_false(is_readable(&cancel));
	cancel_release(&cancel);
}

static void *look_at_mask(void *owner)
{
	pthread_sigmask(SIG_SETMASK, NULL, owner);
	return NULL;
}

static void signals_from_outside_are_blocked_in_threads(void **state)
{
	(void)state;
	pthread_t thread;
	sigset_t within, before, after;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(thread_start(&thread, look_at_mask, &within), 0);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	static const int outside[] = {
		SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2, SIGIO, SIGWINCH};
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		assert_true(sigismember(&within, outside[i]));
		assert_false(sigismember(&after, outside[i]));
	}
	assert_false(sigismember(&within, SIGSEGV));
}

UNIT(cancel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_deadline_counts),
		cmocka_unit_test(a_parent_fires_its_children),
		cmocka_unit_test(a_token_is_cleared),
		cmocka_unit_test(firing_and_clearing_at_the_same_time),
		cmocka_unit_test(signals_from_outside_are_blocked_in_threads),
	};
	return RUN_TESTS(tests);
}
