/* The coder's memory: saved and loaded at every point of a chat, and left alone by a turn that
 * fails. */
#include "tests/unit/coder_fixture.h"

#include "chat/message_thread.h"

#define REPORT_PASSES "{\"ok\":true,\"results\":[]}"

/* What the others say before each turn of the coder; and what the model replies, call by call. */
static const struct model_reply replies[] = {{.text = "Let me see.\n"
													  "```sh\n"
													  "ls\n"
													  "```",
												 .provider_data = "sealed"},
	{.text = BAD_EDIT}, {.text = GOOD_EDIT}, {.text = BAD_EDIT}, {.text = "Hm."}, {.text = ""},
	{.text = "I have no idea."}, {.text = "Nor have others."}, {.text = GOOD_EDIT}};
enum { TURNS = 8 };

struct chat {
	struct message_thread thread;
	size_t shown;
	char *parts[TURNS], *all[TURNS]; /* the saves behind each turn */
	const char *contents[TURNS];     /* what the coder said; NULL: nothing */
	size_t lengths[TURNS], calls[TURNS];
	size_t shown_then[TURNS];
};

static void append(struct chat *chat, enum rondo_message_type type, const char *source,
	const char *content, const char *data)
{
	message_thread_append(&chat->thread,
		&(struct rondo_message){
			.type = type, .source = source, .content = content, .data = data, .created_at_ms = 1});
}

static void others(struct team *t, struct chat *chat, size_t i)
{
	static const char *const outputs[] = {"exitcode: 0 (execution succeeded)\n"
										  "Code output: pricing.py",
		"1 file changed", "exitcode: 1 (execution failed)\nCode output: oops"};
	if (i == 0)
		append(chat, RONDO_MESSAGE_TEXT, "user", "Make it pass.",
			report(t, "assert 2 == 3", "1 failed in 0.01s"));
	if (i == 1 || i == 2)
		append(chat, RONDO_MESSAGE_CODE_EXECUTION, "executor", outputs[i - 1], NULL);
	if (i == 2)
		append(chat, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
			report(t, "assert 2 == 3", "1 failed in 0.02s"));
	if (i == 3)
		append(chat, RONDO_MESSAGE_CODE_EXECUTION, "executor", outputs[2], NULL);
	if (i == TURNS - 1)
		append(chat, RONDO_MESSAGE_TEXT, "user", "Try once more.", NULL);
}

static int speak(struct agent *coder, struct chat *chat, struct team *t, const char **ret_content,
	struct rondo_error *err)
{
	struct response response;
	struct message_span unseen = message_thread_since(&chat->thread, chat->shown);
	if (agent_on_messages(coder, unseen, &t->arena, &response, &(struct context){0}, err) < 0)
		return -1;
	*ret_content = response.pass ? NULL : response.message.content;
	if (!response.pass)
		append(
			chat, response.message.type, "coder", response.message.content, response.message.data);
	chat->shown = chat->thread.n;
	return 0;
}

static char *saved(struct agent *agent, bool all)
{
	AUTO_JSON *json = agent_save(agent, all);
	return json ? json_print(json) : NULL;
}

static void load(struct agent *agent, const char *text, const struct message_thread *thread)
{
	struct rondo_error err;
	AUTO_JSON *json = text ? json_parse(text, strlen(text), &err) : NULL;
	if (agent_load(agent, json, thread, &err) < 0)
		fail_msg("%s", err.message);
}

/* The whole chat once; what a coder that was loaded does is held against it. */
static void perform(struct team *t, struct chat *chat)
{
	struct rondo_error err;
	for (size_t i = 0; i < TURNS; i++) {
		others(t, chat, i);
		chat->shown_then[i] = chat->shown;
		assert_int_equal(speak(t->coder, chat, t, &chat->contents[i], &err), 0);
		chat->parts[i] = saved(t->coder, false);
		chat->all[i] = saved(t->coder, true);
		chat->calls[i] = script.at;
		chat->lengths[i] = chat->thread.n;
	}
}

static void expect_same_question(const struct model_request *a, const struct model_request *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->messages[i].role, b->messages[i].role);
		assert_string_equal(a->messages[i].content, b->messages[i].content);
		const char *data = a->messages[i].provider_data, *other = b->messages[i].provider_data;
		assert_true(data == other || strcmp(data, other) == 0);
	}
}

/* From behind turn `cut` on, with another coder; the first one's words stay on the thread. */
static void go_on(struct team *t, const struct chat *chat, size_t cut, struct agent *coder)
{
	struct rondo_error err;
	struct model_request expected[32];
	memcpy(expected, script.asked, sizeof expected);
	script.at = chat->calls[cut];
	for (size_t i = cut + 1; i < TURNS; i++) {
		struct response response;
		size_t first = chat->shown_then[i], end = chat->lengths[i] - (chat->contents[i] != NULL);
		struct message_span unseen = {chat->thread.messages + first, end - first};
		assert_int_equal(
			agent_on_messages(coder, unseen, &t->arena, &response, &(struct context){0}, &err), 0);
		assert_int_equal(response.pass, !chat->contents[i]);
		if (!response.pass)
			assert_string_equal(response.message.content, chat->contents[i]);
		assert_int_equal(script.at, chat->calls[i]);
	}
	for (size_t i = chat->calls[cut]; i < script.at; i++)
		expect_same_question(&script.asked[i], &expected[i]);
	AUTO_FREE char *end = saved(coder, true);
	assert_string_equal(end, chat->all[TURNS - 1]);
}

static void release(struct chat *chat)
{
	for (size_t i = 0; i < TURNS; i++) {
		free(chat->parts[i]);
		free(chat->all[i]);
	}
	message_thread_release(&chat->thread);
}
#define AUTO_CHAT __attribute__((cleanup(release))) struct chat

static void a_coder_that_was_loaded_asks_and_says_the_same(void **state)
{
	AUTO_TEAM t;
	AUTO_CHAT chat = {.shown = 0};
	open_team(&t, state, replies);
	perform(&t, &chat);
	assert_int_equal(script.at, ARRAY_SIZE(replies));
	assert_string_equal(script.asked[1].messages[2].provider_data, "sealed");
	for (size_t cut = 0; cut < TURNS; cut++) {
		struct agent *whole = agent_new(&coder_agent, "coder", t.options, &t.services);
		struct agent *parts = agent_new(&coder_agent, "coder", t.options, &t.services);
		load(whole, chat.all[cut], &chat.thread);
		go_on(&t, &chat, cut, whole);
		for (size_t i = 0; i <= cut; i++)
			load(parts, chat.parts[i], &chat.thread);
		AUTO_FREE char *together = saved(parts, true);
		assert_string_equal(together, chat.all[cut]);
		go_on(&t, &chat, cut, parts);
		agent_free(whole);
		agent_free(parts);
	}
}

/* Saves by and by are as long as what was said. */
static void a_save_holds_what_came_since(void **state)
{
	AUTO_TEAM t;
	AUTO_CHAT chat = {.shown = 0};
	open_team(&t, state, replies);
	perform(&t, &chat);
	expect_in(chat.parts[0], "Let me see.");
	for (size_t i = 1; i < TURNS; i++)
		expect_not_in(chat.parts[i], "ls\\n");
	expect_in(chat.parts[1], "Code output: pricing.py");
	expect_not_in(chat.parts[2], "Code output: pricing.py");
}

/* The second call of a turn fails: the next turn asks as if there had been none. */
static void a_turn_that_fails_leaves_nothing(void **state)
{
	AUTO_TEAM t;
	AUTO_CHAT chat = {.shown = 0};
	struct rondo_error err;
	const char *content;
	open_team(&t, state,
		(struct model_reply[]){{.text = BAD_EDIT}, {.text = BAD_EDIT}, {.text = GOOD_EDIT}});
	others(&t, &chat, 0);
	script.breaks = 2;
	assert_int_equal(speak(t.coder, &chat, &t, &content, &err), -1);
	assert_string_equal(err.message, "agent 'coder': model scripted/model: the line is dead");
	AUTO_FREE char *nothing = saved(t.coder, true);
	assert_null(nothing);
	script.breaks = 0;
	assert_int_equal(speak(t.coder, &chat, &t, &content, &err), 0);
	assert_int_equal(script.at, 3);
	expect_same_question(&script.asked[0], &script.asked[1]);
	expect_in(content, "It forgets the sum.");
	others(&t, &chat, 1);
	AUTO_FREE char *before = saved(t.coder, true);
	script.breaks = 1;
	assert_int_equal(speak(t.coder, &chat, &t, &content, &err), -1);
	AUTO_FREE char *after = saved(t.coder, true);
	assert_string_equal(before, after);
}

/* What it has heard it does not hear again, although it is shown. */
static void nothing_is_heard_twice(void **state)
{
	AUTO_TEAM t;
	AUTO_CHAT chat = {.shown = 0};
	struct rondo_error err;
	const char *content;
	open_team(&t, state, (struct model_reply[]){{.text = "One."}, {.text = "Two."}});
	others(&t, &chat, 0);
	assert_int_equal(speak(t.coder, &chat, &t, &content, &err), 0);
	chat.shown = 0;
	chat.thread.n = 1; /* its word could not be recorded */
	others(&t, &chat, 1);
	assert_int_equal(speak(t.coder, &chat, &t, &content, &err), 0);
	const char *last = script.asked[1].messages[script.asked[1].n - 1].content;
	assert_string_equal(last,
		"executor: exitcode: 0 (execution succeeded)\n"
		"Code output: pricing.py\n\n"
		"[No file has changed by that: what stands in a fence without the path of its file is run, "
		"and is no\nedit.]\n");
}

static void a_wrong_state_is_refused(void **state)
{
	AUTO_TEAM t;
	struct rondo_error err;
	open_team(&t, state, replies);
	static const char text[] = "{\"entries\":[{\"role\":\"judge\",\"text\":\"x\"}]}";
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	assert_int_equal(agent_load(t.coder, json, NULL, &err), -1);
	assert_string_equal(
		err.message, "state of agent 'coder': an entry of a dialogue needs a role and a text");
}

UNIT(coder_state)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(a_coder_that_was_loaded_asks_and_says_the_same),
		FIXTURE_TEST(a_save_holds_what_came_since),
		FIXTURE_TEST(a_turn_that_fails_leaves_nothing),
		FIXTURE_TEST(nothing_is_heard_twice),
		FIXTURE_TEST(a_wrong_state_is_refused),
	};
	return RUN_TESTS(tests);
}
