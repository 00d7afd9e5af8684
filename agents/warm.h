/*
 * A suite's tests kept loaded on a bench: a program in the bench's sandbox (warm/) tries one candidate after the other, many
 * in the time of one run of the suite. Nothing that it says is believed but that a candidate is not worth more: what passes
 * here is judged by the suite itself. Between warm.c and trial.c.
 */
#pragma once
#include "agents/agent.h"
#include "chat/coverage.h"
#include "warm/warm.h"

struct warm;

/* Limits of one candidate, from what the base took. */
enum {
	WARM_LEAST_MS = 30,
	WARM_SLOWER = 5, /* how much slower than the base it may be */
	WARM_WALL = 4,   /* how much longer than its processor time it may take, on a busy machine */
};

enum warm_end {
	WARM_FAILED,  /* a test of the goal failed; also where the changed text does not compile, or its process died */
	WARM_BROKEN,  /* the goal's tests passed, and another one failed */
	WARM_PASSED,  /* all passed */
	WARM_TIMEOUT, /* its limit went by */
	WARM_COLD,    /* it cannot be tried here */
	WARM_GONE,    /* the runner itself did not survive it */
};

struct warm_result {
	enum warm_end end;
	size_t fixed; /* tests of the goal that passed */
};

/* Start one on a bench, whose tree is the one that candidates are made for; it loads while rondo does something else.
 * *ret_warm is NULL where nothing can keep this suite loaded. */
int warm_start(const struct agent_kit *kit, const struct workplace *bench, struct warm **ret_warm, const struct context *ctx,
	struct rondo_error *err);

/* Wait until it has loaded. *ret_why says, in the arena, why it is of no use; NULL: it may be asked. */
int warm_load(struct warm *warm, struct arena *arena, const char **ret_why, struct rondo_error *err);

/* Try an edit; `patience` times the limit that the base's own times give. After WARM_GONE only warm_free. */
int warm_try(struct warm *warm, const struct edit *edit, int patience, struct warm_result *ret_result, struct rondo_error *err);

/* Which lines the tests run, as far as there is time to look. False where the runner does not answer. */
int warm_cover(struct warm *warm, struct arena *arena, struct coverage *ret_coverage, bool *ret_answered,
	struct rondo_error *err);

/* End it, before its bench's tree changes. NULL is fine. */
void warm_free(struct warm *warm);

/* The program of warm/ of that name, or NULL. */
const struct warm_program *warm_program(const char *name);

/* Put a program into a bench's cache, under a name that no program there knew before: where it lies on the host, and where
 * programs see it; in the arena. */
int warm_put(const struct workplace *bench, const struct warm_program *program, struct arena *arena, const char **ret_path,
	const char **ret_at, struct rondo_error *err);
