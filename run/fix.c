/* rondo fix: a scenario made of its options. */
#include <string.h>

#include "base/memory.h"
#include "models/model.h"
#include "run/fix_coder.h"
#include "run/scenario/config.h"
#include "run/scenario/override.h"
#include "run/scenario/reader.h"
#include "run/stages.h"

#define REPAIR_BEFORE_MODEL_MS 10000 /* what it fixes then costs nothing */

/* The team, in the words of a scenario file. */
#define TEAM \
	"agents: {coder: %s, executor: {type: executor}, tester: {type: tester}}\n" \
	"team: {participants: [coder, executor, tester], termination: [tests_pass, external%s]}\n"
#define REPAIR "{type: repair, seed: '{{seed}}', take: '{{take}}'%s}"
#define SINCE ", since: '{{since}}'"
#define MODEL "{type: coder, model: '{{model}}'}"
/* A coder gives up by itself after three replies that come to nothing, and says why. */
#define STALL ", {no_progress: {repeats: 4}}"

void order_read_team(struct scenario *scenario, const char *team)
{
	struct arena *arena = scenario->arena;
	const char *const values[][2] = {
		{"seed", arena_printf(arena, "%lld", (long long)scenario->seed)},
		{"take", arena_printf(arena, "%lld", (long long)scenario->take)},
		{"since", scenario->since}, {"model", scenario->model}, {"coder", scenario->coder_said}};
	struct option_specs parameters = {.n = 0};
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct parameter *parameter = arena_alloc(arena, sizeof *parameter);
		parameter->value = values[i][1];
		ARENA_PUSH(arena, parameters.items, parameters.n,
			(struct option_spec){.name = values[i][0], .state = parameter});
	}
	struct problems problems = {.arena = arena};
	struct reader reader = {.arena = arena, .problems = &problems, .parameters = &parameters};
	struct yaml_node *root = yaml_read(team, strlen(team), "rondo fix", arena, &problems);
	reader_read(&reader, scenario_keys, scenario, root, NULL);
}

/* repair alone; or, with a model named, first repair and then the model; or the model alone; or
 * another program. */
static int fix_choose_team(struct scenario *scenario, struct rondo_error *err)
{
	struct arena *arena = scenario->arena;
	if (!fix_coder_is_own(scenario))
		return fix_coder_take(scenario, err);
	const char *repair = arena_printf(arena, REPAIR, scenario->since ? SINCE : "");
	if (!scenario->model || strcmp(scenario->coder_choice, "repair") == 0) {
		order_read_team(scenario, arena_printf(arena, TEAM, repair, ""));
		scenario->coder = "repair (no model)";
	} else if (strcmp(scenario->coder_choice, "model") == 0) {
		order_read_team(scenario, arena_printf(arena, TEAM, MODEL, STALL));
		scenario->coder = scenario->model;
	} else {
		const char *both = arena_printf(arena, "{type: sequence, agents: [%s, " MODEL "]}", repair);
		order_read_team(scenario, arena_printf(arena, TEAM, both, STALL));
		scenario->coder = arena_printf(arena, "repair, then %s", scenario->model);
		if (!scenario->limits.repair_ms)
			scenario->limits.repair_ms = REPAIR_BEFORE_MODEL_MS;
	}
	return 0;
}

/* --- Its model --- */

static int fix_check_model(const struct scenario *scenario, struct rondo_error *err)
{
	if (scenario->model)
		return scenario_check_model(scenario, scenario->model, err);
	if (strcmp(scenario->coder_choice, "model") != 0)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "the coder shall be a model, and none is named");
	return error_help(err, "rondo fix --model openai/gpt-5-mini, or 'model' in the configuration");
}

/* --- From options to a scenario --- */

/* What is changed of the executor belongs to the type that is wanted. */
static void fix_set_type(struct yaml_node *changes, const char *wanted, struct arena *arena)
{
	struct yaml_node *executor = yaml_find(changes, "executor");
	if (!wanted || !executor || executor->kind != YAML_MAP)
		return;
	struct yaml_node *type = override_child(executor, "type", "--executor", arena);
	type->kind = YAML_SCALAR;
	type->text = wanted;
}

/* The repository's own setup is only proposed. */
static void fix_set_proposal_apart(struct scenario *scenario)
{
	struct option_strings *commands = &scenario->setup.commands;
	struct option_strings *proposed = &scenario->proposed_setup;
	for (size_t i = scenario->n_own_setup; i < commands->n; i++)
		ARENA_PUSH(scenario->arena, proposed->items, proposed->n, commands->items[i]);
	commands->n = scenario->n_own_setup;
}

/* The user's setup takes its place. */
static void fix_choose_setup(struct scenario *scenario, bool is_allowed)
{
	if (is_allowed && !scenario->setup.commands.n)
		scenario->setup.commands = scenario->proposed_setup;
	if (scenario->setup.commands.n)
		scenario->proposed_setup = (struct option_strings){0};
}

int order_read_options(struct scenario *scenario, const struct fix_options *options,
	struct arena *arena, struct rondo_error *err)
{
	const char *path = options->path ? options->path : ".";
	struct problems problems = {.arena = arena};
	struct yaml_node changes = {.kind = YAML_MAP};
	scenario_init(scenario, arena);
	config_read(scenario, path, NULL, &problems);
	fix_set_proposal_apart(scenario);
	if (options->tree)
		config_take(scenario, options->tree, false, &problems);
	override_all(&changes, &options->overrides, arena, &problems);
	fix_set_type(&changes, options->executor, arena);
	config_take(scenario, &changes, true, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	scenario->workspace.repo = path;
	for (size_t i = 0; i < options->settings.n; i++)
		if (config_set(scenario, &options->settings.items[i], err) < 0)
			return -1;
	fix_choose_setup(scenario, options->allow_setup);
	return scenario_choose_executor(scenario, options->executor, err);
}

int order_fix_scenario(struct scenario *scenario, const struct fix_options *options,
	struct arena *arena, struct rondo_error *err)
{
	struct problems problems = {.arena = arena};
	if (order_read_options(scenario, options, arena, err) < 0 || fix_check_model(scenario, err) < 0)
		return -1;
	if (fix_choose_team(scenario, err) < 0)
		return -1;
	scenario_check(scenario, NULL, &problems);
	return problems_error(&problems, err);
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct scenario scenario;
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	if (order_fix_scenario(&scenario, options, arena, err) < 0)
		return -1;
	scenario_bound(&scenario.limits, options->most.tokens, options->most.usd);
	struct order order = {.scenario = &scenario,
		.env_file = options->env_file,
		.dry_run = options->dry_run,
		.stop_requested = options->stop_requested,
		.within = options->within};
	return run_carry_out(&order, ctx, arena, report, err);
}
