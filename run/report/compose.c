/* The report of a run, composed of its stages: the one place that says what came of it. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "chat/usage.h"
#include "run/attempts/attempts.h"
#include "run/stages.h"

/* --- What was spent on models --- */

static const char *compose_models(const struct components *components, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < components->n_models; i++)
		if (components->models[i]->calls)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", components->models[i]->name);
	return names.length ? arena_strdup(arena, names.text) : NULL;
}

/* One of several attempts shares its budget, so its own events count. */
static void compose_counted(const struct run *run, struct run_spent *spent)
{
	char money[MONEY_SIZE];
	int64_t tokens;
	attempts_add_up(&run->recorder.tally, &tokens, &spent->cost_usd);
	for (size_t i = 0; i < spent->n_by_model; i++) {
		spent->calls += spent->by_model[i].calls;
		usage_add(&spent->usage, &spent->by_model[i].usage);
	}
	if (spent->calls)
		spent->text = arena_printf(run->env.arena, "%" PRId64 " tokens, %s%s", tokens,
			spent->cost_usd < 0 ? "cost unknown" : money_text(spent->cost_usd, money),
			spent->cost_usd < 0 ? "" : " USD");
}

static void compose_spent(struct run *run, struct run_spent *spent)
{
	struct components *components = &run->components;
	struct budget *budget = components->budget;
	struct tally *tally = &run->recorder.tally;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	*spent = (struct run_spent){.by_agent = tally->agents,
		.n_by_agent = tally->n_agents,
		.by_model = tally->models,
		.n_by_model = tally->n_models};
	if (!components->team)
		return;
	tally_price(tally, components->models, components->n_models);
	spent->models = compose_models(components, run->env.arena);
	if (run->number) {
		compose_counted(run, spent);
		return;
	}
	if (!budget->calls)
		return;
	budget_describe(budget, &text);
	spent->text = arena_strdup(run->env.arena, text.text);
	spent->calls = budget->calls;
	spent->usage = budget->usage;
	spent->cost_usd = budget->calls_of_unknown_cost ? -1 : budget->usd;
}

/* --- What came of it --- */

static struct ending compose_ending(const struct run *run)
{
	if (run->order.dry_run)
		return (struct ending){true, RUN_DRY_RUN, NULL, NULL};
	if (run->asserts.failed)
		return (struct ending){
			true, RUN_ASSERT_FAILED, "what the scenario asserts does not hold", NULL};
	if (run->verdict)
		return run->verdict->ending;
	if (run->talk && run->talk->ending.is_set)
		return run->talk->ending;
	return run->baseline ? run->baseline->ending
						 : (struct ending){false, RUN_NOT_FIXED, NULL, NULL};
}

/* Of the goal, in the best state that was seen; what the gate saw of a verified fix counts
 * alone. */
static size_t compose_fixed(const struct run *run)
{
	size_t seen = run->talk ? run->talk->facts.n_fixed : 0;
	if (!run->verdict)
		return seen;
	size_t judged = run->verdict->facts.n_fixed;
	bool is_verified = run_outcome_is_verified(run->verdict->ending.outcome);
	return is_verified || judged > seen ? judged : seen;
}

static const struct run_change *compose_change(const struct run *run)
{
	if (run->verdict)
		return run->verdict->is_changed ? &run->verdict->change : NULL;
	return run->unjudged;
}

/* --- For a dry run --- */

/* What the team and the executor say goes before the run's limits. */
static const char *compose_limits(const struct run *run)
{
	struct scenario_limits limits = run->order.scenario->limits;
	const struct team_options *team = run->order.scenario->team.common;
	if (team->max_turns)
		limits.turns = team->max_turns;
	if (run->order.executor.settings->timeout_ms)
		limits.block_ms = run->order.executor.settings->timeout_ms;
	const char *text = scenario_describe_limits(&limits, run->env.arena);
	if (!run_is_many(run))
		return text;
	const struct scenario_attempts *attempts = &run->order.scenario->attempts;
	return arena_printf(
		run->env.arena, "%s; attempts %" PRId64 ", select %s", text, attempts->n, attempts->select);
}

static void compose_add_team(
	struct strbuf *text, const struct scenario *scenario, const struct option_spec *team);

/* "coder (coder)", "desk (team of writer (coder), reviewer (coder))". */
static void compose_add_agent(
	struct strbuf *text, const struct scenario *scenario, const char *name)
{
	const struct option_spec *agent = scenario_find(&scenario->agents, name), *inner;
	const struct option *at = NULL;
	strbuf_addf(text, "%s (%s", name, agent->type.name);
	while ((inner = scenario_next_member(agent, OPTION_CHILD, &at)))
		if (at->family == &team_family && inner->common) {
			strbuf_adds(text, " of ");
			compose_add_team(text, scenario, inner);
		}
	strbuf_addc(text, ')');
}

/* "coder (coder), runner (executor); stops at text_mention". */
static void compose_add_team(
	struct strbuf *text, const struct scenario *scenario, const struct option_spec *team)
{
	const struct team_options *options = team->common;
	for (size_t i = 0; i < options->participants.n; i++) {
		strbuf_adds(text, i ? ", " : "");
		compose_add_agent(text, scenario, options->participants.items[i].name);
	}
	for (size_t i = 0; i < options->termination.n; i++)
		strbuf_addf(
			text, "%s %s", i ? " or" : "; stops at", options->termination.items[i].type.name);
}

static const char *compose_team(const struct run *run)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	compose_add_team(&text, run->order.scenario, &run->order.scenario->team);
	return arena_strdup(run->env.arena, text.text);
}

void report_compose(struct run *run, struct run_report *report)
{
	struct ending ending = compose_ending(run);
	bool has_baseline = run->baseline && run->baseline->can_judge;
	*report = (struct run_report){.outcome = ending.is_set ? ending.outcome : RUN_NOT_FIXED,
		.reason = ending.reason,
		.help = ending.help,
		.id = run->env.paths.dir ? run->env.paths.id : NULL,
		.dir = run->env.paths.dir,
		.name = run->site ? run->site->facts.name : NULL,
		.coder = run->order.scenario->coder,
		.proposal = run->site ? run->site->facts.proposal : NULL,
		.site = run->site ? &run->site->facts : NULL,
		.baseline = has_baseline ? &run->baseline->facts : NULL,
		.talk = run->talk ? &run->talk->facts : NULL,
		.verdict = run->verdict ? &run->verdict->facts : NULL,
		.change = compose_change(run),
		.publication = run->publication,
		.n_fixed = compose_fixed(run),
		.junit = run->baseline ? run->order.scenario->output.junit : NULL,
		.n_asserts = run->asserts.n,
		.failed_asserts = run->asserts.failed,
		.notices = *run->env.notices,
		.duration_ms = clock_now_ms() - run->started_at_ms};
	if (run->attempts)
		attempts_compose(run->attempts, report);
	else
		compose_spent(run, &report->spent);
	if (run->order.dry_run && run->order.scenario->team.common) {
		report->limits = compose_limits(run);
		report->team = compose_team(run);
	}
}
