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

/* Whether a file's two lines of heading begin here. */
static bool edit_diff_is_heading(const char *line, size_t n, const char *rest)
{
	return text_n_starts_with(line, n, "--- ") && text_starts_with(rest, "+++ ");
}

/* The lines of OpenAI's envelope for apply_patch: files, and hunks as in a diff. */
enum envelope {
	ENVELOPE_NONE,
	ENVELOPE_BEGIN,
	ENVELOPE_END,
	ENVELOPE_UPDATE,
	ENVELOPE_ADD,
	ENVELOPE_DELETE,
	ENVELOPE_MOVE,
	ENVELOPE_EOF
};
static const char *const envelope_lines[] = {[ENVELOPE_BEGIN] = "*** Begin Patch",
	[ENVELOPE_END] = "*** End Patch",
	[ENVELOPE_UPDATE] = "*** Update File: ",
	[ENVELOPE_ADD] = "*** Add File: ",
	[ENVELOPE_DELETE] = "*** Delete File: ",
	[ENVELOPE_MOVE] = "*** Move to: ",
	[ENVELOPE_EOF] = "*** End of File"};

static enum envelope edit_diff_envelope(const char *line, size_t n)
{
	for (size_t i = ENVELOPE_BEGIN; i < ARRAY_SIZE(envelope_lines); i++)
		if (text_n_starts_with(line, n, envelope_lines[i]))
			return (enum envelope)i;
	return ENVELOPE_NONE;
}

bool edit_is_patch_line(const char *line, size_t n)
{
	return edit_diff_envelope(line, n) == ENVELOPE_BEGIN;
}

bool edit_is_patch_end(const char *line, size_t n)
{
	return edit_diff_envelope(line, n) == ENVELOPE_END;
}

/* Where an envelope begins, which a shell's command may stand before; NULL: there is none. */
static const char *edit_diff_find_envelope(const char *code)
{
	size_t n;
	for (const char *line; (line = edit_next_line(&code, &n));) {
		enum envelope kind = edit_diff_envelope(line, n);
		if (kind == ENVELOPE_BEGIN || kind == ENVELOPE_UPDATE || kind == ENVELOPE_ADD)
			return line;
	}
	return NULL;
}

bool edit_is_diff(const struct code_block *block)
{
	size_t n;
	const char *at = block->code;
	if (strcmp(block->language, "diff") == 0 || strcmp(block->language, "patch") == 0 ||
		strcmp(block->language, "udiff") == 0 || edit_diff_find_envelope(block->code))
		return true;
	const char *line = edit_next_line(&at, &n);
	return line &&
		(text_n_starts_with(line, n, "diff --git ") || edit_diff_is_heading(line, n, at));
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

/* A line of an envelope that is none of a hunk. */
static void edit_diff_take_envelope(
	struct diff_reader *diff, enum envelope kind, const char *line, size_t n)
{
	struct arena *arena = diff->reader->arena;
	edit_diff_end_hunk(diff);
	if (kind == ENVELOPE_BEGIN || kind == ENVELOPE_END || kind == ENVELOPE_EOF)
		return;
	size_t head = strlen(envelope_lines[kind]);
	while (n > head && (line[n - 1] == ' ' || line[n - 1] == '\r'))
		n--;
	const char *path = arena_strndup(arena, line + head, n - head);
	if (kind == ENVELOPE_MOVE) {
		edit_complain(diff->reader, diff->where, path,
			"the patch renames '%s': remove one file and write the other instead",
			diff->path ? diff->path : "a file");
		return;
	}
	diff->path = path;
	diff->is_new = kind == ENVELOPE_ADD;
	diff->is_removed = kind == ENVELOPE_DELETE;
	diff->hunks = 0;
	if (diff->is_removed)
		ARENA_PUSH(arena, diff->reader->steps, diff->reader->n,
			(struct edit_step){.kind = EDIT_REMOVE, .path = path, .where = diff->where});
}

/* "..." in place of lines that are not quoted: what stands before and behind it are two hunks. A
 * file may have such a line itself. */
static bool edit_diff_is_elision(const struct diff_reader *diff, const char *line, size_t n)
{
	const struct edit_files *files = diff->reader->files;
	const char *why = NULL, *text;
	while (n && (*line == ' ' || *line == '\t')) {
		line++;
		n--;
	}
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	bool is_dots =
		(n == 3 && memcmp(line, "...", 3) == 0) || (n == 3 && memcmp(line, "\xe2\x80\xa6", 3) == 0);
	if (!is_dots || !diff->path || diff->is_new)
		return false;
	text = files->text(files->owner, diff->path, diff->reader->arena, &why);
	return text && !strstr(text, arena_strndup(diff->reader->arena, line, n));
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
		if (text_n_starts_with(line, n, words[i]))
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
	const char *envelope = edit_diff_find_envelope(block->code);
	const char *at = envelope ? envelope : block->code;
	for (const char *line; (line = edit_next_line(&at, &n));) {
		enum envelope kind = envelope ? edit_diff_envelope(line, n) : ENVELOPE_NONE;
		if (kind != ENVELOPE_NONE)
			edit_diff_take_envelope(&diff, kind, line, n);
		if (kind == ENVELOPE_END)
			break;
		if (kind != ENVELOPE_NONE)
			continue;
		if (!envelope && edit_diff_is_heading(line, n, at))
			edit_diff_begin_file(&diff, line, n, &at);
		else if (edit_diff_is_elision(&diff, line, n) || text_n_starts_with(line, n, "@@") ||
			edit_diff_is_about_git(line, n))
			edit_diff_end_hunk(&diff);
		else
			edit_diff_take_line(&diff, line, n);
	}
	edit_diff_end_hunk(&diff);
	if (reader->n == before && !reader->problem.length)
		edit_complain(reader, where, diff.path, "the diff changes nothing");
}
