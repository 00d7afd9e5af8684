/* Several attempts: which one is taken, how they differ, what they spent together. */
#include "tests/unit/unit.h"

#include "run/attempts/attempts.h"
#include "tests/unit/scenario_fixture.h"

/* --- Which one is taken --- */

#define FIX(lines_, tokens_) \
	{ \
		.outcome = "verified", .tree = "t", .n_fixed = 2, .n_lines = (lines_), .tokens = (tokens_) \
	}
#define ALIKE(lines_, alike_) \
	{ \
		.outcome = "verified", .tree = "t", .n_fixed = 2, .n_lines = (lines_), .n_alike = (alike_) \
	}
#define PART(fixed_, lines_) \
	{ \
		.outcome = "verified_in_part", .tree = "t", .n_fixed = (fixed_), .n_lines = (lines_) \
	}
#define RED(fixed_, lines_) \
	{ \
		.outcome = "not_fixed", .tree = "t", .n_fixed = (fixed_), .n_lines = (lines_) \
	}
#define STOPPED \
	{ \
		.outcome = "stopped", .n_fixed = 2 \
	}
#define FAILED \
	{ \
		.outcome = "error" \
	}
#define ROWS 4

static const struct choice {
	const char *select;
	struct run_attempt rows[ROWS];
	size_t n, chosen;
} choices[] = {
	{"first", {STOPPED, FIX(9, 9), STOPPED}, 3, 1},
	{"first", {RED(1, 1), RED(2, 9), RED(2, 5)}, 3, 2}, /* as one attempt: what fixes most */
	{"first", {PART(1, 5), PART(1, 1)}, 2, 0},          /* of fixes, the number */
	{"first", {RED(2, 1), PART(1, 9)}, 2, 1},
	{"first", {FAILED, STOPPED}, 2, 2}, /* none */
	{"first", {FAILED, RED(0, 0)}, 2, 1},
	{"smallest", {FIX(5, 1), FIX(2, 9), FIX(2, 3), FIX(2, 3)}, 4, 2}, /* lines, tokens, number */
	{"smallest", {PART(1, 1), FIX(90, 90)}, 2, 1},
	{"smallest", {FAILED, FIX(7, 7), STOPPED}, 3, 1},
	{"agreed", {ALIKE(1, 1), ALIKE(8, 2), ALIKE(4, 2)}, 3, 2},
	{"agreed", {ALIKE(1, 1), ALIKE(8, 1)}, 2, 0}, /* nobody agrees: the smallest */
	{"all", {FIX(5, 1), FIX(2, 9)}, 2, 1},
	{"all", {STOPPED}, 0, 0},
};

static void one_is_chosen(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		const struct choice *choice = &choices[i];
		size_t chosen = attempts_choose(choice->rows, choice->n, choice->select);
		if (chosen != choice->chosen)
			fail_msg("row %zu: %zu is chosen, not %zu", i, chosen, choice->chosen);
	}
}

static void only_fixes_are_verified(void **state)
{
	(void)state;
	static const struct run_attempt fix = FIX(1, 1), part = PART(1, 1), red = RED(1, 1);
	static const struct run_attempt failed = FAILED, nothing = {0};
	assert_true(attempt_is_verified(&fix));
	assert_true(attempt_is_verified(&part));
	assert_false(attempt_is_verified(&red));
	assert_false(attempt_is_verified(&failed));
	assert_false(attempt_is_verified(&nothing));
}

/* --- How they differ --- */

#define TEAM_OF_TWO \
	"task: x\n" \
	"agents:\n" \
	"  c: {type: sequence, agents: [{type: repair, seed: 7}, {type: coder, model: openai/x}]}\n" \
	"  r: {type: repair, seed: 7}\n" \
	"  t: tester\n" \
	"team: {participants: [c, r, t]}\n" \
	"output: {patch: p.diff, junit: j, apply: true, branch: b}\n"

struct varied {
	struct attempts all;
	struct attempt attempt;
	bool is_left_out;
};

static void vary(struct varied *varied, int number)
{
	static const struct scenario_settings none;
	*varied = (struct varied){.attempt = {.number = number, .all = &varied->all}};
	assert_read(&none, &varied->attempt.arena, TEAM_OF_TWO, &varied->attempt.scenario, "");
	varied->is_left_out = attempt_vary(&varied->attempt);
}

static const struct option_specs *agents_within(const struct scenario *scenario)
{
	return scenario_member(scenario_find(&scenario->agents, "c"), OPTION_CHILDREN, "agents");
}

static int64_t seed_of(const struct option_spec *agent)
{
	return *(const int64_t *)scenario_member(agent, OPTION_INT, "seed");
}

static void the_first_is_as_configured(void **state)
{
	(void)state;
	struct varied first;
	vary(&first, 1);
	const struct scenario *scenario = &first.attempt.scenario;
	assert_false(first.is_left_out);
	assert_true(first.attempt.temperature < 0);
	assert_int_equal(agents_within(scenario)->n, 2);
	assert_int_equal(seed_of(&agents_within(scenario)->items[0]), 7);
	assert_int_equal(seed_of(scenario_find(&scenario->agents, "r")), 7);
	assert_null(scenario->output.patch); /* the result's alone */
	assert_null(scenario->output.junit);
	assert_false(scenario->output.apply);
	arena_release(&first.attempt.arena);
}

/* What searches before a model in a sequence is left out; what takes part by itself gets a seed. */
static void further_ones_differ(void **state)
{
	(void)state;
	double before = -1;
	for (int number = 2; number <= 7; number++) {
		struct varied further;
		vary(&further, number);
		const struct scenario *scenario = &further.attempt.scenario;
		assert_true(further.is_left_out);
		assert_int_equal(agents_within(scenario)->n, 1);
		assert_string_equal(agents_within(scenario)->items[0].type.name, "coder");
		assert_int_equal(seed_of(scenario_find(&scenario->agents, "r")), 7 + number - 1);
		assert_int_equal(further.attempt.row.seed, 7 + number - 1);
		assert_true(further.attempt.temperature > 0 && further.attempt.temperature <= 1);
		assert_true(further.attempt.temperature != before);
		before = further.attempt.temperature;
		arena_release(&further.attempt.arena);
	}
}

/* --- What they spent --- */

static void spendings_are_added_by_name(void **state)
{
	(void)state;
	struct arena arena = ARENA_INIT;
	struct run_spending one[] = {
		{"m", .calls = 2, .usage = {.prompt_tokens = 10, .completion_tokens = 1}, .cost_usd = 0.5},
		{"n", .calls = 1, .unknown_calls = 1, .cost_usd = -1}};
	struct run_spending two[] = {
		{"m", .calls = 1, .usage = {.prompt_tokens = 5, .completion_tokens = 2}, .cost_usd = 0.25}};
	struct tally sum = {.arena = &arena}, first = {.models = one, .n_models = 2},
				 second = {.models = two, .n_models = 1};
	int64_t tokens;
	double cost;
	tally_add_all(&sum, &second);
	attempts_add_up(&sum, &tokens, &cost);
	assert_int_equal(tokens, 7);
	assert_true(cost > 0.24 && cost < 0.26);
	tally_add_all(&sum, &first);
	assert_int_equal(sum.n_models, 2);
	assert_int_equal(sum.models[0].calls, 3);
	assert_int_equal(sum.models[0].usage.prompt_tokens, 15);
	assert_true(sum.models[0].cost_usd > 0.74 && sum.models[0].cost_usd < 0.76);
	assert_int_equal(sum.models[1].unknown_calls, 1);
	assert_true(sum.models[1].cost_usd < 0);
	attempts_add_up(&sum, &tokens, &cost);
	assert_int_equal(tokens, 18);
	assert_true(cost < 0); /* unknown of a part is unknown of the whole */
	tally_add_all(&sum, &second);
	assert_true(sum.models[1].cost_usd < 0);
	arena_release(&arena);
}

/* --- What a journal says of them --- */

#define RECORD(type, more) "{\"v\":2,\"seq\":1,\"ms\":5,\"type\":\"" type "\"" more "}\n"
#define ENDED(number, facts) \
	RECORD("attempt", ",\"attempt\":" number ",\"data\":{\"attempt\":" number "," facts "}")

static void a_journal_recalls_those_that_ended(void **state)
{
	(void)state;
	struct rondo_error err;
	struct history history = {.dir = "d", .text = STRBUF_INIT(STRBUF_RECORD)};
	strbuf_adds(&history.text,
		RECORD("run.start", ",\"data\":{}")
			ENDED("2", "\"outcome\":\"verified\",\"lines\":3,\"cost_usd\":0.25,\"turns\":7")
				ENDED("1", "\"outcome\":\"not_fixed\",\"cost_usd\":\"unknown\"")
					ENDED("2", "\"outcome\":\"refused\",\"lines\":4,\"temperature\":\"0.4\""));
	assert_int_equal(history_parse(&history, &err), 0);
	assert_null(history.chat);
	assert_int_equal(history.n_attempts, 2); /* judged again, the last word counts */
	assert_int_equal(history.attempts[0].number, 2);
	assert_string_equal(history.attempts[0].outcome, "refused");
	assert_string_equal(history.attempts[0].temperature, "0.4");
	assert_int_equal(history.attempts[0].n_lines, 4);
	assert_string_equal(history.attempts[1].outcome, "not_fixed");
	assert_true(history.attempts[1].cost_usd < 0);
	history_release(&history);
}

UNIT(attempts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_is_chosen),
		cmocka_unit_test(only_fixes_are_verified),
		cmocka_unit_test(the_first_is_as_configured),
		cmocka_unit_test(further_ones_differ),
		cmocka_unit_test(spendings_are_added_by_name),
		cmocka_unit_test(a_journal_recalls_those_that_ended),
	};
	return RUN_SCENARIO_TESTS(tests);
}
