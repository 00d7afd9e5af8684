#include "run/scenario/scenario.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "models/model.h"
#include "run/report/commit_message.h"
#include "run/scenario/assertion.h"
#include "run/scenario/autogen.h"
#include "run/scenario/override.h"
#include "run/scenario/reader.h"
#include "team/team.h"
#include "verify/suite/suite.h"

#define AT(member) offsetof(struct scenario, member)
#define IN(section, member) offsetof(struct scenario_##section, member)

static const char *const summaries[] = {"last_message", "model", NULL};
static const char *const on_dirty[] = {"snapshot", "head", "refuse", NULL};

static const struct option workspace_options[] = {
	OPTION("repo", STRING, IN(workspace, repo),
		"a git checkout to work on; else an empty directory", .main = true),
	OPTION("files", TEXTS, IN(workspace, files), "files to begin with: each path with its text",
		.from_file = true),
	OPTION("copy", STRING, IN(workspace, copy),
		"a directory, or one program that is its own test, to copy and work on"),
	OPTION("mount", STRINGS, IN(workspace, mount), "further ignored folders that the tests need",
		.right = OPTION_MAY_NAME_PATHS),
	OPTION("setup", STRINGS, IN(workspace, setup),
		"commands that run once in each checkout, before all else", .right = OPTION_MAY_SET),
	OPTION("on_dirty", ENUM, IN(workspace, on_dirty),
		"uncommitted work: work on it, leave it out, or refuse", .values = on_dirty,
		.fallback = "snapshot", .right = OPTION_MAY_SET),
	OPTION_END,
};

static const struct option test_options[] = {
	OPTION("command", STRING, IN(test, command), "the test command; else it is found", .main = true,
		.right = OPTION_MAY_SET),
	OPTION(
		"goal", STRING, IN(test, goal), "only the failing tests whose id contains or matches this"),
	OPTION("format", ENUM, IN(test, format), "how results are read; auto: as they show themselves",
		.values = suite_format_names, .fallback = "auto", .right = OPTION_MAY_SET),
	OPTION("report", STRING, IN(test, report),
		"report files that the command writes: a glob, such as build/**/TEST-*.xml",
		.right = OPTION_MAY_NAME_PATHS),
	OPTION("targeted", STRING, IN(test, targeted),
		"a command that runs some tests alone, {{tests}} their ids: the failing ones are then run "
		"first",
		.right = OPTION_MAY_SET),
	OPTION("fail_output", STRINGS, IN(test, fail_output),
		"regular expressions: a line of output that matches makes a run red, whatever its exit "
		"code",
		.right = OPTION_MAY_SET),
	OPTION("repeat", INT, IN(test, repeat),
		"runs of the baseline: tests whose results differ count neither way", .least = 2,
		.most = 20, .fallback = "2", .right = OPTION_MAY_RAISE),
	OPTION_END,
};

static const struct option verify_options[] = {
	OPTION("repeat", INT, IN(verify, repeat),
		"runs of the gate, each in a fresh checkout of another name", .least = 1, .most = 20,
		.fallback = "2", .right = OPTION_MAY_RAISE),
	OPTION("sentinels", BOOL, IN(verify, sentinels),
		"the gate's second run has two tests of its own, of which one must fail",
		.fallback = "true", .right = OPTION_MAY_RAISE),
	OPTION("clean_up", BOOL, IN(verify, clean_up),
		"drop scratch files, debug prints and unrelated changes that the fix does not need",
		.fallback = "true"),
	OPTION("checks", STRINGS, IN(verify, checks),
		"further commands that have to succeed on the fix: a linter, a build",
		.right = OPTION_MAY_SET),
	OPTION("hidden", STRING, IN(verify, hidden),
		"the command of a suite that no agent ever sees; it has to pass", .main = true),
	OPTION("hidden_files", TEXTS, IN(verify, hidden_files),
		"files of the hidden suite: each path with its text", .from_file = true),
	OPTION("hidden_copy", STRING, IN(verify, hidden_copy),
		"a directory whose files are the hidden suite's"),
	OPTION_END,
};

static const struct option output_options[] = {
	OPTION("branch", STRING, IN(output, branch), "the branch to make; else rondo/<run>"),
	OPTION("patch", STRING, IN(output, patch), "also write the result as a diff"),
	OPTION("junit", STRING, IN(output, junit),
		"a directory that also gets junit-before.xml and junit-after.xml"),
	OPTION("pull_request", STRING, IN(output, pull_request),
		"also write the text of a pull request to this file: its title, an empty line, Markdown"),
	OPTION("subject", STRING, IN(output, subject),
		"the first line of the commit's message; else what was wrong, as far as anybody said it",
		.check = commit_check_subject),
	OPTION("co_authors", STRINGS, IN(output, co_authors),
		"who else made it, as trailers of the commit: Name <mail>", .check = commit_check_author),
	OPTION("files", STRING, IN(output, files),
		"a directory for what was written, outside a repository"),
	OPTION("apply", BOOL, IN(output, apply), "also bring it into the user's files"),
	OPTION("summary", ENUM, IN(output, summary),
		"of the chat: the last that an agent said, or what a model makes of it by one more call",
		.values = summaries, .fallback = "last_message"),
	OPTION("summary_model", REF, IN(output, summary_model),
		"the model that sums up; else the one that was asked last", .family = &model_family),
	OPTION_END,
};

static const char *const name_aliases[] = {"title", NULL};

const struct option scenario_keys[] = {
	OPTION("version", INT, AT(version), "of this format", .least = 1, .most = 1, .fallback = "1"),
	OPTION("name", STRING, AT(name), "a word or two", .aliases = name_aliases),
	OPTION("description", STRING, AT(description), "for people"),
	OPTION("task", STRING, AT(task), "what the chat begins with", .from_file = true),
	OPTION("parameters", MAP, AT(parameters),
		"what {{name}} in any text stands for; -p name=value gives it",
		.family = &parameter_family),
	OPTION("models", MAP, AT(models), "models by name", .family = &model_family),
	OPTION("agents", MAP, AT(agents), "who may speak, by name", .family = &agent_family,
		.required = true),
	OPTION("team", CHILD, AT(team), "who speaks when, and when to stop", .family = &team_family,
		.required = true),
	OPTION("executor", CHILD, AT(executor), "where code runs", .family = &executor_family),
	OPTION("workspace", SECTION, AT(workspace), "the files that are worked on",
		.table = workspace_options),
	OPTION("test", SECTION, AT(test), "the suite that the tester runs", .table = test_options),
	OPTION("verify", SECTION, AT(verify), "what the gate asks of a fix before there is a branch",
		.table = verify_options),
	OPTION("protect", STRINGS, AT(protect), "further paths that may not change: globs",
		.right = OPTION_MAY_SET),
	OPTION("allow_edit", STRINGS, AT(allow_edit),
		"protected paths that may change all the same: globs"),
	OPTION("limits", SECTION, AT(limits), "what the run may take", .table = limits_options),
	OPTION("output", SECTION, AT(output), "where the result goes", .table = output_options),
	OPTION(
		"assert", CHILDREN, AT(asserts), "what must hold at the end", .family = &assertion_family),
	OPTION_END,
};

static void default_sections(const struct option *table, void *state, struct arena *arena)
{
	for (const struct option *option = table; option->name; option++)
		if (option->kind == OPTION_SECTION)
			option_defaults(option->table, (char *)state + option->offset, arena);
}

void scenario_init(struct scenario *scenario, struct arena *arena)
{
	*scenario = (struct scenario){.arena = arena, .dir = "."};
	option_defaults(scenario_keys, scenario, arena);
	default_sections(scenario_keys, scenario, arena);
}

/* Parameters are read first: what they are called decides what other texts mean. */
static void read_parameters(struct scenario *scenario, const struct yaml_node *root,
	const struct scenario_settings *settings, struct reader *reader, struct parameters *parameters)
{
	const struct yaml_node *node = yaml_find(root, "parameters");
	struct rondo_error err;
	const struct option *option = option_find(scenario_keys, "parameters", "key", &err);
	if (node)
		reader_value(reader, option, scenario, node);
	parameters_set(parameters, &scenario->parameters, &settings->parameters,
		settings->may_lack_values, scenario->arena, reader->problems);
	reader->parameters = settings->is_resolved || scenario->is_component ? NULL : parameters;
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
	struct parameters parameters;
	struct reader reader = {.arena = scenario->arena,
		.problems = problems,
		.dir = scenario->is_component ? NULL : scenario->dir,
		.may_lack = settings->is_part};
	read_parameters(scenario, root, settings, &reader, &parameters);
	reader_keys(&reader, &(struct reader_part){scenario_keys, scenario}, 1, root,
		yaml_find(root, "parameters"), NULL);
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
	if (root->kind != YAML_MAP) {
		problems_add(
			problems, root->place, "a scenario is a section of keys, such as team: and agents:");
		return;
	}
	override_all(root, &settings->overrides, arena, problems);
	scenario_take(scenario, root, settings, problems);
	reader_required(
		&(struct reader){.arena = arena, .problems = problems}, scenario_keys, root, NULL, NULL);
	if (scenario->test.command)
		scenario->test_from = file_name(path);
	if (settings->task)
		scenario->task = settings->task;
	scenario_check(scenario, root, problems);
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
	scenario->executor = (struct option_spec){.type = type,
		.common = settings,
		.state = arena_alloc(scenario->arena, type.state_size)};
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

const struct option_spec *scenario_find(const struct option_specs *specs, const char *name)
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

const struct option_spec **scenario_agents(const struct scenario *scenario,
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

bool scenario_runs_code(const struct scenario *scenario)
{
	return scenario_has_agent(scenario, &scenario->team, &executor_agent);
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
	struct option keys[ARRAY_SIZE(scenario_keys)], *end = keys;
	for (const struct option *option = scenario_keys; option->name; option++)
		if (option->offset != AT(parameters))
			*end++ = *option;
	*end = (struct option)OPTION_END;
	writer_add(json, keys, scenario);
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
