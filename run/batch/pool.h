/* The processes that run tasks: as many as there are slots, one task each. Inside run/batch/
 * only. */
#pragma once
#include "base/process/coprocess.h"
#include "run/batch/batch_dir.h"

struct pool_slot {
	struct batch_entry *entry; /* NULL: nothing runs */
	struct coprocess *process;
	struct strbuf heard; /* of what it prints; the last line says what it does */
	struct batch_budget held;
	struct batch_running running;
};

struct pool {
	struct batch_dir *batch;
	const struct batch_common *common;
	const struct batch_view *view;
	const struct cancel *cancel;
	struct batch_progress *progress;
	struct pool_slot *slots;
	size_t n_slots, next; /* next: of the batch's entries */
	size_t n_waiting;
	const char *const *env;        /* of the processes */
	struct batch_running *running; /* for the view */
	int64_t started_at_ms;
	struct arena *arena;
};

/* Run what waits, until all has ended, the budget is used up, or the token fires. -1 where the
 * directory cannot be written, or it was cancelled. */
int pool_run(struct pool *pool, struct rondo_error *err);

/* share.c: what the next task may take of what is left; NULL, or why there is nothing (static). */
const char *pool_share(const struct pool *pool, struct batch_budget *ret_share);

/* Why nothing can begin any more with what is left of a budget (static); NULL: something can. */
const char *pool_budget_used_up(const struct batch_budget *whole, const struct batch_budget *taken);
