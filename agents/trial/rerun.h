/*
 * A suite that is run again and again in a checkout, in one sandbox that stays: by a program there
 * (warm/rerun.c). What it says is not believed but that a candidate is not worth more. Between
 * rerun.c and trial_builds.c.
 */
#pragma once
#include "agents/agent.h"

struct rerun;

/* Which run: all is made that must be made, and the goal's tests run; these alone, where nothing
 * has changed; the whole suite, where nothing has changed. */
enum rerun_line { RERUN_BUILD, RERUN_GOAL, RERUN_WHOLE };

/* How one came out. */
struct rerun_result {
	struct test_report report; /* in the arena */
	bool timeout;              /* a limit went by */
	bool gone;                 /* the runner did not survive it; then there is no report */
	int64_t ms, cpu_ms;
};

/* Start one, with the goal's tests as `goal` says and the environment variable that is set for each
 * run. NULL in *ret_rerun where this executor has no such thing. */
int rerun_start(const struct agent_services *services, const struct checkout *checkout,
	const struct judge_options *goal, const char *variable, struct rerun **ret_rerun,
	const struct context *ctx, struct rondo_error *err);

/* Have the next RERUN_BUILD build these texts, each whole; or again those of the checkout. Before
 * that, runs are still of the texts before. */
int rerun_take(struct rerun *rerun, const struct edit *edit, struct rondo_error *err);
int rerun_take_back(struct rerun *rerun, const struct edit *edit, struct rondo_error *err);

/* Run a line with the variable set to a number, within the limits. After `gone` only rerun_free. */
int rerun_run(struct rerun *rerun, enum rerun_line line, size_t number, int64_t cpu_ms,
	int64_t wall_ms, struct arena *arena, struct rerun_result *ret_result, struct rondo_error *err);

/* Append the end of what the last run printed. */
void rerun_printed(const struct rerun *rerun, struct strbuf *sb);

/* End it, with all that it started. NULL is fine. */
void rerun_free(struct rerun *rerun);
