/* What a run may spend: asked before, settled after, by several threads at a time. */
#include "tests/unit/unit.h"

#include "chat/budget.h"

#define TOKENS(in, out) \
	{ \
		.prompt_tokens = (in), .completion_tokens = (out) \
	}

static const struct price cheap = {.input = 1, .output = 10, .known = true}, unknown;

static void there_is_room_until_a_limit(void **state)
{
	(void)state;
	struct budget budget;
	struct budget_hold hold;
	char reason[200];
	budget_init(&budget, 1000, 0);
	assert_true(
		budget_reserve(&budget, &(struct rondo_usage){.prompt_tokens = 600}, &cheap, &hold));
	assert_false(budget_is_exhausted(&budget, reason, sizeof reason));
	budget_settle(&budget, &hold,
		&(struct rondo_usage){.prompt_tokens = 500, .completion_tokens = 100}, &cheap);
	assert_false(
		budget_reserve(&budget, &(struct rondo_usage){.prompt_tokens = 401}, &cheap, &hold));
	assert_true(budget_is_exhausted(&budget, reason, sizeof reason));
	assert_string_equal(
		reason, "600 of 1000 tokens are spent, and the next call would take about 401");
	assert_false(budget_reserve(&budget, &(struct rondo_usage){.prompt_tokens = 1}, &cheap, &hold));
	budget_release(&budget);
}

/* What the answer took is only known then; no call is asked for. */
static void a_call_may_come_to_more_than_the_limit(void **state)
{
	(void)state;
	static const struct rondo_usage much = TOKENS(500, 1500);
	struct budget tokens, money;
	char reason[200];
	budget_init(&tokens, 1000, 0);
	budget_settle(&tokens, &(struct budget_hold){0}, &much, &cheap);
	assert_true(budget_is_exhausted(&tokens, reason, sizeof reason));
	assert_string_equal(reason, "2000 of 1000 tokens are spent");
	budget_init(&money, 0, 0.01);
	budget_settle(&money, &(struct budget_hold){0}, &much, &cheap);
	assert_true(budget_is_exhausted(&money, reason, sizeof reason));
	assert_string_equal(reason, "0.0155 of 0.01 USD are spent");
	budget_release(&tokens);
	budget_release(&money);
}

/* Two attempts at once: the second sees what the first holds. */
static void what_is_held_counts(void **state)
{
	(void)state;
	struct budget budget;
	struct budget_hold first, second;
	budget_init(&budget, 0, 0.01);
	assert_true(
		budget_reserve(&budget, &(struct rondo_usage){.prompt_tokens = 8000}, &cheap, &first));
	assert_false(
		budget_reserve(&budget, &(struct rondo_usage){.prompt_tokens = 8000}, &cheap, &second));
	char reason[200];
	assert_true(budget_is_exhausted(&budget, reason, sizeof reason));
	assert_string_equal(reason,
		"0 of 0.01 USD are spent, calls under way take about 0.008, and the next call would "
		"take about 0.008");
	budget_settle(&budget, &first, NULL, &cheap);
	budget_release(&budget);
}

static void what_is_unknown_is_said_to_be(void **state)
{
	(void)state;
	struct budget budget;
	struct budget_hold hold;
	AUTO_STRBUF text = STRBUF_INIT(1000);
	budget_init(&budget, 0, 0);
	static const struct {
		struct rondo_usage usage;
		const struct price *price;
		bool usage_known;
		const char *said;
	} calls[] = {
		{TOKENS(1000, 100), &unknown, true, "1100 tokens, cost unknown"},
		{TOKENS(1000, 100), &cheap, true, "2200 tokens, at least 0.002 USD"},
		{TOKENS(0, 0), &cheap, false, "at least 2200 tokens, at least 0.002 USD"},
	};
	budget_describe(&budget, &text);
	assert_string_equal(text.text, "0 tokens, 0 USD");
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		strbuf_reset(&text);
		assert_true(budget_reserve(&budget, &calls[i].usage, calls[i].price, &hold));
		budget_settle(
			&budget, &hold, calls[i].usage_known ? &calls[i].usage : NULL, calls[i].price);
		budget_describe(&budget, &text);
		assert_string_equal(text.text, calls[i].said);
	}
	int64_t n_unknown;
	assert_true(budget_spent(&budget, &n_unknown) > 0.0019);
	assert_int_equal(n_unknown, 2);
	budget_release(&budget);
}

static void no_budget_is_no_limit(void **state)
{
	(void)state;
	struct budget_hold hold;
	char reason[10];
	assert_true(
		budget_reserve(NULL, &(struct rondo_usage){.prompt_tokens = 1000000}, &cheap, &hold));
	budget_settle(NULL, &hold, NULL, &cheap);
	assert_false(budget_is_exhausted(NULL, reason, sizeof reason));
}

static void *spend(void *owner)
{
	struct budget *budget = owner;
	struct budget_hold hold;
	for (int i = 0; i < 1000; i++)
		if (budget_reserve(budget, &(struct rondo_usage){.prompt_tokens = 1}, &cheap, &hold))
			budget_settle(budget, &hold, &(struct rondo_usage){.prompt_tokens = 1}, &cheap);
	return NULL;
}

static void threads_never_overspend(void **state)
{
	(void)state;
	struct budget budget;
	pthread_t threads[4];
	budget_init(&budget, 1500, 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, spend, &budget), 0);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_in_range(budget.usage.prompt_tokens, 1400, 1500);
	assert_int_equal(budget.held_tokens, 0);
	budget_release(&budget);
}

UNIT(budget)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_room_until_a_limit),
		cmocka_unit_test(a_call_may_come_to_more_than_the_limit),
		cmocka_unit_test(what_is_held_counts),
		cmocka_unit_test(what_is_unknown_is_said_to_be),
		cmocka_unit_test(no_budget_is_no_limit),
		cmocka_unit_test(threads_never_overspend),
	};
	return RUN_TESTS(tests);
}
