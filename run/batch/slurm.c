#include "run/batch/slurm.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/secrets.h"

enum {
	TICK_MS = 100,
	POLL_MS = 1000,
	SLOWEST_POLL_MS = 30000,
	POLL_SHARE = 20,      /* asking takes at most one part in so many of the time */
	PATIENCE_MS = 900000, /* while Slurm does not answer */
	FAREWELL_MS = 10000,  /* for cancelled jobs to end */
	MOST_RESUBMISSIONS = 2,
};

/* --- What is told --- */

static void slurm_tell(const struct slurm *slurm, const char *text)
{
	if (slurm->view->told)
		slurm->view->told(slurm->view->owner, text);
}

static const char *elements_reason(const struct slurm_elements *elements)
{
	for (size_t i = 0; i < elements->n; i++)
		if (!elements->items[i].runs && strcmp(elements->items[i].reason, "None") != 0)
			return elements->items[i].reason;
	return NULL;
}

/* "3 run, 12 wait (Resources)" */
static void slurm_words(const struct slurm_elements *elements, char *text, size_t size)
{
	size_t n_waiting = elements->n - elements->n_running;
	const char *reason = elements_reason(elements);
	if (n_waiting)
		snprintf(text, size, "%zu run, %zu wait%s%s%s", elements->n_running, n_waiting,
			reason ? " (" : "", reason ? reason : "", reason ? ")" : "");
	else
		snprintf(text, size, "%zu run", elements->n_running);
}

const char *slurm_describe(const char *dir, struct arena *arena)
{
	struct slurm_job job;
	struct slurm_elements elements;
	struct rondo_error err;
	char words[128];
	if (slurm_job_read(dir, arena, &job) < 0)
		return NULL;
	if (slurm_call_squeue(&job, arena, &elements, &err) < 0)
		return arena_printf(arena, "job array %s: %s", job.id, err.message);
	if (!elements.n)
		return arena_printf(arena, "job array %s has ended", job.id);
	slurm_words(&elements, words, sizeof words);
	return arena_printf(arena, "job array %s: %s", job.id, words);
}

static void slurm_measure(struct slurm *slurm)
{
	struct batch_progress *progress = slurm->progress;
	size_t n = batch_ended(progress) - progress->n_skipped;
	slurm_words(&slurm->elements, slurm->running.doing, sizeof slurm->running.doing);
	progress->elapsed_ms = clock_now_ms() - slurm->started_at_ms;
	progress->left_ms =
		n ? progress->elapsed_ms * (int64_t)(progress->n - batch_ended(progress)) / (int64_t)n : -1;
}

/* --- Submitting --- */

/* Keys do not travel: who has some here, and names no file of keys, should know. */
static void slurm_tell_of_keys(const struct slurm *slurm)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct secrets secrets = {0};
	if (slurm->common->fix.env_file)
		return;
	secrets_from_environment(&secrets, &scratch);
	if (secrets.n)
		slurm_tell(slurm,
			arena_printf(&scratch, "%s stays here: jobs get keys by --env-file FILE only",
				secrets.names[0]));
}

/* On a shared disk, a mode is all that guards them. */
static int slurm_check_keys(const struct slurm *slurm, struct rondo_error *err)
{
	const char *path = slurm->common->fix.env_file;
	struct stat st;
	if (!path || stat(path, &st) < 0 || !(st.st_mode & (S_IRWXG | S_IRWXO)))
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "'%s' holds keys, and others may read it (mode %03o)", path,
		(unsigned)st.st_mode & 0777U);
	return error_help(err, "chmod 600 %s", path);
}

static int slurm_submit(
	struct slurm *slurm, const size_t *indices, size_t n, const char *what, struct rondo_error *err)
{
	if (slurm_job_submit(slurm, indices, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		slurm->parts[indices[i]].n_released = 0;
	slurm_tell(slurm,
		arena_printf(slurm->arena, "job array %s: %s%zu of %zu part%s", slurm->job.id, what, n,
			slurm->job.n_parts, text_plural(slurm->job.n_parts)));
	return 0;
}

/* What the user asks for anew may begin as often as at first. */
static int slurm_submit_first(struct slurm *slurm, struct rondo_error *err)
{
	size_t n;
	slurm_tell_of_keys(slurm);
	slurm_parts_forget_starts(slurm);
	const size_t *indices = slurm_parts_missing(slurm, &n);
	return n ? slurm_submit(slurm, indices, n, "", err) : 0;
}

/* --- Waiting --- */

/* Until then, or until the token fires. */
static void slurm_pause(struct slurm *slurm, int64_t wait_ms)
{
	const struct batch_view *view = slurm->view;
	int64_t until_ms = clock_now_ms() + wait_ms;
	for (int64_t left_ms; (left_ms = until_ms - clock_now_ms()) > 0;) {
		struct pollfd fds[CANCEL_FDS];
		if (cancel_reason(slurm->cancel))
			return;
		if (view->tick) {
			slurm_measure(slurm);
			slurm->progress->n_running = 1; /* a line of its own; no task */
			view->tick(view->owner, slurm->progress);
			slurm->progress->n_running = 0;
		}
		poll(fds, cancel_poll(slurm->cancel, fds),
			view->tick && left_ms > TICK_MS ? TICK_MS : (int)left_ms);
	}
}

/* What a dead node took with it waits in the queue again, and need not. */
static void slurm_release(struct slurm *slurm, const struct slurm_element *element)
{
	struct slurm_part *part = &slurm->parts[element->index];
	if (element->runs || strcmp(element->reason, "BeginTime") != 0 ||
		element->n_restarts <= part->n_released)
		return;
	part->n_released = element->n_restarts;
	slurm_call_release(&slurm->job, element->index);
	slurm_tell(slurm,
		arena_printf(slurm->arena, "job %s_%zu was requeued and begins again", slurm->job.id,
			element->index));
}

static void slurm_mark(struct slurm *slurm, bool is_listed)
{
	for (size_t i = 0; i < slurm->elements.n; i++) {
		const struct slurm_element *element = &slurm->elements.items[i];
		if (element->index >= slurm->job.n_parts)
			continue;
		slurm->parts[element->index].is_listed = is_listed;
		if (is_listed)
			slurm_release(slurm, element);
	}
}

/* Look at the queue, and at the results of what was in it before or is now. Listed first and read
 * then: what ends between these is read the next time. */
static int slurm_look(struct slurm *slurm, struct arena *arena, struct rondo_error *err)
{
	struct slurm_elements now;
	if (slurm_call_squeue(&slurm->job, arena, &now, err) < 0)
		return -1;
	slurm_parts_look(slurm, !now.n);
	slurm_mark(slurm, false);
	slurm->elements = now;
	slurm_mark(slurm, true);
	return 0;
}

/* Wait until the array has ended. What was listed last is kept in one arena while the next list is
 * made in the other. */
static int slurm_wait_array(struct slurm *slurm, struct rondo_error *err)
{
	struct arena arenas[2] = {0};
	int64_t answered_at_ms = clock_now_ms();
	int status = 0;
	for (size_t next = 0; !cancel_reason(slurm->cancel);) {
		int64_t asked_at_ms = clock_now_ms();
		arena_release(&arenas[next]);
		status = slurm_look(slurm, &arenas[next], err);
		if (status == 0 && !slurm->elements.n)
			break;
		if (status == 0) {
			answered_at_ms = clock_now_ms();
			next ^= 1;
		} else if (err->code != RONDO_ERROR_TRANSIENT ||
			asked_at_ms - answered_at_ms > PATIENCE_MS) {
			break;
		}
		int64_t wait_ms = POLL_MS + POLL_SHARE * (clock_now_ms() - asked_at_ms);
		slurm_pause(slurm, wait_ms < SLOWEST_POLL_MS ? wait_ms : SLOWEST_POLL_MS);
	}
	slurm->elements = (struct slurm_elements){0};
	arena_release(&arenas[0]);
	arena_release(&arenas[1]);
	return cancel_reason(slurm->cancel) ? cancel_error(slurm->cancel, err) : status;
}

static int slurm_wait(struct slurm *slurm, struct rondo_error *err)
{
	for (int round = 0;; round++) {
		size_t n;
		if (slurm_wait_array(slurm, err) < 0)
			return -1;
		const size_t *indices = slurm_parts_missing(slurm, &n);
		if (!n || round == MOST_RESUBMISSIONS)
			break;
		if (slurm_submit(slurm, indices, n, "once more ", err) < 0)
			return -1;
	}
	slurm_parts_end(slurm);
	slurm->progress->stopped = slurm_parts_left(slurm);
	return 0;
}

/* --- Its end --- */

/* A terminal that is closed leaves the jobs alone; any other signal means them, too. */
static void slurm_stop(struct slurm *slurm)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct slurm_elements elements = {.n = 1};
	struct rondo_error ignored;
	int64_t until_ms = clock_now_ms() + FAREWELL_MS;
	if (cancel_reason(slurm->cancel) == SIGHUP)
		return;
	slurm_call_scancel(&slurm->job);
	slurm_tell(slurm, arena_printf(slurm->arena, "job array %s is cancelled", slurm->job.id));
	while (elements.n && clock_now_ms() < until_ms) {
		if (slurm_call_squeue(&slurm->job, &scratch, &elements, &ignored) < 0)
			break;
		if (elements.n)
			poll(NULL, 0, POLL_MS);
	}
	slurm_parts_look(slurm, true);
}

static int slurm_finish(struct slurm *slurm, struct rondo_error *err)
{
	const char *predictions = slurm->options->predictions;
	if (run_batch_collect(slurm->batch->path, err) < 0)
		return -1;
	return predictions ? predictions_write(slurm->batch, predictions, err) : 0;
}

static void slurm_name(struct slurm *slurm)
{
	if (slurm->job.id)
		slurm->progress->slurm = arena_printf(slurm->arena, "job array %s", slurm->job.id);
}

static int slurm_follow(struct slurm *slurm, struct rondo_error *err)
{
	struct rondo_error failure;
	int status = slurm_wait(slurm, err);
	if (status < 0 && cancel_reason(slurm->cancel))
		slurm_stop(slurm);
	if (slurm_finish(slurm, status < 0 ? &failure : err) < 0)
		return -1;
	if (status < 0)
		error_help(err, "rondo batch '%s' --slurm goes on", slurm->progress->dir);
	slurm_measure(slurm);
	slurm_name(slurm);
	return status;
}

/* --- All of it --- */

/* A job that lives is waited for; else what is left is submitted. */
static int slurm_begin(struct slurm *slurm, struct rondo_error *err)
{
	struct slurm_elements elements = {0};
	if (slurm_job_read(slurm->batch->path, slurm->arena, &slurm->job) == 0 &&
		slurm_call_squeue(&slurm->job, slurm->arena, &elements, err) < 0)
		return -1;
	if (!elements.n && slurm_job_divide(slurm, err) < 0)
		return -1;
	slurm->parts = arena_alloc(slurm->arena, (slurm->job.n_parts + 1) * sizeof *slurm->parts);
	slurm_parts_look(slurm, true);
	if (slurm->view->begun)
		slurm->view->begun(slurm->view->owner, slurm->progress);
	if (!elements.n)
		return slurm_submit_first(slurm, err);
	slurm_tell(slurm,
		arena_printf(slurm->arena, "job array %s: attached to what was submitted", slurm->job.id));
	return 0;
}

static int slurm_work(struct slurm *slurm, struct rondo_error *err)
{
	slurm->started_at_ms = clock_now_ms();
	slurm->running = (struct batch_running){.name = "slurm", .started_at_ms = clock_now_ms()};
	slurm->progress->running = &slurm->running;
	if (slurm_check_keys(slurm, err) < 0 || slurm_begin(slurm, err) < 0)
		return -1;
	slurm_name(slurm);
	if (slurm->options->slurm.detach)
		return 0;
	if (slurm->job.id)
		return slurm_follow(slurm, err);
	return slurm_finish(slurm, err);
}

int run_batch_slurm(const struct batch_options *options, const struct batch_view *view,
	const struct cancel *cancel, struct arena *arena, struct batch_progress *ret_progress,
	struct rondo_error *err)
{
	struct batch_common common;
	struct batch_dir batch;
	struct slurm slurm = {.options = options,
		.common = &common,
		.batch = &batch,
		.view = view,
		.cancel = cancel,
		.progress = ret_progress,
		.arena = arena};
	*ret_progress = (struct batch_progress){.left_ms = -1};
	if (options->shard)
		return error_set(
			err, RONDO_ERROR_USAGE, "--slurm divides the batch itself, and takes no --shard");
	if (slurm_job_check(&options->slurm, err) < 0 || slurm_calls_check(err) < 0 ||
		batch_prepare(options, &ret_progress->dir, &common, arena, err) < 0)
		return -1;
	int status = batch_dir_look(&batch, ret_progress->dir, arena, err);
	if (status == 0)
		status = batch_dir_lock(&batch, "lock.slurm", err);
	if (status == 0)
		status = slurm_work(&slurm, err);
	batch_dir_close(&batch);
	return status;
}
