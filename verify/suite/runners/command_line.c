#include "verify/suite/runners/command_line.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"

/* Runs of words that only start another program. */
static const char *const launchers[][3] = {{"env"}, {"time"}, {"nice"}, {"exec"}, {"command"},
	{"npx"}, {"sudo"}, {"xvfb-run"}, {"poetry", "run"}, {"uv", "run"}, {"pipenv", "run"},
	{"pdm", "run"}, {"hatch", "run"}, {"rye", "run"}, {"pnpm", "exec"}, {"yarn", "exec"},
	{"bundle", "exec"}};

bool command_is(const char *word, const char *name)
{
	return strcmp(file_name(word), name) == 0;
}

bool command_is_assignment(const char *word)
{
	size_t n = 0;
	while (isalnum((unsigned char)word[n]) || word[n] == '_')
		n++;
	return n && !isdigit((unsigned char)word[0]) && word[n] == '=';
}

/* The words of the launcher itself. */
static size_t command_launcher_words(const char *const *words, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(launchers); i++) {
		size_t length = launchers[i][1] ? 2 : 1;
		if (n > length && command_is(words[0], launchers[i][0]) &&
			(length == 1 || strcmp(words[1], launchers[i][1]) == 0))
			return length;
	}
	if (n > 2 && command_is(words[0], "timeout") && isdigit((unsigned char)words[1][0]))
		return 2;
	return 0;
}

size_t command_launcher_length(const char *const *words, size_t n)
{
	size_t length = command_launcher_words(words, n);
	while (length && length + 1 < n && words[length][0] == '-')
		length++;
	return length;
}

static void command_drop_launchers(struct simple_command *command)
{
	while (command->n) {
		bool assigns = command_is_assignment(command->words[0]);
		size_t drop = assigns ? 1 : command_launcher_length(command->words, command->n);
		if (!drop)
			return;
		command->words += drop;
		command->raws += drop;
		command->n -= drop;
		command->before += drop;
	}
}

/* Read one word without its quotes. Gives what follows it. */
static const char *command_read_word(const char *at, struct strbuf *word)
{
	for (; *at && !strchr(" \t\n;&|()<>", *at); at++) {
		if (*at == '\\' && at[1]) {
			strbuf_addc(word, *++at);
		} else if (*at == '\'' || *at == '"') {
			char quote = *at;
			while (*++at && *at != quote) {
				if (quote == '"' && *at == '\\' && at[1])
					at++;
				strbuf_addc(word, *at);
			}
			if (!*at)
				break;
		} else {
			strbuf_addc(word, *at);
		}
	}
	return at;
}

struct simple_command *command_line_split(const char *line, struct arena *arena, size_t *ret_n)
{
	struct simple_command *commands = NULL, command = {0};
	size_t n = 0;
	AUTO_STRBUF word = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = line;;) {
		at += strspn(at, " \t<>");
		if (!*at || strchr("\n;&|()", *at)) {
			command_drop_launchers(&command);
			if (command.n)
				ARENA_PUSH(arena, commands, n, command);
			if (!*at)
				break;
			command = (struct simple_command){0};
			at++;
			continue;
		}
		strbuf_reset(&word);
		const char *start = at;
		size_t n_raws = command.n;
		at = command_read_word(at, &word);
		ARENA_PUSH(arena, command.raws, n_raws, arena_strndup(arena, start, (size_t)(at - start)));
		ARENA_PUSH(arena, command.words, command.n, arena_strdup(arena, word.text));
	}
	*ret_n = n;
	return commands;
}

struct simple_command command_line_single(const char *line, struct arena *arena)
{
	size_t n;
	struct simple_command *commands = command_line_split(line, arena, &n);
	bool single = n == 1 && command_line_is_plain(line);
	return single ? *commands : (struct simple_command){0};
}

bool command_line_any(const char *line, bool (*match)(const char *const *words, size_t n))
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	struct simple_command *commands = command_line_split(line, &arena, &n);
	for (size_t i = 0; i < n; i++)
		if (match(commands[i].words, commands[i].n))
			return true;
	return false;
}

bool command_line_is_plain(const char *line)
{
	return !line[strcspn(line, "\n;&|()<>$`\\'\"*?[]{}#~!")];
}

/* What follows the word at `at`, if it is `word`, with or without a path; else NULL. */
static const char *command_after_word(const char *at, const char *word)
{
	size_t n = strcspn(at, " \t\n;&|()<>'\""), length = strlen(word);
	bool ends = text_n_ends_with(at, n, word);
	return ends && (n == length || at[n - length - 1] == '/') ? at + n : NULL;
}

const char *command_line_with(const char *line, const char *program, const char *word,
	const char *options, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (const char *at = line; *at;) {
		bool starts = at == line || strchr(" \t\n;&|(", at[-1]);
		const char *after = starts ? command_after_word(at, program) : NULL;
		if (after && word)
			after = command_after_word(after + strspn(after, " \t"), word);
		if (after) {
			strbuf_add(&sb, at, (size_t)(after - at));
			strbuf_addf(&sb, " %s", options);
			at = after;
		} else {
			strbuf_addc(&sb, *at++);
		}
	}
	return arena_strndup(arena, sb.text, sb.length);
}

bool command_line_pipes(const char *line)
{
	char quote = '\0';
	for (const char *at = line; *at; at++) {
		if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? '\0' : *at;
		else if (!quote && at[0] == '|' && at[1] == '|')
			at++;
		else if (!quote && *at == '|')
			return true;
	}
	return false;
}

bool command_line_has(const char *line, const char *word)
{
	AUTO_ARENA arena = ARENA_INIT;
	size_t commands, n = strlen(word);
	struct simple_command *command = command_line_split(line, &arena, &commands);
	for (size_t i = 0; i < commands; i++)
		for (size_t j = 0; j < command[i].n; j++)
			if (text_starts_with(command[i].words[j], word) &&
				(!command[i].words[j][n] || command[i].words[j][n] == '='))
				return true;
	return false;
}

const char *command_python_module(const char *const *words, size_t n, size_t *ret_at)
{
	if (!n || !text_starts_with(file_name(words[0]), "py"))
		return NULL;
	const char *version = file_name(words[0]);
	version += strspn(version, "python");
	if (version[strspn(version, "0123456789.")])
		return NULL;
	for (size_t i = 1; i + 1 < n && words[i][0] == '-'; i++) {
		if (strcmp(words[i], "-m") == 0) {
			*ret_at = i + 1;
			return words[i + 1];
		}
		if (strcmp(words[i], "-X") == 0 || strcmp(words[i], "-W") == 0)
			i++;
	}
	return NULL;
}

const char *command_bounded(const struct strbuf *line, struct arena *arena)
{
	return line->length < LONGEST_COMMAND ? arena_strndup(arena, line->text, line->length) : NULL;
}

const char *command_quote(const char *word, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_add_word(&sb, word);
	return arena_strndup(arena, sb.text, sb.length);
}
