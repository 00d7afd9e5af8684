/* The public API (include/rondo.h): a team's life, and who may speak to it when. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "base/version.h"
#include "chat/event.h"
#include "run/api/team.h"

const char *rondo_version(void)
{
	return version_text;
}

char *rondo_event_json(const struct rondo_event *event)
{
	AUTO_JSON *json = json_object();
	event_to_json(event, json);
	return json_print(json);
}

/* --- A team's life --- */

struct rondo_team *rondo_team_new(struct rondo_error *err)
{
	struct rondo_team *team = memory_alloc(sizeof *team);
	if (cancel_init(&team->cancel, NULL, 0, err) < 0) {
		free(team);
		return NULL;
	}
	team->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!team->locale)
		abort(); /* as with all memory */
	team->root = arena_alloc(&team->arena, sizeof *team->root);
	*team->root = (struct yaml_node){.kind = YAML_MAP, .place.origin = "team"};
	return team;
}

static void close_own(const struct rondo_team *team)
{
	for (size_t i = 0; i < team->n_agents; i++)
		if (team->agents[i]->functions.close)
			team->agents[i]->functions.close(team->agents[i]->functions.owner);
	for (size_t i = 0; i < team->n_conditions; i++)
		if (team->conditions[i]->functions.close)
			team->conditions[i]->functions.close(team->conditions[i]->functions.owner);
}

void rondo_team_free(struct rondo_team *team)
{
	if (!team)
		return;
	team->callers = uselocale(team->locale);
	api_close(team);
	uselocale(team->callers);
	close_own(team);
	free(team->kept);
	freelocale(team->locale);
	cancel_release(&team->cancel);
	arena_release(&team->arena);
	free(team);
}

int api_enter(struct rondo_team *team, const char *what, struct rondo_error *err)
{
	bool idle = false;
	if (!atomic_compare_exchange_strong(&team->is_busy, &idle, true))
		return error_set(err, RONDO_ERROR_USAGE,
			"the team is already running; it cannot %s until it has stopped", what);
	team->callers = uselocale(team->locale);
	return 0;
}

void api_leave(struct rondo_team *team)
{
	uselocale(team->callers);
	atomic_store(&team->is_busy, false);
}

/* --- Looking on, answering, stopping --- */

int rondo_team_observe(struct rondo_team *team,
	void (*observe)(void *owner, const struct rondo_event *event), void *owner,
	struct rondo_error *err)
{
	if (api_enter(team, "be observed by another one", err) < 0)
		return -1;
	team->observer = (struct own_observer){observe, owner};
	api_leave(team);
	return 0;
}

int rondo_team_answer(struct rondo_team *team,
	int (*answer)(void *owner, const char *question, int64_t timeout_ms, struct rondo_reply *reply,
		struct rondo_error *err),
	void *owner, struct rondo_error *err)
{
	if (api_enter(team, "be answered by another one", err) < 0)
		return -1;
	team->answerer = (struct own_answerer){answer, owner};
	team->ctx.ask = answer ? (struct context_ask){own_answer, team} : (struct context_ask){0};
	team->run.env.ctx.ask = team->ctx.ask;
	api_leave(team);
	return 0;
}

void rondo_team_cancel(struct rondo_team *team)
{
	cancel_fire(&team->cancel, SIGTERM);
}

void rondo_team_stop(struct rondo_team *team)
{
	atomic_store(&team->stop_requested, true);
}

/* What was asked for is done, or no longer wanted. */
static void clear_requests(struct rondo_team *team)
{
	cancel_clear(&team->cancel);
	atomic_store(&team->stop_requested, false);
}

/* --- Running --- */

/* Whatever was interrupted by it says so in words of its own. */
static void tell_cancelled(const struct rondo_team *team, struct rondo_error *err)
{
	struct rondo_error said = *err;
	if (!cancel_reason(&team->cancel))
		return;
	error_set(err, RONDO_ERROR_CANCELLED, "the run was cancelled");
	error_help(err, "%s", said.help);
}

static int check_task(const char *task, struct rondo_error *err)
{
	if (!task || utf8_valid_length(task, strlen(task)) == strlen(task))
		return 0;
	return error_set(err, RONDO_ERROR_USAGE, "the task is no UTF-8 text");
}

int rondo_team_run(struct rondo_team *team, const char *task,
	const struct rondo_result **ret_result, struct rondo_error *err)
{
	if (check_task(task, err) < 0 || api_enter(team, "run again", err) < 0)
		return -1;
	int status = api_talk(team, task, err);
	if (status < 0)
		tell_cancelled(team, err);
	clear_requests(team);
	api_leave(team);
	if (status == 0 && ret_result)
		*ret_result = &team->told;
	return status;
}

int rondo_team_reset(struct rondo_team *team, struct rondo_error *err)
{
	if (api_enter(team, "be reset", err) < 0)
		return -1;
	free(STEAL(&team->kept));
	if (team->stage != TEAM_TOLD) {
		const struct components *components = &team->run.components;
		team_reset(components->team);
		for (size_t i = 0; i < components->n_models; i++)
			model_recall(components->models[i], 0);
	}
	team->told = (struct rondo_result){0};
	clear_requests(team);
	api_leave(team);
	return 0;
}

char *api_save(struct rondo_team *team)
{
	AUTO_JSON *json = team_save(team->run.components.team, true);
	return json_print(json);
}

int api_load(struct rondo_team *team, const char *state, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(state, strlen(state), err);
	return json ? team_load(team->run.components.team, json, err) : error_prefix(err, "the state");
}

char *rondo_team_save(struct rondo_team *team, struct rondo_error *err)
{
	char *text = NULL;
	if (api_enter(team, "be saved", err) < 0)
		return NULL;
	if (api_make(team, err) == 0)
		text = api_save(team);
	api_leave(team);
	return text;
}

int rondo_team_load(struct rondo_team *team, const char *state, struct rondo_error *err)
{
	if (api_enter(team, "be loaded", err) < 0)
		return -1;
	int status = api_make(team, err);
	team->told = (struct rondo_result){0};
	if (status == 0)
		status = api_load(team, state, err);
	api_leave(team);
	return status;
}

/* --- In one call --- */

/* A result that is nobody's but its own. */
struct fixed {
	struct rondo_result result;
	struct rondo_team *team;
};

static int fix(struct rondo_team *team, const char *path, const char *options,
	void (*observe)(void *owner, const struct rondo_event *event), void *owner,
	struct rondo_error *err)
{
	if (rondo_team_fix(team, path, err) < 0 ||
		(options && rondo_team_set(team, NULL, options, err) < 0) ||
		rondo_team_observe(team, observe, owner, err) < 0)
		return -1;
	return rondo_team_run(team, NULL, NULL, err);
}

int rondo_fix(const char *path, const char *options,
	void (*observe)(void *owner, const struct rondo_event *event), void *owner,
	struct rondo_result **ret_result, struct rondo_error *err)
{
	struct rondo_team *team = rondo_team_new(err);
	if (!team)
		return -1;
	if (fix(team, path, options, observe, owner, err) < 0) {
		rondo_team_free(team);
		return -1;
	}
	struct fixed *fixed = memory_alloc(sizeof *fixed);
	*fixed = (struct fixed){team->told, team};
	*ret_result = &fixed->result;
	return 0;
}

void rondo_result_free(struct rondo_result *result)
{
	struct fixed *fixed = (struct fixed *)(void *)result;
	if (!fixed)
		return;
	rondo_team_free(fixed->team);
	free(fixed);
}
