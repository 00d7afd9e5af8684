/*
 * Edits in tags, as tools for editing name their parameters: a file's path, and its text, or what
 * is there and what takes its place. Tags are no XML: what stands between two of them is taken as
 * it is.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

static const char *const names[][8] = {
	[EDIT_NAME_PATH] = {"path", "file_path", "filepath", "filename", "file"},
	[EDIT_NAME_OLD] = {"search", "old_str", "old_string", "old_text", "old", "original"},
	[EDIT_NAME_NEW] = {"replace", "new_str", "new_string", "new_text", "new", "updated"},
	[EDIT_NAME_WHOLE] = {"content", "contents", "file_text", "new_content"}};
static const char *const frames[] = {"edit", "file", "write_to_file", "replace_in_file",
	"apply_diff", "str_replace", "str_replace_editor", "create_file", "write_file", "edit_file",
	"invoke", "function"};
static const char *const calls[] = {"invoke", "function"}; /* of any tool, and not only to edit */

const char *const *edit_names(enum edit_name name)
{
	return names[name];
}

/* Whether <NAME or </NAME stands there; *ret_end: behind its '>'. */
static bool tagged_is_tag(const char *at, const char *name, bool closes, const char **ret_end)
{
	size_t n = strlen(name);
	if (*at++ != '<' || (closes && *at++ != '/') || strncmp(at, name, n) != 0 || !at[n] ||
		!strchr(">= \t\r\n", at[n]))
		return false;
	size_t rest = strcspn(at, "<>\n");
	*ret_end = at + rest + 1;
	return at[rest] == '>';
}

/* Whether <parameter name="NAME"> or <parameter=NAME> stands there, as models call tools. */
static bool tagged_is_parameter(const char *at, const char *name, const char **ret_end)
{
	if (!tagged_is_tag(at, "parameter", false, ret_end))
		return false;
	at += strlen("<parameter");
	bool is_quoted = text_starts_with(at, " name=\"");
	at += is_quoted ? strlen(" name=\"") : 1;
	size_t n = strlen(name);
	return strncmp(at, name, n) == 0 && at[n] == (is_quoted ? '"' : '>');
}

/* The tag that closes this one, from a place on; *ret_behind: behind it. NULL: there is none. */
static const char *tagged_closing(const char *at, const char *name, const char **ret_behind)
{
	while ((at = strchr(at, '<')) && !tagged_is_tag(at, name, true, ret_behind))
		at++;
	return at;
}

/* What stands in the first of the tags of a name, in the arena, without the newline behind the tag.
 * NULL: there is none. */
static const char *tagged_find(struct arena *arena, const char *text, enum edit_name name)
{
	const char *begin, *end, *behind;
	bool is_open[2][ARRAY_SIZE(names[0])] = {{false}}; /* nothing closes it, and so none later */
	for (const char *at = text; (at = strchr(at, '<')); at++)
		for (size_t i = 0; names[name][i]; i++) {
			const char *tag = names[name][i];
			bool is_parameter = tagged_is_parameter(at, tag, &begin);
			if (is_parameter)
				tag = "parameter";
			else if (!tagged_is_tag(at, tag, false, &begin))
				continue;
			if (is_open[is_parameter][i] || !(end = tagged_closing(begin, tag, &behind))) {
				is_open[is_parameter][i] = true;
				continue;
			}
			begin += *begin == '\n';
			return arena_strndup(arena, begin, (size_t)(end - begin));
		}
	return NULL;
}

/* path="a.py" in the tag itself. */
static const char *tagged_attribute(struct arena *arena, const char *tag, const char *end)
{
	for (size_t i = 0; names[EDIT_NAME_PATH][i]; i++) {
		const char *name = arena_printf(arena, " %s=\"", names[EDIT_NAME_PATH][i]);
		const char *at = memmem(tag, (size_t)(end - tag), name, strlen(name));
		if (at)
			return arena_strndup(arena, at + strlen(name), strcspn(at + strlen(name), "\"\n"));
	}
	return NULL;
}

/* The tag of a frame that begins a line; its place among them, or their number. */
static size_t tagged_frame(const char *line, size_t n, const char **ret_end)
{
	size_t i = 0;
	while (i < ARRAY_SIZE(frames) &&
		!(tagged_is_tag(line, frames[i], false, ret_end) && *ret_end <= line + n + 1))
		i++;
	return i;
}

bool edit_is_tagged_line(const char *line, size_t n)
{
	const char *end;
	return n && *line == '<' && tagged_frame(line, n, &end) < ARRAY_SIZE(frames);
}

const char *edit_tagged_end(const char *line)
{
	const char *begin, *behind;
	size_t frame = tagged_frame(line, strcspn(line, "\n"), &begin);
	return frame < ARRAY_SIZE(frames) && tagged_closing(begin, frames[frame], &behind) ? behind
																					   : NULL;
}

/* A file's text may be a text that seems to have tags: what else names its file is no edit in
 * tags. */
bool edit_is_tagged(const struct code_block *block)
{
	bool may_be = !*block->language || strcmp(block->language, "xml") == 0;
	return may_be && edit_is_tagged_line(block->code, strcspn(block->code, "\n"));
}

/* The text between a frame's own tags. */
static const char *tagged_body(struct arena *arena, const char *begin, const char *name)
{
	const char *behind, *end = tagged_closing(begin, name, &behind);
	const char *first = begin + (*begin == '\n');
	return end ? arena_strndup(arena, first, (size_t)(end - first)) : begin;
}

void edit_read_tagged(
	struct edit_reader *reader, const struct code_block *block, const char *path, const char *where)
{
	struct arena *arena = reader->arena;
	const char *begin;
	size_t frame = tagged_frame(block->code, strcspn(block->code, "\n"), &begin);
	const char *body = tagged_body(arena, begin, frames[frame]);
	const char *attribute = tagged_attribute(arena, block->code, begin);
	const char *named = attribute ? attribute : tagged_find(arena, body, EDIT_NAME_PATH);
	const char *old = tagged_find(arena, body, EDIT_NAME_OLD),
			   *new = tagged_find(arena, body, EDIT_NAME_NEW);
	const char *whole = tagged_find(arena, body, EDIT_NAME_WHOLE);
	struct code_block inner = *block;
	inner.code = body;
	path = named ? arena_strndup(arena, named, strcspn(named, "\n")) : path;
	struct edit_step step = {.kind = old && new ? EDIT_REPLACE : EDIT_WHOLE,
		.path = path,
		.where = where,
		.old = old,
		.text = old &&new ? new
			: whole       ? whole
			: attribute   ? body
						  : NULL};
	bool is_call = text_in(calls, ARRAY_SIZE(calls), frames[frame]);
	if (path && edit_is_search(&inner))
		edit_read_search(reader, &inner, path, where);
	else if (is_call && !(path && step.text))
		edit_complain(reader, where, path,
			"there are no tools to call here: write edits as you were shown, and commands in a "
			"block "
			"of `sh`");
	else if (!path)
		edit_complain(reader, where, NULL, "no file is named: <path> says which");
	else if (step.text)
		ARENA_PUSH(arena, reader->steps, reader->n, step);
	else
		edit_complain(reader, where, path,
			"it needs <search> and <replace>, or <content>: what is there, and what takes its "
			"place");
}
