#include "models/hosted.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "models/prices.h"
#include "models/provider.h"

/* --- Where it is, and its key --- */

const char *hosted_lacks(const struct hosted *hosted, size_t *ret_n)
{
	const char *base = hosted->base_url, *lacks = hosted->provider->url_end;
	const char *host = strstr(base, "://") + strlen("://");
	size_t n = strcspn(base, "?#");
	while (n && base[n - 1] == '/')
		n--;
	*ret_n = n;
	return !lacks || memchr(host, '/', (size_t)(base + n - host)) ? "" : lacks;
}

/* The URL to post to. What a base URL asks for after '?' stays behind; people write /v1, or all of
 * the path, or leave it. */
static const char *hosted_make_url(const struct hosted *hosted, struct arena *arena)
{
	const char *base = hosted->base_url, *path = hosted->provider->dialect->path;
	const char *query = base + strcspn(base, "?#");
	size_t n;
	const char *lacks = hosted_lacks(hosted, &n);
	if (text_n_ends_with(base, n, path))
		path = "";
	else if (text_starts_with(path, "/v1/") && text_n_ends_with(base, n, "/v1"))
		path += strlen("/v1");
	return arena_printf(arena, "%.*s%s%s%s", (int)n, base, lacks, path, query);
}

static int hosted_find_key(struct model *model, bool is_local, struct rondo_error *err)
{
	struct hosted *hosted = model->state;
	hosted->key = secrets_get(model->services->secrets, hosted->key_name);
	if (!text_ends_with(hosted->key_name, "_API_KEY"))
		return error_set(err, RONDO_ERROR_USAGE, "api_key_env must end in _API_KEY, found '%s'",
			hosted->key_name);
	if (!hosted->key && hosted->provider->needs_key && !is_local) {
		error_set(err, RONDO_ERROR_USAGE, "%s is not set, and %s wants a key", hosted->key_name,
			hosted->base_url);
		return error_help(err, "set %s in the environment or in an --env-file", hosted->key_name);
	}
	for (const char *c = hosted->key; c && *c; c++)
		if (!isgraph((unsigned char)*c))
			return error_set(err, RONDO_ERROR_USAGE,
				"the key in %s holds a space or a character that is not ASCII", hosted->key_name);
	return 0;
}

/* What the option does not say, the environment or the provider does. */
static int hosted_find_base(struct model *model, struct rondo_error *err)
{
	struct hosted *hosted = model->state;
	const struct provider *provider = hosted->provider;
	const char *set = provider->url_name
		? secrets_setting(model->services->secrets, provider->url_name, hosted->key_name)
		: NULL;
	if (!hosted->base_url)
		hosted->base_url = set ? arena_strdup(&model->arena, set) : provider->base_url;
	if (hosted->base_url)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "%s is not set, and nothing else says where %s is",
		provider->url_name, model->type->name);
	return error_help(err, "set %s, or the model's 'base_url'", provider->url_name);
}

int hosted_open(struct model *model, struct rondo_error *err)
{
	struct hosted *hosted = model->state;
	struct http_url url;
	const struct http_limits defaults = HTTP_LIMITS;
	hosted->provider = model->type->provider;
	hosted->own_temperature = model->services->temperature ? *model->services->temperature : -1;
	hosted->limits.rest_ms = defaults.rest_ms;
	hosted->limits.body = defaults.body;
	if (!hosted->model || !*hosted->model)
		return error_set(err, RONDO_ERROR_USAGE, "'model' must say which model is meant");
	if (!hosted->key_name)
		hosted->key_name = hosted->provider->key_name;
	if (hosted_find_base(model, err) < 0)
		return -1;
	if (http_url_read(hosted->base_url, &url, err) < 0)
		return error_prefix(err, "base_url");
	hosted->is_openai =
		text_ends_with(url.host, ".openai.com") || text_ends_with(url.host, ".openai.azure.com");
	hosted->url = hosted_make_url(hosted, &model->arena);
	if (!model->price.known)
		price_find(url.host, hosted->model, &model->price);
	if (model->price.written <= 0 && hosted->provider->dialect->written_price)
		model->price.written = hosted->provider->dialect->written_price(hosted, &model->price);
	model->context = hosted->context ? hosted->context : price_context(url.host, hosted->model);
	if (hosted_find_key(model, url.is_local, err) < 0)
		return -1;
	hosted->pace = pace_of(hosted->url, hosted->key, hosted->model, hosted->requests_a_minute,
		hosted->tokens_a_minute);
	return 0;
}

void hosted_close(struct model *model)
{
	http_free(((struct hosted *)model->state)->http);
}

/* --- Asking --- */

struct json *hosted_add_message(
	struct json *messages, const struct model_message *message, const char *system)
{
	struct json *added = json_add_object(messages, NULL);
	json_add_string(
		added, "role", message->role == MODEL_SYSTEM ? system : model_roles[message->role]);
	json_add_string(added, "content", message->content);
	return added;
}

/* "prompt_tokens_details" and the like. */
static const struct json *hosted_details(const struct json *usage, const char *sum)
{
	char name[64];
	utf8_format(name, sizeof name, "%s_details", sum);
	return json_get(usage, name);
}

void hosted_read_usage(
	struct answer *answer, const struct json *usage, const char *in, const char *out)
{
	int64_t prompt = json_int(usage, in, -1), completion = json_int(usage, out, -1);
	if (prompt < 0 || completion < 0 || prompt + completion == 0)
		return; /* nobody counted */
	const struct json *details = hosted_details(usage, in);
	int64_t cached = json_int(details, "cached_tokens", 0);
	answer->counts_cached = json_get(details, "cached_tokens");
	answer->usage = (struct rondo_usage){.prompt_tokens = prompt,
		.completion_tokens = completion,
		.cached_tokens = cached > 0 && cached <= prompt ? cached : 0,
		.reasoning_tokens = json_int(hosted_details(usage, out), "reasoning_tokens", 0)};
	answer->usage_known = true;
}

bool hosted_is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

bool hosted_is_unknown(const struct complaint *complaint, const char *field)
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

void hosted_add_temperature(const struct hosted *hosted, struct json *body)
{
	double temperature = hosted->temperature >= 0 ? hosted->temperature : hosted->own_temperature;
	if (temperature >= 0)
		json_add_number(body, "temperature", temperature);
}

/* Some models take no other than their own. */
static bool hosted_drop_temperature(struct hosted *hosted, const struct complaint *complaint)
{
	bool is_sent = hosted->temperature < 0 && hosted->own_temperature >= 0;
	if (!is_sent || (complaint->status != 400 && complaint->status != 422) ||
		(!strstr(complaint->field, "temperature") && !strstr(complaint->message, "temperature")))
		return false;
	hosted->own_temperature = -1;
	return true;
}

static bool hosted_adapt(struct hosted *hosted, const struct complaint *complaint)
{
	const struct dialect *dialect = hosted->provider->dialect;
	if (hosted_drop_temperature(hosted, complaint))
		return true;
	return dialect->adapt && dialect->adapt(hosted, complaint);
}

static int hosted_ask(struct model *model, const struct model_request *request,
	struct answer *answer, struct complaint *complaint, const struct context *ctx,
	struct rondo_error *err)
{
	static const struct retry_options patience = RETRY_DEFAULTS;
	const struct hosted *hosted = model->state;
	const struct dialect *dialect = hosted->provider->dialect;
	const char *key_header = hosted->provider->key_header;
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
	AUTO_FREE char *body = dialect->make_body(hosted, request);
	strbuf_addf(&key, "%s%s", key_header ? key_header : dialect->key_header,
		hosted->key ? hosted->key : "");
	const char *headers[5] = {"Content-Type: application/json",
		hosted->stream ? "Accept: text/event-stream, application/json"
					   : "Accept: application/json"};
	size_t n = 2;
	if (hosted->key)
		headers[n++] = key.text;
	headers[n] = dialect->header;
	struct exchange exchange = {.http = hosted->http,
		.model = model,
		.read = dialect->read,
		.model_name = hosted->model,
		.key_name = hosted->key_name,
		.request = {.url = hosted->url,
			.headers = headers,
			.body = body,
			.body_length = strlen(body),
			.limits = hosted->limits},
		.pace = hosted->pace,
		.tokens = (int64_t)strlen(body) / 4 + hosted->max_tokens,
		.retry = model->services->retry ? *model->services->retry : patience};
	exchange.retry.tries = hosted->tries;
	return exchange_run(&exchange, answer, complaint, ctx, err);
}

/* --- What the user should know of an answer --- */

/* A reply without a word that is over its limit: the limit went into thought. */
static int hosted_tell_thought(const struct model *model, const struct model_reply *reply,
	const struct context *ctx, struct rondo_error *err)
{
	if (reply->finish != MODEL_FINISH_LENGTH || *reply->text)
		return 0;
	return model_notice(model,
		"reasoning used up the limit of tokens before a word was written; raise max_tokens", ctx,
		err);
}

/* No text has so many bytes a token: a part of it was left out before the model saw it. */
#define MOST_BYTES_A_TOKEN 12

static int hosted_tell_cut(const struct model *model, const struct model_request *request,
	const struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	struct hosted *hosted = model->state;
	char text[256];
	size_t bytes = 0;
	int64_t tokens = reply->usage.prompt_tokens;
	if (!hosted->provider->cuts_context || hosted->has_told_cut || !reply->usage_known)
		return 0;
	for (size_t i = 0; i < request->n; i++)
		bytes += strlen(request->messages[i].content);
	if ((int64_t)bytes <= tokens * MOST_BYTES_A_TOKEN)
		return 0;
	hosted->has_told_cut = true;
	utf8_format(text, sizeof text,
		"the server read %lld tokens of %zu bytes: it has cut what it was sent to its context; "
		"start it with a larger one (OLLAMA_CONTEXT_LENGTH=65536)",
		(long long)tokens, bytes);
	return model_notice(model, text, ctx, err);
}

/* The chat was longer than it can read. Whoever asks may leave something out. */
static void hosted_learn_context(
	struct model *model, const struct model_request *request, const struct complaint *complaint)
{
	int64_t said = complaint_context(complaint), sent = model_tokens(request);
	if (complaint->status != 413)
		return;
	int64_t most = said && said < sent * 2 ? said : sent / 2;
	if (!model->context || most < model->context)
		model->context = most;
}

int hosted_complete(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	struct hosted *hosted = model->state;
	struct answer answer = ANSWER_INIT;
	struct complaint complaint = {0};
	int result;
	if (!hosted->http)
		hosted->http = http_new();
	while ((result = hosted_ask(model, request, &answer, &complaint, ctx, err)) < 0 &&
		hosted_adapt(hosted, &complaint))
		answer_reset(&answer);
	if (result < 0)
		hosted_learn_context(model, request, &complaint);
	if (result == 0) {
		answer_conclude(&answer, arena, reply);
		result = hosted_tell_thought(model, reply, ctx, err);
	}
	if (result == 0)
		result = hosted_tell_cut(model, request, reply, ctx, err);
	answer_release(&answer);
	return result;
}
