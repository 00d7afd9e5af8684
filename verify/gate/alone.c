/*
 * Tests of the goal by themselves: a fix that has values of the tests, and gives them in the order
 * in which the suite asks, fails where one test is run alone. Tests that need others before them
 * fail there, too; so only a fix that the guard marks for such values is run in this way.
 */
#include <string.h>

#include "base/memory.h"
#include "verify/gate/judging.h"

enum { ALONE_MOST = 2 };

static bool alone_is_marked(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->n_findings; i++)
		if (verdict->findings[i].rule == &special_cased_rule)
			return true;
	return false;
}

/* Run one test; ret_report: what came of it. */
static int alone_run(const struct gate *gate, const struct verdict *verdict, const char *id,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct checkout place;
	struct judge_options options = {.ids = &id,
		.n_ids = 1,
		.timeout_ms = gate->settings->suite_timeout_ms,
		.log = arena_printf(gate->arena, "%s/alone.log", gate->settings->log_dir)};
	context_progress(gate->ctx, "gate", "running a test alone");
	if (gate->enter(gate->owner, &verdict->tree, "alone", GATE_BUILT, &place, err) < 0)
		return -1;
	int status = judge(&place, gate->suite, &options, gate->arena, ret_report, gate->ctx, err);
	gate->leave(&place);
	return status;
}

/* The tests that the fix repairs, the last first: these have the most others before them. */
static size_t alone_choose(
	const struct gate *gate, const struct verdict *verdict, const char *ids[ALONE_MOST])
{
	size_t n = 0;
	const struct baseline *baseline = gate->baseline;
	bool has_goal = baseline->n_goal;
	const char *const *list = has_goal ? baseline->goal : baseline->red;
	for (size_t i = has_goal ? baseline->n_goal : baseline->n_red; i-- > 0 && n < ALONE_MOST;) {
		const struct test_result *result = test_report_find(&verdict->report, list[i]);
		if (result && result->status == TEST_PASSED && !suite_is_id(gate->suite, list[i]))
			ids[n++] = list[i];
	}
	return n;
}

int alone_check(const struct gate *gate, const struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err)
{
	const char *ids[ALONE_MOST];
	size_t n = alone_is_marked(verdict) ? alone_choose(gate, verdict, ids) : 0;
	for (size_t i = 0; i < n && !*ret_reason; i++) {
		struct test_report report = {.results = NULL};
		struct baseline one = {.first = gate->baseline->first, .goal = &ids[i], .n_goal = 1};
		if (!judge_goal_options(gate->suite, &one, gate->arena).ids)
			return 0;
		if (alone_run(gate, verdict, ids[i], &report, err) < 0)
			return -1;
		const struct test_result *result = test_report_find(&report, ids[i]);
		if (result && test_status_is_red(result->status))
			*ret_reason = arena_printf(gate->arena,
				"the results cannot be trusted: %s passes after other tests and fails alone, and "
				"the fix has values of the tests (rule counter-test)",
				ids[i]);
	}
	return 0;
}
