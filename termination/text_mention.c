/* Somebody says a word. The task does not count, nor do `sources` that are not listed. */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct text_mention {
	const char *text;
	const char *mode;
	struct option_strings sources;
};

static const char *const modes[] = {"word", "substring", "line", NULL};

static const struct option options[] = {
	{.name = "text", .kind = OPTION_STRING, .offset = offsetof(struct text_mention, text),
		.fallback = "TERMINATE", .main = true, .help = "what must be said"},
	{.name = "mode", .kind = OPTION_ENUM, .offset = offsetof(struct text_mention, mode),
		.values = modes, .fallback = "word", .help = "as a word of its own, as a line, or anywhere"},
	{.name = "sources", .kind = OPTION_STRINGS, .offset = offsetof(struct text_mention, sources),
		.help = "only what these agents say (all but the task's)"},
	OPTION_END,
};

static bool is_word_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool mentions(const struct text_mention *state, const char *content)
{
	size_t n = strlen(state->text);
	for (const char *at = content; n && (at = strstr(at, state->text)); at++) {
		char before = at > content ? at[-1] : '\n', after = at[n];
		if (strcmp(state->mode, "substring") == 0)
			return true;
		if (strcmp(state->mode, "word") == 0 && !is_word_part(before) && !is_word_part(after))
			return true;
		if (strcmp(state->mode, "line") == 0 && before == '\n' && (!after || strchr("\r\n", after)))
			return true;
	}
	return false;
}

static bool counts(const struct text_mention *state, const char *source)
{
	if (!state->sources.n)
		return strcmp(source, "user") != 0;
	for (size_t i = 0; i < state->sources.n; i++)
		if (strcmp(state->sources.items[i], source) == 0)
			return true;
	return false;
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	const struct text_mention *state = termination->state;
	for (size_t i = 0; i < delta.n; i++) {
		const struct rondo_message *message = delta.messages[i];
		if (!counts(state, message->source) || !mentions(state, message->content))
			continue;
		reason->message = message;
		utf8_format(reason->text, sizeof reason->text, "Text '%s' mentioned", state->text);
		return 1;
	}
	return 0;
}

const struct termination_type text_mention_termination = {
	.name = "text_mention",
	.summary = "an agent says a word",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct text_mention),
	.options = options,
	.check = check,
};
