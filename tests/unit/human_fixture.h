/* Humans for whom a script answers, and code that is only counted. */
#pragma once
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>

#include "agents/agent.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/message.h"

#define CODE "```python\nprint(6 * 7)\n```"
#define END "All is well. TERMINATE"
#define PLAIN "Shall I go on?"

/* --- Who answers: a text, or one of these --- */

static const char late[] = "late", stopped[] = "stopped";
__attribute__((unused)) static const char ended[] = "ended", failing[] = "failing";

static struct asked {
	const char *const *answers;
	size_t n;
	char question[256]; /* the last one */
	int64_t deadline_ms;
	struct cancel *cancel;
} asked;

static const char *answer(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err)
{
	(void)owner;
	const char *text = asked.answers ? asked.answers[asked.n] : NULL;
	asked.n++;
	asked.deadline_ms = deadline_ms;
	snprintf(asked.question, sizeof asked.question, "%s", question);
	if (!text)
		fail_msg("'%s' was asked, and nobody should be", question);
	if (text == stopped)
		cancel_fire(asked.cancel, SIGINT);
	if (text == late || text == stopped)
		error_set(err, RONDO_ERROR_TRANSIENT, "nobody answered in time");
	else if (text == ended)
		error_set(err, RONDO_ERROR_NONE, "the input has ended");
	else if (text == failing)
		error_set(err, RONDO_ERROR_INTERNAL, "the line is dead");
	else
		return arena_strdup(arena, text);
	return NULL;
}

static void will_answer(const char *const *answers)
{
	asked = (struct asked){.answers = answers};
}
#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- Where code would run: it is only counted --- */

static char top[TOP_SIZE];
static size_t runs;

static int run_nothing(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	(void)executor, (void)ctx, (void)err;
	bool asks = text_starts_with(command->line, "command -v "); /* for a language's program */
	runs += !asks;
	strbuf_adds(command->output, asks ? "/bin/program\n" : "42\n");
	*result = (struct process_result){.end = PROCESS_EXITED};
	return 0;
}

static const struct executor_type counting = {.name = "counting", .run = run_nothing};
static const struct world world;
static struct checkout main_checkout;
static struct agent_services services = {.main_checkout = &main_checkout, .dir = top};

static int set_up(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	setenv("RONDO_TEST_API_KEY", "sk-secret", 1);
	return make_top(top)
		? executor_new(&(struct executor_plan){.type = &counting, .settings = &executor_defaults},
			  &world, top, top, &ctx, &main_checkout.executor, &err)
		: -1;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	executor_free(main_checkout.executor);
	return file_remove_tree(top, &err);
}

/* --- One agent, and what it makes of a message --- */

struct scene {
	struct arena arena;
	struct agent *agent;
	void *options;
	struct context ctx;
	struct response response;
	struct rondo_error err;
};

static void scene_close(struct scene *scene)
{
	agent_free(scene->agent);
	arena_release(&scene->arena);
}
#define AUTO_SCENE __attribute__((cleanup(scene_close))) struct scene

__attribute__((unused)) static void set(struct scene *scene, const char *name, const char *value)
{
	const struct option *option =
		option_find(scene->agent->type->options, name, "key", &scene->err);
	assert_non_null(option);
	assert_int_equal(option_set(option, scene->options, &scene->arena, value, &scene->err), 0);
	agent_reset(scene->agent);
}

static void open_scene(struct scene *scene, const struct agent_type *type)
{
	*scene = (struct scene){.ctx = {.ask = {.call = answer}}};
	scene->options = arena_alloc(&scene->arena, type->state_size);
	option_defaults(type->options, scene->options, &scene->arena);
	scene->agent = agent_new(type, "me", scene->options, &services);
	will_answer(NULL);
	runs = 0;
}

static int hear_all(struct scene *scene, const struct rondo_message *messages, size_t n)
{
	const struct rondo_message *span[4];
	for (size_t i = 0; i < n; i++)
		span[i] = message_copy(&scene->arena, &messages[i]);
	return agent_on_messages(scene->agent, (struct message_span){span, n}, &scene->arena,
		&scene->response, &scene->ctx, &scene->err);
}

__attribute__((unused)) static int hear(struct scene *scene, const char *content)
{
	return hear_all(scene, &(struct rondo_message){.source = "coder", .content = content}, 1);
}

/* What an agent did, in a word. */
__attribute__((unused)) static const char *did(struct scene *scene)
{
	bool agreed;
	const struct rondo_message *message = message_copy(&scene->arena, &scene->response.message);
	if (runs)
		return message->type == RONDO_MESSAGE_CODE_EXECUTION ? "runs" : "runs and says otherwise";
	if (scene->response.pass)
		return "passes";
	if (message_ends_chat(message, &agreed))
		return agreed ? "agrees" : "exits";
	return message->type == RONDO_MESSAGE_TEXT ? message->content : "says something else";
}

#define RUN_HUMAN_TESTS(tests) cmocka_run_group_tests(tests, set_up, tear_down)
