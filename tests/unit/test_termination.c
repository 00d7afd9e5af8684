#include "tests/unit/unit.h"

#include "base/memory.h"
#include "termination/termination.h"

static struct arena arena;

/* With settings "name=value". */
static struct termination *new_condition(
	const struct termination_type *type, const char *const *settings, size_t n)
{
	struct rondo_error err;
	void *options = arena_alloc(&arena, type->state_size);
	if (type->options)
		option_defaults(type->options, options, &arena);
	for (size_t i = 0; i < n; i++) {
		const char *equals = strchr(settings[i], '=');
		const char *name = arena_strndup(&arena, settings[i], (size_t)(equals - settings[i]));
		const struct option *option = option_find(type->options, name, "key", &err);
		assert_non_null(option);
		assert_int_equal(option_set(option, options, &arena, equals + 1, &err), 0);
	}
	return termination_new(&arena, type, options, NULL, NULL);
}

/* `or` or `and` of two; what they are made of is their first option. */
static struct termination *new_combination(const struct termination_type *type,
	struct termination *one, struct termination *other, const char *verdict)
{
	char *options = arena_alloc(&arena, type->state_size);
	struct option_specs *conditions = (void *)(options + type->options[0].offset);
	ARENA_PUSH(&arena, conditions->items, conditions->n, (struct option_spec){.object = one});
	ARENA_PUSH(&arena, conditions->items, conditions->n, (struct option_spec){.object = other});
	return termination_new(&arena, type, options, &(struct termination_common){verdict}, NULL);
}

static bool check_one(struct termination *condition, const struct rondo_message *message,
	struct termination_reason *reason)
{
	struct context ctx = {0};
	struct rondo_error err;
	return termination_check(condition, (struct message_span){&message, 1}, reason, &ctx, &err) == 1;
}

static bool check_nothing(struct termination *condition)
{
	struct termination_reason reason;
	struct context ctx = {0};
	struct rondo_error err;
	return termination_check(condition, (struct message_span){0}, &reason, &ctx, &err) == 1;
}

static bool says(struct termination *condition, const char *source, const char *content)
{
	struct termination_reason reason;
	struct rondo_message message = {.source = source, .content = content};
	bool fired = check_one(condition, &message, &reason);
	termination_reset(condition);
	return fired;
}

static void text_mention_wants_a_word_of_an_agent(void **state)
{
	(void)state;
	struct termination *word = new_condition(&text_mention_termination, NULL, 0);
	assert_true(says(word, "coder", "done. TERMINATE."));
	assert_false(says(word, "coder", "INDETERMINATE"));
	assert_false(says(word, "coder", "TERMINATED"));
	assert_false(says(word, "user", "say TERMINATE when you are done"));
}

static void text_mention_has_modes_and_sources(void **state)
{
	(void)state;
	static const char *const any[] = {"text=PASS", "mode=substring"}, *const line[] = {"text=PASS", "mode=line"};
	static const char *const only[] = {"sources=coder", "sources=user"};
	struct termination *substring = new_condition(&text_mention_termination, any, 2);
	struct termination *whole_line = new_condition(&text_mention_termination, line, 2);
	struct termination *sources = new_condition(&text_mention_termination, only, 2);
	assert_true(says(substring, "executor", "2 PASSED"));
	assert_false(says(whole_line, "executor", "tests PASS"));
	assert_true(says(whole_line, "executor", "all\nPASS\nend"));
	assert_true(says(sources, "user", "TERMINATE"));
	assert_false(says(sources, "executor", "TERMINATE"));
}

static void tests_pass_believes_the_report_not_the_words(void **state)
{
	(void)state;
	struct termination_reason reason;
	struct termination *condition = new_condition(&tests_pass_termination, NULL, 0);
	struct rondo_message said = {.source = "coder", .content = "TESTS PASS", .data = "{\"ok\":true}"};
	struct rondo_message red = {.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester",
		.content = "TESTS PASS", .data = "{\"ok\":false}"};
	struct rondo_message green = {.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester",
		.content = "", .data = "{\"ok\":true}"};
	assert_false(check_one(condition, &said, &reason));
	assert_false(check_one(condition, &red, &reason));
	assert_true(check_one(condition, &green, &reason));
	assert_string_equal(reason.text, "tests pass, says 'tester'");
	assert_int_equal(reason.verdict, RONDO_VERDICT_SUCCESS);
}

static void or_fires_with_the_first_and_says_which(void **state)
{
	(void)state;
	static const char *const text[] = {"text=STOP"};
	struct termination *tests = new_condition(&tests_pass_termination, NULL, 0);
	struct termination *mention = new_condition(&text_mention_termination, text, 1);
	struct termination *any = new_combination(&or_termination, tests, mention, NULL);
	struct termination_reason reason;
	struct rondo_message message = {.source = "coder", .content = "STOP"};
	mention->verdict = RONDO_VERDICT_STALL;
	assert_true(check_one(any, &message, &reason));
	assert_string_equal(reason.text, "Text 'STOP' mentioned");
	assert_int_equal(reason.verdict, RONDO_VERDICT_STALL);
	assert_true(check_one(
		new_combination(&or_termination, tests, new_condition(&text_mention_termination, text, 1), "limit"),
		&message, &reason));
	assert_int_equal(reason.verdict, RONDO_VERDICT_LIMIT);
}

static void and_latches_until_all_have_fired(void **state)
{
	(void)state;
	static const char *const one[] = {"text=ONE"}, *const two[] = {"text=TWO"};
	struct termination *all = new_combination(&and_termination, new_condition(&text_mention_termination, one, 1),
		new_condition(&text_mention_termination, two, 1), NULL);
	struct termination_reason reason;
	struct rondo_message first = {.source = "a", .content = "ONE"}, second = {.source = "b", .content = "TWO"};
	for (int round = 0; round < 2; round++) {
		assert_false(check_one(all, &first, &reason));
		assert_false(check_one(all, &first, &reason));
		assert_true(check_one(all, &second, &reason));
		assert_string_equal(reason.text, "Text 'ONE' mentioned, Text 'TWO' mentioned");
		termination_reset(all);
	}
}

static struct termination *new_of_any(const struct termination_type *type)
{
	if (!type->options || type->options[0].kind != OPTION_CHILDREN)
		return new_condition(type, NULL, 0);
	return new_combination(type, new_condition(&text_mention_termination, NULL, 0),
		new_condition(&text_mention_termination, NULL, 0), NULL);
}

/* Every type, whatever it is: does not fire on nothing, stays fired, is as new after a reset. */
static void every_type_conforms(void **state)
{
	(void)state;
	for (size_t i = 0; i < termination_types_n; i++) {
		const struct termination_type *type = termination_types[i];
		struct termination *condition = new_of_any(type);
		struct termination_reason reason;
		struct rondo_message message = {.type = RONDO_MESSAGE_TEST_REPORT, .source = "x",
			.content = "TERMINATE", .data = "{\"ok\":true}"};
		assert_true(type->name[0] && type->summary[0]);
		assert_string_equal(termination_family.type(i).name, type->name);
		assert_false(check_nothing(condition));
		assert_true(check_one(condition, &message, &reason));
		assert_true(reason.text[0]);
		assert_true(check_nothing(condition));
		termination_reset(condition);
		assert_false(check_nothing(condition));
	}
}

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_mention_wants_a_word_of_an_agent),
		cmocka_unit_test(text_mention_has_modes_and_sources),
		cmocka_unit_test(tests_pass_believes_the_report_not_the_words),
		cmocka_unit_test(or_fires_with_the_first_and_says_which),
		cmocka_unit_test(and_latches_until_all_have_fired),
		cmocka_unit_test(every_type_conforms),
	};
	return cmocka_run_group_tests(tests, NULL, release);
}
