/* The tool status: which runs go on, and how far. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/journal/paths.h"
#include "run/mcp/mcp.h"
#include "run/report/field.h"

enum { NEWEST = 20 };

static const struct option options[] = {OPTION_END};

struct status_run {
	const char *run, *tool, *repo, *state, *stage, *doing, *outcome;
	int64_t elapsed_ms;
};

#define OF(member) .offset = offsetof(struct status_run, member)

static const struct field run_fields[] = {
	{"run", FIELD_TEXT, "its id, for show; none yet where a call has just begun", OF(run)},
	{"tool", FIELD_TEXT, "the call of this server that it belongs to", OF(tool)},
	{"repo", FIELD_TEXT, "where it works", OF(repo)},
	{"state", FIELD_TEXT, "running, cancelled (it ends now), ended, or broke off", OF(state)},
	{"stage", FIELD_TEXT, "preparing, baseline, fixing, judging, gate or reporting", OF(stage)},
	{"doing", FIELD_TEXT, "within the stage", OF(doing)},
	{"outcome", FIELD_TEXT, "of one that has ended", OF(outcome)},
	{"elapsed_ms", FIELD_LONG, "since it began", OF(elapsed_ms),
		.when = offsetof(struct status_run, elapsed_ms), .when_size = sizeof(int64_t)},
	{.name = NULL},
};

static void status_describe(struct json *schema)
{
	json_add_string(schema, "type", "object");
	json_add_object(schema, "properties");
	struct json *runs = tools_add_property(schema, "runs", "array",
		"those of this server, then others of these directories, the newest first");
	fields_describe(json_add_object(runs, "items"), run_fields, NULL);
	json_add_string(json_add_array(schema, "required"), NULL, "runs");
	json_add_bool(schema, "additionalProperties", false);
}

/* Calls of this server that work somewhere; others only look. */
static void status_add_calls(struct mcp_call *self, struct json *runs, struct option_strings *seen)
{
	struct mcp_server *server = self->server;
	pthread_mutex_lock(&server->lock);
	for (const struct mcp_call *call = server->calls; call; call = call->next) {
		if (call->is_done || !call->repo)
			continue;
		struct status_run run = {.run = *call->run ? call->run : NULL,
			.tool = call->tool->name,
			.repo = call->repo,
			.state = call->is_cancelled ? "cancelled" : "running",
			.stage = call->stage,
			.doing = *call->doing ? call->doing : NULL,
			.elapsed_ms = clock_now_ms() - call->started_at_ms};
		fields_add(json_add_object(runs, NULL), run_fields, &run);
		if (*call->run)
			ARENA_PUSH(&self->arena, seen->items, seen->n, arena_strdup(&self->arena, call->run));
	}
	pthread_mutex_unlock(&server->lock);
}

static void status_look(void *owner, const struct rondo_event *event)
{
	const char *stage = run_stage(event);
	if (stage)
		*(const char **)owner = stage;
}

/* A run of another process: its journal says how far it is. */
static void status_add_run(
	struct mcp_call *self, struct json *runs, const char *id, struct rondo_error *err)
{
	struct run_summary summary;
	const char *stage = NULL, *dir = resources_find(self->server, id, &self->arena, err);
	if (!dir)
		return;
	run_summary(id, &self->arena, &summary);
	bool runs_on = strcmp(summary.outcome, "running") == 0;
	bool broke_off = strcmp(summary.outcome, "broke off") == 0;
	if (runs_on)
		run_replay(dir, &(struct context_emit){status_look, &stage}, err);
	struct status_run run = {.run = id,
		.state = runs_on || broke_off ? summary.outcome : "ended",
		.stage = stage,
		.outcome = runs_on || broke_off ? NULL : summary.outcome};
	fields_add(json_add_object(runs, NULL), run_fields, &run);
}

static int status_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct option_strings seen = {0};
	struct rondo_error ignored;
	size_t n;
	(void)state;
	const char **ids = resources_newest(call->server, NEWEST, &call->arena, &n, err);
	if (!ids)
		return -1;
	result->structured = json_object();
	struct json *runs = json_add_array(result->structured, "runs");
	status_add_calls(call, runs, &seen);
	for (size_t i = 0; i < n; i++)
		if (!option_strings_have(&seen, ids[i]))
			status_add_run(call, runs, ids[i], &ignored);
	return 0;
}

const struct mcp_tool status_tool = {
	.name = "status",
	.title = "Which runs go on",
	.description = "Say which runs of rondo go on and how far they are, and how the newest ones "
				   "ended. Takes no time: it can be called while another call runs.",
	.options = options,
	.state_size = 1,
	.only_reads = true,
	.describe = status_describe,
	.run = status_run,
};
