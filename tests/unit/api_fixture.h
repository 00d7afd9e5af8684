/* What the tests of the public API share: a home of their own, agents and conditions that are the
 * test's. */
#pragma once
#include "include/rondo.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char api_top[TOP_SIZE];

static inline int api_set_up(void **state)
{
	(void)state;
	if (!make_top(api_top) || chdir(api_top) < 0)
		return -1;
	setenv("HOME", api_top, 1);
	setenv("XDG_STATE_HOME", api_top, 1);
	setenv("XDG_CACHE_HOME", api_top, 1);
	unsetenv("XDG_CONFIG_HOME");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	return 0;
}

static inline int api_tear_down(void **state)
{
	char command[TOP_SIZE + 16];
	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", api_top);
	return system(command);
}

static struct rondo_error err;

#define assert_ok(call) \
	do { \
		if ((call) < 0) \
			fail_msg("%s", err.message); \
	} while (0)

static inline void assert_refused(int status, const char *message)
{
	assert_int_equal(status, -1);
	assert_string_equal(err.message, message);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
}

static inline struct rondo_team *new_team(void)
{
	struct rondo_team *team = rondo_team_new(&err);
	assert_non_null(team);
	return team;
}

static inline const struct rondo_result *run(struct rondo_team *team, const char *task)
{
	const struct rondo_result *result = NULL;
	assert_ok(rondo_team_run(team, task, &result, &err));
	return result;
}

static inline void assert_sources(
	const struct rondo_result *result, const char *const *sources, size_t n)
{
	assert_int_equal(result->task->n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(result->task->messages[i]->source, sources[i]);
}

#define ASSERT_SOURCES(result, ...) \
	assert_sources(result, (const char *const[]){__VA_ARGS__}, \
		sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static inline void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* --- Agents and conditions of the caller's own --- */

/* Answers with the first message that it was handed, or with its last answer when it was handed
 * none. */
struct echo {
	struct rondo_team *team;
	char said[64];
	int turns, resets, closes;
	int fails_in_turn;   /* 0: never */
	int cancels_in_turn; /* 0: never */
};

static inline int echo(void *owner, const struct rondo_message *const *unseen, size_t n,
	struct rondo_reply *reply, struct rondo_error *error)
{
	struct echo *self = owner;
	self->turns++;
	if (self->turns == self->fails_in_turn)
		return rondo_error_set(error, RONDO_ERROR_TRANSIENT, "I am flaky");
	if (self->turns == self->cancels_in_turn)
		rondo_team_cancel(self->team);
	if (n)
		snprintf(self->said, sizeof self->said, "%s", unseen[0]->content);
	rondo_reply_text(reply, self->said);
	return 0;
}

static inline void echo_reset(void *owner)
{
	struct echo *self = owner;
	self->resets++;
	self->said[0] = '\0';
}

static inline char *echo_save(void *owner)
{
	struct echo *self = owner;
	return *self->said ? strdup(self->said) : NULL;
}

static inline int echo_load(void *owner, const char *state, struct rondo_error *error)
{
	struct echo *self = owner;
	if (strcmp(state, "poison") == 0)
		return rondo_error_set(error, RONDO_ERROR_USAGE, "it is poison");
	snprintf(self->said, sizeof self->said, "%s", state);
	return 0;
}

static inline void echo_close(void *owner)
{
	((struct echo *)owner)->closes++;
}

static inline void add_echo(struct rondo_team *team, const char *name, struct echo *self)
{
	struct rondo_agent agent = {.size = sizeof agent,
		.on_messages = echo,
		.on_reset = echo_reset,
		.save = echo_save,
		.load = echo_load,
		.close = echo_close,
		.owner = self};
	self->team = team;
	assert_ok(rondo_team_add_own_agent(team, name, &agent, &err));
}

static inline struct rondo_team *echo_team(struct echo *echoes, int n)
{
	struct rondo_team *team = new_team();
	memset(echoes, 0, (size_t)n * sizeof *echoes);
	for (int i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof name, "agent_%d", i + 1);
		add_echo(team, name, &echoes[i]);
	}
	return team;
}

#define RUN_API_TESTS(tests) cmocka_run_group_tests(tests, api_set_up, api_tear_down)
