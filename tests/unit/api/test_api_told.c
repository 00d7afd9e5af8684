/* What a team of the public API is told, and how that is checked; and teams that fix. */
#include "tests/unit/api_fixture.h"

#include <signal.h>

/* --- What is told --- */

static void what_is_wrong_is_told_at_once_and_changes_nothing(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	assert_refused(rondo_team_add_agent(team, "a", "codr", &err),
		"agent 'a':1:1: unknown agent type 'codr', did you mean 'coder'?");
	assert_refused(rondo_team_add_agent(team, "a", "{type: coder, modl: x}", &err),
		"agent 'a':1:1: agent 'a' needs 'model': the model that it asks\n"
		"agent 'a':1:15: unknown key 'modl' in agent 'a', did you mean 'model'?");
	assert_refused(rondo_team_add_agent(team, "1a", "executor", &err),
		"agent '1a': '1a' cannot name an agent: a letter or _, then letters, digits, _ and -, at "
		"most 64 in all; not 'user'");
	assert_refused(rondo_team_add_agent(team, "a", "", &err),
		"agent 'a': agent 'a' must be a name or a section of keys, found nothing");
	assert_refused(rondo_team_add_model(team, "m", "{opnai: {model: x}}", &err),
		"model 'm':1:1: model 'm' needs 'provider': one of openai, openai_responses, anthropic, "
		"azure, "
		"gemini, openrouter, deepseek, ollama, llamacpp, vllm, lmstudio, command, fallback, "
		"record, replay");
	assert_refused(rondo_team_add_condition(team, "{text_mentoin: DONE}", &err),
		"condition:1:2: unknown termination type 'text_mentoin', did you mean 'text_mention'?");
	assert_refused(rondo_team_set(team, "team.max_turns", "many", &err),
		"team.max_turns:1:1: max_turns must be a whole number, found 'many'");
	assert_refused(rondo_team_set(team, "limits.costs", "1", &err),
		"limits.costs: unknown key 'costs' in limits, did you mean 'cost'?");
	assert_refused(rondo_team_set(team, "team..max_turns", "1", &err),
		"a key is given as KEY or KEY.KEY, as in 'team.max_turns'");
	assert_refused(rondo_team_set(team, NULL, "[1]", &err), "settings: a section of keys is meant");
	assert_refused(rondo_team_set_text(team, "task", "caf\xe9", &err), "task: is no UTF-8 text");
	assert_refused(rondo_team_read(team, "nowhere.yaml", &err),
		"nowhere.yaml: cannot be read: No such file or directory");
	assert_refused(
		rondo_team_run(team, "x", NULL, &err), "the team has no agents: rondo_team_add_agent");
	assert_ok(rondo_team_add_agent(team, "a", "executor", &err));
	assert_refused(
		rondo_team_add_agent(team, "a", "executor", &err), "agent 'a': that name is taken already");
	assert_refused(rondo_team_read(team, "nowhere.yaml", &err),
		"nowhere.yaml: cannot be read: No such file or directory\n"
		"nowhere.yaml: a scenario file is read before all else is told");
	rondo_team_free(team);
}

static int never(void *owner, const struct rondo_message *const *delta, size_t n,
	struct rondo_reply *why, struct rondo_error *error)
{
	(void)owner, (void)delta, (void)n, (void)why, (void)error;
	return 0;
}

static void own_functions_are_checked(void **state)
{
	(void)state;
	struct echo self = {0};
	struct rondo_team *team = new_team();
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = echo, .owner = &self};
	struct rondo_condition condition = {.size = 8, .check = never};
	assert_ok(rondo_team_add_own_agent(team, "a", &agent, &err));
	assert_refused(
		rondo_team_add_own_agent(team, "a", &agent, &err), "agent 'a': that name is taken already");
	assert_refused(
		rondo_team_add_agent(team, "a", "executor", &err), "agent 'a': that name is taken already");
	assert_refused(
		rondo_team_set(team, "agents.a", "executor", &err), "agents.a: that name is taken already");
	agent.on_messages = NULL;
	assert_refused(rondo_team_add_own_agent(team, "b", &agent, &err),
		"agent 'b': struct rondo_agent lacks the function that it cannot do without");
	char said[128];
	snprintf(said, sizeof said, "condition 'c': the size of struct rondo_condition is %zu, found 8",
		sizeof condition);
	assert_refused(rondo_team_add_own_condition(team, "c", &condition, &err), said);
	rondo_team_free(team);
}

static void names_are_looked_up_when_all_is_told(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	assert_ok(rondo_team_add_agent(team, "a", "{type: coder, model: later}", &err));
	assert_refused(
		rondo_team_run(team, "x", NULL, &err), "agent 'a':1:22: model 'later' is not declared");
	assert_ok(rondo_team_add_model(team, "later", "{replay: {replies: [DONE]}}", &err));
	assert_ok(rondo_team_add_condition(team, "{text_mention: {text: DONE, sources: [b]}}", &err));
	assert_refused(rondo_team_run(team, "x", NULL, &err),
		"condition:1:1: agent 'b' is not declared (agents: a)");
	rondo_team_free(team);
}

static void a_text_is_taken_as_it_is(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	const char *task = "Fix: {{this}}, [and] \"that\"\n# all of it";
	struct echo self = {0};
	add_echo(team, "a", &self);
	assert_ok(rondo_team_set_text(team, "task", task, &err));
	assert_ok(rondo_team_set(team, "team.max_turns", "1", &err));
	assert_string_equal(run(team, NULL)->task->messages[0]->content, task);
	assert_refused(rondo_team_set(team, "team.max_turns", "2", &err),
		"too late: a team is told what it is before its first run, load or save");
	rondo_team_free(team);
}

static void parameters_of_a_file_can_be_set(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	struct echo self = {0};
	write_file("greet.yaml",
		"parameters: {whom: {required: true}}\n"
		"task: Greet {{whom}}.\n"
		"team: {participants: []}\n");
	assert_refused(rondo_team_read(team, "greet.yaml", &err),
		"greet.yaml:3:22: participants must not be empty");
	write_file("greet.yaml",
		"parameters: {whom: {required: true}}\n"
		"task: Greet {{whom}}.\n"
		"team: {max_turns: 1}\n");
	assert_ok(rondo_team_read(team, "greet.yaml", &err));
	assert_ok(rondo_team_set(team, "parameters.whom", "the world", &err));
	add_echo(team, "a", &self);
	assert_string_equal(run(team, NULL)->task->messages[1]->content, "Greet the world.");
	rondo_team_free(team);
}

/* --- Fixing --- */

static void a_program_is_fixed_in_one_call(void **state)
{
	(void)state;
	struct rondo_result *result = NULL;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	write_file("area.py", "def area(a, b):\n    return a + b\n\n\nassert area(3, 5) == 15\n");
	sigaction(SIGCHLD, &ignore, &before); /* as some programs have it */
	assert_ok(rondo_fix(
		"area.py", "{executor: local, output: {patch: area.diff}}", NULL, NULL, &result, &err));
	sigaction(SIGCHLD, &before, NULL);
	assert_string_equal(result->outcome, "verified");
	assert_non_null(strstr(result->patch, "+    return a * b"));
	assert_int_equal(strlen(result->patch), result->patch_length);
	assert_null(result->branch);
	assert_non_null(result->files);
	assert_int_equal(access("area.diff", R_OK), 0);
	assert_non_null(strstr(result->report, "\"outcome\":\"verified\""));
	assert_string_equal(result->task->stop_condition, "tests_pass");
	rondo_result_free(result);
	assert_refused(rondo_fix("area.py", "{tests: x}", NULL, NULL, &result, &err),
		"settings:1:2: unknown key 'tests', did you mean 'test'?");
	assert_refused(rondo_fix("nowhere.py", NULL, NULL, NULL, &result, &err),
		"'nowhere.py': No such file or directory");
}

/* Each run of a team leaves a branch of its own. */
static void a_repository_is_fixed_by_a_team_that_runs_twice(void **state)
{
	(void)state;
	char branch[64];
	struct rondo_team *team = new_team();
	mkdir("red", 0755);
	write_file("red/area.py", "def area(a, b):\n    return a + b\n");
	write_file("red/Makefile",
		"check:\n\t@python3 -c 'from area import area; print(\"1..1\"); "
		"print(\"ok 1\" if area(3, 5) == 15 else \"not ok 1\")'\n");
	assert_int_equal(system("cd red && git init -q && git add -A && "
							"git -c user.name=x -c user.email=x@example.org commit -q -m base"),
		0);
	assert_ok(rondo_team_fix(team, "red", &err));
	assert_ok(rondo_team_set(team, NULL, "{executor: local, test: make check}", &err));
	const struct rondo_result *result = run(team, NULL);
	assert_string_equal(result->outcome, "verified");
	assert_non_null(result->commit);
	snprintf(branch, sizeof branch, "%.48s-2", result->branch);
	result = run(team, NULL);
	assert_string_equal(result->outcome, "verified");
	assert_string_equal(result->branch, branch);
	assert_string_equal(result->task->stop_condition, "silence");
	assert_int_equal(
		system(
			"cd red && test $(git for-each-ref refs/heads/rondo | wc -l) = 2 && git diff --quiet"),
		0);
	rondo_team_free(team);
}

static void where_nothing_fails_nobody_speaks(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	write_file("well.py", "assert 1 + 1 == 2\n");
	assert_ok(rondo_team_fix(team, "well.py", &err));
	assert_ok(rondo_team_set(team, "executor", "local", &err));
	assert_refused(rondo_team_add_agent(team, "a", "executor", &err),
		"agent 'a': the team of rondo fix is complete");
	for (int i = 0; i < 2; i++) {
		const struct rondo_result *result = run(team, NULL);
		assert_string_equal(result->outcome, "nothing_fails");
		assert_null(result->task);
		assert_int_equal(result->exit_code, 0);
	}
	rondo_team_free(team);
}

UNIT(api_told)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_at_once_and_changes_nothing),
		cmocka_unit_test(own_functions_are_checked),
		cmocka_unit_test(names_are_looked_up_when_all_is_told),
		cmocka_unit_test(a_text_is_taken_as_it_is),
		cmocka_unit_test(parameters_of_a_file_can_be_set),
		cmocka_unit_test(a_program_is_fixed_in_one_call),
		cmocka_unit_test(a_repository_is_fixed_by_a_team_that_runs_twice),
		cmocka_unit_test(where_nothing_fails_nobody_speaks),
	};
	return RUN_API_TESTS(tests);
}
