/*
 * Somebody says a text. Neither the task counts nor what programs print, unless `sources` names who
 * says it: a task may well ask for the word, and a program print it. Where a word or a line is
 * looked for, code does not count either, so that print("TERMINATE") ends nothing.
 */
#include <string.h>

#include "base/pattern.h"
#include "base/utf8.h"
#include "chat/mention.h"
#include "termination/termination.h"

struct text_mention {
	const char *text;
	const char *mode;
	struct option_strings sources;
};

static const char *const modes[] = {"word", "line", "substring", "regex", NULL};

static const struct option options[] = {
	OPTION("text", STRING, offsetof(struct text_mention, text), "what must be said",
		.fallback = "TERMINATE", .main = true),
	OPTION("mode", ENUM, offsetof(struct text_mention, mode),
		"as a word or a line of its own, outside of code; anywhere; or as an extended regular "
		"expression",
		.values = modes, .fallback = "word"),
	OPTION("sources", STRINGS, offsetof(struct text_mention, sources),
		"only what these say; else all but the task, executors and testers"),
	OPTION_END,
};

static int text_mention_check_options(const void *options_, struct rondo_error *err)
{
	const struct text_mention *state = options_;
	if (!*state->text)
		return error_set(err, RONDO_ERROR_USAGE, "text must not be empty");
	return strcmp(state->mode, "regex") == 0 ? pattern_check(state->text, err) : 0;
}

const char *text_mention_word(const void *options_, struct option_strings *ret_sources)
{
	const struct text_mention *state = options_;
	*ret_sources = state->sources;
	return strcmp(state->mode, "regex") == 0 ? NULL : state->text;
}

static bool text_mention_matches(const char *text, const char *content)
{
	struct rondo_error ignored; /* check_options reported it */
	regex_t pattern;
	if (pattern_compile(text, &pattern, &ignored) < 0)
		return false;
	bool found = regexec(&pattern, content, 0, NULL, 0) == 0;
	regfree(&pattern);
	return found;
}

static bool text_mention_is_heard(
	const struct text_mention *state, const struct rondo_message *message)
{
	if (state->sources.n)
		return option_strings_have(&state->sources, message->source);
	return !termination_is_task(message) && message->type != RONDO_MESSAGE_CODE_EXECUTION &&
		message->type != RONDO_MESSAGE_TEST_REPORT;
}

static bool text_mention_says(const struct text_mention *state, const char *content)
{
	if (strcmp(state->mode, "substring") == 0)
		return strstr(content, state->text);
	if (strcmp(state->mode, "regex") == 0)
		return text_mention_matches(state->text, content);
	return mentions_text(content, state->text, strcmp(state->mode, "line") == 0);
}

static bool text_mention_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	const struct text_mention *state = termination->state;
	utf8_format(reason->text, sizeof reason->text, "Text '%s' mentioned", state->text);
	return *state->text && text_mention_is_heard(state, message) &&
		text_mention_says(state, message->content);
}

const struct termination_type text_mention_termination = {
	.name = "text_mention",
	.summary = "an agent says a word",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct text_mention),
	.options = options,
	.check_options = text_mention_check_options,
	.hears = text_mention_hears,
};
