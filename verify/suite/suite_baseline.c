/*
 * What failed before, and how a later run compares. An id counts only if all runs of the baseline
 * agree.
 *
 * An id in error that is no single test stands for something that could not be loaded: a test file,
 * a package. Once it loads, its tests replace it. So if such an id is gone, and a new test passes,
 * or one whose id begins with it, it counts as passed.
 */
#include <string.h>

#include "base/glob.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

enum kind { KIND_ABSENT, KIND_GREEN, KIND_RED, KIND_SKIPPED };

static enum kind baseline_kind_of(const struct test_result *result)
{
	if (!result)
		return KIND_ABSENT;
	if (test_status_is_red(result->status))
		return KIND_RED;
	return result->status == TEST_PASSED ? KIND_GREEN : KIND_SKIPPED;
}

/* The id of a test means no other test whose id has it as a part. */
static bool baseline_pattern_means(
	const char *pattern, const char *id, const struct test_report *report)
{
	if (test_report_find(report, pattern))
		return strcmp(pattern, id) == 0;
	return strstr(id, pattern) || glob_matches(pattern, id);
}

bool baseline_is_goal(
	const struct option_strings *patterns, const char *id, const struct test_report *report)
{
	for (size_t i = 0; patterns && i < patterns->n; i++)
		if (baseline_pattern_means(patterns->items[i], id, report))
			return true;
	return !patterns || !patterns->n;
}

static bool baseline_agree(
	const struct test_report *const *reports, size_t n, const char *id, enum kind kind)
{
	for (size_t i = 1; i < n; i++)
		if (baseline_kind_of(test_report_find(reports[i], id)) != kind)
			return false;
	return true;
}

void baseline_make(const struct test_report *const *reports, size_t n,
	const struct option_strings *goal, struct arena *arena, struct baseline *ret_baseline)
{
	struct baseline baseline = {.first = reports[0], .exit_was_red = reports[0]->exit_code != 0};
	struct map flaky = {0};
	for (size_t i = 0; i < reports[0]->n; i++) {
		const char *id = reports[0]->results[i]->id;
		enum kind kind = baseline_kind_of(reports[0]->results[i]);
		if (!baseline_agree(reports, n, id, kind))
			ARENA_PUSH(arena, baseline.flaky, baseline.n_flaky, id);
		else if (kind == KIND_GREEN)
			ARENA_PUSH(arena, baseline.green, baseline.n_green, id);
		else if (kind == KIND_SKIPPED)
			baseline.n_skipped++;
		else if (baseline_is_goal(goal, id, reports[0]))
			ARENA_PUSH(arena, baseline.goal, baseline.n_goal, id);
		else
			ARENA_PUSH(arena, baseline.red, baseline.n_red, id);
	}
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < reports[i]->n; j++) {
			struct test_result *result = reports[i]->results[j];
			if (test_report_find(reports[0], result->id) || map_get(&flaky, result->id))
				continue;
			const char *id = arena_strdup(arena, result->id);
			map_put(&flaky, arena, id, result);
			ARENA_PUSH(arena, baseline.flaky, baseline.n_flaky, id);
		}
	*ret_baseline = baseline;
}

/* --- Comparison --- */

struct comparing {
	const struct baseline *baseline;
	const struct test_report *report;
	struct arena *arena;
	struct arena scratch;    /* of the maps */
	struct map flaky, red;   /* ids of the base, as sets */
	struct map places, base; /* results of the report and of the base by their places */
	bool grew;               /* a test passes that the base did not have */
	struct comparison comparison;
};

static void baseline_end(struct comparing *c)
{
	arena_release(&c->scratch);
}
#define AUTO_COMPARING __attribute__((cleanup(baseline_end))) struct comparing

static void baseline_fill_set(
	struct map *set, struct arena *arena, const char *const *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		map_put(set, arena, ids[i], set);
}

/* Whether a test within an id passes: "pkg::TestAdd" in "pkg", "a.test.js > adds" in
 * "a.test.js". */
static bool baseline_passes_within(const struct test_report *report, const char *id)
{
	size_t n = strlen(id);
	for (size_t i = 0; i < report->n; i++) {
		const char *other = report->results[i]->id;
		if (report->results[i]->status == TEST_PASSED && strncmp(other, id, n) == 0 &&
			(text_starts_with(other + n, "::") || text_starts_with(other + n, " > ")))
			return true;
	}
	return false;
}

static void baseline_fill_places(
	struct map *places, struct arena *arena, const struct test_report *report)
{
	map_reserve(places, arena, report->n);
	for (size_t i = 0; i < report->n; i++)
		if (report->results[i]->place)
			map_put(places, arena, report->results[i]->place, report->results[i]);
}

/* Whether two names begin with the same word. */
static bool baseline_is_alike(const char *a, const char *b)
{
	size_t n = strcspn(a, " (:");
	return n && strncmp(a, b, n) == 0 && strcspn(b, " (:") == n;
}

/* A test in the other of two reports: by its id, else by its place, where what stands there has an
 * id like it that the first does not know. A name may hold what the program printed. `places` are
 * those of the other, filled when the first is looked for: in most runs all ids are there. */
static const struct test_result *baseline_match(const struct test_report *report,
	const struct test_result *result, const struct test_report *other, struct map *places,
	struct arena *scratch)
{
	const struct test_result *match = result ? test_report_find(other, result->id) : NULL;
	if (match || !result || !result->place)
		return match;
	if (!places->capacity)
		baseline_fill_places(places, scratch, other);
	match = map_get(places, result->place);
	bool is_same =
		match && baseline_is_alike(match->id, result->id) && !test_report_find(report, match->id);
	return is_same ? match : NULL;
}

/* What came of a test of the base. */
static const struct test_result *baseline_now(struct comparing *c, const struct test_result *before)
{
	return baseline_match(c->baseline->first, before, c->report, &c->places, &c->scratch);
}

/* Whether a result is that of a command that crashed amid its tests. */
static bool baseline_is_command(const struct test_result *result)
{
	return result && result->place && strcmp(result->place, TEST_PLACE_COMMAND) == 0;
}

static enum kind baseline_kind_now(struct comparing *c, const char *id)
{
	const struct test_result *before = test_report_find(c->baseline->first, id);
	const struct test_result *now =
		before ? baseline_now(c, before) : test_report_find(c->report, id);
	enum kind kind = baseline_kind_of(now);
	if (kind != KIND_ABSENT || !before || !test_status_is_red(before->status))
		return kind;
	bool has_ended = baseline_is_command(before) && c->report->exit_code == 0;
	bool was_load = before->status == TEST_ERROR && !strstr(id, "::");
	bool has_passed = c->report->names_only_red && c->report->n >= c->baseline->first->n;
	bool is_loaded = was_load && (c->grew || baseline_passes_within(c->report, id));
	return has_passed || has_ended || is_loaded ? KIND_GREEN : kind;
}

static void baseline_compare_one(struct comparing *c, const char *id)
{
	struct comparison *comparison = &c->comparison;
	if (baseline_kind_now(c, id) == KIND_GREEN)
		ARENA_PUSH(c->arena, comparison->fixed, comparison->n_fixed, id);
	else
		ARENA_PUSH(c->arena, comparison->failing, comparison->n_failing, id);
}

/* Whether a test, or more of its subtests than before, gives no result any more. */
static bool baseline_is_skipped(
	const struct comparing *c, const struct test_result *before, enum kind now)
{
	if (now == KIND_SKIPPED)
		return baseline_kind_of(before) != KIND_SKIPPED;
	const struct test_result *after = test_report_find(c->report, before->id);
	return now == KIND_GREEN && after && after->n_skipped > before->n_skipped;
}

/* What was there must still be there, and what gave a result must still give one. */
static void baseline_compare_presence(struct comparing *c, const struct test_result *before)
{
	struct comparison *comparison = &c->comparison;
	if (map_get(&c->flaky, before->id))
		return;
	enum kind now = baseline_kind_now(c, before->id);
	if (now == KIND_ABSENT)
		ARENA_PUSH(c->arena, comparison->missing, comparison->n_missing, before->id);
	else if (baseline_is_skipped(c, before, now))
		ARENA_PUSH(c->arena, comparison->skipped, comparison->n_skipped, before->id);
	else if (now == KIND_RED && baseline_kind_of(before) != KIND_RED)
		ARENA_PUSH(c->arena, comparison->broken, comparison->n_broken, before->id);
}

static bool baseline_is_new(struct comparing *c, const struct test_result *result)
{
	return !baseline_match(c->report, result, c->baseline->first, &c->base, &c->scratch) &&
		!map_get(&c->flaky, result->id);
}

/* A red exit code must be explained by flaky failures, or by old ones that are not the goal. */
static bool baseline_exit_agrees(struct comparing *c)
{
	size_t explained = 0;
	if (c->report->exit_code == 0)
		return true;
	for (size_t i = 0; i < c->report->n; i++) {
		const struct test_result *result = c->report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		const struct test_result *before =
			baseline_match(c->report, result, c->baseline->first, &c->base, &c->scratch);
		const char *id = before ? before->id : result->id;
		if (!map_get(&c->flaky, id) && !map_get(&c->red, id))
			return false;
		explained++;
	}
	return explained > 0;
}

/* The first reason, "1 test that passed fails: a", "2 tests that passed fail, first a"; or NULL. */
static const char *baseline_problem_of(const struct comparing *c)
{
	const struct comparison *x = &c->comparison;
	const char *goal = arena_printf(c->arena, "of %zu tests of the goal", c->baseline->n_goal);
	const struct {
		const char *const *ids;
		size_t n;
		const char *one, *several;
	} reasons[] = {
		{x->failing, x->n_failing, arena_printf(c->arena, "%s does not pass", goal),
			arena_printf(c->arena, "%s do not pass", goal)},
		{x->broken, x->n_broken, "test that passed fails", "tests that passed fail"},
		{x->missing, x->n_missing, "test was not run any more", "tests were not run any more"},
		{x->skipped, x->n_skipped, "test is skipped that was not",
			"tests are skipped that were not"},
		{x->red_new, x->n_red_new, "new test fails", "new tests fail"},
	};
	if (!c->report->complete)
		return c->report->problem ? c->report->problem : "the run did not come to its end";
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].n == 1)
			return arena_printf(c->arena, "1 %s: %s", reasons[i].one, reasons[i].ids[0]);
		else if (reasons[i].n)
			return arena_printf(
				c->arena, "%zu %s, first %s", reasons[i].n, reasons[i].several, reasons[i].ids[0]);
	return NULL;
}

/* Begin a comparison: new tests, and goal tests that pass. */
static void baseline_begin(struct comparing *c, const struct baseline *baseline,
	const struct test_report *report, struct arena *arena)
{
	*c = (struct comparing){.baseline = baseline, .report = report, .arena = arena};
	baseline_fill_set(&c->flaky, &c->scratch, baseline->flaky, baseline->n_flaky);
	baseline_fill_set(&c->red, &c->scratch, baseline->red, baseline->n_red);
	struct comparison *comparison = &c->comparison;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!baseline_is_new(c, result))
			continue;
		c->grew |= result->status == TEST_PASSED;
		if (test_status_is_red(result->status))
			ARENA_PUSH(arena, comparison->red_new, comparison->n_red_new, result->id);
	}
	for (size_t i = 0; i < baseline->n_goal; i++)
		baseline_compare_one(c, baseline->goal[i]);
	for (size_t i = 0; i < baseline->n_red; i++)
		comparison->n_also += baseline_kind_now(c, baseline->red[i]) == KIND_GREEN;
	for (size_t i = 0; i < baseline->n_held; i++)
		if (baseline_kind_now(c, baseline->held[i]) == KIND_RED)
			ARENA_PUSH(arena, comparison->broken, comparison->n_broken, baseline->held[i]);
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
	AUTO_COMPARING c;
	baseline_begin(&c, baseline, report, arena);
	size_t n = c.comparison.n_fixed;
	for (size_t i = 0; i < c.comparison.n_fixed && c.comparison.n_red_new; i++)
		n -= baseline_is_command(test_report_find(baseline->first, c.comparison.fixed[i]));
	return n;
}

void baseline_compare(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *ret_comparison)
{
	AUTO_COMPARING c;
	baseline_begin(&c, baseline, report, arena);
	struct comparison *comparison = &c.comparison;
	for (size_t i = 0; i < baseline->first->n; i++)
		baseline_compare_presence(&c, baseline->first->results[i]);
	comparison->problem = baseline_problem_of(&c);
	if (!comparison->problem && !baseline_exit_agrees(&c))
		comparison->problem = arena_printf(arena,
			"the test command exits with %d, which no failing test explains", report->exit_code);
	comparison->ok = !comparison->problem;
	*ret_comparison = c.comparison;
}

void baseline_compare_goal(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *ret_comparison)
{
	AUTO_COMPARING c;
	baseline_begin(&c, baseline, report, arena);
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *before =
			test_report_find(baseline->first, report->results[i]->id);
		if (before)
			baseline_compare_presence(&c, before);
	}
	c.comparison.problem = baseline_problem_of(&c);
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
	baseline_fill_set(&red, arena, baseline->red, baseline->n_red);
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
