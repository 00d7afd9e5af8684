/* rondo batch: many tasks, one after the other and side by side. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/batch_screen.h"
#include "cli/session.h"

struct batch_command {
	struct batch_options batch;
	const char *task; /* a task's directory: run that alone */
	bool status, collect, slurm, json, quiet;
};

#define AT(member) offsetof(struct batch_command, member)
#define SETS(name, key, argument, help) FIX_SETS(AT(batch.fix), name, key, argument, help)
#define KEY(name, key, argument) FIX_KEY(AT(batch.fix), name, key, argument)

static const struct option options[] = {
	OPTION("out", STRING, AT(batch.out), "the batch's directory; else NAME.batch here",
		.argument = "DIR", .letter = 'o'),
	OPTION("jobs", INT, AT(batch.jobs), "so many tasks at once; else as many as there are cores",
		.argument = "N", .letter = 'j', .least = 1, .most = 10000),
	OPTION("shard", STRING, AT(batch.shard),
		"only part I of N of the tasks; array/N: I is that of a job of an array",
		.argument = "I/N"),
	OPTION("slurm", BOOL, AT(slurm), "let jobs of Slurm do it, and wait for them"),
	OPTION("per-job", INT, AT(batch.slurm.per_job),
		"with --slurm: tasks of each job; else so that there are at most 250 jobs", .argument = "N",
		.least = 1),
	OPTION("at-once", INT, AT(batch.slurm.at_once),
		"with --slurm: so many jobs at once; else as many as there is room for", .argument = "N",
		.least = 1),
	OPTION("slurm-option", STRINGS, AT(batch.slurm.options),
		"with --slurm: one more option of sbatch, such as --partition=cpu", .argument = "ARG"),
	OPTION("detach", BOOL, AT(batch.slurm.detach), "with --slurm: submit the jobs, do not wait"),
	OPTION("repositories", STRING, AT(batch.repositories),
		"where relative repositories lie; else beside the list of tasks", .argument = "DIR"),
	OPTION("total-tokens", INT, AT(batch.budget.tokens),
		"tokens that all tasks together may take; else no limit", .argument = "N", .least = 1),
	OPTION("total-cost", MONEY, AT(batch.budget.usd),
		"USD that all tasks together may cost; else no limit", .argument = "USD"),
	OPTION("predictions", STRING, AT(batch.predictions),
		"also write the patches in the form of SWE-bench's predictions", .argument = "FILE"),
	OPTION("status", BOOL, AT(status), "only show how far the batch in a directory is"),
	OPTION("collect", BOOL, AT(collect), "only write results.jsonl of what the parts have"),
	FIX_TEST_OPTIONS(AT(batch.fix)),
	FIX_SITE_OPTIONS(AT(batch.fix)),
	KEY("model", "model", "NAME"),
	KEY("coder", "coder", "WHICH"),
	OPTION("env-file", STRING, AT(batch.fix.env_file),
		"keys (NAME_API_KEY=...), beside those of the environment", .argument = "FILE"),
	SETS("limit", "limits", "NAME=N", "of each task, as of rondo fix: time=30m tokens=N cost=3"),
	KEY("seed", "seed", "N"),
	KEY("attempts", "attempts.n", "N"),
	KEY("select", "attempts.select", "WHICH"),
	OPTION("json", BOOL, AT(json), "results as JSON Lines, the whole last"),
	OPTION("quiet", BOOL, AT(quiet), "only the last lines", .letter = 'q'),
	OPTION("run-task", STRING, AT(task), "run the one task that lies in a directory of a batch",
		.argument = "DIR"),
	OPTION_END,
};

/* --- One task, for the process that watches over all --- */

struct task_teller {
	int64_t told_at_ms;
};

enum { TELL_MS = 500 };

/* The last line says what is done now. */
static void batch_tell(void *owner, const struct rondo_event *event)
{
	struct task_teller *teller = owner;
	const char *stage = run_stage(event);
	int64_t now_ms = clock_now_ms();
	if (event->type == RONDO_EVENT_TURN_START)
		printf("turn %d, %s\n", event->turn, event->source);
	else if (event->type == RONDO_EVENT_PROGRESS && event->source &&
		now_ms - teller->told_at_ms >= TELL_MS)
		printf("%s: %.*s\n", event->source, (int)strcspn(event->text, "\n"), event->text);
	else if (stage && event->type != RONDO_EVENT_PROGRESS)
		puts(stage);
	else
		return;
	teller->told_at_ms = now_ms;
	fflush(stdout);
}

static int batch_run_task(const char *dir, struct arena *arena, struct rondo_error *err)
{
	struct session session;
	struct task_teller teller = {0};
	if (session_begin(&session, &(struct session_options){.quiet = true}, err) < 0)
		return -1;
	session.ctx.emit = (struct context_emit){batch_tell, &teller};
	int status = run_batch_task(dir, &session.ctx, arena, err);
	run_screen_release(&session.view);
	return status;
}

/* --- All of them --- */

/* The program that is running now, also where it was started by a relative name. */
static const char *batch_program(struct arena *arena)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	return n > 0 ? arena_strndup(arena, path, (size_t)n) : "rondo";
}

enum { EXIT_TRANSIENT = 75 };

/* Slurm may requeue a job that ends so (RequeueExit). */
static bool batch_is_transient(
	const struct batch_command *command, const struct batch_progress *progress)
{
	const char *shard = command->batch.shard;
	return progress->n_may_pass && shard && text_starts_with(shard, "array/");
}

static int batch_exit_code(const struct batch_progress *progress)
{
	return progress->n_verified == progress->n ? 0 : 1;
}

static int batch_look(struct batch_command *command, struct batch_screen *screen,
	struct arena *arena, struct rondo_error *err)
{
	struct batch_progress progress;
	struct batch_view view = batch_screen_view(screen);
	const char *dir = command->batch.tasks;
	if (run_batch_status(dir, &view, arena, &progress, err) < 0)
		return -1;
	/* What was told is in it, also where jobs end meanwhile. */
	if (command->collect && run_batch_collect(dir, err) < 0)
		return -1;
	batch_screen_end(screen, &progress);
	return batch_exit_code(&progress);
}

static int batch_check(const struct batch_command *command, struct rondo_error *err)
{
	const struct batch_slurm *slurm = &command->batch.slurm;
	const char *name = slurm->per_job ? "per-job"
		: slurm->at_once              ? "at-once"
		: slurm->options.n            ? "slurm-option"
		: slurm->detach               ? "detach"
									  : NULL;
	if (command->slurm || !name)
		return 0;
	return error_set(err, RONDO_ERROR_USAGE, "--%s is for --slurm, which is not given", name);
}

CLI_RUN(batch)
{
	struct batch_command *command = state;
	struct batch_screen screen = {.json = command->json, .quiet = command->quiet};
	struct batch_progress progress;
	struct session session;
	if (command->task)
		return batch_run_task(command->task, arena, err);
	if (!operands->n) {
		error_set(err, RONDO_ERROR_USAGE, "rondo batch needs tasks: a file or a directory");
		return error_help(err, "rondo batch --help");
	}
	if (batch_check(command, err) < 0)
		return -1;
	command->batch.tasks = operands->items[0];
	command->batch.program = batch_program(arena);
	if (command->status || command->collect)
		return batch_look(command, &screen, arena, err);
	if (session_begin(&session, &(struct session_options){.quiet = true}, err) < 0)
		return -1;
	struct batch_view view = batch_screen_view(&screen);
	int status = (command->slurm ? run_batch_slurm : run_batch)(
		&command->batch, &view, session.ctx.cancel, arena, &progress, err);
	screen_live_end(&screen.screen);
	screen_release(&screen.screen);
	run_screen_release(&session.view);
	if (status < 0) {
		screen_error(err);
		return run_error_exit_code(err, session.ctx.cancel);
	}
	if (command->batch.slurm.detach) {
		batch_screen_detach(&screen, &progress);
		return 0;
	}
	batch_screen_end(&screen, &progress);
	return batch_is_transient(command, &progress) ? EXIT_TRANSIENT : batch_exit_code(&progress);
}

const struct cli_command batch_command = {
	.name = "batch",
	.summary = "run many tasks: repositories, rows of a data set, a scenario's variants",
	.usage = "TASKS|DIR [options]",
	.details =
		"TASKS is a file with a JSON object a line, a scenario with 'batch', or a directory of\n"
		"repositories. Each task is a run of rondo fix (or of the scenario) in a process of its\n"
		"own. What comes of them is kept in a directory; rondo batch DIR goes on with it after a\n"
		"kill, and skips what has ended.\n"
		"\n"
		"  {\"repository\": \"shop\", \"test\": \"pytest -q\", \"goal\": [\"test_total\"]}\n"
		"\n"
		"Keys of a line: name, repository, commit, test_patch, test, goal, task, setup, model, "
		"coder,\n"
		"branch, limits, set. SWE-bench's names for them are understood, too.\n"
		"\n"
		"  rondo batch repositories/            each repository in this directory\n"
		"  rondo batch tasks.jsonl -j 8         eight at once\n"
		"  rondo batch tasks.jsonl --shard 2/4  the second of four machines\n"
		"  rondo batch tasks.jsonl --slurm      jobs of Slurm, on a disk that all nodes see\n"
		"  rondo batch --status tasks.batch     how far it is\n"
		"\n"
		"With --slurm, a budget is divided evenly among the jobs, and keys come by --env-file "
		"only.\n",
	.state_size = sizeof(struct batch_command),
	.options = options,
	.most_operands = 1,
	.run = batch_run,
};
