/*
 * Places that a runner prints: Python's 'File "a.py", line 3', pytest's "a.py:3: in f", node's
 * "at f (/x/a.js:3:9)", gcc's, go's and rustc's "a.c:3". A path and a number close to each other
 * are enough: what names no file of ours is dropped.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "repair/search.h"

static bool is_path_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./-+@~%", c)) || (unsigned char)c >= 0x80;
}

/* Whether `path` ends with `end`, at a slash. */
static bool ends_at_slash(const char *path, size_t n, const char *end, size_t end_n)
{
	return end_n && n >= end_n && memcmp(path + n - end_n, end, end_n) == 0 &&
		(n == end_n || path[n - end_n - 1] == '/');
}

struct source *repair_source(struct repair *repair, const char *path, size_t n)
{
	struct source *longest = NULL, *only = NULL;
	size_t shorter = 0; /* how many the path is only the end of */
	if (n > 2 && memcmp(path, "./", 2) == 0) {
		path += 2;
		n -= 2;
	}
	for (size_t i = 0; i < repair->n; i++) {
		struct source *source = &repair->sources[i];
		const char *own = source->file->path;
		size_t own_n = strlen(own);
		if (ends_at_slash(path, n, own, own_n)) {
			if (!longest || own_n > strlen(longest->file->path))
				longest = source;
		} else if (ends_at_slash(own, own_n, path, n)) {
			only = source;
			shorter++;
		}
	}
	return longest ? longest : shorter == 1 ? only : NULL;
}

static void trace(struct repair *repair, const char *path, size_t n, const char *number)
{
	struct source *source = repair_source(repair, path, n);
	unsigned long line = strtoul(number, NULL, 10);
	if (source && line >= 1 && line <= source->n_lines)
		source->traced[line] = true;
}

void repair_trace(struct repair *repair, const char *text)
{
	for (const char *at = text; (at = strpbrk(at, ":\"")); at++) {
		const char *end = at, *start = at, *number = at + 1;
		if (text_starts_with(at, "\", line "))
			number = at + strlen("\", line ");
		else if (*at != ':')
			continue;
		while (start > text && is_path_byte(start[-1]))
			start--;
		/* A path has a suffix; "12:30" and "error: 3" have none. */
		if (isdigit((unsigned char)*number) && memchr(start, '.', (size_t)(end - start)))
			trace(repair, start, (size_t)(end - start), number);
	}
}

static void blame(struct repair *repair, const char *text, size_t n)
{
	struct word *word = words_find(&repair->words, text, n);
	if (word)
		word->blamed = true;
}

static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* One line of an error message. */
static void blame_line(struct repair *repair, const char *line, size_t n)
{
	static const char *const behind[] = {
		" is not defined", " is not a function", " undefined", " undeclared"};
	static const char *const before[] = {"undefined: ", "undefined reference to `",
		"no attribute '", "name '", "cannot import name '", "cannot find value `",
		"cannot find function `"};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		const char *at = memmem(line, n, before[i], strlen(before[i]));
		if (at)
			blame(repair, at + strlen(before[i]), name_length(at + strlen(before[i])));
	}
	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		const char *end = memmem(line, n, behind[i], strlen(behind[i])), *start = end;
		if (end && end > line && strchr("'`", end[-1]))
			start = --end;
		while (start && start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
			start--;
		if (end > start)
			blame(repair, start, (size_t)(end - start));
	}
}

void repair_blame(struct repair *repair, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		blame_line(repair, text, n);
	}
}
