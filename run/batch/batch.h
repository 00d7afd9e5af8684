/*
 * Many tasks, each a run of its own in a process of its own. A directory is all that they share,
 * with each other and with other machines:
 *
 *     batch.json            what holds for all tasks
 *     tasks.jsonl           the tasks, a line each
 *     tasks/NAME/           task.json, runs/, result.json: the state of one task
 *     results.jsonl         what came of them, a line each, as they end
 *     results.I-of-N.jsonl  the same of one part of N; one writer each
 *     slurm/                jobs that work on parts (slurm.h)
 *
 * What is in result.json counts; the rest can be made of it again. So a batch may be killed at any
 * time: started again it skips what has ended and goes on with what had begun.
 */
#pragma once
#include "run/run.h"

/* The jobs of a cluster that work on a batch. */
struct batch_slurm {
	bool detach;                   /* submit them, and do not wait */
	int64_t per_job;               /* tasks; 0: so that there are some hundred jobs at most */
	int64_t at_once;               /* so many of them at most; 0: as Slurm has room */
	struct option_strings options; /* further ones of sbatch */
};

/* What all tasks together may take. */
struct batch_budget {
	int64_t tokens; /* 0: no limit */
	double usd;     /* 0: no limit */
};

struct batch_options {
	struct fix_options fix; /* of every task; path is not asked */
	/* a file of tasks, a scenario with `batch`, a directory of repositories, or that of a batch;
	 * "-": standard input */
	const char *tasks;
	const char *out;          /* the batch's directory; NULL: NAME.batch */
	const char *repositories; /* where relative ones lie; NULL: where the list of tasks lies */
	/* "2/8": only each eighth task, from the second; "array/8": the part by the environment's index
	 * of an array of jobs; NULL: all */
	const char *shard;
	int64_t jobs;             /* 0: as the scenario says, else as many as there are cores */
	struct batch_budget budget;
	const char *predictions; /* a file for patches in SWE-bench's form; NULL: none */
	const char *program;     /* rondo's own path, for jobs on other machines */
	struct batch_slurm slurm;
};

/* What came of a task. */
struct batch_result {
	const char *name, *outcome, *run, *branch, *coder;
	const char *reason; /* NULL: there is none */
	int exit_code;      /* as rondo fix gives it */
	size_t n_goal, n_fixed;
	int64_t tokens, duration_ms;
	double usd;
};

/* A task that is being worked on. */
struct batch_running {
	const char *name;
	char doing[128]; /* "baseline", "turn 3 of coder" */
	int64_t started_at_ms;
};

/* How far a batch is. */
struct batch_progress {
	const char *dir;                          /* the batch's */
	size_t n, n_verified, n_failed, n_errors; /* n: of this part of it */
	size_t n_skipped;                         /* of the ended: before this start */
	size_t n_may_pass;                        /* of the errors: another start may do better */
	int64_t tokens;
	double usd;
	char spent[64];              /* in words: "1234 tokens, 0.04 USD"; "": nothing */
	int64_t elapsed_ms, left_ms; /* left_ms: about; below 0: not known */
	const struct batch_running *running; /* of this process; NULL: others run */
	size_t n_running;
	const char *stopped; /* why what is left is not started; NULL: nothing stopped it */
	const char *slurm;   /* where its jobs are, in a line; NULL: it never had any */
};

static inline size_t batch_ended(const struct batch_progress *progress)
{
	return progress->n_verified + progress->n_failed + progress->n_errors;
}

/* Who is told: of the beginning, of each task that ended, and ten times a second of all. */
struct batch_view {
	void (*begun)(void *owner, const struct batch_progress *progress);
	void (*ended)(
		void *owner, const struct batch_result *result, const struct batch_progress *progress);
	void (*tick)(void *owner, const struct batch_progress *progress); /* NULL: nobody watches */
	void (*told)(void *owner, const char *text); /* of jobs: that they were submitted, and such */
	void *owner;
};

/* Carry out a batch, or go on with one. 0, with how it ended, whatever came of the tasks; -1 where
 * it could not begin, was cancelled, or its directory cannot be written. */
int run_batch(const struct batch_options *options, const struct batch_view *view,
	const struct cancel *cancel, struct arena *arena, struct batch_progress *ret_progress,
	struct rondo_error *err);

/* The same by an array of jobs on a Slurm that sees the directory: submit it, or attach to the one
 * that was submitted; wait for it, submit up to twice what it left, and collect. Cancelled by
 * anything but SIGHUP, it cancels the jobs. */
int run_batch_slurm(const struct batch_options *options, const struct batch_view *view,
	const struct cancel *cancel, struct arena *arena, struct batch_progress *ret_progress,
	struct rondo_error *err);

/* Carry out the task that lies in a directory of a batch, as a process of its own; its runs are
 * kept there (RONDO_STATE_DIR). Gives the exit code. */
int run_batch_task(
	const char *dir, const struct context *ctx, struct arena *arena, struct rondo_error *err);

/* How far a batch is, whoever works on it; the view (may be NULL) is told of every result. */
int run_batch_status(const char *dir, const struct batch_view *view, struct arena *arena,
	struct batch_progress *ret_progress, struct rondo_error *err);

/* Write results.jsonl of all parts' results, by name of task, each once. */
int run_batch_collect(const char *dir, struct rondo_error *err);
