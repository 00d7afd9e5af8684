#include "verify/suite/listing.h"

#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/utf8.h"

const char *listing_read(const char *dir, const char *path, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT((size_t)1 << 20);
	struct rondo_error ignored;
	const char *full = arena_printf(arena, "%s/%s", dir, path);
	if (file_read(full, sb.limit, &sb, &ignored) < 0 ||
		utf8_valid_length(sb.text, sb.length) < sb.length)
		return NULL;
	return arena_strndup(arena, sb.text, sb.length);
}

const char *listing_first(const char *const *paths, size_t n, const char *const *names)
{
	for (; *names; names++)
		if (text_in_sorted(paths, n, *names))
			return *names;
	return NULL;
}

const char *text_line_after(const char *text, const char *start)
{
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (text_starts_with(text, start))
			return text + strlen(start);
	}
	return NULL;
}

/* The first of the sorted paths that does not come before a text. */
static size_t listing_find(const char *const *paths, size_t n, const char *text)
{
	size_t low = 0;
	for (size_t high = n; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(paths[middle], text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* They are one stretch of the list. */
const char *const *listing_below(
	const char *const *paths, size_t n, const char *dir, struct arena *arena, size_t *ret_n)
{
	const char *prefix = arena_printf(arena, "%s/", dir), **below = NULL;
	*ret_n = 0;
	for (size_t i = listing_find(paths, n, prefix); i < n && text_starts_with(paths[i], prefix);
		 i++)
		ARENA_PUSH(arena, below, *ret_n, paths[i] + strlen(prefix));
	return below;
}

bool text_has_line(const char *text, const char *start)
{
	return text_line_after(text, start) != NULL;
}
