#include "run/components.h"

#include <string.h>

#include "base/json/json.h"

static void *member_of(const struct option_spec *spec, const struct option *option)
{
	return (char *)spec->state + option->offset;
}

/* --- Models --- */

/* "openai/gpt-5-mini", declared by its use. */
static int declare(struct components *components, const char *name, struct option_spec *ret_spec,
	struct rondo_error *err)
{
	const char *slash = strchr(name, '/');
	const char *provider =
		arena_strndup(components->arena, name, slash ? (size_t)(slash - name) : strlen(name));
	struct option_type type = option_type_find(&model_family, provider, err);
	const struct option *bare = type.name && type.options ? option_main(type.options) : NULL;
	if (!type.name)
		return -1;
	if (!slash || !bare)
		return error_set(
			err, RONDO_ERROR_USAGE, "a model is named as PROVIDER/MODEL, found '%s'", name);
	struct option_spec spec = {.name = name,
		.type = type,
		.state = arena_alloc(components->arena, type.state_size),
		.common = arena_alloc(components->arena, model_family.common_size)};
	option_defaults(type.options, spec.state, components->arena);
	*ret_spec = spec;
	return option_set(bare, spec.state, components->arena, slash + 1, err);
}

static int fill_model(
	struct components *components, struct option_ref *ref, struct rondo_error *err)
{
	ref->object = ref->name ? components_find_model(components, ref->name, err) : NULL;
	return ref->name && !ref->object ? -1 : 0;
}

static int make_model(
	struct components *components, struct option_spec *spec, struct rondo_error *err)
{
	const struct model_common *common = spec->common;
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		struct option_ref *ref = member_of(spec, option);
		struct option_refs *refs = member_of(spec, option);
		if (option->kind == OPTION_REF && fill_model(components, ref, err) < 0)
			return -1;
		for (size_t i = 0; option->kind == OPTION_REFS && i < refs->n; i++)
			if (fill_model(components, &refs->items[i], err) < 0)
				return -1;
	}
	struct model *model = model_new(
		spec->type.self, spec->name, spec->state, &common->price, &components->models_kit, err);
	if (!model)
		return -1;
	spec->object = model;
	ARENA_PUSH(components->arena, components->models, components->n_models, model);
	return 0;
}

struct model *components_find_model(
	struct components *components, const char *name, struct rondo_error *err)
{
	struct option_spec *declared = scenario_find(&components->scenario->models, name), used = {0};
	struct option_spec *spec = declared ? declared : &used;
	for (size_t i = 0; i < components->n_models; i++)
		if (strcmp(components->models[i]->name, name) == 0)
			return components->models[i];
	if (!declared && declare(components, name, spec, err) < 0)
		return NULL;
	return make_model(components, spec, err) < 0 ? NULL : spec->object;
}

/* --- Agents --- */

static int make_agent(struct components *components, struct option_spec *spec, const char *name,
	struct rondo_error *err);
static int make_team(
	struct components *components, struct option_spec *spec, struct rondo_error *err);

/* An agent within an agent has no name of its own: it is known by its model, or by its type. */
static const char *part_name(const struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		const struct option_ref *ref = member_of(spec, option);
		if (option->kind == OPTION_REF && ref->name)
			return ref->name;
	}
	return spec->type.name;
}

/* What the agent's options name or hold. */
static int fill_option(struct components *components, const struct option *option, void *member,
	struct rondo_error *err)
{
	struct option_ref *ref = member;
	struct option_specs *children = member;
	if (option->kind == OPTION_REF)
		return fill_model(components, ref, err);
	if (option->kind == OPTION_CHILD && option->family == &team_family)
		return make_team(components, member, err);
	for (size_t i = 0; option->kind == OPTION_CHILDREN && i < children->n; i++)
		if (make_agent(components, &children->items[i], part_name(&children->items[i]), err) < 0)
			return -1;
	return 0;
}

static int make_agent(struct components *components, struct option_spec *spec, const char *name,
	struct rondo_error *err)
{
	for (const struct option *option = spec->type.options; option && option->name; option++)
		if (fill_option(components, option, member_of(spec, option), err) < 0)
			return error_prefix(err, "agent '%s'", name);
	struct agent *agent = agent_new(spec->type.self, name, spec->state, components->services);
	spec->object = agent;
	ARENA_PUSH(components->arena, components->agents, components->n_agents, agent);
	return 0;
}

/* --- The team --- */

static struct termination *make_condition(struct components *components, struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		struct option_specs *children = member_of(spec, option);
		for (size_t i = 0; option->kind == OPTION_CHILDREN && i < children->n; i++)
			children->items[i].object = make_condition(components, &children->items[i]);
	}
	return termination_new(
		components->arena, spec->type.self, spec->state, spec->common, &components->conditions_kit);
}

/* The first of those that are listed. */
static struct termination *make_conditions(
	struct components *components, struct option_specs *specs)
{
	if (!specs->n)
		return NULL;
	for (size_t i = 0; i < specs->n; i++)
		specs->items[i].object = make_condition(components, &specs->items[i]);
	return specs->n == 1 ? specs->items[0].object : termination_any(components->arena, specs);
}

static int make_team(
	struct components *components, struct option_spec *spec, struct rondo_error *err)
{
	struct team_options *options = spec->common;
	struct agent **participants = NULL;
	size_t n = 0;
	for (size_t i = 0; i < options->participants.n; i++) {
		const char *name = options->participants.items[i].name;
		struct option_spec *agent = scenario_find(&components->scenario->agents, name);
		if (make_agent(components, agent, name, err) < 0) /* scenario_check saw that it is there */
			return -1;
		ARENA_PUSH(components->arena, participants, n, agent->object);
	}
	struct team_rules rules = team_rules_of(options);
	rules.termination = make_conditions(components, &options->termination);
	rules.budget = components->budget;
	if (!rules.max_turns)
		rules.max_turns = (int)components->scenario->limits.turns;
	struct team *team;
	if (team_new(spec->type.self, participants, n, &rules, &team, err) < 0)
		return -1;
	spec->object = team;
	ARENA_PUSH(components->arena, components->teams, components->n_teams, team);
	return 0;
}

void components_begin(
	struct components *components, struct scenario *scenario, const struct secrets *secrets)
{
	*components = (struct components){.scenario = scenario, .arena = scenario->arena};
	budget_init(&components->own_budget, scenario->limits.tokens, scenario->limits.cost_usd);
	components->models_kit = (struct model_services){.secrets = secrets, .dir = scenario->dir};
	components->conditions_kit = (struct termination_services){.dir = scenario->dir};
	components_share(components, &components->own_budget, NULL);
}

void components_share(
	struct components *components, struct budget *budget, const double *temperature)
{
	components->models_kit.temperature = temperature;
	if (!budget)
		return;
	components->budget = budget;
	components->models_kit.budget = budget;
	components->conditions_kit.budget = budget;
}

int components_make(struct components *components, struct scenario *scenario,
	const struct agent_services *services, const struct secrets *secrets,
	struct recorded_replies *recorded, struct rondo_error *err)
{
	components_begin(components, scenario, secrets);
	return components_fill(components, services, recorded, err);
}

int components_fill(struct components *components, const struct agent_services *services,
	struct recorded_replies *recorded, struct rondo_error *err)
{
	struct scenario *scenario = components->scenario;
	components->services = services;
	components->models_kit.recorded = recorded;
	struct option_ref *summary = &scenario->output.summary_model;
	if (summary->name && !(summary->object = components_find_model(components, summary->name, err)))
		return error_prefix(err, "output.summary_model");
	if (make_team(components, &scenario->team, err) < 0)
		return -1;
	components->team = scenario->team.object;
	return 0;
}

/* A relay's call may have asked another model than the one that it is told of. */
static void settle_again(struct components *components, const struct model *model,
	const struct json *data, const struct model_reply *reply)
{
	static const struct budget_hold nothing;
	const struct rondo_usage *usage = reply->usage_known ? &reply->usage : NULL;
	if (json_get(data, "path"))
		budget_settle_at(components->budget, &nothing, usage, json_number(data, "usd", -1),
			json_bool(data, "at_least", false));
	else
		budget_settle(components->budget, &nothing, usage, &model->price);
}

int components_recall(struct components *components, const char *name, const struct json *data,
	const struct model_reply *reply, struct rondo_error *err)
{
	for (size_t i = 0; i < components->n_models; i++) {
		struct model *model = components->models[i];
		if (strcmp(model->name, name) != 0)
			continue;
		model_recall(model, model->calls + 1);
		settle_again(components, model, data, reply);
		return 0;
	}
	return error_set(
		err, RONDO_ERROR_USAGE, "model '%s' speaks in the record, and nobody asks it here", name);
}

void components_release(struct components *components)
{
	if (!components->scenario)
		return;
	for (size_t i = components->n_teams; i-- > 0;)
		team_free(components->teams[i]);
	for (size_t i = components->n_agents; i-- > 0;)
		agent_free(components->agents[i]);
	for (size_t i = components->n_models; i-- > 0;)
		model_free(components->models[i]);
	budget_release(&components->own_budget);
}
