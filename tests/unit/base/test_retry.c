/* Trying again: how long to wait, and when to stop. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <signal.h>

#include "base/clock.h"
#include "base/http/retry.h"

static const struct retry_options options = {
	.tries = 5, .base_ms = 1000, .cap_ms = 6000, .asked_ms = 120000, .total_ms = 600000};
static const struct retry_advice again = {.again = true, .after_ms = -1};

static void the_longest_wait_doubles_up_to_its_cap(void **state)
{
	(void)state;
	static const int64_t ceilings[] = {1000, 2000, 4000, 6000};
	int64_t longest[4] = {0};
	for (int run = 0; run < 300; run++) {
		struct retry retry;
		retry_init(&retry, &options);
		for (size_t i = 0; i < 4; i++) {
			int64_t delay = retry_delay(&retry, &again);
			assert_in_range(delay, 0, ceilings[i]);
			if (delay > longest[i])
				longest[i] = delay;
		}
		assert_int_equal(retry_delay(&retry, &again), -1);
	}
	for (size_t i = 0; i < 4; i++)
		assert_true(longest[i] > ceilings[i] / 2); /* or 300 coins fell on the same side */
}

static void whoever_is_overloaded_is_given_more_time(void **state)
{
	(void)state;
	static const struct retry_advice overloaded = {
		.again = true, .overloaded = true, .after_ms = -1};
	int64_t longest = 0;
	for (int run = 0; run < 300; run++) {
		struct retry retry;
		retry_init(&retry, &options);
		int64_t delay = retry_delay(&retry, &overloaded);
		assert_in_range(delay, 0, 5000);
		if (delay > longest)
			longest = delay;
	}
	assert_true(longest > 1000);
}

static void what_the_server_asks_for_is_done_within_bounds(void **state)
{
	(void)state;
	struct retry retry;
	retry_init(&retry, &options);
	assert_int_equal(retry_delay(&retry, &(struct retry_advice){.again = true, .after_ms = 0}), 0);
	assert_int_equal(
		retry_delay(&retry, &(struct retry_advice){.again = true, .after_ms = 120000}), 120000);
	assert_int_equal(
		retry_delay(&retry, &(struct retry_advice){.again = true, .after_ms = 120001}), -1);
}

static void what_no_second_try_mends_is_not_tried_again(void **state)
{
	(void)state;
	struct retry retry;
	retry_init(&retry, &options);
	assert_int_equal(
		retry_delay(&retry, &(struct retry_advice){.again = false, .after_ms = 5}), -1);
}

static void all_tries_together_have_a_time(void **state)
{
	(void)state;
	struct retry retry;
	struct retry_options hasty = options;
	hasty.total_ms = 10000;
	retry_init(&retry, &hasty);
	assert_int_equal(
		retry_delay(&retry, &(struct retry_advice){.again = true, .after_ms = 9000}), 9000);
	assert_int_equal(
		retry_delay(&retry, &(struct retry_advice){.again = true, .after_ms = 11000}), -1);
}

static void *fire(void *cancel)
{
	cancel_fire(cancel, SIGINT);
	return NULL;
}

static void a_wait_ends_with_its_time_or_the_token(void **state)
{
	(void)state;
	struct cancel cancel;
	struct rondo_error err;
	pthread_t thread;
	int64_t start = clock_now_ms();
	assert_true(retry_sleep(2, NULL));
	assert_true(clock_now_ms() - start >= 2);
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	pthread_create(&thread, NULL, fire, &cancel);
	assert_false(retry_sleep(60000, &cancel));
	pthread_join(thread, NULL);
	assert_true(clock_now_ms() - start < 30000);
	cancel_release(&cancel);
}

UNIT(retry)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_wait_doubles_up_to_its_cap),
		cmocka_unit_test(whoever_is_overloaded_is_given_more_time),
		cmocka_unit_test(what_the_server_asks_for_is_done_within_bounds),
		cmocka_unit_test(what_no_second_try_mends_is_not_tried_again),
		cmocka_unit_test(all_tries_together_have_a_time),
		cmocka_unit_test(a_wait_ends_with_its_time_or_the_token),
	};
	return RUN_TESTS(tests);
}
