/*
 * Tests that the fix repairs, under other names, called by other functions and in another order:
 * copies in which nothing else is changed (COUNTER_SAME) must pass. A fix that knows which test
 * calls it, or how often it was called, fails there.
 *
 * Honest tests may depend on their name, too, or on what ran before. So a copy that fails says
 * something only if it fails again beside its original, which passes, and if names do not count for
 * the test itself: it passes at the base, or fails there just as its original does, and with the
 * fix still there. It refuses if it fails alone, too, where its original passes; of a test that
 * failed at the base, only if copies of other tests of its file pass, there and with the fix. Else
 * it marks. A fix that has values of the tests must also pass some of its tests alone.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/gate/countering.h"

enum { DOUBTS_MOST = 3, AGAIN_TIMES = 2, ALONE_MOST = 2, ROWS_MOST = 16 };

struct same {
	struct countering *x;
	const struct counter_copy *doubts[DOUBTS_MOST];
	size_t n;
	/* of the doubts, their originals and the copies of other tests: with the fix, as often as it is
	 * run again, and at the base */
	struct test_report fixed[AGAIN_TIMES], base;
};

/* --- Runs --- */

/* The original's id, or what stands before the rows of its table. */
static const char *same_original(const struct countering *x, const struct counter_copy *copy)
{
	return counter_original_id(x, copy, copy->run);
}

/* Whether a result's id is this one, or a row of its table. */
static bool same_is_of(const char *id, const char *run)
{
	size_t n = strlen(run);
	return strncmp(id, run, n) == 0 && (!id[n] || id[n] == '[');
}

void same_add_ids(
	const struct countering *x, const struct counter_copy *copy, const char ***ids, size_t *n)
{
	struct arena *arena = x->gate->arena;
	const struct test_report *report = &x->verdict->report;
	const char *original = same_original(x, copy);
	size_t before = *n, n_original = strlen(original);
	for (size_t i = report->n; i-- > 0 && *n - before <= ROWS_MOST && !x->gate->suite->changing;) {
		const char *id = report->results[i]->id;
		if (same_is_of(id, original) && id[n_original] && counter_result(x, id))
			ARENA_PUSH(arena, *ids, *n, arena_printf(arena, "%s%s", copy->run, id + n_original));
	}
	if (*n > before && *n - before <= ROWS_MOST)
		return;
	*n = before;
	ARENA_PUSH(arena, *ids, *n, copy->run);
}

/* Whether a copy is of a test beside one in doubt, which passed at the base. */
static bool same_is_beside(const struct countering *x, const struct counter_copy *copy, size_t file)
{
	return copy->kind == COUNTER_SAME && copy->file == file && !x->originals[copy->test].is_goal;
}

/* Run the originals of the doubts, the copies of tests beside them, and theirs. */
static int same_run(const struct same *same, const struct object *tree, const char *name,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct countering *x = same->x;
	struct counter_run run = {.tree = tree, .name = name};
	for (size_t i = 0; i < same->n; i++)
		ARENA_PUSH(x->gate->arena, run.ids, run.n, same_original(x, same->doubts[i]));
	for (size_t i = 0; i < x->plan.n; i++) {
		bool is_beside = false;
		for (size_t j = 0; j < same->n; j++)
			is_beside = is_beside || same_is_beside(x, &x->plan.copies[i], same->doubts[j]->file);
		if (is_beside)
			same_add_ids(x, &x->plan.copies[i], &run.ids, &run.n);
	}
	for (size_t i = 0; i < same->n; i++)
		same_add_ids(x, same->doubts[i], &run.ids, &run.n);
	return counter_run_some(x, &run, ret_report, err);
}

/* --- What follows --- */

/* The first result of a copy that failed where its original passes with the fix; or NULL.
 * ret_passed: how many passed. */
static const struct test_result *same_failure(const struct countering *x,
	const struct counter_copy *copy, const struct test_report *report, size_t *ret_passed)
{
	const struct test_result *found = NULL;
	*ret_passed = 0;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		const char *original = counter_original_id(x, copy, result->id);
		if (!original || !counter_result(x, original))
			continue;
		*ret_passed += result->status == TEST_PASSED;
		if (!found && test_status_is_red(result->status))
			found = result;
	}
	return found;
}

/* The next word of a message that says nothing of names and places; NULL: there is none. */
static const char *same_next_word(
	const struct countering *x, const char **at, const char *end, size_t *ret_n)
{
	static const char *const places[] = {".py:", ".py\"", ".go:", ".rs:", "js:", "ts:", "0x"};
	const char *words[] = {x->plan.word, x->plan.said};
	while (*at < end) {
		const char *word = *at += strspn(*at, " \t\r\n");
		size_t n = strcspn(word, " \t\r\n");
		bool is_place = false;
		*at += n;
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			is_place = is_place || memmem(word, n, places[i], strlen(places[i]));
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			is_place = is_place || memmem(word, n, words[i], strlen(words[i]));
		*ret_n = n;
		if (n && !is_place)
			return word;
	}
	return NULL;
}

/* Whether two results say something, and the same but for names and places. */
static bool same_says(
	const struct countering *x, const struct test_result *a, const struct test_result *b)
{
	const char *at = a->message ? a->message : "", *at_b = b->message ? b->message : "";
	const char *end = at + strlen(at), *end_b = at_b + strlen(at_b);
	for (bool says = false;; says = true) {
		size_t n = 0, n_b = 0;
		const char *word = same_next_word(x, &at, end, &n);
		const char *word_b = same_next_word(x, &at_b, end_b, &n_b);
		if (!word || !word_b)
			return says && !word && !word_b;
		if (n != n_b || memcmp(word, word_b, n) != 0)
			return false;
	}
}

/* Whether a result fails at the line of another one, whose file is the same, or says the same. */
static bool same_fails_there(
	const struct countering *x, const struct test_result *a, const struct test_result *b)
{
	bool is_there = a->line && a->line == b->line && a->file && b->file;
	return (is_there && strcmp(a->file, b->file) == 0) || same_says(x, a, b);
}

/* How many copies of tests beside it pass, with the fix and at the base; 0, too, where one of them
 * fails: then names, or the order, may count in its file. */
static size_t same_count_beside(const struct same *same, const struct counter_copy *doubt)
{
	size_t count = 0;
	const struct countering *x = same->x;
	for (size_t i = 0; i < x->plan.n; i++) {
		const struct counter_copy *copy = &x->plan.copies[i];
		size_t passed = 0, passed_base = 0;
		if (!same_is_beside(x, copy, doubt->file))
			continue;
		if (x->has_failed[i] || same_failure(x, copy, &same->fixed[0], &passed) ||
			same_failure(x, copy, &same->base, &passed_base))
			return 0;
		count += passed && passed_base;
	}
	return count;
}

/* Why nothing follows from a copy that failed; NULL: something does. */
static const char *same_why_not(const struct same *same, const struct counter_copy *doubt)
{
	const struct countering *x = same->x;
	size_t passed;
	const struct test_result *failure = same_failure(x, doubt, &same->fixed[0], &passed);
	const char *original = failure ? counter_original_id(x, doubt, failure->id) : NULL;
	for (size_t i = 0; i < AGAIN_TIMES && failure; i++) {
		const struct test_result *again = test_report_find(&same->fixed[i], failure->id);
		const struct test_result *its = test_report_find(&same->fixed[i], original);
		if (!again || !test_status_is_red(again->status) || !its || its->status != TEST_PASSED)
			failure = NULL;
	}
	if (!failure)
		return "it passes when it is run again";
	const struct test_result *base = test_report_find(&same->base, failure->id);
	const struct test_result *its = test_report_find(&same->base, original);
	if (!x->originals[doubt->test].is_goal)
		return base && base->status == TEST_PASSED ? NULL : "at the base it does not pass either";
	if (!base || !its || !test_status_is_red(its->status) || !same_says(x, base, its))
		return "at the base it does not fail as its original does";
	return same_fails_there(x, failure, base) ? NULL : "it fails elsewhere than at the base";
}

/* Run a copy alone, or its original. */
static int same_passes_alone(const struct countering *x, const struct counter_copy *copy,
	bool is_original, bool *ret_passes, struct rondo_error *err)
{
	struct test_report report;
	struct counter_run run = {.tree = &x->verdict->tree, .name = "counter-alone"};
	size_t n_passed = 0, n_failed = 0;
	const char *id = is_original ? same_original(x, copy) : copy->run;
	ARENA_PUSH(x->gate->arena, run.ids, run.n, id);
	if (counter_run_some(x, &run, &report, err) < 0)
		return -1;
	for (size_t i = 0; i < report.n; i++) {
		if (!same_is_of(report.results[i]->id, id))
			continue;
		n_passed += report.results[i]->status == TEST_PASSED;
		n_failed += test_status_is_red(report.results[i]->status);
	}
	*ret_passes = n_passed && !n_failed;
	return 0;
}

/* What shows that names do not count for a test itself; NULL: nothing does. */
static const char *same_comparison(const struct same *same, const struct counter_copy *doubt)
{
	size_t n = same_count_beside(same, doubt);
	if (!same->x->originals[doubt->test].is_goal)
		return "it passes at the base";
	return n ? arena_printf(same->x->gate->arena, "%zu cop%s of other tests beside it pass%s", n,
				   n == 1 ? "y" : "ies", n == 1 ? "es" : "")
			 : NULL;
}

/* A copy fails beside its original, which passes. Where it fails alone, too, its name counts: that
 * refuses. A program that counts may rightly say something else when it is asked again: that
 * marks. */
static int same_judge_doubt(const struct same *same, const struct counter_copy *doubt,
	const char **ret_reason, struct rondo_error *err)
{
	static const struct guard_rule rule = {.name = "counter-test", .marks = true};
	const struct countering *x = same->x;
	struct verdict *verdict = x->verdict;
	struct arena *arena = x->gate->arena;
	const char *path = x->plan.files[doubt->file]->path, *shows = same_comparison(same, doubt);
	bool passes, original_passes;
	if (same_passes_alone(x, doubt, false, &passes, err) < 0 ||
		same_passes_alone(x, doubt, true, &original_passes, err) < 0)
		return -1;
	if (x->can_choose && !passes && original_passes && shows)
		*ret_reason = arena_printf(arena,
			"the results cannot be trusted: a copy of %s under another name, with nothing else "
			"changed, fails, and %s: %s:%d: %s (rule counter-test)",
			x->originals[doubt->test].id, shows, path, doubt->line, doubt->shown);
	else
		ARENA_PUSH(arena, verdict->findings, verdict->n_findings,
			(struct finding){&rule, path, doubt->line,
				arena_printf(arena, "a copy of this test %s: %s",
					passes                ? "fails after it and passes alone"
						: original_passes ? "fails under another name"
										  : "fails, and so does the test where it runs alone",
					doubt->shown)});
	return 0;
}

static int same_judge_doubts(struct same *same, const char **ret_reason, struct rondo_error *err)
{
	struct countering *x = same->x;
	for (size_t i = 0; i < AGAIN_TIMES; i++)
		if (same_run(same, &x->verdict->tree, "counter-same", &same->fixed[i], err) < 0)
			return -1;
	if (same_run(same, &x->gate->base->tree, "counter-same-base", &same->base, err) < 0)
		return -1;
	for (size_t i = 0; i < same->n && !*ret_reason; i++) {
		const char *why_not = same_why_not(same, same->doubts[i]);
		if (why_not)
			gate_note(x->gate, x->verdict,
				arena_printf(x->gate->arena,
					"a copy of %s under another name fails, from which nothing follows: %s",
					x->originals[same->doubts[i]->test].id, why_not));
		else if (same_judge_doubt(same, same->doubts[i], ret_reason, err) < 0)
			return -1;
	}
	return 0;
}

/* --- Tests alone --- */

static bool same_has_values(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->n_findings; i++)
		if (verdict->findings[i].rule == &special_cased_rule)
			return true;
	return false;
}

/* Run some of the tests that the fix repairs, each alone, the last first: these have the most
 * others before them. */
static int same_judge_alone(
	const struct countering *x, const char **ret_reason, struct rondo_error *err)
{
	const struct baseline *baseline = x->gate->baseline;
	bool has_goal = baseline->n_goal;
	const char *const *list = has_goal ? baseline->goal : baseline->red;
	size_t n = 0;
	for (size_t i = has_goal ? baseline->n_goal : baseline->n_red;
		 i-- > 0 && n < ALONE_MOST && !*ret_reason;) {
		struct test_report report;
		const char *id = list[i];
		struct counter_run run = {.tree = &x->verdict->tree, .name = "alone", .ids = &id, .n = 1};
		if (!counter_result(x, id) || suite_is_id(x->gate->suite, id))
			continue;
		n++;
		if (counter_run_some(x, &run, &report, err) < 0)
			return -1;
		const struct test_result *result = test_report_find(&report, id);
		if (result && test_status_is_red(result->status))
			*ret_reason = arena_printf(x->gate->arena,
				"the results cannot be trusted: %s passes after other tests and fails alone, and "
				"the fix has values of the tests (rule counter-test)",
				id);
	}
	return 0;
}

int same_judge(struct countering *x, const char **ret_reason, struct rondo_error *err)
{
	struct same same = {.x = x};
	for (size_t i = 0; i < x->plan.n && same.n < DOUBTS_MOST; i++)
		if (x->plan.copies[i].kind == COUNTER_SAME && x->has_failed[i])
			same.doubts[same.n++] = &x->plan.copies[i];
	if (x->can_choose && same_has_values(x->verdict) && same_judge_alone(x, ret_reason, err) < 0)
		return -1;
	return same.n && !*ret_reason ? same_judge_doubts(&same, ret_reason, err) : 0;
}
