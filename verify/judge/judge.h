/*
 * The judge: runs a suite once and reads what it left. Nothing else in rondo runs a suite; the
 * tester, the baseline, trials and the gate call it.
 */
#pragma once
#include "chat/context.h"
#include "executors/executor.h"
#include "verify/guard/guard.h"
#include "verify/suite/suite.h"
#include "worktree/worktree.h"

/* A worktree and what runs programs in it. */
struct checkout {
	struct worktree *worktree;
	struct executor *executor;
};

struct judge_options {
	const char *const *ids; /* only these tests, where the suite can; NULL: all */
	size_t n_ids;
	const char *const *without; /* all but these tests, where the suite can */
	size_t n_without;
	bool leaves_hung_out; /* those that do not end at the base, without trying them again */
	int64_t timeout_ms;
	/* how long nothing may be printed while a test runs, and several times that where no test is
	 * known to run; 0: any time */
	int64_t silence_ms;
	int64_t build_silence_ms; /* the same where a compiler may be at work; 0: no other */
	int64_t computing_ms;     /* of the processor, if a silent test that computed for so long is not
						   * waited for any longer; 0: no other */
	/* who says as progress how many tests have ended; NULL: nobody */
	const char *shown_as;
	size_t n_tests; /* how many there are as far as known, where the runner does not say; or 0 */
	const struct baseline *baseline; /* its changes come first; NULL: in the order of the run */
	/* keeps the raw output in this file, and details of failures in the report; NULL: neither */
	const char *log;
};

/* How long the goal's tests may take where an earlier run took that long. */
int64_t judge_goal_ms(int64_t took_ms);

/* How the goal's tests are run alone, in a time that depends on the base's. ids is NULL if the
 * suite cannot run them alone. */
struct judge_options judge_goal_options(
	const struct suite *suite, const struct baseline *baseline, struct arena *arena);

/* Whether a test ran at all: else a compiler or loader complained, and how long the run took says
 * nothing of others. */
bool judge_was_built(const struct test_report *report);

/* How long a test may print nothing, from what those of a run took. */
int64_t judge_silence_ms(const struct test_report *report);

/* Run the suite in a checkout and read its results. A suite that fails, hangs or cannot run is a
 * report, not an error. Tests that do not end at the base run first, by themselves; where they do
 * not end now either, the others run without them. */
int judge(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err);

/* What a suite protects, before what the user says. Strings are the suite's. */
struct protection suite_protection(const struct suite *suite);

/* --- The two halves of judge(), for who runs the command in another way --- */

/* The shell line that runs the suite, or only the tests of the options; `report` is a path as
 * programs see it. */
const char *judge_line(const struct suite *suite, const struct judge_options *options,
	const char *report, struct arena *arena);

/* Read what the run left in `place`, and from the start of `log`. Report files are a program's own,
 * so they are opened without trust. */
int judge_read(const struct checkout *checkout, const struct suite *suite, int log,
	const struct executor_place *place, const char *report, const struct process_result *result,
	bool is_silence_its_end, struct arena *arena, struct test_report *ret_report,
	struct rondo_error *err);
