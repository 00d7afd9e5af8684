/*
 * Coding agents that many have, as data. How each is told where its model is, and that it must not
 * ask, is its own; what holds for all is that the key is a dummy: the relay has the real one.
 */
#include <string.h>

#include "agents/external/external.h"
#include "base/memory.h"

#define LIST(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

const struct known_coder known_coders[] = {
	{.name = "aider",
		.title = "aider",
		.install = "pipx install aider-chat",
		.command = "aider --yes-always --message-file {task_file} --model openai/{model} "
				   "--no-auto-commits --no-gitignore --no-check-update --analytics-disable "
				   "--no-show-model-warnings --no-show-release-notes --no-pretty --no-stream "
				   "--env-file /dev/null --chat-history-file /tmp/aider.chat "
				   "--input-history-file /tmp/aider.input",
		.env = LIST("OPENAI_API_KEY={key}", "OPENAI_API_BASE={url}/v1"),
		.needs_model = true},
	{.name = "claude",
		.title = "Claude Code",
		.install = "npm install -g @anthropic-ai/claude-code",
		.acp_install = "npm install -g @agentclientprotocol/claude-agent-acp",
		.least_node = 22,
		.command = "claude -p --dangerously-skip-permissions",
		.acp = "claude-agent-acp",
		.mode = "bypassPermissions",
		.login = "claude /login",
		.provider = "anthropic",
		.env = LIST("ANTHROPIC_API_KEY={key}", "ANTHROPIC_BASE_URL={url}", "IS_SANDBOX=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"),
		.model_env = LIST("ANTHROPIC_MODEL={model}", "ANTHROPIC_SMALL_FAST_MODEL={model}")},
	{.name = "codex",
		.title = "Codex",
		.install = "npm install -g @openai/codex",
		.acp_install = "npm install -g @agentclientprotocol/codex-acp",
		.command = "codex exec --skip-git-repo-check --ephemeral "
				   "--dangerously-bypass-approvals-and-sandbox -c model_provider=rondo "
				   "-c model_providers.rondo.name=rondo "
				   "-c model_providers.rondo.base_url={url}/v1 "
				   "-c model_providers.rondo.env_key=OPENAI_API_KEY "
				   "-c analytics.enabled=false {model_option} -",
		.model_option = "-m {model}",
		.acp = "codex-acp",
		.mode = "agent-full-access",
		.login = "codex login",
		.provider = "openai",
		.env = LIST("OPENAI_API_KEY={key}", "INITIAL_AGENT_MODE=agent-full-access"),
		.model_env = LIST("CODEX_CONFIG={\"model\":\"{model}\",\"model_provider\":\"rondo\","
						  "\"model_providers\":{\"rondo\":{\"name\":\"rondo\","
						  "\"base_url\":\"{url}/v1\",\"env_key\":\"OPENAI_API_KEY\"}}}")},
	{.name = "gemini",
		.title = "Gemini CLI",
		.install = "npm install -g @google/gemini-cli",
		.least_node = 20,
		.command = "gemini --yolo",
		.acp = "gemini --acp",
		.mode = "yolo",
		.login = "gemini",
		.provider = "gemini",
		.env = LIST("GEMINI_API_KEY={key}", "GOOGLE_GEMINI_BASE_URL={url}",
			"GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_CLI_NO_RELAUNCH=1"),
		.model_env = LIST("GEMINI_MODEL={model}"),
		.settings_path = ".gemini/settings.json",
		.settings = "{\"security\":{\"auth\":{\"selectedType\":\"gemini-api-key\"}},"
					"\"privacy\":{\"usageStatisticsEnabled\":false}}\n"},
	{.name = "mini",
		.title = "mini-swe-agent",
		.install = "pipx install mini-swe-agent && pipx inject mini-swe-agent mcp",
		.command = "mini -m openai/{model} -y --exit-immediately -t {task} -o /tmp/mini.json",
		.env = LIST("OPENAI_API_KEY={key}", "OPENAI_API_BASE={url}/v1", "MSWEA_CONFIGURED=true",
			"MSWEA_COST_TRACKING=ignore_errors"),
		.needs_model = true},
	{.name = "opencode",
		.title = "opencode",
		.install = "npm install -g opencode-ai",
		.command = "opencode run",
		.acp = "opencode acp",
		.login = "opencode auth login",
		.env = LIST("OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_CONFIG_CONTENT={\"model\":\"rondo/{model}\",\"small_model\":\"rondo/"
			"{model}\",\"permission\":{\"*\":\"allow\"},"
			"\"provider\":{\"rondo\":{\"npm\":\"@ai-sdk/openai-compatible\",\"name\":\"rondo\","
			"\"options\":{\"baseURL\":\"{url}/v1\",\"apiKey\":\"{key}\"},"
			"\"models\":{\"{model}\":{\"name\":\"{model}\"}}}}}"),
		.needs_model = true},
	{.name = "qwen",
		.title = "Qwen Code",
		.install = "npm install -g @qwen-code/qwen-code",
		.least_node = 22,
		.command = "qwen --yolo",
		.acp = "qwen --acp",
		.mode = "yolo",
		.login = "qwen",
		.env = LIST("OPENAI_API_KEY={key}", "OPENAI_BASE_URL={url}/v1", "OPENAI_MODEL={model}",
			"QWEN_CODE_SUPPRESS_YOLO_WARNING=1"),
		.needs_model = true,
		.settings_path = ".qwen/settings.json",
		.settings = "{\"privacy\":{\"usageStatisticsEnabled\":false},"
					"\"memory\":{\"enableManagedAutoMemory\":false},"
					"\"ui\":{\"enableFollowupSuggestions\":false},"
					"\"security\":{\"auth\":{\"selectedType\":\"openai\"}}}\n"},
};
/* What programs look for, of the three ways to speak with a model. */
const struct known_coder known_coder_any = {.name = "command",
	.title = "a program",
	.model_env = LIST("RONDO_MODEL={model}", "OPENAI_API_KEY={key}", "OPENAI_BASE_URL={url}/v1",
		"OPENAI_API_BASE={url}/v1", "OPENAI_MODEL={model}", "ANTHROPIC_API_KEY={key}",
		"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_MODEL={model}", "GEMINI_API_KEY={key}",
		"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_MODEL={model}")};

const size_t known_coders_n = ARRAY_SIZE(known_coders);

const char *const known_coder_choices[] = {"auto", "repair", "model", "aider", "claude", "codex",
	"gemini", "mini", "opencode", "qwen", NULL};

const struct known_coder *known_coder_find(const char *name, struct rondo_error *err)
{
	const char *names[ARRAY_SIZE(known_coders)];
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < known_coders_n; i++) {
		names[i] = known_coders[i].name;
		if (strcmp(name, names[i]) == 0)
			return &known_coders[i];
	}
	strbuf_add_list(&list, names, known_coders_n);
	error_unknown(err, "unknown coder", name, names, known_coders_n);
	error_help(err, "name one of %s, or a command such as './%s {task}'", list.text, name);
	return NULL;
}

/* The agent has no other key, and needs none. */
#define DUMMY_KEY "rondo-has-the-key"

const char *known_coder_fill(const struct known_coder *coder, const char *text, const char *model,
	const char *url, struct arena *arena)
{
	bool is_named = model && strcmp(model, "*") != 0;
	const char *option = is_named && coder->model_option
		? known_coder_fill(&known_coder_any, coder->model_option, model, url, arena)
		: "";
	const char *const places[][2] = {{"{model_option}", option}, {"{model}", is_named ? model : ""},
		{"{url}", url}, {"{key}", DUMMY_KEY}};
	AUTO_STRBUF filled = STRBUF_INIT(STRBUF_LINE);
	while (*text) {
		size_t i = 0;
		while (i < ARRAY_SIZE(places) && !text_starts_with(text, places[i][0]))
			i++;
		if (i < ARRAY_SIZE(places))
			strbuf_adds(&filled, places[i][1]);
		else
			strbuf_addc(&filled, *text);
		text += i < ARRAY_SIZE(places) ? strlen(places[i][0]) : 1;
	}
	return arena_strdup(arena, filled.text);
}

int external_program_of(const struct external_settings *settings, bool is_acp,
	struct external_program *ret_program, struct rondo_error *err)
{
	struct external_program program = {
		.coder = &known_coder_any, .command = settings->command, .stays = is_acp};
	if (!settings->coder == !settings->command)
		return error_set(err, RONDO_ERROR_USAGE,
			settings->coder ? "'coder' and 'command' are both given; one says what is started"
							: "'command' or 'coder' must say what is started");
	if (settings->coder) {
		const struct known_coder *coder = known_coder_find(settings->coder, err);
		if (!coder)
			return -1;
		program.coder = coder;
		program.command = is_acp ? coder->acp : coder->command;
		program.install = is_acp && coder->acp_install ? coder->acp_install : coder->install;
	}
	if (!program.command) {
		error_set(err, RONDO_ERROR_USAGE, "%s does not speak the Agent Client Protocol",
			program.coder->title);
		return error_help(err, "--coder %s, which starts it for each turn", program.coder->name);
	}
	*ret_program = program;
	return 0;
}
