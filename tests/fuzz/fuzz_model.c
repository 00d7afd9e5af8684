/* reads: whole answers of models, and their lists of models */
/* What a server answers a call, as http.h cuts it: the first byte says whose it is and whether it
 * comes as events, the second in which pieces. A reply is text that was counted, or an error is;
 * the key is in neither. */
#include "models/hosted.h"
#include "tests/fuzz/http.h"

#define KEY "sk-0123456789abcdefghij"

static const struct model_type *const types[] = {&openai_model, &openai_responses_model,
	&anthropic_model, &gemini_model, &ollama_model, &azure_model, &vllm_model, &openrouter_model};

static struct model *make(const struct model_type *type, bool streams,
	const struct model_services *services, struct arena *arena)
{
	static const struct price price;
	struct rondo_error err;
	void *state = arena_alloc(arena, type->state_size);
	const char *const values[][2] = {{"model", "m"}, {"base_url", "https://host.example/v1"},
		{"api_key_env", "FUZZ_API_KEY"}, {"retries", "1"}, {"stream", streams ? "true" : "false"}};
	option_defaults(type->options, state, arena);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		const struct option *option = option_find(type->options, values[i][0], "key", &err);
		assert(!option || option_set(option, state, arena, values[i][1], &err) == 0);
	}
	struct model *model = model_new(type, "m", state, &price, services, &err);
	if (!model)
		fprintf(stderr, "%s\n", err.message);
	assert(model);
	return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const struct context ctx;
	static const struct retry_options retry = {.tries = 1};
	struct rondo_error err;
	struct model_reply reply = {0};
	struct secrets secrets = {0};
	struct model_services services = {.secrets = &secrets, .retry = &retry};
	const struct model_message messages[] = {
		{.role = MODEL_SYSTEM, .content = "be"}, {.role = MODEL_USER, .content = "go"}};
	const struct model_request request = {.messages = messages, .n = ARRAY_SIZE(messages)};
	if (size < 2)
		return 0;
	setenv("FUZZ_API_KEY", KEY, 1);
	secrets_from_environment(&secrets, &arena);
	struct model *model =
		make(types[data[0] % ARRAY_SIZE(types)], data[0] & 0x80, &services, &arena);
	fuzz_answer_with(data + 2, size - 2, data[1]);
	if (model_complete(model, &request, &arena, &reply, &ctx, &err) == 0) {
		assert_text(reply.text);
		assert(reply.text && reply.usage.prompt_tokens >= 0 && reply.usage.completion_tokens >= 0);
	} else {
		assert_error(&err);
		assert(!strstr(err.message, KEY));
	}
	fuzz_answer_with(data + 2, size - 2, data[1]);
	model_ask_context(model, NULL);
	assert(model_context(model) >= 0);
	model_free(model);
	return 0;
}
