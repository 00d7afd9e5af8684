/*
 * From the Markdown of a reply to an edit: each fenced block becomes steps, the steps are carried
 * out one after the other on the files' texts, and what becomes of each file is one
 * splice.
 */
#include "chat/edit_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/edit_form.h"

#define MOST_COMPLAINTS ((size_t)16 << 10)
#define NAMED_FILES 5

/* A file on its way from what it is to what it shall be. */
struct draft {
	const char *path;
	const char *base, *text; /* NULL: there is none */
	bool is_broken;          /* a step failed: later ones need not be looked at */
	size_t places;
};

struct drafts {
	struct draft *items;
	size_t n;
};

void edit_complain(
	struct edit_reader *reader, const char *where, const char *path, const char *format, ...)
{
	AUTO_FREE char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	strbuf_addf(&reader->problem, "- %s%s%s: %s\n", where, path ? ", " : "", path ? path : "",
		n < 0 ? "cannot be applied" : text);
}

bool edit_text_is_blank(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

/* --- from blocks to steps --- */

static void edit_text_read_whole(
	struct edit_reader *reader, const struct code_block *block, const char *path, const char *where)
{
	const char *text = code_block_unnamed(block, reader->arena);
	ARENA_PUSH(reader->arena, reader->steps, reader->n,
		(struct edit_step){.kind = EDIT_WHOLE, .path = path, .where = where, .text = text});
}

static void edit_text_read_block(
	struct edit_reader *reader, const struct code_block *block, size_t number)
{
	const char *where = arena_printf(reader->arena, "block %zu", number);
	const char *path = block->filename;
	bool is_search = edit_is_search(block), is_diff = !is_search && edit_is_diff(block);
	bool is_tagged = edit_is_tagged(block) && !path, is_json = false;
	if (!path)
		path = edit_path_of_info(reader, block->info);
	if (!path)
		path = edit_path_of_line(reader, block->lead);
	is_json = !path && !is_search && !is_diff && !is_tagged && edit_is_json(block);
	if (!path && (is_search || is_diff || is_tagged))
		path = edit_path_in_sentence(reader, block->lead);
	if (!path && !is_search && !is_diff && !is_tagged)
		path = edit_path_of_program(reader, block);
	bool is_edit = is_search || is_diff || is_tagged || is_json || path;
	if (block->cut_off && (is_edit || reader->n) && !(is_search && edit_search_is_whole(block)))
		edit_complain(reader, where, path,
			"its closing fence or tag is missing, so its end may be missing, too");
	else if (is_tagged)
		edit_read_tagged(reader, block, path, where);
	else if (is_json)
		edit_read_json(reader, block, path, where);
	else if (is_search)
		edit_read_search(reader, block, path, where);
	else if (is_diff)
		edit_read_diff(reader, block, path, where);
	else if (path)
		edit_text_read_whole(reader, block, path, where);
}

/* --- from steps to texts --- */

static void edit_text_complain_of_missing(struct edit_reader *reader, const struct edit_step *step)
{
	const struct edit_files *files = reader->files;
	const char *name = file_name(step->path), *meant = NULL;
	for (size_t i = 0; i < files->n && !meant; i++)
		if (strcmp(file_name(files->paths[i]), name) == 0)
			meant = files->paths[i];
	if (!meant)
		meant = text_nearest(step->path, files->paths, files->n);
	edit_complain(reader, step->where, step->path, "there is no such file%s%s%s",
		meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

/* The draft of a step's file; a broken one where that cannot be edited. */
static struct draft *edit_text_open_draft(
	struct edit_reader *reader, struct drafts *drafts, const struct edit_step *step)
{
	struct rondo_error err;
	const char *why = NULL;
	for (size_t i = 0; i < drafts->n; i++)
		if (strcmp(drafts->items[i].path, step->path) == 0)
			return &drafts->items[i];
	struct draft draft = {.path = step->path};
	if (edit_check_path(step->path, &err) < 0) {
		edit_complain(reader, step->where, NULL,
			"%s: only files below the tree's root can be edited, and not .git", err.message);
		draft.is_broken = true;
	} else {
		draft.base = reader->files->text(reader->files->owner, step->path, reader->arena, &why);
		draft.text = draft.base;
	}
	if (why) {
		edit_complain(reader, step->where, step->path, "it cannot be edited: %s", why);
		draft.is_broken = true;
	}
	ARENA_PUSH(reader->arena, drafts->items, drafts->n, draft);
	return &drafts->items[drafts->n - 1];
}

/* A line such as "# ... the rest stays as it is", which stands for code that is not there. */
static const char *edit_text_find_elision(struct arena *arena, const char *text, const char *old)
{
	static const char *const words[] = {
		"rest", "existing", "unchanged", "remain", "same", "previous", "other"};
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));) {
		const char *copy = arena_strndup(arena, line, n);
		const char *said = copy + strspn(copy, " \t#/*-;<!%(");
		bool is_dots = text_starts_with(said, "...") || text_starts_with(said, "\xe2\x80\xa6");
		for (size_t i = 0; is_dots && said > copy && i < sizeof words / sizeof *words; i++)
			if (strcasestr(said, words[i]) && !strstr(old ? old : "", copy))
				return said;
	}
	return NULL;
}

/* As the old file has them: line ends, and whether the last line has one. */
static const char *edit_text_as_before(struct arena *arena, const char *text, const char *old)
{
	size_t size = strlen(text), n;
	if (!old || !*old)
		return text;
	const char *end = edit_line_end(old);
	AUTO_STRBUF sb = STRBUF_INIT(2 * size + 2);
	for (const char *line; (line = edit_next_line(&text, &n));) {
		strbuf_add(&sb, line, n);
		strbuf_adds(&sb, end);
	}
	if (!text_ends_with(old, "\n") && sb.length)
		strbuf_truncate(&sb, sb.length - strlen(end));
	return arena_strndup(arena, sb.text, sb.length);
}

static const char *edit_text_write_whole(
	struct edit_reader *reader, const struct edit_step *step, const char *old)
{
	const char *elision = edit_text_find_elision(reader->arena, step->text, old);
	if (elision)
		edit_complain(reader, step->where, step->path,
			"'%.80s' stands for lines that are left out: write them, or change only what is to be "
			"changed",
			elision);
	else if (old && edit_is_piece(reader->arena, step->text, old))
		edit_complain(reader, step->where, step->path,
			"the block holds only a piece of the file, and would take the place of all of it: "
			"change "
			"the piece by a search/replace block, or write the whole file");
	else if (old && !edit_text_is_blank(old) && edit_text_is_blank(step->text))
		edit_complain(reader, step->where, step->path,
			"the block is empty, the file is not; a diff to /dev/null removes a file");
	else
		return edit_text_as_before(reader->arena, step->text, old);
	return NULL;
}

/* The file's text after the step; NULL with a complaint. */
static const char *edit_text_carry_out(
	struct edit_reader *reader, const struct edit_step *step, const char *old)
{
	bool makes =
		step->kind == EDIT_CREATE || (step->kind == EDIT_REPLACE && edit_text_is_blank(step->old));
	if (step->kind == EDIT_WHOLE || (makes && (!old || edit_text_is_blank(old))))
		return edit_text_write_whole(reader, step, old);
	if (!old)
		edit_text_complain_of_missing(reader, step);
	else if (makes)
		edit_complain(reader, step->where, step->path,
			"nothing is said of where to put it, and the file is there already: quote the lines "
			"that stand around it");
	else if (edit_text_find_elision(reader->arena, step->text, old))
		edit_complain(reader, step->where, step->path,
			"'...' stands for lines that are left out: write them");
	else
		return edit_replace(reader, step, old);
	return NULL;
}

static void edit_text_take_step(
	struct edit_reader *reader, struct drafts *drafts, const struct edit_step *step)
{
	struct draft *draft = edit_text_open_draft(reader, drafts, step);
	if (draft->is_broken)
		return;
	if (step->kind == EDIT_REMOVE && !draft->text)
		edit_text_complain_of_missing(reader, step);
	const char *text =
		step->kind == EDIT_REMOVE ? NULL : edit_text_carry_out(reader, step, draft->text);
	draft->is_broken = !text && step->kind != EDIT_REMOVE;
	draft->text = text;
	draft->places++;
}

/* --- from texts to the edit --- */

static bool edit_text_begins_line(const char *text, size_t at)
{
	return !at || text[at - 1] == '\n';
}

/* What lies between equal lines at the beginning and at the end. */
static struct splice edit_text_difference(struct arena *arena, const char *old, const char *new)
{
	size_t n = strlen(old), m = strlen(new), least = n < m ? n : m, head = 0, tail = 0;
	while (head < least && old[head] == new[head])
		head++;
	while (!edit_text_begins_line(old, head))
		head--;
	while (tail < least - head && old[n - 1 - tail] == new[m - 1 - tail])
		tail++;
	while (tail && !(edit_text_begins_line(old, n - tail) && edit_text_begins_line(new, m - tail)))
		tail--;
	return (struct splice){
		head, n - head - tail, arena_strndup(arena, new + head, m - head - tail)};
}

static struct file_edit edit_of(struct arena *arena, const struct draft *draft)
{
	struct file_edit file = {.path = draft->path, .remove = !draft->text};
	char hash[HASH_SIZE];
	if (!draft->base)
		file.content = draft->text;
	if (!draft->base || !draft->text)
		return file;
	hash_bytes(draft->base, strlen(draft->base), hash);
	file.base_hash = arena_strdup(arena, hash);
	ARENA_PUSH(arena, file.splices, file.n, edit_text_difference(arena, draft->base, draft->text));
	return file;
}

static void edit_text_describe(struct strbuf *sb, const struct draft *draft, size_t place)
{
	strbuf_addf(sb, "%s%s", place ? ", " : "", draft->path);
	if (!draft->base)
		strbuf_adds(sb, " (new)");
	else if (!draft->text)
		strbuf_adds(sb, " (removed)");
	else if (draft->places > 1)
		strbuf_addf(sb, " (%zu places)", draft->places);
}

static struct edit edit_text_make_edit(const struct drafts *drafts, struct arena *arena)
{
	struct edit edit = {0};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < drafts->n; i++) {
		const struct draft *draft = &drafts->items[i];
		bool both = draft->base && draft->text;
		if (both ? strcmp(draft->base, draft->text) == 0 : draft->base == draft->text)
			continue;
		if (edit.n < NAMED_FILES)
			edit_text_describe(&sb, draft, edit.n);
		ARENA_PUSH(arena, edit.files, edit.n, edit_of(arena, draft));
	}
	if (edit.n > NAMED_FILES)
		strbuf_addf(&sb, " and %zu more", edit.n - NAMED_FILES);
	edit.description = arena_strndup(arena, sb.text, sb.length);
	return edit;
}

/* Quoted and cut text may end within a character. */
static const char *edit_text_problem_of(struct edit_reader *reader)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_mark_cut(&reader->problem);
	utf8_scrub(&text, reader->problem.text, reader->problem.length);
	return arena_strndup(reader->arena, text.text, text.length);
}

struct edit_reading edit_text_read(
	const char *markdown, const struct edit_files *files, struct arena *arena)
{
	struct edit_reader reader = {
		.files = files, .arena = arena, .problem = STRBUF_INIT(MOST_COMPLAINTS)};
	struct drafts drafts = {0};
	struct edit_reading reading = {0};
	size_t n;
	markdown = edit_unwrapped(&reader, markdown);
	const struct code_block *blocks = edit_blocks(&reader, markdown, &n);
	for (size_t i = 0; i < n; i++)
		edit_text_read_block(&reader, &blocks[i], i + 1);
	for (size_t i = 0; i < reader.n; i++)
		reader.steps[i].path = edit_path_meant(&reader, &reader.steps[i]);
	for (size_t i = 0; i < reader.n; i++)
		edit_text_take_step(&reader, &drafts, &reader.steps[i]);
	if (!reader.problem.length)
		reading.edit = edit_text_make_edit(&drafts, arena);
	if (!reader.problem.length && drafts.n && !reading.edit.n)
		edit_complain(
			&reader, "all blocks", NULL, "the files hold this text already: nothing would change");
	if (reader.problem.length)
		reading.problem = edit_text_problem_of(&reader);
	strbuf_release(&reader.problem);
	return reading;
}
