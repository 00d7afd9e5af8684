/* What every type of agent has to keep to, where it has state; and the tester's, which is
 * little. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "base/memory.h"

static void who_saves_loads(void **state)
{
	(void)state;
	for (size_t i = 0; i < agent_types_n; i++)
		assert_int_equal(!agent_types[i]->save, !agent_types[i]->load);
}

/* Nothing was said: nothing is saved, and there is nothing to load. */
static void a_new_agent_has_no_state(void **state)
{
	(void)state;
	struct rondo_error err;
	for (size_t i = 0; i < agent_types_n; i++) {
		static const struct agent_services services;
		struct agent *agent = agent_new(agent_types[i], "x", NULL, &services);
		AUTO_JSON *part = agent_save(agent, false), *all = agent_save(agent, true);
		assert_null(part);
		assert_null(all);
		assert_int_equal(agent_load(agent, NULL, NULL, &err), 0);
		agent_free(agent);
	}
}

/* Whatever stands in a state, it is taken or refused, and the agent can be reset. */
static void a_wild_state_does_no_harm(void **state)
{
	(void)state;
	static const char *const texts[] = {"{\"x\":1}",
		"{\"speaker\":-1,\"said\":[{\"id\":99}],\"search\":{\"report\":7},\"entries\":[1]}",
		"{\"speaker\":0,\"said\":[{\"id\":1e300,\"by\":-5}],\"undo\":[],"
		"\"parts\":[1,2,3,4,5],\"reported\":7,\"team\":[]}",
		"{\"search\":{\"report\":-1,\"taken\":-1,\"posted\":9007199254740991},"
		"\"reported\":\"zz\",\"agents\":{\"a\":[]}}"};
	static const struct agent_services services;
	struct rondo_error err;
	struct message_thread thread = {0};
	message_thread_append(&thread, &(struct rondo_message){.source = "user", .content = "task"});
	for (size_t i = 0; i < agent_types_n * ARRAY_SIZE(texts); i++) {
		const char *text = texts[i % ARRAY_SIZE(texts)];
		struct agent *agent = agent_new(agent_types[i / ARRAY_SIZE(texts)], "x", NULL, &services);
		AUTO_JSON *json = json_parse(text, strlen(text), &err);
		assert_non_null(json);
		if (agent_load(agent, json, &thread, &err) < 0)
			assert_memory_equal(err.message, "state of agent 'x': ", 20);
		agent_reset(agent);
		AUTO_JSON *all = agent_save(agent, true);
		assert_null(all);
		agent_free(agent);
	}
	message_thread_release(&thread);
}

static void a_tester_knows_what_it_reported(void **state)
{
	(void)state;
	static const char text[] = "{\"reported\":\"4b825dc642cb6eb9a060e54bf8d69288fbee4904\","
							   "\"reports\":3}";
	struct rondo_error err;
	struct agent *agent = agent_new(&tester_agent, "t", NULL, NULL);
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	assert_int_equal(agent_load(agent, json, NULL, &err), 0);
	AUTO_JSON *again = agent_save(agent, false);
	assert_string_equal(
		json_string(again, "reported", ""), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	assert_int_equal(json_int(again, "reports", 0), 3);
	AUTO_JSON *wrong = json_parse("{\"reported\":\"main\"}", 19, &err);
	assert_int_equal(agent_load(agent, wrong, NULL, &err), -1);
	assert_string_equal(err.message, "state of agent 't': 'main' names no tree");
	agent_free(agent);
}

UNIT(agent_state)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_saves_loads),
		cmocka_unit_test(a_new_agent_has_no_state),
		cmocka_unit_test(a_wild_state_does_no_harm),
		cmocka_unit_test(a_tester_knows_what_it_reported),
	};
	return RUN_TESTS(tests);
}
