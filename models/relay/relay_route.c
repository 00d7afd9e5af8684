/* Which requests are calls of a model, and where they go. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "models/relay/relay_parts.h"

enum { MOST_SEGMENTS = 12 };

/* The parts of a path between its slashes. */
struct segments {
	const char *items[MOST_SEGMENTS];
	size_t n;
};

static int relay_route_fault(struct relay_fault *fault, int status, const char *why)
{
	*fault = (struct relay_fault){status, why};
	return -1;
}

/* --- The target --- */

/* The path of a target. Of a URL, as proxies are asked, only what is this port itself. */
static const char *relay_route_path(const char *target, struct relay_fault *fault)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
	if (*target == '/')
		return target;
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		size_t n = strlen(hosts[i]);
		const char *host = target + strlen("http://");
		if (strncasecmp(target, "http://", 7) != 0 || strncasecmp(host, hosts[i], n) != 0)
			continue;
		host += n;
		host += *host == ':' ? 1 + strspn(host + 1, "0123456789") : 0;
		if (*host == '/')
			return host;
	}
	relay_route_fault(fault, 403, "the relay is no proxy: it reaches the model's host alone");
	return NULL;
}

/* Empty parts are left out: base URLs often end with a slash. */
static bool relay_route_split(const char *path, struct arena *arena, struct segments *segments)
{
	size_t n = strcspn(path, "?#");
	for (const char *at = path, *end = path + n; at < end;) {
		size_t size = strcspn(at, "/?#");
		if (size && segments->n == MOST_SEGMENTS)
			return false;
		if (size)
			segments->items[segments->n++] = arena_strndup(arena, at, size);
		at += size + 1;
	}
	return true;
}

/* A query without keys: the agent's are dummies, and somebody else's would send what it says to an
 * account of theirs. NULL where a name is written so that it might be one. */
static const char *relay_route_query(const char *path, struct arena *arena)
{
	static const char *const keys[] = {
		"key", "api_key", "api-key", "apikey", "access_token", "oauth_token", NULL};
	const char *at = strchr(path, '?');
	AUTO_STRBUF query = STRBUF_INIT(STRBUF_LINE);
	while (at && *++at) {
		size_t size = strcspn(at, "&"), name = strcspn(at, "=&");
		for (size_t i = 0; i < name; i++)
			if (!isalnum((unsigned char)at[i]) && !strchr("-_.$", at[i]))
				return NULL;
		bool is_key = false;
		for (const char *const *key = keys; *key; key++)
			is_key = is_key || (strlen(*key) == name && strncasecmp(at, *key, name) == 0);
		if (!is_key && size)
			strbuf_addf(&query, "%s%.*s", query.length ? "&" : "", (int)size, at);
		at = at[size] ? at + size : NULL;
	}
	return arena_strdup(arena, query.text);
}

/* --- What is meant --- */

static bool relay_route_ends(const struct segments *segments, const char *last, const char *before)
{
	size_t n = segments->n, wanted = before ? 2 : 1;
	return n >= wanted && strcmp(segments->items[n - 1], last) == 0 &&
		(!before || strcmp(segments->items[n - 2], before) == 0);
}

/* A fixed end of a path. */
static const struct relay_end_of_path {
	const char *last, *before;
	enum relay_dialect dialect;
	bool is_call;
} ends[] = {
	{"completions", "chat", RELAY_CHAT, true},
	{"responses", NULL, RELAY_RESPONSES, true},
	{"compact", "responses", RELAY_RESPONSES, true},
	{"input_tokens", "responses", RELAY_RESPONSES, false},
	{"messages", NULL, RELAY_MESSAGES, true},
	{"count_tokens", "messages", RELAY_MESSAGES, false},
};

/* What is done with a Gemini model, behind its name and ':'. */
static const struct {
	const char *name;
	bool is_call;
} methods[] = {{"generateContent", true}, {"streamGenerateContent", true}, {"countTokens", false}};

/* Whether a model's name is one that no server can take for another path. */
static bool relay_route_is_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:+");
	return n && !name[n] && !strstr(name, "..") && *name != '.';
}

/* Whose list of models is meant, or whose error: names and keys are the same in several. */
static enum relay_dialect relay_route_guess(
	const struct relay_request *request, const struct segments *segments)
{
	for (size_t i = 0; i < segments->n; i++)
		if (text_starts_with(segments->items[i], "v1beta") ||
			text_starts_with(segments->items[i], "v1alpha"))
			return segments->n > i + 1 && strcmp(segments->items[i + 1], "openai") == 0
				? RELAY_CHAT
				: RELAY_GEMINI;
	if (relay_request_header(request, "x-goog-api-key"))
		return RELAY_GEMINI;
	return relay_request_header(request, "anthropic-version") ? RELAY_MESSAGES : RELAY_CHAT;
}

/* "models", and what may follow it; how many segments that is, 0: it is nothing of the kind. */
static size_t relay_route_models(
	const struct relay_request *request, const struct segments *segments, struct relay_route *route)
{
	size_t at = segments->n;
	while (at > 0 && strcmp(segments->items[at - 1], "models") != 0)
		at--;
	size_t behind = segments->n - at;
	if (!at || behind > 2)
		return 0;
	for (size_t i = at; i < segments->n; i++)
		if (!relay_route_is_name(segments->items[i]))
			return 0;
	if (strcmp(request->method, "GET") == 0)
		return behind + 1;
	const char *colon = behind == 1 ? strrchr(segments->items[at], ':') : NULL;
	for (size_t i = 0; colon && i < ARRAY_SIZE(methods); i++)
		if (strcmp(colon + 1, methods[i].name) == 0) {
			route->dialect = RELAY_GEMINI;
			route->is_call = methods[i].is_call;
			return 2;
		}
	return 0;
}

/* What stands before it may be any of these. */
static bool relay_route_is_prefix(const char *segment)
{
	static const char *const words[] = {
		"v1", "v1beta", "v1beta1", "v1alpha", "openai", "anthropic", "api", NULL};
	for (const char *const *word = words; *word; word++)
		if (strcmp(*word, segment) == 0)
			return true;
	return false;
}

/* How many segments the end of the path has, and what it means; 0: nothing. */
static size_t relay_route_tail(const struct relay_request *request, const struct segments *segments,
	struct relay_route *route, bool *ret_is_post)
{
	*ret_is_post = true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (relay_route_ends(segments, ends[i].last, ends[i].before)) {
			route->dialect = ends[i].dialect;
			route->is_call = ends[i].is_call;
			return ends[i].before ? 2 : 1;
		}
	size_t n = relay_route_models(request, segments, route);
	*ret_is_post = n && strcmp(request->method, "GET") != 0;
	return n;
}

static const char *relay_route_join(
	const struct segments *segments, size_t from, size_t to, struct arena *arena)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = from; i < to; i++)
		strbuf_addf(&path, "/%s", segments->items[i]);
	return arena_strdup(arena, path.text);
}

/* A Gemini model's name, of "NAME:METHOD". */
static const char *relay_route_model(const struct relay_route *route, struct arena *arena)
{
	const char *last = strrchr(route->tail, '/'), *colon = strrchr(route->tail, ':');
	bool has_name = route->dialect == RELAY_GEMINI && last && colon > last;
	return has_name ? arena_strndup(arena, last + 1, (size_t)(colon - last - 1)) : NULL;
}

static int relay_route_check_method(
	const struct relay_request *request, bool is_post, struct relay_fault *fault)
{
	if (strcmp(request->method, is_post ? "POST" : "GET") != 0)
		return relay_route_fault(
			fault, 405, is_post ? "this path takes POST alone" : "this path takes GET alone");
	const char *coding = relay_request_header(request, "Content-Encoding");
	if (coding && strcasecmp(coding, "identity") != 0)
		return relay_route_fault(fault, 415, "the relay reads no compressed bodies");
	if (!is_post && (request->length || request->is_chunked))
		return relay_route_fault(fault, 400, "a GET has no body here");
	return 0;
}

int relay_route_find(const struct relay_request *request, struct arena *arena,
	struct relay_route *route, struct relay_fault *fault)
{
	struct segments segments = {.n = 0};
	bool is_post = true;
	*route = (struct relay_route){.query = ""};
	size_t size = strcspn(request->target, "?#");
	utf8_format(
		route->shown, sizeof route->shown, "%.*s", (int)(size < 512 ? size : 512), request->target);
	if (strcmp(request->method, "CONNECT") == 0)
		return relay_route_fault(
			fault, 405, "the relay is no proxy: it reaches the model's host alone");
	const char *path = relay_route_path(request->target, fault);
	if (!path)
		return -1;
	bool fits = relay_route_split(path, arena, &segments);
	route->dialect = relay_route_guess(request, &segments);
	size_t n = fits ? relay_route_tail(request, &segments, route, &is_post) : 0,
		   at = segments.n - n;
	for (size_t i = 0; i < at; i++)
		if (!relay_route_is_prefix(segments.items[i]))
			n = 0;
	if (!n)
		return relay_route_fault(fault, 404, "the relay passes on calls of models alone");
	route->prefix = relay_route_join(&segments, 0, at, arena);
	route->tail = relay_route_join(&segments, at, segments.n, arena);
	route->model = relay_route_model(route, arena);
	route->query = relay_route_query(path, arena);
	if (!route->query)
		return relay_route_fault(fault, 400, "the query has a name that is no plain word");
	return relay_route_check_method(request, is_post, fault);
}

/* --- Where it goes --- */

/* Cut an end off the first n bytes. */
static size_t relay_route_cut(const char *text, size_t n, const char *end)
{
	return text_n_ends_with(text, n, end) ? n - strlen(end) : n;
}

/* "v1beta" of "/v1beta": the last word of a prefix that is a version, or "". */
static const char *relay_route_version(const char *prefix)
{
	const char *last = strrchr(prefix, '/');
	return last && text_starts_with(last, "/v1") ? last : "";
}

/* Gemini's own interface stands beside the one that it has for clients of OpenAI. */
static size_t relay_route_cut_version(const char *base, size_t n)
{
	static const char *const versions[] = {"/v1beta", "/v1beta1", "/v1alpha", "/v1"};
	n = relay_route_cut(base, n, "/openai");
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		if (text_n_ends_with(base, n, versions[i]))
			return n - strlen(versions[i]);
	return n;
}

const char *relay_route_url(const struct relay_route *route, const char *base, struct arena *arena)
{
	static const char *const tails[] = {"/chat/completions", "/responses", "/messages"};
	const char *host = strstr(base, "://") + strlen("://"), *middle = "";
	size_t n = strcspn(base, "?#"), all = n;
	while (n && base[n - 1] == '/')
		n--;
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
		n = relay_route_cut(base, n, tails[i]);
	bool has_path = memchr(host, '/', (size_t)(base + n - host));
	const char *version = relay_route_version(route->prefix);
	if (!has_path && *route->prefix) {
		middle = route->prefix;
	} else if (route->dialect == RELAY_MESSAGES) {
		n = relay_route_cut(base, n, "/v1");
		middle = "/v1";
	} else if (route->dialect == RELAY_GEMINI) {
		n = relay_route_cut_version(base, n);
		middle = *version ? version : "/v1beta";
	}
	const char *own = base[all] == '?' ? base + all + 1 : "";
	bool has_both = *own && *route->query, has_query = *own || *route->query;
	return arena_printf(arena, "%.*s%s%s%s%s%s%s", (int)n, base, middle, route->tail,
		has_query ? "?" : "", own, has_both ? "&" : "", route->query);
}

/* --- What goes along --- */

bool relay_route_is_hop(const char *name)
{
	static const char *const names[] = {"Connection", "Keep-Alive", "Proxy-Connection",
		"Proxy-Authenticate", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding",
		"Upgrade", "HTTP2-Settings", "Host", "Content-Length", "Expect", "Alt-Svc"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

/* Where keys stand, "Name: " and what is before one; by dialect. */
static const struct {
	const char *name, *before;
} key_headers[] = {
	[RELAY_CHAT] = {"Authorization", "Authorization: Bearer "},
	[RELAY_RESPONSES] = {"Authorization", "Authorization: Bearer "},
	[RELAY_MESSAGES] = {"x-api-key", "x-api-key: "},
	[RELAY_GEMINI] = {"x-goog-api-key", "x-goog-api-key: "},
};

static bool relay_route_is_key(const char *name)
{
	static const char *const names[] = {"Authorization", "x-api-key", "x-goog-api-key", "api-key",
		"Cookie", "X-Goog-Iam-Authorization-Token", "Ocp-Apim-Subscription-Key"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

/* The key stands where the dummy did, where that is one of the usual places: agents may be set to
 * another than their dialect's, since their host wants it so. */
static const char *relay_route_key_header(const struct relay_route *route,
	const struct relay_request *request, const struct relay_upstream *upstream)
{
	if (upstream->key_header)
		return upstream->key_header;
	if (!relay_request_header(request, key_headers[route->dialect].name))
		for (size_t i = 0; i < ARRAY_SIZE(key_headers); i++)
			if (relay_request_header(request, key_headers[i].name))
				return key_headers[i].before;
	return key_headers[route->dialect].before;
}

/* What "Connection: a, b" names belongs to the connection, too. */
static bool relay_route_is_named(const struct relay_request *request, const char *name)
{
	const char *list = relay_request_header(request, "Connection");
	return list && strcasestr(list, name);
}

const char *const *relay_route_headers(const struct relay_route *route,
	const struct relay_request *request, const struct relay_upstream *upstream, struct arena *arena)
{
	const char **headers = NULL;
	size_t n = 0;
	for (size_t i = 0; i < request->n; i++) {
		const char *name = request->headers[i].name, *value = request->headers[i].value;
		/* libcurl takes an empty value for the wish to leave out a header of its own */
		if (!*value || relay_route_is_hop(name) || relay_route_is_key(name) ||
			strcasecmp(name, "Accept-Encoding") == 0 || relay_route_is_named(request, name))
			continue;
		ARENA_PUSH(arena, headers, n, arena_printf(arena, "%s: %s", name, value));
	}
	ARENA_PUSH(arena, headers, n, "Accept-Encoding: identity");
	if (!relay_request_header(request, "Content-Type") && strcmp(request->method, "POST") == 0)
		ARENA_PUSH(arena, headers, n, "Content-Type: application/json");
	if (upstream->key)
		ARENA_PUSH(arena, headers, n,
			arena_printf(
				arena, "%s%s", relay_route_key_header(route, request, upstream), upstream->key));
	ARENA_PUSH(arena, headers, n, NULL);
	return headers;
}
