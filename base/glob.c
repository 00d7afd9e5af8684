#include "base/glob.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

/* Where a bracket expression ends, or NULL. Sets whether the character is in it. */
static const char *match_set(const char *glob, char c, bool *in)
{
	bool inverted = *glob == '!' || *glob == '^';
	const char *at = glob + inverted, *first = at;
	*in = false;
	for (; *at && (*at != ']' || at == first); at++) {
		if (at[1] == '-' && at[2] && at[2] != ']') {
			*in = *in || (*at <= c && c <= at[2]);
			at += 2;
		} else {
			*in = *in || *at == c;
		}
	}
	*in = *in != inverted && c != '/';
	return *at ? at + 1 : NULL;
}

/* Behind the one element of a glob that matches `c`, or NULL. A bracket without end is plain. */
static const char *match_one(const char *glob, char c)
{
	bool in;
	const char *end = *glob == '[' ? match_set(glob + 1, c, &in) : NULL;
	if (end)
		return in ? end : NULL;
	if (*glob == '?')
		return c != '/' ? glob + 1 : NULL;
	if (*glob == '\\' && glob[1])
		glob++;
	return *glob == c ? glob + 1 : NULL;
}

/* Let two stars stand for more: where a slash follows them, up to the next one. */
static const char *after_stars(const char *stars, const char *path)
{
	do
		path++;
	while (*path && stars[-1] == '/' && path[-1] != '/');
	return path;
}

/* A whole path against a whole glob. A later star makes what an earlier one of its kind could still
 * try superfluous, so one place to return to for each kind is enough, and the time is bounded. */
static bool match_whole(const char *glob, const char *path)
{
	const char *star = NULL, *star_path = NULL, *stars = NULL, *stars_path = NULL;
	while (*path || *glob) {
		if (text_starts_with(glob, "**")) {
			stars = glob[2] == '/' ? glob + 3 : glob + 2;
			stars_path = path;
			star = NULL;
			glob = stars;
			continue;
		}
		if (*glob == '*') {
			star = ++glob;
			star_path = path;
			continue;
		}
		const char *next = *path && *glob ? match_one(glob, *path) : NULL;
		if (next) {
			glob = next;
			path++;
		} else if (star && *star_path && *star_path != '/') {
			path = ++star_path;
			glob = star;
		} else if (stars && *stars_path) {
			path = stars_path = after_stars(stars, stars_path);
			glob = stars;
			star = NULL;
			if (!*path && *glob && stars[-1] == '/')
				return false;
		} else {
			return false;
		}
	}
	return true;
}

/* Whether n bytes of a glob match some folder of the path, or the folder's path from the root. */
static bool match_folder(const char *glob, size_t n, const char *path)
{
	AUTO_FREE char *pattern = memory_strdup(glob);
	AUTO_FREE char *folder = memory_strdup(path);
	pattern[n] = '\0';
	bool anchored = strchr(pattern, '/') != NULL;
	char *start = folder;
	for (char *slash = strchr(folder, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		bool matches = match_whole(pattern, anchored ? folder : start);
		*slash = '/';
		if (matches)
			return true;
		start = slash + 1;
	}
	return false;
}

bool glob_matches(const char *glob, const char *path)
{
	if (text_starts_with(glob, "./"))
		glob += 2;
	size_t n = strlen(glob);
	if (n && glob[n - 1] == '/')
		return match_folder(glob, n - 1, path);
	const char *slash = strrchr(path, '/');
	if (!strchr(glob, '/') && slash)
		path = slash + 1;
	else if (*glob == '/')
		glob++;
	return match_whole(glob, path);
}
