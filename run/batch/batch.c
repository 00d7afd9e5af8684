#include "run/batch/batch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/batch/pool.h"
#include "run/batch/slurm.h"
#include "run/order.h"

/* --- Which part of which batch --- */

/* Of arrays of jobs, which of them a process is, from 0. */
static const char *const indices[] = {
	"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"};

/* "array/8" */
static int shard_of_array(size_t n, size_t *ret_i, struct rondo_error *err)
{
	const char *name = NULL, *value = NULL;
	char rest;
	for (size_t i = 0; i < ARRAY_SIZE(indices) && !value; i++)
		value = getenv(name = indices[i]);
	if (!value) {
		error_set(err, RONDO_ERROR_USAGE, "--shard array/%zu is for a job of an array", n);
		return error_help(
			err, "%s, %s or %s says which of it, from 0", indices[0], indices[1], indices[2]);
	}
	if (sscanf(value, "%zu%c", ret_i, &rest) != 1 || *ret_i >= n) {
		error_set(err, RONDO_ERROR_USAGE, "%s is '%s', and the jobs for %zu parts are 0 to %zu",
			name, value, n, n - 1);
		return error_help(err, "--shard array/N, where N is how many jobs the array has");
	}
	++*ret_i;
	return 0;
}

/* "2/8" */
static int shard_read(const char *text, size_t *ret_i, size_t *ret_n, struct rondo_error *err)
{
	char rest;
	*ret_i = *ret_n = 1;
	if (!text)
		return 0;
	if (sscanf(text, "array/%zu%c", ret_n, &rest) == 1 && *ret_n)
		return shard_of_array(*ret_n, ret_i, err);
	if (sscanf(text, "%zu/%zu%c", ret_i, ret_n, &rest) == 2 && *ret_i && *ret_i <= *ret_n)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "--shard must be I/N such as 2/8, found '%s'", text);
	return error_help(err, "--shard 1/8 to --shard 8/8 are the parts of eight");
}

/* tasks.jsonl -> tasks.batch; repositories/ -> repositories.batch */
static const char *batch_default_dir(const char *tasks, struct arena *arena)
{
	struct rondo_error ignored;
	size_t length = strlen(tasks);
	while (length && tasks[length - 1] == '/')
		length--;
	const char *name = file_name(arena_strndup(arena, tasks, length));
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		const char *real = file_real_path(arena, tasks, &ignored);
		name = real ? file_name(real) : name;
	}
	const char *suffix = file_suffix(name);
	size_t n = strlen(name) - (*suffix ? strlen(suffix) + 1 : 0);
	return arena_printf(arena, "%.*s.batch", (int)n, name);
}

/* What is said now counts more than what the batch began with. */
static void common_take(
	struct batch_common *common, const struct batch_options *options, struct arena *arena)
{
	const struct fix_options *fix = &options->fix;
	for (size_t i = 0; i < fix->settings.n; i++)
		ARENA_PUSH(
			arena, common->fix.settings.items, common->fix.settings.n, fix->settings.items[i]);
	for (size_t i = 0; i < fix->overrides.n; i++)
		ARENA_PUSH(
			arena, common->fix.overrides.items, common->fix.overrides.n, fix->overrides.items[i]);
	common->fix.executor = fix->executor ? fix->executor : common->fix.executor;
	common->fix.env_file = fix->env_file ? fix->env_file : common->fix.env_file;
	common->fix.allow_setup |= fix->allow_setup;
	common->jobs = options->jobs ? options->jobs : common->jobs;
	if (options->budget.tokens)
		common->budget.tokens = options->budget.tokens;
	if (options->budget.usd > 0)
		common->budget.usd = options->budget.usd;
}

/* Whether it says how tasks are run: they read it in the directory. */
static bool says_how(const struct fix_options *fix)
{
	return fix->settings.n || fix->overrides.n || fix->executor || fix->env_file ||
		fix->allow_setup;
}

/* A scenario says what its tasks do; of rondo fix it has only what is no key of its own. */
static int common_check(const struct batch_common *common, struct rondo_error *err)
{
	const struct option_settings *settings = &common->fix.settings;
	if (!common->scenario || !settings->n)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "--%s is for tasks of rondo fix, and these are of a scenario",
		settings->items[0].option);
	return error_help(err, "-s %s=VALUE sets the same key of the scenario", settings->items[0].key);
}

/* Make the directory of a new batch, or find the one that goes on. */
int batch_prepare(const struct batch_options *options, const char **ret_dir,
	struct batch_common *common, struct arena *arena, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct task_list list;
	if (order_check_file(file_absolute(arena, options->predictions), arena, err) < 0)
		return -1;
	if (batch_dir_is(options->tasks, arena)) {
		*ret_dir = options->tasks;
		if (batch_common_read(*ret_dir, arena, common, err) < 0)
			return -1;
		common_take(common, options, arena);
		if (common_check(common, err) < 0)
			return -1;
		return says_how(&options->fix) ? batch_common_write(*ret_dir, common, arena, err) : 0;
	}
	if (strcmp(options->tasks, "-") == 0 && !options->out) {
		error_set(err, RONDO_ERROR_USAGE, "tasks from standard input need a name for the batch");
		return error_help(err, "--out DIR");
	}
	*ret_dir = options->out ? options->out : batch_default_dir(options->tasks, arena);
	int status = task_list_read(&list, options, &scratch, err);
	if (status == 0) {
		*common = (struct batch_common){.scenario = arena_strdup(arena, list.lines.scenario),
			.jobs = list.jobs,
			.budget = list.budget};
		common_take(common, options, arena);
		status = common_check(common, err);
	}
	if (status == 0)
		status = batch_dir_make(*ret_dir, &list, common, &scratch, err);
	task_list_release(&list);
	return status;
}

/* --- Carrying it out --- */

/* The environment, with an even share of the cores for each process. */
static const char *const *batch_environment(size_t n_slots, struct arena *arena)
{
	extern char **environ;
	const char **env = NULL;
	size_t n = 0, cores = thread_cores() / n_slots;
	for (char **entry = environ; *entry; entry++)
		if (!text_starts_with(*entry, "RONDO_CORES="))
			ARENA_PUSH(arena, env, n, *entry);
	ARENA_PUSH(arena, env, n, arena_printf(arena, "RONDO_CORES=%zu", cores ? cores : 1));
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

static int batch_work(struct batch_dir *batch, const struct batch_options *options,
	const struct batch_common *common, const struct batch_view *view, const struct cancel *cancel,
	struct arena *arena, struct batch_progress *progress, struct rondo_error *err)
{
	size_t n = common->jobs ? (size_t)common->jobs : thread_cores();
	if (results_open(batch, progress, arena, err) < 0)
		return -1;
	if (n > progress->n - batch_ended(progress))
		n = progress->n - batch_ended(progress);
	n = n ? n : 1;
	struct pool pool = {.batch = batch,
		.common = common,
		.view = view,
		.cancel = cancel,
		.progress = progress,
		.n_slots = n,
		.env = batch_environment(n, arena),
		.arena = arena};
	if (view->begun)
		view->begun(view->owner, progress);
	int status = pool_run(&pool, err);
	if (options->predictions && predictions_write(batch, options->predictions, err) < 0)
		return -1;
	return status;
}

int run_batch(const struct batch_options *options, const struct batch_view *view,
	const struct cancel *cancel, struct arena *arena, struct batch_progress *ret_progress,
	struct rondo_error *err)
{
	const char *dir = NULL;
	struct batch_common common;
	struct batch_dir batch;
	size_t i, n;
	*ret_progress = (struct batch_progress){.left_ms = -1};
	if (shard_read(options->shard, &i, &n, err) < 0 ||
		batch_prepare(options, &dir, &common, arena, err) < 0)
		return -1;
	ret_progress->dir = dir;
	/* Slurm may begin a job anew while the old one lives on a node that it has lost sight of. */
	if (options->shard && text_starts_with(options->shard, "array/") &&
		batch_dir_await(dir, i, n, cancel, err) < 0)
		return -1;
	int status = batch_dir_open(&batch, dir, i, n, arena, err);
	if (status == 0)
		status = batch_work(&batch, options, &common, view, cancel, arena, ret_progress, err);
	batch_dir_close(&batch);
	if (status < 0 && cancel_reason(cancel))
		error_help(err, "rondo batch '%s' goes on", dir);
	return status;
}

/* --- Looking at it --- */

/* Whether a process holds the lock of a task. */
static bool task_is_running(const char *dir, struct arena *arena)
{
	AUTO_CLOSE lock = open(arena_printf(arena, "%s/lock", dir), O_RDWR | O_CLOEXEC);
	return lock >= 0 && file_lock(lock, 0) < 0;
}

static void status_add(const struct batch_dir *batch, const struct batch_entry *entry,
	const struct batch_view *view, struct batch_progress *progress)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *dir = task_dir(batch, entry->name, &scratch);
	AUTO_JSON *result = task_result_read(dir);
	if (!result) {
		progress->n_running += task_is_running(dir, &scratch);
		return;
	}
	struct batch_result ended = task_result_of(result);
	progress_add(progress, &ended);
	if (view && view->ended)
		view->ended(view->owner, &ended, progress);
}

int run_batch_status(const char *dir, const struct batch_view *view, struct arena *arena,
	struct batch_progress *ret_progress, struct rondo_error *err)
{
	struct batch_dir batch;
	*ret_progress = (struct batch_progress){.left_ms = -1, .dir = dir};
	int status = batch_dir_look(&batch, dir, arena, err);
	ret_progress->n = status == 0 ? batch.n : 0;
	for (size_t i = 0; i < ret_progress->n; i++)
		status_add(&batch, &batch.entries[i], view, ret_progress);
	batch_dir_close(&batch);
	ret_progress->slurm = status == 0 ? slurm_describe(dir, arena) : NULL;
	return status;
}

int run_batch_collect(const char *dir, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT((size_t)1 << 30);
	struct batch_dir batch;
	int status = batch_dir_look(&batch, dir, &arena, err);
	if (status == 0) /* who works on the whole batch writes the file */
		status = batch_dir_lock(&batch, "lock", err);
	for (size_t i = 0; status == 0 && i < batch.n; i++) {
		AUTO_JSON *result = task_result_read(task_dir(&batch, batch.entries[i].name, &arena));
		AUTO_FREE char *line = result ? json_print(result) : NULL;
		if (line)
			strbuf_addf(&text, "%s\n", line);
	}
	if (status == 0)
		status = file_write(arena_printf(&arena, "%s/results.jsonl", batch.path), text.text,
			text.length, 0600, err);
	batch_dir_close(&batch);
	return status;
}
