/* rondo fix: a scenario made of its options. */
#include <string.h>

#include "run/config.h"
#include "run/reader.h"
#include "run/stages.h"

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
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	scenario_init(scenario, arena);
	config_read(scenario, options->path ? options->path : ".", &problems);
	if (problems.n) {
		problems_print(&problems, &text);
		strbuf_rtrim(&text);
		return error_set(err, RONDO_ERROR_USAGE, "%s", text.text);
	}
	read_team(scenario);
	scenario->coder = "repair (no model)";
	return take_options(scenario, options, arena, err);
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err)
{
	struct scenario scenario;
	*result = (struct run_result){.outcome = RUN_NOT_FIXED};
	if (fix_scenario(&scenario, options, arena, err) < 0)
		return -1;
	struct run_order order = {.scenario = &scenario, .dry_run = options->dry_run};
	return run_carry_out(&order, ctx, arena, result, err);
}
