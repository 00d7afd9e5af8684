/*
 * Which failures are looked at first: those of tests that did not fail a few commits earlier; then
 * those in what was changed last, by uncommitted work or by one of the last commits; then those of
 * few tests.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "run/baseline/baseline.h"

#define PAST_MS ((int64_t)10000) /* for runs of earlier commits */

enum {
	COMMITS_MOST = 4, /* uncommitted work is one */
	PATHS_MOST = 100, /* a commit that changes more says little of each */
	TESTS_MOST = 50,  /* of a group that are looked at */
	FAR = 1000,
	NEW = -1, /* its tests failed in no earlier commit */
	/* how near a failure is to a changed file, beside the age of the change */
	NEAR_FILE = 0,     /* it names the file */
	NEAR_NAMESAKE = 1, /* its test is named like the file */
	NEAR_FOLDER = 2,   /* its test lies beside the file */
	NEAR_LEVELS = 3,
};

struct recent_path {
	const char *path;
	int age; /* 0: of the last commit, or of uncommitted work */
};

struct grouping {
	const struct test_report *report;
	const struct protection *protection;
	struct recent_path *recent;
	size_t n_recent;
	struct arena *arena;
};

/* --- What was changed last --- */

static void group_add_recent(struct grouping *grouping, const char **paths, size_t n, int age)
{
	for (size_t i = 0; i < n && n <= PATHS_MOST; i++)
		ARENA_PUSH(grouping->arena, grouping->recent, grouping->n_recent,
			(struct recent_path){paths[i], age});
}

static int group_find_recent(
	struct grouping *grouping, const struct site *site, struct rondo_error *err)
{
	struct object commit = site->base.commit, tree = site->base.tree;
	for (int age = 0; age < COMMITS_MOST && site->facts.has_repository; age++) {
		struct object parent, parent_tree;
		const char **paths;
		size_t n;
		bool found;
		if (repository_parent(site->repository, &commit, &parent, &parent_tree, &found, err) < 0)
			return -1;
		if (!found)
			return 0;
		if (repository_changed_paths(
				site->repository, &parent_tree, &tree, grouping->arena, &paths, &n, err) < 0)
			return -1;
		group_add_recent(grouping, paths, n, age);
		commit = parent;
		tree = parent_tree;
	}
	return 0;
}

/* --- How near a failure is to that --- */

/* "cart" of "shop/cart.py", "tests/test_cart.py", "shop/cart.test.js", "shop/cart_test.go". */
static const char *group_subject(const char *path, struct arena *arena)
{
	static const char *const before[] = {"test_", "test-", "tests_"};
	static const char *const after[] = {"_test", "-test", "_tests", "_spec", "Test", "Tests"};
	const char *name = file_name(path);
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (text_starts_with(name, before[i]))
			name += strlen(before[i]);
	char *subject = arena_strndup(arena, name, strcspn(name, "."));
	for (size_t i = 0; i < ARRAY_SIZE(after); i++)
		if (text_ends_with(subject, after[i]))
			subject[strlen(subject) - strlen(after[i])] = '\0';
	return subject;
}

static bool group_is_beside(const char *a, const char *b)
{
	size_t n = (size_t)(file_name(a) - a);
	return n == (size_t)(file_name(b) - b) && strncmp(a, b, n) == 0;
}

static bool group_mentions(const struct test_result *result, const char *path)
{
	return (result->file && strcmp(result->file, path) == 0) ||
		(result->detail && text_has_word(result->detail, path)) ||
		(result->message && text_has_word(result->message, path));
}

static int group_nearness(
	const struct grouping *grouping, const struct test_result *result, const char *path)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *colons = strstr(result->id, "::");
	const char *test = result->file
		? result->file
		: arena_strndup(&scratch, result->id, colons ? (size_t)(colons - result->id) : 0);
	if (group_mentions(result, path))
		return NEAR_FILE;
	if (!*test || protection_rule(grouping->protection, path))
		return FAR;
	if (strcmp(group_subject(test, &scratch), group_subject(path, &scratch)) == 0)
		return NEAR_NAMESAKE;
	return group_is_beside(test, path) ? NEAR_FOLDER : FAR;
}

static int group_rank(const struct grouping *grouping, const struct goal_group *group)
{
	int rank = group->is_new ? NEW : FAR;
	for (size_t i = 0; i < group->n && i < TESTS_MOST; i++)
		for (size_t k = 0; k < grouping->n_recent; k++) {
			const struct recent_path *recent = &grouping->recent[k];
			int near = group_nearness(
				grouping, test_report_find(grouping->report, group->ids[i]), recent->path);
			int own = near == FAR ? FAR : recent->age * NEAR_LEVELS + near;
			rank = own < rank ? own : rank;
		}
	return rank;
}

/* --- The order --- */

struct ranked_group {
	struct goal_group group;
	int rank;
	size_t place; /* before */
};

static int group_compare(const void *left, const void *right)
{
	const struct ranked_group *a = left, *b = right;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->group.has_place != b->group.has_place)
		return a->group.has_place ? -1 : 1;
	if (a->group.n != b->group.n)
		return a->group.n < b->group.n ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

static void group_sort(const struct grouping *grouping, struct baseline *baseline)
{
	size_t n = baseline->n_groups;
	struct ranked_group *ranked = arena_alloc(grouping->arena, n * sizeof *ranked);
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked_group){
			baseline->groups[i], group_rank(grouping, &baseline->groups[i]), i};
	qsort(ranked, n, sizeof *ranked, group_compare);
	for (size_t i = 0; i < n; i++)
		baseline->groups[i] = ranked[i].group;
	baseline_sort_goal(baseline);
}

/* In Rust the tests of a file are its last part. */
static bool group_is_inline_test(const struct site *site, const char *path, int line)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct rondo_error ignored;
	const char *text;
	size_t n;
	if (!text_ends_with(path, ".rs") || !site->n_workers ||
		worktree_file(site->workers[0].worktree, path, &scratch, &text, &n, &ignored) < 0 || !text)
		return false;
	const char *tests = strstr(text, "\n#[cfg(test)]\nmod ");
	for (int at = 1; tests && text < tests && at < line; at++)
		text += strcspn(text, "\n") + 1;
	return tests && text >= tests;
}

static bool group_is_product(void *owner, const char *path, int line)
{
	const struct site *site = owner;
	return !protection_rule(&site->protection, path) && !group_is_inline_test(site, path, line);
}

/* --- Tests that did not fail earlier --- */

/* Run the goal's tests in a tree of the past. False in *ret_is_known: that says nothing of them. */
static int group_run_past(const struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, const struct object *tree, struct test_report *report,
	bool *ret_is_known, struct rondo_error *err)
{
	struct checkout past;
	struct judge_options options =
		judge_goal_options(&baseline->suite, &baseline->result, env->arena);
	bool is_short = baseline->reports[0].duration_ms < PAST_MS / 2;
	*ret_is_known = false;
	if (baseline->suite.n_hung || (!options.ids && !is_short))
		return 0;
	options.timeout_ms = PAST_MS;
	if (site_checkout(site, env, &site->built, "past", tree, &past, err) < 0)
		return -1;
	int status = judge(&past, &baseline->suite, &options, env->arena, report, &env->ctx, err);
	/* a runner may refuse to run anything where one of the tests is not there yet */
	if (status == 0 && !report->complete && options.ids && is_short) {
		options.ids = NULL;
		status = judge(&past, &baseline->suite, &options, env->arena, report, &env->ctx, err);
	}
	site_leave(&past);
	*ret_is_known = status == 0 && report->complete;
	return status;
}

static void group_note_new(
	struct baseline_stage *baseline, const struct test_report *past, struct arena *arena)
{
	struct option_strings *fresh = &baseline->facts.fresh;
	for (size_t i = 0; i < baseline->result.n_goal; i++) {
		const char *id = baseline->result.goal[i];
		const struct test_result *result = test_report_find(past, id);
		if (!result || !test_status_is_red(result->status))
			ARENA_PUSH(arena, fresh->items, fresh->n, arena_strdup(arena, id));
	}
}

/* Go back until one of them does not fail, for a short time. */
static int group_find_new(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err)
{
	struct object commit = site->base.commit, parent, tree;
	int64_t deadline_ms = clock_now_ms() + PAST_MS;
	bool found, is_known;
	for (int age = 0; age < COMMITS_MOST && clock_now_ms() < deadline_ms; age++) {
		struct test_report report = {0};
		if (repository_parent(site->repository, &commit, &parent, &tree, &found, err) < 0)
			return -1;
		if (!found)
			return 0;
		if (group_run_past(baseline, env, site, &tree, &report, &is_known, err) < 0)
			return -1;
		if (!is_known)
			return 0;
		group_note_new(baseline, &report, env->arena);
		if (baseline->facts.fresh.n)
			return 0;
		commit = parent;
	}
	return 0;
}

/* A program that is its own test ends at the first failure: there is one cause at a time. */
int baseline_divide(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct baseline *result = &baseline->result;
	struct grouping grouping = {
		.report = &baseline->reports[0], .protection = &site->protection, .arena = &scratch};
	if (result->n_goal < 2 || site->suite.program || site->suite.own_tests)
		return 0;
	if (!baseline->is_recalled && site->facts.has_repository &&
		group_find_new(baseline, env, site, err) < 0)
		return -1;
	result->fresh = baseline->facts.fresh.items;
	result->n_fresh = baseline->facts.fresh.n;
	baseline_group(result, group_is_product, (void *)(uintptr_t)site, env->arena);
	if (result->n_groups < 2) {
		result->groups = NULL;
		result->n_groups = 0;
		return 0;
	}
	if (group_find_recent(&grouping, site, err) < 0)
		return -1;
	group_sort(&grouping, result);
	const struct goal_group *first = &result->groups[0];
	baseline_narrow(result, first->ids, first->n, NULL, 0, env->arena, &baseline->likeliest);
	return 0;
}
