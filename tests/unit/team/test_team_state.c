/* A team's state: saved whole or by and by, loaded into another team, refused where it does not
 * fit. */
#include "tests/unit/team_fixture.h"

static struct team *three(void)
{
	return team_of(&(struct team_rules){.termination = after_messages(4)},
		LINES("a1", "a2", "a3", "a4"), LINES("b1", "b2", "b3"), LINES("."), NULL);
}

static const char *saved(struct team *team, bool all)
{
	AUTO_JSON *json = team_save(team, all);
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(&arena, text);
}

static int load_text(struct team *team, const char *text, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(text, strlen(text), err);
	assert_non_null(json);
	return team_load(team, json, err);
}

static void load(struct team *team, const char *text)
{
	struct rondo_error err;
	if (load_text(team, text, &err) < 0)
		fail_msg("%s", err.message);
}

/* 9: whatever the task; 25: with data. */
static void a_loaded_team_is_the_same_and_goes_on_alike(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	const struct rondo_message *tasks[] = {task_message("text"), task_message("a second one"),
		&(struct rondo_message){
			.source = "user", .content = "with data", .data = "{\"a\":[1,2,{\"b\":null}]}"}};
	const struct message_span spans[] = {{tasks, 1}, {tasks, 2}, {tasks + 2, 1}, {NULL, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		struct team *team = three(), *other = three();
		assert_int_equal(team_run(team, spans[i], &result, &ctx, &err), 0);
		load(other, saved(team, true));
		assert_string_equal(saved(other, true), saved(team, true));
		assert_int_equal(other->next_speaker, team->next_speaker);
		result = run(team, "more");
		struct rondo_task_result again = run(other, "more");
		expect_said(&again, transcript(&result));
	}
}

/* Each run's save holds what that run said; together they are all. */
static void saves_by_and_by_are_together_one_of_all(void **state)
{
	(void)state;
	struct team *team = three(), *other = three();
	load(other, saved(team, false));
	for (size_t i = 0; i < 3; i++) {
		struct rondo_task_result result = run(team, i == 1 ? NULL : "task");
		const char *part = saved(team, false);
		assert_null(strstr(part, i ? "\"a1\"" : "\"a4\""));
		assert_int_equal(result.n, 4);
		load(other, part);
		assert_string_equal(saved(other, true), saved(team, true));
	}
	AUTO_JSON *rest = team_save(other, false);
	assert_int_equal(json_count(json_get(rest, "thread")), 0);
}

/* The conditions are saved in the midst of a run, too: here by what it recorded. */
static void the_state_of_conditions_survives(void **state)
{
	(void)state;
	struct team *team = three(), *other = three();
	((struct count *)team->rules.termination->state)->n = 3;
	load(other, saved(team, true));
	assert_int_equal(((struct count *)other->rules.termination->state)->n, 3);
}

static void a_reset_forgets_what_was_saved(void **state)
{
	(void)state;
	struct team *team = three(), *new = three();
	run(team, "task");
	saved(team, false);
	team_reset(team);
	assert_string_equal(saved(team, true), saved(new, true));
	run(team, "task");
	AUTO_JSON *json = team_save(team, false);
	assert_int_equal(json_count(json_get(json, "thread")), 4);
}

#define MESSAGE \
	"{\"id\":1,\"type\":\"text\",\"source\":\"user\",\"content\":\"x\",\"created_at_ms\":1}"
#define MEMBERS "\"participants\":{\"a\":{\"seen\":1},\"b\":{},\"c\":{}}"
#define HEAD "{\"type\":\"team\",\"version\":1,\"all\":true,"

static void a_state_that_does_not_fit_is_refused_and_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"{}", "this is no state of a team"},
		{"{\"type\":[]}", "this is no state of a team"},
		{"{\"type\":\"TeamState\",\"version\":\"1.0.0\"}", "this is no state of a team"},
		{"{\"type\":\"team\"}", "the state of the team is of version 0, and this rondo reads 1"},
		{"{\"type\":\"team\",\"version\":2}",
			"the state of the team is of version 2, and this rondo reads 1"},
		{HEAD "\"participants\":[]}", "the state of the team lacks its participant 'a'"},
		{HEAD "\"participants\":{\"a\":{},\"c\":{}}}",
			"the state of the team lacks its participant 'b'"},
		{HEAD "\"participants\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{}}}",
			"the state is of a team with 'd', which is no participant here"},
		{HEAD "\"thread\":[{\"type\":\"song\"}]," MEMBERS "}", "message of unknown type 'song'"},
		{HEAD "\"thread\":[" MESSAGE
			  "],\"participants\":{\"a\":{\"seen\":9},\"b\":{\"state\":{}},\"c\":{}}}",
			"state of agent 'b': no place"},
	};
	struct rondo_error err;
	struct team *team = three();
	run(team, "task");
	const char *before = saved(team, true);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(load_text(team, rows[i].text, &err), -1);
		assert_string_equal(err.message, rows[i].error);
		assert_int_equal(err.code, RONDO_ERROR_USAGE);
		assert_string_equal(saved(team, true), before);
	}
	struct rondo_task_result result = run(team, "more");
	expect_said(&result, "user: more; a: a2; b: b2; c: more; ");
}

/* Numbers that cannot be are taken for the nearest that can. */
static void wild_numbers_do_no_harm(void **state)
{
	(void)state;
	struct team *team = three();
	load(team,
		HEAD "\"next_speaker\":-7,\"thread\":[" MESSAGE "],\"participants\":{\"a\":{\"seen\":-1},"
			 "\"b\":{\"seen\":900719925474099},\"c\":{}}}");
	assert_true(team->next_speaker < 3);
	assert_int_equal(team->seen[1], 1);
	assert_int_equal(run(team, NULL).n, 4);
}

UNIT(team_state)
{
	const struct CMUnitTest tests[] = {
		TEAM_TEST(a_loaded_team_is_the_same_and_goes_on_alike),
		TEAM_TEST(saves_by_and_by_are_together_one_of_all),
		TEAM_TEST(the_state_of_conditions_survives),
		TEAM_TEST(a_reset_forgets_what_was_saved),
		TEAM_TEST(a_state_that_does_not_fit_is_refused_and_changes_nothing),
		TEAM_TEST(wild_numbers_do_no_harm),
	};
	return RUN_TESTS(tests);
}
