#include "agents/repair/mutants.h"

#include <string.h>

#include "base/memory.h"

enum {
	LOOKED_AT_MOST = 4000, /* edits of the file, of which few are beside the fix */
	LINES_BESIDE = 1,
};

/* What a fix changes in the fixed text, with the lines beside it. */
static struct text_range mutants_range(const struct file_edit *edit, const char *fixed, size_t n)
{
	const struct splice *last = &edit->splices[edit->n - 1];
	size_t grown = 0, shrunk = 0;
	for (size_t i = 0; i < edit->n; i++) {
		grown += strlen(edit->splices[i].text);
		shrunk += edit->splices[i].length;
	}
	struct text_range range = {
		edit->splices[0].offset, last->offset + last->length + grown - shrunk};
	for (size_t lines = 0; range.start && lines <= LINES_BESIDE; range.start--)
		lines += fixed[range.start - 1] == '\n';
	for (size_t lines = 0; range.end < n && lines <= LINES_BESIDE; range.end++)
		lines += fixed[range.end] == '\n';
	return range;
}

static bool mutants_is_beside(const struct candidate *candidate, struct text_range range)
{
	bool is_small = candidate->rank == CANDIDATE_OPERATOR || candidate->rank == CANDIDATE_LITERAL;
	const struct file_edit *edit = candidate->edit.files;
	for (size_t i = 0; is_small && i < edit->n; i++)
		if (edit->splices[i].offset < range.start ||
			edit->splices[i].offset + edit->splices[i].length > range.end)
			return false;
	return is_small && candidate->edit.n == 1 && edit->n;
}

static bool mutants_is_within_character(const char *text, size_t at)
{
	return ((unsigned char)text[at] & 0xc0) == 0x80;
}

/* The one splice that makes a text of the base. Both end in a NUL. */
static struct splice mutants_splice(
	const struct repair_file *base, const char *text, size_t n, struct arena *arena)
{
	size_t least = base->n < n ? base->n : n, start = 0, end = 0;
	while (start < least && base->text[start] == text[start])
		start++;
	while (start && mutants_is_within_character(text, start))
		start--;
	while (end < least - start && base->text[base->n - 1 - end] == text[n - 1 - end])
		end++;
	while (end && mutants_is_within_character(text, n - end))
		end--;
	return (struct splice){.offset = start,
		.length = base->n - end - start,
		.text = arena_strndup(arena, text + start, n - end - start)};
}

/* Add what a candidate makes of the fixed text, unless that is the base's again. */
static void mutants_add(struct candidates *mutants, const struct candidate *candidate,
	const struct repair_file *fixed, const struct repair_file *base, struct arena *arena)
{
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct file_edit *file = arena_alloc(arena, sizeof *file);
	if (edit_apply(candidate->edit.files, fixed->text, fixed->n, &text, &ignored) < 0 ||
		(text.length == base->n && memcmp(text.text, base->text, base->n) == 0))
		return;
	struct splice splice = mutants_splice(base, text.text, text.length, arena);
	*file = (struct file_edit){
		.path = base->path, .splices = arena_memdup(arena, &splice, sizeof splice), .n = 1};
	struct candidate mutant = {.id = (int64_t)mutants->n + 1,
		.kind = candidate->kind,
		.edit = {.description = candidate->edit.description, .files = file, .n = 1}};
	ARENA_PUSH(arena, mutants->items, mutants->n, mutant);
}

void mutants_make(const struct repair_file *files, size_t n, const struct candidate *fix,
	struct arena *arena, struct candidates *ret_mutants)
{
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	bool is_one = fix->edit.n == 1 && fix->edit.files[0].n;
	const struct repair_file *base =
		is_one ? repair_file_of(files, n, fix->edit.files[0].path) : NULL;
	struct test_report nothing = {0};
	struct candidate candidate;
	*ret_mutants = (struct candidates){.wants_all = true};
	if (!base || base->n_frozen ||
		edit_apply(fix->edit.files, base->text, base->n, &text, &ignored) < 0)
		return;
	struct repair_file fixed = {.path = base->path,
		.text = arena_strndup(arena, text.text, text.length),
		.n = text.length,
		.editable = true};
	struct text_range range = mutants_range(fix->edit.files, fixed.text, fixed.n);
	struct repair *repair = repair_new(arena, &fixed, 1, &nothing);
	for (size_t i = 0;
		 i < LOOKED_AT_MOST && ret_mutants->n < MUTANTS_MOST && repair_next(repair, &candidate);
		 i++)
		if (mutants_is_beside(&candidate, range))
			mutants_add(ret_mutants, &candidate, &fixed, base, arena);
}
