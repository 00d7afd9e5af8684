/*
 * A dumped RoundRobinGroupChat becomes a scenario: each agent under its name with a model of the
 * same name, the conditions, one executor for all. TextMention keeps its match of any part of a
 * word, and a nested team lets all be heard that was said in it. What is better here is better for
 * such a team, too: neither the task nor what programs print ends the chat, and code beside the
 * last word still runs.
 */
#include "run/scenario/autogen.h"

#include <string.h>

#include "team/team.h"

#define DEFAULT_NAME "RoundRobinGroupChat"

/* --- Conditions --- */

static void read_combination(struct autogen *autogen, const struct autogen_component *component);

#define CONDITION(class, word, ...) \
	PART("autogen_agentchat.conditions." class "Termination", 1, &termination_family, word, \
		__VA_ARGS__)
#define COMBINATION(class, word) \
	PART("autogen_agentchat.base." class "TerminationCondition", 1, &termination_family, word, \
		.read = read_combination, KEYS(NEEDED("conditions")))

static const struct autogen_part conditions[] = {
	COMBINATION("And", "and"),
	COMBINATION("Or", "or"),
	CONDITION("External", "external", .also = NULL),
	CONDITION("Handoff", "handoff", KEYS(SAME("target"))),
	CONDITION("MaxMessage", "max_messages",
		KEYS(IS("max_messages", "max"), UNUSED_FOR("include_agent_event", "only messages count"))),
	CONDITION("SourceMatch", "source_match", KEYS(SAME("sources"))),
	CONDITION("StopMessage", "stop_message", .also = NULL),
	CONDITION("TextMention", "text_mention", .also = "mode", .as = "substring",
		KEYS(SAME("text"), SAME("sources"))),
	CONDITION("TextMessage", "text_message", KEYS(SAME("source"))),
	CONDITION("Timeout", "timeout", KEYS(IS("timeout_seconds", "after"))),
	CONDITION("TokenUsage", "token_usage",
		KEYS(IS("max_total_token", "total"), IS("max_prompt_token", "prompt"),
			IS("max_completion_token", "completion"))),
	PARTS_END,
};

static void add_condition(struct autogen *autogen, const struct yaml_node *node, const char *where,
	struct yaml_node *to, const char *key)
{
	struct autogen_component condition;
	if (autogen_open(autogen, node, where, conditions, NULL, &condition))
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

static const struct autogen_part teams[] = {
	PART("autogen_agentchat.teams." DEFAULT_NAME, 1, &team_family, "round_robin",
		KEYS(READ("name"), READ("description"), NEEDED("participants"),
			READ("termination_condition"), READ("max_turns"), IDLE("emit_team_events"))),
	PARTS_END,
};

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
	if (autogen_open(autogen, root, "the team", teams, NULL, &component)) {
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
