/*
 * What a coder leaves on its way to a fix: scratch files, debug prints, changes of white space.
 * Each is left out where the suite, in a fresh checkout, holds without it. Documentation and new
 * tests stay, and so does each other change of a file that the base has: it may be right where no
 * test looks, such as in the template of a generated file.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/gate/judging.h"

enum { TRIALS_MOST = 6 };

#define WHOLE SIZE_MAX

/* A part of the difference that might go. */
struct piece {
	size_t file, hunk; /* WHOLE: all of the file's change */
	const char *what;
	bool gone;
};

struct cleaning {
	const struct gate *gate;
	struct verdict *verdict;
	struct file_change *files;
	struct hunk **hunks; /* by file */
	size_t *n_hunks, n;
	struct piece *pieces;
	size_t n_pieces;
};

/* --- Lines --- */

static const char *clean_up_lines_of(
	const char *text, size_t n, size_t first, size_t count, size_t *ret_n)
{
	const char *start = text_line(text, n, first);
	*ret_n = (size_t)(text_line(start, n - (size_t)(start - text), count) - start);
	return start;
}

static bool clean_up_begins_with_any(
	const char *text, size_t n, const char *const *starts, size_t n_starts)
{
	for (size_t i = 0; i < n_starts; i++)
		if (text_n_starts_with(text, n, starts[i]))
			return true;
	return false;
}

static bool clean_up_is_debug_print(const char *line, size_t n)
{
	static const char *const starts[] = {"print(", "pprint(", "console.log(", "console.debug(",
		"console.error(", "fprintf(stderr", "printf(", "puts(", "std::cerr", "std::cout",
		"fmt.Print", "log.Print", "println!(", "eprintln!(", "dbg!(", "System.out.print",
		"System.err.print", "echo ", "var_dump(", "error_log(", "breakpoint()", "import pdb",
		"debugger;"};
	return clean_up_begins_with_any(line, n, starts, ARRAY_SIZE(starts));
}

/* Whether lines are debug prints and blank lines only, with one of the first at least. */
static bool clean_up_are_debug_prints(const char *at, size_t n)
{
	bool some = false;
	size_t length;
	for (const char *end = at + n, *line; (line = text_next_line(&at, end, &length));) {
		while (length && isspace((unsigned char)*line))
			line++, length--;
		if (!length)
			continue;
		if (!clean_up_is_debug_print(line, length))
			return false;
		some = true;
	}
	return some;
}

/* The next line that is not blank, without white space at its end; NULL after the last. */
static const char *clean_up_next_line(const char **at, const char *end, size_t *ret_n)
{
	for (const char *line; (line = text_next_line(at, end, ret_n));) {
		while (*ret_n && isspace((unsigned char)line[*ret_n - 1]))
			--*ret_n;
		if (*ret_n)
			return line;
	}
	return NULL;
}

/* Whether two runs of lines are the same but for blank lines and for white space at the ends of
 * lines. */
static bool clean_up_are_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
	const char *end_a = a + n_a, *end_b = b + n_b, *line_a, *line_b;
	do {
		size_t length_a = 0, length_b = 0;
		line_a = clean_up_next_line(&a, end_a, &length_a);
		line_b = clean_up_next_line(&b, end_b, &length_b);
		if (length_a != length_b || (line_a && memcmp(line_a, line_b, length_a) != 0))
			return false;
	} while (line_a);
	return true;
}

/* --- What might go --- */

static void clean_up_add_piece(
	struct cleaning *cleaning, size_t file, size_t hunk, const char *what)
{
	struct arena *arena = cleaning->gate->arena;
	ARENA_PUSH(arena, cleaning->pieces, cleaning->n_pieces,
		(struct piece){.file = file, .hunk = hunk, .what = arena_strdup(arena, what)});
}

static bool clean_up_has_suffix(const char *path, const char *const *suffixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(file_suffix(path), suffixes[i]) == 0)
			return true;
	return false;
}

static bool clean_up_is_documentation(const char *path)
{
	static const char *const suffixes[] = {
		"md", "rst", "txt", "adoc", "html", "1", "5", "scd", "tex", "po"};
	static const char *const names[] = {
		"CHANGES", "CHANGELOG", "NEWS", "README", "AUTHORS", "LICENSE"};
	const char *name = file_name(path);
	return clean_up_has_suffix(path, suffixes, ARRAY_SIZE(suffixes)) ||
		text_starts_with(path, "doc/") || text_starts_with(path, "docs/") ||
		clean_up_begins_with_any(name, strlen(name), names, ARRAY_SIZE(names));
}

static bool clean_up_is_scratch(const char *path)
{
	static const char *const suffixes[] = {
		"orig", "rej", "bak", "tmp", "log", "patch", "diff", "swp"};
	static const char *const starts[] = {
		"repro", "debug", "scratch", "tmp", "temp", "try_", "fix_", "patch_", "verify_", "check_"};
	const char *name = file_name(path);
	return clean_up_has_suffix(path, suffixes, ARRAY_SIZE(suffixes)) ||
		clean_up_begins_with_any(name, strlen(name), starts, ARRAY_SIZE(starts));
}

/* Whether some other changed file says the name, so that the file may be a part of what it does. */
static bool clean_up_is_named(const struct cleaning *cleaning, size_t file)
{
	const char *name = file_name(cleaning->files[file].path);
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < cleaning->n; i++) {
		const struct file_change *other = &cleaning->files[i];
		if (i != file && n && other->text && memmem(other->text, other->n_text, name, n))
			return true;
	}
	return false;
}

static bool clean_up_something_went(const struct cleaning *cleaning)
{
	for (size_t i = 0; i < cleaning->n; i++)
		if (!cleaning->files[i].mode)
			return true;
	return false;
}

static void clean_up_find_in_new_file(struct cleaning *cleaning, size_t i)
{
	const char *path = cleaning->files[i].path;
	if (clean_up_is_scratch(path) && !clean_up_is_named(cleaning, i))
		clean_up_add_piece(
			cleaning, i, WHOLE, arena_printf(cleaning->gate->arena, "%s (a scratch file)", path));
	else if (!clean_up_is_documentation(path) && !clean_up_is_named(cleaning, i) &&
		!clean_up_something_went(cleaning) && cleaning->n > 1)
		clean_up_add_piece(cleaning, i, WHOLE,
			arena_printf(cleaning->gate->arena, "%s (new, and nothing in the fix names it)", path));
}

static void clean_up_find_in_hunks(struct cleaning *cleaning, size_t i)
{
	const struct file_change *file = &cleaning->files[i];
	for (size_t j = 0; j < cleaning->n_hunks[i]; j++) {
		const struct hunk *hunk = &cleaning->hunks[i][j];
		size_t n_old, n_new;
		const char *old =
			clean_up_lines_of(file->old, file->n_old, hunk->old_first, hunk->n_old, &n_old);
		const char *text =
			clean_up_lines_of(file->text, file->n_text, hunk->first, hunk->n, &n_new);
		const char *what = !n_old && clean_up_are_debug_prints(text, n_new) ? "a debug print"
			: clean_up_are_alike(old, n_old, text, n_new)                   ? "white space"
																			: NULL;
		if (what)
			clean_up_add_piece(cleaning, i, j,
				arena_printf(
					cleaning->gate->arena, "%s:%zu (%s)", file->path, hunk->first + 1, what));
	}
}

static void clean_up_find_pieces(struct cleaning *cleaning)
{
	for (size_t i = 0; i < cleaning->n; i++) {
		const struct file_change *file = &cleaning->files[i];
		if (!file->old && file->text)
			clean_up_find_in_new_file(cleaning, i);
		else if (file->old && file->text)
			clean_up_find_in_hunks(cleaning, i);
	}
}

/* --- The tree without them --- */

/* A file's text with the hunks that go put back as they were. */
static struct file_change clean_up_without(
	const struct cleaning *cleaning, size_t i, struct arena *arena)
{
	struct file_change file = cleaning->files[i];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	size_t at = 0;
	for (size_t j = 0; j < cleaning->n_pieces; j++) {
		const struct piece *piece = &cleaning->pieces[j];
		if (!piece->gone || piece->file != i)
			continue;
		if (piece->hunk == WHOLE)
			return (struct file_change){
				.path = file.path, .text = file.old, .n_text = file.n_old, .mode = file.old_mode};
		const struct hunk *hunk = &cleaning->hunks[i][piece->hunk];
		size_t n_kept, n_old;
		const char *kept = clean_up_lines_of(file.text, file.n_text, at, hunk->first - at, &n_kept);
		const char *old =
			clean_up_lines_of(file.old, file.n_old, hunk->old_first, hunk->n_old, &n_old);
		strbuf_add(&text, kept, n_kept);
		strbuf_add(&text, old, n_old);
		at = hunk->first + hunk->n;
	}
	size_t n_rest;
	const char *rest = clean_up_lines_of(file.text, file.n_text, at, SIZE_MAX, &n_rest);
	strbuf_add(&text, rest, n_rest);
	file.text = arena_strndup(arena, text.text, text.length);
	file.n_text = text.length;
	return file;
}

static bool clean_up_is_touched(const struct cleaning *cleaning, size_t file)
{
	for (size_t i = 0; i < cleaning->n_pieces; i++)
		if (cleaning->pieces[i].gone && cleaning->pieces[i].file == file)
			return true;
	return false;
}

static int clean_up_make_tree(const struct cleaning *cleaning, const struct object *tree,
	struct object *ret_tree, struct rondo_error *err)
{
	struct file_change *files = NULL;
	size_t n = 0;
	for (size_t i = 0; i < cleaning->n; i++)
		if (clean_up_is_touched(cleaning, i))
			ARENA_PUSH(cleaning->gate->arena, files, n,
				clean_up_without(cleaning, i, cleaning->gate->arena));
	return repository_with_files(cleaning->gate->repository, tree, files, n, ret_tree, err);
}

/* Judge the tree without the pieces that are gone; ret_holds: then it is the verdict's from now
 * on. */
static int clean_up_try_without(struct cleaning *cleaning, const struct object *whole,
	struct judging *first, bool *ret_holds, struct rondo_error *err)
{
	struct object tree;
	struct judging judging;
	struct judging_order order = {.name = "clean-up"};
	*ret_holds = false;
	if (clean_up_make_tree(cleaning, whole, &tree, err) < 0)
		return -1;
	if (strcmp(tree.hex, cleaning->gate->base->tree.hex) == 0)
		return 0;
	if (judging_run(cleaning->gate, &tree, &order, &judging, err) < 0)
		return -1;
	*ret_holds = judging_holds(&judging);
	if (*ret_holds) {
		cleaning->verdict->tree = tree;
		*first = judging;
	}
	return 0;
}

/* All at once, else one after the other. */
static int clean_up_drop_pieces(
	struct cleaning *cleaning, struct judging *first, struct rondo_error *err)
{
	struct object whole = cleaning->verdict->tree;
	bool holds = false;
	for (size_t i = 0; i < cleaning->n_pieces; i++)
		cleaning->pieces[i].gone = true;
	if (clean_up_try_without(cleaning, &whole, first, &holds, err) < 0 || holds)
		return holds ? 0 : -1;
	for (size_t i = 0; i < cleaning->n_pieces; i++)
		cleaning->pieces[i].gone = false;
	for (size_t i = 0; i < cleaning->n_pieces && i < TRIALS_MOST && cleaning->n_pieces > 1; i++) {
		cleaning->pieces[i].gone = true;
		if (clean_up_try_without(cleaning, &whole, first, &holds, err) < 0)
			return -1;
		cleaning->pieces[i].gone = holds;
	}
	return 0;
}

static int clean_up_read_changes(struct cleaning *cleaning, struct rondo_error *err)
{
	const struct gate *gate = cleaning->gate;
	if (repository_changes(gate->repository, &gate->base->tree, &cleaning->verdict->tree,
			gate->arena, &cleaning->files, &cleaning->n, err) < 0)
		return -1;
	cleaning->hunks = arena_alloc(gate->arena, cleaning->n * sizeof *cleaning->hunks);
	cleaning->n_hunks = arena_alloc(gate->arena, cleaning->n * sizeof *cleaning->n_hunks);
	for (size_t i = 0; i < cleaning->n; i++)
		if (file_change_hunks(&cleaning->files[i], gate->arena, &cleaning->hunks[i],
				&cleaning->n_hunks[i], err) < 0)
			return -1;
	return 0;
}

int clean_up(const struct gate *gate, struct verdict *verdict, struct judging *first,
	struct rondo_error *err)
{
	struct cleaning cleaning = {.gate = gate, .verdict = verdict};
	if (clean_up_read_changes(&cleaning, err) < 0)
		return -1;
	clean_up_find_pieces(&cleaning);
	if (cleaning.n_pieces && clean_up_drop_pieces(&cleaning, first, err) < 0)
		return -1;
	for (size_t i = 0; i < cleaning.n_pieces; i++)
		if (cleaning.pieces[i].gone)
			ARENA_PUSH(gate->arena, verdict->dropped, verdict->n_dropped, cleaning.pieces[i].what);
	return 0;
}
