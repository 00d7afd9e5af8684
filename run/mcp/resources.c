/* What runs left, as resources: rondo://runs/<id>/report.md and others. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/journal/paths.h"
#include "run/mcp/mcp.h"

#define SCHEME "rondo://runs/"
#define LARGEST_SCENARIO ((size_t)16 << 20)

enum { LISTED = 20, NO_RESOURCE = -32002 };

static const struct resources_kind {
	const char *name, *title, *type;
} kinds[] = {
	{"report.md", "report", "text/markdown"},
	{"report.json", "report as JSON", "application/json"},
	{"patch.diff", "what was changed", "text/x-diff"},
	{"scenario.json", "what was run, with all settings", "application/json"},
};

/* --- Runs of the roots --- */

/* Where a run works, as it was resolved when it began. */
static bool resources_is_within(
	const char *dir, const struct option_strings *roots, struct arena *arena)
{
	AUTO_JSON *scenario = json_read(arena_printf(arena, "%s/scenario.json", dir), LARGEST_SCENARIO);
	const char *repo = json_string(json_get(scenario, "workspace"), "repo", NULL);
	for (size_t i = 0; repo && i < roots->n; i++)
		if (file_is_below(repo, roots->items[i]))
			return true;
	return false;
}

const char **resources_newest(struct mcp_server *server, size_t n, struct arena *arena,
	size_t *ret_n, struct rondo_error *err)
{
	struct option_strings roots = roots_now(server);
	const char **ids, **newest = arena_alloc(arena, (n + 1) * sizeof *newest);
	const char *state = run_state_dir(arena, err);
	size_t n_all;
	*ret_n = 0;
	if (!state || run_list(arena, SIZE_MAX, &ids, &n_all, err) < 0)
		return NULL;
	for (size_t i = 0; i < n_all && *ret_n < n; i++)
		if (resources_is_within(arena_printf(arena, "%s/runs/%s", state, ids[i]), &roots, arena))
			newest[(*ret_n)++] = ids[i];
	return newest;
}

const char *resources_find(
	struct mcp_server *server, const char *prefix, struct arena *arena, struct rondo_error *err)
{
	size_t n;
	bool is_last = !prefix || strcmp(prefix, "last") == 0;
	const char **ids = is_last ? resources_newest(server, 1, arena, &n, err) : NULL;
	if (is_last && !ids)
		return NULL;
	if (is_last && !n) {
		error_set(err, RONDO_ERROR_USAGE, "there is no run yet");
		return NULL;
	}
	struct option_strings roots = roots_now(server);
	const char *dir = run_find(arena, is_last ? ids[0] : prefix, err);
	if (dir && !resources_is_within(dir, &roots, arena)) {
		error_set(err, RONDO_ERROR_USAGE, "no run begins with '%s'", prefix);
		return NULL;
	}
	return dir;
}

/* --- Listing --- */

static void resources_describe(
	struct json *to, const struct resources_kind *kind, const char *run, struct arena *arena)
{
	json_add_string(to, "uri", arena_printf(arena, SCHEME "%s/%s", run, kind->name));
	json_add_string(to, "name", arena_printf(arena, "%s of %s", kind->name, run));
	json_add_string(to, "title", arena_printf(arena, "%s: %s", run, kind->title));
	json_add_string(to, "mimeType", kind->type);
}

static bool resources_has(const char *run, const char *name, struct arena *arena)
{
	struct rondo_error err;
	const char *state = run_state_dir(arena, &err);
	return state && file_exists(arena_printf(arena, "%s/runs/%s/%s", state, run, name));
}

void resources_add_links(struct json *content, const char *run, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		bool is_wanted =
			strcmp(kinds[i].name, "report.md") == 0 || strcmp(kinds[i].name, "patch.diff") == 0;
		if (!is_wanted || !resources_has(run, kinds[i].name, arena))
			continue;
		struct json *link = json_add_object(content, NULL);
		json_add_string(link, "type", "resource_link");
		resources_describe(link, &kinds[i], run, arena);
	}
}

static enum mcp_answer resources_fail(
	const struct mcp_request *request, const struct rondo_error *err, struct mcp_refusal *refusal)
{
	refusal->code = JSON_RPC_INTERNAL_ERROR;
	refusal->text = arena_strdup(request->arena, err->message);
	return MCP_REFUSED;
}

static bool resources_check_cursor(const struct mcp_request *request, struct mcp_refusal *refusal)
{
	if (json_get(request->params, "cursor"))
		refusal->text = "no page follows the first: cursor must be left out";
	return !refusal->text;
}

enum mcp_answer resources_list(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	struct rondo_error err;
	size_t n;
	if (!resources_check_cursor(request, refusal))
		return MCP_REFUSED;
	const char **ids = resources_newest(server, LISTED, request->arena, &n, &err);
	if (!ids)
		return resources_fail(request, &err, refusal);
	struct json *all = json_add_array(result, "resources");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
			if (resources_has(ids[i], kinds[k].name, request->arena))
				resources_describe(json_add_object(all, NULL), &kinds[k], ids[i], request->arena);
	return MCP_ANSWERED;
}

enum mcp_answer resources_templates(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	(void)server;
	if (!resources_check_cursor(request, refusal))
		return MCP_REFUSED;
	struct json *all = json_add_array(result, "resourceTemplates");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct json *row = json_add_object(all, NULL);
		json_add_string(
			row, "uriTemplate", arena_printf(request->arena, SCHEME "{run}/%s", kinds[i].name));
		json_add_string(row, "name", kinds[i].name);
		json_add_string(row, "title", arena_printf(request->arena, "a run's %s", kinds[i].title));
		json_add_string(row, "mimeType", kinds[i].type);
	}
	return MCP_ANSWERED;
}

/* --- Reading --- */

/* The run and the kind that a URI names; NULL: none. */
static const struct resources_kind *resources_parse(
	const char *uri, struct arena *arena, const char **ret_run)
{
	const char *rest = text_starts_with(uri, SCHEME) ? uri + strlen(SCHEME) : "";
	const char *slash = strchr(rest, '/');
	const char *run = slash ? arena_strndup(arena, rest, (size_t)(slash - rest)) : "";
	for (size_t i = 0; slash && run_is_name(run) && i < ARRAY_SIZE(kinds); i++)
		if (strcmp(slash + 1, kinds[i].name) == 0) {
			*ret_run = run;
			return &kinds[i];
		}
	return NULL;
}

enum mcp_answer resources_read(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal)
{
	struct rondo_error err;
	const char *run = NULL, *uri = json_string(request->params, "uri", "");
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT), shown = STRBUF_INIT(STRBUF_RECORD);
	const struct resources_kind *kind = resources_parse(uri, request->arena, &run);
	const char *dir = kind ? resources_find(server, run, request->arena, &err) : NULL;
	const char *path = dir ? arena_printf(request->arena, "%s/%s", dir, kind->name) : NULL;
	if (!path || !file_exists(path)) {
		refusal->code = request->is_modern ? JSON_RPC_INVALID_PARAMS : NO_RESOURCE;
		refusal->text = "resource not found";
		refusal->data = json_object();
		json_add_string(refusal->data, "uri", uri);
		return MCP_REFUSED;
	}
	if (file_read(path, STRBUF_TEXT, &text, &err) < 0)
		return resources_fail(request, &err, refusal);
	utf8_scrub(&shown, text.text, text.length);
	struct json *contents = json_add_object(json_add_array(result, "contents"), NULL);
	json_add_string(contents, "uri", uri);
	json_add_string(contents, "mimeType", kind->type);
	json_add_string(contents, "text", shown.text);
	return MCP_ANSWERED;
}
