/* Search/replace blocks: what is there and what takes its place, between lines as git marks
 * conflicts. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

#define SHORTEST_MARK 5

/* Pairs of words that models write; the marks before them are those of git's conflicts, or of a
 * diff. */
static const struct {
	char opens, closes;
	const char *old, *new;
} forms[] = {{'<', '>', "SEARCH", "REPLACE"}, {'<', '>', "ORIGINAL", "UPDATED"},
	{'-', '+', "SEARCH", "REPLACE"}};

/* How long the run of `mark` is that a line begins with, where `word` is next to it; else 0. */
static size_t edit_search_mark_of(const char *line, size_t n, char mark, const char *word)
{
	size_t run = 0;
	while (run < n && line[run] == mark)
		run++;
	size_t at = run;
	while (at < n && line[at] == ' ')
		at++;
	size_t length = strlen(word);
	if (run < SHORTEST_MARK || n - at < length || memcmp(line + at, word, length) != 0)
		return 0;
	return *word || at == n ? run : 0;
}

/* The run of marks that opens a block, and its form; 0: the line opens none. */
static size_t edit_search_opens(const char *line, size_t n, size_t *ret_form)
{
	size_t run = 0;
	for (size_t i = 0; i < ARRAY_SIZE(forms) && !run; i++) {
		run = edit_search_mark_of(line, n, forms[i].opens, forms[i].old);
		*ret_form = i;
	}
	return run;
}

bool edit_is_search_line(const char *line, size_t n)
{
	size_t form;
	return edit_search_opens(line, n, &form) > 0;
}

bool edit_is_search_end(const char *line, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (edit_search_mark_of(line, n, forms[i].closes, forms[i].new))
			return true;
	return false;
}

bool edit_is_search(const struct code_block *block)
{
	size_t n;
	const char *at = block->code;
	for (const char *line; (line = edit_next_line(&at, &n));)
		if (edit_is_search_line(line, n))
			return true;
	return false;
}

bool edit_search_is_whole(const struct code_block *block)
{
	size_t n;
	bool is_end = false;
	const char *at = block->code;
	for (const char *line; (line = edit_next_line(&at, &n));)
		is_end = n ? edit_is_search_end(line, n) : is_end;
	return is_end;
}

/* The lines up to one that is a mark; *at moves past it. NULL where none comes before another
 * block or the end. */
static const char *edit_search_take(
	struct arena *arena, const char **at, char mark, const char *word, size_t run)
{
	const char *start = *at;
	size_t n;
	for (const char *line; (line = edit_next_line(at, &n));) {
		size_t found = edit_search_mark_of(line, n, mark, word);
		if (found && (!run || found == run))
			return arena_strndup(arena, start, (size_t)(line - start));
		if (edit_is_search_line(line, n))
			break;
	}
	return NULL;
}

/* What follows the word SEARCH, or alone on a line before it. */
static const char *edit_search_path_on(const struct edit_reader *reader, const char *line, size_t n)
{
	while (n && isspace((unsigned char)*line)) {
		line++;
		n--;
	}
	return n ? edit_path_of_line(reader, arena_strndup(reader->arena, line, n)) : NULL;
}

/* Without the line number that Roo Code's models put above the lines, and the rule below it. */
static const char *edit_search_without_number(const char *old)
{
	size_t n;
	const char *at = old;
	const char *line = edit_next_line(&at, &n);
	if (!line || !text_starts_with(line, ":start_line:"))
		return old;
	old = at;
	while ((line = edit_next_line(&at, &n)) && n &&
		(strspn(line, "-") == n || text_starts_with(line, ":end_line:")))
		old = at;
	return old;
}

void edit_read_search(
	struct edit_reader *reader, const struct code_block *block, const char *path, const char *where)
{
	size_t n, number = 0;
	const char *at = block->code;
	for (const char *line; (line = edit_next_line(&at, &n));) {
		size_t form, run = edit_search_opens(line, n, &form);
		const char *word = forms[form].old,
				   *behind = run ? strstr(line, word) + strlen(word) : line;
		const char *named = edit_search_path_on(reader, behind, (size_t)(line + n - behind));
		path = named ? named : path;
		if (!run)
			continue;
		const char *name = arena_printf(reader->arena, "%s, search %zu", where, ++number);
		const char *old = edit_search_take(reader->arena, &at, '=', "", run);
		const char *text = old
			? edit_search_take(reader->arena, &at, forms[form].closes, forms[form].new, 0)
			: NULL;
		if (!path)
			edit_complain(reader, name, NULL,
				"no file is named: its path stands alone on the line before the fence");
		if (!text) {
			edit_complain(reader, name, path,
				"the line '%s' is missing; where the text itself holds ```, the fence must be "
				"longer",
				old ? arena_printf(reader->arena, "%s %s",
						  forms[form].closes == '>' ? ">>>>>>>" : "+++++++", forms[form].new)
					: "=======");
			return;
		}
		struct edit_step step = {.kind = EDIT_REPLACE,
			.path = path,
			.where = name,
			.old = edit_search_without_number(old),
			.text = text};
		if (path)
			ARENA_PUSH(reader->arena, reader->steps, reader->n, step);
	}
}
