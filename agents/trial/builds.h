/*
 * Several candidates in one build: a group is built together (repair/repair.h says how), then each
 * one is tried by a run of the suite that builds nothing. Shared by trial_builds.c (the engine) and
 * the files builds_*.c.
 */
#pragma once
#include "agents/trial/rerun.h"
#include "agents/trial/trial_engine.h"
#include "repair/repair.h"

enum { BUILDS_FAILURES_MOST = 3 }; /* failed builds and killed programs; then it is of no use */

struct builds {
	struct arena arena; /* of the program */
	const struct agent_services *services;
	const struct checkout *checkout;
	char variable[6 + 16 + 1]; /* of the environment: chooses the candidate */
	struct rerun *rerun;       /* NULL: not started */
	const struct judge_options *goal;
	const struct test_report *base; /* of the goal's tests, without a candidate; NULL: no limits are
	                                 * known; where it hangs, of what fails at once */
	bool hangs; /* there a test of the goal does not end, or only by a limit of its own */
	size_t n_goal;                  /* how many tests of the goal it has */
	int64_t cpu_ms, wall_ms;        /* limits of a run */
	atomic_bool *has_seen_choice;   /* of all workers: where no test runs what a group changes, it
	                                 * cannot be seen */
	bool has_built;                 /* a group was built */
	int64_t build_ms, run_ms;       /* the longest build; a run at the base */
	int failures;

	/* the group */
	struct arena group;
	const struct candidate *candidates;
	const struct repair_file *files; /* that they change */
	size_t n_files;
	struct blend blend;
	int64_t deadline_ms;
	bool *wrong; /* by candidate: it does not compile */
	bool is_built;
	bool is_broken; /* its build did not do as the base, and no candidate is to blame */
	bool whole_known;                /* the whole suite was run in this build, */
	const struct test_report *whole; /* and came out as at the base; NULL: it did not */
};

/* Count a failure. The last one is logged. */
void builds_fail(struct builds *builds, const char *why);

/* --- Runs, in builds_run.c --- */

/* Start the program if it is not running; `rerun` stays NULL where it cannot be used. */
int builds_need_rerun(struct builds *builds, const struct context *ctx, struct rondo_error *err);

/* Whether a build with its run does as the base does in the suite, and so in another run; then that
 * is `base` from here on, and says how long a run may take. */
int builds_learn_base(struct builds *builds, const struct rerun_result *built, bool *ret_is_base,
	struct rondo_error *err);

/* End the program. */
void builds_stop(struct builds *builds);

/* Run a line with a number, within the limits of a candidate, or of the base. */
int builds_run(struct builds *builds, enum rerun_line line, size_t number, struct arena *arena,
	struct rerun_result *result, struct rondo_error *err);

/* Whether a run of the goal's tests came out as at the base. */
bool builds_is_as_base(const struct builds *builds, const struct rerun_result *result);

/* Run the whole suite with a number. TRIAL_UNKNOWN in *ret_end: it came out otherwise than at the
 * base before, so it can judge nobody in this build. */
int builds_run_whole(struct builds *builds, size_t number, enum trial_end *ret_end, bool *ret_gone,
	struct rondo_error *err);

/* --- A group, in builds_group.c --- */

/* Build the first *ret_n candidates of a group. They count as done, though some may not be in the
 * build. */
int builds_begin(struct builds *builds, const struct trial *trial, size_t first, size_t n,
	size_t *ret_n, struct rondo_error *err);

/* Put the worker's files back. False in *ret_holds: a candidate has changed the tree, so the
 * results of the group do not count. */
int builds_finish(struct builds *builds, bool *ret_holds, struct rondo_error *err);

/* Put the texts back that were taken and built. */
int builds_take_back(struct builds *builds, const struct edit *edit, struct rondo_error *err);

/* --- One alone, in builds_alone.c --- */

/* Build the i-th of the group by itself, where nothing else is built any more. TRIAL_UNKNOWN: it
 * cannot be, or it passes the tests of the goal. */
int builds_try_alone(
	struct builds *builds, size_t i, struct trial_result *ret_result, struct rondo_error *err);
