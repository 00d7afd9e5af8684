/* rondo run: a scenario from its file. */
#include "base/file.h"
#include "run/scenario/config.h"
#include "run/stages.h"

/* What a scenario names lies beside it; what the command line names, in the current directory. */
static void take_outputs_from(struct scenario *scenario)
{
	struct scenario_output *output = &scenario->output;
	const char **paths[] = {&output->files, &output->patch, &output->junit, &output->pull_request};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (*paths[i])
			*paths[i] = order_path(scenario, *paths[i]);
}

static int read_scenario(struct scenario *scenario, const struct scenario_options *options,
	struct arena *arena, struct strbuf *text, struct rondo_error *err)
{
	struct problems problems = {.arena = arena};
	struct scenario_settings settings = {.parameters = options->parameters,
		.overrides = options->overrides,
		.task = options->task,
		.executor = options->executor};
	scenario_init(scenario, arena);
	config_read(scenario, NULL, NULL, &problems);
	scenario_read(scenario, options->path, &settings, &problems);
	if (problems.is_transient)
		return problems_error(&problems, err);
	if (problems.n) {
		problems_print(&problems, text);
		return error_set(err, RONDO_ERROR_USAGE, "%zu error%s; nothing was run",
			problems.n + problems.n_left_out, problems.n == 1 ? "" : "s");
	}
	bool is_batch = scenario->batch.from || scenario->batch.tasks.n;
	if (is_batch && !options->is_task) {
		error_set(err, RONDO_ERROR_USAGE, "'%s' has a batch of tasks", options->path);
		return error_help(err, "rondo batch '%s'", options->path);
	}
	scenario->batch = (struct scenario_batch){.jobs = 0};
	scenario_bound(&scenario->limits, options->most.tokens, options->most.usd);
	take_outputs_from(scenario);
	if (options->out)
		scenario->output.files = options->out;
	if (!scenario->name)
		scenario->name = file_name(options->path);
	return scenario_choose_executor(scenario, options->executor, err);
}

int run_scenario(const struct scenario_options *options, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct strbuf *problems,
	struct rondo_error *err)
{
	struct scenario scenario;
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	if (read_scenario(&scenario, options, arena, problems, err) < 0)
		return -1;
	struct order order = {.scenario = &scenario,
		.env_file = options->env_file,
		.dry_run = options->dry_run,
		.force = options->force,
		.stop_requested = options->stop_requested};
	return run_carry_out(&order, ctx, arena, report, err);
}
