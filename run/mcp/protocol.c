/* What clients ask, by the rules of their era. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/version.h"
#include "run/mcp/mcp.h"

#define META "io.modelcontextprotocol/"
#define UNUSED __attribute__((unused))

enum { PROTOCOL_BAD_VERSION = -32022 };

/* --- Answers --- */

static struct json *protocol_server_info(void)
{
	struct json *info = json_object();
	json_add_string(info, "name", "rondo");
	json_add_string(info, "title", "rondo");
	json_add_string(info, "version", version_text);
	return info;
}

char *protocol_result(const char *id, bool is_modern, struct json *result)
{
	if (is_modern) {
		json_add_string(result, "resultType", "complete");
		json_add(json_add_object(result, "_meta"), META "serverInfo", protocol_server_info());
	}
	return json_rpc_result(id, result);
}

static void protocol_add_offer(const struct mcp_server *server, struct json *result)
{
	struct json *capabilities = json_add_object(result, "capabilities");
	json_add_object(capabilities, "tools");
	if (server->offer->has_resources)
		json_add_object(capabilities, "resources");
	json_add_string(result, "instructions", server->offer->instructions);
}

static void protocol_cache(
	const struct mcp_request *request, struct json *result, int64_t ttl_ms, const char *scope)
{
	if (!request->is_modern)
		return;
	json_add_int(result, "ttlMs", ttl_ms);
	json_add_string(result, "cacheScope", scope);
}

/* --- Requests that are no tools and no resources --- */

static enum mcp_answer protocol_initialize(struct mcp_server *server,
	const struct mcp_request *request, struct json *result, struct mcp_refusal *refusal)
{
	static const char *const spoken[] = {"2025-06-18", MCP_LEGACY};
	const char *asked = json_string(request->params, "protocolVersion", NULL);
	const char *version = MCP_LEGACY;
	if (!asked) {
		refusal->text = "params.protocolVersion is missing";
		return MCP_REFUSED;
	}
	for (size_t i = 0; i < ARRAY_SIZE(spoken); i++)
		if (strcmp(asked, spoken[i]) == 0)
			version = spoken[i];
	server->is_legacy = true;
	server->offers_roots =
		!server->asking && json_get(json_get(request->params, "capabilities"), "roots");
	json_add_string(result, "protocolVersion", version);
	json_add(result, "serverInfo", protocol_server_info());
	protocol_add_offer(server, result);
	return MCP_ANSWERED;
}

static void protocol_add_versions(struct json *to, const char *key)
{
	json_add_string(json_add_array(to, key), NULL, MCP_MODERN);
}

static enum mcp_answer protocol_discover(struct mcp_server *server,
	UNUSED const struct mcp_request *request, struct json *result,
	UNUSED struct mcp_refusal *refusal)
{
	protocol_add_versions(result, "supportedVersions");
	protocol_add_offer(server, result);
	return MCP_ANSWERED;
}

static enum mcp_answer protocol_ping(UNUSED struct mcp_server *server,
	UNUSED const struct mcp_request *request, UNUSED struct json *result,
	UNUSED struct mcp_refusal *refusal)
{
	return MCP_ANSWERED;
}

enum { ERA_LEGACY = 1, ERA_MODERN = 2, ERA_BOTH = 3 };

static const struct protocol_method {
	const char *name;
	int eras;
	enum mcp_answer (*answer)(struct mcp_server *server, const struct mcp_request *request,
		struct json *result, struct mcp_refusal *refusal);
	int64_t ttl_ms; /* how long a modern client may keep the answer; below 0: it is not kept */
	const char *scope;
} methods[] = {
	{"initialize", ERA_LEGACY, protocol_initialize, -1, NULL},
	{"ping", ERA_LEGACY, protocol_ping, -1, NULL},
	{"server/discover", ERA_MODERN, protocol_discover, 3600000, "public"},
	{"tools/list", ERA_BOTH, tools_list, 3600000, "public"},
	{"tools/call", ERA_BOTH, tools_call, -1, NULL},
	{"resources/list", ERA_BOTH, resources_list, 0, "private"},
	{"resources/templates/list", ERA_BOTH, resources_templates, 3600000, "public"},
	{"resources/read", ERA_BOTH, resources_read, 0, "private"},
};

static const struct protocol_method *protocol_find(
	const struct mcp_server *server, const struct mcp_request *request)
{
	int era = request->is_modern ? ERA_MODERN : ERA_LEGACY;
	if (!server->offer->has_resources && text_starts_with(request->method, "resources/"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (methods[i].eras & era && strcmp(methods[i].name, request->method) == 0)
			return &methods[i];
	return NULL;
}

/* --- Which era --- */

/* A modern request says its version and what the client can do. */
static bool protocol_check_meta(
	const struct json *meta, struct arena *arena, struct mcp_refusal *refusal)
{
	const char *version = json_string(meta, META "protocolVersion", NULL);
	refusal->code = JSON_RPC_INVALID_PARAMS;
	if (!version) {
		refusal->text = "params._meta[\"" META "protocolVersion\"] is not a string";
	} else if (strcmp(version, MCP_MODERN) != 0) {
		refusal->code = PROTOCOL_BAD_VERSION;
		refusal->text = arena_printf(arena, "unsupported protocol version '%s'", version);
		refusal->data = json_object();
		protocol_add_versions(refusal->data, "supported");
		json_add_string(refusal->data, "requested", version);
	} else if (!json_is_object(json_get(meta, META "clientCapabilities"))) {
		refusal->text = "params._meta[\"" META "clientCapabilities\"] is not an object";
	} else {
		return true;
	}
	return false;
}

/* Whether the request may be looked at; sets its era. */
static bool protocol_check_era(
	const struct mcp_server *server, struct mcp_request *request, struct mcp_refusal *refusal)
{
	const struct json *meta = json_get(request->params, "_meta");
	request->is_modern = json_get(meta, META "protocolVersion");
	if (request->is_modern)
		return protocol_check_meta(meta, request->arena, refusal);
	bool is_first =
		strcmp(request->method, "initialize") == 0 || strcmp(request->method, "ping") == 0;
	if (is_first || server->is_legacy)
		return true;
	refusal->code = JSON_RPC_INVALID_PARAMS;
	refusal->text = "params._meta[\"" META "protocolVersion\"] is missing, and nobody has sent "
					"initialize";
	return false;
}

/* --- Messages --- */

static enum mcp_answer protocol_answer(struct mcp_server *server, struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	if (request->params && !json_is_object(request->params)) {
		refusal->text = "params is not an object";
		return MCP_REFUSED;
	}
	if (calls_have(server, request->id)) {
		refusal->code = JSON_RPC_INVALID_REQUEST;
		refusal->text = "a request with this id goes on";
		return MCP_REFUSED;
	}
	if (!protocol_check_era(server, request, refusal))
		return MCP_REFUSED;
	const struct protocol_method *method = protocol_find(server, request);
	if (!method) {
		refusal->code = JSON_RPC_NO_METHOD;
		refusal->text = arena_printf(request->arena, "there is no method '%s'", request->method);
		return MCP_REFUSED;
	}
	enum mcp_answer answer = method->answer(server, request, result, refusal);
	if (answer == MCP_ANSWERED && method->ttl_ms >= 0)
		protocol_cache(request, result, method->ttl_ms, method->scope);
	return answer;
}

/* The token of progress as it was sent: a number or a string. */
static const char *protocol_token(
	const struct json *params, const char *line, size_t n, struct arena *arena)
{
	const struct json *token = json_get(json_get(params, "_meta"), "progressToken");
	if (!json_text(token, NULL) && !json_is_number(token))
		return NULL;
	const char *text = json_member_text(line, n, "params", &n);
	text = text ? json_member_text(text, n, "_meta", &n) : NULL;
	text = text ? json_member_text(text, n, "progressToken", &n) : NULL;
	return text ? arena_strndup(arena, text, n) : json_print_in(token, arena);
}

static void protocol_take_request(struct mcp_server *server, const struct json_rpc_message *message,
	const char *line, size_t n, struct arena *arena)
{
	struct mcp_refusal refusal = {.code = JSON_RPC_INVALID_PARAMS};
	struct json *result = json_object();
	struct mcp_request request = {.id = message->id,
		.method = message->method,
		.params = message->params,
		.token = protocol_token(message->params, line, n, arena),
		.arena = arena};
	enum mcp_answer answer = protocol_answer(server, &request, result, &refusal);
	if (answer == MCP_ANSWERED) {
		outbox_add(server, protocol_result(request.id, request.is_modern, result));
		return;
	}
	json_free(result);
	if (answer == MCP_REFUSED)
		outbox_add(server, json_rpc_error(request.id, refusal.code, refusal.text, refusal.data));
}

static void protocol_take_notification(struct mcp_server *server,
	const struct json_rpc_message *message, const char *line, size_t n, struct arena *arena)
{
	if (strcmp(message->method, "notifications/cancelled") == 0)
		calls_cancel(server, json_rpc_id_in_params(line, n, "requestId", arena));
	else if (strcmp(message->method, "notifications/initialized") == 0 ||
		strcmp(message->method, "notifications/roots/list_changed") == 0)
		roots_ask(server);
}

void protocol_take(struct mcp_server *server, const char *line, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct json_rpc_message message;
	json_rpc_read(line, n, &arena, &message);
	switch (message.kind) {
	case JSON_RPC_REQUEST:
		protocol_take_request(server, &message, line, n, &arena);
		break;
	case JSON_RPC_NOTIFICATION:
		protocol_take_notification(server, &message, line, n, &arena);
		break;
	case JSON_RPC_RESULT:
	case JSON_RPC_ERROR:
		roots_take(server, &message);
		break;
	case JSON_RPC_BATCH:
		outbox_add(server,
			json_rpc_error(NULL, JSON_RPC_INVALID_REQUEST,
				"this protocol has no batches: one message a line", NULL));
		break;
	case JSON_RPC_INVALID:
		outbox_add(server, json_rpc_error(message.id, message.code, message.text, NULL));
		break;
	}
}

void protocol_refuse_length(struct mcp_server *server)
{
	char text[80];
	snprintf(text, sizeof text, "a line is longer than %zu MiB", server->offer->line_most >> 20);
	outbox_add(server, json_rpc_error(NULL, JSON_RPC_PARSE_ERROR, text, NULL));
}
