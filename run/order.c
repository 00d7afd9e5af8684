#include "run/order.h"

#include <string.h>
#include <unistd.h>

#include "agents/agent.h"
#include "agents/external/external.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

/* --- What can be refused at once: else hours may pass until it is said --- */

int order_check_file(const char *path, struct arena *arena, struct rondo_error *err)
{
	if (!path)
		return 0;
	const char *slash = strrchr(path, '/');
	const char *dir = slash > path ? arena_strndup(arena, path, (size_t)(slash - path)) : "/";
	if (file_is_dir(path))
		return error_set(err, RONDO_ERROR_USAGE, "cannot write '%s': it is a directory", path);
	if (file_is_dir(dir) && access(dir, W_OK) == 0)
		return 0;
	if (file_is_dir(dir)) {
		error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
		return error_help(err, "name a file in a directory that you may write");
	}
	error_set(err, RONDO_ERROR_USAGE, "cannot write '%s': there is no directory for it", path);
	return error_help(err, "mkdir -p '%s', or name another file", dir);
}

static int order_check_outputs(
	struct scenario_output *output, struct arena *arena, struct rondo_error *err)
{
	int64_t date_ms;
	output->patch = file_absolute(arena, output->patch);
	output->files = file_absolute(arena, output->files);
	output->junit = file_absolute(arena, output->junit);
	output->pull_request = file_absolute(arena, output->pull_request);
	if (clock_made_ms(&date_ms, err) < 0 || order_check_file(output->patch, arena, err) < 0)
		return -1;
	return order_check_file(output->pull_request, arena, err);
}

/* A work_dir that begins with "./" is a directory beside the scenario where the workspace would be
 * empty; elsewhere it is one below the workspace. */
static const struct executor_settings *order_executor_settings(
	struct order *order, struct arena *arena)
{
	const struct scenario *scenario = order->scenario;
	const struct scenario_workspace *workspace = &scenario->workspace;
	struct executor_settings *settings = scenario->executor.common;
	const char *dir = executor_dir_beside(settings->work_dir);
	if (!dir)
		return settings;
	bool is_empty = !workspace->repo && !workspace->copy && !workspace->files.n;
	settings = arena_memdup(arena, settings, sizeof *settings);
	settings->work_dir = is_empty ? NULL : dir;
	if (is_empty)
		order->work_dir = file_absolute(arena, order_path(scenario, dir));
	return settings;
}

static struct executor_plan order_executor(struct order *order, struct arena *arena)
{
	const struct option_spec *executor = &order->scenario->executor;
	if (!executor->type.name)
		return (struct executor_plan){&sandbox_executor, &executor_defaults, NULL, NULL};
	return (struct executor_plan){executor->type.self, order_executor_settings(order, arena),
		executor->state, order->secrets};
}

/* A change that somebody made is judged once, and a team of the API's speaks once. */
static int order_check_attempts(struct order *order, struct rondo_error *err)
{
	const struct scenario *scenario = order->scenario;
	int64_t n = scenario->attempts.n;
	order->n_attempts = 1;
	if (n < 2 || order->proposal || order->ends_at_baseline)
		return 0;
	if (order->may_lack_task) {
		order->why_single = "a team of the library makes one attempt a run";
		return 0;
	}
	if (!order->has_suite) {
		error_set(err, RONDO_ERROR_USAGE, "attempts are %lld, and no suite says which is right",
			(long long)n);
		return error_help(err, "name one by test.command; or leave attempts out");
	}
	if (scenario_asks_models(scenario))
		order->n_attempts = (size_t)n;
	else
		order->why_single = "nobody in the team asks a model, so all attempts would be alike: one "
							"is made";
	return 0;
}

int order_check(struct order *order, struct arena *arena, struct rondo_error *err)
{
	struct scenario *scenario = order->scenario;
	const char *repo = scenario->workspace.repo;
	unsigned needs = scenario_needs(scenario);
	order->executor = order_executor(order, arena);
	order->has_suite = needs & AGENT_NEEDS_SUITE;
	order->has_site = needs || repo;
	/* before a container is made in vain */
	if (needs & AGENT_NEEDS_MACHINE && external_check_executor(order->executor.type, err) < 0)
		return -1;
	if (!scenario->task && !order->has_suite && !order->may_lack_task) {
		error_set(err, RONDO_ERROR_USAGE, "the chat has nothing to begin with: there is no task");
		return error_help(err, "rondo run FILE --task TEXT");
	}
	if (repo && !(order->path = file_real_path(arena, order_path(scenario, repo), err)))
		return -1;
	scenario->workspace.repo = order->path;
	if (order_check_attempts(order, err) < 0)
		return -1;
	return order_check_outputs(&scenario->output, arena, err);
}

const char *order_path(const struct scenario *scenario, const char *path)
{
	if (*path == '/' || strcmp(scenario->dir, ".") == 0)
		return path;
	return arena_printf(scenario->arena, "%s/%s", scenario->dir, path);
}

/* --- Where a run was begun, for the one that continues it --- */

struct json *order_origin(const struct order *order)
{
	const struct scenario *scenario = order->scenario;
	struct json *json = json_object();
	json_add_string(json, "rondo", rondo_version());
	json_add_string(json, "scenario", file_absolute(scenario->arena, scenario->path));
	json_add_string(json, "dir", file_absolute(scenario->arena, scenario->dir));
	json_add_string(json, "env_file", file_absolute(scenario->arena, order->env_file));
	json_add_string(json, "test_from", scenario->test_from);
	json_add_string(json, "coder", scenario->coder);
	if (scenario->limits.time_ms)
		json_add_int(json, "time_ms", scenario->limits.time_ms);
	if (order->proposal)
		json_add_bool(json, "is_proposal", true);
	if (order->force)
		json_add_bool(json, "force", true);
	return json;
}

int order_recall_scenario(struct scenario *scenario, const struct json *origin, const char *dir,
	struct arena *arena, struct rondo_error *err)
{
	struct problems problems = {.arena = arena};
	struct scenario_settings settings = {.is_resolved = true};
	scenario_init(scenario, arena);
	scenario_read(scenario, arena_printf(arena, "%s/scenario.json", dir), &settings, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	scenario->path = arena_strdup(arena, json_string(origin, "scenario", NULL));
	scenario->dir = arena_strdup(arena, json_string(origin, "dir", "."));
	scenario->test_from = arena_strdup(arena, json_string(origin, "test_from", NULL));
	scenario->coder = arena_strdup(arena, json_string(origin, "coder", NULL));
	return 0;
}
