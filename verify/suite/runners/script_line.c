/* Lines that are lists of commands, "a && b; c": which of these run tests. */
#include "verify/suite/runners/script.h"

#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"

/* The length of a command up to "&&", ";" or the line's end. false in *ret_simple: it is more than
 * a simple command. */
static size_t script_length(const char *line, bool *ret_simple)
{
	char quote = '\0';
	const char *at = line;
	*ret_simple = true;
	for (; *at; at++) {
		if (*at == '\\' && at[1] && quote != '\'')
			at++;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? '\0' : *at;
		else if (!quote && (strchr(";\n", *at) || text_starts_with(at, "&&")))
			break;
		else if ((quote != '\'' && (*at == '`' || text_starts_with(at, "$("))) ||
			(!quote && strchr("|&()<>{}#", *at)))
			*ret_simple = false;
	}
	return (size_t)(at - line);
}

const char *script_next(const char **line, struct arena *arena, struct simple_command *ret_command)
{
	bool simple;
	*line += strspn(*line, "&;\n ");
	size_t length = script_length(*line, &simple), trimmed = length, n;
	while (trimmed && strchr(" \t", (*line)[trimmed - 1]))
		trimmed--;
	const char *text = arena_strndup(arena, *line, trimmed);
	*line += length;
	*ret_command = (struct simple_command){0};
	const struct simple_command *command = command_line_split(text, arena, &n);
	if (simple && n == 1)
		*ret_command = *command;
	return *text ? text : NULL;
}

/* Whether sh would put something else into a word: a variable, or what a command prints. */
static bool script_is_filled_in(const char *raw)
{
	char quote = '\0';
	for (; *raw; raw++) {
		if (*raw == '\\' && raw[1] && quote != '\'')
			raw++;
		else if (quote ? *raw == quote : *raw == '\'' || *raw == '"')
			quote = quote ? '\0' : *raw;
		else if ((quote != '\'' && strchr("$`", *raw)) || (!quote && strchr("~!", *raw)))
			return true;
	}
	return false;
}

static bool script_is_plain(const struct runner_call *call)
{
	bool plain = call->is_plain && !strpbrk(call->before, "$`");
	for (size_t i = 0; i < call->n; i++)
		plain = plain && !script_is_filled_in(call->raws[i]);
	return plain;
}

/* Whether a word of a runner's is a test file, a directory or a pattern: it is no option, and
 * cannot be the value of one. */
static bool script_is_file(const struct runner_call *call, size_t at)
{
	const char *last = at > call->options ? call->words[at - 1] : "";
	return call->words[at][0] != '-' && (last[0] != '-' || strchr(last, '='));
}

static bool script_names_files(const struct runner_call *call)
{
	for (size_t i = call->options; i < call->n; i++)
		if (script_is_file(call, i))
			return true;
	return false;
}

size_t script_files_of(const char *line, struct arena *arena, const char *const **ret_files)
{
	struct simple_command command;
	struct runner_call call;
	const char **words = NULL;
	size_t n = 0;
	while (script_next(&line, arena, &command)) {
		if (!command.n || !runner_call_of(&command, arena, &call))
			continue;
		for (size_t i = call.options; i < call.n; i++)
			if (script_is_file(&call, i) ||
				(call.words[i][0] != '-' && strcmp(call.words[i - 1], "--test") == 0))
				ARENA_PUSH(arena, words, n, call.words[i]);
	}
	*ret_files = words;
	return n;
}

/* Whether an id's file may be one of those that a runner is given. */
static bool script_may_run(const struct runner_call *call, const char *id)
{
	size_t file = strcspn(id, " ");
	for (size_t i = call->options; i < call->n; i++) {
		const char *word = call->words[i] + (text_starts_with(call->words[i], "./") ? 2 : 0);
		size_t n = strcspn(word, "*?[{(^$\\|");
		for (size_t at = 0; script_is_file(call, i) && at + n <= file; at++)
			if (memcmp(id + at, word, n) == 0)
				return true;
	}
	return !script_names_files(call);
}

const char *script_tests_for(
	const char *line, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF kept = STRBUF_INIT(STRBUF_TEXT);
	struct simple_command command;
	struct runner_call call;
	size_t n_runners = 0;
	for (const char *at = line, *text; (text = script_next(&at, arena, &command));) {
		bool runs = command.n && runner_call_of(&command, arena, &call), wanted = !runs;
		for (size_t i = 0; i < n && !wanted; i++)
			wanted = script_may_run(&call, ids[i]);
		if (wanted)
			strbuf_addf(&kept, "%s%s", kept.length ? " && " : "", text);
		n_runners += runs && wanted;
	}
	return n_runners ? arena_strdup(arena, kept.text) : line;
}

bool script_find_runner(
	const char *line, struct arena *arena, struct runner_call *ret_call, bool *ret_prepared)
{
	static const char *const settings[] = {"export", "source", ".", "set", "unset", "cd", NULL};
	struct simple_command command;
	struct runner_call call, found = {0};
	size_t n_found = 0, n_open = 0, n_others = 0;
	while (script_next(&line, arena, &command)) {
		if (!command.n || line_matches_any(command.words[0], settings))
			return false;
		if (!runner_call_of(&command, arena, &call)) {
			n_others += !n_found;
			continue;
		}
		bool open = !script_names_files(&call);
		if (!n_found || open)
			found = call;
		n_found++;
		n_open += open;
	}
	if (!n_found || (n_found > 1 && n_open != 1) || !script_is_plain(&found))
		return false;
	*ret_call = found;
	*ret_prepared = n_others;
	return true;
}
