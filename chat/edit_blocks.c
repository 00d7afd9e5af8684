/* Where the blocks of a reply are: between fences, or by their own first and last lines. */
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

/* Each line that begins with a bracket may begin JSON that ends far behind: how many bytes may be
 * read for that, and how often all of the text. */
#define JSON_LEAST ((size_t)1 << 20)
#define JSON_SHARE 16

/* Whether a line is a fence of backticks; *ret_info: behind them. */
static bool blocks_is_fence(const char *line, size_t n, const char **ret_info, size_t *ret_run)
{
	size_t run = 0;
	while (run < n && line[run] == '`')
		run++;
	*ret_info = line + run;
	*ret_run = run;
	return run >= 3 && !memchr(*ret_info, '`', n - run);
}

static bool blocks_is_markdown(const char *info, const char *end)
{
	size_t n = (size_t)(end - info);
	return (n == 2 && memcmp(info, "md", n) == 0) || (n == 8 && memcmp(info, "markdown", n) == 0);
}

/* The fence that all else stands in: from its line on, and behind that. NULL: there is none. What
 * has a path above it is a file. */
static const char *blocks_find_outer(
	const struct edit_reader *reader, const char *at, const char **ret_body, size_t *ret_run)
{
	const char *info, *lead = "";
	size_t n;
	for (const char *line; (line = edit_next_line(&at, &n));) {
		if (blocks_is_fence(line, n, &info, ret_run)) {
			*ret_body = at;
			bool is_file = edit_path_of_line(reader, lead);
			return blocks_is_markdown(info, line + n) && !is_file ? line : NULL;
		}
		if (n)
			lead = arena_strndup(reader->arena, line, n);
	}
	return NULL;
}

/* The next fence must begin a block in it, whose end CommonMark would take for its own. */
const char *edit_unwrapped(const struct edit_reader *reader, const char *markdown)
{
	const char *body = markdown, *end = NULL, *info;
	size_t n, opened = 0, run;
	const char *begin = blocks_find_outer(reader, markdown, &body, &opened), *at = body;
	bool is_nested = false;
	for (const char *line; begin && (line = edit_next_line(&at, &n));) {
		bool is_fence = blocks_is_fence(line, n, &info, &run), is_bare = info == line + n;
		if (is_fence && is_bare && run >= opened && !is_nested)
			return markdown;
		is_nested |= is_fence;
		end = is_fence && is_bare && run == opened ? line : n ? NULL : end;
	}
	return end ? arena_printf(reader->arena, "%.*s\n%.*s", (int)(begin - markdown), markdown,
					 (int)(end - body), body)
			   : markdown;
}

static const char *blocks_end_of(const char *at, bool (*ends)(const char *line, size_t n))
{
	size_t n;
	for (const char *line; (line = edit_next_line(&at, &n));)
		if (ends(line, n))
			return at;
	return NULL;
}

static const char *blocks_search_end(const char *at)
{
	return blocks_end_of(at, edit_is_search_end);
}

static const char *blocks_patch_end(const char *at)
{
	return blocks_end_of(at, edit_is_patch_end);
}

static const struct {
	bool (*begins)(const char *line, size_t n);
	const char *(*end)(const char *at); /* behind it; NULL: it is not whole */
} unfenced[] = {{edit_is_search_line, blocks_search_end}, {edit_is_patch_line, blocks_patch_end},
	{edit_is_tagged_line, edit_tagged_end}};

/* Whether a block begins on this line, which is no fence's, and *ret_end: behind it, or NULL. JSON
 * is only what is whole. `left`: what may be read to find that out. */
static bool blocks_find_unfenced(const char *line, size_t n, size_t *left, const char **ret_end)
{
	size_t form = 0;
	while (form < ARRAY_SIZE(unfenced) && !unfenced[form].begins(line, n))
		form++;
	bool is_json = form == ARRAY_SIZE(unfenced);
	*ret_end = !is_json ? unfenced[form].end(line) : n ? edit_json_end(line, left) : NULL;
	return !is_json || *ret_end;
}

static bool blocks_take_unfenced(struct edit_reader *reader, const char *markdown, const char *line,
	size_t n, size_t *left, const char *lead, struct code_block *ret_block)
{
	const char *end;
	if (!blocks_find_unfenced(line, n, left, &end))
		return false;
	size_t length = end ? (size_t)(end - line) : strlen(line);
	*ret_block = (struct code_block){.language = "",
		.info = "",
		.lead = lead,
		.code = arena_strndup(reader->arena, line, length),
		.cut_off = !end,
		.offset = (size_t)(line - markdown),
		.length = length};
	return true;
}

const struct code_block *edit_blocks(
	struct edit_reader *reader, const char *markdown, size_t *ret_n)
{
	size_t n_fenced, next = 0, n_all = 0, n;
	size_t left = JSON_LEAST + JSON_SHARE * strlen(markdown);
	struct arena *arena = reader->arena;
	struct code_block *all = NULL, found;
	const struct code_block *fenced = code_blocks_extract(arena, markdown, &n_fenced);
	const char *at = markdown, *lead = "";
	for (const char *line; (line = edit_next_line(&at, &n));) {
		size_t offset = (size_t)(line - markdown);
		if (next < n_fenced && offset >= fenced[next].offset) {
			at = markdown + fenced[next].offset + fenced[next].length;
			ARENA_PUSH(arena, all, n_all, fenced[next++]);
			lead = "";
		} else if (blocks_take_unfenced(reader, markdown, line, n, &left, lead, &found)) {
			at = line + found.length;
			ARENA_PUSH(arena, all, n_all, found);
		} else if (n) {
			lead = arena_strndup(arena, line, n);
		}
	}
	for (; next < n_fenced; next++)
		ARENA_PUSH(arena, all, n_all, fenced[next]);
	*ret_n = n_all;
	return all;
}
