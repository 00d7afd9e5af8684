/* The list of tools, and the beginning of a call. */
#include <string.h>

#include "base/memory.h"
#include "run/mcp/mcp.h"

REGISTRY_DEFINE(struct mcp_tool, mcp_tools, MCP_TOOLS(&MCP_TOOL_SYMBOL));

/* --- tools/list --- */

static void tools_add_annotations(struct json *to, const struct mcp_tool *tool)
{
	struct json *annotations = json_add_object(to, "annotations");
	json_add_string(annotations, "title", tool->title);
	json_add_bool(annotations, "readOnlyHint", tool->only_reads);
	json_add_bool(annotations, "destructiveHint", false);
	json_add_bool(annotations, "idempotentHint", tool->only_reads);
	json_add_bool(annotations, "openWorldHint", false);
}

enum mcp_answer tools_list(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	const struct mcp_offer *offer = server->offer;
	if (json_get(request->params, "cursor")) {
		refusal->text = "no page follows the first: cursor must be left out";
		return MCP_REFUSED;
	}
	struct json *all = json_add_array(result, "tools");
	for (size_t i = 0; i < offer->n; i++) {
		const struct mcp_tool *tool = offer->tools[i];
		struct json *row = json_add_object(all, NULL);
		json_add_string(row, "name", tool->name);
		json_add_string(row, "title", tool->title);
		json_add_string(row, "description", tool->description);
		arguments_describe(tool->options, json_add_object(row, "inputSchema"));
		tool->describe(json_add_object(row, "outputSchema"));
		tools_add_annotations(row, tool);
		if (tool->always_load)
			json_add_bool(json_add_object(row, "_meta"), "anthropic/alwaysLoad", true);
	}
	return MCP_ANSWERED;
}

/* --- tools/call --- */

static const struct mcp_tool *tools_find(const struct mcp_offer *offer, const char *name)
{
	for (size_t i = 0; name && i < offer->n; i++)
		if (strcmp(offer->tools[i]->name, name) == 0)
			return offer->tools[i];
	return NULL;
}

/* What a model can mend by another call is no error of the protocol. */
static enum mcp_answer tools_fail(struct json *result, const struct rondo_error *err)
{
	struct json *block = json_add_object(json_add_array(result, "content"), NULL);
	json_add_string(block, "type", "text");
	json_add_string(block, "text", err->message);
	json_add_bool(result, "isError", true);
	return MCP_ANSWERED;
}

static struct mcp_call *tools_make_call(
	struct mcp_server *server, const struct mcp_request *request, const struct mcp_tool *tool)
{
	struct mcp_call *call = memory_alloc(sizeof *call);
	*call = (struct mcp_call){.server = server,
		.tool = tool,
		.is_modern = request->is_modern,
		.cancel = {.fd = -1, .timer = -1}};
	call->id = arena_strdup(&call->arena, request->id);
	call->token = arena_strdup(&call->arena, request->token);
	call->state = arena_alloc(&call->arena, tool->state_size);
	return call;
}

enum mcp_answer tools_call(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	struct rondo_error err = {0};
	const char *name = json_string(request->params, "name", NULL);
	const struct json *arguments = json_get(request->params, "arguments");
	const struct mcp_tool *tool = tools_find(server->offer, name);
	if (!tool) {
		refusal->text = arena_printf(
			request->arena, name ? "there is no tool '%s'" : "params.name is missing", name);
		return MCP_REFUSED;
	}
	if (arguments && !json_is_object(arguments) && !json_is_null(arguments)) {
		refusal->text = "params.arguments is not an object";
		return MCP_REFUSED;
	}
	struct mcp_call *call = tools_make_call(server, request, tool);
	if (arguments_read(tool->options, arguments, call->state, &call->arena, &err) == 0 &&
		calls_start(call, &err) == 0)
		return MCP_LATER;
	calls_free(call);
	return tools_fail(result, &err);
}

/* --- For the tools --- */

int tools_options(struct mcp_call *call, const struct fix_options *given,
	struct fix_options *ret_options, struct rondo_error *err)
{
	struct fix_options all = call->server->options->fix;
	const struct option_settings *own = &all.settings, *more = &given->settings;
	struct option_strings *roots = arena_alloc(&call->arena, sizeof *roots);
	const char *path = roots_resolve(call->server, given->path, &call->arena, roots, err);
	if (!path)
		return -1;
	struct option_settings settings = {0};
	for (size_t i = 0; i < own->n; i++)
		ARENA_PUSH(&call->arena, settings.items, settings.n, own->items[i]);
	for (size_t i = 0; i < more->n; i++)
		ARENA_PUSH(&call->arena, settings.items, settings.n, more->items[i]);
	all.settings = settings;
	all.path = path;
	all.within = roots;
	pthread_mutex_lock(&call->server->lock);
	call->repo = path;
	pthread_mutex_unlock(&call->server->lock);
	*ret_options = all;
	return 0;
}

void tools_take_report(
	struct mcp_call *call, const struct run_report *report, struct mcp_result *result)
{
	result->run = report->id;
	if (run_outcome_exit_code(report->outcome) > 1)
		result->failure =
			arena_printf(&call->arena, "cannot judge: %s%s%s", report->reason ? report->reason : "",
				report->help ? "\nhelp: " : "", report->help ? report->help : "");
}

struct json *tools_add_property(
	struct json *schema, const char *name, const char *type, const char *description)
{
	struct json *property =
		json_add_object((struct json *)(uintptr_t)json_get(schema, "properties"), name);
	json_add_string(property, "type", type);
	json_add_string(property, "description", description);
	return property;
}
