/* How fast a provider is asked: what it allows is shared by all who use one account. */
#include "tests/unit/unit.h"

#include <signal.h>

#include "base/clock.h"
#include "models/pace.h"

static const struct context quiet;

/* Waits until a request can be sent. */
static void ask(struct pace *pace, int64_t tokens)
{
	struct rondo_error err;
	assert_int_equal(pace_wait(pace, tokens, "m", &quiet, &err), 0);
}

/* Whether one can be sent now: whoever has to wait is cancelled at once. */
static bool is_free(struct pace *pace, int64_t tokens)
{
	struct cancel cancel;
	struct rondo_error err;
	const struct context ctx = {.cancel = &cancel};
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_fire(&cancel, SIGTERM);
	bool is_sent = pace_wait(pace, tokens, "m", &ctx, &err) == 0;
	assert_true(is_sent || err.code == RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
	return is_sent;
}

static void learn(struct pace *pace, struct http_quota requests, struct http_quota tokens)
{
	pace_learn(
		pace, &(struct http_response){.status = 200, .requests = requests, .tokens = tokens});
}

static const struct http_quota unsaid = {-1, -1, -1};

/* What is taken grows back from then on, however late it is asked for. */
static void what_was_set_is_kept(void **state)
{
	(void)state;
	int64_t start_ms = clock_now_ms();
	struct pace *pace = pace_of("http://a", "k", "set", 0, 60000); /* one a ms */
	assert_true(pace == pace_of("http://a", "k", "set", 0, 60000));
	assert_true(is_free(pace, 60000));
	assert_false(is_free(pace, 60000));
	ask(pace, 150);
	assert_true(clock_now_ms() - start_ms >= 150);
}

/* The first answer took its place. */
static void what_was_set_holds_whatever_the_provider_allows(void **state)
{
	(void)state;
	const struct http_quota much = {1000000, 999999, 1000};
	struct pace *pace = pace_of("http://a", "k", "both", 0, 60000);
	assert_true(is_free(pace, 60000));
	learn(pace, much, much);
	assert_false(is_free(pace, 60000));
	struct pace *other = pace_of("http://a", "k", "other", 1000000, 0);
	learn(other, (struct http_quota){10, 0, 1000000}, unsaid);
	assert_false(is_free(other, 1));
}

static void nobody_waits_where_nothing_is_said(void **state)
{
	(void)state;
	struct pace *pace = pace_of("http://a", NULL, "free", 0, 0);
	learn(pace, unsaid, unsaid);
	learn(pace, (struct http_quota){-1, 0, 0}, (struct http_quota){0, 0, 0});
	for (int i = 0; i < 1000; i++)
		assert_true(is_free(pace, 100000));
}

/* Ten of ten are gone and come back in a second: one each 100 ms. */
static void what_is_left_is_shared_and_grows_back(void **state)
{
	(void)state;
	struct pace *pace = pace_of("http://a", "k", "left", 0, 0);
	int64_t start_ms = clock_now_ms();
	learn(pace, (struct http_quota){10, 0, 1000}, unsaid);
	for (int i = 1; i <= 3; i++) {
		ask(pace, 1);
		assert_true(clock_now_ms() - start_ms >= i * 100);
	}
	learn(pace, (struct http_quota){10, 0, 1000000}, unsaid);
	assert_false(is_free(pace, 1));
	assert_true(is_free(pace_of("http://a", "other", "left", 0, 0), 1));
}

/* One of a million is gone, and the minute has just begun: at that pace all would take years. */
static void tokens_come_back_within_a_minute(void **state)
{
	(void)state;
	struct pace *pace = pace_of("http://a", "k", "windows", 0, 0);
	learn(pace, unsaid, (struct http_quota){1000000, 999999, 60000});
	ask(pace, 1000000);
	int64_t start_ms = clock_now_ms();
	ask(pace, 2000);
	assert_true(clock_now_ms() - start_ms >= 50);
}

static void who_is_told_to_wait_waits_for_all(void **state)
{
	(void)state;
	struct pace *pace = pace_of("http://a", "k", "busy", 0, 0);
	const struct http_response busy = {.status = 429,
		.advice = {.again = true, .after_ms = 150},
		.requests = unsaid,
		.tokens = unsaid};
	int64_t start_ms = clock_now_ms();
	pace_learn(pace, &busy);
	ask(pace, 1);
	assert_true(clock_now_ms() - start_ms >= 150);
	assert_true(is_free(pace, 1));
}

static void a_wait_can_be_cancelled(void **state)
{
	(void)state;
	struct cancel cancel;
	struct rondo_error err;
	const struct context ctx = {.cancel = &cancel};
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	struct pace *pace = pace_of("http://a", "k", "slow", 1, 0);
	assert_int_equal(pace_wait(pace, 1, "m", &ctx, &err), 0);
	cancel_fire(&cancel, SIGTERM);
	assert_int_equal(pace_wait(pace, 1, "m", &ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
}

UNIT(pace)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_set_is_kept),
		cmocka_unit_test(what_was_set_holds_whatever_the_provider_allows),
		cmocka_unit_test(nobody_waits_where_nothing_is_said),
		cmocka_unit_test(what_is_left_is_shared_and_grows_back),
		cmocka_unit_test(tokens_come_back_within_a_minute),
		cmocka_unit_test(who_is_told_to_wait_waits_for_all),
		cmocka_unit_test(a_wait_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
