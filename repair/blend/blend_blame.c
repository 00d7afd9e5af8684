/* Which candidates of a blend a compiler complains of. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "repair/search.h"

/* How many bytes at the end of a path that was printed are also those of a file's path; 0 where the
 * names of the files differ. Compilers name paths from where they stand. */
static size_t blame_likeness(const char *path, size_t n_path, const char *own)
{
	size_t n = 0, n_own = strlen(own);
	while (n < n_path && n < n_own && path[n_path - n - 1] == own[n_own - n - 1])
		n++;
	return n < strlen(file_name(own)) ? 0 : n;
}

/* Mark the candidate in whose lines a place lies, of the files whose paths fit best. False: none
 * was. */
static bool blame_place(
	const struct blend *blend, const char *path, size_t n_path, size_t line, bool *blamed)
{
	size_t best = 1;
	bool is_one = false;
	for (size_t i = 0; i < blend->n_lines; i++) {
		size_t likeness = blame_likeness(path, n_path, blend->lines[i].path);
		best = likeness > best ? likeness : best;
	}
	for (size_t i = 0; i < blend->n_lines; i++)
		if (line >= blend->lines[i].first && line < blend->lines[i].end &&
			blame_likeness(path, n_path, blend->lines[i].path) == best) {
			blamed[blend->lines[i].candidate] = true;
			is_one = true;
		}
	return is_one;
}

/* Whether a line reports no error, but a place that matters to one: "                 from a.c:3:".
 */
static bool blame_is_aside(const char *line, size_t n)
{
	static const char *const words[] = {"warning:", "note:", "In file included", NULL};
	return text_n_holds_any(line, n, words) || text_starts_with(line + strspn(line, " "), "from ");
}

/* What a compiler that draws its messages said last: "error: ...", "  --> path:12:5", "12 | x". */
struct drawing {
	bool is_error, is_blamed;
	const char *path;
	size_t n_path;
};

/* Take in a line. Every line of code that is drawn below an error matters to it: a compiler may
 * name the declaration as its place, and draw the use that is wrong. What a hint below it draws
 * matters only where nobody is blamed yet: "help: the binding is available in a different scope".
 * False: it draws nothing. */
static bool blame_drawn(
	const struct blend *blend, const char *line, size_t n, struct drawing *drawing, bool *blamed)
{
	const char *at = line + strspn(line, " ");
	size_t n_number = strspn(at, "0123456789");
	if (text_starts_with(line, "error") || text_starts_with(line, "warning"))
		*drawing = (struct drawing){.is_error = *line == 'e'};
	if ((text_starts_with(line, "help") || text_starts_with(line, "note")) && drawing->is_blamed)
		drawing->is_error = false;
	bool place = text_starts_with(at, "--> ") || text_starts_with(at, "::: ");
	if (place) {
		drawing->path = at + strlen("--> ");
		drawing->n_path = strcspn(drawing->path, ":\n");
	}
	bool code = n_number && drawing->path && at + n_number < line + n &&
		text_starts_with(at + n_number + strspn(at + n_number, " "), "|");
	if (code && drawing->is_error)
		drawing->is_blamed |=
			blame_place(blend, drawing->path, drawing->n_path, strtoul(at, NULL, 10), blamed);
	return code || place;
}

size_t blend_blame(const struct blend *blend, const char *printed, bool *blamed)
{
	size_t count = 0, n;
	struct drawing drawing = {.is_error = false};
	for (const char *line = printed; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		const char *end = line + n;
		bool skip = blame_drawn(blend, line, n, &drawing, blamed) || blame_is_aside(line, n);
		/* "path:12:5: error: ...", Maven's "[ERROR] path:[12,5] ..." */
		for (const char *at = skip ? end : line; (at = memchr(at, ':', (size_t)(end - at))); at++) {
			const char *number = at + 1 + (at[1] == '[');
			if (*number >= '1' && *number <= '9')
				blame_place(blend, line, (size_t)(at - line), strtoul(number, NULL, 10), blamed);
		}
	}
	for (size_t i = 0; i < blend->n; i++)
		count += blamed[i];
	return count;
}
