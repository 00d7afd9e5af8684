/* What the user asks of a fix beside its suite: commands that have to succeed, and a suite that no
 * agent has seen. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "verify/gate/judging.h"

#define CHECK_OUTPUT ((size_t)4 << 10)

/* Run one command in a checkout; ret_failure is NULL where it ended with 0. */
static int further_run_check(const struct gate *gate, const struct checkout *place,
	const char *line, const char **ret_failure, int64_t *ret_ms, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(CHECK_OUTPUT);
	struct process_result result;
	char end[64];
	struct command command = {.line = line,
		.env = gate->suite->type->env,
		.output = &output,
		.timeout_ms = gate->settings->suite_timeout_ms};
	if (executor_run(place->executor, &command, &result, gate->ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(gate->ctx->cancel, err);
	*ret_ms = result.duration_ms;
	*ret_failure = NULL;
	if (result.end == PROCESS_EXITED && result.exit_code == 0)
		return 0;
	strbuf_mark_cut(&output);
	strbuf_rtrim(&output);
	*ret_failure = arena_printf(gate->arena, "%s: %s", process_describe(&result, end, sizeof end),
		*output.text ? output.text : "no output");
	return 0;
}

/* Whether a check that fails on the fix fails on the base as well: then it is not the fix's
 * doing. */
static int further_fails_at_base(
	const struct gate *gate, const char *line, bool *ret_fails, struct rondo_error *err)
{
	struct checkout place;
	const char *failure = NULL;
	int64_t ms;
	if (gate->enter(gate->owner, &gate->base->tree, "check-base", GATE_AFRESH, &place, err) < 0)
		return -1;
	int status = further_run_check(gate, &place, line, &failure, &ms, err);
	gate->leave(&place);
	*ret_fails = failure;
	return status;
}

static int further_run_checks(const struct gate *gate, const struct checkout *place,
	struct verdict *verdict, const char **ret_reason, struct rondo_error *err)
{
	for (size_t i = 0; i < gate->settings->n_checks && !*ret_reason; i++) {
		const char *line = gate->settings->checks[i], *failure = NULL;
		char time[CLOCK_DATE_SIZE];
		int64_t ms = 0;
		bool at_base = false;
		context_progress(gate->ctx, "gate", "checking: %s", line);
		if (further_run_check(gate, place, line, &failure, &ms, err) < 0 ||
			(failure && further_fails_at_base(gate, line, &at_base, err) < 0))
			return -1;
		clock_format_duration(ms, time);
		if (failure)
			*ret_reason = arena_printf(gate->arena, "the check '%s' fails%s (%s)", line,
				at_base ? ", as it does at the base" : "", failure);
		else
			gate_note(
				gate, verdict, arena_printf(gate->arena, "check '%s': passed in %s", line, time));
	}
	return 0;
}

/* --- The hidden suite --- */

struct hiding {
	struct arena *arena;
	struct file_change *files;
	size_t n;
};

static void further_hide(
	struct hiding *hiding, const char *path, const char *bytes, size_t n, uint32_t mode)
{
	ARENA_PUSH(hiding->arena, hiding->files, hiding->n,
		(struct file_change){.path = path, .text = bytes, .n_text = n, .mode = mode});
}

static int further_read_hidden(
	struct hiding *hiding, const char *dir, const char *path, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *file = arena_printf(hiding->arena, "%s/%s", dir, path);
	if (file_read(file, STRBUF_TEXT, &text, err) < 0)
		return -1;
	further_hide(hiding, path, arena_strndup(hiding->arena, text.text, text.length), text.length,
		access(file, X_OK) == 0 ? 0100755 : 0100644);
	return 0;
}

/* The verdict's tree with the files of verify.hidden_files and verify.hidden_copy in it. */
static int further_make_hidden_tree(const struct gate *gate, const struct object *tree,
	struct object *ret_tree, struct rondo_error *err)
{
	const struct option_texts *texts = gate->settings->hidden_files;
	struct hiding hiding = {.arena = gate->arena};
	const char **paths = NULL, *dir = gate->settings->hidden_copy;
	size_t n = 0;
	for (size_t i = 0; texts && i < texts->n; i++)
		further_hide(&hiding, texts->names[i], texts->items[i], strlen(texts->items[i]), 0100644);
	if (dir && file_find(dir, NULL, gate->arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (further_read_hidden(&hiding, dir, paths[i], err) < 0)
			return -1;
	return repository_with_files(gate->repository, tree, hiding.files, hiding.n, ret_tree, err);
}

static const char *further_hidden_problem(const struct test_report *report, struct arena *arena)
{
	if (!report->complete)
		return report->problem;
	for (size_t i = 0; i < report->n; i++)
		if (test_status_is_red(report->results[i]->status))
			return arena_printf(
				arena, "%zu of its %zu tests fail", test_report_red(report), report->n);
	return report->exit_code ? arena_printf(arena, "exit code %d", report->exit_code) : NULL;
}

static int further_judge_hidden(const struct gate *gate, const struct checkout *place,
	struct verdict *verdict, const char **ret_reason, struct rondo_error *err)
{
	struct suite suite;
	struct test_report report = {0};
	struct judge_options options = {.timeout_ms = gate->settings->suite_timeout_ms};
	suite_from_command(gate->settings->hidden, "from verify.hidden", gate->arena, &suite);
	context_progress(gate->ctx, "gate", "running the hidden suite");
	if (judge(place, &suite, &options, gate->arena, &report, gate->ctx, err) < 0)
		return -1;
	const char *problem = further_hidden_problem(&report, gate->arena);
	if (problem)
		*ret_reason = arena_printf(
			gate->arena, "the hidden suite does not pass: %s (verify.hidden)", problem);
	else
		gate_note(gate, verdict,
			arena_printf(gate->arena, "hidden suite: %zu of %zu passed", report.n, report.n));
	return 0;
}

/* Each in a checkout of its own: neither sees what the other leaves. */
static int further_run_in(const struct gate *gate, const struct object *tree, const char *name,
	struct verdict *verdict, const char **ret_reason,
	int (*run)(const struct gate *gate, const struct checkout *place, struct verdict *verdict,
		const char **ret_reason, struct rondo_error *err),
	struct rondo_error *err)
{
	struct checkout place;
	if (gate->enter(gate->owner, tree, name, GATE_AFRESH, &place, err) < 0)
		return -1;
	int status = run(gate, &place, verdict, ret_reason, err);
	gate->leave(&place);
	return status;
}

int further_run(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err)
{
	struct object tree;
	*ret_reason = NULL;
	if (gate->settings->n_checks &&
		further_run_in(
			gate, &verdict->tree, "checks", verdict, ret_reason, further_run_checks, err) < 0)
		return -1;
	if (!gate->settings->hidden || *ret_reason)
		return 0;
	if (further_make_hidden_tree(gate, &verdict->tree, &tree, err) < 0)
		return error_prefix(err, "verify.hidden");
	return further_run_in(gate, &tree, "hidden", verdict, ret_reason, further_judge_hidden, err);
}
