/* The gate as a run asks for it: which tree, and what comes of the verdict. The judging itself is gate/'s. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "gate/gate.h"
#include "run/stages.h"

enum { TREES_MOST = 3 }; /* that are judged, of those that a tester passed */

static int enter(void *owner, const struct object *tree, const char *name, bool elsewhere, struct workplace *ret_workplace,
	struct rondo_error *err)
{
	struct run *run = owner;
	return site_workplace(run, elsewhere ? &run->elsewhere : &run->world, name, tree, ret_workplace, err);
}

static struct gate_settings settings_of(const struct run *run)
{
	const struct scenario_verify *verify = &run->scenario->verify;
	return (struct gate_settings){.repeat = verify->repeat, .sentinels = verify->sentinels, .clean_up = verify->clean_up,
		.checks = verify->checks.items, .n_checks = verify->checks.n, .hidden = verify->hidden,
		.hidden_files = &verify->hidden_files,
		.hidden_copy = verify->hidden_copy ? workspace_path(run->scenario, verify->hidden_copy) : NULL,
		.suite_timeout_ms = run->kit.suite_timeout_ms, .log_dir = run->paths.logs};
}

static struct gate gate_of(struct run *run, const struct gate_settings *settings)
{
	const char *elsewhere = executor_sight(&run->executor) == EXECUTOR_SEES_HOST ? "at another path" : "at another path, as another user";
	return (struct gate){.repository = run->repository, .base = &run->base, .base_paths = run->paths_in_base,
		.n_base_paths = run->n_paths_in_base, .suite = &run->suite, .baseline = &run->baseline,
		.protection = &run->protection, .settings = settings, .enter = enter, .leave = site_leave, .owner = run,
		.elsewhere = run->can_move ? elsewhere : NULL, .ctx = &run->ctx, .arena = run->arena};
}

static int take_desk(struct run *run, struct object *ret_tree, struct rondo_error *err)
{
	const char **refused;
	size_t n;
	if (worktree_tree(run->desk.worktree, run->kit.leave_out, run->kit.n_leave_out, run->arena, ret_tree,
		    &refused, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (run_notice(run, err, "left out of the fix: %s", refused[i]) < 0)
			return -1;
	return 0;
}

static const char *stat_lines(const struct diff *diff, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < diff->n; i++) {
		const struct change *change = &diff->changes[i];
		strbuf_addf(&text, "%s%s | ", i ? "\n" : "", change->path);
		if (change->binary)
			strbuf_adds(&text, "binary");
		else
			strbuf_addf(&text, "%zu %.*s%.*s", change->added + change->removed,
				(int)(change->added < 20 ? change->added : 20), "++++++++++++++++++++",
				(int)(change->removed < 20 ? change->removed : 20), "--------------------");
	}
	return arena_strdup(arena, text.text);
}

/* The difference stands in the run's directory whatever comes of it. */
static int keep_patch(struct run *run, const struct object *tree, struct rondo_error *err)
{
	struct diff diff;
	struct run_result *result = run->result;
	if (repository_diff(run->repository, &run->base.tree, tree, run->arena, &diff, err) < 0)
		return -1;
	if (!diff.n)
		return 0;
	result->stat = stat_lines(&diff, run->arena);
	result->patch = diff.patch;
	result->patch_length = diff.patch_length;
	result->patch_path = arena_printf(run->arena, "%s/patch.diff", run->paths.dir);
	return file_write(result->patch_path, diff.patch, diff.patch_length, 0600, err);
}

static const char **describe_findings(const struct verdict *verdict, struct arena *arena, size_t *ret_n)
{
	const char **lines = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < verdict->n_findings; i++)
		ARENA_PUSH(arena, lines, *ret_n, finding_describe(&verdict->findings[i], arena));
	return lines;
}

static void conclude(struct run *run, const struct verdict *verdict)
{
	static const enum run_outcome outcomes[] = {[VERDICT_NOT_FIXED] = RUN_NOT_FIXED, [VERDICT_REFUSED] = RUN_REFUSED,
		[VERDICT_VERIFIED] = RUN_VERIFIED};
	struct run_result *result = run->result;
	const struct test_report *report = &verdict->report;
	result->outcome = outcomes[verdict->kind];
	result->reason = verdict->reason;
	result->help = verdict->help;
	result->n_passed_after = report->count[TEST_PASSED] + report->count[TEST_XFAILED];
	result->n_tests_after = report->n - report->count[TEST_SKIPPED];
	if (verdict->kind == VERDICT_VERIFIED || verdict->comparison.n_fixed > result->n_fixed)
		result->n_fixed = verdict->comparison.n_fixed;
	result->findings = describe_findings(verdict, run->arena, &result->n_findings);
	result->left_out = verdict->left_out;
	result->n_left_out = verdict->n_left_out;
	result->dropped = verdict->dropped;
	result->n_dropped = verdict->n_dropped;
	result->evidence = verdict->evidence;
	result->n_evidence = verdict->n_evidence;
	result->sentinels_held = verdict->sentinels_held;
	if (!result->reason && result->outcome != RUN_VERIFIED)
		result->reason = result->stop_reason;
}

static int tell_verdict(struct run *run, const struct verdict *verdict, struct rondo_error *err)
{
	AUTO_JSON *json = json_object();
	const struct run_result *result = run->result;
	const struct comparison *comparison = &verdict->comparison;
	json_add_string(json, "outcome", run_outcome_word(result->outcome));
	json_add_string(json, "tree", verdict->tree.hex);
	json_add_int(json, "passed", (int64_t)result->n_passed_after);
	json_add_int(json, "tests", (int64_t)result->n_tests_after);
	json_add_strings(json, "fixed", comparison->fixed, comparison->n_fixed);
	json_add_strings(json, "left_out", verdict->left_out, verdict->n_left_out);
	json_add_strings(json, "findings", result->findings, result->n_findings);
	json_add_strings(json, "dropped", verdict->dropped, verdict->n_dropped);
	json_add_strings(json, "evidence", verdict->evidence, verdict->n_evidence);
	AUTO_FREE char *data = json_print(json);
	const char *reason = result->reason ? result->reason : "verified in fresh checkouts";
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_VERDICT, .text = reason, .data = data}, err);
}

int gate_harvest(struct run *run, struct object *ret_tree, struct rondo_error *err)
{
	struct gate_settings settings = settings_of(run);
	struct gate gate = gate_of(run, &settings);
	struct verdict verdict = {.kind = VERDICT_NOT_FIXED};
	if (take_desk(run, ret_tree, err) < 0)
		return -1;
	if (run->has_suite) {
		if (gate_take(&gate, ret_tree, &verdict, err) < 0)
			return -1;
		*ret_tree = verdict.tree;
	}
	return keep_patch(run, ret_tree, err);
}

/* What is judged, in this order: states that the tester found nothing wrong with, the best first; the desk as it is where no
 * tester has seen it; else the best that there was. */
static struct object *choose_trees(struct run *run, const struct object *desk, size_t *ret_n)
{
	size_t n_states;
	struct object *trees = NULL;
	const struct judged_state *states =
		states_best(&run->states, run->repository, &run->base.tree, run->arena, &n_states);
	bool was_seen = strcmp(desk->hex, run->base.tree.hex) == 0;
	*ret_n = 0;
	for (size_t i = 0; i < n_states; i++) {
		was_seen = was_seen || strcmp(states[i].tree.hex, desk->hex) == 0;
		if (states[i].ok && *ret_n < TREES_MOST)
			ARENA_PUSH(run->arena, trees, *ret_n, states[i].tree);
	}
	if (!was_seen)
		ARENA_PUSH(run->arena, trees, *ret_n, *desk);
	if (!*ret_n)
		ARENA_PUSH(run->arena, trees, *ret_n, n_states ? states[0].tree : *desk);
	return trees;
}

/* The verdict on the first tree that is verified, else on the first of all. */
static int judge_best(struct run *run, const struct object *desk, struct verdict *ret_verdict, struct rondo_error *err)
{
	size_t n;
	struct gate_settings settings = settings_of(run);
	struct gate gate = gate_of(run, &settings);
	const struct object *trees = choose_trees(run, desk, &n);
	*ret_verdict = (struct verdict){.kind = VERDICT_NOT_FIXED};
	for (size_t i = 0; i < n; i++) {
		struct verdict verdict;
		if (gate_judge(&gate, &trees[i], &verdict, err) < 0)
			return -1;
		bool verified = verdict.kind == VERDICT_VERIFIED;
		if (i == 0 || verified)
			*ret_verdict = verdict;
		if (!verified)
			continue;
		if (strcmp(trees[i].hex, desk->hex) == 0)
			return 0;
		return run_notice(run, err, "the best state that was seen is taken, which is not the last");
	}
	return 0;
}

int gate_run(struct run *run, struct object *ret_tree, struct rondo_error *err)
{
	struct object desk;
	struct verdict verdict;
	if (take_desk(run, &desk, err) < 0 || judge_best(run, &desk, &verdict, err) < 0)
		return -1;
	*ret_tree = verdict.tree;
	if (keep_patch(run, &verdict.tree, err) < 0)
		return -1;
	conclude(run, &verdict);
	if (verdict.report.log && publish_junit(run, "after", &verdict.report, err) < 0)
		return -1;
	return tell_verdict(run, &verdict, err);
}
