#include "models/provider.h"

#include "models/hosted.h"

/* A type of model. `options_`: of its dialect. */
#define HOSTED(name_, options_, summary_, ...) \
	const struct model_type name_##_model = { \
		.name = #name_, \
		.summary = summary_, \
		.state_size = sizeof(struct hosted), \
		.options = options_, \
		.provider = &(const struct provider){__VA_ARGS__}, \
		.open = hosted_open, \
		.complete = hosted_complete, \
		.close = hosted_close, \
	}

HOSTED(openai, openai_options, "OpenAI, or any server that speaks its Chat Completions",
	.dialect = &openai_dialect, .base_url = "https://api.openai.com/v1",
	.url_name = "OPENAI_BASE_URL", .key_name = "OPENAI_API_KEY", .needs_key = true);
HOSTED(openai_responses, openai_responses_options,
	"OpenAI by its Responses, where some models are served alone",
	.dialect = &openai_responses_dialect, .base_url = "https://api.openai.com/v1",
	.url_name = "OPENAI_BASE_URL", .key_name = "OPENAI_API_KEY", .needs_key = true);
HOSTED(anthropic, anthropic_options, "Anthropic's Messages", .dialect = &anthropic_dialect,
	.base_url = "https://api.anthropic.com", .url_name = "ANTHROPIC_BASE_URL",
	.key_name = "ANTHROPIC_API_KEY", .needs_key = true);
HOSTED(azure, openai_options, "OpenAI's models at Azure; the model is the name of a deployment",
	.dialect = &openai_dialect, .url_name = "AZURE_OPENAI_ENDPOINT", .url_end = "/openai/v1",
	.key_name = "AZURE_OPENAI_API_KEY", .key_header = "api-key: ", .needs_key = true);
HOSTED(gemini, openai_options, "Google's Gemini", .dialect = &openai_dialect,
	.base_url = "https://generativelanguage.googleapis.com/v1beta/openai",
	.key_name = "GEMINI_API_KEY", .needs_key = true);
HOSTED(openrouter, openai_options, "OpenRouter: models of many, as VENDOR/NAME",
	.dialect = &openai_dialect, .base_url = "https://openrouter.ai/api/v1",
	.key_name = "OPENROUTER_API_KEY", .needs_key = true);
HOSTED(deepseek, openai_options, "DeepSeek", .dialect = &openai_dialect,
	.base_url = "https://api.deepseek.com", .key_name = "DEEPSEEK_API_KEY", .needs_key = true);
HOSTED(ollama, openai_options, "Ollama on this machine", .dialect = &openai_dialect,
	.base_url = "http://127.0.0.1:11434/v1", .key_name = "OLLAMA_API_KEY", .cuts_context = true);
HOSTED(llamacpp, openai_options, "llama-server of llama.cpp on this machine",
	.dialect = &openai_dialect, .base_url = "http://127.0.0.1:8080/v1",
	.key_name = "LLAMA_API_KEY");
HOSTED(vllm, openai_options, "vLLM on this machine", .dialect = &openai_dialect,
	.base_url = "http://127.0.0.1:8000/v1", .key_name = "VLLM_API_KEY");
HOSTED(lmstudio, openai_options, "LM Studio on this machine", .dialect = &openai_dialect,
	.base_url = "http://127.0.0.1:1234/v1", .key_name = "LMSTUDIO_API_KEY");
