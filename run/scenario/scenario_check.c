/* What no table can say of a scenario: names that nothing declares, things that do not go
 * together. */
#include <ctype.h>
#include <string.h>

#include "models/model.h"
#include "run/scenario/assertion.h"
#include "run/scenario/scenario_check.h"
#include "team/team.h"

#define LONGEST_NAME 64
#define DEEPEST_TEAM \
	8 /* the state of one is nested in that of another, and a deadline in a deadline (CANCEL_FDS) */

/* " (agents: coder, executor)", with the likeliest after it. */
static const char *hint(
	const struct check *check, const char *noun, const struct option_specs *specs, const char *name)
{
	struct arena *arena = check->scenario->arena;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	const char **names = NULL;
	size_t n = 0;
	for (size_t i = 0; i < specs->n; i++) {
		strbuf_addf(&list, "%s%s", i ? ", " : "", specs->items[i].name);
		ARENA_PUSH(arena, names, n, specs->items[i].name);
	}
	const char *near = text_nearest(name, names, n);
	if (!n)
		return "";
	return arena_printf(arena, " (%ss: %s)%s%s%s", noun, list.text, TEXT_HINT(near));
}

/* --- References to models --- */

/* Whether "provider/model" says all that the provider must be told. */
static bool needs_only_a_name(const struct option_type *provider)
{
	const struct option *option = provider->options;
	if (!option || !option_main(option))
		return false;
	while (option->name && (option->main || !option->required))
		option++;
	return !option->name;
}

/* Declared, or "provider/model". */
void check_model(const struct check *check, const struct option_ref *ref)
{
	struct rondo_error err;
	const struct option_specs *models = &check->scenario->models;
	const char *slash = strchr(ref->name, '/');
	if (scenario_find(models, ref->name))
		return;
	if (!slash || !slash[1]) {
		problems_add(check->problems, ref->place, "model '%s' is not declared%s", ref->name,
			hint(check, "model", models, ref->name));
		return;
	}
	const char *name =
		arena_strndup(check->scenario->arena, ref->name, (size_t)(slash - ref->name));
	struct option_type provider = option_type_find(&model_family, name, &err);
	if (!provider.name)
		problems_add(
			check->problems, ref->place, "model '%s' is not declared: %s", ref->name, err.message);
	else if (!needs_only_a_name(&provider))
		problems_add(check->problems, ref->place,
			"model '%s' is not declared: %s needs more than a name", ref->name, name);
}

/* The models that a thing names itself, by one name or a list of them. */
static struct option_refs models_of(const struct option_spec *spec, struct arena *arena)
{
	struct option_refs found = {0};
	const struct option *at = NULL;
	const struct option_ref *ref;
	const struct option_refs *list;
	while ((ref = scenario_next_member(spec, OPTION_REF, &at)))
		if (ref->name && at->family == &model_family)
			ARENA_PUSH(arena, found.items, found.n, *ref);
	for (at = NULL; (list = scenario_next_member(spec, OPTION_REFS, &at));)
		for (size_t i = 0; at->family == &model_family && i < list->n; i++)
			ARENA_PUSH(arena, found.items, found.n, list->items[i]);
	return found;
}

static void check_spec(const struct check *check, const struct option_spec *spec)
{
	const struct option *at = NULL;
	const struct option_specs *parts;
	struct option_refs models = models_of(spec, check->scenario->arena);
	for (size_t i = 0; i < models.n; i++)
		check_model(check, &models.items[i]);
	while ((parts = scenario_next_member(spec, OPTION_CHILDREN, &at)))
		for (size_t i = 0; i < parts->n; i++)
			check_spec(check, &parts->items[i]);
}

/* Whether a model stands on another one, such as what record records, over so many steps. */
static bool stands_on(const struct scenario *scenario, const struct option_spec *spec,
	const struct option_spec *other, size_t steps)
{
	struct option_refs models = models_of(spec, scenario->arena);
	for (size_t i = 0; i < models.n; i++) {
		const struct option_spec *next = scenario_find(&scenario->models, models.items[i].name);
		if (next == other || (next && steps && stands_on(scenario, next, other, steps - 1)))
			return true;
	}
	return false;
}

static void check_cycle(const struct check *check, const struct option_spec *spec)
{
	if (stands_on(check->scenario, spec, spec, check->scenario->models.n))
		problems_add(check->problems, spec->place, "model '%s' would ask itself", spec->name);
}

/* Whether some declared things name a model; those that they are made of, too. */
static bool specs_name_model(
	const struct option_specs *specs, const char *name, struct arena *arena)
{
	bool found = false;
	for (size_t i = 0; i < specs->n && !found; i++) {
		const struct option *at = NULL;
		const struct option_specs *parts;
		struct option_refs models = models_of(&specs->items[i], arena);
		for (size_t j = 0; j < models.n && !found; j++)
			found = strcmp(models.items[j].name, name) == 0;
		while (!found && (parts = scenario_next_member(&specs->items[i], OPTION_CHILDREN, &at)))
			found = specs_name_model(parts, name, arena);
	}
	return found;
}

/* A run opens no other ones. */
static bool model_is_used(const struct scenario *scenario, const char *name)
{
	const char *summary = scenario->output.summary_model.name;
	return specs_name_model(&scenario->agents, name, scenario->arena) ||
		specs_name_model(&scenario->models, name, scenario->arena) ||
		(summary && strcmp(summary, name) == 0);
}

static void check_model_options(const struct check *check, const struct option_spec *spec)
{
	struct rondo_error err;
	const struct model_type *type = spec->type.self;
	if (type && type->check_options && !spec->lacks_value &&
		model_is_used(check->scenario, spec->name) &&
		type->check_options(spec->state, check->scenario->dir, &err) < 0)
		problems_add(check->problems, spec->place, "model '%s': %s", spec->name, err.message);
}

static void check_models(const struct check *check)
{
	const struct scenario *scenario = check->scenario;
	bool is_read = !check->problems->n; /* else keys may be missing that the file has */
	for (size_t i = 0; i < scenario->models.n; i++) {
		check_spec(check, &scenario->models.items[i]);
		check_cycle(check, &scenario->models.items[i]);
		if (is_read)
			check_model_options(check, &scenario->models.items[i]);
	}
}

/* --- Agents and their team --- */

static bool is_name(const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && (i == 0 || name[i] != '-'))
			return false;
	return n > 0 && n <= LONGEST_NAME && !isdigit((unsigned char)name[0]) &&
		strcmp(name, "user") != 0;
}

void scenario_check_name(
	const char *name, const struct option_place *place, struct problems *problems)
{
	if (!is_name(name))
		problems_add(problems, *place,
			"'%s' cannot name an agent: a letter or _, then letters, digits, _ and -, at most %d "
			"in all; not 'user'",
			name, LONGEST_NAME);
}

static void check_source(
	const struct check *check, const struct option_spec *spec, const char *name)
{
	const struct option_specs *agents = &check->scenario->agents;
	if (strcmp(name, "user") != 0 && !scenario_find(agents, name))
		problems_add(check->problems, spec->place, "agent '%s' is not declared%s", name,
			hint(check, "agent", agents, name));
}

/* Whom a condition, an assertion or an executor listens to: a name that nobody has would never be
 * heard. */
static void check_sources(const struct check *check, const struct option_spec *spec)
{
	const char *const *source = scenario_member(spec, OPTION_STRING, "source");
	const struct option_strings *sources = scenario_member(spec, OPTION_STRINGS, "sources");
	if (source && *source)
		check_source(check, spec, *source);
	for (size_t i = 0; sources && i < sources->n; i++)
		check_source(check, spec, sources->items[i]);
}

static void check_agents(const struct check *check)
{
	const struct option_specs *agents = &check->scenario->agents;
	for (size_t i = 0; i < agents->n; i++) {
		const struct option_spec *agent = &agents->items[i];
		scenario_check_name(agent->name, &agent->place, check->problems);
		check_spec(check, agent);
		check_sources(check, agent);
		check_execution(check, agent);
	}
}

static void check_conditions(
	const struct check *check, const struct option_specs *conditions, bool tester)
{
	struct rondo_error err;
	for (size_t i = 0; i < conditions->n; i++) {
		const struct option_spec *spec = &conditions->items[i];
		const struct option_specs *parts;
		const struct option *at = NULL;
		if (strcmp(spec->type.name, tests_pass_termination.name) == 0 && !tester)
			problems_add(
				check->problems, spec->place, "tests_pass never fires: no participant is a tester");
		check_sources(check, spec);
		if (!spec->lacks_value && termination_check_options(spec, &err) < 0)
			problems_add(
				check->problems, spec->place, "termination %s: %s", spec->type.name, err.message);
		while ((parts = scenario_next_member(spec, OPTION_CHILDREN, &at)))
			check_conditions(check, parts, tester);
	}
}

/* A team, and of whom it is a part. */
struct level {
	const struct option_spec *team;
	const char *owner; /* the agent that is this team or holds it; NULL: the run's own */
	size_t outer, depth;
};

struct levels {
	struct level *items;
	size_t n;
	struct {
		const char *name;
		size_t level;
	} * taken; /* who takes part in any of them */
	size_t n_taken;
};

/* Whether somebody cannot take part in a team, which is reported. */
static bool is_misplaced(
	const struct check *check, const struct levels *levels, size_t at, const struct option_ref *ref)
{
	bool in_itself = false, here = false, elsewhere = false;
	for (size_t i = at; i; i = levels->items[i].outer)
		in_itself = in_itself || strcmp(levels->items[i].owner, ref->name) == 0;
	for (size_t i = 0; i < levels->n_taken; i++) {
		bool same = strcmp(levels->taken[i].name, ref->name) == 0;
		here = here || (same && levels->taken[i].level == at);
		elsewhere = elsewhere || (same && levels->taken[i].level != at);
	}
	if (in_itself)
		problems_add(check->problems, ref->place, "'%s' would take part in itself", ref->name);
	else if (here || elsewhere)
		problems_add(check->problems, ref->place, "'%s' is a participant%s already", ref->name,
			here ? "" : " of another team");
	return in_itself || here || elsewhere;
}

/* The teams within an agent are looked at after all that were found before. */
static void add_levels(const struct check *check, struct levels *levels, size_t at,
	const char *owner, const struct option_spec *agent)
{
	struct arena *arena = check->scenario->arena;
	const struct option *option = NULL;
	const struct option_specs *parts;
	const struct option_spec *team;
	while ((parts = scenario_next_member(agent, OPTION_CHILDREN, &option)))
		for (size_t i = 0; i < parts->n; i++)
			add_levels(check, levels, at, owner, &parts->items[i]);
	for (option = NULL; (team = scenario_next_member(agent, OPTION_CHILD, &option));) {
		if (option->family != &team_family)
			continue;
		struct level level = {team, owner, at, levels->items[at].depth + 1};
		if (level.depth > DEEPEST_TEAM)
			problems_add(check->problems, agent->place, "teams within teams are %d deep at most",
				DEEPEST_TEAM);
		else
			ARENA_PUSH(arena, levels->items, levels->n, level);
	}
}

static void check_participant(
	const struct check *check, struct levels *levels, size_t at, const struct option_ref *ref)
{
	const struct option_specs *agents = &check->scenario->agents;
	const struct option_spec *agent = scenario_find(agents, ref->name);
	if (!agent)
		problems_add(check->problems, ref->place, "agent '%s' is not declared%s", ref->name,
			hint(check, "agent", agents, ref->name));
	bool misplaced = is_misplaced(check, levels, at, ref);
	levels->taken =
		arena_grow(check->scenario->arena, levels->taken, levels->n_taken, sizeof *levels->taken);
	levels->taken[levels->n_taken].name = ref->name;
	levels->taken[levels->n_taken++].level = at;
	if (agent && !misplaced)
		add_levels(check, levels, at, agent->name, agent);
}

static void check_teams(const struct check *check)
{
	const struct scenario *scenario = check->scenario;
	struct levels levels = {0};
	ARENA_PUSH(scenario->arena, levels.items, levels.n, (struct level){.team = &scenario->team});
	for (size_t i = 0; i < levels.n; i++) {
		const struct option_spec *spec = levels.items[i].team;
		const struct team_options *team = spec->common;
		struct rondo_error err;
		for (size_t j = 0; team && j < team->participants.n; j++)
			check_participant(check, &levels, i, &team->participants.items[j]);
		if (team && team->participants.n &&
			team_check_size(spec->type.self, team->participants.n, &err) < 0)
			problems_add(check->problems, spec->place, "%s", err.message);
		if (team)
			check_conditions(
				check, &team->termination, scenario_has_agent(scenario, spec, &tester_agent));
	}
}

void scenario_check(
	const struct scenario *scenario, const struct yaml_node *root, struct problems *problems)
{
	struct check check = {scenario, root, problems};
	struct rondo_error err;
	check_models(&check);
	check_agents(&check);
	check_teams(&check);
	check_sections(&check);
	for (size_t i = 0; i < scenario->asserts.n; i++) {
		check_sources(&check, &scenario->asserts.items[i]);
		if (assertion_check(&scenario->asserts.items[i], &err) < 0)
			problems_add(check.problems, scenario->asserts.items[i].place, "assertion %s: %s",
				scenario->asserts.items[i].type.name, err.message);
	}
}
