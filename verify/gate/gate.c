#include "verify/gate/gate.h"

#include <string.h>

#include "base/clock.h"
#include "verify/gate/judging.h"
#include "verify/gate/scope.h"

enum { PATHS_MOST = 3 };

void gate_note(const struct gate *gate, struct verdict *verdict, const char *text)
{
	ARENA_PUSH(
		gate->arena, verdict->evidence, verdict->n_evidence, arena_strdup(gate->arena, text));
}

bool gate_has(const struct gate *gate, const char *path)
{
	return text_in_sorted(gate->base_paths, gate->n_base_paths, path);
}

/* The first finding that refuses, in words; or NULL. */
static const char *gate_refusal_of(const struct gate *gate, const struct verdict *verdict)
{
	struct inspection inspection = {
		.findings = verdict->findings, .n_findings = verdict->n_findings};
	const struct finding *finding = guard_refusal(&inspection);
	return finding ? finding_describe(finding, gate->arena) : NULL;
}

/* --- The runs --- */

static void gate_note_run(
	const struct judgement *judgement, int number, const char *how, const struct judging *judging)
{
	char time[CLOCK_DATE_SIZE];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	clock_format_duration(judging->report.duration_ms, time);
	strbuf_addf(&text, "run %d, in a fresh checkout%s: ", number, how);
	test_report_describe(&judging->report, &text);
	strbuf_addf(&text, " in %s", time);
	gate_note(judgement->gate, judgement->verdict, text.text);
}

/* What is protected and was changed all the same, and what fails without that. False: nothing that
 * tests see, such as what a CI service does: that is a reason only where nothing failed. */
static bool gate_refuse_left_out(struct judgement *judgement, const char *problem)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	size_t n = 0;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text, "it needs a change of what is protected: ");
	for (size_t i = 0; i < judgement->n_kept; i++) {
		if (problem && text_ends_with(verdict->left_out[i], "(rule " PROTECTED_CI ")"))
			continue;
		if (n < PATHS_MOST)
			strbuf_addf(&text, "%s%s", n ? ", " : "", verdict->left_out[i]);
		ARENA_PUSH(gate->arena, verdict->protected_paths, n, judgement->kept[i]);
	}
	if (!n)
		return false;
	if (n > PATHS_MOST)
		strbuf_addf(&text, " and %zu more", n - PATHS_MOST);
	if (problem)
		strbuf_addf(&text, "; without that: %s", problem);
	verdict->n_protected = n;
	verdict->reason = arena_strdup(gate->arena, text.text);
	return true;
}

/* Why a run that did not hold did not, as the verdict says it. */
static void gate_fail(struct judgement *judgement, const struct judging *judging)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	const char *rule = gate_refusal_of(gate, verdict);
	const char *problem =
		judging->comparison.problem ? judging->comparison.problem : judging->report.problem;
	bool was_reported = judging->report.complete && judging->comparison.n_failing;
	verdict->kind = VERDICT_REFUSED;
	if (judging->refusal) {
		verdict->reason = judging->refusal;
		if (judging->protected_path)
			ARENA_PUSH(gate->arena, verdict->protected_paths, verdict->n_protected,
				judging->protected_path);
	} else if (rule && !was_reported) {
		verdict->reason = rule;
	} else if (!gate_refuse_left_out(judgement, problem)) {
		verdict->kind = VERDICT_NOT_FIXED;
		verdict->reason = problem;
	}
}

static void gate_refuse(struct judgement *judgement, const char *reason)
{
	judgement->verdict->kind = VERDICT_REFUSED;
	judgement->verdict->reason = reason;
}

/* The run that the report shows. */
static void gate_show(struct verdict *verdict, const struct judging *judging)
{
	verdict->report = judging->report;
	verdict->comparison = judging->comparison;
}

/* Whether only tests of the goal are missing to a run, and a group of them is not: then the gate's
 * baseline is narrowed to the groups that pass. */
static bool gate_narrow(struct judgement *judgement, struct judging *judging)
{
	struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	const struct baseline *whole = gate->baseline;
	const struct comparison *comparison = &judging->comparison;
	struct baseline *narrow = arena_alloc(gate->arena, sizeof *narrow);
	struct comparison again;
	const char **ids;
	size_t n;
	if (gate->settings->all || judging->refusal || !judging->report.complete ||
		!comparison->n_failing ||
		!baseline_fixed_groups(
			whole, comparison->fixed, comparison->n_fixed, gate->arena, &ids, &n))
		return false;
	baseline_narrow(whole, ids, n, NULL, 0, gate->arena, narrow);
	baseline_compare(narrow, &judging->report, gate->arena, &again);
	if (!again.ok)
		return false;
	verdict->unfixed = narrow->red + whole->n_red;
	verdict->n_unfixed = narrow->n_red - whole->n_red;
	judging->comparison = again;
	gate->baseline = narrow;
	return true;
}

/* The first run, cleaned up where it holds. ret_done: what comes of it is clear already. */
static int gate_judge_first(struct judgement *judgement, bool *ret_done, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	struct judging_order order = {.name = "gate"};
	struct judging first;
	const char *rule = gate_refusal_of(gate, verdict);
	if (judging_run(gate, &verdict->tree, &order, &first, err) < 0)
		return -1;
	bool holds = judging_holds(&first) || gate_narrow(judgement, &first);
	*ret_done = !holds || rule;
	if (!holds)
		gate_fail(judgement, &first);
	else if (rule)
		gate_refuse(judgement, rule);
	else if (gate->settings->clean_up && clean_up(gate, verdict, &first, err) < 0)
		return -1;
	gate_show(verdict, &first);
	if (!*ret_done)
		gate_note_run(judgement, 1, "", &first);
	return 0;
}

/* Whether the base itself reports a sentinel otherwise: else nothing follows from what a fix
 * reports. A base that stops at its first failure may run none, and then only a failure that was
 * reported as a pass counts. */
static int gate_base_differs(const struct gate *gate, const struct sentinel *sentinel,
	enum sentinels reported, bool *ret_differs, struct rondo_error *err)
{
	struct judging judging;
	struct judging_order order = {.name = "sentinel-base", .sentinel = sentinel};
	if (judging_run(gate, &gate->base->tree, &order, &judging, err) < 0)
		return -1;
	*ret_differs = judging.sentinels == SENTINELS_HELD ||
		(reported == SENTINELS_LIED && judging.sentinels != SENTINELS_LIED);
	return 0;
}

/* A verdict that reports a sentinel wrongly is void. */
static int gate_judge_sentinel(struct judgement *judgement, const struct sentinel *sentinel,
	const struct judging *judging, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	bool differs = false;
	if (judging->sentinels == SENTINELS_HELD) {
		verdict->sentinels_held = true;
		gate_note(gate, verdict,
			"control: a test that must fail was reported as failed, one that must pass as passed");
		return 0;
	}
	if (gate_base_differs(gate, sentinel, judging->sentinels, &differs, err) < 0)
		return -1;
	if (differs)
		gate_refuse(judgement,
			arena_printf(gate->arena, "the results cannot be trusted: %s (rule sentinel)",
				judging->sentinel_problem
					? judging->sentinel_problem
					: "tests that the gate added were not run, as they are at the base"));
	else
		gate_note(gate, verdict,
			"no test of the gate's own could be added: the suite does not run it at the base "
			"either");
	return 0;
}

/* A fix did not hold elsewhere: whether the base does worse there than at its own path, too. Then
 * nothing is run there any more. */
static int gate_settle_elsewhere(
	struct judgement *judgement, bool *ret_differs, struct rondo_error *err)
{
	struct gate *gate = judgement->gate;
	struct judging_order order = {.name = "elsewhere-base", .place = GATE_ELSEWHERE};
	struct judging base;
	if (judging_run(gate, &gate->base->tree, &order, &base, err) < 0)
		return -1;
	*ret_differs =
		!base.refusal && (!base.report.complete || comparison_regressions(&base.comparison));
	gate->elsewhere_is_known = true;
	if (!*ret_differs)
		return 0;
	gate_note(gate, judgement->verdict,
		arena_printf(gate->arena,
			"the base's tests come out differently %s: all runs are at the checkout's own",
			gate->elsewhere));
	gate->elsewhere = NULL;
	return 0;
}

/* One more run, from nothing, and elsewhere where the suite allows that. Where sentinels stop the
 * rest (a runner that ends at the first failure), the rest is run without them. */
static int gate_run_again(struct judgement *judgement, int number, const struct sentinel *sentinel,
	struct arena *arena, struct judging *judging, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	const struct object *tree = &judgement->verdict->tree;
	struct judging_order order = {.name = arena_printf(gate->arena, "gate-%d", number),
		.place = gate->elsewhere ? GATE_ELSEWHERE : GATE_AFRESH,
		.sentinel = sentinel,
		.arena = arena};
	bool differs = false, is_open = gate->elsewhere && !gate->elsewhere_is_known;
	if (judging_run(gate, tree, &order, judging, err) < 0 ||
		(is_open && !judging_holds(judging) && gate_settle_elsewhere(judgement, &differs, err) < 0))
		return -1;
	if (differs)
		return gate_run_again(judgement, number, sentinel, arena, judging, err);
	if (!sentinel)
		return 0;
	if (gate_judge_sentinel(judgement, sentinel, judging, err) < 0)
		return -1;
	if (judgement->verdict->kind == VERDICT_REFUSED || judging_holds(judging))
		return 0;
	order.sentinel = NULL;
	return judging_run(gate, tree, &order, judging, err);
}

/* A fix that holds once and not again. */
static void gate_refuse_differing(struct judgement *judgement, const struct judging *judging)
{
	const struct gate *gate = judgement->gate;
	const char *problem =
		judging->comparison.problem ? judging->comparison.problem : judging->report.problem;
	if (judging->refusal)
		gate_refuse(judgement, judging->refusal);
	else
		gate_refuse(judgement,
			arena_printf(gate->arena, "it passed once, but not again%s%s: %s (rule runs-differ)",
				gate->elsewhere ? " " : "", gate->elsewhere ? gate->elsewhere : "",
				problem ? problem : "not complete"));
}

/* The second and further runs; the second has the sentinels. */
static int gate_repeat(struct judgement *judgement, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	for (int number = 2; number <= (int)gate->settings->repeat; number++) {
		const struct sentinel *sentinel =
			number == 2 && gate->settings->sentinels ? sentinel_make(gate) : NULL;
		AUTO_ARENA scratch = ARENA_INIT; /* nothing of a run that holds is kept */
		struct judging judging;
		if (gate_run_again(judgement, number, sentinel, &scratch, &judging, err) < 0)
			return -1;
		if (verdict->kind == VERDICT_REFUSED)
			return 0;
		if (!judging_holds(&judging)) {
			gate_refuse_differing(judgement, &judging);
			return 0;
		}
		gate_note_run(judgement, number,
			gate->elsewhere ? arena_printf(gate->arena, " %s", gate->elsewhere) : "", &judging);
	}
	return 0;
}

/* Tests that come with the fix are a part of it where they pass; the fix was judged without
 * them. */
static int gate_add_new_tests(struct judgement *judgement, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	struct judging_order order = {.name = "new-tests"};
	struct judging judging;
	struct object tree;
	if (!judgement->n_new_tests)
		return 0;
	if (repository_with_files(gate->repository, &verdict->tree, judgement->new_tests,
			judgement->n_new_tests, &tree, err) < 0 ||
		judging_run(gate, &tree, &order, &judging, err) < 0)
		return -1;
	bool holds = judging_holds(&judging);
	for (size_t i = 0; i < judgement->n_new_tests; i++)
		if (holds)
			gate_note(gate, verdict,
				arena_printf(gate->arena, "%s: a new test file, which passes",
					judgement->new_tests[i].path));
		else
			ARENA_PUSH(gate->arena, verdict->dropped, verdict->n_dropped,
				arena_printf(gate->arena, "%s (a new test file; with it: %s)",
					judgement->new_tests[i].path,
					judging.comparison.problem ? judging.comparison.problem
											   : "the suite does not run"));
	if (!holds)
		return 0;
	verdict->tree = tree;
	gate_show(verdict, &judging);
	return 0;
}

static int gate_judge_tree(struct judgement *judgement, struct rondo_error *err)
{
	struct verdict *verdict = judgement->verdict;
	const char *reason;
	bool done;
	if (gate_judge_first(judgement, &done, err) < 0)
		return -1;
	if (done)
		return 0;
	if (gate_repeat(judgement, err) < 0)
		return -1;
	if (verdict->kind == VERDICT_REFUSED)
		return 0;
	if (program_counter(judgement->gate, verdict, &reason, err) < 0 ||
		(!reason && counter_run(judgement->gate, verdict, &reason, err) < 0))
		return -1;
	if (reason) {
		gate_refuse(judgement, reason);
		return 0;
	}
	if (gate_add_new_tests(judgement, err) < 0 ||
		further_run(judgement->gate, verdict, &reason, err) < 0)
		return -1;
	verdict->kind = reason ? VERDICT_REFUSED : VERDICT_VERIFIED;
	verdict->reason = reason;
	return 0;
}

int gate_run(const struct gate *gate, const struct object *tree, const char *name,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct judging_order order = {.name = name};
	struct judging judging;
	if (judging_run(gate, tree, &order, &judging, err) < 0)
		return -1;
	*ret_report = judging.report;
	return 0;
}

int gate_judge(struct gate *gate, const struct object *fixed, struct verdict *ret_verdict,
	struct rondo_error *err)
{
	struct verdict verdict = {.kind = VERDICT_NOT_FIXED};
	struct gate own = *gate;
	struct judgement judgement = {.gate = &own, .verdict = &verdict};
	if (scope_take(&judgement, fixed, err) < 0 || scope_inspect(&judgement, fixed, err) < 0)
		return -1;
	bool changed = strcmp(verdict.tree.hex, gate->base->tree.hex) != 0;
	if (changed && !gate->surveys && program_survey(gate, err) < 0)
		return -1;
	own.surveys = gate->surveys;
	if (changed && gate_judge_tree(&judgement, err) < 0)
		return -1;
	gate->elsewhere = own.elsewhere;
	gate->elsewhere_is_known = own.elsewhere_is_known;
	if (!changed && verdict.n_left_out)
		gate_fail(&judgement, &(struct judging){.refusal = NULL});
	*ret_verdict = verdict;
	return 0;
}
