/* The humans that agents of a talk will ask. */
#include "run/talk/talk.h"

/* An agent that would wait for an answer that nobody can give. */
static int talk_refuse_silence(
	const struct run_env *env, const struct agent *agent, struct rondo_error *err)
{
	if (env->ctx.ask.call || agent_human(agent)->default_answer)
		return 0;
	error_set(err, RONDO_ERROR_USAGE,
		"agent '%s' asks a human, and standard input is no terminal, or --json or --quiet is given",
		agent->name);
	return error_help(err,
		"run it at a terminal; or give it an answer by -s agents.%s.default_answer=TEXT, "
		"or -s agents.%s.human_input_mode=NEVER",
		agent->name, agent->name);
}

int talk_check_humans(
	const struct run_env *env, const struct components *components, struct rondo_error *err)
{
	for (size_t i = 0; i < components->n_agents; i++)
		if (agent_human(components->agents[i]) &&
			talk_refuse_silence(env, components->agents[i], err) < 0)
			return -1;
	return 0;
}

static int talk_announce_human(
	const struct run_env *env, const struct agent *agent, struct rondo_error *err)
{
	const struct human *human = agent_human(agent);
	bool each_turn = agent_asks_first(agent);
	if (!env->ctx.ask.call)
		return env_notice(env, err, "agent '%s' asks nobody: each answer is '%s', its default",
			agent->name, human->default_answer);
	return env_notice(env, err, "agent '%s' asks you%s%s", agent->name,
		each_turn ? ", each turn" : " when an agent says ", each_turn ? "" : human->terminate_on);
}

int talk_announce_humans(
	const struct run_env *env, const struct components *components, struct rondo_error *err)
{
	for (size_t i = 0; i < components->n_agents; i++)
		if (agent_human(components->agents[i]) &&
			talk_announce_human(env, components->agents[i], err) < 0)
			return -1;
	return 0;
}
