/*
 * How candidates are tried: with the tests kept loaded, several in one build, or by the suite's own
 * command. Each way is an engine. A worker has one at a time; when it is of no use, the worker
 * falls back to the next. The last is the suite. Only the suite decides: other engines can only
 * reject a candidate. Shared by the files trial*.c.
 */
#pragma once
#include <stdatomic.h>

#include "agents/trial/behaviour.h"
#include "agents/trial/warm/warm.h"
#include "base/thread.h"

enum { TRIAL_GROUP_MOST = 256 }; /* candidates of an engine at once */

/* Limits of one candidate, from what the base took. */
enum {
	TRIAL_LEAST_MS = 30,
	TRIAL_SLOWER = 5,      /* how much slower than the base it may be */
	TRIAL_SLOWER_LONG = 3, /* the same of what takes long, which varies less */
	TRIAL_MORE_MS = 1000,  /* with this, both come to the same at half a second */
	TRIAL_WALL = 4,        /* how much longer than its processor time, on a busy machine */
};

/* The limit of a candidate for what took the base that long. */
static inline int64_t trial_limit_ms(int64_t base_ms)
{
	int64_t most_ms = TRIAL_SLOWER_LONG * base_ms + TRIAL_MORE_MS;
	int64_t limit_ms = TRIAL_SLOWER * base_ms < most_ms ? TRIAL_SLOWER * base_ms : most_ms;
	return limit_ms > TRIAL_LEAST_MS ? limit_ms : TRIAL_LEAST_MS;
}

enum trial_end {
	TRIAL_UNKNOWN, /* the engine cannot tell */
	TRIAL_FAILED,  /* a test of the goal failed, the text does not compile, or its process died */
	TRIAL_BROKEN,  /* the goal's tests passed, and another one failed */
	TRIAL_PASSED,  /* all passed */
	TRIAL_TIMEOUT, /* it ran out of time */
};

/* What an engine says of one candidate. */
struct trial_result {
	enum trial_end end;
	size_t fixed; /* goal tests that passed, where nothing was broken */
	bool moves;   /* the goal's tests failed otherwise than at the base */
	size_t also;  /* where all passed: other tests that failed at the base and pass now */
};

/* One batch: what all workers share. */
struct trial {
	const struct candidates *candidates;
	const struct agent_services *services;
	const char *source; /* named in the progress */
	const struct context *ctx;
	const struct judge_options *goal;
	int64_t started_ms, deadline_ms;
	size_t n_tried_before; /* in the search's earlier batches, */
	int64_t spent_ms;      /* which took so long */
	atomic_size_t next;    /* the first candidate that nobody has taken */
	atomic_size_t winner;  /* the place of the one that ends it, or the number of candidates */
	atomic_size_t tried, most_fixed;
	atomic_bool failed;
	atomic_llong *goal_ms; /* the longest run of the goal's tests alone; 0: there was none */
	/* The number that chooses a candidate in a build of several was seen to have its effect. */
	atomic_bool *has_seen_choice;
	struct candidate_result *results; /* by place */
	struct outcome *outcomes;         /* by place, then by input id; NULL: none are wanted */
};

/* A worker's checkout and thread, and how it tries candidates. */
struct trial_worker {
	const struct agent_services *services;
	struct checkout *checkout;
	const struct trial_engine *const *engine; /* the current one, in the list */
	void *state;                              /* of the engine; NULL: it is not started */
	bool is_loading;                          /* it is started, and may not be ready */
	int64_t built_ms;                         /* in this trial */

	struct trial *trial;
	bool shows_progress; /* one worker does it for all */
	pthread_t thread;
	struct rondo_error err;
};

struct trial_engine {
	const char *name;
	/* Begin in the worker's checkout, which holds the text of the candidates. Work may continue in
	 * the background. NULL in *ret_state: it is of no use for this suite. */
	int (*start)(struct trial_worker *worker, void **ret_state, const struct context *ctx,
		struct rondo_error *err);
	/* Optional: wait for the work in the background. False in *ret_ready: it is of no use. */
	int (*ready)(struct trial_worker *worker, bool *ret_ready, struct rondo_error *err);
	/* Optional: how many candidates it takes at once, at most TRIAL_GROUP_MOST; 0: it can try none
	 * of this batch. Without it: one. */
	size_t (*takes)(const struct trial_worker *worker);
	/* Try *n candidates from the place `first` on, in their order; set *n to the number done. A
	 * result that is TRIAL_PASSED before the call passed by another engine. False in *useful: the
	 * engine is of no use any more. */
	int (*try)(struct trial_worker *worker, size_t first, size_t *n, struct trial_result *results,
		bool *useful, struct rondo_error *err);
	/* Optional: whether it is fast enough to try more after the first that passes. */
	bool (*is_fast)(const struct trial_worker *worker);
	/* Optional: which lines the tests run, as far as time allows. False in *ret_answered:
	 * unknown. */
	int (*cover)(struct trial_worker *worker, struct arena *arena, struct coverage *ret_coverage,
		bool *ret_answered, struct rondo_error *err);
	/* Optional: end it, before the tree changes. */
	void (*end)(void *state);
};

/* In the order in which workers use them, up to a NULL. */
#define TRIAL_ENGINE_SYMBOL(name) trial_##name##_engine
#define TRIAL_ENGINES(_) _(warm), _(builds), _(suite)
REGISTRY_DECLARE(struct trial_engine, trial_engines, TRIAL_ENGINES(TRIAL_ENGINE_SYMBOL));

/* Start the worker's engine, or the next that is of use. */
int trial_worker_start(
	struct trial_worker *worker, const struct context *ctx, struct rondo_error *err);

/* End the engine. */
void trial_worker_stop(struct trial_worker *worker);

/* The worker's part of a trial: the function of its thread. On failure its err is filled in and the
 * trial's `failed` is set. */
void *trial_worker_run(void *worker);

/* How long a `cover` may take: a part of the time that is left for the search, at most so much. */
int64_t trial_cover_limit_ms(const struct trial *trial, int64_t most_ms);

/* An engine's `cover`, where the suite's runner can tell. */
int trial_cover(struct trial_worker *worker, struct arena *arena, struct coverage *ret_coverage,
	bool *ret_answered, struct rondo_error *err);

/* Whether to stop trying; whether the candidate at this place can still win. */
bool trial_is_over(const struct trial *trial);
bool trial_wants(const struct trial *trial, size_t place);

/* Show which candidate is being tried. */
void trial_show(const struct trial_worker *worker, size_t place);

/* Options for the whole suite: a candidate that hangs ends long before the suite's own limit. */
struct judge_options trial_whole_options(const struct trial *trial);

/* The program of warm/ of that name, or NULL. */
const struct warm_program *trial_program(const char *name);

/* Put a program into a worker's cache, under a new random name. Gives its path on the host and its
 * path inside, in the arena. */
int trial_put_program(const struct checkout *checkout, const struct warm_program *program,
	struct arena *arena, const char **ret_path, const char **ret_at, struct rondo_error *err);
