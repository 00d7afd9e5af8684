/*
 * The summary of a chat: the last thing that an agent said in words, or what a model makes of the
 * whole. The word that ends the chat is left out, and so is a message that holds nothing else.
 */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/message.h"
#include "run/talk/talk.h"

#define END_WORD "TERMINATE" /* and what the team's own conditions wait for */

enum {
	MESSAGE_MOST = 8 << 10, /* bytes of one message that the model is shown */
	CHAT_MOST = 192 << 10,  /* and of all: their beginning and their end */
};

/* --- The last message --- */

/* The rest is what programs printed, searches, and how a human ended the chat. */
static bool summary_is_speech(const struct rondo_message *message)
{
	bool agreed;
	return strcmp(message->source, "user") != 0 && !message_ends_chat(message, &agreed) &&
		(message->type == RONDO_MESSAGE_TEXT || message->type == RONDO_MESSAGE_EDIT ||
			message->type == RONDO_MESSAGE_STOP);
}

/* The length of text without these characters at its end. */
static size_t summary_length_without(const char *text, size_t n, const char *characters)
{
	while (n && strchr(characters, text[n - 1]))
		n--;
	return n;
}

/* The length of text without a word at its end, and without what is wrapped around that, such as
 * **TERMINATE**. */
static size_t summary_length_without_word(const char *text, const char *word)
{
	size_t n = summary_length_without(text, strlen(text), " \t\r\n");
	size_t end = summary_length_without(text, n, ".!*`\"'"), size = strlen(word);
	if (!size || end < size || strncmp(text + end - size, word, size) != 0)
		return n;
	end -= size;
	if (end && (isalnum((unsigned char)text[end - 1]) || text[end - 1] == '_'))
		return n;
	return summary_length_without(text, summary_length_without(text, end, "*`\"'"), " \t\r\n");
}

/* Without any of the words that end this chat, whichever takes most. */
static size_t summary_length_without_end(const struct option_specs *conditions, const char *text)
{
	size_t least = summary_length_without_word(text, END_WORD);
	for (size_t i = 0; i < conditions->n; i++) {
		const struct option_spec *spec = &conditions->items[i];
		const struct option *option = spec->type.options ? option_main(spec->type.options) : NULL;
		if (!option)
			continue;
		const void *member = (const char *)spec->state + option->offset;
		size_t n = least;
		if (option->kind == OPTION_CHILDREN)
			n = summary_length_without_end(member, text);
		else if (spec->type.self == &text_mention_termination)
			n = summary_length_without_word(text, *(const char *const *)member);
		least = n < least ? n : least;
	}
	return least;
}

static size_t summary_length(const struct order *order, const char *text)
{
	const struct team_options *team = order->scenario->team.common;
	return summary_length_without_end(&team->termination, text);
}

static const char *summary_from_messages(
	const struct order *order, struct message_span said, struct arena *arena)
{
	for (size_t i = said.n; i-- > 0;) {
		size_t n = summary_is_speech(said.messages[i])
			? summary_length(order, said.messages[i]->content)
			: 0;
		if (n)
			return arena_strndup(arena, said.messages[i]->content, n);
	}
	return NULL;
}

/* --- What a model makes of it --- */

/* The one that the scenario names, else the one that was asked last in the chat. */
static struct model *summary_find_model(
	const struct order *order, const struct components *components, const char *last_model)
{
	const struct option_ref *named = &order->scenario->output.summary_model;
	if (named->name)
		return named->object;
	for (size_t i = 0; i < components->n_models && last_model; i++)
		if (strcmp(components->models[i]->name, last_model) == 0)
			return components->models[i];
	return NULL;
}

static const char *summary_transcript(struct message_span said, struct arena *arena)
{
	AUTO_STRBUF all = STRBUF_INIT(CHAT_MOST), text = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < said.n; i++) {
		AUTO_STRBUF one = STRBUF_INIT(MESSAGE_MOST);
		strbuf_adds(&one, said.messages[i]->content);
		strbuf_mark_cut(&one);
		strbuf_addf(&all, "%s: %s\n\n", said.messages[i]->source, one.text);
	}
	strbuf_mark_cut(&all);
	utf8_scrub(&text, all.text, all.length);
	return arena_strndup(arena, text.text, text.length);
}

/* Why there is no summary by a model, for people; NULL: there is one. */
static const char *summary_ask(const struct run_env *env, struct model *model, const char *chat,
	struct arena *arena, struct model_reply *reply, const struct cancel *limit,
	struct rondo_error *err)
{
	const struct model_message messages[] = {
		{.role = MODEL_SYSTEM, .content = prompt_text("summary", NULL)},
		{.role = MODEL_USER, .content = chat},
	};
	if (!model)
		return "no model was asked in it, and output.summary_model names none";
	if (cancel_reason(limit))
		return "the time of the run is over";
	const struct model_request request = {
		.messages = messages, .n = 2, .own = &messages[0].content, .n_own = 1};
	if (model_complete(model, &request, arena, reply, &env->ctx, err) < 0)
		return err->message;
	if (!reply->text)
		return "the budget is used up";
	if (reply->finish == MODEL_FINISH_LENGTH)
		return "the limit of tokens cut it off";
	if (reply->finish == MODEL_FINISH_REFUSED)
		return "the model refused";
	return summary_length(env->order, reply->text) ? NULL : "the model said nothing";
}

static int summary_by_model(struct talk *talk, const struct run_env *env, struct model *model,
	struct message_span said, const struct cancel *limit, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct model_reply reply = {0};
	struct rondo_error failure = {0};
	const char *why =
		summary_ask(env, model, summary_transcript(said, &arena), &arena, &reply, limit, &failure);
	if (!why)
		talk->facts.summary =
			arena_strndup(env->arena, reply.text, summary_length(env->order, reply.text));
	else if (cancel_reason(env->ctx.cancel))
		return cancel_error(env->ctx.cancel, err);
	return why ? env_notice(env, err, "the summary is the last message, not a model's: %s", why)
			   : 0;
}

int talk_sum_up(struct talk *talk, const struct run_env *env, struct components *components,
	const char *last_model, const struct cancel *limit, struct rondo_error *err)
{
	const struct team *team = components->team;
	struct message_span said = message_thread_since(&team->thread, team->progress.first);
	talk->facts.summary = summary_from_messages(env->order, said, env->arena);
	if (strcmp(env->order->scenario->output.summary, "model") != 0)
		return 0;
	struct model *model = summary_find_model(env->order, components, last_model);
	return summary_by_model(talk, env, model, said, limit, err);
}
