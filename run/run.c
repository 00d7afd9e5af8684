/* A run, from its order to its end: run_carry_out reads top to bottom. */
#include "agents/trial/trial.h"
#include "base/clock.h"
#include "run/attempts/attempts.h"
#include "run/mcp/asking.h"
#include "run/stages.h"

/* Nobody speaks: somebody has made the change already. */
static int run_judge(struct run *run, struct rondo_error *err)
{
	struct run_report so_far;
	struct verdict_stage *verdict = arena_alloc(run->env.arena, sizeof *verdict);
	run->talk = arena_alloc(run->env.arena, sizeof *run->talk);
	if (verdict_reach_proposal(verdict, &run->env, run->site, run->baseline, &run->services, err) <
		0)
		return -1;
	run->verdict = verdict;
	if (!run->order.scenario->output.pull_request)
		return 0;
	run->publication = arena_alloc(run->env.arena, sizeof *run->publication);
	report_compose(run, &so_far);
	return publication_write_pull_request(run->publication, &run->env, &so_far, err);
}

static bool run_hit_time_limit(const struct run *run, const struct rondo_error *err)
{
	return err->code == RONDO_ERROR_CANCELLED && !cancel_reason(run->outer->cancel);
}

/* The time was over before anything was known of the tests. */
static int run_explain_limit(const struct run *run, struct rondo_error *err)
{
	if (!run->order.has_suite || !run_hit_time_limit(run, err))
		return -1;
	err->code = RONDO_ERROR_CANNOT_JUDGE;
	return error_help(err, "%s gives it more time", env_limit(&run->env, "time", "1h"));
}

int run_carry_out(struct order *order, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct run run;
	struct secrets secrets = {0};
	bool done = false;
	if (scenario_secrets(order->scenario, order->env_file, &secrets, err) < 0)
		return -1;
	order->secrets = &secrets;
	int status = run_begin(&run, order, ctx, arena, report, err);
	if (status == 0)
		status = run_open(&run, &done, err) < 0 ? run_explain_limit(&run, err) : 0;
	if (status == 0 && !done && run.attempts)
		status = attempts_run(run.attempts, err);
	else if (status == 0 && !done)
		status = order->proposal ? run_judge(&run, err) : run_talk(&run, NULL, err);
	return run_end(&run, status, err);
}

/* --- The team, its site and its baseline --- */

/* What is to be told before a long baseline. */
int run_tell_team(const struct run_env *env, struct components *components, struct rondo_error *err)
{
	for (size_t i = 0; i < components->n_models; i++)
		if (model_tell_price(components->models[i], &env->ctx, err) < 0)
			return -1;
	return talk_announce_humans(env, components, err);
}

int run_make_team(struct run *run, struct rondo_error *err)
{
	struct history *history = run->order.history;
	struct components *components = &run->components;
	if (run_is_many(run))
		return attempts_make(run, err);
	if (components_make(components, run->order.scenario, &run->services, run->order.secrets,
			history ? &history->replies : NULL, err) < 0)
		return -1;
	components->conditions_kit.stop_requested = run->order.stop_requested;
	if (talk_check_humans(&run->env, components, err) < 0)
		return -1;
	if (history && history->chat &&
		(history_recall(history, components, &run->recorder.tally, &run->recorder.states, err) <
				0 ||
			recorder_continue(&run->recorder, &run->env.paths, err) < 0))
		return -1;
	return run_tell_team(&run->env, components, err);
}

static int run_reach_site(struct run *run, struct rondo_error *err)
{
	run->site = arena_alloc(run->env.arena, sizeof *run->site);
	if (!run->order.has_site)
		return site_without(run->site, &run->env, err);
	if (site_open(run->site, &run->env, err) < 0)
		return -1;
	recorder_watch(&run->recorder, run->site);
	return 0;
}

/* What the scenario's file says in vain, and what is wrong with the file of keys. */
static int run_tell_notices(struct run *run, struct rondo_error *err)
{
	const struct option_strings *notices = &run->order.scenario->notices;
	const char *single = run->order.why_single;
	const char *warning = run->order.secrets ? run->order.secrets->warning : NULL;
	if ((warning && env_notice(&run->env, err, "%s", warning) < 0) ||
		(single && env_notice(&run->env, err, "%s", single) < 0))
		return -1;
	for (size_t i = 0; i < notices->n; i++)
		if (env_notice(&run->env, err, "%s", notices->items[i]) < 0)
			return -1;
	return 0;
}

int run_start_agents(struct run *run, struct rondo_error *err)
{
	for (size_t i = 0; i < run->components.n_agents; i++)
		if (agent_start(run->components.agents[i], &run->env.ctx, err) < 0)
			return -1;
	return 0;
}

/* Where candidates will be tried, tests are loaded while those of the goal run alone. */
static int run_load_trials(struct run *run, struct rondo_error *err)
{
	bool are_wanted = scenario_needs(run->order.scenario) & AGENT_NEEDS_TRIALS;
	run->services.trials = run->trials = trials_new(&run->services, NULL);
	if (!are_wanted || run->baseline->ending.is_set || run->baseline->is_recalled)
		return 0;
	if (run->baseline->result.n_groups)
		trials_aim(run->trials, &run->baseline->likeliest);
	return trials_load(run->trials, &run->env.ctx, err);
}

static int run_reach_baseline(struct run *run, struct rondo_error *err)
{
	struct baseline_stage *baseline = arena_alloc(run->env.arena, sizeof *baseline);
	run->baseline = baseline;
	if (baseline_run(baseline, &run->env, run->site, err) < 0)
		return -1;
	services_add_baseline(&run->services, &run->env, baseline);
	if (run_load_trials(run, err) < 0 ||
		baseline_settle(baseline, &run->env, &run->services, err) < 0)
		return -1;
	run->services.judges_whole = baseline->judges_whole;
	return 0;
}

int run_open(struct run *run, bool *ret_done, struct rondo_error *err)
{
	*ret_done = run->order.dry_run;
	if (run_reach_site(run, err) < 0 || run_tell_notices(run, err) < 0)
		return -1;
	if (run->order.dry_run)
		return 0;
	if (!run->components.team && !run->attempts && run_make_team(run, err) < 0)
		return -1;
	if (run->order.has_site) {
		if (site_furnish(run->site, &run->env, err) < 0)
			return -1;
		services_add_site(&run->services, &run->env, run->site);
		if (run->order.has_suite)
			asking_offer(run);
	}
	if (run_start_agents(run, err) < 0)
		return -1;
	if (run->order.has_suite && run_reach_baseline(run, err) < 0)
		return -1;
	if (run->order.ends_at_baseline && !run->baseline->ending.is_set)
		run->baseline->ending = (struct ending){.is_set = true, .outcome = RUN_TESTS_FAIL};
	*ret_done = run->baseline && run->baseline->ending.is_set;
	if (*ret_done && run->baseline->ending.outcome == RUN_NOTHING_FAILS)
		run_check_asserts(run);
	return 0;
}

/* --- Talk, verdict, publication --- */

/* The time limit ends the chat, not the judgement of what it came to. */
static int run_reach_talk(struct run *run, const char *task, struct rondo_error *err)
{
	bool continues = run->order.history && run->order.history->chat && !run->has_talked;
	struct talk_order wanted = {.task = task, .continues = continues};
	struct talk *talk = arena_alloc(run->env.arena, sizeof *talk);
	run->talk = talk;
	run->has_begun = run->has_talked = true;
	if (continues && run->order.has_site && recorder_restore(&run->recorder, run->site, err) < 0)
		return -1;
	if (talk_run(talk, &run->env, run->site, run->baseline, &run->components, &wanted, err) < 0) {
		if (!run_hit_time_limit(run, err))
			return -1;
		talk_cut_off(talk, &run->env);
	}
	run->env.ctx.cancel = run->outer->cancel;
	return 0;
}

/* Stopped from outside, or by a fault such as a model that is gone: what there is by now is kept,
 * and said. */
static int run_keep_unjudged(struct run *run, struct rondo_error *err)
{
	struct rondo_error ignored;
	struct verdict_stage kept = {.is_changed = false};
	if (!run->order.has_site ||
		verdict_keep_unjudged(&kept, &run->env, run->site, run->baseline, &ignored) < 0 ||
		!kept.is_changed)
		return -1;
	run->unjudged = arena_memdup(run->env.arena, &kept.change, sizeof kept.change);
	const char *help = arena_printf(run->env.arena, "%s%s", err->help, *err->help ? "; " : "");
	return error_help(
		err, "%sthe change so far, not judged, is kept in %s", help, kept.change.path);
}

int run_reach_verdict(struct run *run, struct rondo_error *err)
{
	struct verdict_stage *verdict = arena_alloc(run->env.arena, sizeof *verdict);
	if (verdict_reach(verdict, &run->env, run->site, run->baseline, &run->recorder.states,
			&run->talk->facts, &run->services, err) < 0)
		return -1;
	run->verdict = verdict;
	return 0;
}

int run_publish(struct run *run, struct rondo_error *err)
{
	struct run_report so_far;
	struct publication *publication = arena_alloc(run->env.arena, sizeof *publication);
	run->publication = publication;
	report_compose(run, &so_far);
	return publication_make(publication, &run->env, run->site, &run->verdict->tree, &so_far, err);
}

/* Nothing can be judged: what was written is kept. */
static int run_keep_files(struct run *run, struct rondo_error *err)
{
	struct verdict_stage kept = {.is_changed = false};
	struct publication *publication = arena_alloc(run->env.arena, sizeof *publication);
	if (verdict_keep_unjudged(&kept, &run->env, run->site, NULL, err) < 0 ||
		publication_keep_files(publication, &run->env, run->site, &kept.tree, err) < 0)
		return -1;
	run->publication = publication;
	if (!kept.is_changed)
		return 0;
	run->unjudged = arena_memdup(run->env.arena, &kept.change, sizeof kept.change);
	return publication_copy_patch(publication, &run->env, run->unjudged, err);
}

static int run_use_talk(struct run *run, struct rondo_error *err)
{
	if (!run->order.has_site)
		return 0;
	if (!run->order.has_suite)
		return run_keep_files(run, err);
	if (run_reach_verdict(run, err) < 0)
		return -1;
	return run_outcome_is_verified(run->verdict->ending.outcome) ? run_publish(run, err) : 0;
}

int run_hear(struct run *run, const char *task, struct rondo_error *err)
{
	if (run_reach_talk(run, task, err) < 0)
		return run_keep_unjudged(run, err);
	return talk_sum_up(
		run->talk, &run->env, &run->components, run->recorder.tally.last_model, &run->cancel, err);
}

int run_talk(struct run *run, const char *task, struct rondo_error *err)
{
	if (run_hear(run, task, err) < 0 || run_use_talk(run, err) < 0)
		return -1;
	run_check_asserts(run);
	return 0;
}

int run_again(struct run *run, int number, struct rondo_error *err)
{
	const char *branch = run->order.scenario->output.branch;
	cancel_release(&run->cancel);
	if (cancel_init(&run->cancel, run->outer->cancel, run->order.scenario->limits.time_ms, err) < 0)
		return -1;
	run->env.ctx.cancel = &run->cancel;
	run->started_at_ms = clock_now_ms();
	run->talk = NULL;
	run->verdict = NULL;
	run->publication = NULL;
	run->unjudged = NULL;
	run->asserts = (struct run_asserts){0};
	if (number == 1 || !run->site->facts.has_repository)
		return 0;
	run->site->branch = branch
		? arena_printf(run->env.arena, "%s-%d", branch, number)
		: arena_printf(run->env.arena, "rondo/%s-%d", run->env.paths.id, number);
	return repository_check_branch(run->site->repository, run->site->branch, err);
}
