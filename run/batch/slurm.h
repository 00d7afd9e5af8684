/*
 * A batch on Slurm: one array of jobs, each of which works on a part of the batch. The directory is
 * all that rondo and the jobs share:
 *
 *     slurm/job.sh      what each job runs
 *     slurm/job.json    the array's id, and into how many parts it divides the batch
 *     slurm/I.log       what the job of part I + 1 printed
 *     slurm/I.starts    a line for each time it began
 *
 * Inside run/batch/ only.
 */
#pragma once
#include "run/batch/batch_dir.h"

/* An array of jobs. */
struct slurm_job {
	const char *id;      /* NULL: there is none */
	const char *cluster; /* of several, which one has it; NULL: the only one */
	size_t n_parts;      /* of the batch; job I works on part I + 1 of these; 0: not known */
};

/* A job of the array that has not ended. */
struct slurm_element {
	size_t index; /* from 0 */
	size_t n_restarts;
	bool runs; /* else it waits */
	const char *reason;
};

struct slurm_elements {
	struct slurm_element *items;
	size_t n, n_running;
};

/* What rondo knows of a part. */
struct slurm_part {
	size_t n_left;             /* tasks without a result that is the last word */
	struct batch_budget spent; /* by those that have one */
	size_t n_released;         /* of its restarts: those that need not wait */
	bool is_listed; /* its job has not ended, or has just ended */
};

struct slurm {
	const struct batch_options *options;
	const struct batch_common *common;
	struct batch_dir *batch;
	const struct batch_view *view;
	const struct cancel *cancel;
	struct batch_progress *progress;
	struct slurm_job job;
	struct slurm_elements elements;
	struct slurm_part *parts;
	struct batch_running running; /* for the view */
	int64_t started_at_ms;
	struct arena *arena;
};

/* How often a job may begin: once, and twice again. */
enum { SLURM_MOST_STARTS = 3 };

/* --- slurm_calls.c: Slurm's programs --- */

/* That they are there. */
int slurm_calls_check(struct rondo_error *err);

/* Submit a script with these arguments. Of the environment it gets what a job may see. */
int slurm_call_sbatch(const struct option_strings *arguments, struct arena *arena,
	struct slurm_job *job, struct rondo_error *err);

/* The jobs of an array that have not ended; none where Slurm has forgotten it. */
int slurm_call_squeue(const struct slurm_job *job, struct arena *arena,
	struct slurm_elements *ret_elements, struct rondo_error *err);

/* How many jobs an array may have. */
int slurm_call_most_elements(size_t *ret_n, struct rondo_error *err);

/* End all of them; and let one begin now that waits since it was requeued. What Slurm says to that
 * is not asked. */
void slurm_call_scancel(const struct slurm_job *job);
void slurm_call_release(const struct slurm_job *job, size_t index);

/* --- slurm_job.c: what is submitted --- */

/* That nobody says what rondo says itself. */
int slurm_job_check(const struct batch_slurm *options, struct rondo_error *err);

/* The last one that was submitted for a batch; -1: there is none. */
int slurm_job_read(const char *dir, struct arena *arena, struct slurm_job *job);

/* Choose n_parts, where that is not known. */
int slurm_job_divide(struct slurm *slurm, struct rondo_error *err);

/* What each part may spend. */
struct batch_budget slurm_job_share(const struct slurm *slurm);

/* Submit the jobs of n parts, whose indices rise. */
int slurm_job_submit(struct slurm *slurm, const size_t *indices, size_t n, struct rondo_error *err);

/* --- slurm_parts.c: what the directory says --- */

/* Forget how often parts with tasks left have begun. */
void slurm_parts_forget_starts(const struct slurm *slurm);

/* Take up what came of the tasks of listed parts, or of all. Who watches is told, but for the first
 * time (progress->n is 0 until then). */
void slurm_parts_look(struct slurm *slurm, bool all);

/* Tell of results that are not the last word, when nothing is done about them any more. */
void slurm_parts_end(struct slurm *slurm);

/* How often a part has begun. */
size_t slurm_part_starts(const struct slurm *slurm, size_t index);

/* The parts that are worth another start; in the arena. */
size_t *slurm_parts_missing(struct slurm *slurm, size_t *ret_n);

/* Why tasks are left; in the arena, NULL: none is. */
const char *slurm_parts_left(const struct slurm *slurm);

/* --- slurm.c --- */

/* Where the array of a batch is, in a line; in the arena, NULL: it never had one. */
const char *slurm_describe(const char *dir, struct arena *arena);
