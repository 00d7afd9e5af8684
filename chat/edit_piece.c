/* Whether what is given as a whole file is a piece of it: the function that changes, say. */
#include <string.h>

#include "base/memory.h"
#include "chat/edit_lines.h"

enum { PIECE_LEAST = 8 }; /* lines of a file that has pieces */

struct outline {
	struct line first, last; /* that are not blank */
	size_t n;
};

static struct outline outline_of(const char *text)
{
	struct outline outline = {.first = {.text = text}, .last = {.text = text}};
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));) {
		struct line found = {.text = line, .n = n};
		if (!line_trimmed(&found))
			continue;
		outline.last = found;
		if (!outline.n++)
			outline.first = found;
	}
	return outline;
}

static bool outline_is_same(const struct line *a, const struct line *b)
{
	struct moves moves = {.retypes = false};
	return line_fits(FIT_TRAILING, a, b, &moves);
}

static bool outline_has(const char *text, const struct line *wanted)
{
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));)
		if (outline_is_same(wanted, &(struct line){.text = line, .n = n}))
			return true;
	return false;
}

/* Whether a line is nothing but dots. */
static bool piece_is_dots(const char *line)
{
	bool is_dots = text_starts_with(line, "...") || text_starts_with(line, "\xe2\x80\xa6");
	return is_dots && strchr("\n", line[3 + strspn(line + 3, " \t\r")]);
}

static bool piece_is_dots_line(const struct line *line)
{
	return line_trimmed(line) == 3 && piece_is_dots(line->text);
}

/* A comment such as "# Other functions remain the same", or dots. */
static bool piece_says_rest(struct arena *arena, const char *text, const char *old)
{
	static const char *const words[] = {"unchanged", "remain", "the same", "existing", "rest of"};
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));) {
		const char *copy = arena_strndup(arena, line, n), *mark = copy + strspn(copy, " \t");
		if (!*mark || strstr(old, copy))
			continue;
		if (piece_is_dots(mark))
			return true;
		if (!strchr("#/*-;<", *mark))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (strcasestr(mark, words[i]))
				return true;
	}
	return false;
}

bool edit_is_piece(struct arena *arena, const char *text, const char *old)
{
	struct outline new = outline_of(text), all = outline_of(old);
	if (!new.n)
		return false;
	if (new.n < all.n && (piece_is_dots_line(&new.first) || piece_is_dots_line(&new.last)))
		return true;
	if (all.n < PIECE_LEAST || new.n * 4 >= all.n * 3)
		return false;
	if (piece_says_rest(arena, text, old))
		return true;
	if (!outline_is_same(&new.first, &all.first))
		return outline_has(old, &new.first);
	return !outline_is_same(&new.last, &all.last) && outline_has(old, &new.last);
}
