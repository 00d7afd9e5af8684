#include "executors/daytona/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/beneath.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#define MOST_ITEMS 200000
#define LONGEST_PATH 4096

/* What is still to be read. */
struct reading {
	const char *at, *end;
	struct arena *arena;
};

/* The next line without its newline, as a text of its own; NULL: there is no whole one. */
static char *take_line(struct reading *reading)
{
	const char *newline = memchr(reading->at, '\n', (size_t)(reading->end - reading->at));
	if (!newline || newline - reading->at > LONGEST_PATH + 64)
		return NULL;
	char *line = arena_strndup(reading->arena, reading->at, (size_t)(newline - reading->at));
	reading->at = newline + 1;
	return line;
}

/* The line's next word, cut off; NULL: there is none. */
static char *take_word(char **line)
{
	char *word = *line, *space = strchr(word, ' ');
	if (!space || space == word)
		return NULL;
	*space = '\0';
	*line = space + 1;
	return word;
}

/* Digits to a base, no more than `most`. */
static bool read_number(const char *word, int base, size_t most, size_t *ret_number)
{
	char *end;
	if (!word || !strchr("0123456789abcdef", *word) || !*word || strlen(word) > 15)
		return false;
	unsigned long long number = strtoull(word, &end, base);
	*ret_number = (size_t)number;
	return !*end && number <= most;
}

static size_t left(const struct reading *reading)
{
	return (size_t)(reading->end - reading->at);
}

/* "./a/b" -> "a/b"; NULL where it leads anywhere else. */
static const char *path_below(const char *name, size_t length)
{
	bool is_text = strlen(name) == length && length <= LONGEST_PATH;
	return is_text && text_starts_with(name, "./") && mirror_allows_path(name + 2) ? name + 2
										       : NULL;
}

static bool read_file(struct reading *reading, char **line, struct answer_item *item)
{
	size_t mode;
	if (!read_number(take_word(line), 16, 0xffff, &mode) ||
		!read_number(take_word(line), 10, left(reading), &item->n))
		return false;
	item->is_executable = mode & 0111;
	item->bytes = reading->at;
	reading->at += item->n;
	return true;
}

static bool read_link(struct reading *reading, struct answer_item *item)
{
	size_t before = left(reading);
	item->bytes = take_line(reading);
	if (!item->bytes)
		return false;
	item->n = before - left(reading) - 1;
	return true;
}

static const char *reason_of(const char *word)
{
	static const char *const reasons[][2] = {{"large", "it is too large"},
		{"many", "there is too much of it"}, {"unreadable", "it cannot be read"},
		{"special", "it is no file, directory or link"}, {"full", "the disk is full"}};
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (strcmp(word, reasons[i][0]) == 0)
			return reasons[i][1];
	return "it has a strange name";
}

/* A program may have made links and names that mean something else on this machine. */
static void check_item(
	struct answer_item *item, const char *name, size_t length, struct arena *arena)
{
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_LINE);
	char field[256];
	const char *path = path_below(name, length);
	const char *fault = NULL;
	if (path && item->kind == ANSWER_LINK)
		fault = strlen(item->bytes) == item->n ? beneath_link_fault(path, item->bytes)
						       : "leads nowhere";
	if (path && !fault) {
		item->path = path;
		return;
	}
	utf8_scrub(&shown, name, length);
	utf8_format(field, sizeof field, "%s", shown.text);
	if (item->kind != ANSWER_REFUSED)
		item->why = fault ? arena_printf(arena, "it is a link that %s", fault)
				  : "it has a strange name";
	item->kind = ANSWER_REFUSED;
	item->path = arena_strdup(arena, field);
}

/* False: the bytes are none of an answer. */
static bool read_item(struct reading *reading, char *line, size_t length, struct answer_item *item)
{
	char *begin = line;
	const char *kind = take_word(&line), *root = take_word(&line);
	if (!kind || !root || kind[1] || root[1] || !strchr("tc", *root))
		return false;
	item->in_cache = *root == 'c';
	switch (*kind) {
	case 'g':
		item->kind = ANSWER_GONE;
		break;
	case 'd':
		item->kind = ANSWER_DIR;
		break;
	case 'f':
		item->kind = ANSWER_FILE;
		if (!read_file(reading, &line, item))
			return false;
		break;
	case 'l':
		item->kind = ANSWER_LINK;
		if (!read_link(reading, item))
			return false;
		break;
	case 'x': {
		const char *why = take_word(&line);
		if (!why)
			return false;
		item->kind = ANSWER_REFUSED;
		item->why = reason_of(why);
		break;
	}
	default:
		return false;
	}
	check_item(item, line, length - (size_t)(line - begin), reading->arena);
	return true;
}

/* "rondo 1 CODE yes|no BYTES", and the output. */
static bool read_head(struct reading *reading, struct answer *answer)
{
	size_t code;
	char *line = take_line(reading);
	if (!line || !text_starts_with(line, "rondo 1 "))
		return false;
	line += strlen("rondo 1 ");
	const char *word = take_word(&line), *applied = take_word(&line);
	if (!word || !applied || !read_number(line, 10, left(reading), &answer->n_output))
		return false;
	answer->exit_code = read_number(word, 10, 255, &code) ? (int)code : -1;
	answer->is_applied = strcmp(applied, "yes") == 0;
	answer->output = reading->at;
	reading->at += answer->n_output;
	return true;
}

int answer_read(const char *bytes, size_t n, struct arena *arena, struct answer *ret_answer,
	struct rondo_error *err)
{
	struct reading reading = {bytes, bytes + n, arena};
	struct answer answer = {0};
	bool is_whole = false, is_good = read_head(&reading, &answer);
	while (is_good && !is_whole) {
		const char *start = reading.at;
		char *line = take_line(&reading);
		if (!line)
			break;
		is_whole = strcmp(line, "end") == 0;
		struct answer_item item = {0};
		is_good = is_whole || (answer.n < MOST_ITEMS &&
					      read_item(&reading, line,
						      (size_t)(reading.at - start) - 1, &item));
		if (is_good && !is_whole)
			ARENA_PUSH(arena, answer.items, answer.n, item);
	}
	if (!is_whole)
		return error_set(err, RONDO_ERROR_TRANSIENT,
			"what it says of the command is not whole, at byte %zu of %zu",
			(size_t)(reading.at - bytes), n);
	*ret_answer = answer;
	return 0;
}
