/* The repair agent up to its last words, with a tester that is made up. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "agents/search.h"
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
	struct rondo_message message = {.type = type, .source = "tester", .content = "", .data = arena_strdup(to, data)};
	const struct rondo_message *messages[] = {arena_memdup(to, &message, sizeof message)}; /* it stays, as on a thread */
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
	sh(f, "printf 'def less(a, b):\\n    return a < b\\n\\n\\ndef more(a, b):\\n    return a > b\\n' >calc.py");
	job->room = room_of(f);
	suite_from_command("pytest", "from a test", &f->arena, &job->suite);
	job->protection = suite_protection(&job->suite);
	job->desk = (struct workplace){.worktree = job->room.worktree};
	job->kit = (struct agent_kit){.desk = &job->desk, .repository = job->room.repository, .base = &job->room.base,
		.suite = &job->suite, .protection = &job->protection, .repair_timeout_ms = 3600000};
	return agent_new(&repair_agent, "repair", NULL, &job->kit);
}

static size_t n_tried; /* in a search and those that go on from it */

/* Let repair search to its end, or to an edit; of the first batch the first candidate fixes `fixed` of two tests. */
static struct response search(struct agent *repair, struct arena *to, enum rondo_message_type type, const char *data,
	size_t fixed)
{
	struct response response = ask(repair, to, type, data);
	n_tried = type == RONDO_MESSAGE_TEXT ? 0 : n_tried;
	while (response.message.type == RONDO_MESSAGE_CANDIDATES) {
		struct rondo_error err;
		struct candidates posted;
		AUTO_JSON *json = json_parse(response.message.data, strlen(response.message.data), &err);
		assert_int_equal(candidates_from_json(json, to, &posted, &err), 0);
		struct candidate_result progress = {.id = posted.items[0].id, .fixed = fixed};
		struct candidate_results results = {.tried = posted.n, .of = posted.n, .goal = 2, .progress = &progress,
			.n = fixed != 0};
		fixed = 0;
		n_tried += posted.n;
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
	assert_non_null(strstr(response.message.content,
		arena_printf(&f->arena, "gave up: all %zu candidates were tried, likeliest first: calc.py:2", n_tried)));
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

/* --- State: the search goes on from every point of it --- */

/* A tester that is made up: the candidate of this place wins, or one fixes a part and then nothing does. */
struct judgement {
	int64_t winner;
	bool is_part;
};

static const char *judge_batch(struct judgement *judgement, const char *data, struct arena *to)
{
	struct rondo_error err;
	struct candidates posted;
	AUTO_JSON *json = json_parse(data, strlen(data), &err);
	assert_int_equal(candidates_from_json(json, to, &posted, &err), 0);
	struct candidate_result progress = {.id = 3, .fixed = 1};
	struct candidate_results results = {.tried = posted.n, .of = posted.n, .goal = 2, .progress = &progress,
		.n = judgement->is_part && posted.items[0].id <= 3 && posted.items[posted.n - 1].id >= 3,
		.has_coverage = posted.wants_coverage,
		.coverage = {&(struct coverage_line){"calc.py", 6, 1, 0}, 1, .n_goal = 1, .n_others = 1}};
	for (size_t i = 0; i < posted.n; i++)
		if (posted.items[i].id == judgement->winner)
			results.winner = judgement->winner;
	AUTO_JSON *answer = candidate_results_to_json(&results);
	AUTO_FREE char *text = json_print(answer);
	return arena_strdup(to, text);
}

struct talk {
	struct fixture *f;
	struct job *job;
	struct message_thread thread;
	size_t shown;
};

static void talk_append(struct talk *talk, const struct rondo_message *message)
{
	message_thread_append(&talk->thread, message);
}

/* What everybody else does about a message: candidates are tried, an edit is applied and judged. Each edit is worse. */
static void react(struct talk *talk, struct judgement *judgement, const struct rondo_message *message)
{
	struct fixture *f = talk->f;
	struct edit edit;
	if (message->type == RONDO_MESSAGE_CANDIDATES) {
		talk_append(talk, &(struct rondo_message){.type = RONDO_MESSAGE_CANDIDATE_RESULTS, .source = "tester",
			.content = "", .data = judge_batch(judgement, message->data, &f->arena)});
		return;
	}
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), &f->err);
	must(f, edit_from_json(json, &f->arena, &edit, &f->err));
	must(f, worktree_apply(talk->job->room.worktree, &edit, &f->err));
	bool undone = strncmp(message->content, "undo: ", 6) == 0;
	talk_append(talk, &(struct rondo_message){.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester", .content = "",
		.data = report(&f->arena, undone ? NULL : "broken")});
}

static bool is_over(const struct response *response, const struct judgement *judgement)
{
	return response->message.type == RONDO_MESSAGE_STOP || (judgement->winner && response->message.type == RONDO_MESSAGE_EDIT);
}

/* Talks with repair until it is done; after `cut` of its turns another one takes its place, which is given what the first one
 * saved: at once, or by and by. Gives all that was said but for the batches, whose size depends on time. */
static const char *talk_to_the_end(struct fixture *f, struct job *job, struct judgement judgement, size_t cut, bool at_once)
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct json *saves[64];
	size_t n = 0;
	struct talk talk = {.f = f, .job = job};
	struct response response;
	struct agent *agent = agent_new(&repair_agent, "repair", NULL, &job->kit);
	must(f, worktree_checkout(job->room.worktree, &job->room.base.tree, &f->err));
	talk_append(&talk, &(struct rondo_message){.source = "user", .content = "task", .data = report(&f->arena, NULL)});
	for (size_t turn = 0;; turn++) {
		struct message_span unseen = message_thread_since(&talk.thread, talk.shown);
		must(f, agent_on_messages(agent, unseen, &f->arena, &response, &(struct context){0}, &f->err));
		assert_false(response.pass);
		talk_append(&talk, &response.message);
		talk.shown = talk.thread.n;
		if (response.message.type != RONDO_MESSAGE_CANDIDATES)
			strbuf_addf(&said, "%s %s\n", response.message.content, response.message.data);
		assert_true(n < 64);
		saves[n++] = agent_save(agent, at_once);
		if (is_over(&response, &judgement))
			break;
		if (turn == cut) {
			agent_free(agent);
			agent = agent_new(&repair_agent, "repair", NULL, &job->kit);
			for (size_t i = at_once ? n - 1 : 0; i < n; i++)
				must(f, agent_load(agent, saves[i], &talk.thread, &f->err));
		}
		react(&talk, &judgement, &response.message);
	}
	while (n)
		json_free(saves[--n]);
	agent_free(agent);
	message_thread_release(&talk.thread);
	return arena_strndup(&f->arena, said.text, said.length);
}

static void expect_same_end_from_every_point(struct fixture *f, struct job *job, const struct judgement *judgement, size_t turns)
{
	const char *expected = talk_to_the_end(f, job, *judgement, SIZE_MAX, true);
	for (size_t cut = 0; cut < turns; cut++) {
		assert_string_equal(talk_to_the_end(f, job, *judgement, cut, true), expected);
		assert_string_equal(talk_to_the_end(f, job, *judgement, cut, false), expected);
	}
}

static void the_same_candidate_wins_after_a_load(void **state)
{
	struct fixture *f = *state;
	struct job job;
	agent_free(open_repair(f, &job));
	for (int64_t winner = 1; winner <= 20; winner += 6)
		expect_same_end_from_every_point(f, &job, &(struct judgement){.winner = winner}, 2);
	room_close(&job.room);
}

/* Batches, the partial fix, its undo (while the desk holds another text than the search), more batches, the last words. */
static void a_search_ends_alike_after_a_load(void **state)
{
	struct fixture *f = *state;
	struct job job;
	agent_free(open_repair(f, &job));
	const char *whole = talk_to_the_end(f, &job, (struct judgement){.is_part = true}, SIZE_MAX, true);
	assert_non_null(strstr(whole, "\nundo: "));
	assert_non_null(strstr(whole, "gave up: all "));
	expect_same_end_from_every_point(f, &job, &(struct judgement){.is_part = true}, 8);
	room_close(&job.room);
}

/* The time of a search stands still while nobody works. */
static void what_is_left_of_its_time_is_saved(void **state)
{
	struct fixture *f = *state;
	struct job job;
	struct agent *repair = open_repair(f, &job);
	ask(repair, &f->arena, RONDO_MESSAGE_TEXT, report(&f->arena, NULL));
	AUTO_JSON *json = agent_save(repair, true);
	assert_in_range(json_int(json, "left_ms", 0), 3500000, 3600000);
	agent_free(repair);
	room_close(&job.room);
}

/* The file cannot be read for a moment; then the turn is taken as if nothing had been. */
static void a_turn_that_fails_is_taken_again(void **state)
{
	struct fixture *f = *state;
	struct job job;
	struct rondo_error err;
	struct response response;
	struct agent *repair = open_repair(f, &job);
	response = ask(repair, &f->arena, RONDO_MESSAGE_TEXT, report(&f->arena, NULL));
	struct judgement judgement = {.winner = 2};
	struct rondo_message message = {.id = 2, .type = RONDO_MESSAGE_CANDIDATE_RESULTS, .source = "tester", .content = "",
		.data = judge_batch(&judgement, response.message.data, &f->arena)};
	const struct rondo_message *messages[] = {&message};
	AUTO_JSON *before = agent_save(repair, true);
	sh(f, "cd ../tree; mv calc.py kept; mkdir calc.py");
	assert_int_equal(
		agent_on_messages(repair, (struct message_span){messages, 1}, &f->arena, &response, &(struct context){0}, &err), -1);
	AUTO_JSON *after = agent_save(repair, true);
	assert_int_equal(json_int(json_get(after, "search"), "tried", 0), json_int(json_get(before, "search"), "tried", 0));
	sh(f, "cd ../tree; rmdir calc.py; mv kept calc.py");
	must(f, agent_on_messages(
			repair, (struct message_span){messages, 1}, &f->arena, &response, &(struct context){0}, &f->err));
	assert_int_equal(response.message.type, RONDO_MESSAGE_EDIT);
	agent_free(repair);
	room_close(&job.room);
}

/* --- The order, which must not depend on how many are tried at a time --- */

/* The first 400, taken by batches of that size, where each 7th candidate fixes something. */
static const char *order_of(struct fixture *f, struct job *job, const struct rondo_message *begin, size_t batch)
{
	struct search search = {0};
	AUTO_STRBUF order = STRBUF_INIT(STRBUF_TEXT);
	must(f, search_begin(&search, &job->kit, begin, 0, &f->err));
	for (size_t n = 0; n < 400;) {
		struct candidate_results results = {0};
		search_post(&search, batch);
		assert_true(search.n_posted > 0);
		for (size_t i = 0; i < search.n_posted; i++, n++) {
			if (n < 400)
				strbuf_addf(&order, "%s\n", search.posted.items[i].edit.description);
			if (search.posted.items[i].id % 7 == 0)
				search_lead(&search, &(struct candidate_result){.id = search.posted.items[i].id, .fixed = 1});
		}
		search_wait(&search, &results);
	}
	search_release(&search);
	return arena_strndup(&f->arena, order.text, order.length);
}

static void the_order_does_not_depend_on_the_batches(void **state)
{
	struct fixture *f = *state;
	struct job job;
	agent_free(open_repair(f, &job));
	struct rondo_message begin = {.id = 1, .data = report(&f->arena, NULL)};
	const char *expected = order_of(f, &job, &begin, 1000);
	assert_string_equal(order_of(f, &job, &begin, 1), expected);
	assert_string_equal(order_of(f, &job, &begin, 5), expected);
	assert_string_equal(order_of(f, &job, &begin, 64), expected);
	room_close(&job.room);
}

UNIT(repair_agent)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(repair_ends_with_what_it_found),
		FIXTURE_TEST(repair_does_not_propose_twice_what_it_took_back),
		FIXTURE_TEST(the_same_candidate_wins_after_a_load),
		FIXTURE_TEST(a_search_ends_alike_after_a_load),
		FIXTURE_TEST(what_is_left_of_its_time_is_saved),
		FIXTURE_TEST(a_turn_that_fails_is_taken_again),
		FIXTURE_TEST(the_order_does_not_depend_on_the_batches),
	};
	return RUN_TESTS(tests);
}
