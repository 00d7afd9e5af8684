/*
 * Approval by a command of the user's own, which reads what is to be carried out as JSON and
 * answers in JSON; whatever else it does ends the run, since what nobody judged must not be carried
 * out.
 */
#include "agents/executor/approval.h"

#include <string.h>

#include "base/hash.h"
#include "base/inquiry.h"
#include "base/memory.h"
#include "chat/message.h"

#define MESSAGES_SHOWN 5

static void approval_add_blocks(struct json *to, const struct agent *agent, const struct work *work)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct executor *executor = agent->services->main_checkout->executor;
	struct json *blocks = json_add_array(to, "blocks");
	for (size_t i = 0; i < work->n; i++) {
		struct json *block = json_add_object(blocks, NULL);
		json_add_string(block, "language", executor_language(executor, &work->blocks[i], &arena));
		json_add_string(block, "code", work->blocks[i].code);
		json_add_string(block, "filename", work->blocks[i].filename);
	}
}

/* What is judged, and what it is known again by. */
static struct json *approval_describe_work(const struct agent *agent, const struct work *work)
{
	struct json *json = json_object();
	approval_add_blocks(json, agent, work);
	if (work->is_edit)
		json_add_raw(json, "edit", work->message->data);
	return json;
}

static char *approval_question_of(
	const struct agent *agent, const struct work *work, struct message_span unseen)
{
	AUTO_JSON *json = approval_describe_work(agent, work);
	json_add_string(json, "agent", agent->name);
	struct json *messages = json_add_array(json, "messages");
	for (size_t i = unseen.n > MESSAGES_SHOWN ? unseen.n - MESSAGES_SHOWN : 0; i < unseen.n; i++)
		json_add(messages, NULL, message_to_json(unseen.messages[i]));
	return json_print(json);
}

/* {"approved": true}, or false and why. */
static int approval_judge_work(struct agent *agent, const struct approval *approval,
	const struct work *work, struct message_span unseen, struct arena *arena,
	const char **ret_refusal, const struct context *ctx, struct rondo_error *err)
{
	AUTO_FREE char *question = approval_question_of(agent, work, unseen);
	context_progress(ctx, agent->name, "waiting for approval");
	AUTO_JSON *answer = inquire(&(struct inquiry){.command = approval->command,
									.dir = agent->services ? agent->services->dir : NULL,
									.question = question,
									.member = "approved",
									.timeout_ms = agent->type->human(agent)->timeout_ms,
									.cancel = ctx->cancel},
		err);
	if (!answer)
		return -1;
	bool approved = json_bool(answer, "approved", false);
	*ret_refusal =
		approved ? NULL : arena_strdup(arena, json_string(answer, "reason", "none was given"));
	return 0;
}

static const char *approval_key_of(
	const struct agent *agent, const struct work *work, struct arena *arena)
{
	char hash[HASH_SIZE];
	AUTO_JSON *json = approval_describe_work(agent, work);
	AUTO_FREE char *text = json_print(json);
	hash_bytes(text, strlen(text), hash);
	return arena_strdup(arena, hash);
}

int approval_ask(struct agent *agent, struct approval *approval, const struct work *work,
	struct message_span unseen, struct arena *arena, const char **ret_refusal,
	const struct context *ctx, struct rondo_error *err)
{
	const char *refusal = NULL,
			   *key = approval->remember ? approval_key_of(agent, work, arena) : NULL;
	bool is_known = !approval->command || (key && map_get(&approval->remembered, key));
	if (!is_known &&
		approval_judge_work(agent, approval, work, unseen, arena, &refusal, ctx, err) < 0)
		return err->code == RONDO_ERROR_CANCELLED ? -1 : error_prefix(err, "approval");
	if (key && !is_known && !refusal)
		map_put(&approval->remembered, &agent->arena, arena_strdup(&agent->arena, key), approval);
	*ret_refusal = refusal;
	return 0;
}
