/* Unified diffs. Line numbers are not looked at: models count badly, and the text says it all. */
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

struct diff_reader {
	struct edit_reader *reader;
	const char *where;
	const char *path;
	bool is_new, is_removed, has_changes;
	size_t hunks;
	struct strbuf *old, *text;
};

static bool edit_diff_starts_with(const char *line, size_t n, const char *prefix)
{
	return n >= strlen(prefix) && memcmp(line, prefix, strlen(prefix)) == 0;
}

/* Whether a file's two lines of heading begin here. */
static bool edit_diff_is_heading(const char *line, size_t n, const char *rest)
{
	return edit_diff_starts_with(line, n, "--- ") && text_starts_with(rest, "+++ ");
}

bool edit_is_diff(const struct code_block *block)
{
	size_t n;
	const char *at = block->code;
	if (strcmp(block->language, "diff") == 0 || strcmp(block->language, "patch") == 0 ||
		strcmp(block->language, "udiff") == 0)
		return true;
	const char *line = edit_next_line(&at, &n);
	return line &&
		(edit_diff_starts_with(line, n, "diff --git ") || edit_diff_is_heading(line, n, at));
}

static void edit_diff_end_hunk(struct diff_reader *diff)
{
	struct arena *arena = diff->reader->arena;
	if (diff->has_changes && !diff->is_removed) {
		const char *where = arena_printf(arena, "%s, hunk %zu", diff->where, ++diff->hunks);
		struct edit_step step = {.kind = diff->is_new ? EDIT_CREATE : EDIT_REPLACE,
			.path = diff->path,
			.where = where,
			.old = arena_strndup(arena, diff->old->text, diff->old->length),
			.text = arena_strndup(arena, diff->text->text, diff->text->length)};
		if (diff->path)
			ARENA_PUSH(arena, diff->reader->steps, diff->reader->n, step);
		else
			edit_complain(diff->reader, where, NULL,
				"no file is named: a diff begins with '--- a/PATH' and '+++ b/PATH'");
	}
	diff->has_changes = false;
	strbuf_reset(diff->old);
	strbuf_reset(diff->text);
}

/* The path of a heading's line: without the date after it, quotes, and git's a/ or b/. */
static const char *edit_diff_heading_path(
	const struct diff_reader *diff, const char *line, size_t n)
{
	const char *path = line + 4, *tab = memchr(path, '\t', n - 4);
	size_t length = tab ? (size_t)(tab - path) : n - 4;
	while (length && path[length - 1] == ' ')
		length--;
	if (length > 1 && path[0] == '"' && path[length - 1] == '"') {
		path++;
		length -= 2;
	}
	if (length > 2 && strchr("ab", path[0]) && path[1] == '/') {
		path += 2;
		length -= 2;
	}
	return arena_strndup(diff->reader->arena, path, length);
}

static void edit_diff_begin_file(
	struct diff_reader *diff, const char *line, size_t n, const char **at)
{
	edit_diff_end_hunk(diff);
	const char *from = edit_diff_heading_path(diff, line, n);
	line = edit_next_line(at, &n);
	const char *to = edit_diff_heading_path(diff, line, n);
	diff->is_new = strcmp(from, "/dev/null") == 0;
	diff->is_removed = strcmp(to, "/dev/null") == 0;
	diff->path = diff->is_removed ? from : to;
	diff->hunks = 0;
	struct edit_step step = {.kind = EDIT_REMOVE, .path = diff->path, .where = diff->where};
	if (diff->is_removed)
		ARENA_PUSH(diff->reader->arena, diff->reader->steps, diff->reader->n, step);
	else if (!diff->is_new && strcmp(from, to) != 0)
		edit_complain(diff->reader, diff->where, to,
			"the diff renames '%s': remove one file and write the other instead", from);
}

/* A line of a hunk. Models forget the blank before a line that is not changed. */
static void edit_diff_take_line(struct diff_reader *diff, const char *line, size_t n)
{
	char mark = n ? *line : ' ';
	bool is_marked = n && strchr(" +-", mark);
	if (mark == '\\')
		return;
	if (mark != '+') {
		strbuf_add(diff->old, line + is_marked, n - is_marked);
		strbuf_addc(diff->old, '\n');
	}
	if (mark != '-') {
		strbuf_add(diff->text, line + is_marked, n - is_marked);
		strbuf_addc(diff->text, '\n');
	}
	diff->has_changes |= n && (mark == '+' || mark == '-');
}

static bool edit_diff_is_about_git(const char *line, size_t n)
{
	static const char *const words[] = {"diff --git ", "index ", "new file mode ",
		"deleted file mode ", "old mode ", "new mode ", "similarity index "};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (edit_diff_starts_with(line, n, words[i]))
			return true;
	return false;
}

void edit_read_diff(
	struct edit_reader *reader, const struct code_block *block, const char *path, const char *where)
{
	size_t n, size = strlen(block->code) + 1, before = reader->n;
	AUTO_STRBUF old = STRBUF_INIT(2 * size);
	AUTO_STRBUF text = STRBUF_INIT(2 * size);
	struct diff_reader diff = {
		.reader = reader, .where = where, .path = path, .old = &old, .text = &text};
	const char *at = block->code;
	for (const char *line; (line = edit_next_line(&at, &n));) {
		if (edit_diff_is_heading(line, n, at))
			edit_diff_begin_file(&diff, line, n, &at);
		else if (edit_diff_starts_with(line, n, "@@") || edit_diff_is_about_git(line, n))
			edit_diff_end_hunk(&diff);
		else
			edit_diff_take_line(&diff, line, n);
	}
	edit_diff_end_hunk(&diff);
	if (reader->n == before && !reader->problem.length)
		edit_complain(reader, where, diff.path, "the diff changes nothing");
}
