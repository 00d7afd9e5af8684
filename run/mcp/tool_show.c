/* The tool show: what a run found. */
#include "base/file.h"
#include "base/memory.h"
#include "run/mcp/mcp.h"

struct show_options {
	const char *run;
	bool diff;
};

#define AT(member) offsetof(struct show_options, member)

static const struct option options[] = {
	OPTION("run", STRING, AT(run), "the beginning of a run's id; without it: the newest"),
	OPTION("diff", BOOL, AT(diff), "also give the change as a diff"),
	OPTION_END,
};

static void show_describe(struct json *schema)
{
	json_add_string(schema, "type", "object");
	json_add_object(schema, "properties");
	tools_add_property(schema, "run", "string", "its id");
	tools_add_property(schema, "state", "string", "running, ended or broke off");
	tools_add_property(schema, "report", "object", "its report.json; none where it has not ended");
	tools_add_property(schema, "diff", "string", "what it changed, as git apply takes it");
	struct json *required = json_add_array(schema, "required");
	json_add_string(required, NULL, "run");
	json_add_string(required, NULL, "state");
	json_add_bool(schema, "additionalProperties", false);
}

static int show_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	const struct show_options *show = state;
	struct run_summary summary;
	AUTO_STRBUF diff = STRBUF_INIT(STRBUF_RECORD);
	const char *dir = resources_find(call->server, show->run, &call->arena, err);
	if (!dir)
		return -1;
	const char *id = file_name(dir), *patch = arena_printf(&call->arena, "%s/patch.diff", dir);
	if (show->diff && file_exists(patch) && file_read(patch, STRBUF_RECORD, &diff, err) < 0)
		return -1;
	AUTO_JSON *report = run_report_read(dir);
	run_summary(id, &call->arena, &summary);
	result->structured = json_object();
	json_add_string(result->structured, "run", id);
	json_add_string(result->structured, "state", report ? "ended" : summary.outcome);
	json_add(result->structured, "report", STEAL(&report));
	if (diff.length)
		json_add_string(result->structured, "diff", diff.text);
	result->run = id;
	return 0;
}

const struct mcp_tool show_tool = {
	.name = "show",
	.title = "What a run found",
	.description = "Give the report of an earlier run: outcome, tests before and after, what was "
				   "changed, how it was judged. diff: also the change itself.",
	.options = options,
	.state_size = sizeof(struct show_options),
	.only_reads = true,
	.describe = show_describe,
	.run = show_run,
};
