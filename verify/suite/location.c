#include "verify/suite/location.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

enum { UP_OF_BUILDS = 9 }; /* bytes of "../../../" */

/* Where other people's code is, also within the tree. */
static const char *const foreign[] = {
	"site-packages/", "dist-packages/", "node_modules/", ".venv/", "<frozen", "node:"};

size_t location_root_length(const char *dir)
{
	const char *end = dir ? strstr(dir, LOCATION_FROM) : NULL;
	return end ? (size_t)(end - dir) : dir ? strlen(dir) : 0;
}

/* The directory that relative paths start from, relative to the root. */
static const char *location_start(const char *dir)
{
	const char *end = dir ? strstr(dir, LOCATION_FROM) : NULL;
	return end ? end + strlen(LOCATION_FROM) : "";
}

/* What follows the root in a path, also in "../../root/a.c", as builds outside of the tree have it:
 * the root may begin with directories that it shares with the build's, but then several lie
 * between. NULL: the path is not absolute, or elsewhere. */
static const char *location_after_root(const char *dir, const char *path, size_t n)
{
	size_t root = location_root_length(dir), up = 0;
	while (n - up > 3 && memcmp(path + up, "../", 3) == 0)
		up += 3;
	const char *at = path + up - (up > 0);
	size_t left = n - up + (up > 0);
	for (size_t shared = 0; shared < root; shared++) {
		size_t length = root - shared;
		bool can_be = shared == 0 || (dir[shared] == '/' && up >= UP_OF_BUILDS);
		if (can_be && left > length + 1 && memcmp(at, dir + shared, length) == 0 &&
			at[length] == '/')
			return at + length + 1;
	}
	return NULL;
}

/* The path without the root, or "./", before it. */
static const char *location_strip(
	const char *dir, const char *path, size_t *n, bool *ret_is_from_root)
{
	if (*n > 7 && memcmp(path, "file://", 7) == 0) {
		path += 7;
		*n -= 7;
	}
	const char *below = location_after_root(dir, path, *n);
	*ret_is_from_root = below;
	if (below) {
		*n -= (size_t)(below - path);
		path = below;
	}
	while (*n > 2 && path[0] == '.' && path[1] == '/') {
		path += 2;
		*n -= 2;
	}
	return path;
}

const char *location_relative(const char *dir, const char *path, size_t *n)
{
	bool ignored;
	return location_strip(dir, path, n, &ignored);
}

/* Append n bytes of a relative path to that of a directory, without ".." where it can be. */
static void location_append(struct strbuf *file, const char *path, size_t n)
{
	while (n > 3 && memcmp(path, "../", 3) == 0 && file->length) {
		const char *slash = strrchr(file->text, '/');
		strbuf_truncate(file, slash ? (size_t)(slash - file->text) : 0);
		path += 3;
		n -= 3;
	}
	strbuf_adds(file, file->length ? "/" : "");
	strbuf_add(file, path, n);
}

bool location_set(struct location *location, const char *dir, const char *path, size_t n, long line)
{
	bool is_from_root;
	AUTO_STRBUF file = STRBUF_INIT(STRBUF_LINE);
	path = location_strip(dir, path, &n, &is_from_root);
	if (!n || line < 1 || line > INT_MAX || path[0] == '/' || path[0] == '<')
		return false;
	strbuf_adds(&file, is_from_root ? "" : location_start(dir));
	location_append(&file, path, n);
	if (file.length >= sizeof location->file || text_starts_with(file.text, "../"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++)
		if (strstr(file.text, foreign[i]))
			return false;
	text_copy(location->file, sizeof location->file, file.text);
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
	size_t m = location_root_length(dir);
	for (const char *at = m ? memmem(text, strlen(text), dir, m) : NULL; at;
		 at = memmem(at + m, strlen(at + m), dir, m)) {
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

/* "at lib/A.pm line 3", "in /x/a.php on line 3", "in test file a.bats, line 3"; of PHP's frames
 * "/x/a.php(3)". */
static bool location_find_in_words(struct location *location, const char *dir, const char *text)
{
	static const char said[] = " line ";
	for (const char *at = strstr(text, said); at; at = strstr(at + 1, said)) {
		const char *end = at - text > 3 && memcmp(at - 3, " on", 3) == 0 ? at - 3 : at;
		end -= end > text && end[-1] == ',';
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
