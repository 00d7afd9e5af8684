/* A group of candidates: built together, without those that do not compile. */
#include <string.h>

#include "agents/trial/builds.h"
#include "base/clock.h"
#include "base/log.h"

enum { LEAST_GROUP = 2 }; /* fewer are built alone, once it is known how the base does */

static bool builds_have_file(const struct repair_file *files, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, path) == 0)
			return true;
	return false;
}

/* The texts that candidates change, from the worker's checkout. A file that cannot be read has no
 * text: its candidates are in no build. */
static struct repair_file *builds_read_files(struct builds *builds, size_t n, size_t *ret_n)
{
	struct repair_file *files = NULL;
	struct rondo_error ignored;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < builds->candidates[i].edit.n; k++) {
			struct repair_file file = {.path = builds->candidates[i].edit.files[k].path};
			if (builds_have_file(files, *ret_n, file.path))
				continue;
			if (worktree_file(builds->checkout->worktree, file.path, &builds->group, &file.text,
					&file.n, &ignored) < 0)
				file.text = NULL;
			ARENA_PUSH(&builds->group, files, *ret_n, file);
		}
	return files;
}

/* Whether the compilers named candidates as wrong: those are left out. */
static bool builds_blame(struct builds *builds)
{
	AUTO_STRBUF printed = STRBUF_INIT(STRBUF_TEXT);
	size_t before = 0, n = builds->blend.n;
	for (size_t i = 0; i < n; i++)
		before += builds->wrong[i];
	rerun_printed(builds->rerun, &printed);
	if (blend_blame(&builds->blend, printed.text, builds->wrong) > before)
		return true;
	log_line(LOG_DEBUG, "trial", "a build of %zu candidates blames none: %s", builds->blend.n_held,
		printed.text);
	return false;
}

enum builds_outcome {
	BUILDS_RIGHT,   /* it was built, and without a choice it behaves like the base */
	BUILDS_BLAMED,  /* some do not compile */
	BUILDS_NOTHING, /* it is of no use */
};

/* The choice must have its effect: with the number for "never ends", a run must reach its limit.
 * And it must pay: a suite that builds everything again is slower than a candidate alone. */
static int builds_check(
	struct builds *builds, enum builds_outcome *ret_outcome, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result again, hangs;
	if (atomic_load(builds->has_seen_choice) || !builds->blend.n_held)
		return 0;
	*ret_outcome = BUILDS_NOTHING;
	if (builds_run(builds, RERUN_GOAL, BLEND_BASE, &arena, &again, err) < 0)
		return -1;
	if (!builds_is_as_base(builds, &again))
		return 0;
	if (again.ms * 10 > builds->build_ms * 8) {
		builds->failures = BUILDS_FAILURES_MOST - 1;
		return 0;
	}
	if (builds_run(builds, RERUN_GOAL, BLEND_HANG, &arena, &hangs, err) < 0)
		return -1;
	if (hangs.timeout)
		atomic_store(builds->has_seen_choice, true);
	*ret_outcome = hangs.timeout ? BUILDS_RIGHT : BUILDS_NOTHING;
	return 0;
}

static int builds_build(
	struct builds *builds, enum builds_outcome *ret_outcome, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result built;
	*ret_outcome = BUILDS_NOTHING;
	if (rerun_take(builds->rerun, &builds->blend.edit, err) < 0)
		return -1;
	builds->is_built = true;
	/* Where the base would hang, nothing is run but what must be built. */
	size_t number = builds->hangs ? BLEND_FAIL : BLEND_BASE;
	if (builds_run(builds, RERUN_BUILD, number, &arena, &built, err) < 0)
		return -1;
	if (built.gone || (builds->hangs && built.timeout))
		return 0;
	/* Where the suite is one exit code, a build that fails looks like the base. */
	bool looks_alike = builds->hangs || test_report_is_exit(&built.report);
	if (looks_alike && builds_blame(builds)) {
		*ret_outcome = BUILDS_BLAMED;
		return 0;
	}
	bool is_known = builds->base && !builds->hangs,
		 is_base = is_known && builds_is_as_base(builds, &built);
	if (!is_known && builds_learn_base(builds, &built, &is_base, err) < 0)
		return -1;
	if (is_base) {
		*ret_outcome = BUILDS_RIGHT;
		builds->build_ms = built.ms > builds->build_ms ? built.ms : builds->build_ms;
		return builds_check(builds, ret_outcome, err);
	}
	*ret_outcome = !looks_alike && builds_blame(builds) ? BUILDS_BLAMED : BUILDS_NOTHING;
	return 0;
}

int builds_take_back(struct builds *builds, const struct edit *edit, struct rondo_error *err)
{
	struct worktree *worktree = builds->checkout->worktree;
	/* Where there are no layers, the program works on the checkout itself. */
	if (!builds->checkout->executor->written &&
		(worktree_revert(worktree, edit, err) < 0 || worktree_date_now(worktree, edit, err) < 0))
		return -1;
	return builds->rerun ? rerun_take_back(builds->rerun, edit, err) : 0;
}

static int builds_put_back(struct builds *builds, struct rondo_error *err)
{
	bool was_built = builds->is_built;
	builds->is_built = false;
	return was_built ? builds_take_back(builds, &builds->blend.edit, err) : 0;
}

static void builds_blend(struct builds *builds, size_t n)
{
	blend_make(&builds->blend, builds->files, builds->n_files, builds->candidates, n, builds->wrong,
		builds->variable, &builds->group);
}

/* Build the blend, and blend again without what does not compile, until all compiles: compilers do
 * not find all mistakes at once. Each round leaves out one at least, which would fail to build
 * alone, too. */
static int builds_build_group(struct builds *builds, size_t n, struct rondo_error *err)
{
	enum builds_outcome outcome = BUILDS_BLAMED;
	for (int round = 0; outcome == BUILDS_BLAMED; round++) {
		if (round)
			builds_blend(builds, n);
		if (builds->base && builds->blend.n_held < LEAST_GROUP)
			return 0;
		if (builds_build(builds, &outcome, err) < 0)
			return -1;
		if (outcome != BUILDS_RIGHT && builds_put_back(builds, err) < 0)
			return -1;
		log_line(LOG_DEBUG, "trial", "%zu of %zu candidates in one build: %s", builds->blend.n_held,
			n, outcome == BUILDS_RIGHT ? "it does as the base" : "another round, or none");
	}
	builds->has_built = builds->has_built || outcome == BUILDS_RIGHT;
	builds->is_broken = outcome != BUILDS_RIGHT;
	if (outcome != BUILDS_RIGHT)
		builds_fail(builds, "a build of several did not do as the base does");
	return 0;
}

int builds_begin(struct builds *builds, const struct trial *trial, size_t first, size_t n,
	size_t *ret_n, struct rondo_error *err)
{
	arena_release(&builds->group);
	builds->candidates = trial->candidates->items + first;
	builds->goal = trial->goal;
	builds->has_seen_choice = trial->has_seen_choice;
	builds->deadline_ms = trial->deadline_ms;
	builds->whole_known = false;
	builds->whole = NULL;
	builds->is_broken = false;
	builds->wrong = arena_alloc(&builds->group, n * sizeof *builds->wrong);
	builds->files = builds_read_files(builds, n, &builds->n_files);
	builds_blend(builds, n);
	*ret_n = builds->blend.n;
	for (size_t i = 0; i < *ret_n; i++)
		if (!builds->blend.holds[i])
			log_line(LOG_DEBUG, "trial", "in no build with others: %s",
				builds->candidates[i].edit.description);
	if (builds->base && builds->blend.n_held < LEAST_GROUP)
		return 0;
	if (builds_need_rerun(builds, trial->ctx, err) < 0)
		return -1;
	return builds->rerun ? builds_build_group(builds, *ret_n, err) : 0;
}

int builds_finish(struct builds *builds, bool *ret_holds, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result = {.gone = true};
	*ret_holds = true;
	if (builds->is_built && builds_run(builds, RERUN_GOAL, BLEND_BASE, &arena, &result, err) < 0)
		return -1;
	if (builds->is_built && result.gone) {
		builds_fail(builds, "the program that runs them was killed");
		builds_stop(builds);
	} else if (builds->is_built && !builds_is_as_base(builds, &result)) {
		builds_fail(builds, "a candidate left the tree otherwise than it was");
		*ret_holds = false;
	}
	return builds_put_back(builds, err);
}
