/* Where the blocks of a reply are: between fences, or by their own first and last lines. */
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

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

/* The block that begins on this line, which is no fence's. False: none does. */
static bool blocks_take_unfenced(struct edit_reader *reader, const char *markdown, const char *line,
	size_t n, const char *lead, struct code_block *ret_block)
{
	size_t form = 0;
	while (form < ARRAY_SIZE(unfenced) && !unfenced[form].begins(line, n))
		form++;
	if (form == ARRAY_SIZE(unfenced))
		return false;
	const char *end = unfenced[form].end(line);
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
		} else if (blocks_take_unfenced(reader, markdown, line, n, lead, &found)) {
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
