/* A fix from start to branch: base, baseline, chat, gate, branch. Read run_fix first, at the end. */
#include "run/fix.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"

void fix_options_init(struct fix_options *options)
{
	*options = (struct fix_options){.executor = "sandbox", .executor_uid = 65534};
}

static int record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct fix_run *run = owner;
	return journal_append(&run->journal, event, err);
}

int fix_notice(struct fix_run *run, struct rondo_error *err, const char *format, ...)
{
	struct fix_result *result = run->result;
	char text[512];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	const char **notices = (const char **)(uintptr_t)result->notices;
	ARENA_PUSH(run->arena, notices, result->n_notices, arena_strdup(run->arena, text));
	result->notices = notices;
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_NOTICE, .text = text}, err);
}

/* What needs no look at the repository; a mistake here leaves no run behind. */
static int check_options(struct fix_run *run, struct rondo_error *err)
{
	const char *given = run->options->path ? run->options->path : ".";
	run->executor_type = executor_type_find(run->options->executor, err);
	if (!run->executor_type || limits_read(&run->options->limits, run->arena, &run->limits, err) < 0)
		return -1;
	run->path = file_real_path(run->arena, given, err);
	return run->path ? 0 : -1;
}

/* Directory, journal and token of the run. */
static int make_run(struct fix_run *run, struct rondo_error *err)
{
	size_t n;
	uint64_t bytes;
	run_collect_garbage(&n, &bytes, err); /* what dead runs left; not this run's concern if it stays */
	if (run_paths_make(run->arena, &run->paths, err) < 0)
		return -1;
	run->result->id = run->paths.id;
	run->result->dir = run->paths.dir;
	const char *path = arena_printf(run->arena, "%s/attempts/1/journal.jsonl", run->paths.dir);
	if (journal_create(&run->journal, path, run->paths.id, err) < 0)
		return -1;
	if (cancel_init(&run->cancel, run->outer->cancel, run->limits.time_ms, err) < 0)
		return -1;
	run->ctx = (struct context){.record = {record, run}, .emit = run->outer->emit,
		.ask = run->outer->ask, .cancel = &run->cancel};
	return context_event(&run->ctx,
		&(struct rondo_event){.type = RONDO_EVENT_RUN_START, .text = run->paths.id}, err);
}

int fix_begin(struct fix_run *run, const struct fix_options *options, const struct context *outer,
	struct arena *arena, struct fix_result *result, struct rondo_error *err)
{
	*result = (struct fix_result){.outcome = FIX_NOT_FIXED};
	*run = (struct fix_run){.options = options, .result = result, .arena = arena, .outer = outer,
		.journal = {.fd = -1}, .cancel = {.fd = -1, .timer = -1}};
	return check_options(run, err) < 0 ? -1 : make_run(run, err);
}

void fix_end(struct fix_run *run)
{
	chat_close(run);
	site_close(run);
	journal_close(&run->journal);
	if (run->cancel.fd >= 0)
		cancel_release(&run->cancel);
	run_paths_release(&run->paths);
}

/* The time limit ends the chat, not the judgement of what it came to. */
static bool hit_time_limit(const struct fix_run *run, const struct rondo_error *err)
{
	return err->code == RONDO_ERROR_CANCELLED && !cancel_reason(run->outer->cancel);
}

/* Stopped from outside: what there is by now is kept, and said. */
static int stop_early(struct fix_run *run, struct rondo_error *err)
{
	struct rondo_error ignored;
	if (err->code == RONDO_ERROR_CANCELLED && gate_harvest(run, &ignored) == 0 && run->result->patch_path)
		error_help(err, "the change so far, not judged, is kept in %s", run->result->patch_path);
	return -1;
}

static int chat_and_judge(struct fix_run *run, struct rondo_error *err)
{
	struct object tree;
	if (chat_run(run, err) < 0) {
		if (!hit_time_limit(run, err))
			return stop_early(run, err);
		run->result->stop_reason = "the time limit of the run is over (--limit time=1h)";
	}
	run->ctx.cancel = run->outer->cancel;
	if (gate_run(run, &tree, err) < 0)
		return -1;
	return run->result->outcome == FIX_VERIFIED ? publish_run(run, &tree, err) : 0;
}

static int work(struct fix_run *run, struct rondo_error *err)
{
	bool done = false;
	if (site_open(run, err) < 0)
		return -1;
	if (run->options->dry_run) {
		run->result->outcome = FIX_DRY_RUN;
		run->result->limits = limits_describe(&run->limits, run->arena);
		return 0;
	}
	if (site_furnish(run, err) < 0 || baseline_run(run, &done, err) < 0)
		return -1;
	return done ? 0 : chat_and_judge(run, err);
}

/* The last words on disk, also of a run that failed. */
static int conclude(struct fix_run *run, int status, struct rondo_error *err)
{
	struct rondo_error late = *err;
	const char *word = status < 0 ? "error" : fix_outcome_word(run->result->outcome);
	struct rondo_event event = {.type = RONDO_EVENT_RUN_END, .text = word};
	if (report_write(run, status < 0 ? err : NULL, &late) == 0 &&
		context_event(&run->ctx, &event, &late) == 0)
		return status;
	if (status == 0)
		*err = late;
	return -1;
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct fix_result *result, struct rondo_error *err)
{
	int64_t start_ms = clock_now_ms();
	struct fix_run run;
	int status = fix_begin(&run, options, ctx, arena, result, err);
	bool begun = status == 0;
	if (begun)
		status = work(&run, err);
	result->duration_ms = clock_now_ms() - start_ms;
	if (begun)
		status = conclude(&run, status, err);
	/* Nothing was run: a dry run, or a repository or setting that cannot be worked on. */
	if (run.paths.dir && (options->dry_run || (status < 0 && err->code == RONDO_ERROR_USAGE))) {
		struct rondo_error ignored;
		file_remove_tree(run.paths.dir, &ignored);
		result->dir = NULL;
	}
	fix_end(&run);
	return status;
}
