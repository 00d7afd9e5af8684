/* The baseline of a run: what its suite says of the base, before any coder speaks. Inside run/
 * only. */
#pragma once
#include "run/site/site.h"

struct baseline_stage {
	struct baseline_facts facts;
	struct suite suite;   /* the site's, in the format that the base settled */
	struct arena *arenas; /* one a report */
	struct test_report *reports;
	size_t n_reports;
	/* "posttest (npm run lint) ends with 1", where the suite's tests alone are run; or NULL */
	const char *red_part;
	struct baseline result;
	struct baseline likeliest; /* the first of its groups, where there are several */
	bool judges_whole;         /* tests by themselves say something else than in their suite */
	bool leaves_builds_out;    /* what the user has built is damaged */
	bool is_recalled;          /* it comes from a run that broke off */
	bool is_cached;            /* it comes from another run */
	int64_t cached_ms;         /* when that run had it, since 1970 */
	const char *cache;         /* where it is, or is to be, for others; NULL: nobody asks */
	bool can_judge;            /* the suite works; else the ending says why not */
	struct ending ending;      /* set: nothing is left to be done, or nothing can be judged */
};

/* Run the suite at the base, as often as test.repeat says, or recall what it said before the run
 * broke off: goal and ending are then known. On failure close it, too. */
int baseline_run(struct baseline_stage *baseline, const struct run_env *env, struct site *site,
	struct rondo_error *err);

/* Run the goal's tests by themselves, and record the stage. `services` knows the baseline. Nothing
 * where it cannot be judged. */
int baseline_settle(struct baseline_stage *baseline, const struct run_env *env,
	const struct agent_services *services, struct rondo_error *err);

void baseline_close(struct baseline_stage *baseline);

/* Inside the stage. baseline_runs.c: the runs themselves, and whether the checkout's path matters
 * to them. */
int baseline_run_all(struct baseline_stage *baseline, const struct run_env *env, struct site *site,
	struct rondo_error *err);

/* baseline_damage.c: a line of the report that a damaged cache of builds may have caused, or NULL;
 * the archive in the user's package store that is not whole and may have, or NULL. */
const char *baseline_damage(const struct test_report *report, struct arena *arena);
const char *baseline_damaged_archive(
	const struct site *site, const struct test_report *report, struct arena *arena);

/* baseline_unreachable.c: leave out of the goal what only the network, or something that is to be
 * installed, could make pass. The stage ends where nothing else fails. */
int baseline_set_unreachable_apart(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err);

/* What to do about what the suite lacks: the command that gets it, and the same as a setup. */
const char *baseline_help(
	const struct run_env *env, const struct site *site, const struct lack *lack);

/* The file that a run did not find, which is in the user's checkout and not in the base, since git
 * ignores it; or NULL. */
const char *baseline_ignored_file(
	const struct site *site, const struct test_report *report, struct arena *arena);

/* baseline_groups.c: divide the goal into groups of one cause each, the likeliest to be mended
 * first. */
int baseline_divide(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err);

/* baseline_kept.c: the stage on disk, for a run that continues there. */
const char *baseline_path(const struct run_env *env);
int baseline_keep(const struct baseline_stage *baseline, const char *path, struct rondo_error *err);
int baseline_recall(struct baseline_stage *baseline, const struct run_env *env, const char *path,
	size_t n, struct rondo_error *err);

/* baseline_cache.c: the same for other runs. Take that of an earlier one, is_cached, where there is
 * one; and keep this one for later. */
int baseline_take_cached(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, size_t n, struct rondo_error *err);
int baseline_cache(
	const struct baseline_stage *baseline, const struct run_env *env, struct rondo_error *err);
