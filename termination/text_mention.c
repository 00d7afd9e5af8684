/*
 * Somebody says a text. Neither the task counts nor what programs print, unless `sources` names who says it: a task may
 * well ask for the word, and a program print it. Where a word or a line is looked for, code does not count either, so
 * that print("TERMINATE") ends nothing.
 */
#include <ctype.h>
#include <string.h>

#include "base/pattern.h"
#include "base/utf8.h"
#include "chat/code_block.h"
#include "termination/listen.h"

struct text_mention {
	const char *text;
	const char *mode;
	struct option_strings sources;
};

static const char *const modes[] = {"word", "line", "substring", "regex", NULL};

static const struct option options[] = {
	{.name = "text", .kind = OPTION_STRING, .offset = offsetof(struct text_mention, text),
		.fallback = "TERMINATE", .main = true, .help = "what must be said"},
	{.name = "mode", .kind = OPTION_ENUM, .offset = offsetof(struct text_mention, mode),
		.values = modes, .fallback = "word",
		.help = "as a word or a line of its own, outside of code; anywhere; or as an extended regular expression"},
	{.name = "sources", .kind = OPTION_STRINGS, .offset = offsetof(struct text_mention, sources),
		.help = "only what these say; else all but the task, executors and testers"},
	OPTION_END,
};

static int check_options(const void *options_, struct rondo_error *err)
{
	const struct text_mention *state = options_;
	if (!*state->text)
		return error_set(err, RONDO_ERROR_USAGE, "text must not be empty");
	return strcmp(state->mode, "regex") == 0 ? pattern_check(state->text, err) : 0;
}

/* By its first byte: of ASCII, or from À to U+1FFF, where the alphabets are. Behind that come punctuation, symbols and
 * scripts that put no spaces between words. */
static bool is_word_part(const char *character)
{
	unsigned char c = (unsigned char)*character;
	return (c < 0x80 && isalnum(c)) || c == '_' || (c >= 0xc3 && c <= 0xe1);
}

static const char *character_before(const char *at, const char *start)
{
	do
		at--;
	while (at > start && ((unsigned char)*at & 0xc0) == 0x80);
	return at;
}

/* No letter, digit or underscore goes on where the text itself begins or ends with one. */
static bool is_word(const char *content, const char *at, size_t n)
{
	const char *end = at + n;
	if (at > content && is_word_part(at) && is_word_part(character_before(at, content)))
		return false;
	return !is_word_part(end) || !is_word_part(character_before(end, at));
}

static bool is_line(const char *content, const char *at, size_t n)
{
	const char *end = at + n + strspn(at + n, " \t\r");
	while (at > content && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return (at == content || at[-1] == '\n') && (!*end || *end == '\n');
}

static bool is_in_code(const struct code_block *blocks, size_t n, size_t offset)
{
	for (size_t i = 0; i < n; i++)
		if (offset >= blocks[i].offset && offset - blocks[i].offset < blocks[i].length)
			return true;
	return false;
}

/* Blocks are looked for only where there is something that they may hold. */
static bool stands_alone(const struct text_mention *state, const char *content)
{
	AUTO_ARENA arena = ARENA_INIT;
	bool (*fits)(const char *content, const char *at, size_t n) = strcmp(state->mode, "line") == 0 ? is_line : is_word;
	struct code_block *blocks = NULL;
	size_t n_blocks = 0, n = strlen(state->text);
	bool extracted = false;
	for (const char *at = content; (at = strstr(at, state->text)); at++) {
		if (!fits(content, at, n))
			continue;
		if (!extracted)
			blocks = code_blocks_extract(&arena, content, &n_blocks);
		extracted = true;
		if (!is_in_code(blocks, n_blocks, (size_t)(at - content)))
			return true;
	}
	return false;
}

static bool matches(const char *text, const char *content)
{
	struct rondo_error ignored; /* check_options told it */
	regex_t pattern;
	if (pattern_compile(text, &pattern, &ignored) < 0)
		return false;
	bool found = regexec(&pattern, content, 0, NULL, 0) == 0;
	regfree(&pattern);
	return found;
}

static bool is_heard(const struct text_mention *state, const struct rondo_message *message)
{
	if (state->sources.n)
		return listen_has_name(&state->sources, message->source);
	return !listen_is_task(message) && message->type != RONDO_MESSAGE_CODE_EXECUTION &&
	       message->type != RONDO_MESSAGE_TEST_REPORT;
}

static bool mentions(const void *options_, const struct rondo_message *message)
{
	const struct text_mention *state = options_;
	if (!*state->text || !is_heard(state, message))
		return false;
	if (strcmp(state->mode, "substring") == 0)
		return strstr(message->content, state->text);
	if (strcmp(state->mode, "regex") == 0)
		return matches(state->text, message->content);
	return stands_alone(state, message->content);
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	const struct text_mention *state = termination->state;
	reason->message = listen_for(delta, mentions, state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "Text '%s' mentioned", state->text);
	return 1;
}

const struct termination_type text_mention_termination = {
	.name = "text_mention",
	.summary = "an agent says a word",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct text_mention),
	.options = options,
	.check_options = check_options,
	.check = check,
};
