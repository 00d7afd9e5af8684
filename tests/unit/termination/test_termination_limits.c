/* Conditions that count: messages, tokens, money, time, and how often nothing came of it. Numbers
 * as in test_termination_said.c. */
#include "tests/unit/termination_fixture.h"

#include "base/clock.h"

static const struct rondo_message hello = {.source = "a", .content = "hello"};

/* #5425, 27: what is counted is said; events do not count. */
static void max_messages_counts_what_is_said(void **state)
{
	(void)state;
	struct termination *condition = NEW(max_messages, "max=3");
	const struct rondo_message task = {.source = "user", .content = "task"};
	struct termination_reason reason;
	for (int round = 0; round < 2; round++) {
		assert_false(check_nothing(condition));
		assert_false(check_one(condition, &task, &reason));
		assert_false(check_one(condition, &hello, &reason));
		assert_fires(condition, &hello, RONDO_STOP_LIMIT,
			"Maximum number of messages 3 reached, current message count: 3");
		assert_true(check_nothing(condition));
		termination_reset(condition);
	}
}

/* A nested team says several at once: the count may overshoot, and the message is the one that
 * reached the limit. */
static void max_messages_may_overshoot(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	struct rondo_message messages[4] = {hello, hello, hello, hello};
	const struct rondo_message *const span[] = {
		&messages[0], &messages[1], &messages[2], &messages[3]};
	struct termination *condition = NEW(max_messages, "max=2");
	assert_int_equal(check_span(condition, span, 4, &reason, &err), 1);
	assert_string_equal(
		reason.text, "Maximum number of messages 2 reached, current message count: 4");
	assert_ptr_equal(reason.message, &messages[1]);
}

static struct rondo_message usage(int64_t prompt, int64_t completion)
{
	return (struct rondo_message){
		.source = "a", .content = "x", .models_usage = {prompt, completion}};
}

static bool uses(struct termination *condition, int64_t prompt, int64_t completion)
{
	struct termination_reason reason;
	struct rondo_message message = usage(prompt, completion);
	return check_one(condition, &message, &reason);
}

/* 41: test_token_usage_termination; equality fires. */
static void token_usage_sums_up(void **state)
{
	(void)state;
	struct termination *total = NEW(token_usage, "total=10");
	struct rondo_message ten = usage(10, 10);
	assert_false(check_nothing(total));
	assert_fires(total, &ten, RONDO_STOP_LIMIT,
		"Token usage limit reached, total token count: 20, prompt token count: 10, completion "
		"token count: 10.");
	termination_reset(total);
	assert_false(uses(total, 1, 1));
	assert_false(uses(total, 1, 1));
	termination_reset(total);
	assert_false(uses(total, 5, 0));
	assert_true(uses(total, 0, 5));
	struct termination *prompt = NEW(token_usage, "prompt=5", "total=100"),
					   *completion = NEW(token_usage, "completion=5");
	assert_false(uses(prompt, 4, 50));
	assert_true(uses(prompt, 1, 0));
	assert_false(uses(completion, 90, 4));
	assert_true(uses(completion, 0, 1));
	assert_options(&token_usage_termination, NULL,
		"at least one of total, prompt and completion must be given");
	assert_options(&token_usage_termination, SETTINGS("completion=1"), "");
}

static void pay(struct budget *budget, int64_t prompt, const struct price *price)
{
	budget_settle(
		budget, &(struct budget_hold){0}, &(struct rondo_usage){.prompt_tokens = prompt}, price);
}

/* #5620, #4835: since the last reset; what nobody knows is said, and never taken for nothing. */
static void max_cost_asks_the_budget(void **state)
{
	(void)state;
	static const struct price price = {.input = 1, .known = true}, unknown;
	struct budget budget;
	struct termination_services services = {.budget = &budget};
	budget_init(&budget, 0, 0);
	struct termination *condition =
		new_condition_of(&max_cost_termination, &services, SETTINGS("usd=0.50"));
	assert_false(check_nothing(condition));
	pay(&budget, 499999, &price);
	assert_false(check_nothing(condition));
	pay(&budget, 1, &price);
	assert_fires(condition, &hello, RONDO_STOP_LIMIT,
		"Maximum cost of 0.5 USD reached, current cost: 0.5 USD");
	termination_reset(condition);
	assert_false(check_nothing(condition));
	pay(&budget, 1, &unknown);
	assert_false(check_nothing(condition));
	pay(&budget, 600000, &price);
	assert_fires(condition, &hello, RONDO_STOP_LIMIT,
		"Maximum cost of 0.5 USD reached, current cost: 0.6 USD; 1 call of unknown cost");
	assert_false(check_nothing(NEW(max_cost, "usd=0.5")));
	assert_options(&max_cost_termination, SETTINGS("usd=0"), "usd must be more than 0");
	budget_release(&budget);
}

/* A state that is loaded into another program has none of the money that was spent before. */
static void max_cost_counts_by_its_own_budget(void **state)
{
	(void)state;
	static const struct price price = {.input = 1, .known = true};
	struct budget budgets[2];
	struct termination *conditions[2];
	for (size_t i = 0; i < 2; i++) {
		struct termination_services *services = arena_alloc(&arena, sizeof *services);
		services->budget = &budgets[i];
		budget_init(&budgets[i], 0, 0);
		conditions[i] = new_condition_of(&max_cost_termination, services, SETTINGS("usd=0.50"));
	}
	pay(&budgets[0], 400000, &price);
	termination_reset(conditions[0]);
	AUTO_JSON *saved = termination_save(conditions[0]);
	termination_load(conditions[1], saved);
	assert_false(check_nothing(conditions[1]));
	pay(&budgets[1], 500000, &price);
	assert_fires(conditions[1], &hello, RONDO_STOP_LIMIT,
		"Maximum cost of 0.5 USD reached, current cost: 0.5 USD");
	budget_release(&budgets[0]);
	budget_release(&budgets[1]);
}

/* As if so much of the run had gone by. */
static void let_pass(struct termination *condition, int64_t elapsed_ms)
{
	struct rondo_error err;
	const char *text = arena_printf(&arena, "{\"elapsed_ms\":%d}", (int)elapsed_ms);
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	termination_load(condition, json);
}

static void assert_times_out(struct termination *condition, const char *text)
{
	struct termination_reason reason;
	struct rondo_error err;
	assert_int_equal(check_span(condition, NULL, 0, &reason, &err), 1);
	assert_string_equal(reason.text, text);
	assert_int_equal(reason.stop_kind, RONDO_STOP_LIMIT);
	assert_null(reason.message);
}

/* AutoGen's clock starts when the condition is made. */
static void timeout_goes_from_the_start_of_the_run(void **state)
{
	(void)state;
	struct termination *condition = NEW(timeout, "after=90s");
	assert_int_equal(termination_deadline(condition), 0);
	assert_false(check_nothing(condition));
	termination_start(condition);
	int64_t left_ms = termination_deadline(condition) - clock_now_ms();
	assert_true(left_ms > 80000 && left_ms <= 90000);
	assert_false(check_nothing(condition));
	let_pass(condition, 60000);
	left_ms = termination_deadline(condition) - clock_now_ms();
	assert_true(left_ms > 20000 && left_ms <= 30000);
	assert_false(check_nothing(condition));
	let_pass(condition, 90000);
	assert_times_out(condition, "Timeout of 90 seconds reached");
	assert_int_equal(termination_deadline(condition), 0);
	termination_reset(condition);
	assert_false(check_nothing(condition));
	struct termination *short_one = NEW(timeout, "after=250ms");
	let_pass(short_one, 250);
	assert_times_out(short_one, "Timeout of 0.25 seconds reached");
}

static bool reports(
	struct termination *condition, const char *data, struct termination_reason *reason)
{
	return check_one(condition,
		&(struct rondo_message){
			.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester", .content = "", .data = data},
		reason);
}

#define FAILING_1 "{\"failing\":[\"a\"],\"fixed\":[\"b\",\"c\"]}"
#define FAILING_2 "{\"failing\":[\"a\",\"b\"],\"fixed\":[\"c\"]}"
#define FAILING_3 "{\"failing\":[\"a\",\"b\",\"c\"],\"fixed\":[]}"

/* #254, #108: the set of failing tests has to shrink; going to and fro is no progress. */
static void no_progress_sees_a_set_that_does_not_shrink(void **state)
{
	(void)state;
	struct termination *condition = NEW(no_progress, "turns=3");
	struct termination_reason reason;
	for (int round = 0; round < 2; round++) {
		assert_false(reports(condition, FAILING_3, &reason));
		assert_false(reports(condition, FAILING_3, &reason));
		assert_false(reports(condition, FAILING_2, &reason));
		assert_false(reports(condition, FAILING_3, &reason));
		assert_false(reports(condition, FAILING_2, &reason));
		assert_false(check_one(condition, &hello, &reason));
		assert_true(reports(condition, FAILING_2, &reason));
		assert_string_equal(
			reason.text, "no progress: 3 test reports in a row with no fewer than 2 failing");
		assert_int_equal(reason.stop_kind, RONDO_STOP_STALL);
		termination_reset(condition);
	}
	assert_true(reports(NEW(no_progress, "turns=1"), FAILING_3, &reason));
	assert_false(reports(NEW(no_progress, "turns=1"), FAILING_1, &reason));
	assert_true(reports(NEW(no_progress, "turns=1"), NULL, &reason));
}

/* #108, #1406: "thank you" and "you are welcome" for ever. */
static void no_progress_sees_an_agent_that_repeats_itself(void **state)
{
	(void)state;
	struct termination *condition = NEW_PLAIN(no_progress);
	struct termination_reason reason;
	const struct rondo_message thanks = {.source = "a", .content = "Thank you!"};
	const struct rondo_message welcome = {.source = "b", .content = "You are welcome!"};
	const struct rondo_message other = {.source = "a", .content = "One more thing."};
	assert_false(check_one(condition, &thanks, &reason));
	assert_false(check_one(condition, &thanks, &reason));
	assert_false(check_one(condition, &other, &reason));
	for (int i = 0; i < 2; i++) {
		assert_false(check_one(condition, &thanks, &reason));
		assert_false(check_one(condition, &welcome, &reason));
	}
	assert_fires(
		condition, &thanks, RONDO_STOP_STALL, "no progress: 'a' said the same 3 times in a row");
}

/* Different edits under the same words, and the same answer to them. */
static void what_differs_is_no_repetition(void **state)
{
	(void)state;
	struct termination *condition = NEW_PLAIN(no_progress);
	struct termination_reason reason;
	const struct rondo_message edits[] = {{.type = RONDO_MESSAGE_EDIT,
											  .source = "coder",
											  .content = "I mend it.",
											  .data = "{\"files\":[1]}"},
		{.type = RONDO_MESSAGE_EDIT,
			.source = "coder",
			.content = "I mend it.",
			.data = "{\"files\":[2]}"}};
	const struct rondo_message done = {
		.type = RONDO_MESSAGE_CODE_EXECUTION, .source = "executor", .content = "1 file changed"};
	const struct rondo_message task = {.source = "user", .content = "again"};
	for (size_t i = 0; i < 9; i++) {
		assert_false(check_one(condition, &task, &reason));
		assert_false(check_one(condition, &edits[i % 2], &reason));
		assert_false(check_one(condition, &done, &reason));
	}
	assert_false(check_one(condition, &edits[0], &reason));
	assert_true(check_one(condition, &edits[0], &reason));
}

UNIT(termination_limits)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(max_messages_counts_what_is_said),
		cmocka_unit_test(max_messages_may_overshoot),
		cmocka_unit_test(token_usage_sums_up),
		cmocka_unit_test(max_cost_asks_the_budget),
		cmocka_unit_test(max_cost_counts_by_its_own_budget),
		cmocka_unit_test(timeout_goes_from_the_start_of_the_run),
		cmocka_unit_test(no_progress_sees_a_set_that_does_not_shrink),
		cmocka_unit_test(no_progress_sees_an_agent_that_repeats_itself),
		cmocka_unit_test(what_differs_is_no_repetition),
	};
	return RUN_TERMINATION_TESTS(tests);
}
