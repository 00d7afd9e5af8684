/* What is to be run, and how: the first stage of a run. It never changes afterwards. Inside run/
 * only. */
#pragma once
#include "run/run.h"
#include "run/scenario/scenario.h"

struct history;
struct journal;

/* A change that somebody else made, to be judged: no team speaks. */
struct proposal {
	/* what is judged: a revision; or a patch of n bytes, which came from a file of that name; both
	 * NULL: the uncommitted work */
	const char *revision, *patch, *patch_name;
	bool may_be_file; /* the revision was typed where the name of a file may stand, too */
	size_t n;
	/* a revision that it is compared with; NULL: where it branched off, or HEAD */
	const char *base;
	struct option_strings fixed; /* tests that must fail at the base and pass with it */
};

struct order {
	struct scenario *scenario; /* resolved; its specs hold the things that are made of them */
	const struct secrets *secrets;
	/* where secrets come from, beside the environment; NULL: nowhere else */
	const char *env_file;
	const atomic_bool *stop_requested; /* for conditions of type external; NULL: nobody asks */
	bool dry_run;
	bool force;         /* files of the user's may be overwritten by those of the run */
	const struct proposal *proposal; /* NULL: a team makes the change */
	bool ends_at_baseline;           /* nobody speaks, and nothing is judged */
	const struct option_strings *within; /* as of fix_options */
	/* a cached baseline must not be older, in ms since 1970; 0: it may */
	int64_t cached_since_ms;
	bool may_lack_task; /* the run may begin with none, or gets one with each chat */

	struct history *history; /* of the run that this one continues; NULL: it begins */
	const char *dir;         /* that run's directory */
	struct journal *journal; /* and its journal, locked: the run takes it over */

	/* order_check fills in the rest */
	/* the user's directory that stands for the workspace: its files come in, what is written goes
	 * out. It may not be there yet; NULL: there is none */
	const char *work_dir;
	/* what is worked on: a directory or one program, absolute; NULL: a workspace is made */
	const char *path;
	bool has_site;  /* else nobody needs a checkout: the team only talks */
	bool has_suite; /* else nothing is judged but by the team's own conditions */
	struct executor_plan executor;
	size_t n_attempts;      /* conversations; as the scenario says, or 1 */
	const char *why_single; /* where the scenario says more; NULL: nothing to be told */
};

/* Resolve paths, and refuse what cannot be carried out, before anything is written. Texts lie in
 * the arena. */
int order_check(struct order *order, struct arena *arena, struct rondo_error *err);

/* That a file, by its absolute path, can be written where it is wanted; NULL is none. */
int order_check_file(const char *path, struct arena *arena, struct rondo_error *err);

/* The scenario that the options of rondo fix mean. */
int order_fix_scenario(struct scenario *scenario, const struct fix_options *options,
	struct arena *arena, struct rondo_error *err);

/* The configuration and the options of rondo fix, without a team. */
int order_read_options(struct scenario *scenario, const struct fix_options *options,
	struct arena *arena, struct rondo_error *err);

/* A team in the words of a scenario file. */
void order_read_team(struct scenario *scenario, const char *team);

/* What run.start records of where the run was begun, as JSON; the caller's. */
struct json *order_origin(const struct order *order);

/* The scenario as it was resolved when the run in `dir` began, with what order_origin recorded. */
int order_recall_scenario(struct scenario *scenario, const struct json *origin, const char *dir,
	struct arena *arena, struct rondo_error *err);

/* A path of the scenario: relative names begin where its file lies, or for rondo fix in the current
 * directory. */
const char *order_path(const struct scenario *scenario, const char *path);
