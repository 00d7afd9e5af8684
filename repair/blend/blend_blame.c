/* Which candidates of a blend a compiler complains of. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "repair/search.h"

/* Mark the candidate in whose lines a place lies. */
static void blame_place(
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

/* Whether a line reports no error, but a place that matters to one: "                 from a.c:3:".
 */
static bool blame_is_aside(const char *line, size_t n)
{
	static const char *const words[] = {"warning:", "note:", "In file included", NULL};
	return text_holds_any(line, n, words) || text_starts_with(line + strspn(line, " "), "from ");
}

size_t blend_blame(const struct blend *blend, const char *printed, bool *blamed)
{
	size_t count = 0, n;
	for (const char *line = printed; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		const char *end = line + n;
		/* "path:12:5: error: ..." */
		for (const char *at = blame_is_aside(line, n) ? end : line;
			 (at = memchr(at, ':', (size_t)(end - at))); at++)
			if (at[1] >= '1' && at[1] <= '9')
				blame_place(blend, line, (size_t)(at - line), strtoul(at + 1, NULL, 10), blamed);
	}
	for (size_t i = 0; i < blend->n; i++)
		count += blamed[i];
	return count;
}
