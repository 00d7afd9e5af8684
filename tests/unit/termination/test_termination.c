/* Conditions made of conditions, and the rules to which every type is held. Numbers as in
 * test_termination_said.c. */
#include "tests/unit/termination_fixture.h"

#include <stdio.h>

static struct termination *on(const char *text)
{
	return new_condition_of(
		&text_mention_termination, NULL, SETTINGS(arena_printf(&arena, "text=%s", text)));
}

static void or_fires_with_the_first_and_says_which(void **state)
{
	(void)state;
	struct termination *mention = on("STOP"),
					   *any =
						   new_combination(&or_termination, NEW_PLAIN(tests_pass), mention, NULL);
	struct termination_reason reason;
	struct rondo_message message = {.source = "coder", .content = "STOP"};
	mention->stop_kind = RONDO_STOP_STALL;
	assert_true(check_one(any, &message, &reason));
	assert_string_equal(reason.text, "Text 'STOP' mentioned");
	assert_string_equal(reason.condition, "text_mention");
	assert_ptr_equal(reason.message, &message);
	assert_int_equal(reason.stop_kind, RONDO_STOP_STALL);
	assert_true(
		check_one(new_combination(&or_termination, NEW_PLAIN(tests_pass), on("STOP"), "limit"),
			&message, &reason));
	assert_int_equal(reason.stop_kind, RONDO_STOP_LIMIT);
}

/* 43: test_or_termination: three messages, or "stop". */
static void or_evaluates_all_and_joins_what_fires_together(void **state)
{
	(void)state;
	struct termination *any =
		new_combination(&or_termination, NEW(max_messages, "max=3"), on("stop"), NULL);
	const struct rondo_message hello = {.source = "a", .content = "Hello"},
							   stop = {.source = "a", .content = "stop"};
	const struct rondo_message *const both[] = {&hello, &stop};
	struct termination_reason reason;
	struct rondo_error err;
	assert_false(check_one(any, &hello, &reason));
	termination_reset(any);
	assert_false(check_one(any, &hello, &reason));
	assert_false(check_one(any, &hello, &reason));
	termination_reset(any);
	assert_int_equal(check_span(any, both, 2, &reason, &err), 1);
	assert_string_equal(reason.text, "Text 'stop' mentioned");
	termination_reset(any);
	for (int i = 0; i < 2; i++)
		assert_false(check_one(any, &hello, &reason));
	assert_true(check_one(any, &stop, &reason));
	assert_string_equal(reason.text,
		"Maximum number of messages 3 reached, current message count: 3, Text 'stop' mentioned");
	assert_int_equal(reason.stop_kind, RONDO_STOP_SUCCESS);
	assert_string_equal(reason.condition, "text_mention");
	assert_ptr_equal(reason.message, &stop);
}

/* Another one could not be told then. */
static void what_has_fired_says_its_reason_again(void **state)
{
	(void)state;
	struct termination *broken = NEW(command, "command=false");
	struct termination *any = new_combination(&or_termination, on("STOP"), broken, NULL);
	struct termination_reason reason;
	struct rondo_error err;
	struct rondo_message message = {.source = "coder", .content = "STOP"};
	const struct rondo_message *const span[] = {&message};
	assert_int_equal(check_span(any, span, 1, &reason, &err), -1);
	for (int i = 0; i < 2; i++) {
		memset(&reason, 0xff, sizeof reason);
		assert_int_equal(check_span(any, NULL, 0, &reason, &err), 1);
		assert_string_equal(reason.text, "Text 'STOP' mentioned");
		assert_string_equal(reason.condition, "text_mention");
		assert_string_equal(reason.message->content, "STOP");
		assert_int_equal(reason.stop_kind, RONDO_STOP_SUCCESS);
	}
	termination_reset(any);
	assert_int_equal(check_span(any, NULL, 0, &reason, &err), 0);
}

/* Whichever of the two is asked first. */
static void what_fires_behind_one_that_fails_is_heard(void **state)
{
	(void)state;
	struct termination *any =
		new_combination(&or_termination, NEW(command, "command=false"), on("STOP"), NULL);
	struct termination_reason reason;
	struct rondo_error err;
	struct rondo_message message = {.source = "coder", .content = "STOP"};
	const struct rondo_message *const span[] = {&message};
	assert_int_equal(check_span(any, span, 1, &reason, &err), -1);
	assert_non_null(strstr(err.message, "condition command: 'false' failed"));
	assert_int_equal(check_span(any, NULL, 0, &reason, &err), 1);
	assert_string_equal(reason.text, "Text 'STOP' mentioned");
}

static void and_latches_until_all_have_fired(void **state)
{
	(void)state;
	struct termination *all = new_combination(&and_termination, on("ONE"), on("TWO"), NULL);
	struct termination_reason reason;
	struct rondo_message first = {.source = "a", .content = "ONE"},
						 second = {.source = "b", .content = "TWO"};
	for (int round = 0; round < 2; round++) {
		assert_false(check_one(all, &first, &reason));
		assert_false(check_one(all, &first, &reason));
		assert_true(check_one(all, &second, &reason));
		assert_string_equal(reason.text, "Text 'ONE' mentioned, Text 'TWO' mentioned");
		assert_string_equal(reason.condition, "and");
		assert_ptr_equal(reason.message, &second);
		termination_reset(all);
	}
}

static void a_combination_has_the_deadline_of_its_parts(void **state)
{
	(void)state;
	struct termination *early = NEW(timeout, "after=1m"), *late = NEW(timeout, "after=1h"),
					   *never = on("ONE");
	struct termination *any = new_combination(&or_termination, late, early, NULL);
	struct termination *both = new_combination(&and_termination, early, late, NULL);
	struct termination *with_word = new_combination(&and_termination, early, never, NULL);
	termination_start(both);
	assert_int_equal(termination_deadline(any), termination_deadline(early));
	assert_int_equal(termination_deadline(both), termination_deadline(late));
	assert_int_equal(termination_deadline(with_word), 0);
	never->fired = true;
	assert_int_equal(termination_deadline(with_word), termination_deadline(early));
}

/* --- Every type --- */

/* What a type needs to fire, at the last message and no earlier; where that does not do it,
 * something happens before it. */
struct sample {
	const struct termination_type *type;
	const char *const *settings;
	struct rondo_message messages[6];
	void (*happens)(struct termination *condition);
	const char *text;
	enum rondo_stop_kind stop_kind;
	bool of_no_message;
};

static atomic_bool requested;
static struct budget budget;
static const struct termination_services services = {
	.budget = &budget, .stop_requested = &requested};

static void time_passes(struct termination *condition)
{
	struct rondo_error err;
	AUTO_JSON *json = json_parse("{\"elapsed_ms\":60000}", 20, &err);
	termination_load(condition, json);
}

static void somebody_asks(struct termination *condition)
{
	(void)condition;
	atomic_store(&requested, true);
}

static void a_call_is_paid(struct termination *condition)
{
	(void)condition;
	static const struct price price = {.input = 1, .known = true};
	budget_settle(
		&budget, &(struct budget_hold){0}, &(struct rondo_usage){.prompt_tokens = 1000000}, &price);
}

#define SAID(text) {.source = "a", .content = (text)}
#define CHARGED(asked, answered) \
	{.source = "a", .content = "", .models_usage = {(asked), (answered) }}
#define REPORT(json) \
	{.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester", .content = "", .data = (json)}
#define RED "{\"ok\":false,\"failing\":[\"x\"],\"fixed\":[]}"

static const struct sample samples[] = {
	{&tests_pass_termination, NULL, {SAID("TESTS PASS"), REPORT(RED), REPORT("{\"ok\":true}")},
		NULL, "tests pass, says 'tester'", RONDO_STOP_SUCCESS, false},
	{&text_mention_termination, NULL, {SAID("one"), SAID("two"), SAID("TERMINATE")}, NULL,
		"Text 'TERMINATE' mentioned", RONDO_STOP_SUCCESS, false},
	{&text_message_termination, SETTINGS("source=b"),
		{SAID("one"), {.source = "b", .content = "two"}}, NULL, "Text message received from 'b'",
		RONDO_STOP_SUCCESS, false},
	{&stop_message_termination, NULL,
		{SAID("one"), {.type = RONDO_MESSAGE_STOP, .source = "a", .content = ""}}, NULL,
		"Stop message received", RONDO_STOP_SUCCESS, false},
	{&source_match_termination, SETTINGS("sources=b"),
		{SAID("one"), {.source = "b", .content = "two"}}, NULL, "'b' answered", RONDO_STOP_SUCCESS,
		false},
	{&handoff_termination, SETTINGS("target=b"),
		{SAID("b"),
			{.type = RONDO_MESSAGE_HANDOFF,
				.source = "a",
				.content = "",
				.data = "{\"target\":\"b\"}"}},
		NULL, "Handoff to b from a detected.", RONDO_STOP_SUCCESS, false},
	{&max_messages_termination, SETTINGS("max=4"),
		{SAID("one"), SAID("two"), SAID("three"), SAID("four")}, NULL,
		"Maximum number of messages 4 reached, current message count: 4", RONDO_STOP_LIMIT, false},
	{&token_usage_termination, SETTINGS("total=6"), {CHARGED(2, 1), SAID("two"), CHARGED(1, 2)},
		NULL,
		"Token usage limit reached, total token count: 6, prompt token count: 3, completion token "
		"count: 3.",
		RONDO_STOP_LIMIT, false},
	{&max_cost_termination, SETTINGS("usd=1"), {SAID("one"), SAID("two")}, a_call_is_paid,
		"Maximum cost of 1 USD reached, current cost: 1 USD", RONDO_STOP_LIMIT, false},
	{&timeout_termination, SETTINGS("after=1m"), {SAID("one"), SAID("two")}, time_passes,
		"Timeout of 60 seconds reached", RONDO_STOP_LIMIT, true},
	{&no_progress_termination, SETTINGS("turns=3"),
		{REPORT(RED), SAID("same"), REPORT(RED), SAID("same"), SAID("other"), REPORT(RED)}, NULL,
		"no progress: 3 test reports in a row with no fewer than 1 failing", RONDO_STOP_STALL,
		false},
	{&no_progress_termination, NULL,
		{SAID("same"), {.source = "b", .content = "x"}, SAID("same"), REPORT(RED), SAID("same")},
		NULL, "no progress: 'a' said the same 3 times in a row", RONDO_STOP_STALL, false},
	{&empty_message_termination, NULL, {SAID("one"), SAID(" ")}, NULL,
		"Empty message received from 'a'", RONDO_STOP_STALL, false},
	{&external_termination, NULL, {SAID("one"), SAID("two")}, somebody_asks,
		"External termination requested", RONDO_STOP_STOPPED, true},
	{&command_termination,
		SETTINGS("command=if grep -q STOP; then echo '{\"stop\":true,\"reason\":\"so\"}'; else "
				 "echo '{\"stop\":false}'; fi"),
		{SAID("one"), SAID("STOP")}, NULL, "so", RONDO_STOP_SUCCESS, false},
	{&and_termination, NULL, {SAID("two"), SAID("ONE"), SAID("three"), SAID("TWO")}, NULL,
		"Text 'ONE' mentioned, Maximum number of messages 4 reached, current message count: 4",
		RONDO_STOP_LIMIT, false},
	{&or_termination, NULL, {SAID("two"), SAID("three"), SAID("four"), SAID("x")}, NULL,
		"Maximum number of messages 4 reached, current message count: 4", RONDO_STOP_LIMIT, false},
};

/* Nothing is paid, and nobody asks. */
static void new_world(void)
{
	budget_init(&budget, 0, 0);
	atomic_store(&requested, false);
}

static struct termination *new_sample(const struct sample *sample)
{
	if (sample->type->options && sample->type->options[0].kind == OPTION_CHILDREN)
		return new_combination(sample->type, on("ONE"), NEW(max_messages, "max=4"), NULL);
	return new_condition_of(sample->type, &services, sample->settings);
}

/* Shows the messages from `first` to before `end`; the last of all makes it fire. */
static void show(
	const struct sample *sample, struct termination *condition, size_t first, size_t end)
{
	struct termination_reason reason;
	for (size_t i = first; i < end; i++) {
		const struct rondo_message *message = &sample->messages[i];
		bool is_last = i + 1 == ARRAY_SIZE(sample->messages) || !message[1].content;
		if (is_last && sample->happens)
			sample->happens(condition);
		assert_int_equal(check_one(condition, message, &reason), is_last);
		if (!is_last)
			continue;
		assert_string_equal(reason.text, sample->text);
		assert_int_equal(reason.stop_kind, sample->stop_kind);
		assert_ptr_equal(reason.message, sample->of_no_message ? NULL : message);
		/* AutoGen's "has already been reached": it stays fired until reset */
		assert_true(check_nothing(condition));
	}
}

static void a_saved_stop_kind_is_read(void **state)
{
	static const struct {
		const char *json;
		enum rondo_stop_kind kind;
	} rows[] = {{"{\"stop_kind\":2}", RONDO_STOP_STALL}, {"{\"verdict\":1}", RONDO_STOP_LIMIT},
		{"{}", RONDO_STOP_SUCCESS}, {"{\"stop_kind\":-1}", RONDO_STOP_STOPPED},
		{"{\"stop_kind\":4}", RONDO_STOP_STOPPED}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rondo_error err;
		AUTO_JSON *json = json_parse(rows[i].json, strlen(rows[i].json), &err);
		assert_int_equal(stop_kind_load(json), rows[i].kind);
	}
}

/* As a journal keeps it. */
static struct termination *new_from_saved(
	const struct sample *sample, const struct termination *condition)
{
	struct rondo_error err;
	struct termination *other = new_sample(sample);
	AUTO_JSON *saved = termination_save(condition);
	AUTO_FREE char *text = saved ? json_print(saved) : NULL;
	AUTO_JSON *read = text ? json_parse(text, strlen(text), &err) : NULL;
	termination_load(other, read);
	return other;
}

static size_t count_messages(const struct sample *sample)
{
	size_t n = 0;
	while (n < ARRAY_SIZE(sample->messages) && sample->messages[n].content)
		n++;
	return n;
}

static void is_as_new(const struct sample *sample, struct termination *condition)
{
	AUTO_JSON *saved = termination_save(condition);
	assert_true(!saved || sample->type == &max_cost_termination);
	assert_false(check_nothing(condition));
}

static void fires_and_is_as_new_after_a_reset(const struct sample *sample)
{
	struct termination *condition = new_sample(sample);
	is_as_new(sample, condition);
	for (int round = 0; round < 2; round++) {
		termination_start(condition);
		show(sample, condition, 0, count_messages(sample));
		termination_reset(condition);
		is_as_new(sample, condition);
		atomic_store(&requested, false); /* who asked takes it back before the next run */
	}
}

static void goes_on_from_what_was_saved(const struct sample *sample, size_t split)
{
	size_t n = count_messages(sample);
	new_world();
	struct termination *condition = new_sample(sample);
	termination_start(condition);
	show(sample, condition, 0, split);
	struct termination *other = new_from_saved(sample, condition);
	show(sample, other, split, n);
	assert_true(check_nothing(new_from_saved(sample, other)) || sample->type == &or_termination);
	new_world();
	termination_load(other, NULL);
	assert_false(check_nothing(other));
}

static void every_type_conforms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		assert_int_not_equal(!samples[i].type->hears, !samples[i].type->check);
		new_world();
		fires_and_is_as_new_after_a_reset(&samples[i]);
		for (size_t split = 0; split < count_messages(&samples[i]); split++)
			goes_on_from_what_was_saved(&samples[i], split);
	}
}

static void every_type_has_a_sample_and_a_place_in_the_registry(void **state)
{
	(void)state;
	for (size_t i = 0; i < termination_types_n; i++) {
		const struct termination_type *type = termination_types[i];
		size_t j = 0;
		while (j < ARRAY_SIZE(samples) && samples[j].type != type)
			j++;
		assert_true(j < ARRAY_SIZE(samples));
		assert_true(type->name[0] && type->summary[0]);
		assert_string_equal(termination_family.type(i).name, type->name);
		assert_true(!type->save == !type->load);
	}
}

/* Hostile, torn or of another version: as new, or what fits. */
static void what_cannot_be_read_is_as_new(void **state)
{
	(void)state;
	static const char odd[] = "{\"fired\":1,\"messages\":\"x\",\"prompt\":[],\"usd_before\":{},"
							  "\"reports\":\"\",\"elapsed_ms\":\"\","
							  "\"said\":[{\"hash\":1},2],\"conditions\":7,\"reason\":[]}";
	static const char *const texts[] = {"[]", "1", "{\"said\":{\"a\":{}},\"least\":-1}", odd};
	for (size_t i = 0; i < ARRAY_SIZE(samples) * ARRAY_SIZE(texts); i++) {
		struct rondo_error err;
		struct termination *condition = new_sample(&samples[i / ARRAY_SIZE(texts)]);
		const char *text = texts[i % ARRAY_SIZE(texts)];
		AUTO_JSON *json = json_parse(text, strlen(text), &err);
		assert_non_null(json);
		new_world();
		termination_load(condition, json);
		assert_false(check_nothing(condition));
	}
}

UNIT(termination)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(or_fires_with_the_first_and_says_which),
		cmocka_unit_test(or_evaluates_all_and_joins_what_fires_together),
		cmocka_unit_test(what_has_fired_says_its_reason_again),
		cmocka_unit_test(what_fires_behind_one_that_fails_is_heard),
		cmocka_unit_test(and_latches_until_all_have_fired),
		cmocka_unit_test(a_combination_has_the_deadline_of_its_parts),
		cmocka_unit_test(every_type_has_a_sample_and_a_place_in_the_registry),
		cmocka_unit_test(every_type_conforms),
		cmocka_unit_test(a_saved_stop_kind_is_read),
		cmocka_unit_test(what_cannot_be_read_is_as_new),
	};
	return RUN_TERMINATION_TESTS(tests);
}
