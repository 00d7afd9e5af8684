/* What no table can say of a scenario: names that nothing declares, things that do not go together. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/edit.h"
#include "models/model.h"
#include "run/assertion.h"
#include "run/scenario.h"
#include "team/team.h"

#define LONGEST_NAME 64

struct check {
	const struct scenario *scenario;
	struct problems *problems;
};

__attribute__((format(printf, 3, 4))) static void tell(
	const struct check *check, const struct option_place *place, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	problems_add(check->problems, place->origin ? place->origin : check->scenario->path, place->line,
		place->column, "%s", text);
}

static const struct option_spec *find(const struct option_specs *specs, const char *name)
{
	for (size_t i = 0; i < specs->n; i++)
		if (strcmp(specs->items[i].name, name) == 0)
			return &specs->items[i];
	return NULL;
}

/* " (agents: coder, executor)", with the likeliest behind it. */
static const char *hint(const struct check *check, const char *noun, const struct option_specs *specs, const char *name)
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
	return arena_printf(arena, " (%ss: %s)%s%s%s", noun, list.text, near ? ", did you mean '" : "",
		near ? near : "", near ? "'?" : "");
}

/* --- References to models --- */

/* Declared, or "provider/model". */
static bool is_model(const struct scenario *scenario, const char *name)
{
	struct rondo_error err;
	const char *slash = strchr(name, '/');
	if (find(&scenario->models, name))
		return true;
	return slash && slash[1] &&
	       option_type_find(&model_family, arena_strndup(scenario->arena, name, (size_t)(slash - name)), &err).name;
}

static void check_spec(const struct check *check, const struct option_spec *spec);

static void check_option(const struct check *check, const struct option *option, const void *member)
{
	const struct option_ref *ref = member;
	const struct option_specs *specs = member;
	if (option->kind == OPTION_REF && ref->name && option->family == &model_family &&
		!is_model(check->scenario, ref->name))
		tell(check, &ref->place, "model '%s' is not declared%s", ref->name,
			hint(check, "model", &check->scenario->models, ref->name));
	for (size_t i = 0; option->kind == OPTION_CHILDREN && i < specs->n; i++)
		check_spec(check, &specs->items[i]);
}

static void check_spec(const struct check *check, const struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++)
		check_option(check, option, (const char *)spec->state + option->offset);
}

/* The model that a model stands on, such as what record records. */
static const char *model_behind(const struct option_spec *spec)
{
	for (const struct option *option = spec->type.options; option && option->name; option++)
		if (option->kind == OPTION_REF)
			return ((const struct option_ref *)(const void *)((const char *)spec->state + option->offset))->name;
	return NULL;
}

static void check_cycle(const struct check *check, const struct option_spec *first)
{
	const struct option_specs *models = &check->scenario->models;
	const struct option_spec *spec = first;
	for (size_t steps = 0; spec && steps <= models->n; steps++) {
		const char *next = model_behind(spec);
		spec = next ? find(models, next) : NULL;
		if (spec != first)
			continue;
		tell(check, &first->place, "model '%s' stands on itself", first->name);
		return;
	}
}

static void check_models(const struct check *check)
{
	const struct scenario *scenario = check->scenario;
	for (size_t i = 0; i < scenario->models.n; i++) {
		check_spec(check, &scenario->models.items[i]);
		check_cycle(check, &scenario->models.items[i]);
	}
}

/* --- Agents and their team --- */

static bool is_name(const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && (i == 0 || name[i] != '-'))
			return false;
	return n > 0 && n <= LONGEST_NAME && !isdigit((unsigned char)name[0]) && strcmp(name, "user") != 0;
}

static void check_agents(const struct check *check)
{
	const struct option_specs *agents = &check->scenario->agents;
	for (size_t i = 0; i < agents->n; i++) {
		const struct option_spec *agent = &agents->items[i];
		if (!is_name(agent->name))
			tell(check, &agent->place,
				"'%s' cannot name an agent: letters, digits, _ and - (at most %d, not 'user')", agent->name,
				LONGEST_NAME);
		check_spec(check, agent);
	}
}

/* Whom a condition or an assertion listens to: a name that nobody has would never be heard. */
static void check_sources(const struct check *check, const struct option_spec *spec)
{
	const struct option_specs *agents = &check->scenario->agents;
	for (const struct option *option = spec->type.options; option && option->name; option++) {
		const struct option_strings *names = (const void *)((const char *)spec->state + option->offset);
		if (option->kind != OPTION_STRINGS || strcmp(option->name, "sources") != 0)
			continue;
		for (size_t i = 0; i < names->n; i++)
			if (strcmp(names->items[i], "user") != 0 && !find(agents, names->items[i]))
				tell(check, &spec->place, "agent '%s' is not declared%s", names->items[i],
					hint(check, "agent", agents, names->items[i]));
	}
}

static bool has_tester(const struct scenario *scenario, const struct team_options *team)
{
	for (size_t i = 0; i < team->participants.n; i++) {
		const struct option_spec *agent = find(&scenario->agents, team->participants.items[i].name);
		if (agent && agent->type.name && strcmp(agent->type.name, tester_agent.name) == 0)
			return true;
	}
	return false;
}

static void check_conditions(const struct check *check, const struct option_specs *conditions, bool tester)
{
	for (size_t i = 0; i < conditions->n; i++) {
		const struct option_spec *spec = &conditions->items[i];
		if (strcmp(spec->type.name, tests_pass_termination.name) == 0 && !tester)
			tell(check, &spec->place, "tests_pass never fires: no participant is a tester");
		check_sources(check, spec);
		for (const struct option *option = spec->type.options; option && option->name; option++)
			if (option->kind == OPTION_CHILDREN)
				check_conditions(
					check, (const void *)((const char *)spec->state + option->offset), tester);
	}
}

static void check_team(const struct check *check)
{
	const struct scenario *scenario = check->scenario;
	const struct team_options *team = scenario->team.common;
	if (!team)
		return;
	for (size_t i = 0; i < team->participants.n; i++) {
		const struct option_ref *ref = &team->participants.items[i];
		if (!find(&scenario->agents, ref->name))
			tell(check, &ref->place, "agent '%s' is not declared%s", ref->name,
				hint(check, "agent", &scenario->agents, ref->name));
		for (size_t j = 0; j < i; j++)
			if (strcmp(team->participants.items[j].name, ref->name) == 0)
				tell(check, &ref->place, "'%s' is a participant already", ref->name);
	}
	check_conditions(check, &team->termination, has_tester(scenario, team));
}

/* --- The rest --- */

static void check_workspace(const struct check *check)
{
	static const struct option_place nowhere;
	const struct scenario_workspace *workspace = &check->scenario->workspace;
	struct rondo_error err;
	if (!!workspace->repo + !!workspace->copy + (workspace->files.n > 0) > 1)
		tell(check, &nowhere, "workspace takes one of repo, files, copy");
	for (size_t i = 0; i < workspace->files.n; i++)
		if (edit_check_path(workspace->files.names[i], &err) < 0)
			tell(check, &nowhere, "workspace.files: %s", err.message);
	if (!check->scenario->task && !(scenario_needs(check->scenario) & AGENT_NEEDS_SUITE) && !check->scenario->batch.n)
		tell(check, &nowhere, "the file needs 'task': what the chat begins with (or --task TEXT)");
}

static void check_executor(const struct check *check)
{
	const struct executor_settings *settings = check->scenario->executor.common;
	for (size_t i = 0; settings && i < settings->env.n; i++)
		if (text_ends_with(settings->env.names[i], "_API_KEY"))
			tell(check, &check->scenario->executor.place, "executor.env must not hold keys: '%s'",
				settings->env.names[i]);
}

void scenario_check(const struct scenario *scenario, struct problems *problems)
{
	struct check check = {scenario, problems};
	struct rondo_error err;
	check_models(&check);
	check_agents(&check);
	check_team(&check);
	check_workspace(&check);
	check_executor(&check);
	for (size_t i = 0; i < scenario->asserts.n; i++) {
		check_sources(&check, &scenario->asserts.items[i]);
		if (assertion_check(&scenario->asserts.items[i], &err) < 0)
			tell(&check, &scenario->asserts.items[i].place, "assertion %s: %s",
				scenario->asserts.items[i].type.name, err.message);
	}
}
