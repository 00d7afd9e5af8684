/*
 * rondo resume: a run that broke off goes on. Its scenario is the one that it kept; base, baseline and
 * what was said are taken from its journal; the desk gets the files that it held last. What only lived
 * in programs (variables of a kernel, packages that were installed, ignored files) is gone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

/* --- Where a run was begun --- */

struct json *resume_origin(const struct run_order *order)
{
	const struct scenario *scenario = order->scenario;
	struct json *json = json_object();
	json_add_string(json, "rondo", rondo_version());
	json_add_string(json, "scenario", file_absolute(scenario->arena, scenario->path));
	json_add_string(json, "dir", file_absolute(scenario->arena, scenario->dir));
	json_add_string(json, "env_file", file_absolute(scenario->arena, order->env_file));
	json_add_string(json, "test_from", scenario->test_from);
	json_add_string(json, "coder", scenario->coder);
	return json;
}

/* The scenario as it was resolved then, with what no file says of it. */
static int take_scenario(struct scenario *scenario, const struct past *past, const char *dir, struct arena *arena,
	struct rondo_error *err)
{
	const struct json *origin = past->start;
	struct problems problems = {.arena = arena};
	struct scenario_settings settings = {.is_resolved = true};
	scenario_init(scenario, arena);
	scenario_read(scenario, arena_printf(arena, "%s/scenario.json", dir), &settings, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	scenario->path = arena_strdup(arena, json_string(origin, "scenario", NULL));
	scenario->dir = arena_strdup(arena, json_string(origin, "dir", "."));
	scenario->test_from = arena_strdup(arena, json_string(origin, "test_from", NULL));
	scenario->coder = arena_strdup(arena, json_string(origin, "coder", NULL));
	return 0;
}

/* --- The stages of a run that goes on --- */

bool resume_has(const struct run *run, const struct rondo_event *event)
{
	const struct past *past = run->past;
	if (!past)
		return false;
	return run->is_rebuilding || (event->type == RONDO_EVENT_BASE && past->base) ||
	       (event->type == RONDO_EVENT_BASELINE && past->baseline);
}

static int go_on_with_journal(struct run *run, struct rondo_error *err)
{
	char text[128];
	const struct past *past = run->past;
	if (journal_continue(&run->journal, run->paths.attempt, run->paths.id, past->length, err) < 0)
		return -1;
	run->is_rebuilding = false;
	snprintf(text, sizeof text, "%s after %d turn%s, %d message%s", run->paths.id, past->n_turns,
		past->n_turns == 1 ? "" : "s", past->n_messages, past->n_messages == 1 ? "" : "s");
	return context_event(&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_RESUME, .text = text}, err);
}

int resume_begin(struct run *run, struct rondo_error *err)
{
	const struct past *past = run->past;
	run->has_begun = past->chat != NULL;
	run->journal.seq = past->seq;
	run->journal.started_at_ms = clock_now_ms() - past->elapsed_ms;
	run->is_rebuilding = past->chat != NULL; /* all of the journal is read before it is written to */
	return past->chat ? 0 : go_on_with_journal(run, err);
}

int resume_chat(struct run *run, struct rondo_error *err)
{
	return past_recall(run->past, &run->cast, &run->tally, &run->states, err) < 0 ? -1 : go_on_with_journal(run, err);
}

/* --- The command --- */

static int refuse_ended(const struct past *past, const char *id, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE, "run %s has ended: %s", id, past->outcome);
	return error_help(err, "rondo show %s", id);
}

static int carry_on(struct run_order order, const struct context *ctx, struct arena *arena, struct run_result *result,
	struct rondo_error *err)
{
	struct scenario scenario;
	struct secrets secrets = {0};
	order.env_file = arena_strdup(arena, json_string(order.past->start, "env_file", NULL));
	order.scenario = &scenario;
	order.secrets = &secrets;
	if (take_scenario(&scenario, order.past, order.dir, arena, err) < 0 ||
		scenario_secrets(&scenario, order.env_file, &secrets, err) < 0)
		return -1;
	return run_carry_out(&order, ctx, arena, result, err);
}

int run_resume(const char *prefix, const atomic_bool *stop_requested, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err)
{
	*result = (struct run_result){.outcome = RUN_NOT_FIXED};
	struct journal journal;
	struct past past;
	struct run_order order = {.dir = run_find(arena, prefix, err), .past = &past, .journal = &journal,
		.stop_requested = stop_requested};
	if (!order.dir)
		return -1;
	const char *attempt = arena_printf(arena, "%s/attempts/1", order.dir), *id = file_name(order.dir);
	if (journal_lock(&journal, attempt, err) < 0)
		return error_prefix(err, "%s", id);
	int status = past_read(&past, attempt, err);
	if (status == 0 && past.outcome)
		status = refuse_ended(&past, id, err);
	if (status == 0)
		status = carry_on(order, ctx, arena, result, err);
	past_release(&past);
	journal_close(&journal);
	return status;
}
