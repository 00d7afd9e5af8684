#include "run/scenario/scenario.h"

#include <string.h>

#include "base/file.h"
#include "run/scenario/autogen.h"
#include "run/scenario/override.h"
#include "run/scenario/reader.h"
#include "run/scenario/shorthand.h"
#include "team/team.h"

void scenario_init(struct scenario *scenario, struct arena *arena)
{
	*scenario = (struct scenario){.arena = arena, .dir = "."};
	option_defaults(scenario_keys, scenario, arena);
}

void scenario_bound(struct scenario_limits *limits, int64_t tokens, double usd)
{
	if (tokens && (!limits->tokens || limits->tokens > tokens))
		limits->tokens = tokens;
	if (usd > 0 && (limits->cost_usd <= 0 || limits->cost_usd > usd))
		limits->cost_usd = usd;
}

/* Parameters are read first: what they are called decides what other texts mean. */
static void read_parameters(struct scenario *scenario, const struct yaml_node *root,
	const struct scenario_settings *settings, struct reader *reader)
{
	const struct yaml_node *node = yaml_find(root, "parameters");
	if (node)
		reader_value(reader, option_named(scenario_keys, "parameters"), scenario, node);
	parameters_set(&scenario->parameters, &settings->parameters, settings->may_lack_values,
		scenario->arena, reader->problems);
	if (!settings->is_resolved && !scenario->is_component)
		reader->parameters = &scenario->parameters;
}

static const char *dir_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

/* A team of AutoGen's: its texts are texts, with braces and all, and name no files. */
static struct yaml_node *read_component(struct scenario *scenario,
	const struct yaml_node *component, const struct scenario_settings *settings,
	struct problems *problems)
{
	struct autogen autogen = {.reader = {.arena = scenario->arena, .problems = problems},
		.has_executor = settings->executor};
	struct yaml_node *root = autogen_scenario(&autogen, component);
	scenario->is_component = true;
	scenario->may_lack_task = settings->may_lack_values;
	scenario->notices = autogen.notices;
	return root;
}

void scenario_lies_at(struct scenario *scenario, const char *path)
{
	scenario->path = path;
	scenario->dir = dir_of(path, scenario->arena);
}

void scenario_take(struct scenario *scenario, const struct yaml_node *root,
	const struct scenario_settings *settings, struct problems *problems)
{
	struct reader reader = {.arena = scenario->arena,
		.problems = problems,
		.dir = scenario->is_component ? NULL : scenario->dir,
		.may_lack = settings->is_part};
	read_parameters(scenario, root, settings, &reader);
	reader_keys(&reader, &(struct reader_part){scenario_keys, scenario}, 1, root,
		yaml_find(root, "parameters"), NULL);
}

/* Settings of the command line belong to the executor that it names. */
static void give_executor(struct yaml_node *root, const char *name, struct arena *arena)
{
	struct yaml_node *node = override_child(root, "executor", "--executor", arena);
	shorthand_open(node, &executor_family, arena);
	shorthand_set_type(node, &executor_family, name, "--executor", arena);
}

/* What is no error and has no effect. */
static void add_notices(struct scenario *scenario, const struct option_specs *conditions)
{
	for (size_t i = 0; i < conditions->n; i++) {
		const struct option_spec *spec = &conditions->items[i];
		const struct option_specs *parts;
		const struct option *at = NULL;
		if (spec->type.self == &handoff_termination)
			notices_add(&scenario->notices, spec->place, scenario->arena,
				"handoff never fires: no agent here hands over, only one that a program adds");
		while ((parts = scenario_next_member(spec, OPTION_CHILDREN, &at)))
			add_notices(scenario, parts);
	}
}

void scenario_read(struct scenario *scenario, const char *path,
	const struct scenario_settings *settings, struct problems *problems)
{
	struct arena *arena = scenario->arena;
	scenario_lies_at(scenario, path);
	struct yaml_node *root = yaml_read_file(path, arena, problems);
	if (root && autogen_is_component(root))
		root = read_component(scenario, root, settings, problems);
	if (!root)
		return;
	const char *why = foreign_file(root, arena);
	if (!why && root->kind != YAML_MAP)
		why = "a scenario is a section of keys, such as team: and agents:";
	if (why) {
		problems_add(problems, root->place, "%s", why);
		return;
	}
	if (settings->executor && settings->overrides.n)
		give_executor(root, settings->executor, arena);
	override_all(root, &settings->overrides, arena, problems);
	scenario_take(scenario, root, settings, problems);
	reader_required(
		&(struct reader){.arena = arena, .problems = problems}, scenario_keys, root, NULL, NULL);
	if (scenario->test.command)
		scenario->test_from = file_name(path);
	if (settings->task)
		scenario->task = settings->task;
	scenario_check(scenario, root, problems);
	if (!problems->n && scenario->team.common && !settings->is_resolved)
		add_notices(scenario, &((const struct team_options *)scenario->team.common)->termination);
}

int scenario_choose_executor(struct scenario *scenario, const char *name, struct rondo_error *err)
{
	struct executor_settings *settings = scenario->executor.common;
	if (!name)
		return 0;
	struct option_type type = option_type_find(&executor_family, name, err);
	if (!type.name)
		return error_help(err, "rondo doctor shows the executors");
	if (!settings) {
		settings = arena_alloc(scenario->arena, sizeof *settings);
		*settings = executor_defaults;
	}
	if (scenario->executor.type.self == type.self)
		return 0;
	scenario->executor = (struct option_spec){
		.type = type, .common = settings, .state = arena_alloc(scenario->arena, type.state_size)};
	option_defaults(type.options, scenario->executor.state, scenario->arena);
	return 0;
}

const void *scenario_next_member(
	const struct option_spec *spec, enum option_kind kind, const struct option **at)
{
	const struct option *option = *at ? *at + 1 : spec->type.options;
	while (option && option->name && option->kind != kind)
		option++;
	*at = option;
	return option && option->name ? (const char *)spec->state + option->offset : NULL;
}

const void *scenario_member(const struct option_spec *spec, enum option_kind kind, const char *name)
{
	const struct option *at = NULL;
	const void *member;
	while ((member = scenario_next_member(spec, kind, &at)) && strcmp(at->name, name) != 0)
		;
	return member;
}

struct option_spec *scenario_find(const struct option_specs *specs, const char *name)
{
	for (size_t i = 0; i < specs->n; i++)
		if (strcmp(specs->items[i].name, name) == 0)
			return &specs->items[i];
	return NULL;
}

struct found {
	struct arena *arena;
	const struct option_spec **items;
	size_t n;
};

static void find_once(struct found *found, const struct option_spec *agent)
{
	for (size_t i = 0; i < found->n; i++)
		if (found->items[i] == agent)
			return;
	ARENA_PUSH(found->arena, found->items, found->n, agent);
}

static void find_participants(
	struct found *found, const struct scenario *scenario, const struct option_spec *spec)
{
	const struct team_options *team = spec->common;
	for (size_t i = 0; team && i < team->participants.n; i++) {
		const struct option_spec *agent =
			scenario_find(&scenario->agents, team->participants.items[i].name);
		if (agent)
			find_once(found, agent);
	}
}

/* The declared agents of a team, with those within them, each once; in the arena. */
static const struct option_spec **scenario_agents(const struct scenario *scenario,
	const struct option_spec *team, struct arena *arena, size_t *ret_n)
{
	struct found found = {.arena = arena};
	find_participants(&found, scenario, team);
	for (size_t i = 0; i < found.n; i++) {
		const struct option_spec *agent = found.items[i], *inner;
		const struct option_specs *parts;
		const struct option *at = NULL;
		while ((parts = scenario_next_member(agent, OPTION_CHILDREN, &at)))
			for (size_t j = 0; j < parts->n; j++)
				find_once(&found, &parts->items[j]);
		for (at = NULL; (inner = scenario_next_member(agent, OPTION_CHILD, &at));)
			if (at->family == &team_family)
				find_participants(&found, scenario, inner);
	}
	*ret_n = found.n;
	return found.items;
}

unsigned scenario_needs(const struct scenario *scenario)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	const struct option_spec **agents = scenario_agents(scenario, &scenario->team, &arena, &n);
	unsigned needs = scenario->test.command ? AGENT_NEEDS_SUITE | AGENT_NEEDS_CHECKOUT : 0;
	for (size_t i = 0; i < n; i++) {
		const struct agent_type *type = agents[i]->type.self;
		needs |= type ? type->needs : 0;
	}
	return needs;
}

bool scenario_has_agent(
	const struct scenario *scenario, const struct option_spec *team, const struct agent_type *type)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	const struct option_spec **agents = scenario_agents(scenario, team, &arena, &n);
	while (n && agents[n - 1]->type.self != type)
		n--;
	return n;
}

/* Whether a coder is among those who are heard; none: everybody is. */
static bool hears_coder(const struct scenario *scenario, const struct option_strings *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		const struct option_spec *agent = scenario_find(&scenario->agents, sources->items[i]);
		if (agent && agent->type.self == &coder_agent)
			return true;
	}
	return !sources->n;
}

/* The first of some conditions and of those that they are made of. */
static const char *end_word_of(
	const struct scenario *scenario, const struct option_specs *conditions)
{
	const char *word = NULL;
	for (size_t i = 0; i < conditions->n && !word; i++) {
		const struct option_spec *spec = &conditions->items[i];
		const struct option_specs *parts;
		const struct option *at = NULL;
		struct option_strings sources = {.n = 0};
		if (spec->type.self == &text_mention_termination)
			word = text_mention_word(spec->state, &sources);
		word = word && hears_coder(scenario, &sources) ? word : NULL;
		while (!word && (parts = scenario_next_member(spec, OPTION_CHILDREN, &at)))
			word = end_word_of(scenario, parts);
	}
	return word;
}

const char *scenario_end_word(const struct scenario *scenario)
{
	const struct team_options *team = scenario->team.common;
	return team ? end_word_of(scenario, &team->termination) : NULL;
}

bool scenario_runs_code(const struct scenario *scenario)
{
	return scenario_has_agent(scenario, &scenario->team, &executor_agent);
}

bool scenario_asks_models(const struct scenario *scenario)
{
	return scenario_has_agent(scenario, &scenario->team, &coder_agent) ||
		scenario_has_agent(scenario, &scenario->team, &command_agent) ||
		scenario_has_agent(scenario, &scenario->team, &acp_agent);
}

struct option_strings scenario_allowed(const struct scenario *scenario)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n, n_executors = 0;
	const struct option_spec **agents = scenario_agents(scenario, &scenario->team, &arena, &n);
	const struct option_strings *allow = NULL;
	for (size_t i = 0; i < n; i++)
		if (agents[i]->type.self == &executor_agent) {
			allow = scenario_member(agents[i], OPTION_STRINGS, "allow");
			n_executors++;
		}
	return allow && n_executors == 1 ? *allow : (struct option_strings){.n = 0};
}

const char *scenario_human_input_mode(const struct scenario *scenario, const char *name)
{
	const struct option_spec *agent = scenario_find(&scenario->agents, name);
	const char *const *mode =
		agent ? scenario_member(agent, OPTION_ENUM, "human_input_mode") : NULL;
	return mode ? *mode : NULL;
}

struct json *scenario_to_json(const struct scenario *scenario)
{
	struct json *json = json_object();
	writer_add(json, scenario_keys, scenario);
	return json;
}

int scenario_secrets(const struct scenario *scenario, const char *env_file, struct secrets *secrets,
	struct rondo_error *err)
{
	const char *beside =
		scenario->path ? arena_printf(scenario->arena, "%s/.env", scenario->dir) : NULL;
	secrets_from_environment(secrets, scenario->arena);
	if (env_file)
		return secrets_from_file(secrets, env_file, scenario->arena, err);
	if (!beside || !file_exists(beside))
		return 0;
	return secrets_from_file(secrets, beside, scenario->arena, err);
}
