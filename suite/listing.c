#include "suite/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/utf8.h"

static int compare_path(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

bool listing_has(const char *const *paths, size_t n, const char *path)
{
	return n && bsearch(path, paths, n, sizeof *paths, compare_path);
}

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
		if (listing_has(paths, n, *names))
			return *names;
	return NULL;
}

bool text_has_line(const char *text, const char *start)
{
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (text_starts_with(text, start))
			return true;
	}
	return false;
}
