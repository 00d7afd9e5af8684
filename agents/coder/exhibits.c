/*
 * Pieces of files, chosen within a budget. A part of it is for the failing tests, most of it for
 * what they run, and a part for who calls that; what room is left shows the rest of these files. A
 * file that is small, or shown for the most part, is shown whole.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/coder/showing.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"

enum {
	SMALL = 3 << 10,    /* bytes of a file that is not worth cutting */
	SMALL_SHARE = 8,    /* but no more than such a part of the room */
	GAP_MOST = 3,       /* lines between two pieces that are shown, too */
	LEAST_PIECE = 256,  /* bytes that are worth showing */
	LARGE_SHARE = 4,    /* a part of the room: what is larger is cut */
	HEADING_MOST = 100, /* bytes of a heading and a fence, but for the path */
	LARGEST_TEXT = 1 << 20,
	AROUND_MOST = 40, /* lines on each side of a place */
};

/* --- One file --- */

static void exhibit_add_piece(const struct exhibit *exhibit, const char *mark, uint32_t first,
	uint32_t last, struct strbuf *sb)
{
	strbuf_addf(sb, "\n%s%s", exhibit->path, mark);
	if (first == last && exhibit->n_lines > 1)
		strbuf_addf(sb, " (line %u of %u)", first, exhibit->n_lines);
	else if (first > 1 || last < exhibit->n_lines)
		strbuf_addf(sb, " (lines %u to %u of %u)", first, last, exhibit->n_lines);
	strbuf_addc(sb, '\n');
	size_t start = exhibit->starts[first];
	add_fenced(
		sb, file_suffix(exhibit->path), exhibit->text + start, exhibit->starts[last + 1] - start);
}

static void exhibit_add(const struct exhibit *exhibit, const char *mark, struct strbuf *sb)
{
	for (uint32_t line = 1, last; line <= exhibit->n_lines; line = last + 1) {
		for (last = line; last < exhibit->n_lines && exhibit->lines[last + 1]; last++)
			if (!exhibit->lines[line])
				break;
		if (exhibit->lines[line])
			exhibit_add_piece(exhibit, mark, line, last, sb);
	}
}

/* A few lines between two pieces cost less than another heading, and nobody wonders about them. */
static void exhibit_fill_gaps(struct exhibit *exhibit)
{
	uint32_t since = GAP_MOST + 1; /* lines since the last one that is shown */
	for (uint32_t line = 1; line <= exhibit->n_lines; line++) {
		for (uint32_t i = 1; exhibit->lines[line] && since <= GAP_MOST && i <= since; i++)
			exhibit->lines[line - i] = true;
		since = exhibit->lines[line] ? 0 : since + 1;
	}
}

static bool exhibit_is_whole(const struct exhibit *exhibit)
{
	for (uint32_t line = 1; line <= exhibit->n_lines; line++)
		if (!exhibit->lines[line])
			return false;
	return true;
}

static void exhibit_index(struct exhibit *exhibit, size_t n, struct arena *arena)
{
	size_t lines = text_count_lines(exhibit->text, n);
	lines += n && exhibit->text[n - 1] != '\n';
	exhibit->n_lines = (uint32_t)lines;
	exhibit->lines = arena_alloc(arena, (lines + 2) * sizeof *exhibit->lines);
	exhibit->starts = arena_alloc(arena, (lines + 2) * sizeof *exhibit->starts);
	const char *at = exhibit->text, *newline;
	for (size_t line = 1; line <= lines; line++) {
		exhibit->starts[line] = (size_t)(at - exhibit->text);
		newline = memchr(at, '\n', n - exhibit->starts[line]);
		at = newline ? newline + 1 : exhibit->text + n;
	}
	exhibit->starts[lines + 1] = n;
}

/* --- Choosing --- */

static struct exhibit *exhibits_find(const struct exhibits *exhibits, const char *path)
{
	for (size_t i = 0; i < exhibits->n; i++)
		if (strcmp(exhibits->items[i].path, path) == 0)
			return &exhibits->items[i];
	return NULL;
}

/* The exhibit of a file, new where there was none, but only text can be shown. */
static struct exhibit *exhibits_take(struct exhibits *exhibits, const struct excerpt *excerpt)
{
	const struct repair_file *file = excerpt->file;
	struct exhibit *found = exhibits_find(exhibits, file->path);
	if (found)
		return found;
	if (!file->n || file->n > LARGEST_TEXT || memchr(file->text, 0, file->n))
		return NULL;
	const char *text = source_decode(file->text, file->n, exhibits->arena);
	ARENA_PUSH(exhibits->arena, exhibits->items, exhibits->n,
		(struct exhibit){.path = file->path, .text = text});
	exhibit_index(&exhibits->items[exhibits->n - 1], strlen(text), exhibits->arena);
	return &exhibits->items[exhibits->n - 1];
}

/* Show what `lines` says of a file instead, unless more than `limit` bytes are used then. */
static bool exhibits_set(
	struct exhibits *exhibits, struct exhibit *exhibit, bool *lines, size_t limit)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct exhibit changed = *exhibit;
	changed.lines = lines;
	exhibit_fill_gaps(&changed);
	exhibit_add(&changed, showing_mark(exhibits->services, exhibit->path), &text);
	changed.cost = text.length;
	size_t used = exhibits->used - exhibit->cost + changed.cost;
	if (used > limit)
		return false;
	exhibits->used = used;
	*exhibit = changed;
	return true;
}

static bool exhibits_show_whole(struct exhibits *exhibits, struct exhibit *exhibit, size_t limit)
{
	if (exhibit_is_whole(exhibit))
		return true;
	bool *lines = arena_alloc(exhibits->arena, (exhibit->n_lines + 2) * sizeof *lines);
	memset(lines + 1, true, exhibit->n_lines * sizeof *lines);
	return exhibits_set(exhibits, exhibit, lines, limit);
}

static bool exhibits_show_lines(struct exhibits *exhibits, struct exhibit *exhibit,
	const struct excerpt *excerpt, uint32_t first, uint32_t last, size_t limit)
{
	const uint32_t runs[][2] = {{first, last}, {excerpt->class_first, excerpt->class_last}};
	size_t n = (exhibit->n_lines + 2) * sizeof *exhibit->lines, missing = 0;
	bool *lines = arena_memdup(exhibits->arena, exhibit->lines, n);
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		for (uint32_t line = runs[i][0]; line && line <= runs[i][1]; line++)
			if (line <= exhibit->n_lines) {
				missing += !lines[line];
				lines[line] = true;
			}
	return !missing || exhibits_set(exhibits, exhibit, lines, limit);
}

/* Of what is too large, the lines around the likeliest one. */
static bool exhibits_show_part(
	struct exhibits *exhibits, struct exhibit *exhibit, const struct excerpt *excerpt, size_t limit)
{
	size_t most = limit > exhibits->used ? (limit - exhibits->used) / 4 * 3 : 0;
	size_t around = strlen(exhibit->path) * 2 + (size_t)HEADING_MOST * 2;
	uint32_t first = excerpt->line, last = excerpt->line;
	if (most < around + LEAST_PIECE || last > exhibit->n_lines)
		return false;
	most -= around;
	for (bool grows = true; grows;) {
		uint32_t next_first = first > excerpt->first ? first - 1 : first;
		uint32_t next_last = last < excerpt->last && last < exhibit->n_lines ? last + 1 : last;
		grows = (next_first < first || next_last > last) &&
			exhibit->starts[next_last + 1] - exhibit->starts[next_first] <= most;
		first = grows ? next_first : first;
		last = grows ? next_last : last;
	}
	return exhibits_show_lines(exhibits, exhibit, excerpt, first, last, limit);
}

static bool exhibits_is_small(const struct exhibits *exhibits, const struct exhibit *exhibit)
{
	size_t n = exhibit->starts[exhibit->n_lines + 1];
	return n <= SMALL && n <= exhibits->room / SMALL_SHARE;
}

/* Show an excerpt, its small file, or nothing where there is no room. */
static void exhibits_show(struct exhibits *exhibits, const struct excerpt *excerpt, size_t limit)
{
	struct exhibit *exhibit = exhibits_take(exhibits, excerpt);
	if (!exhibit)
		return;
	if (exhibits_is_small(exhibits, exhibit) && exhibits_show_whole(exhibits, exhibit, limit))
		return;
	uint32_t last = excerpt->last < exhibit->n_lines ? excerpt->last : exhibit->n_lines;
	bool is_large = excerpt->first <= last &&
		exhibit->starts[last + 1] - exhibit->starts[excerpt->first] > exhibits->room / LARGE_SHARE;
	if (!exhibits_show_lines(exhibits, exhibit, excerpt, excerpt->first, last, limit) && is_large)
		exhibits_show_part(exhibits, exhibit, excerpt, limit);
}

static void exhibits_show_all(struct exhibits *exhibits, const struct excerpt *excerpts, size_t n,
	enum excerpt_kind kind, size_t limit)
{
	for (size_t i = 0; i < n; i++)
		if (excerpts[i].kind == kind)
			exhibits_show(exhibits, &excerpts[i], limit);
}

/* Where red tests are said to fail in files that repair does not know. */
static void exhibits_show_places(
	struct exhibits *exhibits, const struct test_report *report, size_t limit)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status) || !result->file || result->line < 1 ||
			exhibits_find(exhibits, result->file))
			continue;
		const char *why,
			*text = source_text(exhibits->services, result->file, exhibits->arena, &why);
		uint32_t line = (uint32_t)result->line;
		const struct repair_file file = {
			.path = result->file, .text = text, .n = text ? strlen(text) : 0};
		exhibits_show(exhibits,
			&(struct excerpt){.file = &file,
				.first = line > AROUND_MOST ? line - AROUND_MOST : 1,
				.last = line + AROUND_MOST,
				.line = line},
			limit);
	}
}

/* The rest of the files, but for those of long tests: what else these test is no matter. */
static void exhibits_show_rest(struct exhibits *exhibits)
{
	for (size_t i = 0; i < exhibits->n; i++)
		if (!*showing_mark(exhibits->services, exhibits->items[i].path))
			exhibits_show_whole(exhibits, &exhibits->items[i], exhibits->room);
}

void exhibits_choose(struct exhibits *exhibits, const struct excerpt *excerpts, size_t n,
	const struct test_report *report)
{
	size_t room = exhibits->room;
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_TEST, room / 3);
	exhibits_show_places(exhibits, report, room / 2);
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_RUN, room - room / 6);
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_CALLER, room);
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_IMPORTS, room);
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_RUN, room);
	exhibits_show_rest(exhibits);
	exhibits_show_all(exhibits, excerpts, n, EXCERPT_REACHED, room);
}

/* --- What was chosen --- */

void exhibits_add(const struct exhibits *exhibits, struct strbuf *sb)
{
	for (size_t i = 0; i < exhibits->n; i++)
		exhibit_add(
			&exhibits->items[i], showing_mark(exhibits->services, exhibits->items[i].path), sb);
}

bool exhibits_have_whole(const struct exhibits *exhibits, const char *path)
{
	const struct exhibit *exhibit = exhibits_find(exhibits, path);
	return exhibit && exhibit_is_whole(exhibit);
}
