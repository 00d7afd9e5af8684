/* An array of jobs is written down, submitted, and remembered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/slurm.h"

#define LARGEST_JOB ((size_t)1 << 20)
enum { DEFAULT_PARTS = 250 };

/* --- job.json --- */

int slurm_job_read(const char *dir, struct arena *arena, struct slurm_job *job)
{
	AUTO_JSON *json = json_read(arena_printf(arena, "%s/slurm/job.json", dir), LARGEST_JOB);
	const char *id = json_string(json, "job", NULL);
	int64_t n_parts = json_int(json, "parts", 0);
	*job = (struct slurm_job){.id = NULL};
	/* It becomes an argument, which may be no option. */
	if (!id || !*id || id[strspn(id, "0123456789")] || n_parts <= 0)
		return -1;
	job->id = arena_strdup(arena, id);
	job->cluster = arena_strdup(arena, json_string(json, "cluster", NULL));
	job->n_parts = (size_t)n_parts;
	return 0;
}

static int job_write(const struct slurm *slurm, struct rondo_error *err)
{
	char date[CLOCK_DATE_SIZE];
	AUTO_JSON *json = json_object();
	clock_format_date(clock_date_ms(), date);
	json_add_string(json, "job", slurm->job.id);
	json_add_string(json, "cluster", slurm->job.cluster);
	json_add_int(json, "parts", (int64_t)slurm->job.n_parts);
	json_add_string(json, "submitted_at", date);
	AUTO_FREE char *text = json_print_pretty(json);
	return file_write(arena_printf(slurm->arena, "%s/slurm/job.json", slurm->batch->path), text,
		strlen(text), 0600, err);
}

/* --- Into how many parts --- */

int slurm_job_divide(struct slurm *slurm, struct rondo_error *err)
{
	size_t n = slurm->batch->n, most, per_job = (size_t)slurm->options->slurm.per_job;
	if (slurm->job.n_parts && !per_job)
		return 0;
	if (slurm_call_most_elements(&most, err) < 0)
		return -1;
	size_t n_parts = per_job ? (n + per_job - 1) / per_job : n < DEFAULT_PARTS ? n : DEFAULT_PARTS;
	if (n_parts > most && per_job) {
		error_set(err, RONDO_ERROR_USAGE,
			"--per-job %zu makes %zu jobs, and this Slurm takes at most %zu in an array "
			"(MaxArraySize)",
			per_job, n_parts, most);
		return error_help(err, "--per-job %zu", (n + most - 1) / most);
	}
	slurm->job.n_parts = n_parts > most ? most : n_parts;
	return 0;
}

/* Several hosts share no counter: so each part has an even share from the beginning. */
struct batch_budget slurm_job_share(const struct slurm *slurm)
{
	struct batch_budget share = slurm->common->budget;
	int64_t n = (int64_t)slurm->job.n_parts;
	if (share.tokens)
		share.tokens = share.tokens > n ? share.tokens / n : 1;
	share.usd /= (double)n;
	return share;
}

/* --- job.sh --- */

static void script_add_command(struct strbuf *script, const struct slurm *slurm)
{
	struct batch_budget share = slurm_job_share(slurm);
	const char *const words[] = {slurm->options->program, "batch", slurm->batch->path};
	strbuf_adds(script, "exec");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		strbuf_addc(script, ' ');
		strbuf_add_word(script, words[i]);
	}
	strbuf_addf(script, " --shard array/%zu --jobs %lld", slurm->job.n_parts,
		(long long)(slurm->common->jobs ? slurm->common->jobs : 1));
	if (share.tokens)
		strbuf_addf(script, " --total-tokens %lld", (long long)share.tokens);
	if (share.usd > 0)
		strbuf_addf(script, " --total-cost %.9f", share.usd);
	strbuf_adds(script, " --quiet\n");
}

/* rondo takes the shell's place: what is killed must be what says how it ended. A job that Slurm
 * begins again and again because its node dies is stopped by what it wrote down itself. */
static int script_write(const struct slurm *slurm, const char *path, struct rondo_error *err)
{
	AUTO_STRBUF script = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&script,
		"#!/bin/sh\n# A job of the array of rondo batch: job I works on part I + 1 "
		"of %zu.\nstarts=",
		slurm->job.n_parts);
	strbuf_add_word(&script, slurm->batch->path);
	strbuf_addf(&script,
		"/slurm/$SLURM_ARRAY_TASK_ID.starts\n"
		"echo \"$(date -u +%%FT%%TZ) ${SLURMD_NODENAME:-?} job $SLURM_ARRAY_JOB_ID restart "
		"${SLURM_RESTART_COUNT:-0}\" >>\"$starts\" || exit\n"
		"if [ \"$(wc -l <\"$starts\")\" -gt %d ]; then\n"
		"\techo \"this part has begun %d times before, and begins no more\" >&2\n"
		"\texit 1\n"
		"fi\n"
		"export RONDO_CORES=\"${SLURM_CPUS_ON_NODE:-1}\"\n",
		SLURM_MOST_STARTS, SLURM_MOST_STARTS);
	script_add_command(&script, slurm);
	return file_write(path, script.text, script.length, 0700, err);
}

/* --- What sbatch is told --- */

/* "--array=0-4,7%50" */
static const char *job_array(
	const struct slurm *slurm, const size_t *indices, size_t n, struct arena *arena)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0, last; i < n; i = last + 1) {
		for (last = i; last + 1 < n && indices[last + 1] == indices[last] + 1;)
			last++;
		strbuf_addf(&list, "%s%zu", list.length ? "," : "", indices[i]);
		if (last > i)
			strbuf_addf(&list, "-%zu", indices[last]);
	}
	if (slurm->options->slurm.at_once)
		strbuf_addf(&list, "%%%lld", (long long)slurm->options->slurm.at_once);
	return arena_printf(arena, "--array=%s", list.text);
}

/* Slurm replaces %x in the name of a file. */
static const char *job_output(const struct slurm *slurm, struct arena *arena)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = slurm->batch->path; *at; at++)
		strbuf_addf(&path, *at == '%' ? "%%%%" : "%c", *at);
	return arena_printf(arena, "--output=%s/slurm/%%a.log", path.text);
}

/* What rondo says itself; a shortened name counts as the whole one. */
static bool option_is_own(const char *said)
{
	static const char *const names[] = {
		"--array", "--export", "--export-file", "--output", "--parsable", "--wait", "--wrap"};
	size_t n = strcspn(said, "=");
	if (text_starts_with(said, "-a") || text_starts_with(said, "-o"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (n >= strlen("--ar") && strncmp(names[i], said, n) == 0)
			return true;
	return strcmp(said, "-W") == 0;
}

int slurm_job_check(const struct batch_slurm *options, struct rondo_error *err)
{
	for (size_t i = 0; i < options->options.n; i++) {
		const char *said = options->options.items[i];
		if (*said != '-') {
			error_set(err, RONDO_ERROR_USAGE, "'%s' is no option of sbatch", said);
			return error_help(err, "--slurm-option=--partition=cpu gives one, as one word");
		}
		if (option_is_own(said))
			return error_set(err, RONDO_ERROR_USAGE,
				"--slurm-option %s: rondo itself says this to sbatch", said);
	}
	return 0;
}

static void job_add(struct option_strings *arguments, const char *word, struct arena *arena)
{
	ARENA_PUSH(arena, arguments->items, arguments->n, word);
}

int slurm_job_submit(struct slurm *slurm, const size_t *indices, size_t n, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct option_strings arguments = {0};
	const struct option_strings *more = &slurm->options->slurm.options;
	const char *dir = arena_printf(&scratch, "%s/slurm", slurm->batch->path);
	const char *script = arena_printf(&scratch, "%s/job.sh", dir);
	if (file_make_dir(dir, 0700, err) < 0 || script_write(slurm, script, err) < 0)
		return -1;
	job_add(&arguments, "--parsable", &scratch);
	job_add(&arguments, "--job-name=rondo", &scratch);
	job_add(&arguments, "--requeue", &scratch);
	job_add(&arguments, "--open-mode=append", &scratch);
	job_add(&arguments, "--chdir=/", &scratch);
	if (slurm->common->jobs > 1)
		job_add(&arguments,
			arena_printf(&scratch, "--cpus-per-task=%lld", (long long)slurm->common->jobs),
			&scratch);
	for (size_t i = 0; i < more->n; i++)
		job_add(&arguments, more->items[i], &scratch);
	job_add(&arguments, job_array(slurm, indices, n, &scratch), &scratch);
	job_add(&arguments, job_output(slurm, &scratch), &scratch);
	job_add(&arguments, "--export=ALL", &scratch); /* of what sbatch gets */
	job_add(&arguments, script, &scratch);
	if (slurm_call_sbatch(&arguments, slurm->arena, &slurm->job, err) < 0)
		return error_help(err,
			"--slurm-option=ARG says what this site wants besides; '%s' is the "
			"script",
			script);
	return job_write(slurm, err);
}
