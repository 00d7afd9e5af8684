/* A coder with a model that follows a script, on a real worktree, and the executor that applies
 * what it proposes. */
#pragma once
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "base/file.h"
#include "chat/message.h"
#include "models/model.h"
#include "tests/unit/worktree_fixture.h"

#define PRICING \
	"def total(items):\n    result = 0\n    for item in items:\n        result = item\n    " \
	"return result\n"
#define TESTS "from pricing import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
#define MENDED \
	"def total(items):\n    result = 0\n    for item in items:\n        result += item\n    " \
	"return result\n"
#define GOOD_EDIT \
	"It forgets the sum.\n\npricing.py\n```python\n<<<<<<< SEARCH\n        result = " \
	"item\n=======\n        result += " \
	"item\n>>>>>>> REPLACE\n```\n"
#define BAD_EDIT \
	"pricing.py\n```python\n<<<<<<< SEARCH\n    result = item\nx\n=======\ny\n>>>>>>> " \
	"REPLACE\n```\n"

/* What the model says, call by call, and what it was asked. */
static struct script {
	const struct model_reply *replies;
	size_t at;
	struct arena arena;
	struct model_request asked[32];
	struct budget *exhausts; /* the first call leaves nothing of it */
	size_t breaks;           /* this call, from 1; 0: none */
} script;

static int follow(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	(void)model, (void)ctx;
	if (script.breaks && --script.breaks == 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "the line is dead");
	struct model_message *copy =
		arena_memdup(&script.arena, request->messages, request->n * sizeof *copy);
	for (size_t i = 0; i < request->n; i++) {
		copy[i].content = arena_strdup(&script.arena, copy[i].content);
		copy[i].provider_data = arena_strdup(&script.arena, copy[i].provider_data);
	}
	script.asked[script.at] = (struct model_request){.messages = copy, .n = request->n};
	*reply = script.replies[script.at++];
	reply->text = arena_strdup(arena, reply->text);
	reply->usage = (struct rondo_usage){.prompt_tokens = 100, .completion_tokens = 10};
	reply->usage_known = true;
	if (script.exhausts)
		script.exhausts->most_tokens = 1;
	return 0;
}

static const struct model_type scripted_model = {.name = "scripted", .complete = follow};

/* a main checkout with a coder and an executor. */
struct team {
	struct fixture *f;
	struct room room;
	struct suite suite;
	struct protection protection;
	struct checkout main_checkout;
	struct agent_services services;
	struct budget budget;
	struct model_services model_services;
	struct model *model;
	void *options;
	struct agent *coder, *executor;
	struct arena arena;
	const struct rondo_message *said[64];
	size_t n, shown;
};

static const struct option *option_of(const char *name)
{
	struct rondo_error err;
	const struct option *option = option_find(coder_agent.options, name, "option", &err);
	assert_non_null(option);
	return option;
}

__attribute__((unused)) static void set(struct team *t, const char *name, const char *value)
{
	struct rondo_error err;
	assert_int_equal(option_set(option_of(name), t->options, &t->arena, value, &err), 0);
	agent_reset(t->coder);
}

static void open_team(struct team *t, void **state, const struct model_reply *replies)
{
	struct fixture *f = *state;
	struct rondo_error err;
	*t = (struct team){.f = f};
	script = (struct script){.replies = replies};
	must(f, file_create(at(f, "repo/pricing.py"), PRICING, strlen(PRICING), 0644, &f->err));
	must(f, file_create(at(f, "repo/test_pricing.py"), TESTS, strlen(TESTS), 0644, &f->err));
	t->room = room_of(f);
	suite_from_command("pytest", "from a test", &t->arena, &t->suite);
	t->protection = suite_protection(&t->suite);
	t->main_checkout = (struct checkout){.worktree = t->room.worktree};
	t->services = (struct agent_services){.main_checkout = &t->main_checkout,
		.repository = t->room.repository,
		.base = &t->room.base,
		.suite = &t->suite,
		.protection = &t->protection};
	budget_init(&t->budget, 0, 0);
	t->model_services = (struct model_services){.budget = &t->budget};
	t->model = model_new(
		&scripted_model, "scripted/model", NULL, &(struct price){0}, &t->model_services, &err);
	t->options = arena_alloc(&t->arena, coder_agent.state_size);
	option_defaults(coder_agent.options, t->options, &t->arena);
	*(struct option_ref *)((char *)t->options + option_of("model")->offset) =
		(struct option_ref){.name = "m", .object = t->model};
	t->coder = agent_new(&coder_agent, "coder", t->options, &t->services);
	t->executor = agent_new(&executor_agent, "executor", NULL, &t->services);
}

static void close_team(struct team *t)
{
	agent_free(t->coder);
	agent_free(t->executor);
	model_free(t->model);
	budget_release(&t->budget);
	room_close(&t->room);
	arena_release(&t->arena);
	arena_release(&script.arena);
}

#define AUTO_TEAM __attribute__((cleanup(close_team))) struct team

__attribute__((unused)) static void said(struct team *t, enum rondo_message_type type,
	const char *source, const char *content, const char *data)
{
	struct rondo_message message = {
		.type = type, .source = source, .content = content, .data = data};
	t->said[t->n++] = message_copy(&t->arena, &message);
}

/* A report of one failing test; the line of output tells runs apart. */
static const char *report(struct team *t, const char *message, const char *output)
{
	struct test_report report = {.exit_code = 1, .complete = true, .output = output};
	test_report_add(&report, &t->arena,
		&(struct test_result){.id = "test_pricing.py::test_total",
			.status = TEST_FAILED,
			.message = message,
			.file = "test_pricing.py",
			.line = 4});
	AUTO_JSON *json = test_report_to_json(&report);
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(&t->arena, text);
}

__attribute__((unused)) static void give_task(struct team *t)
{
	said(t, RONDO_MESSAGE_TEXT, "user", "Make the failing tests pass.",
		report(t, "assert 2 == 3", "1 failed in 0.01s"));
}

/* The coder's turn; what it says is not shown to it again. */
__attribute__((unused)) static struct response turn(struct team *t)
{
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct message_span span = {t->said + t->shown, t->n - t->shown};
	if (agent_on_messages(t->coder, span, &t->arena, &response, &ctx, &err) < 0)
		fail_msg("%s", err.message);
	t->shown = t->n;
	return response;
}

__attribute__((unused)) static void apply(
	struct team *t, const struct response *response, const char *expected)
{
	struct rondo_error err;
	struct response answer;
	struct context ctx = {0};
	const struct rondo_message *messages[] = {message_copy(&t->arena, &response->message)};
	assert_int_equal(response->message.type, RONDO_MESSAGE_EDIT);
	assert_int_equal(agent_on_messages(t->executor, (struct message_span){messages, 1}, &t->arena,
						 &answer, &ctx, &err),
		0);
	assert_string_equal(answer.message.content, expected);
}

__attribute__((unused)) static const char *asked(size_t call, size_t message)
{
	assert_true(message < script.asked[call].n);
	return script.asked[call].messages[message].content;
}

__attribute__((unused)) static void expect_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

__attribute__((unused)) static void expect_not_in(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in '%s'", part, text);
}
