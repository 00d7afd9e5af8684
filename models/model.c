#include "models/model.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/usage.h"

#define BYTES_A_TOKEN 4 /* of English or code, about */

REGISTRY_DEFINE(struct model_type, model_types, MODEL_TYPES(&MODEL_SYMBOL));
OPTION_TYPES(model_types)

static const struct option price_options[] = {
	OPTION("input", MONEY, offsetof(struct price, input), "USD for a million tokens of the prompt"),
	OPTION(
		"output", MONEY, offsetof(struct price, output), "USD for a million tokens of the answer"),
	OPTION("cached", MONEY, offsetof(struct price, cached),
		"USD for a million tokens of the prompt that a cache has; else as input"),
	OPTION("written", MONEY, offsetof(struct price, written),
		"USD for a million tokens of the prompt that a cache takes in; else as input"),
	OPTION_END,
};

static const struct option common_options[] = {
	OPTION("price", SECTION, offsetof(struct model_common, price),
		"what it costs; else as rondo's own table says, if it is in it", .table = price_options),
	OPTION_END,
};

/* In AutoGen, AG2 and tools beside them. */
static const struct option_peer peers[] = {{"OpenAIChatCompletionClient", "openai"},
	{"ReplayChatCompletionClient", "replay"}, {"AnthropicChatCompletionClient", "anthropic"},
	{"AzureOpenAIChatCompletionClient", "azure"}, {"OllamaChatCompletionClient", "ollama"},
	{"azure_openai", "azure"}, {"google", "gemini"}, {"claude", "anthropic"},
	{"llama.cpp", "llamacpp"}, {"llama-server", "llamacpp"}, {NULL, NULL}};

const struct option_family model_family = {.noun = "model",
	.peers = peers,
	.type_key = "provider",
	.type = model_types_at,
	.common = common_options,
	.common_size = sizeof(struct model_common)};

struct model *model_new(const struct model_type *type, const char *name, const void *options,
	const struct price *price, const struct model_services *services, struct rondo_error *err)
{
	struct model *model = memory_alloc(sizeof *model);
	*model = (struct model){.type = type, .services = services, .price = *price};
	model->name = arena_strdup(&model->arena, name);
	model->price.known = type->is_free || price->input > 0 || price->output > 0;
	model->state = arena_alloc(&model->arena, type->state_size);
	if (options)
		memcpy(model->state, options, type->state_size);
	else if (type->options)
		option_defaults(type->options, model->state, &model->arena);
	if (!type->open || type->open(model, err) == 0)
		return model;
	error_prefix(err, "model %s", model->name);
	model_free(model);
	return NULL;
}

int64_t model_tokens(const struct model_request *request)
{
	size_t bytes = 0;
	for (size_t i = 0; i < request->n; i++)
		bytes += strlen(request->messages[i].content);
	return (int64_t)(bytes / BYTES_A_TOKEN);
}

int64_t model_context(const struct model *model)
{
	int64_t least = model->context;
	const struct model *part;
	for (size_t i = 0; model->type->part && (part = model->type->part(model, i)); i++) {
		int64_t context = model_context(part);
		least = context && (!least || context < least) ? context : least;
	}
	return least;
}

/* A provider, or what stands before it, may repeat what it was sent: in its answer ... */
static const char *model_redact_text(
	const struct model *model, const char *text, struct arena *arena)
{
	const struct secrets *secrets = model->services->secrets;
	if (!secrets || !secrets->n)
		return text;
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_RECORD);
	secrets_redact(secrets, &clean, text, strlen(text));
	return arena_strndup(arena, clean.text, clean.length);
}

/* ... and in its complaint. */
static void model_redact_error(const struct model *model, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	secrets_redact(model->services->secrets, &text, err->message, strlen(err->message));
	utf8_format(err->message, sizeof err->message, "%s", text.text);
}

/* --- What is recorded of a call --- */

static void model_hash_request(const struct model_request *request, char hash[HASH_SIZE])
{
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_RECORD);
	for (size_t i = 0; i < request->n; i++)
		strbuf_addf(
			&all, "%d %s%c", (int)request->messages[i].role, request->messages[i].content, '\x1e');
	hash_bytes(all.text, all.length, hash);
}

/* Whether a reply that was recorded answers just this. */
static bool model_answers(
	const struct recorded_reply *recorded, const struct model *model, const char *hash)
{
	return strcmp(recorded->model, model->name) == 0 && strcmp(recorded->request, hash) == 0;
}

/* The next reply that was recorded, where it answers just this. What comes after another one
 * answers nothing any more. */
static const struct model_reply *model_recorded_reply(const struct model *model, const char *hash)
{
	struct recorded_replies *recorded = model->services->recorded;
	if (!recorded || recorded->next == recorded->n)
		return NULL;
	const struct recorded_reply *next = &recorded->items[recorded->next++];
	if (model_answers(next, model, hash))
		return &next->reply;
	recorded->next = recorded->n;
	return NULL;
}

static int model_tell_request(const struct model *model, const struct model_request *request,
	const char *hash, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *data = json_object();
	json_add_string(data, "request", hash);
	struct json *own = request->n_own ? json_add_array(data, "own") : NULL;
	for (size_t i = 0; i < request->n_own; i++)
		json_add_string(own, NULL, model_redact_text(model, request->own[i], &arena));
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {
		.type = RONDO_EVENT_MODEL_REQUEST, .source = model->name, .data = text};
	return context_event(ctx, &event, err);
}

static int model_tell_reply(const struct model *model, const char *hash,
	const struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	AUTO_JSON *data = model_reply_to_json(reply);
	json_add_string(data, "request", hash);
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {.type = RONDO_EVENT_MODEL_REPLY,
		.source = model->name,
		.text = reply->text,
		.data = text,
		.value = reply};
	return context_event(ctx, &event, err);
}

/* The call itself, between its two records. */
static int model_ask(struct model *model, const struct model_request *request, const char *hash,
	struct arena *arena, struct model_reply *reply, const struct context *ctx,
	struct rondo_error *err)
{
	struct budget *budget = model->services->budget;
	struct budget_hold hold;
	/* what the answer takes is not known before */
	struct rondo_usage about = {.prompt_tokens = model_tokens(request)};
	if (!budget_reserve(budget, &about, &model->price, &hold))
		return 0;
	model->calls++;
	int status = model_tell_request(model, request, hash, ctx, err);
	if (status == 0)
		status = model->type->complete(model, request, arena, reply, ctx, err);
	if (!usage_is_sane(&reply->usage)) {
		reply->usage = (struct rondo_usage){0};
		reply->usage_known = false;
	}
	budget_settle(
		budget, &hold, status == 0 && reply->usage_known ? &reply->usage : NULL, &model->price);
	if (status != 0) {
		error_prefix(err, "model %s", model->name);
		model_redact_error(model, err);
		return -1;
	}
	reply->text = model_redact_text(model, reply->text, arena);
	return model_tell_reply(model, hash, reply, ctx, err);
}

/* The part whose reply to this was recorded, else the first. */
static size_t model_first_part(const struct model *model, const struct model_request *request)
{
	char hash[HASH_SIZE];
	const struct recorded_replies *recorded = model->services->recorded;
	const struct model *part;
	if (!recorded || recorded->next == recorded->n)
		return 0;
	model_hash_request(request, hash);
	for (size_t i = 0; (part = model->type->part(model, i)); i++)
		if (model_answers(&recorded->items[recorded->next], part, hash))
			return i;
	return 0;
}

/* One that failed is told, and asked again at the next call. */
static int model_complete_by_parts(struct model *model, const struct model_request *request,
	struct arena *arena, struct model_reply *ret_reply, const struct context *ctx,
	struct rondo_error *err)
{
	size_t i = model_first_part(model, request);
	struct model *part = model->type->part(model, i), *next;
	for (;; part = next) {
		if (model_complete(part, request, arena, ret_reply, ctx, err) == 0)
			return 0;
		next = model->type->part(model, ++i);
		if (!next || err->code == RONDO_ERROR_CANCELLED)
			return -1;
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&text, "%s; asking %s", err->message, next->name);
		if (model_notice(model, text.text, ctx, err) < 0)
			return -1;
	}
}

int model_complete(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *ret_reply, const struct context *ctx, struct rondo_error *err)
{
	char hash[HASH_SIZE];
	struct model_reply reply = {0};
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	if (model->type->part)
		return model_complete_by_parts(model, request, arena, ret_reply, ctx, err);
	model_hash_request(request, hash);
	const struct model_reply *recorded = model_recorded_reply(model, hash);
	if (recorded)
		reply = *recorded;
	else if (model_ask(model, request, hash, arena, &reply, ctx, err) < 0)
		return -1;
	*ret_reply = reply;
	return 0;
}

void model_recall(struct model *model, int64_t calls)
{
	model->calls = calls;
	if (model->type->recall)
		model->type->recall(model, calls);
}

int model_tell_price(const struct model *model, const struct context *ctx, struct rondo_error *err)
{
	const struct budget *budget = model->services->budget;
	char text[256], money[MONEY_SIZE];
	/* of one that an external agent chooses, the relay knows the price call by call */
	bool is_chosen_later = text_ends_with(model->name, "/*");
	if (model->price.known || is_chosen_later || !budget || budget->most_usd <= 0)
		return 0;
	utf8_format(text, sizeof text,
		"what %s costs is unknown, so the limit of %s USD does not hold for it: give its 'price' "
		"in the configuration",
		model->name, money_text(budget->most_usd, money));
	return model_notice(model, text, ctx, err);
}

int model_notice(
	const struct model *model, const char *text, const struct context *ctx, struct rondo_error *err)
{
	const struct rondo_event notice = {
		.type = RONDO_EVENT_NOTICE, .source = model->name, .text = text};
	return context_event(ctx, &notice, err);
}

const char *model_path_in(const char *dir, const char *path, struct arena *arena)
{
	return *path == '/' || !dir || strcmp(dir, ".") == 0 ? path
														 : arena_printf(arena, "%s/%s", dir, path);
}

const char *model_path(struct model *model, const char *path)
{
	return model_path_in(model->services->dir, path, &model->arena);
}

void model_free(struct model *model)
{
	if (!model)
		return;
	if (model->type->close)
		model->type->close(model);
	arena_release(&model->arena);
	free(model);
}
