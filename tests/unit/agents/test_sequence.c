/* Agents that speak as one. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "base/memory.h"

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* What an agent says, turn by turn: "-" passes, "!" fails, "." stops, "^" is cut short, ">" is a
 * team's, in which x has spoken before; and what it was shown. */
static struct script {
	const char *const *lines;
	size_t at, resets;
	char shown[16][256];
} scripts[3];

static int follow(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx;
	struct script *script = &scripts[agent->name[0] - 'a'];
	char *shown = script->shown[script->at];
	for (size_t i = 0; i < unseen.n; i++)
		snprintf(shown + strlen(shown), 256 - strlen(shown), "%s=%s ", unseen.messages[i]->source,
			unseen.messages[i]->content);
	const char *line = script->lines[script->at] ? script->lines[script->at++] : "-";
	if (*line == '!')
		return error_set(err, RONDO_ERROR_INTERNAL, "broken");
	response->pass = *line == '-';
	response->is_cut = *line == '^';
	if (*line == '>') {
		static const struct rondo_message within = {.source = "x", .content = "inner"};
		static const struct rondo_message *const all[] = {&within};
		response->within = all;
		response->n_within = 1;
	}
	response->message =
		(struct rondo_message){.content = arena_strdup(arena, line + (*line == '.')),
			.data = "{}",
			.type = *line == '.' ? RONDO_MESSAGE_STOP : RONDO_MESSAGE_TEXT,
			.models_usage = {7, 3}};
	return 0;
}

static void count_reset(struct agent *agent)
{
	scripts[agent->name[0] - 'a'].resets++;
}

static const struct agent_type scripted = {
	.name = "scripted", .state_size = 1, .on_messages = follow, .on_reset = count_reset};

static struct arena arena;
static struct agent *children[3];
static size_t n_children;
static struct message_thread thread;
static size_t n_shown;

static struct agent *open_sequence(const char *const *a, const char *const *b, const char *const *c)
{
	static const char *const names[] = {"a", "b", "c"};
	const char *const *lines[] = {a, b, c};
	struct option_specs *options = arena_alloc(&arena, sequence_agent.state_size);
	assert_int_equal(sequence_agent.options[0].offset, 0);
	memset(scripts, 0, sizeof scripts);
	n_shown = 0;
	for (n_children = 0; n_children < 3 && lines[n_children];) {
		children[n_children] = agent_new(&scripted, names[n_children], NULL, NULL);
		scripts[n_children] = (struct script){.lines = lines[n_children]};
		struct option_spec spec = {.object = children[n_children++]};
		ARENA_PUSH(&arena, options->items, options->n, spec);
	}
	return agent_new(&sequence_agent, "coder", options, NULL);
}

/* The children may go first. */
static void close_sequence(struct agent *sequence)
{
	for (size_t i = 0; i < n_children; i++)
		agent_free(children[i]);
	agent_free(sequence);
	arena_release(&arena);
	message_thread_release(&thread);
}

static void hear(const char *source, const char *content)
{
	message_thread_append(&thread, &(struct rondo_message){.source = source, .content = content});
}

static struct response turn(struct agent *sequence)
{
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct message_span unseen = message_thread_since(&thread, n_shown);
	if (agent_on_messages(sequence, unseen, &arena, &response, &ctx, &err) < 0)
		fail_msg("%s", err.message);
	if (response.is_cut)
		return response;
	for (size_t i = 0; i < response.n_within; i++)
		message_thread_append(&thread, response.within[i]);
	if (!response.pass)
		message_thread_append(&thread, &response.message);
	n_shown = thread.n;
	return response;
}

static void expect(struct agent *sequence, enum rondo_message_type type, const char *content)
{
	struct response response = turn(sequence);
	assert_false(response.pass);
	assert_int_equal(response.message.type, type);
	assert_string_equal(response.message.content, content);
	assert_string_equal(response.message.source, "coder");
	assert_int_equal(response.message.models_usage.prompt_tokens, 7);
}

static void the_next_goes_on_where_one_stops(void **state)
{
	(void)state;
	struct agent *sequence =
		open_sequence(LINES("a1", ".gave up: tried"), LINES("b1", ".b has enough"), NULL);
	hear("user", "task");
	expect(sequence, RONDO_MESSAGE_TEXT, "a1");
	assert_true(children[0]->has_successor);
	assert_false(children[1]->has_successor);
	hear("tester", "red");
	expect(sequence, RONDO_MESSAGE_TEXT, "a gave up: tried; b continues");
	hear("tester", "still");
	expect(sequence, RONDO_MESSAGE_TEXT, "b1");
	hear("tester", "red");
	expect(sequence, RONDO_MESSAGE_STOP, "b has enough");
	assert_true(turn(sequence).pass);
	assert_string_equal(scripts[0].shown[0], "user=task ");
	assert_string_equal(scripts[0].shown[1], "tester=red ");
	assert_string_equal(
		scripts[1].shown[0], "user=task a=a1 tester=red a=gave up: tried tester=still ");
	assert_string_equal(scripts[1].shown[1], "tester=red ");
	close_sequence(sequence);
}

/* What it said then is not on the thread, and it is shown all of it again. */
static void a_turn_that_is_cut_short_is_as_if_it_had_not_been(void **state)
{
	(void)state;
	struct agent *sequence = open_sequence(LINES("^half", "a1", "."), LINES("b1"), NULL);
	hear("user", "task");
	assert_true(turn(sequence).is_cut);
	hear("user", "more");
	expect(sequence, RONDO_MESSAGE_TEXT, "a1");
	hear("tester", "red");
	turn(sequence);
	hear("tester", "still");
	expect(sequence, RONDO_MESSAGE_TEXT, "b1");
	assert_string_equal(scripts[0].shown[1], "user=task user=more ");
	assert_string_equal(
		scripts[1].shown[0], "user=task user=more a=a1 tester=red a= tester=still ");
	close_sequence(sequence);
}

/* Also after its state was saved and loaded. */
static void the_next_is_shown_what_was_said_within_a_team(void **state)
{
	(void)state;
	struct agent *sequence = open_sequence(LINES(">a1", "-"), LINES("b1"), NULL);
	struct rondo_error err;
	hear("user", "task");
	expect(sequence, RONDO_MESSAGE_TEXT, ">a1");
	AUTO_JSON *saved = agent_save(sequence, true);
	agent_reset(sequence);
	assert_int_equal(agent_load(sequence, saved, &thread, &err), 0);
	hear("tester", "red");
	expect(sequence, RONDO_MESSAGE_TEXT, "b1");
	assert_string_equal(scripts[1].shown[0], "user=task x=inner a=>a1 tester=red ");
	close_sequence(sequence);
}

static void the_next_speaks_at_once_where_one_passes(void **state)
{
	(void)state;
	struct agent *sequence = open_sequence(LINES("-", "never"), LINES("-"), LINES("c1", "-"));
	hear("user", "task");
	expect(sequence, RONDO_MESSAGE_TEXT, "c1");
	assert_string_equal(scripts[1].shown[0], "user=task ");
	assert_true(turn(sequence).pass);
	assert_int_equal(scripts[0].at, 1);
	close_sequence(sequence);
}

static void an_error_names_who_failed(void **state)
{
	(void)state;
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct agent *sequence = open_sequence(LINES("!"), LINES("b1"), NULL);
	assert_int_equal(
		agent_on_messages(sequence, (struct message_span){0}, &arena, &response, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'coder': agent 'a': broken");
	close_sequence(sequence);
}

/* Where the second fails, the first has passed all the same: neither hears anything twice. */
static void a_turn_that_fails_is_gone_on_with(void **state)
{
	(void)state;
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct agent *sequence = open_sequence(LINES("-", "never"), LINES("!", "b2"), LINES("c1"));
	hear("user", "task");
	assert_int_equal(agent_on_messages(
						 sequence, message_thread_since(&thread, 0), &arena, &response, &ctx, &err),
		-1);
	hear("user", "more");
	expect(sequence, RONDO_MESSAGE_TEXT, "b2");
	assert_int_equal(scripts[0].at, 1);
	assert_string_equal(scripts[1].shown[0], "user=task ");
	assert_string_equal(scripts[1].shown[1], "user=task user=more ");
	close_sequence(sequence);
}

static void a_reset_begins_with_the_first(void **state)
{
	(void)state;
	struct agent *sequence = open_sequence(LINES(".stop", "a2"), LINES("b1"), NULL);
	expect(sequence, RONDO_MESSAGE_TEXT, "a stop; b continues");
	agent_reset(sequence);
	message_thread_release(&thread);
	n_shown = 0;
	size_t resets = scripts[0].resets;
	expect(sequence, RONDO_MESSAGE_TEXT, "a2");
	assert_int_equal(scripts[0].resets, resets + 1);
	close_sequence(sequence);
}

static void a_sequence_of_nobody_is_refused(void **state)
{
	(void)state;
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct agent *sequence = agent_new(&sequence_agent, "coder", NULL, NULL);
	assert_int_equal(
		agent_on_messages(sequence, (struct message_span){0}, &arena, &response, &ctx, &err), -1);
	assert_string_equal(err.message,
		"agent 'coder': it has nobody who speaks: the key 'agents' must list one at least");
	agent_free(sequence);
}

static void every_type_conforms(void **state)
{
	(void)state;
	for (size_t i = 0; i < agent_types_n; i++) {
		assert_non_null(agent_types[i]->on_messages);
		assert_non_null(agent_types[i]->summary);
		assert_string_equal(agent_family.type(i).name, agent_types[i]->name);
	}
	assert_null(agent_family.type(agent_types_n).name);
}

UNIT(sequence)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_goes_on_where_one_stops),
		cmocka_unit_test(a_turn_that_is_cut_short_is_as_if_it_had_not_been),
		cmocka_unit_test(the_next_is_shown_what_was_said_within_a_team),
		cmocka_unit_test(the_next_speaks_at_once_where_one_passes),
		cmocka_unit_test(an_error_names_who_failed),
		cmocka_unit_test(a_turn_that_fails_is_gone_on_with),
		cmocka_unit_test(a_reset_begins_with_the_first),
		cmocka_unit_test(a_sequence_of_nobody_is_refused),
		cmocka_unit_test(every_type_conforms),
	};
	return RUN_TESTS(tests);
}
