/*
 * Several candidates in one build: where a language is compiled, a group of candidates is built together (repair/repair.h says
 * how) and each is tried by a run of the suite that builds nothing. Nothing that comes out is believed but that a candidate is
 * not worth more: what passes here is judged alone by the suite itself. Between builds.c and trial.c.
 */
#pragma once
#include "agents/warm.h"
#include "chat/candidates.h"

struct builds;

/* For a bench, whose tree is the one that candidates are made for; nothing is started yet. */
struct builds *builds_new(const struct agent_kit *kit, const struct workplace *bench);

/* Build the first ones of a group, of which ret_n says how many: they count as dealt with, though not all may be in the build.
 * `goal`: how the goal's tests run; `deadline_ms` on the monotonic clock, 0: none. */
int builds_begin(struct builds *builds, const struct judge_options *goal, const struct candidate *candidates, size_t n,
	int64_t deadline_ms, size_t *ret_n, const struct context *ctx, struct rondo_error *err);

/* Try the i-th of the group: WARM_COLD where it is not in the build. After WARM_GONE only builds_end. */
int builds_try(struct builds *builds, size_t i, struct warm_result *ret_result, struct rondo_error *err);

/* Put the bench's files back. False in *ret_holds: a candidate has spoilt the tree for those behind it, so what came out of the
 * group counts for nothing. */
int builds_end(struct builds *builds, bool *ret_holds, struct rondo_error *err);

/* Whether it is worth a try to build a group here, and whether one was built. NULL: no. */
bool builds_can(const struct builds *builds);
bool builds_work(const struct builds *builds);

/* End what was started, before the bench's tree changes. NULL is fine. */
void builds_free(struct builds *builds);
