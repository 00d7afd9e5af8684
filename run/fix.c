/* rondo fix: a scenario made of its options. */
#include <string.h>

#include "run/config.h"
#include "run/reader.h"
#include "run/stages.h"

#define REPAIR_BEFORE_MODEL_MS 10000 /* what it fixes then costs nothing */

/* The team, in the words of a scenario file. */
#define TEAM(coder) \
	"agents: {coder: " coder ", executor: {type: executor}, tester: {type: tester}}\n" \
	"team: {participants: [coder, executor, tester], termination: tests_pass}\n"

/* repair alone; or, with a model named, first repair and then the model; or the model alone. */
static void choose_team(struct scenario *scenario)
{
	bool repair = !scenario->model || strcmp(scenario->coder_choice, "repair") == 0;
	bool model = !repair && strcmp(scenario->coder_choice, "model") == 0;
	const char *team = repair ? TEAM("{type: repair}")
			   : model ? TEAM("{type: coder, model: '{{model}}'}")
				   : TEAM("{type: sequence, agents: [repair, {type: coder, model: '{{model}}'}]}");
	struct parameter name = {"model", scenario->model};
	struct parameters parameters = {&name, 1};
	struct problems problems = {.arena = scenario->arena};
	struct reader reader = {.arena = scenario->arena, .problems = &problems, .parameters = &parameters};
	struct yaml_node *root = yaml_read(team, strlen(team), "rondo fix", scenario->arena, &problems);
	reader_read(&reader, scenario_keys, scenario, root, NULL);
	scenario->coder = repair ? "repair (no model)"
			  : model ? scenario->model
				  : arena_printf(scenario->arena, "repair, then %s", scenario->model);
	if (!repair && !model && !scenario->limits.repair_ms)
		scenario->limits.repair_ms = REPAIR_BEFORE_MODEL_MS;
}

static void append(struct option_strings *to, const struct option_strings *more, struct arena *arena)
{
	for (size_t i = 0; i < more->n; i++)
		ARENA_PUSH(arena, to->items, to->n, more->items[i]);
}

/* What the options say, over what the configuration does. */
static int take_options(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	if (options->test) {
		scenario->test.command = options->test;
		scenario->test_from = "--test";
	}
	if (options->goal)
		scenario->test.goal = options->goal;
	scenario->workspace.repo = options->path ? options->path : ".";
	if (options->model)
		scenario->model = options->model;
	if (options->coder)
		scenario->coder_choice = options->coder;
	if (options->head)
		scenario->workspace.on_dirty = "head";
	append(&scenario->protect, &options->protect, arena);
	append(&scenario->allow_edit, &options->allow_edit, arena);
	append(&scenario->workspace.mount, &options->mount, arena);
	scenario->output = (struct scenario_output){
		.branch = options->branch, .patch = options->patch, .apply = options->apply};
	if (limits_read(&options->limits, arena, &scenario->limits, err) < 0)
		return -1;
	return scenario_choose_executor(scenario, options->executor, err);
}

int fix_scenario(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	struct problems problems = {.arena = arena};
	scenario_init(scenario, arena);
	config_read(scenario, options->path ? options->path : ".", &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	if (take_options(scenario, options, arena, err) < 0)
		return -1;
	choose_team(scenario);
	scenario_check(scenario, NULL, &problems);
	return problems_error(&problems, err);
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err)
{
	struct scenario scenario;
	struct secrets secrets = {0};
	*result = (struct run_result){.outcome = RUN_NOT_FIXED};
	if (fix_scenario(&scenario, options, arena, err) < 0 ||
		scenario_secrets(&scenario, options->env_file, &secrets, err) < 0)
		return -1;
	struct run_order order = {.scenario = &scenario, .secrets = &secrets, .dry_run = options->dry_run};
	return run_carry_out(&order, ctx, arena, result, err);
}
