/*
 * The verdict that an external agent asks for in its turn: the run's own gate on a tree of its
 * checkout. It is told, and nothing else comes of it. The hidden suite is left out, since no agent
 * may learn of it; so is the clean-up, since the tree is judged as it is.
 */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

/* How it ends, in words for who asked: options are the user's, so none is named. */
static void asked_conclude(struct verdict_stage *verdict, const struct verdict *judged,
	const struct baseline_stage *baseline, struct arena *arena)
{
	struct verdict_facts *facts = &verdict->facts;
	struct ending *ending = &verdict->ending;
	verdict_fill_facts(facts, judged, arena);
	facts->n_fixed += judged->comparison.n_also;
	facts->n_still_red = baseline->result.n_red + baseline->result.n_goal - facts->n_fixed;
	verdict_set_ending(verdict, judged, NULL);
	if (run_outcome_is_verified(ending->outcome))
		ending->reason = verdict_words(facts, arena);
	if (ending->outcome == RUN_NOT_FIXED)
		ending->outcome = RUN_NOT_VERIFIED;
	if (!ending->reason && !verdict->is_changed)
		ending->reason = "nothing has changed since the base";
	if (judged->n_protected)
		ending->help = "what is protected stays as it is: change the program";
}

static int asked_judge(struct verdict_stage *verdict, struct run_env *env, const struct run *run,
	const struct object *tree, struct rondo_error *err)
{
	struct verdict judged;
	struct diff diff;
	struct verdict_owner owner = {env, run->site};
	struct gate_settings settings = verdict_settings(env);
	struct gate gate = verdict_gate(&owner, run->baseline, &settings);
	settings.clean_up = false;
	settings.hidden = NULL;
	settings.suite_timeout_ms = run->services.suite_timeout_ms;
	settings.afresh_timeout_ms = services_afresh_ms(&run->services, env);
	settings.log_dir = arena_printf(env->arena, "%s/asked", env->paths.logs);
	if (file_make_dir(settings.log_dir, 0700, err) < 0 ||
		gate_judge(&gate, tree, &judged, err) < 0 ||
		repository_diff(
			run->site->repository, &run->site->base.tree, &judged.tree, env->arena, &diff, err) < 0)
		return -1;
	verdict->is_changed = diff.n;
	verdict->change.stat = verdict_stat(&diff, env->arena);
	asked_conclude(verdict, &judged, run->baseline, env->arena);
	return 0;
}

int verdict_reach_asked(const struct run *run, const struct object *tree, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct rondo_error *err)
{
	int64_t started_at_ms = clock_now_ms();
	struct verdict_stage *verdict = arena_alloc(arena, sizeof *verdict);
	struct option_strings notices = {0};
	struct run_env env = run->env;
	env.ctx = *ctx;
	env.arena = arena;
	env.notices = &notices;
	if (asked_judge(verdict, &env, run, tree, err) < 0)
		return -1;
	*report = (struct run_report){.outcome = verdict->ending.outcome,
		.reason = verdict->ending.reason,
		.help = verdict->ending.help,
		.site = &run->site->facts,
		.baseline = &run->baseline->facts,
		.verdict = &verdict->facts,
		.change = verdict->is_changed ? &verdict->change : NULL,
		.n_fixed = verdict->facts.n_fixed,
		.notices = notices,
		.duration_ms = clock_now_ms() - started_at_ms};
	return 0;
}
