/*
 * The executor agent: carries out what others propose, edits as well as code blocks; by its options
 * only of some of them, only what a command approves, and only when a human agrees.
 */
#include <string.h>

#include "agents/executor/execution.h"
#include "agents/human.h"
#include "chat/message.h"

struct executing {
	struct option_strings sources;
	struct execution execution;
	struct human human;
	struct approval approval;
};

#define AT(member) offsetof(struct executing, member)

static const struct option options[] = {
	OPTION("sources", STRINGS, AT(sources),
		"whose code and edits are carried out; else everybody's but the task's, whose name is "
		"user"),
	EXECUTION_OPTIONS(executing, execution),
	HUMAN_OPTIONS(struct executing, "NEVER"),
	OPTION("approval", STRING, AT(approval.command),
		"a command that is asked before anything is carried out, in JSON; it runs on this machine "
		"itself"),
	OPTION("approval_remember", BOOL, AT(approval.remember),
		"whether what was approved once in a run is not asked about again", .fallback = "false"),
	OPTION_END,
};

static const struct human *executor_human(const struct agent *agent)
{
	return &((const struct executing *)agent->state)->human;
}

static int executor_apply(struct agent *agent, const struct rondo_message *message,
	struct arena *arena, struct response *response, struct rondo_error *err)
{
	struct rondo_error refusal;
	struct edit edit;
	response->message.type = RONDO_MESSAGE_CODE_EXECUTION;
	if (edit_from_json(message_data(message), arena, &edit, &refusal) < 0 ||
		worktree_apply(agent->services->main_checkout->worktree, &edit, &refusal) < 0) {
		if (refusal.code == RONDO_ERROR_TRANSIENT) {
			*err = refusal;
			return -1;
		}
		response->message.content = arena_printf(arena, "not applied: %s", refusal.message);
		return 0;
	}
	response->message.content =
		arena_printf(arena, "%zu file%s changed", edit.n, text_plural(edit.n));
	return 0;
}

/* --- What there is to carry out --- */

/* What is said to it: no search, and nothing of what others have carried out. */
static bool executor_is_heard(
	const struct executing *executing, const struct rondo_message *message)
{
	const struct option_strings *sources = &executing->sources;
	bool proposes = message->type == RONDO_MESSAGE_TEXT || message->type == RONDO_MESSAGE_EDIT;
	if (!proposes || message_is_done(message))
		return false;
	return sources->n ? option_strings_have(sources, message->source)
					  : strcmp(message->source, "user") != 0;
}

static const struct rondo_message *executor_newest(
	const struct executing *executing, struct message_span unseen)
{
	for (size_t i = unseen.n; i-- > 0;)
		if (executor_is_heard(executing, unseen.messages[i]))
			return unseen.messages[i];
	return NULL;
}

/* Those of its blocks that are more than something to read. */
static void executor_take_blocks(const struct agent *agent, const struct rondo_message *message,
	struct arena *arena, struct work *work)
{
	size_t n;
	struct code_block *blocks =
		code_blocks_extract(arena, markdown_dedent(arena, message->content), &n);
	work->n = 0;
	for (size_t i = 0; i < n; i++)
		if (executor_takes(agent->services->main_checkout->executor, &blocks[i]))
			blocks[work->n++] = blocks[i];
	work->blocks = blocks;
}

/* The newest that there is. */
static bool executor_find_work(
	const struct agent *agent, struct message_span unseen, struct arena *arena, struct work *work)
{
	const struct executing *executing = agent->state;
	*work = (struct work){0};
	for (size_t i = unseen.n; i-- > 0 && !work->message;) {
		const struct rondo_message *message = unseen.messages[i];
		if (!executor_is_heard(executing, message))
			continue;
		work->is_edit = message->type == RONDO_MESSAGE_EDIT && message_data(message);
		if (message->type == RONDO_MESSAGE_TEXT)
			executor_take_blocks(agent, message, arena, work);
		if (work->is_edit || work->n)
			work->message = message;
	}
	return work->message;
}

static bool executor_executes(struct agent *agent, struct message_span unseen)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct work work;
	return executor_find_work(agent, unseen, &arena, &work);
}

/* --- Carrying it out --- */

static int executor_carry_out(struct agent *agent, const struct work *work,
	struct message_span unseen, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err)
{
	struct executing *executing = agent->state;
	const char *refusal;
	if (approval_ask(agent, &executing->approval, work, unseen, arena, &refusal, ctx, err) < 0)
		return -1;
	if (refusal) {
		const char *what = work->is_edit ? "The edit" : "Code execution";
		response->message = execution_message(&executing->execution, 1,
			arena_printf(arena, "%s was not approved. Reason: %s", what, refusal), arena);
		return 0;
	}
	if (work->is_edit)
		return executor_apply(agent, work->message, arena, response, err);
	return execution_run(agent, &executing->execution, work, arena, response, ctx, err);
}

/* The chat is over: no human is asked. */
static int executor_execute(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct work work;
	response->pass = !executor_find_work(agent, unseen, arena, &work) || agent_asks_first(agent);
	return response->pass ? 0 : executor_carry_out(agent, &work, unseen, arena, response, ctx, err);
}

/* --- A turn --- */

static const char *executor_question_of(const struct work *work, const struct rondo_message *last,
	const struct rondo_message *end, struct arena *arena)
{
	const char *what = work->is_edit ? "apply its edit" : work->n ? "run its code" : "skip";
	const char *sender = work->message ? work->message->source : last->source;
	if (end)
		return human_end_question(end, arena);
	return arena_printf(arena,
		"Provide feedback to %s. Press enter to %s, or type 'exit' to end the conversation: ",
		sender, what);
}

/* Where others would hear it from AutoGen. */
static void executor_say_nothing_runs(const struct executing *executing, struct response *response)
{
	const char *text = execution_nothing(&executing->execution);
	response->pass = !text;
	if (text)
		response->message = (struct rondo_message){.type = RONDO_MESSAGE_TEXT, .content = text};
}

/* An end that is said after code, or without any, comes before that code; an end in the same
 * message as code counts when that has run. */
static int executor_on_messages(struct agent *agent, struct message_span unseen,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	const struct human *human = executor_human(agent);
	const struct rondo_message *last = executor_newest(agent->state, unseen), *end = NULL;
	struct work work;
	const char *answer = "";
	bool has_work = executor_find_work(agent, unseen, arena, &work);
	if (last && last != work.message && human_is_end(human, last))
		end = last;
	bool is_asked = last && human_is_asked(human, end);
	if (is_asked &&
		human_ask(agent, human, executor_question_of(&work, last, end, arena), arena, &answer, ctx,
			err) < 0)
		return -1;
	if (has_work && !*answer && !(is_asked && end))
		return executor_carry_out(agent, &work, unseen, arena, response, ctx, err);
	human_say(human, answer, is_asked ? end : NULL, arena, response);
	if (response->pass && last)
		executor_say_nothing_runs(agent->state, response);
	response->is_empty = response->pass && last;
	return 0;
}

static int executor_start(struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	return execution_start(agent, &((const struct executing *)agent->state)->execution, ctx, err);
}

const struct agent_type executor_agent = {
	.name = "executor",
	.summary = "applies edits to the tree and runs code blocks; no model",
	.needs = AGENT_NEEDS_CHECKOUT,
	.state_size = sizeof(struct executing),
	.options = options,
	.start = executor_start,
	.on_messages = executor_on_messages,
	.executes = executor_executes,
	.execute = executor_execute,
	.human = executor_human,
};
