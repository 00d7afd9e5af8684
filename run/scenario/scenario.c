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
#include "run/scenario/writer.h"
#include "team/team.h"
#include "verify/suite/suite.h"

#define AT(member) offsetof(struct scenario, member)
#define IN(section, member) offsetof(struct scenario_##section, member)

static const char *const summaries[] = {"last_message", "model", NULL};
static const char *const on_dirty[] = {"snapshot", "head", "refuse", NULL};

static const struct option workspace_options[] = {
	{.name = "repo",
		.kind = OPTION_STRING,
		.offset = IN(workspace, repo),
		.main = true,
		.help = "a git checkout to work on; else an empty directory"},
	{.name = "files",
		.kind = OPTION_TEXTS,
		.offset = IN(workspace, files),
		.from_file = true,
		.help = "files to begin with: each path with its text"},
	{.name = "copy",
		.kind = OPTION_STRING,
		.offset = IN(workspace, copy),
		.help = "a directory, or one program that is its own test, to copy and work on"},
	{.name = "mount",
		.kind = OPTION_STRINGS,
		.offset = IN(workspace, mount),
		.right = OPTION_MAY_NAME_PATHS,
		.help = "further ignored folders that the tests need"},
	{.name = "setup",
		.kind = OPTION_STRINGS,
		.offset = IN(workspace, setup),
		.right = OPTION_MAY_SET,
		.help = "commands that run once in each checkout, before all else"},
	{.name = "on_dirty",
		.kind = OPTION_ENUM,
		.offset = IN(workspace, on_dirty),
		.values = on_dirty,
		.fallback = "snapshot",
		.right = OPTION_MAY_SET,
		.help = "uncommitted work: work on it, leave it out, or refuse"},
	OPTION_END,
};

static const struct option test_options[] = {
	{.name = "command",
		.kind = OPTION_STRING,
		.offset = IN(test, command),
		.main = true,
		.right = OPTION_MAY_SET,
		.help = "the test command; else it is found"},
	{.name = "goal",
		.kind = OPTION_STRING,
		.offset = IN(test, goal),
		.help = "only the failing tests whose id contains or matches this"},
	{.name = "format",
		.kind = OPTION_ENUM,
		.offset = IN(test, format),
		.values = suite_format_names,
		.fallback = "auto",
		.right = OPTION_MAY_SET,
		.help = "how results are read; auto: as they show themselves"},
	{.name = "report",
		.kind = OPTION_STRING,
		.offset = IN(test, report),
		.right = OPTION_MAY_NAME_PATHS,
		.help = "report files that the command writes: a glob, such as build/**/TEST-*.xml"},
	{.name = "targeted",
		.kind = OPTION_STRING,
		.offset = IN(test, targeted),
		.right = OPTION_MAY_SET,
		.help = "a command that runs some tests alone, {{tests}} their ids: the failing ones are "
				"then run first"},
	{.name = "fail_output",
		.kind = OPTION_STRINGS,
		.offset = IN(test, fail_output),
		.right = OPTION_MAY_SET,
		.help = "regular expressions: a line of output that matches makes a run red, whatever its "
				"exit code"},
	{.name = "repeat",
		.kind = OPTION_INT,
		.offset = IN(test, repeat),
		.least = 2,
		.most = 20,
		.fallback = "2",
		.right = OPTION_MAY_RAISE,
		.help = "runs of the baseline: tests whose results differ count neither way"},
	OPTION_END,
};

static const struct option verify_options[] = {
	{.name = "repeat",
		.kind = OPTION_INT,
		.offset = IN(verify, repeat),
		.least = 1,
		.most = 20,
		.fallback = "2",
		.right = OPTION_MAY_RAISE,
		.help = "runs of the gate, each in a fresh checkout of another name"},
	{.name = "sentinels",
		.kind = OPTION_BOOL,
		.offset = IN(verify, sentinels),
		.fallback = "true",
		.right = OPTION_MAY_RAISE,
		.help = "the gate's second run has two tests of its own, of which one must fail"},
	{.name = "clean_up",
		.kind = OPTION_BOOL,
		.offset = IN(verify, clean_up),
		.fallback = "true",
		.help =
			"drop scratch files, debug prints and unrelated changes that the fix does not need"},
	{.name = "checks",
		.kind = OPTION_STRINGS,
		.offset = IN(verify, checks),
		.right = OPTION_MAY_SET,
		.help = "further commands that have to succeed on the fix: a linter, a build"},
	{.name = "hidden",
		.kind = OPTION_STRING,
		.offset = IN(verify, hidden),
		.main = true,
		.help = "the command of a suite that no agent ever sees; it has to pass"},
	{.name = "hidden_files",
		.kind = OPTION_TEXTS,
		.offset = IN(verify, hidden_files),
		.from_file = true,
		.help = "files of the hidden suite: each path with its text"},
	{.name = "hidden_copy",
		.kind = OPTION_STRING,
		.offset = IN(verify, hidden_copy),
		.help = "a directory whose files are the hidden suite's"},
	OPTION_END,
};

static const struct option output_options[] = {
	{.name = "branch",
		.kind = OPTION_STRING,
		.offset = IN(output, branch),
		.help = "the branch to make; else rondo/<run>"},
	{.name = "patch",
		.kind = OPTION_STRING,
		.offset = IN(output, patch),
		.help = "also write the result as a diff"},
	{.name = "junit",
		.kind = OPTION_STRING,
		.offset = IN(output, junit),
		.help = "a directory that also gets junit-before.xml and junit-after.xml"},
	{.name = "pull_request",
		.kind = OPTION_STRING,
		.offset = IN(output, pull_request),
		.help = "also write the text of a pull request to this file: its title, an empty line, "
				"Markdown"},
	{.name = "subject",
		.kind = OPTION_STRING,
		.offset = IN(output, subject),
		.check = commit_check_subject,
		.help = "the first line of the commit's message; else what was wrong, as far as anybody "
				"said it"},
	{.name = "co_authors",
		.kind = OPTION_STRINGS,
		.offset = IN(output, co_authors),
		.check = commit_check_author,
		.help = "who else made it, as trailers of the commit: Name <mail>"},
	{.name = "files",
		.kind = OPTION_STRING,
		.offset = IN(output, files),
		.help = "a directory for what was written, outside a repository"},
	{.name = "apply",
		.kind = OPTION_BOOL,
		.offset = IN(output, apply),
		.help = "also bring it into the user's files"},
	{.name = "summary",
		.kind = OPTION_ENUM,
		.offset = IN(output, summary),
		.values = summaries,
		.fallback = "last_message",
		.help = "of the chat: the last that an agent said, or what a model makes of it by one more "
				"call"},
	{.name = "summary_model",
		.kind = OPTION_REF,
		.offset = IN(output, summary_model),
		.family = &model_family,
		.help = "the model that sums up; else the one that was asked last"},
	OPTION_END,
};

static const char *const name_aliases[] = {"title", NULL};

const struct option scenario_keys[] = {
	{.name = "version",
		.kind = OPTION_INT,
		.offset = AT(version),
		.least = 1,
		.most = 1,
		.fallback = "1",
		.help = "of this format"},
	{.name = "name",
		.kind = OPTION_STRING,
		.offset = AT(name),
		.aliases = name_aliases,
		.help = "a word or two"},
	{.name = "description", .kind = OPTION_STRING, .offset = AT(description), .help = "for people"},
	{.name = "task",
		.kind = OPTION_STRING,
		.offset = AT(task),
		.from_file = true,
		.help = "what the chat begins with"},
	{.name = "parameters",
		.kind = OPTION_MAP,
		.offset = AT(parameters),
		.family = &parameter_family,
		.help = "what {{name}} in any text stands for; -p name=value gives it"},
	{.name = "models",
		.kind = OPTION_MAP,
		.offset = AT(models),
		.family = &model_family,
		.help = "models by name"},
	{.name = "agents",
		.kind = OPTION_MAP,
		.offset = AT(agents),
		.family = &agent_family,
		.required = true,
		.help = "who may speak, by name"},
	{.name = "team",
		.kind = OPTION_CHILD,
		.offset = AT(team),
		.family = &team_family,
		.required = true,
		.help = "who speaks when, and when to stop"},
	{.name = "executor",
		.kind = OPTION_CHILD,
		.offset = AT(executor),
		.family = &executor_family,
		.help = "where code runs"},
	{.name = "workspace",
		.kind = OPTION_SECTION,
		.offset = AT(workspace),
		.table = workspace_options,
		.help = "the files that are worked on"},
	{.name = "test",
		.kind = OPTION_SECTION,
		.offset = AT(test),
		.table = test_options,
		.help = "the suite that the tester runs"},
	{.name = "verify",
		.kind = OPTION_SECTION,
		.offset = AT(verify),
		.table = verify_options,
		.help = "what the gate asks of a fix before there is a branch"},
	{.name = "protect",
		.kind = OPTION_STRINGS,
		.offset = AT(protect),
		.right = OPTION_MAY_SET,
		.help = "further paths that may not change: globs"},
	{.name = "allow_edit",
		.kind = OPTION_STRINGS,
		.offset = AT(allow_edit),
		.help = "protected paths that may change all the same: globs"},
	{.name = "limits",
		.kind = OPTION_SECTION,
		.offset = AT(limits),
		.table = limits_options,
		.help = "what the run may take"},
	{.name = "output",
		.kind = OPTION_SECTION,
		.offset = AT(output),
		.table = output_options,
		.help = "where the result goes"},
	{.name = "assert",
		.kind = OPTION_CHILDREN,
		.offset = AT(asserts),
		.family = &assertion_family,
		.help = "what must hold at the end"},
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
		problems_add(problems, path, root->line, root->column,
			"a scenario is a section of keys, such as team: and agents:");
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
	const struct executor_type *type = executor_type_find(name, err);
	if (!type)
		return -1;
	if (!settings) {
		settings = arena_alloc(scenario->arena, sizeof *settings);
		*settings = executor_defaults;
	}
	if (scenario->executor.type.self == type)
		return 0;
	void *state = arena_alloc(scenario->arena, type->state_size);
	if (type->options)
		option_defaults(type->options, state, scenario->arena);
	scenario->executor = (struct option_spec){
		.type = {type->name, type->summary, type->options, type->state_size, type},
		.common = settings,
		.state = state};
	return 0;
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
	struct found *found, const struct scenario *scenario, const struct team_options *team)
{
	for (size_t i = 0; team && i < team->participants.n; i++)
		for (size_t j = 0; j < scenario->agents.n; j++)
			if (strcmp(scenario->agents.items[j].name, team->participants.items[i].name) == 0)
				find_once(found, &scenario->agents.items[j]);
}

const struct option_spec **scenario_agents(const struct scenario *scenario,
	const struct option_spec *team, struct arena *arena, size_t *ret_n)
{
	struct found found = {.arena = arena};
	find_participants(&found, scenario, team->common);
	for (size_t i = 0; i < found.n; i++) {
		const struct option_spec *agent = found.items[i];
		for (const struct option *option = agent->type.options; option && option->name; option++) {
			const void *member = (const char *)agent->state + option->offset;
			const struct option_specs *parts = member;
			for (size_t j = 0; option->kind == OPTION_CHILDREN && j < parts->n; j++)
				find_once(&found, &parts->items[j]);
			if (option->kind == OPTION_CHILD && option->family == &team_family)
				find_participants(&found, scenario, ((const struct option_spec *)member)->common);
		}
	}
	*ret_n = found.n;
	return found.items;
}

unsigned scenario_needs(const struct scenario *scenario)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	const struct option_spec **agents = scenario_agents(scenario, &scenario->team, &arena, &n);
	unsigned needs = scenario->test.command ? AGENT_NEEDS_SUITE | AGENT_NEEDS_DESK : 0;
	for (size_t i = 0; i < n; i++) {
		const struct agent_type *type = agents[i]->type.self;
		needs |= type ? type->needs : 0;
	}
	return needs;
}

bool scenario_runs_code(const struct scenario *scenario)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	const struct option_spec **agents = scenario_agents(scenario, &scenario->team, &arena, &n);
	for (size_t i = 0; i < n; i++)
		if (agents[i]->type.self == &executor_agent)
			return true;
	return false;
}

const char *scenario_human_input_mode(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->agents.n; i++) {
		const struct option_spec *agent = &scenario->agents.items[i];
		const struct option *option = strcmp(agent->name, name) == 0 ? agent->type.options : NULL;
		for (; option && option->name; option++)
			if (option->kind == OPTION_ENUM && strcmp(option->name, "human_input_mode") == 0)
				return *(
					const char *const *)(const void *)((const char *)agent->state + option->offset);
	}
	return NULL;
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
