/* AutoGen's agents, the models they ask and the executors they run code with. */
#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "base/memory.h"
#include "models/model.h"
#include "run/scenario/autogen.h"

#define KEYS .keys = (const struct autogen_key[])

/* --- Models --- */

/* There it counts what comes after the first try. */
static void read_openai(struct autogen *autogen, const struct autogen_component *component)
{
	const struct yaml_node *key = autogen_text(autogen, component, "api_key");
	const struct yaml_node *retries = autogen_text(autogen, component, "max_retries");
	if (key && strspn(key->text, "*") < strlen(key->text))
		autogen_notice(autogen, key,
			"api_key is not used, and better not kept in a file: the key comes from the "
			"environment");
	if (!retries)
		return;
	size_t digits = strspn(retries->text, "0123456789");
	if (digits && digits < 10 && !retries->text[digits])
		autogen_put_text(autogen, component->made, "retries",
			arena_printf(autogen->reader.arena, "%d", atoi(retries->text) + 1), retries);
	else
		reader_wrong_kind(&autogen->reader, retries, "max_retries", "a whole number");
}

static const char *count_of(const struct yaml_node *usage, const char *key)
{
	const struct yaml_node *count = usage && usage->kind == YAML_MAP ? yaml_find(usage, key) : NULL;
	return count && count->kind == YAML_SCALAR ? count->text : "0";
}

static void put_usage(
	struct autogen *autogen, struct yaml_node *usage, const struct yaml_node *reply)
{
	const struct yaml_node *tokens = reply->kind == YAML_MAP ? yaml_find(reply, "usage") : NULL;
	const char *text = arena_printf(autogen->reader.arena, "%s+%s",
		count_of(tokens, "prompt_tokens"), count_of(tokens, "completion_tokens"));
	autogen_put_text(autogen, usage, NULL, text, tokens ? tokens : reply);
}

/* What it says is a text, or a CreateResult with one. */
static void read_replay(struct autogen *autogen, const struct autogen_component *component)
{
	const struct yaml_node *replies = autogen_list(autogen, component, "chat_completions");
	if (!replies)
		return;
	struct yaml_node *texts = autogen_node(autogen, YAML_LIST, replies);
	struct yaml_node *usage = autogen_node(autogen, YAML_LIST, replies);
	bool counts = false;
	for (const struct yaml_node *reply = replies->first; reply; reply = reply->next) {
		const struct yaml_node *content =
			reply->kind == YAML_MAP ? yaml_find(reply, "content") : reply;
		put_usage(autogen, usage, reply);
		counts = counts || reply->kind == YAML_MAP;
		if (content && content->kind == YAML_SCALAR)
			autogen_put(autogen, texts, NULL, content);
		else
			problems_add(autogen->reader.problems, (content ? content : reply)->place,
				"a reply without a text (%s) has no counterpart in rondo", component->where);
	}
	autogen_put(autogen, component->made, "replies", texts);
	if (counts)
		autogen_put(autogen, component->made, "usage", usage);
}

static const char *const openai_aliases[] = {
	"OpenAIChatCompletionClient", "openai_chat_completion_client", NULL};

static const struct autogen_part models[] = {
	{.provider = "autogen_ext.models.openai.OpenAIChatCompletionClient",
		.aliases = openai_aliases,
		.version = 1,
		.family = &model_family,
		.type = "openai",
		.read = read_openai,
		KEYS{{"model", AUTOGEN_IS, "model"}, {"base_url", AUTOGEN_IS, "base_url"},
			{"temperature", AUTOGEN_IS, "temperature"}, {"max_tokens", AUTOGEN_IS, "max_tokens"},
			{"reasoning_effort", AUTOGEN_IS, "reasoning_effort"},
			{"timeout", AUTOGEN_IS, "timeout"}, {"max_retries", AUTOGEN_READ, NULL},
			{"api_key", AUTOGEN_READ, NULL}, {"model_info", AUTOGEN_IDLE, NULL},
			{"model_capabilities", AUTOGEN_IDLE, NULL},
			{"add_name_prefixes", AUTOGEN_IDLE, NULL}, /* names always stand before what was said */
			{"include_name_in_message", AUTOGEN_IDLE, NULL},
			{"parallel_tool_calls", AUTOGEN_IDLE, NULL}, {"stream_options", AUTOGEN_IDLE, NULL},
			{"user", AUTOGEN_IDLE, NULL}, {"n", AUTOGEN_UNUSED, NULL},
			{"seed", AUTOGEN_UNUSED, NULL}, {"stop", AUTOGEN_UNUSED, NULL},
			{"top_p", AUTOGEN_UNUSED, NULL}, {"logit_bias", AUTOGEN_UNUSED, NULL},
			{"frequency_penalty", AUTOGEN_UNUSED, NULL}, {"presence_penalty", AUTOGEN_UNUSED, NULL},
			{"response_format", AUTOGEN_UNUSED, NULL}, {"organization", AUTOGEN_UNUSED, NULL},
			{"default_headers", AUTOGEN_UNUSED, NULL}, {0}}},
	{.provider = "autogen_ext.models.replay.ReplayChatCompletionClient",
		.version = 1,
		.family = &model_family,
		.type = "replay",
		.read = read_replay,
		KEYS{{"chat_completions", AUTOGEN_NEEDED, NULL}, {"model_info", AUTOGEN_IDLE, NULL}, {0}}},
};

/* --- What an assistant has beside its model --- */

#define CONTEXT(class) \
	.provider = "autogen_core.model_context." class "ChatCompletionContext", .version = 1
#define WORKBENCH(class) \
	.provider = "autogen_core.tools." class "Workbench", .version = 1, KEYS \
	{ \
		{"tools", AUTOGEN_REFUSED, NULL}, {"tool_overrides", AUTOGEN_IDLE, NULL}, \
		{ \
			0 \
		} \
	}

static const struct autogen_part contexts[] = {
	{CONTEXT("Unbounded"), KEYS{{"initial_messages", AUTOGEN_REFUSED, NULL}, {0}}},
	{CONTEXT("Buffered"),
		KEYS{{"buffer_size", AUTOGEN_IS, "history"}, {"initial_messages", AUTOGEN_REFUSED, NULL},
			{0}}},
};

/* Each dump of an agent without tools holds one of these, which is empty. */
static const struct autogen_part workbenches[] = {
	{WORKBENCH("Static")}, {WORKBENCH("StaticStream")}};

static const char *part_of(
	struct autogen *autogen, const char *key, const struct autogen_component *component)
{
	return arena_printf(autogen->reader.arena, "%s of %s", key, component->where);
}

static void read_assistant(struct autogen *autogen, const struct autogen_component *component)
{
	const struct yaml_node *name = yaml_find(component->config, "name");
	const struct yaml_node *model = autogen_get(component, "model_client");
	const struct yaml_node *context = autogen_get(component, "model_context");
	const struct yaml_node *benches = autogen_list(autogen, component, "workbench");
	struct autogen_component part;
	if (model && name && name->kind == YAML_SCALAR &&
		autogen_open(autogen, model, part_of(autogen, "model_client", component), models,
			ARRAY_SIZE(models), NULL, &part)) {
		autogen_put(autogen, autogen->models, name->text, part.made);
		autogen_put(autogen, component->made, "model", name);
	}
	if (context)
		autogen_open(autogen, context, part_of(autogen, "model_context", component), contexts,
			ARRAY_SIZE(contexts), component->made, &part);
	for (const struct yaml_node *bench = benches ? benches->first : NULL; bench;
		 bench = bench->next)
		autogen_open(autogen, bench, part_of(autogen, "workbench", component), workbenches,
			ARRAY_SIZE(workbenches), NULL, &part);
}

/* --- Executors --- */

#define EXECUTOR(at) \
	.provider = "autogen_ext.code_executors." at "CommandLineCodeExecutor", .version = 1
#define WORK_DIR \
	{ \
		"work_dir", AUTOGEN_UNUSED, \
			"code runs in an empty directory of the run; --out DIR keeps what it writes" \
	}

static const struct autogen_part executors[] = {
	{EXECUTOR("local.Local"),
		KEYS{{"timeout", AUTOGEN_READ, NULL}, WORK_DIR, {"functions_module", AUTOGEN_IDLE, NULL},
			{"cleanup_temp_files", AUTOGEN_IDLE, NULL}, {0}}},
	{EXECUTOR("docker.Docker"), .family = &executor_family, .type = "docker",
		KEYS{{"timeout", AUTOGEN_READ, NULL}, {"image", AUTOGEN_IS, "image"}, WORK_DIR,
			{"bind_dir", AUTOGEN_UNUSED, NULL}, {"extra_volumes", AUTOGEN_UNUSED, NULL},
			{"extra_hosts", AUTOGEN_UNUSED, NULL}, {"init_command", AUTOGEN_UNUSED, NULL},
			{"container_name", AUTOGEN_IDLE, NULL}, {"auto_remove", AUTOGEN_IS, "auto_remove"},
			{"stop_container", AUTOGEN_IS, "stop_container"},
			{"functions_module", AUTOGEN_IDLE, NULL}, {"delete_tmp_files", AUTOGEN_IDLE, NULL},
			{0}}},
};

static bool has_text(const struct yaml_node *list, const char *text)
{
	for (const struct yaml_node *item = list->first; item; item = item->next)
		if (item->kind == YAML_SCALAR && strcmp(item->text, text) == 0)
			return true;
	return false;
}

static size_t count(const struct yaml_node *list)
{
	size_t n = 0;
	for (const struct yaml_node *item = list->first; item; item = item->next)
		n++;
	return n;
}

/* What AutoGen takes where nothing is said. */
static const struct yaml_node *default_languages(
	struct autogen *autogen, const struct yaml_node *at)
{
	struct yaml_node *list = autogen_node(autogen, YAML_LIST, at);
	autogen_put_text(autogen, list, NULL, "python", at);
	autogen_put_text(autogen, list, NULL, "sh", at);
	return list;
}

/* What the agent may run, to what others may; false where that was just the same. */
static bool add_languages(struct autogen *autogen, const struct autogen_component *agent)
{
	const struct yaml_node *languages = autogen_list(autogen, agent, "supported_languages");
	if (!autogen_get(agent, "supported_languages"))
		languages = default_languages(autogen, agent->config);
	if (!languages)
		return false;
	if (!languages->first)
		problems_add(autogen->reader.problems, languages->place,
			"supported_languages of %s is empty: it could run nothing", agent->where);
	size_t n = count(autogen->languages);
	for (const struct yaml_node *item = languages->first; item; item = item->next)
		if (item->kind != YAML_SCALAR || !has_text(autogen->languages, item->text))
			autogen_put(autogen, autogen->languages, NULL, item);
	return count(languages) != n || count(autogen->languages) != n;
}

static double seconds(const struct yaml_node *timeout)
{
	return timeout ? strtod(timeout->text, NULL) : 0;
}

/* One executor serves them all. */
static void share_executor(
	struct autogen *autogen, const struct autogen_component *executor, bool differs)
{
	const struct autogen_component *first = autogen->executor;
	const struct yaml_node *timeout = autogen_text(autogen, executor, "timeout");
	bool shorter = seconds(timeout) < seconds(autogen->timeout);
	bool longer = seconds(timeout) > seconds(autogen->timeout);
	if (first && first->part != executor->part && !autogen->has_executor)
		problems_add(autogen->reader.problems, executor->config->place,
			"%s is another one than %s; in rondo one executor runs the code of a team",
			executor->where, first->where);
	else if (first && (differs || shorter || longer))
		autogen_notice(autogen, executor->config,
			"all agents share one executor: the longest timeout and all of their languages count");
	if (longer)
		autogen->timeout = timeout;
	if (!first)
		autogen->executor = arena_memdup(autogen->reader.arena, executor, sizeof *executor);
}

void autogen_put_executor(struct autogen *autogen, struct yaml_node *scenario)
{
	if (!autogen->executor)
		return;
	struct yaml_node *executor = autogen->has_executor
		? autogen_node(autogen, YAML_MAP, autogen->executor->config)
		: autogen->executor->made;
	if (autogen->timeout)
		autogen_put(autogen, executor, "timeout", autogen->timeout);
	autogen_put(autogen, executor, "allow", autogen->languages);
	autogen_put(autogen, scenario, "executor", executor);
}

static void read_code_executor(struct autogen *autogen, const struct autogen_component *component)
{
	const struct yaml_node *model = autogen_get(component, "model_client");
	const struct yaml_node *executor = autogen_get(component, "code_executor");
	struct autogen_component part;
	if (model)
		problems_add(autogen->reader.problems, model->place,
			"%s writes code and runs it in one turn, which has no counterpart in rondo; "
			"an AssistantAgent before it can write it",
			component->where);
	if (!autogen->languages)
		autogen->languages = autogen_node(autogen, YAML_LIST, component->config);
	bool differs = add_languages(autogen, component);
	if (executor &&
		autogen_open(autogen, executor, part_of(autogen, "code_executor", component), executors,
			ARRAY_SIZE(executors), NULL, &part))
		share_executor(autogen, &part, differs);
}

/* --- Participants --- */

#define AGENT(class) .provider = "autogen_agentchat.agents." class "Agent", .family = &agent_family

static const struct autogen_part participants[] = {
	{AGENT("Assistant"), .version = 2, .type = "coder", .also = "edit_format", .as = "none",
		.read = read_assistant,
		KEYS{{"name", AUTOGEN_NEEDED, NULL}, {"description", AUTOGEN_IS, "description"},
			{"system_message", AUTOGEN_IS, "system_message"},
			{"model_client", AUTOGEN_NEEDED, NULL}, {"model_context", AUTOGEN_READ, NULL},
			{"workbench", AUTOGEN_READ, NULL}, {"tools", AUTOGEN_REFUSED, NULL},
			{"handoffs", AUTOGEN_REFUSED, NULL}, {"memory", AUTOGEN_REFUSED, NULL},
			{"structured_message_factory", AUTOGEN_REFUSED, NULL},
			{"model_client_stream", AUTOGEN_IDLE, NULL},
			{"reflect_on_tool_use", AUTOGEN_IDLE, NULL},
			{"tool_call_summary_format", AUTOGEN_IDLE, NULL},
			{"max_tool_iterations", AUTOGEN_IDLE, NULL}, {"metadata", AUTOGEN_IDLE, NULL}, {0}}},
	{AGENT("CodeExecutor"), .version = 1, .type = "executor", .also = "reply", .as = "autogen",
		.read = read_code_executor,
		KEYS{{"name", AUTOGEN_NEEDED, NULL}, {"description", AUTOGEN_IS, "description"},
			{"code_executor", AUTOGEN_NEEDED, NULL}, {"sources", AUTOGEN_IS, "sources"},
			{"supported_languages", AUTOGEN_READ, NULL}, {"model_client", AUTOGEN_READ, NULL},
			{"system_message", AUTOGEN_IDLE, NULL}, /* these are its model's */
			{"model_client_stream", AUTOGEN_IDLE, NULL}, {"model_context", AUTOGEN_IDLE, NULL},
			{0}}},
	{AGENT("UserProxy"), .version = 1, .type = "user",
		KEYS{{"name", AUTOGEN_NEEDED, NULL}, {"description", AUTOGEN_IS, "description"},
			{"input_func", AUTOGEN_UNUSED, "rondo asks at the terminal"}, {0}}},
	{.provider = "autogen_agentchat.teams.RoundRobinGroupChat",
		.version = 1,
		.family = &agent_family,
		.type = "team",
		.also = "messages",
		.as = "all",
		.read = autogen_read_nested,
		KEYS{{"name", AUTOGEN_NEEDED, NULL}, {"description", AUTOGEN_IS, "description"},
			{"participants", AUTOGEN_NEEDED, NULL}, {"termination_condition", AUTOGEN_READ, NULL},
			{"max_turns", AUTOGEN_READ, NULL}, {"emit_team_events", AUTOGEN_IDLE, NULL}, {0}}},
};

const struct yaml_node *autogen_participant(
	struct autogen *autogen, const struct yaml_node *node, const char *where)
{
	struct autogen_component agent;
	if (!autogen_open(autogen, node, where, participants, ARRAY_SIZE(participants), NULL, &agent))
		return NULL;
	const struct yaml_node *name = autogen_text(autogen, &agent, "name");
	if (name && yaml_find(autogen->agents, name->text)) {
		problems_add(autogen->reader.problems, name->place, "two participants have the name '%s'",
			name->text);
		return NULL;
	}
	if (name)
		autogen_put(autogen, autogen->agents, name->text, agent.made);
	return name;
}
