/* A run while it goes on: what its stages hand on to each other. Inside run/ only. */
#pragma once
#include "agents/agent.h"
#include "run/cast.h"
#include "run/journal/journal.h"
#include "run/journal/past.h"
#include "run/journal/paths.h"
#include "run/run.h"
#include "run/scenario/scenario.h"
#include "run/journal/states.h"
#include "run/report/tally.h"

struct run {
	struct scenario *scenario;
	const struct secrets *secrets;
	const char *path;            /* what is worked on, absolute: a directory or one program */
	bool has_site;               /* else nobody needs a checkout: the team only talks */
	bool has_suite;              /* else nothing is judged but by the team's own conditions */
	bool is_workspace;           /* made for this run out of the scenario */
	bool dry_run;
	const atomic_bool *stop_requested;
	const char *task;            /* of this chat; NULL: the scenario's, where nothing is said yet */
	bool has_begun;              /* the chat: what is on disk is worth keeping, whatever follows */
	struct run_result *result;
	struct arena *arena;         /* the caller's: result and all that lives as long as the run */
	struct context ctx;          /* record is the journal; cancel is `cancel` */
	struct cancel cancel;        /* child of the caller's, with the run's time limit */
	const struct context *outer;
	struct run_paths paths;
	struct journal journal;
	struct past *past;           /* what this run goes on with; NULL: it begins */
	bool is_rebuilding;          /* nothing is recorded: the journal has it already */
	bool desk_is_touched;        /* since its tree was kept last */
	struct object kept;          /* that tree */

	/* site.c: what is worked on, and where */
	struct repository *repository;
	struct base base;
	struct suite suite;
	struct protection protection;
	const char **paths_in_base;
	size_t n_paths_in_base;
	const char **dependencies;
	size_t n_dependencies;
	struct executor_plan executor;
	struct world world;
	struct world elsewhere;      /* the same, with the checkout at a path of its own */
	bool can_move;               /* the suite says the same there; false also where nobody has tried */
	struct workplace desk, *benches;
	size_t n_benches;
	struct agent_kit kit;

	/* baseline.c */
	struct arena *baseline_arenas;  /* one a report */
	struct test_report *reports;
	size_t n_reports;
	struct baseline baseline;

	/* cast.c, chat.c */
	struct cast cast;
	struct rondo_task_result task_result;
	struct tally tally;          /* of what is recorded */
	struct states states;        /* so too */
};

/* What a run is given. */
struct run_order {
	struct scenario *scenario;
	const struct secrets *secrets;
	const char *env_file; /* where the secrets come from, beside the environment; NULL: nowhere else */
	struct past *past;    /* borrowed; NULL: a new run */
	const char *dir;      /* of the past's run */
	struct journal *journal; /* the past's, locked; the run takes it over */
	bool dry_run;
	bool may_lack_task;   /* it may begin with none, or is given with each chat */
	const atomic_bool *stop_requested; /* for conditions of type external; NULL: nobody asks */
};

/* run.c: begin a run (order, directory, journal); end it (cast, checkouts, handles). Between them its stages. */
int run_begin(struct run *run, const struct run_order *order, const struct context *outer,
	struct arena *arena, struct run_result *result, struct rondo_error *err);
void run_end(struct run *run);

/* What is worked on, who works, and what fails there. ret_done is set where nothing is left to be done. */
int run_open(struct run *run, bool *ret_done, struct rondo_error *err);

/* The chat, and the judgement of what it came to. */
int run_talk(struct run *run, struct rondo_error *err);

/* Make ready for one more chat of a run, its number-th (from 1): a time limit and a branch of its own. */
int run_again(struct run *run, int number, struct rondo_error *err);

/* The last words on disk, also of a run that failed: `status` with err. Gives the status. */
int run_conclude(struct run *run, int status, struct rondo_error *err);

/* Conclude what was begun, and end it; a run in which nobody spoke, and that could not be carried out as it was ordered, leaves
 * nothing. Gives the status. */
int run_finish(struct run *run, bool begun, int status, struct rondo_error *err);

/* The event without keys; itself where there are none, else a copy in the arena. */
const struct rondo_event *run_redact(const struct run *run, const struct rondo_event *event, struct arena *arena);

/* fix.c: the scenario that the options of rondo fix mean. */
int fix_scenario(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err);

/* From the order to the result, whatever the outcome; as run_fix. */
int run_carry_out(const struct run_order *order, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err);

/* workspace.c: the files of a run without a repository, made; run->path is then where they lie. */
int workspace_make(struct run *run, struct rondo_error *err);
const char *workspace_path(const struct scenario *scenario, const char *path);

/* resume.c: the journal and directory of a run that broke off become this run's; and, once there is a team, what was said. */
int resume_begin(struct run *run, struct rondo_error *err);
int resume_chat(struct run *run, struct rondo_error *err);

/* Whether the journal has that event already. */
bool resume_has(const struct run *run, const struct rondo_event *event);

/* What run.start tells of where the run was begun, as JSON; the caller's. */
struct json *resume_origin(const struct run_order *order);

/* show.c: call `each` with every record of a run's journal, in order, until it returns non-zero. */
int run_records(const char *dir, int (*each)(void *owner, const struct json *record), void *owner, struct rondo_error *err);

/* keep.c: after something was carried out: keep what the desk holds now, where that is news; ret_tree: its name, or NULL. */
int keep_desk(struct run *run, const char **ret_tree, struct rondo_error *err);

/* Keep what is needed of the base; put back what was kept of a run that broke off. */
int keep_base(struct run *run, struct rondo_error *err);
int keep_restore_base(struct run *run, struct rondo_error *err);
int keep_restore_desk(struct run *run, struct rondo_error *err);

/* Open what is worked on: repository, base, suite. Cheap; enough for a dry run. */
int site_open(struct run *run, struct rondo_error *err);

/* Make the world, the desk and the benches. */
int site_furnish(struct run *run, struct rondo_error *err);

/* A checkout of `tree` below the run's work directory, with an executor in one of the run's worlds. */
int site_workplace(struct run *run, const struct world *world, const char *name, const struct object *tree,
	struct workplace *ret_workplace, struct rondo_error *err);
void site_leave(struct workplace *workplace);

void site_close(struct run *run);

/* Run the suite at the base, as often as test.repeat says, or take what it said before the run broke off. Where it is already
 * clear what comes of the run, ret_done is set with the outcome. */
int baseline_run(struct run *run, bool *ret_done, struct rondo_error *err);

/* Make the team, with its models and their keys, which fail here and not after a long baseline. Its agents speak only in
 * chat_run. */
int chat_prepare(struct run *run, struct rondo_error *err);

/* Let its agents make ready what they need, behind site_furnish. */
int chat_start(struct run *run, struct rondo_error *err);

/* Let the team work until it stops. A limit is not an error. */
int chat_run(struct run *run, struct rondo_error *err);

/* What was spent on models by now, as the result says it. */
void chat_take_costs(struct run *run);

/* The chat's summary. A model that cannot give one is told of, not an error. */
int run_sum_up(struct run *run, struct rondo_error *err);

/* unreachable.c: leave out of the goal what only the network could make pass. ret_problem: where nothing else fails, in words. */
int unreachable_set_apart(struct run *run, const char **ret_problem, struct rondo_error *err);

/* baseline_kept.c: what the runs of the baseline said, on disk for a run that goes on. */
int baseline_keep(const struct run *run, struct rondo_error *err);
int baseline_take(struct run *run, struct rondo_error *err);

/* Judge the best state of the desk in fresh checkouts; fills the result's outcome, reason and diff. ret_tree is what was judged. */
int gate_run(struct run *run, struct object *ret_tree, struct rondo_error *err);

/* Keep what the desk holds as the run's patch, unjudged: where there is no suite, or the run was stopped. */
int gate_harvest(struct run *run, struct object *ret_tree, struct rondo_error *err);

/* Check what the scenario asserts; what does not hold is the result's. */
void asserts_run(struct run *run);

/* Make the branch, write the patch, apply it: as the options say. */
int publish_run(struct run *run, const struct object *tree, struct rondo_error *err);

/* Whether what is to be written beside the branch can be, and bears a date; said before anything is run. */
int publish_check(const struct run *run, struct rondo_error *err);

/* Keep what a run of the suite said as junit-<stage>.xml: "before", "after". */
int publish_junit(const struct run *run, const char *stage, const struct test_report *report, struct rondo_error *err);

/* Whether the branch was made before the run broke off. */
bool publish_was_done(const struct run *run, struct object *ret_commit);

/* Keep the files that differ from the base, as `tree` has them. */
int publish_files(struct run *run, const struct object *tree, struct rondo_error *err);

/* report.json and report.md in the run's directory. */
int report_write(const struct run *run, const struct rondo_error *failure, struct rondo_error *err);

/* A text into a file of that name in the run's directory, without keys. */
int report_keep(const struct run *run, const char *name, const char *text, struct rondo_error *err);

/* report_text.c: report.md; appended. */
void report_text(const struct run_result *result, const struct rondo_error *failure, struct strbuf *sb);

/* Tell something that the user should know; it stands in the report, too. */
int run_notice(struct run *run, struct rondo_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
