/*
 * Trying the candidates of one batch: each shard has a bench and takes those that nobody has taken, until there are none, one
 * wins, or time is over. Between shard.c and trial.c.
 */
#pragma once
#include <stdatomic.h>

#include "agents/behaviour.h"
#include "agents/builds.h"
#include "base/thread.h"

/* What is kept on a bench from one batch to the next. */
struct bench {
	struct workplace *workplace;
	struct warm *warm; /* it may still be loading */
	int starts;
	bool loaded;
	bool cold; /* nothing can be kept loaded */
	struct builds *builds; /* then */
	int64_t built_ms;      /* in this trial */
};

/* What all shards share. */
struct trial {
	const struct agent *agent;
	const struct candidates *candidates;
	const struct context *ctx;
	const struct judge_options *goal;
	int64_t deadline_ms;
	atomic_size_t next;   /* the first candidate that nobody has taken */
	atomic_size_t winner; /* the place of the one that ends it, or the number of candidates */
	atomic_size_t tried, most_fixed;
	atomic_bool failed;
	struct candidate_result *results; /* by place */
	struct outcome *outcomes;         /* by place, then by input id; NULL: nobody asks how they behave */
};

struct shard {
	struct trial *trial;
	struct bench *bench;
	bool tells;      /* one shard shows the progress of all */
	pthread_t thread;
	struct rondo_error err;
};

/* Let the suite's tests be loaded on it, which goes on behind. `cold` says that they cannot be. */
int bench_start(struct bench *bench, const struct agent_kit *kit, const struct context *ctx, struct rondo_error *err);

/* End what is loaded. */
void bench_cool(struct bench *bench);

/* Whether nothing more shall be tried. */
bool trial_is_over(const struct trial *trial);

/* The shard's part of the work, for a thread of its own. What failed is in its err, and the trial's `failed` is set. */
void *shard_work(void *shard);
