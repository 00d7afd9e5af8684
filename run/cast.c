#include "run/cast.h"

#include <string.h>

#include "base/memory.h"

static void *member_of(const struct option_spec *spec, const struct option *option)
{
	return (char *)spec->state + option->offset;
}

/* --- Models --- */

/* "openai/gpt-5-mini", declared by its use. */
static int declare(struct cast *cast, const char *name, struct option_spec *ret_spec, struct rondo_error *err)
{
	const char *slash = strchr(name, '/');
	const char *provider = arena_strndup(cast->arena, name, slash ? (size_t)(slash - name) : strlen(name));
	struct option_type type = option_type_find(&model_family, provider, err);
	const struct option *bare = type.name && type.options ? option_main(type.options) : NULL;
	if (!type.name)
		return -1;
	if (!slash || !bare)
		return error_set(err, RONDO_ERROR_USAGE, "a model is named as PROVIDER/MODEL, found '%s'", name);
	struct option_spec spec = {.name = name, .type = type, .state = arena_alloc(cast->arena, type.state_size),
		.common = arena_alloc(cast->arena, model_family.common_size)};
	option_defaults(type.options, spec.state, cast->arena);
	*ret_spec = spec;
	return option_set(bare, spec.state, cast->arena, slash + 1, err);
}

static struct model *find_model(struct cast *cast, const char *name, struct rondo_error *err);

static int make_model(struct cast *cast, struct option_spec *spec, struct rondo_error *err)
{
	const struct model_common *common = spec->common;
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		struct option_ref *ref = member_of(spec, option);
		if (option->kind == OPTION_REF && ref->name && !(ref->object = find_model(cast, ref->name, err)))
			return -1;
	}
	struct model *model = model_new(
		spec->type.self, spec->name, spec->state, &common->price, &cast->models_kit, err);
	if (!model)
		return -1;
	spec->object = model;
	ARENA_PUSH(cast->arena, cast->models, cast->n_models, model);
	return 0;
}

static struct model *find_model(struct cast *cast, const char *name, struct rondo_error *err)
{
	const struct option_specs *specs = &cast->scenario->models;
	struct option_spec used = {0}, *spec = &used;
	for (size_t i = 0; i < cast->n_models; i++)
		if (strcmp(cast->models[i]->name, name) == 0)
			return cast->models[i];
	for (size_t i = 0; i < specs->n && spec == &used; i++)
		if (strcmp(specs->items[i].name, name) == 0)
			spec = &specs->items[i];
	if (spec == &used && declare(cast, name, spec, err) < 0)
		return NULL;
	return make_model(cast, spec, err) < 0 ? NULL : spec->object;
}

/* --- Agents --- */

static int make_agent(struct cast *cast, struct option_spec *spec, const char *name, struct rondo_error *err);
static int make_team(struct cast *cast, struct option_spec *spec, struct rondo_error *err);

/* An agent within an agent has no name of its own: it is known by its model, or by its type. */
static const char *part_name(const struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++)
		if (option->kind == OPTION_REF)
			return ((const struct option_ref *)member_of(spec, option))->name;
	return spec->type.name;
}

/* What the agent's options name or hold. */
static int fill_option(struct cast *cast, const struct option *option, void *member, struct rondo_error *err)
{
	struct option_ref *ref = member;
	struct option_specs *children = member;
	if (option->kind == OPTION_REF && ref->name) {
		ref->object = find_model(cast, ref->name, err);
		return ref->object ? 0 : -1;
	}
	if (option->kind == OPTION_CHILD && option->family == &team_family)
		return make_team(cast, member, err);
	for (size_t i = 0; option->kind == OPTION_CHILDREN && i < children->n; i++)
		if (make_agent(cast, &children->items[i], part_name(&children->items[i]), err) < 0)
			return -1;
	return 0;
}

static int make_agent(struct cast *cast, struct option_spec *spec, const char *name, struct rondo_error *err)
{
	for (const struct option *option = spec->type.options; option && option->name; option++)
		if (fill_option(cast, option, member_of(spec, option), err) < 0)
			return error_prefix(err, "agent '%s'", name);
	struct agent *agent = agent_new(spec->type.self, name, spec->state, cast->kit);
	spec->object = agent;
	ARENA_PUSH(cast->arena, cast->agents, cast->n_agents, agent);
	return 0;
}

static struct agent *find_agent(struct cast *cast, const char *name, struct rondo_error *err)
{
	const struct option_specs *specs = &cast->scenario->agents;
	size_t i = 0;
	while (strcmp(specs->items[i].name, name) != 0) /* scenario_check saw that it is there */
		i++;
	return make_agent(cast, &specs->items[i], name, err) < 0 ? NULL : specs->items[i].object;
}

/* --- The team --- */

static struct termination *make_condition(struct cast *cast, struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		struct option_specs *children = member_of(spec, option);
		for (size_t i = 0; option->kind == OPTION_CHILDREN && i < children->n; i++)
			children->items[i].object = make_condition(cast, &children->items[i]);
	}
	return termination_new(cast->arena, spec->type.self, spec->state, spec->common, &cast->conditions_kit);
}

/* The first of those that are listed. */
static struct termination *make_conditions(struct cast *cast, struct option_specs *specs)
{
	if (!specs->n)
		return NULL;
	for (size_t i = 0; i < specs->n; i++)
		specs->items[i].object = make_condition(cast, &specs->items[i]);
	return specs->n == 1 ? specs->items[0].object : termination_any(cast->arena, specs);
}

static int make_team(struct cast *cast, struct option_spec *spec, struct rondo_error *err)
{
	struct team_options *options = spec->common;
	struct agent **participants = NULL, *agent;
	size_t n = 0;
	for (size_t i = 0; i < options->participants.n; i++) {
		if (!(agent = find_agent(cast, options->participants.items[i].name, err)))
			return -1;
		ARENA_PUSH(cast->arena, participants, n, agent);
	}
	struct team_rules rules = team_rules_of(options);
	rules.termination = make_conditions(cast, &options->termination);
	rules.budget = &cast->budget;
	if (!rules.max_turns)
		rules.max_turns = (int)cast->scenario->limits.turns;
	struct team *team;
	if (team_new(spec->type.self, participants, n, &rules, &team, err) < 0)
		return -1;
	spec->object = team;
	ARENA_PUSH(cast->arena, cast->teams, cast->n_teams, team);
	return 0;
}

int cast_make(struct cast *cast, struct scenario *scenario, const struct agent_kit *kit,
	const struct secrets *secrets, struct recorded_replies *recorded, struct rondo_error *err)
{
	*cast = (struct cast){.scenario = scenario, .arena = scenario->arena, .kit = kit};
	budget_init(&cast->budget, scenario->limits.tokens, scenario->limits.cost_usd);
	cast->models_kit = (struct model_kit){
		.recorded = recorded, .secrets = secrets, .budget = &cast->budget, .dir = scenario->dir};
	cast->conditions_kit = (struct termination_kit){.budget = &cast->budget, .dir = scenario->dir};
	struct option_ref *summary = &scenario->output.summary_model;
	if (summary->name && !(summary->object = find_model(cast, summary->name, err)))
		return error_prefix(err, "output.summary_model");
	if (make_team(cast, &scenario->team, err) < 0)
		return -1;
	cast->team = scenario->team.object;
	return 0;
}

int cast_recall(struct cast *cast, const char *name, const struct model_reply *reply, struct rondo_error *err)
{
	static const struct budget_hold nothing;
	for (size_t i = 0; i < cast->n_models; i++) {
		struct model *model = cast->models[i];
		if (strcmp(model->name, name) != 0)
			continue;
		model_recall(model, model->calls + 1);
		budget_settle(&cast->budget, &nothing, reply->usage_known ? &reply->usage : NULL, &model->price);
		return 0;
	}
	return error_set(err, RONDO_ERROR_USAGE, "model '%s' speaks in the record, and nobody asks it here", name);
}

void cast_release(struct cast *cast)
{
	if (!cast->scenario)
		return;
	for (size_t i = cast->n_teams; i-- > 0;)
		team_free(cast->teams[i]);
	for (size_t i = cast->n_agents; i-- > 0;)
		agent_free(cast->agents[i]);
	for (size_t i = cast->n_models; i-- > 0;)
		model_free(cast->models[i]);
	budget_release(&cast->budget);
}
