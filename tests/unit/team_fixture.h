/* Teams of agents that follow a script, with conditions of their own. */
#pragma once
#include "tests/unit/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "chat/event.h"
#include "chat/message.h"
#include "team/team.h"

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct arena arena; /* of a test */

/*
 * What an agent says, turn by turn; behind the end it passes. A line is text, but for
 *   -      it passes
 *   !      it fails
 *   =...   an edit
 *   #...   it stops
 *   *      it says all that it is shown
 *   %      it says the how manieth time this is
 *   .      from here on it says what it was shown first, or else what it said last: AutoGen's echo
 *          agent
 *   +      from here on it carries out what it is shown, and passes where that is nothing
 *   ~      it works until it is cancelled
 *   ^      it is cancelled from outside
 */
struct script {
	const char *const *lines;
	size_t at, n_calls, saved_calls;
	size_t unseen[64];
	char last[256];
};

static struct cancel *outside;

static bool has_work(struct message_span unseen)
{
	for (size_t i = 0; i < unseen.n; i++)
		if (unseen.messages[i]->type == RONDO_MESSAGE_EDIT)
			return true;
	return false;
}

static void wait_for(const struct cancel *cancel)
{
	struct pollfd fds[CANCEL_FDS];
	size_t n = cancel_poll(cancel, fds);
	assert_true(n);
	poll(fds, n, -1);
}

static int follow(struct agent *agent, struct message_span unseen, struct arena *to,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct script *script = agent->state;
	const char *line = script->lines[script->at] ? script->lines[script->at] : "-";
	script->unseen[script->n_calls++ % 64] = unseen.n;
	for (size_t i = 0; i < unseen.n; i++)
		assert_string_not_equal(unseen.messages[i]->source, agent->name);
	if (*line == '^')
		cancel_fire(outside, SIGINT);
	if (*line == '~')
		wait_for(ctx->cancel);
	if (cancel_reason(ctx->cancel)) {
		script->at += *line == '^';
		return cancel_error(ctx->cancel, err);
	}
	script->at += *line != '.' && *line != '+' && script->lines[script->at];
	if (*line == '!')
		return error_set(err, RONDO_ERROR_INTERNAL, "broken");
	if (*line == '.' && unseen.n)
		snprintf(script->last, sizeof script->last, "%s", unseen.messages[0]->content);
	if (*line == '.')
		line = script->last;
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < unseen.n && *line == '*'; i++)
		strbuf_addf(&shown, "%s=%s,", unseen.messages[i]->source, unseen.messages[i]->content);
	if (*line == '%')
		strbuf_addf(&shown, "%zu", script->n_calls);
	if (*line == '*' || *line == '%')
		line = shown.text;
	if (*line == '+')
		line = has_work(unseen) ? "done" : "-";
	response->pass = *line == '-';
	response->message = (struct rondo_message){.content = arena_strdup(to, line),
		.models_usage = {3, 2},
		.type = *line == '=' ? RONDO_MESSAGE_EDIT
			: *line == '#'   ? RONDO_MESSAGE_STOP
							 : RONDO_MESSAGE_TEXT};
	return 0;
}

static bool would_execute(struct agent *agent, struct message_span unseen)
{
	const struct script *script = agent->state;
	return script->lines[script->at] && *script->lines[script->at] == '+' && has_work(unseen);
}

static void save_script(struct agent *agent, bool all, struct json *to)
{
	struct script *script = agent->state;
	json_add_int(to, "at", (int64_t)script->at);
	json_add_int(to, "calls", (int64_t)(script->n_calls - (all ? 0 : script->saved_calls)));
	if (!all)
		script->saved_calls = script->n_calls;
	json_add_string(to, "last", script->last);
}

static int load_script(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	(void)thread;
	struct script *script = agent->state;
	if (!json_get(from, "at"))
		return error_set(err, RONDO_ERROR_USAGE, "no place");
	script->at = (size_t)json_int(from, "at", 0);
	script->n_calls += (size_t)json_int(from, "calls", 0);
	script->saved_calls = script->n_calls;
	snprintf(script->last, sizeof script->last, "%s", json_string(from, "last", ""));
	return 0;
}

static const struct agent_type scripted = {.name = "scripted",
	.summary = "follows a script",
	.state_size = sizeof(struct script),
	.on_messages = follow,
	.executes = would_execute,
	.save = save_script,
	.load = load_script};

static struct agent *scripted_agent(const char *name, const char *const *lines)
{
	struct script *script = arena_alloc(&arena, sizeof *script);
	size_t n = 0;
	while (lines[n])
		n++;
	*script = (struct script){.lines = arena_memdup(&arena, lines, (n + 1) * sizeof *lines)};
	return agent_new(&scripted, name, script, NULL);
}

__attribute__((unused)) static const struct script *script_of(const struct team *team, size_t i)
{
	return team->participants[i]->state;
}

/* --- Conditions --- */

/* So many messages since the start, the task among them. */
struct count {
	int64_t most, n;
};

static int check_count(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	struct count *count = termination->state;
	count->n += (int64_t)delta.n;
	snprintf(reason->text, sizeof reason->text, "%d of %d", (int)count->n, (int)count->most);
	if (delta.n)
		reason->message = delta.messages[delta.n - 1];
	return count->n >= count->most;
}

static void reset_count(struct termination *termination)
{
	((struct count *)termination->state)->n = 0;
}

static void save_count(const struct termination *termination, struct json *to)
{
	json_add_int(to, "n", ((const struct count *)termination->state)->n);
}

static void load_count(struct termination *termination, const struct json *from)
{
	((struct count *)termination->state)->n = json_int(from, "n", 0);
}

static const struct termination_type count_termination = {.name = "count",
	.summary = "so many messages",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct count),
	.check = check_count,
	.reset = reset_count,
	.save = save_count,
	.load = load_count};

__attribute__((unused)) static struct termination *after_messages(int64_t most)
{
	return termination_new(&arena, &count_termination, &(struct count){.most = most}, NULL, NULL);
}

__attribute__((unused)) static struct termination *on_word(const char *word)
{
	struct termination *termination =
		termination_new(&arena, &text_mention_termination, NULL, NULL, NULL);
	struct rondo_error err;
	assert_int_equal(
		option_set(&text_mention_termination.options[0], termination->state, &arena, word, &err),
		0);
	return termination;
}

/* --- Teams --- */

struct member {
	const char *name;
	const char *const *lines;
};

static struct team *teams[4096];         /* of a test */
static struct agent *inner_agents[1024]; /* agents within agents */
static size_t n_teams, n_inner_agents;

__attribute__((unused)) static struct team *team_with(
	struct agent *const *agents, size_t n, const struct team_rules *rules)
{
	struct rondo_error err;
	struct team *team;
	struct agent **kept = arena_memdup(&arena, agents, n * sizeof *agents);
	if (team_new(&round_robin_team, kept, n, rules, &team, &err) < 0)
		fail_msg("%s", err.message);
	teams[n_teams++] = team;
	assert_true(n_teams < ARRAY_SIZE(teams));
	return team;
}

__attribute__((unused)) static struct team *team_of(const struct team_rules *rules,
	const char *const *a, const char *const *b, const char *const *c, const char *const *d)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	const char *const *lines[] = {a, b, c, d};
	struct agent **agents = NULL;
	size_t n = 0;
	while (n < 4 && lines[n]) {
		struct agent *agent = scripted_agent(names[n], lines[n]);
		ARENA_PUSH(&arena, agents, n, agent);
	}
	return team_with(agents, n, rules);
}

__attribute__((unused)) static struct agent *team_agent_of(
	const char *name, struct team *team, const char *messages)
{
	struct rondo_error err;
	char *options = arena_alloc(&arena, team_agent.state_size);
	option_defaults(team_agent.options, options, &arena);
	((struct option_spec *)(void *)(options + team_agent.options[0].offset))->object = team;
	assert_int_equal(option_set(&team_agent.options[1], options, &arena, messages, &err), 0);
	return agent_new(&team_agent, name, options, NULL);
}

/* Frees the teams of a test with their agents. */
static int tear_down(void **state)
{
	(void)state;
	while (n_teams) {
		struct team *team = teams[--n_teams];
		for (size_t i = 0; i < team->n; i++)
			agent_free(team->participants[i]);
		team_free(team);
	}
	while (n_inner_agents)
		agent_free(inner_agents[--n_inner_agents]);
	arena_release(&arena);
	return 0;
}
#define TEAM_TEST(test) cmocka_unit_test_teardown(test, tear_down)

static const struct rondo_message *task_message(const char *text)
{
	return arena_memdup(&arena, &(struct rondo_message){.source = "user", .content = text},
		sizeof(struct rondo_message));
}

/* `task` NULL: none. */
__attribute__((unused)) static int run_in(struct team *team, const char *task,
	struct rondo_task_result *result, const struct context *ctx, struct rondo_error *err)
{
	const struct rondo_message *said = task_message(task);
	return team_run(team, (struct message_span){&said, task != NULL}, result, ctx, err);
}

__attribute__((unused)) static struct rondo_task_result run(struct team *team, const char *task)
{
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	if (run_in(team, task, &result, &ctx, &err) < 0)
		fail_msg("%s", err.message);
	return result;
}

/* "user: task; a: one; " */
__attribute__((unused)) static const char *transcript(const struct rondo_task_result *result)
{
	AUTO_STRBUF text = STRBUF_INIT(1 << 20);
	for (size_t i = 0; i < result->n; i++)
		strbuf_addf(&text, "%s: %s; ", result->messages[i]->source, result->messages[i]->content);
	return arena_strndup(&arena, text.text, text.length);
}

__attribute__((unused)) static void expect_said(
	const struct rondo_task_result *result, const char *expected)
{
	assert_string_equal(transcript(result), expected);
}

/* --- Records: what a run records, as a journal holds it --- */

struct record {
	struct json *events[4096];
	size_t n;
};

static int record_event(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	(void)err;
	struct record *record = owner;
	assert_true(record->n < ARRAY_SIZE(record->events));
	struct json *json = record->events[record->n++] = json_object();
	event_to_json(event, json);
	return 0;
}

__attribute__((unused)) static void record_release(struct record *record)
{
	while (record->n)
		json_free(record->events[--record->n]);
}
#define AUTO_RECORD __attribute__((cleanup(record_release))) struct record

__attribute__((unused)) static struct context recording(struct record *record)
{
	return (struct context){.record = {record_event, record}};
}

/* Take up events, from `first` on. */
__attribute__((unused)) static void recall(
	struct team *team, const struct record *record, size_t first, size_t n)
{
	for (size_t i = first; i < n; i++) {
		AUTO_ARENA scratch = ARENA_INIT;
		struct rondo_event event;
		struct rondo_error err;
		AUTO_FREE char *text = json_print(record->events[i]);
		AUTO_JSON *json = json_parse(text, strlen(text), &err);
		if (!json || event_from_json(json, &scratch, &event, &err) < 0 ||
			team_recall(team, &event, &err) < 0)
			fail_msg("event %zu: %s: %s", i, err.message, text);
	}
}
