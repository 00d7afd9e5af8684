/* OpenAI's Chat Completions, which is what most servers of models speak, too. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "models/exchange.h"
#include "models/prices.h"

#define OWN_URL "https://api.openai.com/v1"

struct openai {
	const char *model, *base_url, *key_name, *effort, *limit_field;
	double temperature;
	int64_t max_tokens, tries;
	struct http_limits limits;
	bool stream;
	/* From here on not by options: */
	const char *url, *key; /* key NULL: none is needed */
	struct http *http;
	bool is_own;         /* OpenAI's server, or Azure's of it, by the URL */
	bool has_swapped;    /* the server wants the other name of max_tokens */
	bool has_no_options; /* it does not know stream_options */
};

static const char *const limit_fields[] = {"auto", "max_tokens", "max_completion_tokens", NULL};

#define AT(member) offsetof(struct openai, member)
static const struct option options[] = {
	OPTION("model", STRING, AT(model), "the model, as the provider names it", .required = true,
		.main = true, .argument = "NAME"),
	OPTION("base_url", STRING, AT(base_url),
		"where the API is; default OPENAI_BASE_URL, else " OWN_URL, .argument = "URL"),
	OPTION("api_key_env", STRING, AT(key_name), "the variable that holds the key",
		.argument = "NAME", .fallback = "OPENAI_API_KEY"),
	OPTION("temperature", NUMBER, AT(temperature),
		"how much chance there is in it; -1 leaves it to the provider", .least = -1, .most = 2,
		.fallback = "-1"),
	OPTION("max_tokens", INT, AT(max_tokens), "the longest reply; 0 leaves it to the provider"),
	OPTION("max_tokens_field", ENUM, AT(limit_field), "what the provider calls max_tokens",
		.values = limit_fields, .fallback = "auto"),
	OPTION("reasoning_effort", STRING, AT(effort),
		"how much it thinks before it writes, in the provider's words", .argument = "WORD"),
	OPTION("stream", BOOL, AT(stream), "read the reply while it is written", .fallback = "true"),
	OPTION("retries", INT, AT(tries), "how often a call is tried that may do better",
		.fallback = "5", .least = 1, .most = 100),
	OPTION("timeout", DURATION, AT(limits.total_ms), "the longest time of one try",
		.fallback = "30m", .least = 1),
	OPTION("connect_timeout", DURATION, AT(limits.connect_ms), "until there is a connection",
		.fallback = "10s", .least = 1),
	OPTION("first_timeout", DURATION, AT(limits.first_ms),
		"until the reply begins, with waiting and thinking", .fallback = "5m", .least = 1),
	OPTION("idle_timeout", DURATION, AT(limits.idle_ms), "the longest silence in a reply",
		.fallback = "2m", .least = 1),
	OPTION_END,
};

/* The URL to post to; what a base URL asks for after '?' stays behind. */
static const char *openai_make_url(const char *base, struct arena *arena)
{
	size_t n = strcspn(base, "?#");
	const char *query = base + n;
	while (n && base[n - 1] == '/')
		n--;
	return arena_printf(arena, "%.*s/chat/completions%s", (int)n, base, query);
}

static int openai_find_key(struct model *model, bool is_local, struct rondo_error *err)
{
	struct openai *openai = model->state;
	openai->key = secrets_get(model->services->secrets, openai->key_name);
	if (!text_ends_with(openai->key_name, "_API_KEY"))
		return error_set(err, RONDO_ERROR_USAGE, "api_key_env must end in _API_KEY, found '%s'",
			openai->key_name);
	if (!openai->key && !is_local) {
		error_set(err, RONDO_ERROR_USAGE, "%s is not set, and %s wants a key", openai->key_name,
			openai->base_url);
		return error_help(err, "set %s in the environment or in an --env-file", openai->key_name);
	}
	for (const char *c = openai->key; c && *c; c++)
		if (!isgraph((unsigned char)*c))
			return error_set(err, RONDO_ERROR_USAGE,
				"the key in %s holds a space or a character that is not ASCII", openai->key_name);
	return 0;
}

static int openai_open(struct model *model, struct rondo_error *err)
{
	struct openai *openai = model->state;
	struct http_url url;
	const char *base =
		secrets_setting(model->services->secrets, "OPENAI_BASE_URL", openai->key_name);
	const struct http_limits defaults = HTTP_LIMITS;
	openai->limits.rest_ms = defaults.rest_ms;
	openai->limits.body = defaults.body;
	if (!openai->model || !*openai->model)
		return error_set(err, RONDO_ERROR_USAGE, "'model' must say which model is meant");
	if (!openai->base_url)
		openai->base_url = base ? arena_strdup(&model->arena, base) : OWN_URL;
	if (http_url_read(openai->base_url, &url, err) < 0)
		return error_prefix(err, "base_url");
	openai->is_own =
		text_ends_with(url.host, ".openai.com") || text_ends_with(url.host, ".openai.azure.com");
	openai->url = openai_make_url(openai->base_url, &model->arena);
	if (!model->price.known)
		price_find(url.host, openai->model, &model->price);
	return openai_find_key(model, url.is_local, err);
}

/* OpenAI renamed it, most others did not. */
static const char *openai_limit_field(const struct openai *openai)
{
	bool is_new = strcmp(openai->limit_field, "auto") == 0
		? openai->is_own
		: strcmp(openai->limit_field, limit_fields[2]) == 0;
	return limit_fields[is_new != openai->has_swapped ? 2 : 1];
}

/* What is left to the provider is not sent: some models refuse what they cannot be told. */
static char *openai_make_body(const struct openai *openai, const struct model_request *request)
{
	static const char *const roles[] = {
		[MODEL_SYSTEM] = "system", [MODEL_USER] = "user", [MODEL_ASSISTANT] = "assistant"};
	AUTO_JSON *body = json_object();
	json_add_string(body, "model", openai->model);
	struct json *messages = json_add_array(body, "messages");
	for (size_t i = 0; i < request->n; i++) {
		struct json *message = json_add_object(messages, NULL);
		json_add_string(message, "role", roles[request->messages[i].role]);
		json_add_string(message, "content", request->messages[i].content);
	}
	if (openai->temperature >= 0)
		json_add_number(body, "temperature", openai->temperature);
	if (openai->max_tokens > 0)
		json_add_int(body, openai_limit_field(openai), openai->max_tokens);
	json_add_string(body, "reasoning_effort", openai->effort);
	if (openai->stream)
		json_add_bool(body, "stream", true);
	if (openai->stream && !openai->has_no_options)
		json_add_bool(json_add_object(body, "stream_options"), "include_usage", true);
	return json_print(body);
}

static void openai_read_usage(struct answer *answer, const struct json *usage)
{
	int64_t prompt = json_int(usage, "prompt_tokens", -1);
	int64_t completion = json_int(usage, "completion_tokens", -1);
	if (prompt < 0 || completion < 0)
		return;
	int64_t cached = json_int(json_get(usage, "prompt_tokens_details"), "cached_tokens", 0);
	answer->usage = (struct rondo_usage){.prompt_tokens = prompt,
		.completion_tokens = completion,
		.cached_tokens = cached > 0 && cached <= prompt ? cached : 0};
	answer->usage_known = true;
}

static bool openai_is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

/* Why it ended; where it says that it broke down, it has not. */
static void openai_read_finish(struct answer *answer, const char *reason)
{
	static const char *const cut[] = {"length", "max_tokens", "model_length", NULL};
	static const char *const broken[] = {"error", "insufficient_system_resource", NULL};
	if (!reason || openai_is_one_of(reason, broken))
		return;
	answer->is_finished = true;
	if (strcmp(reason, "content_filter") == 0)
		answer->finish = MODEL_FINISH_REFUSED;
	else if (openai_is_one_of(reason, cut))
		answer->finish = MODEL_FINISH_LENGTH;
}

/* A text, or a list of parts of which some are text. */
static void openai_read_content(struct answer *answer, const struct json *content)
{
	strbuf_adds(&answer->text, json_text(content, ""));
	const struct json *part = json_is_array(content) ? json_first(content) : NULL;
	for (; part; part = json_next(part))
		strbuf_adds(&answer->text, json_string(part, "text", ""));
}

static void openai_read_message(struct answer *answer, const struct json *message)
{
	openai_read_content(answer, json_get(message, "content"));
	strbuf_adds(&answer->refusal, json_string(message, "refusal", ""));
	answer->thought +=
		strlen(json_string(message, "reasoning", json_string(message, "reasoning_content", "")));
}

/* A chunk of a stream, or a whole completion, which says "message" in place of "delta". */
static void openai_read_completion(struct answer *answer, const struct json *json)
{
	openai_read_usage(answer, json_get(json, "usage"));
	const struct json *choices = json_get(json, "choices");
	for (const struct json *choice = json_first(choices); choice; choice = json_next(choice)) {
		const struct json *message = json_get(choice, "message");
		if (json_int(choice, "index", 0) != 0)
			continue;
		openai_read_message(answer, message ? message : json_get(choice, "delta"));
		openai_read_finish(answer, json_string(choice, "finish_reason", message ? "stop" : NULL));
	}
}

/* Whether the server does not know a field, or not with this model. */
static bool openai_is_unknown(const struct complaint *complaint, const char *field)
{
	static const char *const words[] = {
		"nsupported", "not supported", "nknown", "nrecognized", "not permitted"};
	if (!strstr(complaint->field, field) && !strstr(complaint->message, field))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(complaint->kind, words[i]) || strstr(complaint->message, words[i]))
			return true;
	return false;
}

/* Servers differ in two fields and say so by refusing them. Whether the request has changed. */
static bool openai_adapt(struct openai *openai, const struct complaint *complaint)
{
	bool *change = NULL;
	if (complaint->status != 400 && complaint->status != 422)
		return false;
	if (openai->stream && openai_is_unknown(complaint, "stream_options"))
		change = &openai->has_no_options;
	else if (openai->max_tokens > 0 && openai_is_unknown(complaint, openai_limit_field(openai)))
		change = &openai->has_swapped;
	if (!change || *change)
		return false;
	return *change = true;
}

static int openai_ask(struct model *model, const struct model_request *request,
	struct answer *answer, struct complaint *complaint, const struct context *ctx,
	struct rondo_error *err)
{
	static const struct retry_options patience = RETRY_DEFAULTS;
	struct openai *openai = model->state;
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
	AUTO_FREE char *body = openai_make_body(openai, request);
	strbuf_addf(&key, "Authorization: Bearer %s", openai->key ? openai->key : "");
	const char *headers[] = {"Content-Type: application/json",
		openai->stream ? "Accept: text/event-stream, application/json" : "Accept: application/json",
		openai->key ? key.text : NULL, NULL};
	struct exchange exchange = {.http = openai->http,
		.model = model,
		.read = openai_read_completion,
		.model_name = openai->model,
		.key_name = openai->key_name,
		.request = {.url = openai->url,
			.headers = headers,
			.body = body,
			.body_length = strlen(body),
			.limits = openai->limits},
		.retry = model->services->retry ? *model->services->retry : patience};
	exchange.retry.tries = openai->tries;
	return exchange_run(&exchange, answer, complaint, ctx, err);
}

/* A reply without a word that is over its limit: the limit went into thought. */
static int openai_tell_thought(const struct model *model, const struct model_reply *reply,
	const struct context *ctx, struct rondo_error *err)
{
	if (reply->finish != MODEL_FINISH_LENGTH || *reply->text)
		return 0;
	return model_notice(model,
		"reasoning used up the limit of tokens before a word was written; raise max_tokens", ctx,
		err);
}

static int openai_complete(struct model *model, const struct model_request *request,
	struct arena *arena, struct model_reply *reply, const struct context *ctx,
	struct rondo_error *err)
{
	struct openai *openai = model->state;
	struct answer answer = ANSWER_INIT;
	struct complaint complaint = {0};
	int result;
	if (!openai->http)
		openai->http = http_new();
	while ((result = openai_ask(model, request, &answer, &complaint, ctx, err)) < 0 &&
		openai_adapt(openai, &complaint))
		answer_reset(&answer);
	if (result == 0) {
		answer_conclude(&answer, arena, reply);
		result = openai_tell_thought(model, reply, ctx, err);
	}
	answer_release(&answer);
	return result;
}

static void openai_close(struct model *model)
{
	http_free(((struct openai *)model->state)->http);
}

const struct model_type openai_model = {
	.name = "openai",
	.summary = "asks a server that speaks OpenAI's Chat Completions",
	.state_size = sizeof(struct openai),
	.options = options,
	.open = openai_open,
	.complete = openai_complete,
	.close = openai_close,
};
