/* AutoGen's agents, the models they ask and the executors they run code with. */
#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "base/memory.h"
#include "models/model.h"
#include "run/scenario/autogen.h"

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
	PART("autogen_ext.models.openai.OpenAIChatCompletionClient", 1, &model_family, "openai",
		.aliases = openai_aliases, .read = read_openai,
		KEYS(SAME("model"), SAME("base_url"), SAME("temperature"), SAME("max_tokens"),
			SAME("reasoning_effort"), SAME("timeout"), READ("max_retries"), READ("api_key"),
			IDLE("model_info"), IDLE("model_capabilities"), IDLE("include_name_in_message"),
			IDLE("add_name_prefixes"), /* names always stand before what was said */
			IDLE("parallel_tool_calls"), IDLE("stream_options"), IDLE("user"), UNUSED("n"),
			UNUSED("seed"), UNUSED("stop"), UNUSED("top_p"), UNUSED("logit_bias"),
			UNUSED("frequency_penalty"), UNUSED("presence_penalty"), UNUSED("response_format"),
			UNUSED("organization"), UNUSED("default_headers"))),
	PART("autogen_ext.models.replay.ReplayChatCompletionClient", 1, &model_family, "replay",
		.read = read_replay, KEYS(NEEDED("chat_completions"), IDLE("model_info"))),
	PARTS_END,
};

/* --- What an assistant has beside its model --- */

#define CONTEXT(class) "autogen_core.model_context." class "ChatCompletionContext"

static const struct autogen_part contexts[] = {
	PART(CONTEXT("Unbounded"), 1, NULL, NULL, KEYS(REFUSED("initial_messages"))),
	PART(CONTEXT("Buffered"), 1, NULL, NULL,
		KEYS(IS("buffer_size", "history"), REFUSED("initial_messages"))),
	PARTS_END,
};

/* Each dump of an agent without tools holds one of these, which is empty. */
#define WORKBENCH(class) \
	PART("autogen_core.tools." class "Workbench", 1, NULL, NULL, \
		KEYS(REFUSED("tools"), IDLE("tool_overrides")))

static const struct autogen_part workbenches[] = {
	WORKBENCH("Static"), WORKBENCH("StaticStream"), PARTS_END};

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
		autogen_open(
			autogen, model, part_of(autogen, "model_client", component), models, NULL, &part)) {
		autogen_put(autogen, autogen->models, name->text, part.made);
		autogen_put(autogen, component->made, "model", name);
	}
	if (context)
		autogen_open(autogen, context, part_of(autogen, "model_context", component), contexts,
			component->made, &part);
	for (const struct yaml_node *bench = benches ? benches->first : NULL; bench;
		 bench = bench->next)
		autogen_open(
			autogen, bench, part_of(autogen, "workbench", component), workbenches, NULL, &part);
}

/* --- Executors --- */

#define EXECUTOR(at) "autogen_ext.code_executors." at "CommandLineCodeExecutor"
#define WORK_DIR \
	UNUSED_FOR( \
		"work_dir", "code runs in an empty directory of the run; --out DIR keeps what it writes")

static const struct autogen_part executors[] = {
	PART(EXECUTOR("local.Local"), 1, NULL, NULL,
		KEYS(READ("timeout"), WORK_DIR, IDLE("functions_module"), IDLE("cleanup_temp_files"))),
	PART(EXECUTOR("docker.Docker"), 1, &executor_family, "docker",
		KEYS(READ("timeout"), SAME("image"), WORK_DIR, UNUSED("bind_dir"), UNUSED("extra_volumes"),
			UNUSED("extra_hosts"), UNUSED("init_command"), IDLE("container_name"),
			SAME("auto_remove"), SAME("stop_container"), IDLE("functions_module"),
			IDLE("delete_tmp_files"))),
	PARTS_END,
};

/* What an agent may run. */
static const struct yaml_node *languages_of(
	struct autogen *autogen, const struct autogen_component *agent)
{
	const struct yaml_node *own = autogen_list(autogen, agent, "supported_languages");
	if (own && !own->first)
		problems_add(autogen->reader.problems, own->place,
			"supported_languages of %s is empty: it could run nothing", agent->where);
	if (autogen_get(agent, "supported_languages"))
		return own;
	struct yaml_node *defaults = autogen_node(autogen, YAML_LIST, agent->config);
	autogen_put_text(autogen, defaults, NULL, "python", agent->config);
	autogen_put_text(autogen, defaults, NULL, "sh", agent->config);
	return defaults;
}

static double seconds(const struct yaml_node *timeout)
{
	return timeout ? strtod(timeout->text, NULL) : 0;
}

/* One executor serves them all. */
static void share_executor(struct autogen *autogen, const struct autogen_component *executor)
{
	const struct autogen_component *first = autogen->executor;
	const struct yaml_node *timeout = autogen_text(autogen, executor, "timeout");
	bool shorter = seconds(timeout) < seconds(autogen->timeout);
	bool longer = seconds(timeout) > seconds(autogen->timeout);
	if (first && first->part != executor->part && !autogen->has_executor)
		problems_add(autogen->reader.problems, executor->config->place,
			"%s is another one than %s; in rondo one executor runs the code of a team",
			executor->where, first->where);
	else if (first && (shorter || longer))
		autogen_notice(
			autogen, executor->config, "all agents share one executor: the longest timeout counts");
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
	const struct yaml_node *languages = languages_of(autogen, component);
	if (languages)
		autogen_put(autogen, component->made, "allow", languages);
	if (executor &&
		autogen_open(autogen, executor, part_of(autogen, "code_executor", component), executors,
			NULL, &part))
		share_executor(autogen, &part);
}

/* --- Participants --- */

#define AGENT(class) "autogen_agentchat.agents." class "Agent"

static const struct autogen_part participants[] = {
	PART(AGENT("Assistant"), 2, &agent_family, "coder", .also = "edit_format", .as = "none",
		.read = read_assistant,
		KEYS(NEEDED("name"), SAME("description"), SAME("system_message"), NEEDED("model_client"),
			READ("model_context"), READ("workbench"), REFUSED("tools"), REFUSED("handoffs"),
			REFUSED("memory"), REFUSED("structured_message_factory"), IDLE("model_client_stream"),
			IDLE("reflect_on_tool_use"), IDLE("tool_call_summary_format"),
			IDLE("max_tool_iterations"), IDLE("metadata"))),
	PART(AGENT("CodeExecutor"), 1, &agent_family, "executor", .also = "reply", .as = "autogen",
		.read = read_code_executor,
		KEYS(NEEDED("name"), SAME("description"), NEEDED("code_executor"), SAME("sources"),
			READ("supported_languages"), READ("model_client"),
			IDLE("system_message"), /* these are its model's */
			IDLE("model_client_stream"), IDLE("model_context"))),
	PART(AGENT("UserProxy"), 1, &agent_family, "user",
		KEYS(NEEDED("name"), SAME("description"),
			UNUSED_FOR("input_func", "rondo asks at the terminal"))),
	PART("autogen_agentchat.teams.RoundRobinGroupChat", 1, &agent_family, "team",
		.also = "messages", .as = "all", .read = autogen_read_nested,
		KEYS(NEEDED("name"), SAME("description"), NEEDED("participants"),
			READ("termination_condition"), READ("max_turns"), IDLE("emit_team_events"))),
	PARTS_END,
};

const struct yaml_node *autogen_participant(
	struct autogen *autogen, const struct yaml_node *node, const char *where)
{
	struct autogen_component agent;
	if (!autogen_open(autogen, node, where, participants, NULL, &agent))
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
