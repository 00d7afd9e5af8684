/*
 * What failed before, and how a later run stands against it. An id counts only where all runs of
 * the baseline agree.
 *
 * An id that was in error and is no single test stands for what could not be loaded: a test file, a
 * package. Once it can be, its tests come instead of it. So where such an id is gone and tests have
 * come that the base did not have, or there are tests whose ids begin with it, it counts as passed.
 */
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

enum kind { KIND_ABSENT, KIND_GREEN, KIND_RED, KIND_SKIPPED };

static enum kind kind_of(const struct test_result *result)
{
	if (!result)
		return KIND_ABSENT;
	switch (result->status) {
	case TEST_PASSED:
		return KIND_GREEN;
	case TEST_FAILED:
	case TEST_ERROR:
		return KIND_RED;
	case TEST_SKIPPED:
	case TEST_XFAILED:
	case TEST_STATUSES:
		break;
	}
	return KIND_SKIPPED;
}

static bool has_pattern(const char *pattern, const char *id)
{
	return !pattern || strstr(id, pattern) || glob_matches(pattern, id);
}

static bool agree(
	const struct test_report *const *reports, size_t n, const char *id, enum kind kind)
{
	for (size_t i = 1; i < n; i++)
		if (kind_of(test_report_find(reports[i], id)) != kind)
			return false;
	return true;
}

void baseline_make(const struct test_report *const *reports, size_t n, const char *goal_pattern,
	struct arena *arena, struct baseline *ret_baseline)
{
	struct baseline baseline = {.first = reports[0], .exit_was_red = reports[0]->exit_code != 0};
	struct map flaky = {0};
	for (size_t i = 0; i < reports[0]->n; i++) {
		const char *id = reports[0]->results[i]->id;
		enum kind kind = kind_of(reports[0]->results[i]);
		if (!agree(reports, n, id, kind))
			ARENA_PUSH(arena, baseline.flaky, baseline.n_flaky, id);
		else if (kind == KIND_GREEN)
			ARENA_PUSH(arena, baseline.green, baseline.n_green, id);
		else if (kind == KIND_SKIPPED)
			baseline.n_skipped++;
		else if (has_pattern(goal_pattern, id))
			ARENA_PUSH(arena, baseline.goal, baseline.n_goal, id);
		else
			ARENA_PUSH(arena, baseline.red, baseline.n_red, id);
	}
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < reports[i]->n; j++) {
			struct test_result *result = reports[i]->results[j];
			if (test_report_find(reports[0], result->id) || map_get(&flaky, result->id))
				continue;
			map_put(&flaky, arena, result->id, result);
			ARENA_PUSH(arena, baseline.flaky, baseline.n_flaky, result->id);
		}
	*ret_baseline = baseline;
}

/* --- Comparison --- */

struct comparing {
	const struct baseline *baseline;
	const struct test_report *report;
	struct arena *arena;
	struct map flaky, red; /* ids of the base, as sets */
	bool grew;             /* there are tests that the base did not have */
	struct comparison comparison;
};

static void fill_set(struct map *set, struct arena *arena, const char *const *ids, size_t n)
{
	static char present;
	for (size_t i = 0; i < n; i++)
		map_put(set, arena, ids[i], &present);
}

/* Whether there are results within what an id names: "pkg::TestAdd" of "pkg", "a.test.js > adds" of
 * "a.test.js". */
static bool has_within(const struct test_report *report, const char *id)
{
	size_t n = strlen(id);
	for (size_t i = 0; i < report->n; i++)
		if (strncmp(report->results[i]->id, id, n) == 0 &&
			(text_starts_with(report->results[i]->id + n, "::") ||
				text_starts_with(report->results[i]->id + n, " > ")))
			return true;
	return false;
}

static enum kind kind_now(const struct comparing *c, const char *id)
{
	enum kind kind = kind_of(test_report_find(c->report, id));
	const struct test_result *before = test_report_find(c->baseline->first, id);
	bool was_load = before && before->status == TEST_ERROR && !strstr(id, "::");
	bool was_red = before && test_status_is_red(before->status);
	if (kind == KIND_ABSENT && was_red && c->report->names_only_red &&
		c->report->n >= c->baseline->first->n)
		return KIND_GREEN;
	return kind == KIND_ABSENT && was_load && (c->grew || has_within(c->report, id)) ? KIND_GREEN
																					 : kind;
}

static void compare_goal(struct comparing *c, const char *id)
{
	struct comparison *comparison = &c->comparison;
	if (kind_now(c, id) == KIND_GREEN)
		ARENA_PUSH(c->arena, comparison->fixed, comparison->n_fixed, id);
	else
		ARENA_PUSH(c->arena, comparison->failing, comparison->n_failing, id);
}

/* What was there must be there; what gave a result must give one. */
static void compare_presence(struct comparing *c, const struct test_result *before)
{
	struct comparison *comparison = &c->comparison;
	if (map_get(&c->flaky, before->id))
		return;
	enum kind now = kind_now(c, before->id);
	if (now == KIND_ABSENT)
		ARENA_PUSH(c->arena, comparison->missing, comparison->n_missing, before->id);
	else if (now == KIND_SKIPPED && kind_of(before) != KIND_SKIPPED)
		ARENA_PUSH(c->arena, comparison->skipped, comparison->n_skipped, before->id);
	else if (now == KIND_RED && kind_of(before) != KIND_RED)
		ARENA_PUSH(c->arena, comparison->broken, comparison->n_broken, before->id);
}

static bool is_new(const struct comparing *c, const char *id)
{
	return !test_report_find(c->baseline->first, id) && !map_get(&c->flaky, id);
}

/* A red exit code needs a failure that explains it, and none that does not. */
static bool exit_agrees(const struct comparing *c)
{
	size_t explained = 0;
	if (c->report->exit_code == 0)
		return true;
	for (size_t i = 0; i < c->report->n; i++) {
		const struct test_result *result = c->report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		if (!map_get(&c->flaky, result->id) && !map_get(&c->red, result->id))
			return false;
		explained++;
	}
	return explained > 0;
}

/* "1 test that passed fails: a", "2 tests that passed fail, first a". */
static const char *count_in_words(
	struct arena *arena, const char *const *ids, size_t n, const char *one, const char *several)
{
	return n == 1 ? arena_printf(arena, "1 %s: %s", one, ids[0])
				  : arena_printf(arena, "%zu %s, first %s", n, several, ids[0]);
}

static const char *problem_of(const struct comparing *c)
{
	const struct comparison *x = &c->comparison;
	struct arena *arena = c->arena;
	if (!c->report->complete)
		return c->report->problem ? c->report->problem : "the run did not come to its end";
	if (x->n_failing) {
		const char *goal = arena_printf(arena, "of %zu tests of the goal", c->baseline->n_goal);
		return count_in_words(arena, x->failing, x->n_failing,
			arena_printf(arena, "%s does not pass", goal),
			arena_printf(arena, "%s do not pass", goal));
	}
	if (x->n_broken)
		return count_in_words(
			arena, x->broken, x->n_broken, "test that passed fails", "tests that passed fail");
	if (x->n_missing)
		return count_in_words(arena, x->missing, x->n_missing, "test was not run any more",
			"tests were not run any more");
	if (x->n_skipped)
		return count_in_words(arena, x->skipped, x->n_skipped, "test is skipped that was not",
			"tests are skipped that were not");
	if (x->n_red_new)
		return count_in_words(arena, x->red_new, x->n_red_new, "new test fails", "new tests fail");
	if (!x->exit_agrees)
		return arena_printf(arena, "the test command exits with %d, which no failing test explains",
			c->report->exit_code);
	return NULL;
}

/* What is new, and what of the goal passes. */
static void begin(struct comparing *c, const struct baseline *baseline,
	const struct test_report *report, struct arena *arena)
{
	*c = (struct comparing){.baseline = baseline, .report = report, .arena = arena};
	fill_set(&c->flaky, arena, baseline->flaky, baseline->n_flaky);
	fill_set(&c->red, arena, baseline->red, baseline->n_red);
	struct comparison *comparison = &c->comparison;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!is_new(c, result->id))
			continue;
		c->grew = true;
		if (test_status_is_red(result->status))
			ARENA_PUSH(arena, comparison->red_new, comparison->n_red_new, result->id);
	}
	for (size_t i = 0; i < baseline->n_goal; i++)
		compare_goal(c, baseline->goal[i]);
}

bool baseline_saw_goal(const struct baseline *baseline, const struct test_report *report, bool red)
{
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const struct test_result *result = test_report_find(report, baseline->goal[i]);
		if (result && (!red || test_status_is_red(result->status)))
			return true;
	}
	return false;
}

size_t comparison_regressions(const struct comparison *comparison)
{
	return comparison->n_broken + comparison->n_missing + comparison->n_skipped +
		   comparison->n_red_new;
}

size_t baseline_count_fixed(
	const struct baseline *baseline, const struct test_report *report, struct arena *arena)
{
	struct comparing c;
	begin(&c, baseline, report, arena);
	return c.comparison.n_fixed;
}

void baseline_compare(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *ret_comparison)
{
	struct comparing c;
	begin(&c, baseline, report, arena);
	struct comparison *comparison = &c.comparison;
	for (size_t i = 0; i < baseline->first->n; i++)
		compare_presence(&c, baseline->first->results[i]);
	comparison->exit_agrees = exit_agrees(&c);
	comparison->problem = problem_of(&c);
	comparison->ok = !comparison->problem;
	*ret_comparison = c.comparison;
}

void baseline_compare_goal(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *ret_comparison)
{
	struct comparing c;
	begin(&c, baseline, report, arena);
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *before =
			test_report_find(baseline->first, report->results[i]->id);
		if (before)
			compare_presence(&c, before);
	}
	c.comparison.exit_agrees = true;
	c.comparison.problem = problem_of(&c);
	if (!c.comparison.problem)
		c.comparison.problem = "the whole suite was not run";
	*ret_comparison = c.comparison;
}

void baseline_put_first(
	const struct baseline *baseline, struct test_report *report, struct arena *arena)
{
	struct map red = {0};
	struct test_result **others = arena_alloc(arena, (report->n + 1) * sizeof *others);
	size_t n = 0, n_others = 0;
	fill_set(&red, arena, baseline->red, baseline->n_red);
	for (size_t i = 0; i < report->n; i++) {
		struct test_result *result = report->results[i];
		if (test_status_is_red(result->status) && !map_get(&red, result->id))
			report->results[n++] = result;
		else
			others[n_others++] = result;
	}
	for (size_t i = 0; i < n_others; i++)
		report->results[n + i] = others[i];
}
