/* What a server says of its models in its list of them: how much one can read. */
#include <string.h>

#include "base/memory.h"
#include "models/hosted.h"
#include "models/provider.h"

#define LIST_MS 10000
#define LARGEST_LIST ((size_t)4 << 20)

static enum http_taken listing_take(void *owner, const char *bytes, size_t n)
{
	strbuf_add(owner, bytes, n);
	return HTTP_USED;
}

/* The URL of the list beside that of chats. */
static const char *listing_url(const struct hosted *hosted, struct arena *arena)
{
	const char *path = hosted->provider->dialect->path;
	const char *end =
		text_ends_with(hosted->url, path) ? hosted->url + strlen(hosted->url) - strlen(path) : NULL;
	if (!end)
		return NULL;
	return arena_printf(arena, "%.*s%s/models", (int)(end - hosted->url), hosted->url,
		text_starts_with(path, "/v1/") ? "/v1" : "");
}

static int listing_fetch(
	const struct hosted *hosted, const struct cancel *cancel, struct strbuf *list)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct http_response response;
	const char *key_header = hosted->provider->key_header, *url = listing_url(hosted, &arena);
	const char *headers[3] = {hosted->provider->dialect->header, NULL, NULL};
	size_t n = headers[0] != NULL;
	if (hosted->key)
		headers[n] = arena_printf(&arena, "%s%s",
			key_header ? key_header : hosted->provider->dialect->key_header, hosted->key);
	struct http_request request = {
		.url = url, .headers = headers, .limits = HTTP_LIMITS, .take = listing_take, .owner = list};
	request.limits.first_ms = request.limits.total_ms = LIST_MS;
	request.limits.body = LARGEST_LIST;
	if (!url || http_send(hosted->http, &request, &response, cancel, &err) < 0)
		return -1;
	return response.status == 200 ? 0 : -1;
}

/* Servers have a name each for it. */
static int64_t listing_context(const struct json *item)
{
	static const char *const names[] = {"max_model_len", "context_length", "context_window",
		"max_context_length", "max_input_tokens"};
	int64_t tokens = json_int(json_get(item, "meta"), "n_ctx", 0);
	for (size_t i = 0; !tokens && i < ARRAY_SIZE(names); i++)
		tokens = json_int(item, names[i], 0);
	return tokens;
}

/* A server that has one model serves it under any name. */
static const struct json *listing_find(const struct json *list, const char *name)
{
	const struct json *items = json_get(list, "data"), *first = json_first(items);
	for (const struct json *item = first; item; item = json_next(item))
		if (strcmp(json_string(item, "id", ""), name) == 0)
			return item;
	return json_count(items) == 1 ? first : NULL;
}

void model_ask_context(struct model *model, const struct cancel *cancel)
{
	struct hosted *hosted = model->type->provider ? model->state : NULL;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_LIST);
	if (!hosted || model->context)
		return;
	if (!hosted->http)
		hosted->http = http_new();
	if (listing_fetch(hosted, cancel, &text) < 0)
		return;
	AUTO_JSON *list = json_parse(text.text, text.length, &err);
	int64_t tokens = listing_context(listing_find(list, hosted->model));
	model->context = tokens > 0 ? tokens : 0;
}
