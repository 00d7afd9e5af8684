/* How attempts differ: by the seed of coders without a model, and by the temperature of models. */
#include "base/memory.h"
#include "run/attempts/attempts.h"

/* Of the second attempt, the third ...; then from the beginning. All dialects take these; a
 * provider whose model takes none is asked again without. */
static const double temperatures[] = {0.4, 0.7, 1.0, 0.2, 0.55, 0.85};

static void *vary_member(const struct option_spec *spec, const struct option *option)
{
	return (char *)spec->state + option->offset;
}

static void vary_seed(struct attempt *attempt, const struct option_spec *agent)
{
	if (agent->type.self != &repair_agent)
		return;
	int64_t *seed = vary_member(agent, option_named(agent->type.options, "seed"));
	*seed += attempt->number - 1;
	attempt->row.seed = *seed;
}

/* Of agents that speak one after the other, those that search without a model: the first attempt
 * does that, and it would be the same again. */
static bool vary_leave_out(struct option_specs *agents)
{
	size_t n = 0;
	for (size_t i = 0; i < agents->n; i++)
		n += agents->items[i].type.self != &repair_agent;
	bool is_left_out = n && n < agents->n;
	for (size_t i = n = 0; is_left_out && i < agents->n; i++)
		if (agents->items[i].type.self != &repair_agent)
			agents->items[n++] = agents->items[i];
	if (is_left_out)
		agents->n = n;
	return is_left_out;
}

static bool vary_agent(struct attempt *attempt, struct option_spec *agent)
{
	bool is_left_out = false;
	for (const struct option *option = agent->type.options; option && option->name; option++) {
		struct option_specs *parts = vary_member(agent, option);
		if (option->kind != OPTION_CHILDREN)
			continue;
		if (agent->type.self == &sequence_agent && attempt->number > 1)
			is_left_out |= vary_leave_out(parts);
		for (size_t i = 0; i < parts->n; i++)
			is_left_out |= vary_agent(attempt, &parts->items[i]);
	}
	vary_seed(attempt, agent);
	return is_left_out;
}

/* What only the run's result may write. */
static void vary_output(struct scenario_output *output)
{
	output->patch = output->files = output->junit = output->pull_request = NULL;
	output->apply = false;
}

const char *attempt_temperature(const struct attempt *attempt, struct arena *arena)
{
	const struct components *components = &attempt->run.components;
	for (size_t i = 0; i < components->n_models; i++) {
		const struct model *model = components->models[i];
		const struct option *option =
			model->type->options ? option_named(model->type->options, "temperature") : NULL;
		if (!option)
			continue;
		double named = *(const double *)(const void *)((const char *)model->state + option->offset);
		double used = named < 0 ? attempt->temperature : named;
		return used < 0 ? NULL : arena_printf(arena, "%g", used);
	}
	return NULL;
}

bool attempt_vary(struct attempt *attempt)
{
	struct scenario *scenario = &attempt->scenario;
	size_t further = (size_t)attempt->number - 1;
	bool is_left_out = false;
	attempt->temperature = further ? temperatures[(further - 1) % ARRAY_SIZE(temperatures)] : -1;
	for (size_t i = 0; i < scenario->agents.n; i++)
		is_left_out |= vary_agent(attempt, &scenario->agents.items[i]);
	vary_output(&scenario->output);
	return is_left_out;
}
