/* Slurm's programs: libslurm is of one version of Slurm, and these are at each site. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/secrets.h"
#include "run/batch/slurm.h"

enum { CALL_MS = 60000, MOST_WORDS = 600, DEFAULT_ELEMENTS = 1001 };
#define LARGEST_ANSWER ((size_t)64 << 20)

/* --- Calling one --- */

int slurm_calls_check(struct rondo_error *err)
{
	static const char *const names[] = {"sbatch", "squeue", "scancel", "scontrol"};
	AUTO_ARENA scratch = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (file_search(&scratch, getenv("PATH"), names[i]))
			continue;
		error_set(err, RONDO_ERROR_USAGE, "--slurm needs Slurm's programs, and %s is not in PATH",
			names[i]);
		return error_help(
			err, "run it where jobs are submitted, or install Debian's package slurm-client");
	}
	return 0;
}

static void call_add(const char ***argv, size_t *n, const char *word, struct arena *arena)
{
	ARENA_PUSH(arena, *argv, *n, word);
}

/* "scancel --clusters=NAME" */
static const char **call_begin(
	const char *program, const struct slurm_job *job, size_t *ret_n, struct arena *arena)
{
	const char **argv = NULL;
	*ret_n = 0;
	call_add(&argv, ret_n, program, arena);
	if (job && job->cluster)
		call_add(&argv, ret_n, arena_printf(arena, "--clusters=%s", job->cluster), arena);
	return argv;
}

/* What mends itself: the controller is restarted, or has too much to do. */
static bool call_may_pass(const char *answer)
{
	static const char *const words[] = {"Unable to contact", "Socket timed out", "Zero Bytes",
		"Connection refused", "temporarily", "try again", "Communication connection failure"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(answer, words[i]))
			return true;
	return false;
}

/* "sbatch: error: " before each line says nothing; the lines become one. */
static const char *call_words(const char *program, const char *answer, struct arena *arena)
{
	AUTO_STRBUF words = STRBUF_INIT(MOST_WORDS);
	const char *at = answer, *end = at + strlen(at), *line;
	const char *prefixes[] = {arena_printf(arena, "%s: ", program), "error: ", "fatal: "};
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
			if (text_n_starts_with(line, n, prefixes[i])) {
				line += strlen(prefixes[i]);
				n -= strlen(prefixes[i]);
			}
		if (n)
			strbuf_addf(&words, "%s%.*s", words.length ? "; " : "", (int)n, line);
	}
	strbuf_mark_cut(&words);
	return arena_strdup(arena, words.length ? words.text : "it printed nothing");
}

/* Jobs are waited for with patience, and programs are not: each answers within a minute. */
static int call_run_in(const char *const *env, const char **argv, size_t n, struct strbuf *answer,
	struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct process_result result;
	char text[128];
	const char *program = argv[0];
	call_add(&argv, &n, NULL, &scratch);
	argv[0] = file_search(&scratch, getenv("PATH"), program);
	if (!argv[0])
		return slurm_calls_check(err);
	struct process_options options = {
		.argv = argv, .env = env, .timeout_ms = CALL_MS, .output = answer};
	if (process_run(&options, &result, err) < 0)
		return -1;
	if (result.end == PROCESS_EXITED && result.exit_code == 0)
		return 0;
	bool may_pass = result.end != PROCESS_EXITED || call_may_pass(answer->text);
	return error_set(err, may_pass ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE, "%s: %s: %s",
		program, process_describe(&result, text, sizeof text),
		call_words(program, answer->text, &scratch));
}

static int call_run(const char **argv, size_t n, struct strbuf *answer, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	return call_run_in(secrets_free_environment(&scratch), argv, n, answer, err);
}

/* --- sbatch --- */

/* Only these go into a job's environment, which Slurm keeps in files of its own. */
static bool sbatch_exports(const char *name)
{
	static const char *const names[] = {
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "LD_LIBRARY_PATH"};
	static const char *const beginnings[] = {"RONDO_", "LC_", "SLURM_", "SBATCH_"};
	if (text_ends_with(name, "_API_KEY") || strcmp(name, "RONDO_CORES") == 0)
		return false;
	if (text_in(names, ARRAY_SIZE(names), name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_starts_with(name, beginnings[i]))
			return true;
	return text_starts_with(name, "XDG_") &&
		(text_ends_with(name, "_HOME") || text_ends_with(name, "_DIRS"));
}

/* sbatch itself gets no more, and exports all. If it were told which to export, each job would
 * begin with a login shell, for the rest. */
static const char *const *sbatch_environment(struct arena *arena)
{
	extern char **environ;
	const char **env = NULL;
	size_t n = 0;
	for (char **entry = environ; *entry; entry++)
		if (sbatch_exports(arena_strndup(arena, *entry, strcspn(*entry, "="))))
			ARENA_PUSH(arena, env, n, *entry);
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

/* Of what sites print besides, the line "1234" or "1234;CLUSTER" is the answer. */
static bool sbatch_read(const char *answer, struct arena *arena, struct slurm_job *job)
{
	const char *at = answer, *end = at + strlen(at), *line;
	bool found = false;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		size_t digits = strspn(line, "0123456789");
		if (!digits || digits > n || (digits < n && line[digits] != ';'))
			continue;
		job->id = arena_strndup(arena, line, digits);
		job->cluster =
			digits + 1 < n ? arena_strndup(arena, line + digits + 1, n - digits - 1) : NULL;
		found = true;
	}
	return found;
}

int slurm_call_sbatch(const struct option_strings *arguments, struct arena *arena,
	struct slurm_job *job, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_LINE);
	size_t n;
	const char **argv = call_begin("sbatch", NULL, &n, &scratch);
	for (size_t i = 0; i < arguments->n; i++)
		call_add(&argv, &n, arguments->items[i], &scratch);
	if (call_run_in(sbatch_environment(&scratch), argv, n, &answer, err) < 0)
		return -1;
	if (sbatch_read(answer.text, arena, job))
		return 0;
	return error_set(err, RONDO_ERROR_TRANSIENT, "sbatch did not say the job's id: %s",
		call_words("sbatch", answer.text, &scratch));
}

/* --- squeue --- */

/* States of jobs that are on a node; what is in none of these waits for one. */
static bool state_runs(const char *state)
{
	static const char *const words[] = {
		"RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i], state) == 0)
			return true;
	return false;
}

/* "12  0  PENDING  Resources"; a reason may have spaces. */
static bool squeue_read_line(
	const char *line, size_t n, struct arena *arena, struct slurm_element *element)
{
	const char *text = arena_strndup(arena, line, n);
	int at = 0;
	if (sscanf(text, "%zu %zu %n", &element->index, &element->n_restarts, &at) < 2 || !at)
		return false;
	size_t state = strcspn(text + at, " ");
	const char *reason = text + at + state + strspn(text + at + state, " ");
	if (!*reason)
		return false;
	element->runs = state_runs(arena_strndup(arena, text + at, state));
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&words, reason);
	strbuf_rtrim(&words);
	element->reason = arena_strdup(arena, words.text);
	return true;
}

int slurm_call_squeue(const struct slurm_job *job, struct arena *arena,
	struct slurm_elements *ret_elements, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF answer = STRBUF_INIT(LARGEST_ANSWER);
	const char *const words[] = {"--noheader", "--array",
		"--Format=ArrayTaskID:12,RestartCnt:12,State:24,Reason:64", "--jobs", job->id};
	struct slurm_elements found = {0};
	struct slurm_element element;
	size_t n;
	const char **argv = call_begin("squeue", job, &n, &scratch);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		call_add(&argv, &n, words[i], &scratch);
	int status = call_run(argv, n, &answer, err);
	if (status < 0 && !strstr(answer.text, "Invalid job id"))
		return -1;
	const char *at = answer.text, *end = at + answer.length, *line;
	while (status == 0 && (line = text_next_line(&at, end, &n))) {
		if (!squeue_read_line(line, n, arena, &element))
			continue;
		ARENA_PUSH(arena, found.items, found.n, element);
		found.n_running += element.runs;
	}
	*ret_elements = found;
	return 0;
}

/* --- scontrol, scancel --- */

int slurm_call_most_elements(size_t *ret_n, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_TEXT);
	size_t n, most = DEFAULT_ELEMENTS;
	const char **argv = call_begin("scontrol", NULL, &n, &scratch);
	call_add(&argv, &n, "show", &scratch);
	call_add(&argv, &n, "config", &scratch);
	if (call_run(argv, n, &answer, err) < 0)
		return -1;
	const char *found = strstr(answer.text, "MaxArraySize");
	if (found)
		sscanf(found, "MaxArraySize = %zu", &most);
	if (most < 2)
		return error_set(
			err, RONDO_ERROR_USAGE, "this Slurm takes no arrays of jobs (MaxArraySize %zu)", most);
	*ret_n = most; /* the largest index is one less */
	return 0;
}

void slurm_call_scancel(const struct slurm_job *job)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error ignored;
	size_t n;
	const char **argv = call_begin("scancel", job, &n, &scratch);
	call_add(&argv, &n, job->id, &scratch);
	call_run(argv, n, &answer, &ignored);
}

/* Slurm holds for two minutes what it requeues. */
void slurm_call_release(const struct slurm_job *job, size_t index)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error ignored;
	size_t n;
	const char **argv = call_begin("scontrol", job, &n, &scratch);
	call_add(&argv, &n, "update", &scratch);
	call_add(&argv, &n, arena_printf(&scratch, "jobid=%s_%zu", job->id, index), &scratch);
	call_add(&argv, &n, "StartTime=now", &scratch);
	call_run(argv, n, &answer, &ignored);
}
