/* A whole program in a fence that says nothing of its file, as models write it first. */
#include <string.h>

#include "base/lexer/source.h"
#include "base/map.h"
#include "base/memory.h"
#include "chat/edit_form.h"

enum { LEAST_SHARE = 3 }; /* one in so many of the file's lines is in the program, too */

static bool edit_is_in_language(const struct code_block *block, const char *path)
{
	const struct language *language = language_of(path);
	return language &&
		(strcmp(block->language, language->name) == 0 ||
			text_has_word(language->suffixes, block->language));
}

/* A line without the white space around it; NULL: there is nothing else in it. */
static const char *edit_line_core(struct arena *arena, const char *line, size_t n)
{
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	size_t blank = 0;
	while (blank < n && strchr(" \t", line[blank]))
		blank++;
	return blank < n ? arena_strndup(arena, line + blank, n - blank) : NULL;
}

/* Else it is something to run, such as a look at what the program does. */
static bool edit_is_version_of(struct arena *arena, const char *code, const char *old)
{
	struct map lines = {0};
	size_t n, all = 0, kept = 0;
	for (const char *line; (line = edit_next_line(&code, &n));) {
		const char *core = edit_line_core(arena, line, n);
		if (core)
			map_put(&lines, arena, core, &lines);
	}
	for (const char *line; (line = edit_next_line(&old, &n));) {
		const char *core = edit_line_core(arena, line, n);
		all += core != NULL;
		kept += core && map_get(&lines, core);
	}
	return kept && kept * LEAST_SHARE >= all;
}

const char *edit_path_of_program(struct edit_reader *reader, const struct code_block *block)
{
	const struct edit_files *files = reader->files;
	const char *why = NULL;
	if (!files->only || !edit_is_in_language(block, files->only))
		return NULL;
	const char *old = files->text(files->owner, files->only, reader->arena, &why);
	return old && edit_is_version_of(reader->arena, block->code, old) ? files->only : NULL;
}
