/* The repair agent up to its last words, with a tester that is made up. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "chat/candidates.h"
#include "tests/unit/worktree_fixture.h"

static const char *report(struct arena *to, const char *key)
{
	struct test_report report = {.exit_code = 1, .complete = true, .output = "calc.py:2: AssertionError"};
	test_report_add(&report, to, &(struct test_result){.id = "t::one", .status = TEST_FAILED, .file = "calc.py", .line = 2});
	AUTO_JSON *json = test_report_to_json(&report);
	if (key)
		json_add_string(json_add_array(json, key), NULL, "t::two");
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(to, text);
}

static struct response ask(struct agent *agent, struct arena *to, enum rondo_message_type type, const char *data)
{
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct rondo_message message = {.type = type, .source = "tester", .content = "", .data = data};
	const struct rondo_message *messages[] = {&message};
	if (agent_on_messages(agent, (struct message_span){messages, 1}, to, &response, &ctx, &err) < 0)
		fail_msg("%s", err.message);
	return response;
}

/* What repair works on. */
struct job {
	struct room room;
	struct suite suite;
	struct protection protection;
	struct workplace desk;
	struct agent_kit kit;
};

static struct agent *open_repair(struct fixture *f, struct job *job)
{
	sh(f, "printf 'def less(a, b):\\n    return a < b\\n' >calc.py");
	job->room = room_of(f);
	suite_from_command("pytest", "from a test", &f->arena, &job->suite);
	job->protection = (struct protection){.suite = &job->suite};
	job->desk = (struct workplace){.worktree = job->room.worktree};
	job->kit = (struct agent_kit){.desk = &job->desk, .repository = job->room.repository, .base = &job->room.base,
		.suite = &job->suite, .protection = &job->protection, .repair_timeout_ms = 3600000};
	return agent_new(&repair_agent, "repair", NULL, &job->kit);
}

/* Let repair search to its end, or to an edit; of the first batch the first candidate fixes `fixed` of two tests. */
static struct response search(struct agent *repair, struct arena *to, enum rondo_message_type type, const char *data,
	size_t fixed)
{
	struct response response = ask(repair, to, type, data);
	while (response.message.type == RONDO_MESSAGE_CANDIDATES) {
		struct rondo_error err;
		struct candidates posted;
		AUTO_JSON *json = json_parse(response.message.data, strlen(response.message.data), &err);
		assert_int_equal(candidates_from_json(json, to, &posted, &err), 0);
		struct candidate_result progress = {.id = posted.items[0].id, .fixed = fixed};
		struct candidate_results results = {.tried = posted.n, .of = posted.n, .goal = 2, .progress = &progress,
			.n = fixed != 0};
		fixed = 0;
		AUTO_JSON *answer = candidate_results_to_json(&results);
		AUTO_FREE char *text = json_print(answer);
		response = ask(repair, to, RONDO_MESSAGE_CANDIDATE_RESULTS, text);
	}
	return response;
}

static void repair_ends_with_what_it_found(void **state)
{
	struct fixture *f = *state;
	struct job job;
	struct agent *repair = open_repair(f, &job);
	struct response response = search(repair, &f->arena, RONDO_MESSAGE_TEXT, report(&f->arena, NULL), 1);
	assert_int_equal(response.message.type, RONDO_MESSAGE_EDIT);
	const char *best = response.message.content;
	response = search(repair, &f->arena, RONDO_MESSAGE_TEST_REPORT, report(&f->arena, "fixed"), 0);
	assert_int_equal(response.message.type, RONDO_MESSAGE_STOP);
	assert_non_null(strstr(response.message.content, "candidates were tried, likeliest first: calc.py:2"));
	assert_non_null(strstr(response.message.content, arena_printf(&f->arena, "; furthest: %s (1 of 2 fixed)", best)));
	AUTO_JSON *data = json_parse(response.message.data, strlen(response.message.data), &f->err);
	assert_string_equal(json_text(json_first(json_get(data, "suspects")), ""), "calc.py:2");
	const struct json *part = json_first(json_get(data, "partial"));
	struct edit edit;
	assert_int_equal(json_int(part, "fixed", 0), 1);
	assert_string_equal(json_string(part, "description", ""), best);
	must(f, edit_from_json(json_get(part, "edit"), &f->arena, &edit, &f->err));
	assert_string_equal(edit.files[0].path, "calc.py");
	agent_free(repair);
	room_close(&job.room);
}

static void repair_does_not_propose_twice_what_it_took_back(void **state)
{
	struct fixture *f = *state;
	struct job job;
	struct agent *repair = open_repair(f, &job);
	struct response response = search(repair, &f->arena, RONDO_MESSAGE_TEXT, report(&f->arena, NULL), 1);
	assert_int_equal(response.message.type, RONDO_MESSAGE_EDIT);
	response = search(repair, &f->arena, RONDO_MESSAGE_TEST_REPORT, report(&f->arena, "broken"), 0);
	assert_int_equal(response.message.type, RONDO_MESSAGE_EDIT);
	assert_memory_equal(response.message.content, "undo: ", 6);
	response = search(repair, &f->arena, RONDO_MESSAGE_TEST_REPORT, report(&f->arena, NULL), 0);
	assert_int_equal(response.message.type, RONDO_MESSAGE_STOP);
	agent_free(repair);
	room_close(&job.room);
}

int main(void)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(repair_ends_with_what_it_found),
		FIXTURE_TEST(repair_does_not_propose_twice_what_it_took_back),
	};
	return RUN_TESTS(tests);
}
