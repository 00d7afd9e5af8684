/*
 * The gate (DESIGN.md 5): base plus the difference as data, protected files from the base, in a
 * new directory and a new sandbox; every goal test passes, nothing that passed fails, disappears
 * or is skipped, and the exit code agrees. Only this program's own observation counts.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/stages.h"

struct gate {
	struct object tree;      /* what is judged */
	const char **protected;  /* changed, but judged as in the base: "path (rule)" */
	size_t n_protected;
	struct test_report report;
	struct comparison comparison;
	const char *refusal;     /* a rule that the change breaks, with its evidence */
	char token[33];          /* a program must print it at its end; "": none */
};

struct gate_keeping {
	struct run *run;
	struct gate *gate;
};

static bool keep_protected(void *owner, const char *path)
{
	struct gate_keeping *keeping = owner;
	struct arena *arena = keeping->run->arena;
	const char *rule = keeping->run->has_suite ? protection_rule(&keeping->run->protection, path) : NULL;
	if (rule)
		ARENA_PUSH(arena, keeping->gate->protected, keeping->gate->n_protected,
			arena_printf(arena, "%s (rule %s)", path, rule));
	return rule != NULL;
}

static int take_tree(struct run *run, struct gate *gate, struct rondo_error *err)
{
	struct object tree;
	const char **refused;
	size_t n;
	struct gate_keeping keeping = {run, gate};
	if (worktree_tree(run->desk.worktree, run->kit.leave_out, run->kit.n_leave_out, run->arena, &tree,
		    &refused, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (run_notice(run, err, "left out of the fix: %s", refused[i]) < 0)
			return -1;
	return repository_merge_tree(
		run->repository, &run->base.tree, &tree, keep_protected, &keeping, &gate->tree, err);
}

/* The program's assertions must stand; then a last statement is added that shows its end was reached. */
static int seal_program(struct run *run, struct gate *gate, struct workplace *place,
	struct rondo_error *err)
{
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_TEXT), fixed = STRBUF_INIT(STRBUF_TEXT);
	const char *path = run->suite.program, *missing = NULL;
	if (repository_file(run->repository, &run->base.tree, path, &old, err) < 0 ||
		repository_file(run->repository, &gate->tree, path, &fixed, err) < 0)
		return -1;
	if (!program_keeps_assertions(path, old.text, fixed.text, run->arena, &missing)) {
		gate->refusal = arena_printf(run->arena, "an assertion was changed (rule protected-assertion): %s",
			missing ? missing : "");
		return 0;
	}
	hash_random(gate->token, sizeof gate->token - 1);
	const char *sealed = program_with_token(path, fixed.text, gate->token, run->arena);
	if (!sealed) {
		gate->token[0] = '\0';
		return 0;
	}
	struct file_edit file = {.path = path, .content = sealed};
	return worktree_apply(place->worktree, &(struct edit){.files = &file, .n = 1}, err);
}

static int check_token(struct run *run, struct gate *gate, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_RECORD);
	if (!gate->token[0] || !gate->report.log)
		return 0;
	if (file_read(gate->report.log, (size_t)256 << 20, &output, err) < 0)
		return -1;
	if (!strstr(output.text, gate->token))
		gate->refusal = arena_printf(run->arena, "%s does not reach its end (rule program-end)", run->suite.program);
	return 0;
}

static int judge_tree(struct run *run, struct gate *gate, struct rondo_error *err)
{
	struct workplace place;
	if (site_workplace(run, "gate", &gate->tree, &place, err) < 0)
		return -1;
	struct judge_options options = {.timeout_ms = run->kit.suite_timeout_ms,
		.log = arena_printf(run->arena, "%s/gate.log", run->paths.logs)};
	context_progress(&run->ctx, "gate", "running the suite in a fresh checkout");
	int status = run->suite.program ? seal_program(run, gate, &place, err) : 0;
	if (status == 0 && !gate->refusal)
		status = judge(&place, &run->suite, &options, run->arena, &gate->report, &run->ctx, err);
	if (status == 0 && !gate->refusal) {
		baseline_compare(&run->baseline, &gate->report, run->arena, &gate->comparison);
		status = check_token(run, gate, err);
	}
	site_leave(&place);
	return status;
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

static const char *join(const char *const *items, size_t n, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "", items[i]);
	return arena_strdup(arena, text.text);
}

static void conclude(struct run *run, const struct gate *gate)
{
	struct run_result *result = run->result;
	const struct comparison *comparison = &gate->comparison;
	result->n_passed_after = gate->report.count[TEST_PASSED] + gate->report.count[TEST_XFAILED];
	if (comparison->n_fixed > result->n_fixed)
		result->n_fixed = comparison->n_fixed;
	if (comparison->ok && !gate->refusal) {
		result->outcome = RUN_VERIFIED;
		result->n_fixed = comparison->n_fixed;
		return;
	}
	if (gate->refusal) {
		result->outcome = RUN_REFUSED;
		result->reason = gate->refusal;
	} else if (gate->n_protected) {
		result->outcome = RUN_REFUSED;
		result->reason = arena_printf(run->arena, "the fix needs a change of what is protected: %s",
			join(gate->protected, gate->n_protected, run->arena));
		result->help = "if this is what you want: --allow-edit PATH";
	} else {
		result->outcome = RUN_NOT_FIXED;
		result->reason = comparison->problem ? comparison->problem : gate->report.problem;
	}
}

static int tell_verdict(struct run *run, const struct gate *gate, struct rondo_error *err)
{
	AUTO_JSON *json = json_object();
	const struct comparison *comparison = &gate->comparison;
	json_add_string(json, "outcome", run_outcome_word(run->result->outcome));
	json_add_string(json, "tree", gate->tree.hex);
	json_add_int(json, "passed", (int64_t)run->result->n_passed_after);
	json_add_int(json, "tests", (int64_t)(gate->report.n - gate->report.count[TEST_SKIPPED]));
	struct json *fixed = json_add_array(json, "fixed");
	for (size_t i = 0; i < comparison->n_fixed; i++)
		json_add_string(fixed, NULL, comparison->fixed[i]);
	struct json *left_out = json_add_array(json, "left_out");
	for (size_t i = 0; i < gate->n_protected; i++)
		json_add_string(left_out, NULL, gate->protected[i]);
	AUTO_FREE char *data = json_print(json);
	const char *reason = run->result->reason ? run->result->reason : "verified in a fresh checkout";
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_VERDICT, .text = reason, .data = data}, err);
}

int gate_harvest(struct run *run, struct object *ret_tree, struct rondo_error *err)
{
	struct gate gate = {0};
	if (take_tree(run, &gate, err) < 0)
		return -1;
	*ret_tree = gate.tree;
	return keep_patch(run, &gate.tree, err);
}

int gate_run(struct run *run, struct object *ret_tree, struct rondo_error *err)
{
	struct gate gate = {0};
	if (take_tree(run, &gate, err) < 0)
		return -1;
	*ret_tree = gate.tree;
	bool changed = strcmp(gate.tree.hex, run->base.tree.hex) != 0;
	if (changed && (judge_tree(run, &gate, err) < 0 || keep_patch(run, &gate.tree, err) < 0))
		return -1;
	conclude(run, &gate);
	if (!changed && !gate.n_protected)
		run->result->reason = run->result->stop_reason;
	return tell_verdict(run, &gate, err);
}
