/*
 * Sentinels: a test of the gate's own that must fail and one that must pass, with names that nobody
 * could know. A program that makes every test pass, or prints results by itself, makes them lie.
 */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "verify/gate/judging.h"

#define WORD_DIGITS 10

static bool sentinel_is_test_of_base(const struct gate *gate, const char *path)
{
	return gate_has(gate, path) && protection_is_test(gate->protection, path);
}

/* The test file that an id begins with, as runners name it; in the arena, or NULL. */
static const char *sentinel_file_in_id(const struct gate *gate, const char *id)
{
	static const char *const ends[] = {"::", " > ", ": ", " "};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		const char *end = strstr(id, ends[i]);
		const char *path = arena_strndup(gate->arena, id, end ? (size_t)(end - id) : strlen(id));
		if (sentinel_is_test_of_base(gate, path))
			return path;
	}
	return NULL;
}

/* A test file that the suite is known to run: one of the goal's, else of those that passed, else
 * any that there is. */
static const char *sentinel_find_neighbour(const struct gate *gate)
{
	const struct test_report *first = gate->baseline->first;
	for (size_t pass = 0; pass < 2; pass++) {
		size_t n = pass ? gate->baseline->n_green : gate->baseline->n_goal;
		for (size_t i = 0; i < n; i++) {
			const char *id = pass ? gate->baseline->green[i] : gate->baseline->goal[i];
			const char *path = sentinel_file_in_id(gate, id);
			const struct test_result *result = path ? NULL : test_report_find(first, id);
			if (path)
				return path;
			if (result && result->file && sentinel_is_test_of_base(gate, result->file))
				return result->file;
		}
	}
	for (size_t i = 0; i < gate->n_base_paths; i++)
		if (sentinel_is_test_of_base(gate, gate->base_paths[i]))
			return gate->base_paths[i];
	return NULL;
}

static const char *sentinel_random_word(struct arena *arena)
{
	char digits[WORD_DIGITS + 1];
	hash_random(digits, WORD_DIGITS);
	return arena_printf(arena, "x%s", digits);
}

/* The one that passes has the lower name: a runner that sorts by name and stops at the first
 * failure runs both. */
const struct sentinel *sentinel_make(const struct gate *gate)
{
	const struct suite *suite = gate->suite;
	struct arena *arena = gate->arena;
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *beside = suite->type->sentinel ? sentinel_find_neighbour(gate) : NULL;
	if (!beside ||
		repository_file(gate->repository, &gate->base->tree, beside, &text, &ignored) < 0)
		return NULL;
	struct sentinel *sentinel = arena_alloc(arena, sizeof *sentinel);
	const char *one = sentinel_random_word(arena), *other = sentinel_random_word(arena);
	bool in_order = strcmp(one, other) < 0;
	sentinel->passing = in_order ? one : other;
	sentinel->failing = in_order ? other : one;
	return suite->type->sentinel(suite, beside, text.text, arena, sentinel) ? sentinel : NULL;
}

/* How a test was reported; its name may come several times. */
struct counts {
	size_t n, n_red, n_green;
};

static void sentinel_count(struct counts *counts, enum test_status status)
{
	counts->n++;
	counts->n_red += test_status_is_red(status);
	counts->n_green += status == TEST_PASSED;
}

static enum sentinels sentinel_judge_counts(const struct counts *failing,
	const struct counts *passing, int exit_code, const char **ret_problem)
{
	if (!failing->n && !passing->n)
		return SENTINELS_ABSENT;
	if (failing->n_green && !failing->n_red) {
		*ret_problem = "a test that must fail was reported as passed";
		return SENTINELS_LIED;
	}
	if (!failing->n_red)
		*ret_problem = failing->n ? "a test that must fail was reported as skipped"
								  : "a test that must fail was not reported";
	else if (!passing->n_green)
		*ret_problem = passing->n ? "a test that must pass was not reported as passed"
								  : "a test that must pass was not reported";
	else if (exit_code == 0)
		*ret_problem = "a test failed, and the exit code is 0";
	return *ret_problem ? SENTINELS_WRONG : SENTINELS_HELD;
}

void sentinel_read(const struct sentinel *sentinel, struct arena *arena, struct judging *judging)
{
	struct counts failing = {0}, passing = {0};
	struct test_report *all = &judging->report, rest = test_report_emptied(all);
	map_reserve(&rest.by_id, arena, all->n);
	for (size_t i = 0; i < all->n; i++) {
		const struct test_result *result = all->results[i];
		if (strstr(result->id, sentinel->failing))
			sentinel_count(&failing, result->status);
		else if (strstr(result->id, sentinel->passing))
			sentinel_count(&passing, result->status);
		else
			test_report_add(&rest, arena, result);
	}
	judging->sentinels =
		sentinel_judge_counts(&failing, &passing, all->exit_code, &judging->sentinel_problem);
	/* What is left of a red exit code is for the comparison to explain. */
	if (judging->sentinels == SENTINELS_HELD && test_report_red(&rest) == 0)
		rest.exit_code = 0;
	judging->report = rest;
}
