/* A model that says what it was told to say: replies in the scenario, or recorded in a file. */
#include <string.h>

#include "models/tape.h"

struct replay {
	struct option_strings texts;
	const char *file;
	struct model_reply *replies;
	size_t n, next;
};

static const struct option options[] = {
	{.name = "replies", .kind = OPTION_STRINGS, .offset = offsetof(struct replay, texts),
		.help = "what it says, one text a call"},
	{.name = "file", .kind = OPTION_STRING, .offset = offsetof(struct replay, file), .argument = "FILE",
		.help = "replies that the provider record wrote, in place of 'replies'"},
	OPTION_END,
};

static int open_replay(struct model *model, struct rondo_error *err)
{
	struct replay *replay = model->state;
	if (!replay->file == !replay->texts.n)
		return error_set(err, RONDO_ERROR_USAGE, replay->file
			? "'replies' and 'file' are both given; one says what it replies"
			: "'replies' or 'file' must say what it replies");
	for (size_t i = 0; i < replay->texts.n; i++)
		ARENA_PUSH(&model->arena, replay->replies, replay->n,
			(struct model_reply){.text = replay->texts.items[i], .usage_known = true});
	if (!replay->file)
		return 0;
	return tape_read(model_path(model, replay->file), &model->arena, &replay->replies, &replay->n, err);
}

static int complete(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	(void)request, (void)ctx;
	struct replay *replay = model->state;
	if (replay->next == replay->n)
		return error_set(err, RONDO_ERROR_USAGE, "it has %zu repl%s, and one more is asked for", replay->n,
			replay->n == 1 ? "y" : "ies");
	*reply = replay->replies[replay->next++];
	reply->text = arena_strdup(arena, reply->text);
	return 0;
}

static void recall(struct model *model, int64_t calls)
{
	struct replay *replay = model->state;
	replay->next = (size_t)calls < replay->n ? (size_t)calls : replay->n;
}

const struct model_type replay_model = {
	.name = "replay",
	.summary = "says what the scenario or a recorded file says; no network",
	.state_size = sizeof(struct replay),
	.options = options,
	.is_free = true,
	.open = open_replay,
	.complete = complete,
	.recall = recall,
};
