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

bool text_has_line(const char *text, const char *start)
{
	return text_line_after(text, start) != NULL;
}
