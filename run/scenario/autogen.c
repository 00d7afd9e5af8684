/*
 * A dumped RoundRobinGroupChat becomes a scenario: each agent under its name with a model of the
 * same name, the conditions, one executor for all. TextMention keeps its match of any part of a
 * word, and a nested team lets all be heard that was said in it. What is better here is better for
 * such a team, too: neither the task nor what programs print ends the chat, and code beside the
 * last word still runs.
 */
#include "run/scenario/autogen.h"

#include <string.h>

#include "base/memory.h"
#include "team/team.h"

#define DEFAULT_NAME "RoundRobinGroupChat"

/* --- Conditions --- */

static void read_combination(struct autogen *autogen, const struct autogen_component *component);

#define CONDITION(class, word) \
	.provider = "autogen_agentchat.conditions." class "Termination", .version = 1, \
	.family = &termination_family, .type = word
#define COMBINATION(class, word) \
	.provider = "autogen_agentchat.base." class "TerminationCondition", .version = 1, \
	.family = &termination_family, .type = word, .read = read_combination
#define KEYS .keys = (const struct autogen_key[])

static const struct autogen_part conditions[] = {
	{COMBINATION("And", "and"), KEYS{{"conditions", AUTOGEN_NEEDED, NULL}, {0}}},
	{COMBINATION("Or", "or"), KEYS{{"conditions", AUTOGEN_NEEDED, NULL}, {0}}},
	{CONDITION("External", "external"), KEYS{{0}}},
	{CONDITION("Handoff", "handoff"), KEYS{{"target", AUTOGEN_IS, "target"}, {0}}},
	{CONDITION("MaxMessage", "max_messages"),
		KEYS{{"max_messages", AUTOGEN_IS, "max"},
			{"include_agent_event", AUTOGEN_UNUSED, "only messages count"}, {0}}},
	{CONDITION("SourceMatch", "source_match"), KEYS{{"sources", AUTOGEN_IS, "sources"}, {0}}},
	{CONDITION("StopMessage", "stop_message"), KEYS{{0}}},
	{CONDITION("TextMention", "text_mention"), .also = "mode", .as = "substring",
		KEYS{{"text", AUTOGEN_IS, "text"}, {"sources", AUTOGEN_IS, "sources"}, {0}}},
	{CONDITION("TextMessage", "text_message"), KEYS{{"source", AUTOGEN_IS, "source"}, {0}}},
	{CONDITION("Timeout", "timeout"), KEYS{{"timeout_seconds", AUTOGEN_IS, "after"}, {0}}},
	{CONDITION("TokenUsage", "token_usage"),
		KEYS{{"max_total_token", AUTOGEN_IS, "total"}, {"max_prompt_token", AUTOGEN_IS, "prompt"},
			{"max_completion_token", AUTOGEN_IS, "completion"}, {0}}},
};

static void add_condition(struct autogen *autogen, const struct yaml_node *node, const char *where,
	struct yaml_node *to, const char *key)
{
	struct autogen_component condition;
	if (autogen_open(autogen, node, where, conditions, ARRAY_SIZE(conditions), NULL, &condition))
		autogen_put(autogen, to, key, condition.made);
}

/* As deep as the file, which is read no deeper than 64. */
static void read_combination(struct autogen *autogen, const struct autogen_component *component)
{
	const struct yaml_node *parts = autogen_list(autogen, component, "conditions");
	if (!parts)
		return;
	struct yaml_node *list = autogen_node(autogen, YAML_LIST, parts);
	size_t i = 0;
	for (const struct yaml_node *part = parts->first; part; part = part->next)
		add_condition(autogen, part,
			arena_printf(autogen->reader.arena, "condition %zu of %s", ++i, component->where), list,
			NULL);
	autogen_put(autogen, component->made, "conditions", list);
}

/* --- Teams --- */

static const struct autogen_key team_keys[] = {
	{"name", AUTOGEN_READ, NULL},
	{"description", AUTOGEN_READ, NULL},
	{"participants", AUTOGEN_NEEDED, NULL},
	{"termination_condition", AUTOGEN_READ, NULL},
	{"max_turns", AUTOGEN_READ, NULL},
	{"emit_team_events", AUTOGEN_IDLE, NULL},
	{0},
};

static const struct autogen_part teams[] = {{
	.provider = "autogen_agentchat.teams." DEFAULT_NAME,
	.version = 1,
	.family = &team_family,
	.type = "round_robin",
	.keys = team_keys,
}};

/* `of`: what a place within the team ends in, for people. */
static void put_participants(struct autogen *autogen, const struct autogen_component *component,
	struct yaml_node *team, const char *of)
{
	struct arena *arena = autogen->reader.arena;
	const struct yaml_node *participants = autogen_list(autogen, component, "participants");
	if (!participants)
		return;
	if (!participants->first)
		problems_add(
			autogen->reader.problems, participants->place, "a team needs at least one participant");
	struct yaml_node *names = autogen_node(autogen, YAML_LIST, participants);
	size_t i = 0;
	for (const struct yaml_node *item = participants->first; item; item = item->next) {
		const char *where = arena_printf(arena, "participant %zu%s", ++i, of);
		const struct yaml_node *name = autogen_participant(autogen, item, where);
		if (name)
			autogen_put(autogen, names, NULL, name);
	}
	autogen_put(autogen, team, "participants", names);
}

static void put_team(struct autogen *autogen, const struct autogen_component *component,
	struct yaml_node *team, const char *of)
{
	const struct yaml_node *condition = autogen_get(component, "termination_condition");
	const struct yaml_node *max_turns = autogen_get(component, "max_turns");
	put_participants(autogen, component, team, of);
	if (condition)
		add_condition(autogen, condition,
			arena_printf(autogen->reader.arena, "the termination_condition%s", of), team,
			"termination");
	if (max_turns)
		autogen_put(autogen, team, "max_turns", max_turns);
}

void autogen_read_nested(struct autogen *autogen, const struct autogen_component *component)
{
	struct yaml_node *team = autogen_node(autogen, YAML_MAP, component->config);
	put_team(
		autogen, component, team, arena_printf(autogen->reader.arena, " of %s", component->where));
	autogen_put(autogen, component->made, "team", team);
}

/* --- The file --- */

bool autogen_is_component(const struct yaml_node *root)
{
	return root->kind == YAML_MAP && yaml_find(root, "provider") && !yaml_find(root, "team") &&
		!yaml_find(root, "agents");
}

/* A name that nobody gave is none. */
static void put_name(
	struct autogen *autogen, const struct autogen_component *component, struct yaml_node *scenario)
{
	const struct yaml_node *name = autogen_text(autogen, component, "name");
	const struct yaml_node *description = autogen_get(component, "description");
	if (name && strcmp(name->text, DEFAULT_NAME) != 0)
		autogen_put(autogen, scenario, "name", name);
	if (description)
		autogen_put(autogen, scenario, "description", description);
}

struct yaml_node *autogen_scenario(struct autogen *autogen, const struct yaml_node *root)
{
	struct yaml_node *scenario = autogen_node(autogen, YAML_MAP, root);
	struct autogen_component component;
	const struct problems *problems = autogen->reader.problems;
	size_t n = problems->n + problems->n_left_out;
	autogen->models = autogen_node(autogen, YAML_MAP, root);
	autogen->agents = autogen_node(autogen, YAML_MAP, root);
	if (autogen_open(autogen, root, "the team", teams, ARRAY_SIZE(teams), NULL, &component)) {
		put_name(autogen, &component, scenario);
		put_team(autogen, &component, component.made, "");
	}
	if (problems->n + problems->n_left_out > n)
		return NULL;
	autogen_put(autogen, scenario, "models", autogen->models);
	autogen_put(autogen, scenario, "agents", autogen->agents);
	autogen_put(autogen, scenario, "team", component.made);
	autogen_put_executor(autogen, scenario);
	return scenario;
}
