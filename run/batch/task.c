/* One task of a batch, in a process of its own: begin its run, or go on with the one that it
 * has. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/batch_dir.h"

#define LARGEST_TASK ((size_t)16 << 20)

/* A task as it lies in its directory. */
struct task {
	const char *dir, *name;
	struct json *line;
	struct batch_common common;
	const struct context *ctx;
	struct arena *arena;
};

static int task_read(struct task *task, const char *dir, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_TASK);
	task->dir = file_real_path(task->arena, dir, err);
	if (!task->dir)
		return -1;
	const char *path = arena_printf(task->arena, "%s/task.json", task->dir);
	if (file_read(path, LARGEST_TASK, &text, err) < 0)
		return error_help(err, "rondo batch TASKS runs the tasks of a list");
	task->line = json_parse(text.text, text.length, err);
	if (!task->line)
		return error_prefix(err, "%s", path);
	task->name = json_string(task->line, "name", file_name(task->dir));
	return batch_common_read(
		arena_printf(task->arena, "%s/../..", task->dir), task->arena, &task->common, err);
}

/* --- Its run --- */

static struct run_most task_most(const struct task *task)
{
	return (struct run_most){
		json_int(task->line, "most_tokens", 0), json_number(task->line, "most_usd", 0)};
}

/* What holds for all, then what the task says itself; of a list the task's own alone. */
static struct option_settings task_settings(const struct task *task)
{
	const struct option_settings *common = &task->common.fix.settings;
	struct option_settings own = {0}, all = {0};
	settings_of_json(json_get(task->line, "settings"), &own, task->arena);
	for (size_t i = 0; i < common->n; i++) {
		const char *key = common->items[i].key;
		size_t j = 0;
		while (j < own.n && strcmp(own.items[j].key, key) != 0)
			j++;
		if (j == own.n || strcmp(key, "limits") == 0)
			ARENA_PUSH(task->arena, all.items, all.n, common->items[i]);
	}
	for (size_t i = 0; i < own.n; i++)
		ARENA_PUSH(task->arena, all.items, all.n, own.items[i]);
	return all;
}

static int task_fix(struct task *task, struct run_report *report, struct rondo_error *err)
{
	struct fix_options options = task->common.fix;
	options.path = json_string(task->line, "repository", NULL);
	options.most = task_most(task);
	options.settings = task_settings(task);
	strings_of_json(json_get(task->line, "set"), &options.overrides, task->arena);
	return run_fix(&options, task->ctx, task->arena, report, err);
}

static int task_run_scenario(struct task *task, struct run_report *report, struct rondo_error *err)
{
	AUTO_STRBUF problems = STRBUF_INIT(STRBUF_LINE);
	const struct fix_options *fix = &task->common.fix;
	struct scenario_options options = {.path = task->common.scenario,
		.overrides = fix->overrides,
		.executor = fix->executor,
		.env_file = fix->env_file,
		.is_task = true,
		.most = task_most(task)};
	strings_of_json(json_get(task->line, "set"), &options.overrides, task->arena);
	strings_of_json(json_get(task->line, "parameters"), &options.parameters, task->arena);
	int status = run_scenario(&options, task->ctx, task->arena, report, &problems, err);
	if (status < 0 && problems.length)
		error_set(err, RONDO_ERROR_USAGE, "%.*s", (int)strcspn(problems.text, "\n"), problems.text);
	return status;
}

static int task_begin(struct task *task, struct run_report *report, struct rondo_error *err)
{
	return task->common.scenario ? task_run_scenario(task, report, err)
								 : task_fix(task, report, err);
}

/* The newest of the task's runs; NULL: there is none yet. */
static const char *task_find_run(struct task *task)
{
	struct rondo_error ignored;
	return run_find(task->arena, "last", &ignored);
}

/* Whether a run came to an end of its own. */
static bool run_has_ended(const char *dir)
{
	AUTO_JSON *report = run_report_read(dir);
	return report && strcmp(json_string(report, "outcome", RUN_ERROR_WORD), RUN_ERROR_WORD) != 0;
}

/* A run that has said something goes on; one that broke off before is begun again. */
static int task_go_on(
	struct task *task, const char *dir, struct run_report *report, struct rondo_error *err)
{
	struct rondo_error why;
	if (run_resume(file_name(dir), NULL, task->ctx, task->arena, report, &why) == 0)
		return 0;
	if (why.code != RONDO_ERROR_USAGE || cancel_reason(task->ctx->cancel)) {
		*err = why;
		return -1;
	}
	return task_begin(task, report, err);
}

static int task_run(struct task *task, struct run_report *report, struct rondo_error *err)
{
	const char *dir = task_find_run(task);
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	if (dir && run_has_ended(dir))
		return 0;
	if (dir)
		return task_go_on(task, dir, report, err);
	return task_begin(task, report, err);
}

/* --- What came of it --- */

static void add_member(struct json *to, const char *name, const struct json *from, const char *key)
{
	const struct json *value = json_get(from, key);
	if (value && !json_is_null(value))
		json_add(to, name, json_copy(value));
}

static struct json *result_of_report(const struct task *task, const struct json *report)
{
	const struct json *tests = json_get(report, "tests"), *fix = json_get(report, "fix");
	struct json *result = json_object();
	json_add_string(result, "name", task->name);
	add_member(result, "repository", task->line, "repository");
	add_member(result, "outcome", report, "outcome");
	add_member(result, "exit_code", report, "exit_code");
	add_member(result, "reason", report, "reason");
	add_member(result, "run", report, "run");
	add_member(result, "base", report, "base");
	add_member(result, "branch", fix, "branch");
	add_member(result, "commit", fix, "commit");
	add_member(result, "what", fix, "what");
	if (tests)
		json_add_int(result, "goal", (int64_t)json_count(json_get(tests, "goal")));
	json_add_int(result, "fixed", json_int(fix, "goal_fixed", 0));
	add_member(result, "coder", report, "coder");
	json_add_int(result, "total_tokens", json_int(json_get(report, "usage"), "total_tokens", 0));
	add_member(result, "cost_usd", report, "cost_usd");
	add_member(result, "duration_ms", report, "duration_ms");
	return result;
}

static int task_keep_result(
	struct task *task, int status, const struct rondo_error *failure, struct rondo_error *err)
{
	const char *dir = task_find_run(task);
	AUTO_JSON *report = dir ? run_report_read(dir) : NULL;
	const char *word = json_string(report, "outcome", RUN_ERROR_WORD);
	bool is_error = strcmp(word, RUN_ERROR_WORD) == 0;
	AUTO_JSON *result = report && is_error == (status < 0)
		? result_of_report(task, report)
		: task_result_failed(
			  task->name, run_error_exit_code(failure, task->ctx->cancel), failure->message);
	return task_result_write(task->dir, result, err) < 0 ? -1
														 : (int)json_int(result, "exit_code", 0);
}

static int task_carry_out(struct task *task, struct rondo_error *err)
{
	struct rondo_error failure = {0};
	struct run_report report;
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	AUTO_JSON *before = task_result_read(task->dir);
	if (before && task_result_is_final(before))
		return (int)json_int(before, "exit_code", 0);
	strbuf_addf(&path, "%s/result.json", task->dir);
	if (file_exists(path.text) && unlink(path.text) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot remove '%s'", path.text);
	int status = task_run(task, &report, &failure);
	return task_keep_result(task, status, &failure, err);
}

int run_batch_task(
	const char *dir, const struct context *ctx, struct arena *arena, struct rondo_error *err)
{
	struct task task = {.ctx = ctx, .arena = arena};
	AUTO_CLOSE lock = -1;
	if (task_read(&task, dir, err) < 0)
		return -1;
	lock = open(arena_printf(arena, "%s/lock", task.dir), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int status = -1;
	if (lock < 0)
		error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s/lock'", task.dir);
	else if (file_lock(lock, 0) < 0)
		error_set(err, RONDO_ERROR_TRANSIENT, "another process works on the task '%s'", task.name);
	else
		status = task_carry_out(&task, err);
	json_free(task.line);
	return status;
}
