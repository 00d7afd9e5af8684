#include "agents/trial/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/trial/trial_engine.h"
#include "agents/trial/warm/replay.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "verify/judge/judge.h"
#include "verify/judge/reports.h"
#include "verify/suite/runners/command_line.h"

enum { GRACE_MS = 20000 }; /* what the program itself may need beyond a run's limit */

struct rerun {
	struct arena arena;
	const struct agent_services *services;
	const struct checkout *checkout;
	struct coprocess *coprocess;
	struct strbuf heard;
	const char *report;  /* a name in the cache */
	const char *texts;   /* the same, of a directory: files that the next build has */
	const char *printed; /* on the host */
	int64_t asked;
};

/* A line that takes new texts, builds and runs tests; and one for where nothing has changed. Where
 * it can be, the second starts the test programs alone, as they are noted by the first one under a
 * key. */
static const char *rerun_lines(struct rerun *rerun, const struct judge_options *options,
	const char *key, const char **ret_again)
{
	struct arena *arena = &rerun->arena;
	const struct suite *suite = rerun->services->suite;
	const char *report = executor_shared_at(rerun->checkout->executor, rerun->report, arena);
	const char *texts = executor_shared_at(rerun->checkout->executor, rerun->texts, arena);
	const char *line = judge_line(suite, options, report, arena);
	const char *noted = suite_noted(suite, line, REPLAY_NOTE, arena);
	if (!noted) {
		*ret_again = suite_rerun(suite, line, arena);
		return arena_printf(arena, "cp -R %s/. .; %s", texts, line);
	}
	line = arena_printf(arena, "exec " REPLAY_AGAIN " %s %s", key, command_quote(noted, arena));
	*ret_again = suite_line_with_reports(suite, line, report, arena);
	line = arena_printf(arena, "%s %s", line, command_quote(texts, arena));
	return suite_line_with_reports(suite, line, report, arena);
}

/* The program's arguments: see its head. Compilers stand in its folder under its name, so it stays
 * as long as the checkout: a build may have noted their paths. */
static const char *rerun_start_line(struct rerun *rerun, const char *at, const char *printed_at,
	const struct judge_options *goal, const char *variable)
{
	struct arena *arena = &rerun->arena;
	const struct judge_options whole = {.ids = NULL};
	const char *again, *all_again, *build = rerun_lines(rerun, goal, "goal", &again);
	rerun_lines(rerun, &whole, "whole", &all_again);
	return arena_printf(arena, "exec %s %s %s %s %s %s 2>/dev/null", at, variable, printed_at,
		command_quote(build, arena), command_quote(again, arena), command_quote(all_again, arena));
}

/* On the host. */
static const char *rerun_text(const struct rerun *rerun, const char *path, struct arena *arena)
{
	return arena_printf(
		arena, "%s/%s/%s", rerun->checkout->executor->cache_dir, rerun->texts, path);
}

/* The directory is there, and empty. */
static int rerun_forget_texts(const struct rerun *rerun, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *dir = rerun_text(rerun, "", &arena);
	return file_remove_tree(dir, err) < 0 ? -1 : file_make_dir(dir, 0755, err);
}

static int rerun_put(
	const struct rerun *rerun, const char *path, const char *text, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *to = rerun_text(rerun, path, &arena);
	const char *dir = arena_strndup(&arena, to, (size_t)(file_name(to) - to));
	return file_make_dir(dir, 0755, err) < 0 ? -1 : file_write(to, text, strlen(text), 0644, err);
}

int rerun_take(struct rerun *rerun, const struct edit *edit, struct rondo_error *err)
{
	for (size_t i = 0; i < edit->n; i++)
		if (rerun_put(rerun, edit->files[i].path, edit->files[i].content, err) < 0)
			return -1;
	return 0;
}

int rerun_take_back(struct rerun *rerun, const struct edit *edit, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct worktree *worktree = rerun->checkout->worktree;
	for (size_t i = 0; i < edit->n; i++) {
		const char *text;
		size_t n;
		if (worktree_file(worktree, edit->files[i].path, &arena, &text, &n, err) < 0 ||
			rerun_put(rerun, edit->files[i].path, text, err) < 0)
			return -1;
	}
	return 0;
}

int rerun_start(const struct agent_services *services, const struct checkout *checkout,
	const struct judge_options *goal, const char *variable, struct rerun **ret_rerun,
	const struct context *ctx, struct rondo_error *err)
{
	const struct warm_program *program = trial_program("rerun");
	const char *path, *at;
	*ret_rerun = NULL;
	/* No report of an earlier run can be removed where the program alone writes. */
	if ((checkout->executor->written && services->suite->report) ||
		services->suite->n_parts)
		return 0;
	struct rerun *rerun = memory_alloc(sizeof *rerun);
	*rerun = (struct rerun){
		.services = services, .checkout = checkout, .heard = STRBUF_INIT(STRBUF_LINE)};
	rerun->report = executor_cache_name("report", &rerun->arena);
	rerun->texts = executor_cache_name("texts", &rerun->arena);
	const char *name = executor_cache_name("printed", &rerun->arena);
	rerun->printed = arena_printf(&rerun->arena, "%s/%s", checkout->executor->cache_dir, name);
	int status = trial_put_program(checkout, program, &rerun->arena, &path, &at, err);
	if (status == 0)
		status = rerun_forget_texts(rerun, err);
	const char *printed_at = executor_shared_at(checkout->executor, name, &rerun->arena);
	struct command command = {.env = services->suite->type->env,
		.line = rerun_start_line(rerun, at, printed_at, goal, variable)};
	if (status == 0)
		status = executor_open(checkout->executor, &command, &rerun->coprocess, ctx, err);
	if (status < 0 || !rerun->coprocess)
		rerun_free(rerun);
	else
		*ret_rerun = rerun;
	return status;
}

/* --- One run --- */

/* How a run ended: the program's line, read. */
struct rerun_answer {
	int64_t id; /* of the question */
	struct process_result process;
	struct rerun_result result;
};

/* A line such as "7 exit 1 12 9". False where it says something else. */
static bool rerun_read_answer(void *owner, const struct strbuf *line)
{
	struct rerun_answer *answer = owner;
	struct process_result *process = &answer->process;
	long long id, ms, cpu_ms;
	char end[16];
	int value;
	if (sscanf(line->text, "%lld %15s %d %lld %lld", &id, end, &value, &ms, &cpu_ms) != 5 ||
		id != answer->id)
		return false;
	*process =
		(struct process_result){.end = PROCESS_EXITED, .exit_code = value, .duration_ms = ms};
	if (strcmp(end, "timeout") == 0)
		*process =
			(struct process_result){.end = PROCESS_TIMEOUT, .exit_code = 124, .duration_ms = ms};
	if (strcmp(end, "signal") == 0)
		*process = (struct process_result){
			.end = PROCESS_SIGNALLED, .exit_code = 128 + value, .signal = value, .duration_ms = ms};
	answer->result = (struct rerun_result){
		.timeout = process->end == PROCESS_TIMEOUT, .ms = ms, .cpu_ms = cpu_ms};
	return true;
}

/* Ask, and hear the answer; `gone` where there comes none. */
static int rerun_ask(struct rerun *rerun, const char *question, int64_t wall_ms,
	struct process_result *process, struct rerun_result *result, struct rondo_error *err)
{
	enum coprocess_heard heard;
	bool taken;
	struct rerun_answer answer = {.id = rerun->asked, .result = {.gone = true}};
	if (coprocess_say(rerun->coprocess, question, GRACE_MS, &taken, err) < 0)
		return -1;
	if (taken &&
		coprocess_hear_answer(rerun->coprocess, wall_ms + GRACE_MS, rerun_read_answer, &answer,
			&rerun->heard, &heard, err) < 0)
		return -1;
	*process = answer.process;
	*result = answer.result;
	return 0;
}

/* Nothing of an earlier run is there to be read for this one's. */
static int rerun_remove_reports(struct rerun *rerun, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct executor *executor = rerun->checkout->executor;
	const char *glob = rerun->services->suite->report;
	if (file_remove_tree(arena_printf(&arena, "%s/%s", executor->cache_dir, rerun->report), err) <
		0)
		return -1;
	return glob ? reports_remove(executor->tree, glob, err) : 0;
}

int rerun_run(struct rerun *rerun, enum rerun_line line, size_t number, int64_t cpu_ms,
	int64_t wall_ms, struct arena *arena, struct rerun_result *ret_result, struct rondo_error *err)
{
	struct process_result process;
	AUTO_REPORTS printed = {.n = 0};
	if (rerun_remove_reports(rerun, err) < 0)
		return -1;
	const char *question = arena_printf(arena, "%lld %d %zu %lld %lld", (long long)++rerun->asked,
		(int)line, number, (long long)cpu_ms, (long long)wall_ms);
	if (rerun_ask(rerun, question, wall_ms, &process, ret_result, err) < 0 ||
		(line == RERUN_BUILD && rerun_forget_texts(rerun, err) < 0))
		return -1;
	reports_open_path(&printed, rerun->printed);
	ret_result->gone = ret_result->gone || printed.n != 1;
	char text[64];
	log_line(LOG_DEBUG, "rerun", "number %zu: %s in %d ms, %d of the processor", number,
		ret_result->gone ? "gone" : process_describe(&process, text, sizeof text),
		(int)ret_result->ms, (int)ret_result->cpu_ms);
	if (ret_result->gone)
		return 0;
	const struct executor *executor = rerun->checkout->executor;
	const struct executor_place place = {executor->tree, executor->cache_dir};
	return judge_read(rerun->checkout, rerun->services->suite, printed.fds[0], &place,
		rerun->report, &process, false, arena, &ret_result->report, err);
}

void rerun_printed(const struct rerun *rerun, struct strbuf *sb)
{
	AUTO_REPORTS printed = {.n = 0};
	char bytes[16384];
	ssize_t n;
	reports_open_path(&printed, rerun->printed);
	for (off_t at = 0; printed.n == 1 && (n = pread(printed.fds[0], bytes, sizeof bytes, at)) > 0;
		 at += n)
		strbuf_add(sb, bytes, (size_t)n);
}

void rerun_free(struct rerun *rerun)
{
	struct rondo_error ignored;
	if (!rerun)
		return;
	coprocess_end(rerun->coprocess);
	file_remove_tree(rerun->printed, &ignored);
	strbuf_release(&rerun->heard);
	arena_release(&rerun->arena);
	free(rerun);
}
