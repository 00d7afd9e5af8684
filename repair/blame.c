/* Whose lines a compiler complains about. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "repair/repair.h"

/* Whether a line tells of an error, and not only where something is that matters to one. */
static bool tells_error(const char *line, size_t n)
{
	static const char *const asides[] = {"warning:", "note:", "In file included", " from "};
	for (size_t i = 0; i < ARRAY_SIZE(asides); i++)
		if (memmem(line, n, asides[i], strlen(asides[i])))
			return false;
	return true;
}

/* Mark the candidate in whose lines a place lies. */
static void mark(
	const struct blend *blend, const char *path, size_t n_path, size_t line, bool *blamed)
{
	for (size_t i = 0; i < blend->n_lines; i++) {
		const char *name = file_name(blend->lines[i].path);
		size_t n = strlen(name);
		if (line >= blend->lines[i].first && line < blend->lines[i].end && n_path >= n &&
			memcmp(path + n_path - n, name, n) == 0)
			blamed[blend->lines[i].candidate] = true;
	}
}

/* "path:12:5: error: ..." */
static void mark_places(const struct blend *blend, const char *line, size_t n, bool *blamed)
{
	for (const char *at = line, *end = line + n; (at = memchr(at, ':', (size_t)(end - at))); at++)
		if (at[1] >= '1' && at[1] <= '9')
			mark(blend, line, (size_t)(at - line), strtoul(at + 1, NULL, 10), blamed);
}

size_t blend_blame(const struct blend *blend, const char *printed, bool *blamed)
{
	size_t count = 0;
	for (const char *line = printed; *line;) {
		size_t n = strcspn(line, "\n");
		if (tells_error(line, n))
			mark_places(blend, line, n, blamed);
		line += n + (line[n] == '\n');
	}
	for (size_t i = 0; i < blend->n; i++)
		count += blamed[i];
	return count;
}
