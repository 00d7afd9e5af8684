/* rondo fix: a scenario made of its options. */
#include <string.h>

#include "base/memory.h"
#include "run/reader.h"
#include "run/stages.h"

void fix_options_init(struct fix_options *options)
{
	*options = (struct fix_options){.executor = "sandbox", .executor_uid = 65534};
}

/* The team, in the words of a scenario file. */
static const char team[] =
	"agents: {coder: {type: repair}, executor: {type: executor}, tester: {type: tester}}\n"
	"team: {type: round_robin, participants: [coder, executor, tester], termination: tests_pass}\n";

static void read_team(struct scenario *scenario)
{
	struct problems problems = {.arena = scenario->arena};
	struct reader reader = {.arena = scenario->arena, .problems = &problems};
	struct yaml_node *root = yaml_read(team, strlen(team), "rondo fix", scenario->arena, &problems);
	reader_read(&reader, scenario_keys, scenario, root, NULL);
}

static int choose_executor(struct scenario *scenario, const struct fix_options *options, struct rondo_error *err)
{
	const struct executor_type *type = executor_type_find(options->executor, err);
	struct executor_settings *settings = arena_alloc(scenario->arena, sizeof *settings);
	if (!type)
		return -1;
	*settings = executor_defaults;
	settings->uid = options->executor_uid;
	scenario->executor = (struct option_spec){.type = {.name = type->name}, .common = settings};
	return 0;
}

int fix_scenario(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	scenario_init(scenario, arena);
	read_team(scenario);
	scenario->coder = "repair (no model)";
	scenario->test = (struct scenario_test){options->test, options->goal};
	scenario->protect = options->protect;
	scenario->allow_edit = options->allow_edit;
	scenario->workspace.mount = options->mount;
	if (options->head)
		scenario->workspace.on_dirty = "head";
	scenario->output = (struct scenario_output){
		.branch = options->branch, .patch = options->patch, .apply = options->apply};
	if (limits_read(&options->limits, arena, &scenario->limits, err) < 0)
		return -1;
	return choose_executor(scenario, options, err);
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err)
{
	struct scenario scenario;
	*result = (struct run_result){.outcome = RUN_NOT_FIXED};
	if (fix_scenario(&scenario, options, arena, err) < 0)
		return -1;
	struct run_order order = {.scenario = &scenario, .path = options->path ? options->path : ".",
		.dry_run = options->dry_run};
	return run_carry_out(&order, ctx, arena, result, err);
}
