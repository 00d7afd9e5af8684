/* A client of one call: `rondo verify` in the box of an external agent asks the server that rondo
 * shows there. */
#include <string.h>

#include "base/memory.h"
#include "base/unix_socket.h"
#include "run/mcp/mcp.h"

#define ID "1"
#define META "io.modelcontextprotocol/"

enum { SAY_MS = 10000 };

static char *ask_request(void)
{
	struct json *params = json_object();
	json_add_string(params, "name", "verify");
	struct json *meta = json_add_object(params, "_meta");
	json_add_string(meta, META "protocolVersion", MCP_MODERN);
	json_add_object(meta, META "clientCapabilities");
	json_add_int(meta, "progressToken", 1);
	return json_rpc_request(ID, "tools/call", params);
}

static struct option_strings ask_texts(const struct json *from, struct arena *arena)
{
	struct option_strings texts = {0};
	for (const struct json *item = json_first(from); item; item = json_next(item))
		ARENA_PUSH(arena, texts.items, texts.n, json_text(item, ""));
	return texts;
}

/* What is shown of a verdict; as report_tell has it. */
static int ask_read(const struct json *told, struct arena *arena, struct run_report *report,
	struct rondo_error *err)
{
	const char *word = json_string(told, "outcome", "");
	const struct json *tests = json_get(told, "tests"), *gate = json_get(told, "gate");
	struct baseline_facts *baseline = arena_alloc(arena, sizeof *baseline);
	struct verdict_facts *verdict = arena_alloc(arena, sizeof *verdict);
	struct run_change *change = arena_alloc(arena, sizeof *change);
	int outcome = 0;
	while (outcome < RUN_OUTCOMES && strcmp(run_outcome_word((enum run_outcome)outcome), word) != 0)
		outcome++;
	if (outcome == RUN_OUTCOMES)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the answer names no outcome");
	baseline->n_passed = (size_t)json_int(tests, "passed_before", 0);
	verdict->has_counts = json_get(tests, "passed_after");
	verdict->n_passed = (size_t)json_int(tests, "passed_after", 0);
	verdict->n_tests = (size_t)json_int(tests, "total_after", 0);
	verdict->left_out = ask_texts(json_get(gate, "left_out"), arena);
	verdict->findings = ask_texts(json_get(gate, "findings"), arena);
	verdict->evidence = ask_texts(json_get(gate, "evidence"), arena);
	change->stat = json_string(json_get(told, "fix"), "stat", NULL);
	*report = (struct run_report){.outcome = (enum run_outcome)outcome,
		.reason = json_string(told, "reason", NULL),
		.help = json_string(told, "help", NULL),
		.proposal = "the files as they are",
		.baseline = baseline,
		.verdict = verdict,
		.change = change->stat ? change : NULL,
		.duration_ms = json_int(told, "duration_ms", 0)};
	return 0;
}

static int ask_take(const struct json_rpc_message *message, struct arena *arena,
	const char **ret_told, struct run_report *report, struct rondo_error *err)
{
	const struct json *block = json_first(json_get(message->result, "content"));
	const struct json *told = json_get(message->result, "structuredContent");
	if (message->kind == JSON_RPC_ERROR)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s", message->text);
	if (json_bool(message->result, "isError", false) || !told)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s",
			json_string(block, "text", "the answer has no verdict"));
	*ret_told = json_print_in(told, arena);
	return ask_read(told, arena, report, err);
}

static int ask_await(int fd, struct json_rpc_lines *lines, const struct context *ctx,
	struct arena *arena, struct json_rpc_message *ret_message, struct rondo_error *err)
{
	for (;;) {
		enum json_rpc_came came;
		const char *line;
		size_t n;
		if (json_rpc_hear(lines, fd, -1, ctx->cancel, &line, &n, &came, err) < 0)
			return -1;
		if (came == JSON_RPC_ENDED)
			return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "rondo ended before it answered");
		if (came != JSON_RPC_LINE)
			continue;
		json_rpc_read(line, n, arena, ret_message);
		if (ret_message->kind == JSON_RPC_NOTIFICATION)
			context_progress(
				ctx, "verify", "%s", json_string(ret_message->params, "message", "judging"));
		else if (ret_message->kind == JSON_RPC_RESULT || ret_message->kind == JSON_RPC_ERROR)
			return 0;
	}
}

int run_ask_verdict(const char *socket, const struct context *ctx, struct arena *arena,
	const char **ret_told, struct run_report *report, struct rondo_error *err)
{
	struct json_rpc_message message;
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT);
	AUTO_FREE char *request = ask_request();
	bool is_taken;
	*report = (struct run_report){.outcome = RUN_NOT_VERIFIED};
	AUTO_CLOSE fd = unix_socket_connect(socket, err);
	if (fd < 0 || json_rpc_say(fd, request, SAY_MS, ctx->cancel, &is_taken, err) < 0)
		return -1;
	/* what was not taken is told by what comes, or by the end */
	int status = ask_await(fd, &lines, ctx, arena, &message, err);
	json_rpc_lines_release(&lines);
	return status < 0 ? -1 : ask_take(&message, arena, ret_told, report, err);
}
