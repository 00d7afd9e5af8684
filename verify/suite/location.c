#include "verify/suite/location.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

/* Where other people's code is, also within the tree. */
static const char *const foreign[] = {
	"site-packages/", "dist-packages/", "node_modules/", ".venv/", "<frozen", "node:"};

const char *location_relative(const char *dir, const char *path, size_t *n)
{
	size_t m = dir ? strlen(dir) : 0;
	if (*n > 7 && memcmp(path, "file://", 7) == 0) {
		path += 7;
		*n -= 7;
	}
	if (m && *n > m + 1 && memcmp(path, dir, m) == 0 && path[m] == '/') {
		path += m + 1;
		*n -= m + 1;
	}
	while (*n > 2 && path[0] == '.' && path[1] == '/') {
		path += 2;
		*n -= 2;
	}
	return path;
}

bool location_set(struct location *location, const char *dir, const char *path, size_t n, long line)
{
	path = location_relative(dir, path, &n);
	if (!n || n >= sizeof location->file || line < 1 || line > INT_MAX || path[0] == '/' ||
		path[0] == '<' || (n > 2 && memcmp(path, "../", 3) == 0))
		return false;
	char file[sizeof location->file];
	text_copy(file, n + 1, path);
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++)
		if (strstr(file, foreign[i]))
			return false;
	text_copy(location->file, sizeof location->file, file);
	location->line = (int)line;
	return true;
}

static bool location_find_python(struct location *location, const char *dir, const char *text)
{
	const char *path = strstr(text, "File \"");
	const char *end = path ? strstr(path, "\", line ") : NULL;
	if (!end)
		return false;
	path += strlen("File \"");
	return end > path &&
		location_set(
			location, dir, path, (size_t)(end - path), strtol(end + strlen("\", line "), NULL, 10));
}

/* Whether n bytes can be the path of a source file: it has a suffix that begins with a letter. */
static bool location_is_path(const char *path, size_t n)
{
	while (n && isalnum((unsigned char)path[n - 1]))
		n--;
	return n > 1 && path[n - 1] == '.' && isalpha((unsigned char)path[n]) &&
		(isalnum((unsigned char)path[n - 2]) || strchr("_-.)]", path[n - 2]));
}

/* An absolute path of the tree may have spaces in it, so it is looked for by its beginning. */
static bool location_find_in_tree(struct location *location, const char *dir, const char *text)
{
	size_t m = dir ? strlen(dir) : 0;
	for (const char *at = m ? strstr(text, dir) : NULL; at; at = strstr(at + m, dir)) {
		const char *colon = at[m] == '/' ? strchr(at + m, ':') : NULL;
		if (colon && isdigit((unsigned char)colon[1]) &&
			location_is_path(at, (size_t)(colon - at)) &&
			location_set(location, dir, at, (size_t)(colon - at), strtol(colon + 1, NULL, 10)))
			return true;
	}
	return false;
}

/* The path that ends at `end`, in text. */
static bool location_set_before(struct location *location, const char *dir, const char *text,
	const char *end, const char *number)
{
	const char *start = end;
	while (start > text && !strchr(" \t('\"[<=,`", start[-1]))
		start--;
	size_t n = (size_t)(end - start);
	return location_is_path(start, n) &&
		location_set(location, dir, start, n, strtol(number, NULL, 10));
}

/* "at lib/A.pm line 3", "in /x/a.php on line 3"; of PHP's frames "/x/a.php(3)". */
static bool location_find_in_words(struct location *location, const char *dir, const char *text)
{
	static const char said[] = " line ";
	for (const char *at = strstr(text, said); at; at = strstr(at + 1, said)) {
		const char *end = at - text > 3 && memcmp(at - 3, " on", 3) == 0 ? at - 3 : at;
		if (location_set_before(location, dir, text, end, at + strlen(said)))
			return true;
	}
	for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '('))
		if (at[1 + strspn(at + 1, "0123456789")] == ')' &&
			location_set_before(location, dir, text, at, at + 1))
			return true;
	return false;
}

bool location_find(struct location *location, const char *dir, const char *text)
{
	if (location_find_python(location, dir, text) || location_find_in_tree(location, dir, text))
		return true;
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
		if (isdigit((unsigned char)colon[1]) &&
			location_set_before(location, dir, text, colon, colon + 1))
			return true;
	return location_find_in_words(location, dir, text);
}

bool location_at_start(struct location *location, const char *dir, const char *text)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		size_t digits = strspn(colon + 1, "0123456789");
		if (digits && colon[digits + 1] == ':')
			return location_set(
				location, dir, text, (size_t)(colon - text), strtol(colon + 1, NULL, 10));
	}
	return false;
}

void text_copy(char *to, size_t size, const char *text)
{
	if (!size)
		return;
	size_t n = strnlen(text, size);
	if (n == size)
		n--;
	while (text[n] && n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	memcpy(to, text, n);
	to[n] = '\0';
}

void text_append(char *to, size_t size, const char *between, const char *text)
{
	size_t n = strlen(to);
	text_copy(to + n, size - n, n ? between : "");
	n = strlen(to);
	text_copy(to + n, size - n, text);
}
