/* A model that says what it was told to say: replies in the scenario, or recorded in a file. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "models/tape.h"

struct replay {
	struct option_strings texts, usage;
	const char *file, *match;
	struct tape_call *calls;
	size_t n, next;
	bool has_told;
};

static const char *const matches[] = {"warn", "strict", "off", NULL};

static const struct option options[] = {
	OPTION("replies", STRINGS, offsetof(struct replay, texts), "what it says, one text a call"),
	OPTION("file", STRING, offsetof(struct replay, file),
		"replies that the provider record wrote, in place of 'replies'", .argument = "FILE"),
	OPTION("match", ENUM, offsetof(struct replay, match),
		"where a call is not asked what was recorded: warn once, end the run, or say nothing",
		.values = matches, .fallback = "warn"),
	OPTION("usage", STRINGS, offsetof(struct replay, usage),
		"the tokens that each of the replies counts, such as 120+30; else none",
		.argument = "PROMPT+ANSWER"),
	OPTION_END,
};

/* "120+30". */
static int replay_read_usage(const char *text, struct rondo_usage *usage, struct rondo_error *err)
{
	size_t first = strspn(text, "0123456789"),
		   second = text[first] ? strspn(text + first + 1, "0123456789") : 0;
	if (!first || first > 9 || text[first] != '+' || !second || second > 9 ||
		text[first + 1 + second])
		return error_set(err, RONDO_ERROR_USAGE,
			"'usage' must be such as 120+30 for each reply, found '%s'", text);
	usage->prompt_tokens = atoi(text);
	usage->completion_tokens = atoi(text + first + 1);
	return 0;
}

static int replay_take_usage(struct replay *replay, struct rondo_error *err)
{
	if (replay->usage.n && replay->usage.n != replay->texts.n)
		return error_set(err, RONDO_ERROR_USAGE,
			"'usage' must have as many items as 'replies': %zu, found %zu", replay->texts.n,
			replay->usage.n);
	for (size_t i = 0; i < replay->usage.n; i++)
		if (replay_read_usage(replay->usage.items[i], &replay->calls[i].reply.usage, err) < 0)
			return -1;
	return 0;
}

static int replay_check_options(const void *options_, const char *dir, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct replay *replay = options_;
	if (!replay->file == !replay->texts.n)
		return error_set(err, RONDO_ERROR_USAGE,
			replay->file ? "'replies' and 'file' are both given; one says what it replies"
						 : "'replies' or 'file' must say what it replies");
	if (replay->file && !file_exists(model_path_in(dir, replay->file, &arena)))
		return error_set(err, RONDO_ERROR_USAGE, "there is no file '%s'", replay->file);
	return 0;
}

static int replay_open(struct model *model, struct rondo_error *err)
{
	struct replay *replay = model->state;
	if (replay_check_options(replay, model->services->dir, err) < 0)
		return -1;
	for (size_t i = 0; i < replay->texts.n; i++)
		ARENA_PUSH(&model->arena, replay->calls, replay->n,
			(struct tape_call){.reply = {.text = replay->texts.items[i], .usage_known = true}});
	if (replay_take_usage(replay, err) < 0)
		return -1;
	if (!replay->file)
		return 0;
	return tape_read(
		model_path(model, replay->file), &model->arena, &replay->calls, &replay->n, err);
}

/* Whether the chat is the one that was recorded. */
static int replay_check_request(struct model *model, const struct tape_call *call,
	const struct model_request *request, const struct context *ctx, struct rondo_error *err)
{
	struct replay *replay = model->state;
	char where[256], text[320];
	if (!call->asked || replay->has_told || strcmp(replay->match, "off") == 0 ||
		!tape_differs(call, request, where, sizeof where))
		return 0;
	bool ends = strcmp(replay->match, "strict") == 0;
	utf8_format(
		text, sizeof text, "call %zu is not asked what was recorded: %s", replay->next, where);
	replay->has_told = true;
	return ends ? error_set(err, RONDO_ERROR_USAGE, "%s", text)
				: model_notice(model, text, ctx, err);
}

static int replay_complete(struct model *model, const struct model_request *request,
	struct arena *arena, struct model_reply *reply, const struct context *ctx,
	struct rondo_error *err)
{
	struct replay *replay = model->state;
	if (replay->next == replay->n)
		return error_set(err, RONDO_ERROR_USAGE, "it has %zu repl%s, and one more is asked for",
			replay->n, replay->n == 1 ? "y" : "ies");
	const struct tape_call *call = &replay->calls[replay->next++];
	if (replay_check_request(model, call, request, ctx, err) < 0)
		return -1;
	*reply = call->reply;
	reply->text = arena_strdup(arena, reply->text);
	return 0;
}

static void replay_recall(struct model *model, int64_t calls)
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
	.check_options = replay_check_options,
	.open = replay_open,
	.complete = replay_complete,
	.recall = replay_recall,
};
