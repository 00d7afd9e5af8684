/* Which file a block is for, as people and models write it above a fence or after its language. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "chat/edit_form.h"

/* A name with a suffix that begins with a letter, such as "a.py" and not "e.g." or "3.5". */
static bool edit_path_has_suffix(const char *path)
{
	const char *dot = strrchr(path, '.');
	if (!dot || !isalpha((unsigned char)dot[1]))
		return false;
	do
		dot++;
	while (isalnum((unsigned char)*dot));
	return !*dot;
}

static bool edit_path_exists(const struct edit_reader *reader, const char *path)
{
	const char *why = NULL;
	struct rondo_error err;
	if (edit_check_path(path, &err) < 0)
		return false;
	return reader->files->text(reader->files->owner, path, reader->arena, &why);
}

/* "**`src/a.py`**:" is src/a.py. */
static const char *edit_path_without_marks(struct arena *arena, const char *text, size_t n)
{
	for (size_t before = n + 1; n && n < before;) {
		before = n;
		while (n && strchr("*`'\": \t", text[n - 1]))
			n--;
		for (; n && strchr("*`'\" \t", *text); n--)
			text++;
	}
	while (n > 2 && text[0] == '.' && text[1] == '/') {
		text += 2;
		n -= 2;
	}
	return arena_strndup(arena, text, n);
}

static const char *edit_path_in(const struct edit_reader *reader, const char *text, size_t n)
{
	const char *path = edit_path_without_marks(reader->arena, text, n);
	if (!*path || strlen(path) > 255 || strstr(path, "://"))
		return NULL;
	bool is_word = !path[strcspn(path, " \t\r\n`*<>|")];
	return (is_word && edit_path_has_suffix(path)) || edit_path_exists(reader, path) ? path : NULL;
}

/* What a heading, a quote or a list puts before its text. */
static const char *edit_path_after_marker(const char *line)
{
	line += strspn(line, "># \t");
	if (*line && strchr("-*+", *line) && isblank((unsigned char)line[1]))
		line += 2;
	size_t digits = strspn(line, "0123456789");
	if (digits && (line[digits] == '.' || line[digits] == ')') &&
		isblank((unsigned char)line[digits + 1]))
		line += digits + 2;
	return line + strspn(line, " \t");
}

const char *edit_path_of_line(const struct edit_reader *reader, const char *line)
{
	static const char *const labels[] = {"file:", "filename:", "path:", "file name:", "file path:"};
	line = edit_path_after_marker(line);
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		size_t n = strspn(line, "*");
		if (strncasecmp(line + n, labels[i], strlen(labels[i])) == 0)
			line += n + strlen(labels[i]);
	}
	size_t n = strlen(line);
	const char *remark = n && line[n - 1] == ')' ? strstr(line, " (") : NULL;
	return edit_path_in(reader, line, remark ? (size_t)(remark - line) : n);
}

const char *edit_path_in_sentence(const struct edit_reader *reader, const char *line)
{
	const char *only = NULL;
	for (size_t n; *(line += strspn(line, " \t,;()")); line += n) {
		n = strcspn(line, " \t,;()");
		size_t end = line[n - 1] == '.' ? n - 1 : n;
		const char *path = edit_path_without_marks(reader->arena, line, end);
		if (!strpbrk(path, "./") || !edit_path_exists(reader, path))
			continue;
		if (only && strcmp(only, path) != 0)
			return NULL;
		only = path;
	}
	return only;
}

/* "python src/a.py", "python:src/a.py", "python title=src/a.py", "src/a.py". */
const char *edit_path_of_info(const struct edit_reader *reader, const char *info)
{
	for (const char *word = info; *word; word += strspn(word, " \t")) {
		size_t n = strcspn(word, " \t"), head = strcspn(word, "=:");
		bool is_labelled = head < n;
		const char *from = is_labelled ? word + head + 1 : word;
		const char *path = edit_path_in(reader, from, n - (size_t)(from - word));
		/* The language alone may have a dot, as in "asp.net". */
		if (path &&
			(is_labelled || word > info || strchr(path, '/') || edit_path_exists(reader, path)))
			return path;
		word += n;
	}
	return NULL;
}

/* Whether one of two paths is the end of the other one. */
static bool edit_path_ends_alike(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	const char *longer = n > m ? a : b, *shorter = n > m ? b : a;
	size_t by = n > m ? n - m : m - n;
	return by && longer[by - 1] == '/' && strcmp(longer + by, shorter) == 0;
}

const char *edit_path_meant(const struct edit_reader *reader, const struct edit_step *step)
{
	const struct edit_files *files = reader->files;
	const char *only = NULL;
	char *path = arena_strndup(reader->arena, step->path, strlen(step->path));
	for (char *at = path; (at = strchr(at, '\\'));)
		*at = '/';
	if (edit_path_exists(reader, path))
		return path;
	if (step->kind != EDIT_REPLACE || edit_text_is_blank(step->old))
		return step->path;
	for (size_t i = 0; i < files->n; i++) {
		if (!edit_path_ends_alike(files->paths[i], path))
			continue;
		if (only)
			return step->path;
		only = files->paths[i];
	}
	return only ? only : step->path;
}
