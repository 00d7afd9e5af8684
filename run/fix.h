/* A fix while it runs: what its stages hand on to each other. Inside run/ only. */
#pragma once
#include "agents/agent.h"
#include "run/journal.h"
#include "run/limits.h"
#include "run/paths.h"
#include "run/run.h"
#include "team/team.h"

struct fix_run {
	const struct fix_options *options;
	struct fix_result *result;
	struct arena *arena;         /* the caller's: result and all that lives as long as the run */
	struct context ctx;          /* record is the journal; cancel is `cancel` */
	struct cancel cancel;        /* child of the caller's, with the run's time limit */
	const struct context *outer;
	struct limits limits;
	const char *path;            /* what is to be fixed, absolute */
	struct run_paths paths;
	struct journal journal;

	/* site.c: what is worked on, and where */
	struct repository *repository;
	struct base base;
	struct suite suite;
	struct protection protection;
	const char **paths_in_base;
	size_t n_paths_in_base;
	const char **dependencies;
	size_t n_dependencies;
	const struct executor_type *executor_type;
	struct world world;
	struct workplace desk, *benches;
	size_t n_benches;
	struct agent_kit kit;

	/* baseline.c */
	struct arena baseline_arenas[2];
	struct test_report reports[2];
	struct baseline baseline;

	/* chat.c */
	struct team *team;
	struct agent *agents[3];
};

/* fix.c: begin a run (options, directory, journal); end it (checkouts, handles). Between them its stages. */
int fix_begin(struct fix_run *run, const struct fix_options *options, const struct context *outer,
	struct arena *arena, struct fix_result *result, struct rondo_error *err);
void fix_end(struct fix_run *run);

/* Open what is to be fixed: repository, base, suite. Cheap; enough for a dry run. */
int site_open(struct fix_run *run, struct rondo_error *err);

/* Make the world, the desk and the benches. */
int site_furnish(struct fix_run *run, struct rondo_error *err);

/* A checkout of `tree` below the run's work directory, with an executor, as programs find it. */
int site_workplace(struct fix_run *run, const char *name, const struct object *tree,
	struct workplace *ret_workplace, struct rondo_error *err);
void site_leave(struct workplace *workplace);

void site_close(struct fix_run *run);

/* Run the suite twice at the base. Where it is already clear what comes of the run, ret_done is set with the outcome. */
int baseline_run(struct fix_run *run, bool *ret_done, struct rondo_error *err);

/* Let the team work until it stops. A limit is not an error. */
int chat_run(struct fix_run *run, struct rondo_error *err);
void chat_close(struct fix_run *run);

/* Judge the desk's state from a fresh checkout; fills the result's outcome, reason and diff. ret_tree is what was judged. */
int gate_run(struct fix_run *run, struct object *ret_tree, struct rondo_error *err);

/* Keep what the desk holds as the run's patch, unjudged: for a run that was stopped. */
int gate_harvest(struct fix_run *run, struct rondo_error *err);

/* Make the branch, write the patch, apply it: as the options say. */
int publish_run(struct fix_run *run, const struct object *tree, struct rondo_error *err);

/* The goal's tests and the flaky ones, as the journal and the report hold them. */
void report_add_goal(struct json *to, const struct fix_result *result);

/* report.json and report.md in the run's directory. */
int report_write(const struct fix_run *run, const struct rondo_error *failure, struct rondo_error *err);

/* Tell something that the user should know; it stands in the report, too. */
int fix_notice(struct fix_run *run, struct rondo_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
