/* The executor agent: carries out what others propose, edits as well as code blocks. */
#include <string.h>

#include "agents/agent.h"

static int apply(struct agent *agent, const struct rondo_message *message, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct rondo_error refusal;
	struct edit edit;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), err);
	if (!json)
		return -1;
	response->message.type = RONDO_MESSAGE_CODE_EXECUTION;
	if (edit_from_json(json, arena, &edit, &refusal) < 0 ||
		worktree_apply(agent->kit->desk->worktree, &edit, &refusal) < 0) {
		if (refusal.code == RONDO_ERROR_TRANSIENT) {
			*err = refusal;
			return -1;
		}
		response->message.content = arena_printf(arena, "not applied: %s", refusal.message);
		return 0;
	}
	response->message.content =
		arena_printf(arena, "%zu file%s changed", edit.n, edit.n == 1 ? "" : "s");
	return 0;
}

static int run_blocks(struct agent *agent, const struct code_block *blocks, size_t n,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	struct code_result result;
	if (executor_execute_code_blocks(agent->kit->desk->executor, blocks, n,
		    agent->kit->block_timeout_ms, arena, &result, ctx, err) < 0)
		return -1;
	response->message.type = RONDO_MESSAGE_CODE_EXECUTION;
	response->message.data = arena_printf(arena, "{\"exit_code\":%d}", result.exit_code);
	response->message.content = arena_printf(arena, "exitcode: %d (execution %s)\nCode output: %s",
		result.exit_code, result.exit_code ? "failed" : "succeeded", result.output);
	return 0;
}

/* What there is to carry out: an edit's message, or blocks of code. */
struct work {
	const struct rondo_message *edit;
	struct code_block *blocks;
	size_t n;
};

/* The newest that there is. */
static bool find_work(struct message_span unseen, struct arena *arena, struct work *work)
{
	*work = (struct work){0};
	for (size_t i = unseen.n; i-- > 0;) {
		const struct rondo_message *message = unseen.messages[i];
		if (message->type == RONDO_MESSAGE_EDIT && message->data) {
			work->edit = message;
			return true;
		}
		if (message->type != RONDO_MESSAGE_TEXT || strcmp(message->source, "user") == 0)
			continue;
		work->blocks = code_blocks_extract(arena, message->content, &work->n);
		if (work->n)
			return true;
	}
	return false;
}

static bool executes(struct agent *agent, struct message_span unseen)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct work work;
	(void)agent;
	return find_work(unseen, &arena, &work);
}

static int executor_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct work work;
	if (!find_work(unseen, arena, &work)) {
		response->pass = true;
		return 0;
	}
	if (work.edit)
		return apply(agent, work.edit, arena, response, err);
	return run_blocks(agent, work.blocks, work.n, arena, response, ctx, err);
}

const struct agent_type executor_agent = {
	.name = "executor",
	.summary = "applies edits to the tree and runs code blocks; no model",
	.needs = AGENT_NEEDS_DESK,
	.on_messages = executor_on_messages,
	.executes = executes,
};
