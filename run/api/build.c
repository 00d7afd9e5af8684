/*
 * What a team of the API is told: one tree, as a scenario file would be read to. Each call changes
 * a copy of it, which is read and checked and then takes its place, so that a call that fails
 * changes nothing and the tree can always be read.
 */
#include <string.h>

#include "base/utf8.h"
#include "run/api/team.h"
#include "run/scenario/config.h"
#include "run/scenario/override.h"

struct telling {
	struct rondo_team *team;
	struct arena *arena;
	struct yaml_node *root; /* with what is being told */
	const char *path, *fix;
	struct problems problems;
	const char *origin; /* what the text is called in problems */
};

/* What is told is called "NOUN 'NAME'", or NAME where there is no noun. */
static int begin(struct telling *telling, struct rondo_team *team, const char *noun,
	const char *name, struct rondo_error *err)
{
	if (api_enter(team, "be told anything", err) < 0)
		return -1;
	if (team->stage != TEAM_TOLD || team->kept) {
		api_leave(team);
		error_set(err, RONDO_ERROR_USAGE,
			"too late: a team is told what it is before its first run, load or save");
		return -1;
	}
	*telling = (struct telling){.team = team,
		.arena = &team->arena,
		.root = yaml_copy(team->root, &team->arena),
		.path = team->path,
		.fix = team->fix,
		.problems = {.arena = &team->arena},
		.origin = noun ? arena_printf(&team->arena, "%s '%s'", noun, name)
					   : arena_strdup(&team->arena, name)};
	return 0;
}

static void tell(struct telling *telling, const char *text)
{
	problems_add(&telling->problems, place_whole(telling->origin), "%s", text);
}

static bool is_own_agent(const struct rondo_team *team, const char *name)
{
	for (size_t i = 0; i < team->n_agents; i++)
		if (strcmp(team->agents[i]->name, name) == 0)
			return true;
	return false;
}

/* Read a tree for nothing but its problems. `is_part`: what it lacks may still come. */
static void check(struct telling *telling, const struct yaml_node *root, bool is_part)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct scenario scenario;
	struct scenario_settings settings = {.may_lack_values = true, .is_part = is_part};
	scenario_init(&scenario, &scratch);
	if (telling->path)
		scenario_lies_at(&scenario, telling->path);
	if (telling->fix)
		config_take(&scenario, root, false, &telling->problems);
	else
		scenario_take(&scenario, root, &settings, &telling->problems);
	for (size_t i = 0; i < scenario.agents.n; i++)
		if (is_own_agent(telling->team, scenario.agents.items[i].name))
			tell(telling, "that name is taken already");
}

/* Whether what was told stands. `alone`: a tree with nothing in it but the new thing, so that what
 * that lacks is told at once; NULL: there is none. */
static int settle(struct telling *telling, const struct yaml_node *alone, struct rondo_error *err)
{
	struct rondo_team *team = telling->team;
	if (!telling->problems.n && alone)
		check(telling, alone, false);
	if (!telling->problems.n)
		check(telling, telling->root, true);
	int status = problems_error(&telling->problems, err);
	if (status == 0) {
		team->root = telling->root;
		team->path = telling->path;
		team->fix = telling->fix;
	}
	return status;
}

static int end(struct telling *telling, const struct yaml_node *alone, struct rondo_error *err)
{
	int status = settle(telling, alone, err);
	api_leave(telling->team);
	return status;
}

/* --- Nodes --- */

static struct yaml_node *new_scalar(struct telling *telling, const char *text)
{
	struct yaml_node *node = arena_alloc(telling->arena, sizeof *node);
	*node = (struct yaml_node){.kind = YAML_SCALAR,
		.text = arena_strdup(telling->arena, text),
		.literal = true,
		.place.origin = telling->origin};
	return node;
}

/* A text without anything in it is the value that is nothing. */
static struct yaml_node *read_value(struct telling *telling, const char *text)
{
	if (text[strspn(text, " \t\r\n")])
		return yaml_read(text, strlen(text), telling->origin, telling->arena, &telling->problems);
	struct yaml_node *node = new_scalar(telling, "");
	node->plain = true;
	return node;
}

static struct yaml_node *find(struct telling *telling, struct yaml_node *root, const char *keys)
{
	return override_find(
		root, keys, strlen(keys), telling->origin, telling->arena, &telling->problems);
}

static void put(
	struct telling *telling, struct yaml_node *map, const char *key, const struct yaml_node *value)
{
	const char *name = arena_strdup(telling->arena, key);
	override_replace(override_child(map, name, telling->origin, telling->arena),
		yaml_copy(value, telling->arena));
}

/* Under a name that nothing has yet. */
static void put_new(
	struct telling *telling, const char *section, const char *name, const struct yaml_node *value)
{
	struct yaml_node *map = find(telling, telling->root, section);
	if (map && map->kind == YAML_MAP && !yaml_find(map, name))
		put(telling, map, name, value);
	else if (map)
		tell(telling, "that name is taken already");
}

/* To a list, which a single value stands for as well. */
static void append(struct telling *telling, struct yaml_node *root, const char *keys,
	const struct yaml_node *value)
{
	struct yaml_node *list = find(telling, root, keys);
	if (!list)
		return;
	if (list->kind != YAML_LIST) {
		struct yaml_node only = *list, *first = yaml_copy(&only, telling->arena);
		bool is_new = only.kind == YAML_MAP && !only.first;
		list->kind = YAML_LIST;
		list->first = list->last = NULL;
		if (!is_new)
			yaml_append(list, first);
	}
	yaml_append(list, yaml_copy(value, telling->arena));
}

/* A tree of what stands in `text`. The parameters of the whole are known in it, too. */
static struct yaml_node *alone(struct telling *telling, const char *text)
{
	const struct yaml_node *parameters = yaml_find(telling->root, "parameters");
	struct yaml_node *root =
		yaml_read(text, strlen(text), telling->origin, telling->arena, &telling->problems);
	if (parameters)
		put(telling, root, "parameters", parameters);
	return root;
}

static bool is_text(struct telling *telling, const char *text, const char *what)
{
	if (utf8_valid_length(text, strlen(text)) == strlen(text))
		return true;
	problems_add(&telling->problems, place_whole(what), "is no UTF-8 text");
	return false;
}

/* Whether it may be given agents and conditions. */
static bool is_free(struct telling *telling)
{
	if (telling->fix)
		tell(telling, "the team of rondo fix is complete");
	return !telling->fix;
}

/* --- The public functions --- */

int rondo_team_read(struct rondo_team *team, const char *path, struct rondo_error *err)
{
	struct telling telling;
	if (begin(&telling, team, NULL, path, err) < 0)
		return -1;
	struct yaml_node *root = yaml_read_file(telling.origin, telling.arena, &telling.problems);
	telling.path = telling.origin;
	if (team->root->first || team->fix)
		tell(&telling, "a scenario file is read before all else is told");
	else if (root && root->kind != YAML_MAP)
		tell(&telling, "a scenario is a section of keys, such as team: and agents:");
	else if (root)
		telling.root = root;
	return end(&telling, NULL, err);
}

int rondo_team_fix(struct rondo_team *team, const char *path, struct rondo_error *err)
{
	struct telling telling;
	if (begin(&telling, team, NULL, "rondo fix", err) < 0)
		return -1;
	if (team->n_agents)
		tell(&telling, "its agents are rondo's, and the team has others already");
	telling.fix = arena_strdup(telling.arena, path);
	return end(&telling, NULL, err);
}

int rondo_team_add_model(
	struct rondo_team *team, const char *name, const char *model, struct rondo_error *err)
{
	struct telling telling;
	struct yaml_node *node, *root = NULL;
	if (begin(&telling, team, "model", name, err) < 0)
		return -1;
	if (is_text(&telling, name, "the model's name") && (node = read_value(&telling, model))) {
		root = alone(&telling, "models: {}");
		put(&telling, yaml_find(root, "models"), name, node);
		put_new(&telling, "models", name, node);
	}
	return end(&telling, root, err);
}

/* Whether the agent is named as one may be, and not as another one is. */
static bool check_name(struct telling *telling, const char *name)
{
	struct option_place place = {.origin = telling->origin};
	if (!is_text(telling, name, "the agent's name"))
		return false;
	scenario_check_name(name, &place, &telling->problems);
	if (is_own_agent(telling->team, name))
		tell(telling, "that name is taken already");
	return !telling->problems.n;
}

int rondo_team_add_agent(
	struct rondo_team *team, const char *name, const char *agent, struct rondo_error *err)
{
	struct telling telling;
	struct yaml_node *node, *root = NULL;
	if (begin(&telling, team, "agent", name, err) < 0)
		return -1;
	if (is_free(&telling) && check_name(&telling, name) && (node = read_value(&telling, agent))) {
		root = alone(&telling, "agents: {}");
		put(&telling, yaml_find(root, "agents"), name, node);
		put_new(&telling, "agents", name, node);
		append(&telling, telling.root, "team.participants", new_scalar(&telling, name));
	}
	return end(&telling, root, err);
}

int rondo_team_add_condition(
	struct rondo_team *team, const char *condition, struct rondo_error *err)
{
	struct telling telling;
	struct yaml_node *node, *root = NULL;
	if (begin(&telling, team, NULL, "condition", err) < 0)
		return -1;
	if (is_free(&telling) && (node = read_value(&telling, condition))) {
		root = alone(&telling, "team: {participants: [anybody]}");
		append(&telling, root, "team.termination", node);
		append(&telling, telling.root, "team.termination", node);
	}
	return end(&telling, root, err);
}

/* At its dotted key, or, where that is NULL, each of its own keys. */
static void put_at(struct telling *telling, const char *key, const struct yaml_node *value)
{
	if (key) {
		struct yaml_node *node = find(telling, telling->root, key);
		if (node)
			override_replace(node, value);
	} else if (value->kind != YAML_MAP) {
		tell(telling, "a section of keys is meant");
	} else {
		for (const struct yaml_node *item = value->first; item; item = item->next)
			put(telling, telling->root, item->key, item);
	}
}

static int begin_set(
	struct telling *telling, struct rondo_team *team, const char *key, struct rondo_error *err)
{
	if (key &&
		(!override_is_path(key, strlen(key)) ||
			utf8_valid_length(key, strlen(key)) != strlen(key))) {
		error_set(
			err, RONDO_ERROR_USAGE, "a key is given as KEY or KEY.KEY, as in 'team.max_turns'");
		return -1;
	}
	return begin(telling, team, NULL, key ? key : "settings", err);
}

int rondo_team_set(
	struct rondo_team *team, const char *key, const char *value, struct rondo_error *err)
{
	struct telling telling;
	if (begin_set(&telling, team, key, err) < 0)
		return -1;
	const struct yaml_node *node = read_value(&telling, value);
	if (node)
		put_at(&telling, key, node);
	return end(&telling, NULL, err);
}

int rondo_team_set_text(
	struct rondo_team *team, const char *key, const char *text, struct rondo_error *err)
{
	struct telling telling;
	if (begin_set(&telling, team, key, err) < 0)
		return -1;
	if (is_text(&telling, text, telling.origin))
		put_at(&telling, key, new_scalar(&telling, text));
	return end(&telling, NULL, err);
}

/* --- The caller's own --- */

static void check_own(
	struct telling *telling, const char *what, size_t size, size_t meant, bool has_function)
{
	if (size != meant)
		tell(telling,
			arena_printf(
				telling->arena, "the size of struct %s is %zu, found %zu", what, meant, size));
	else if (!has_function)
		tell(telling,
			arena_printf(
				telling->arena, "struct %s lacks the function that it cannot do without", what));
}

int rondo_team_add_own_agent(struct rondo_team *team, const char *name,
	const struct rondo_agent *agent, struct rondo_error *err)
{
	struct telling telling;
	if (begin(&telling, team, "agent", name, err) < 0)
		return -1;
	is_free(&telling);
	check_own(&telling, "rondo_agent", agent->size, sizeof *agent, agent->on_messages);
	if (!telling.problems.n && check_name(&telling, name)) {
		const struct yaml_node *agents = yaml_find(telling.root, "agents");
		if (agents && agents->kind == YAML_MAP && yaml_find(agents, name))
			tell(&telling, "that name is taken already");
		append(&telling, telling.root, "team.participants", new_scalar(&telling, name));
	}
	int status = settle(&telling, NULL, err);
	struct own_agent own = {
		.name = arena_strdup(&team->arena, name), .functions = *agent, .team = team};
	if (status == 0)
		ARENA_PUSH(&team->arena, team->agents, team->n_agents,
			arena_memdup(&team->arena, &own, sizeof own));
	api_leave(team);
	return status;
}

int rondo_team_add_own_condition(struct rondo_team *team, const char *name,
	const struct rondo_condition *condition, struct rondo_error *err)
{
	struct telling telling;
	if (begin(&telling, team, "condition", name, err) < 0)
		return -1;
	check_own(&telling, "rondo_condition", condition->size, sizeof *condition, condition->check);
	if (!telling.problems.n && (unsigned)condition->stop_kind > RONDO_STOP_STOPPED)
		tell(&telling, "its stop_kind is not one of enum rondo_stop_kind");
	is_text(&telling, name, "the condition's name");
	int status = settle(&telling, NULL, err);
	struct own_condition *own = arena_alloc(&team->arena, sizeof *own);
	*own = (struct own_condition){.functions = *condition, .team = team};
	own_condition_init(own, arena_strdup(&team->arena, name));
	if (status == 0)
		ARENA_PUSH(&team->arena, team->conditions, team->n_conditions, own);
	api_leave(team);
	return status;
}
