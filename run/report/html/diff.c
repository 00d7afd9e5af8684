/* A diff, old and new side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "run/report/html/html.h"

enum { MOST_ROWS = 4000, SIDES = 2, OLD = 0, NEW = 1 };

struct diff_line {
	size_t from, to; /* in its side's text */
	long number;
};

/* One side of a hunk. */
struct diff_side {
	struct strbuf text;
	struct diff_line *lines;
	size_t n;
	struct html_code code;
};

struct diff {
	struct strbuf *sb;
	struct arena *arena; /* of one hunk */
	const char *path;
	struct diff_side sides[SIDES];
	unsigned char *signs; /* of the hunk's lines: ' ', '-', '+' */
	size_t n_signs, n_rows;
	long left[SIDES], number[SIDES]; /* lines that the hunk still has; the next one's number */
	bool in_table;
};

/* --- Rows --- */

static void cell_add(struct diff *diff, size_t side, size_t i, const char *class, char sign)
{
	const struct diff_side *at = &diff->sides[side];
	const struct diff_line *line = &at->lines[i];
	strbuf_addf(diff->sb, "<td class=\"no %s%s\">%ld%s</td><td class=\"code %s%s\">", class,
		side == NEW ? " new" : "", line->number,
		sign == '-'       ? " \u2212"
			: sign == '+' ? " +"
						  : "",
		class, side == NEW ? " new" : "");
	html_code_add(diff->sb, &at->code, line->from, line->to);
	strbuf_adds(diff->sb, "</td>");
}

static void cell_add_none(struct diff *diff)
{
	strbuf_adds(diff->sb, "<td class=\"none\"></td><td class=\"none\"></td>");
}

static void row_add_same(struct diff *diff, size_t old, size_t new)
{
	strbuf_adds(diff->sb, "<tr class=\"same\">");
	cell_add(diff, OLD, old, "eq", ' ');
	cell_add(diff, NEW, new, "eq", ' ');
	strbuf_adds(diff->sb, "</tr>\n");
}

static void rows_mark(struct diff *diff, size_t old, size_t new)
{
	struct diff_side *a = &diff->sides[OLD], *b = &diff->sides[NEW];
	struct diff_line *x = &a->lines[old], *y = &b->lines[new];
	words_mark(a->text.text + x->from, x->to - x->from, a->code.marks + x->from,
		b->text.text + y->from, y->to - y->from, b->code.marks + y->from);
}

static void rows_add_changed(struct diff *diff, size_t old, size_t n_old, size_t new, size_t n_new)
{
	for (size_t i = 0; i < n_old || i < n_new; i++) {
		if (i < n_old && i < n_new)
			rows_mark(diff, old + i, new + i);
		strbuf_adds(diff->sb, "<tr>");
		if (i < n_old)
			cell_add(diff, OLD, old + i, "del", '-');
		else
			cell_add_none(diff);
		if (i < n_new)
			cell_add(diff, NEW, new + i, "ins", '+');
		else
			cell_add_none(diff);
		strbuf_adds(diff->sb, "</tr>\n");
	}
}

/* --- Hunks --- */

static size_t signs_count(const struct diff *diff, size_t at, unsigned char sign)
{
	size_t n = 0;
	while (at + n < diff->n_signs && diff->signs[at + n] == sign)
		n++;
	return n;
}

static void hunk_add_rows(struct diff *diff)
{
	size_t old = 0, new = 0;
	for (size_t at = 0; at < diff->n_signs;) {
		if (diff->signs[at] == ' ') {
			row_add_same(diff, old++, new ++);
			at++;
			continue;
		}
		size_t n_old = signs_count(diff, at, '-');
		size_t n_new = signs_count(diff, at + n_old, '+');
		rows_add_changed(diff, old, n_old, new, n_new);
		old += n_old;
		new += n_new;
		at += n_old + n_new;
	}
}

/* The hunk has ended: show it. */
static void hunk_end(struct diff *diff)
{
	for (size_t i = 0; diff->n_signs && i < SIDES; i++) {
		struct diff_side *side = &diff->sides[i];
		html_code_read(
			&side->code, language_of(diff->path), side->text.text, side->text.length, diff->arena);
	}
	hunk_add_rows(diff);
	for (size_t i = 0; i < SIDES; i++) {
		strbuf_release(&diff->sides[i].text);
		diff->sides[i] = (struct diff_side){.text = STRBUF_INIT(STRBUF_RECORD)};
		diff->left[i] = 0;
	}
	diff->signs = NULL;
	diff->n_signs = 0;
	arena_release(diff->arena);
}

static bool hunk_goes_on(const struct diff *diff)
{
	return diff->left[OLD] > 0 || diff->left[NEW] > 0;
}

/* "@@ -42,7 +42,7 @@ class Cart:" */
static void hunk_begin(struct diff *diff, const char *line, size_t n)
{
	char head[128];
	snprintf(head, sizeof head, "%.*s", (int)n, line);
	long counts[SIDES] = {1, 1}, starts[SIDES] = {0, 0};
	char *at = head + strlen("@@");
	for (size_t i = 0; i < SIDES; i++) {
		at += strspn(at, " -+");
		starts[i] = strtol(at, &at, 10);
		if (*at == ',')
			counts[i] = strtol(at + 1, &at, 10);
	}
	memcpy(diff->left, counts, sizeof counts);
	memcpy(diff->number, starts, sizeof starts);
	const char *rest = memmem(line + 2, n - 2, "@@", 2);
	size_t skip = rest ? (size_t)(rest - line) + 2 : n;
	skip += skip < n && line[skip] == ' ';
	strbuf_addf(diff->sb, "<tr class=\"hunk\"><td colspan=\"4\">from line %ld ", starts[NEW]);
	html_add_n(diff->sb, line + skip, n - skip);
	strbuf_adds(diff->sb, "</td></tr>\n");
}

static void hunk_take_side(struct diff *diff, size_t i, const char *text, size_t n)
{
	struct diff_side *side = &diff->sides[i];
	size_t from = side->text.length;
	strbuf_add(&side->text, text, n);
	ARENA_PUSH(diff->arena, side->lines, side->n,
		(struct diff_line){from, side->text.length, diff->number[i]++});
	strbuf_addc(&side->text, '\n');
	diff->left[i]--;
}

static void hunk_take(struct diff *diff, const char *line, size_t n)
{
	unsigned char sign = n ? (unsigned char)line[0] : ' ';
	if (sign != ' ' && sign != '-' && sign != '+')
		return; /* no newline at the end of the file */
	ARENA_PUSH(diff->arena, diff->signs, diff->n_signs, sign);
	if (sign != '+')
		hunk_take_side(diff, OLD, line + (n > 0), n - (n > 0));
	if (sign != '-')
		hunk_take_side(diff, NEW, line + (n > 0), n - (n > 0));
	diff->n_rows++;
	if (!hunk_goes_on(diff))
		hunk_end(diff);
}

/* --- Files --- */

static void file_end(struct diff *diff)
{
	hunk_end(diff);
	strbuf_adds(diff->sb, diff->in_table ? "</table></details>\n" : "");
	diff->in_table = false;
}

/* "diff --git a/PATH b/PATH" */
static void file_begin(struct diff *diff, const char *line, size_t n, struct arena *arena)
{
	size_t head = strlen("diff --git "), length = n - head;
	const char *second = line + head + length / 2 + 1;
	bool is_same = length > 5 && text_n_starts_with(second, 2, "b/");
	file_end(diff);
	diff->path = arena_strndup(arena, is_same ? second + 2 : line + head,
		is_same ? (size_t)(line + n - second - 2) : length);
	strbuf_adds(diff->sb, "<details class=\"file\" open=\"open\"><summary><code>");
	html_add(diff->sb, diff->path);
	strbuf_adds(diff->sb,
		"</code></summary>\n<table class=\"diff\"><colgroup><col class=\"no\"/><col/>"
		"<col class=\"no\"/><col/></colgroup><thead class=\"unseen\"><tr>"
		"<th scope=\"col\">line</th><th scope=\"col\">before</th><th scope=\"col\">line</th>"
		"<th scope=\"col\">after</th></tr></thead>\n");
	diff->in_table = true;
}

static void file_note(struct diff *diff, const char *line, size_t n)
{
	static const char *const notes[] = {"new file", "deleted file", "rename ", "old mode",
		"new mode", "Binary files", "GIT binary patch"};
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		if (!text_n_starts_with(line, n, notes[i]))
			continue;
		strbuf_adds(diff->sb, "<tr class=\"hunk\"><td colspan=\"4\">");
		html_add_n(diff->sb, line, n);
		strbuf_adds(diff->sb, "</td></tr>\n");
	}
}

static void diff_take(struct diff *diff, const char *line, size_t n, struct arena *arena)
{
	if (hunk_goes_on(diff))
		hunk_take(diff, line, n);
	else if (text_n_starts_with(line, n, "diff --git "))
		file_begin(diff, line, n, arena);
	else if (diff->in_table && text_n_starts_with(line, n, "@@ "))
		hunk_begin(diff, line, n);
	else if (diff->in_table)
		file_note(diff, line, n);
}

void html_add_diff(struct strbuf *sb, const char *patch, size_t n, struct arena *arena)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF valid = STRBUF_INIT(STRBUF_RECORD);
	struct diff diff = {.sb = sb, .arena = &scratch, .path = ""};
	utf8_scrub(&valid, patch, n);
	const char *at = valid.text, *end = at + valid.length, *line;
	diff.sides[OLD].text = diff.sides[NEW].text = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
	while (diff.n_rows < MOST_ROWS && (line = text_next_line(&at, end, &n)))
		diff_take(&diff, line, n, arena);
	file_end(&diff);
	strbuf_release(&diff.sides[OLD].text);
	strbuf_release(&diff.sides[NEW].text);
	if (at < end)
		strbuf_adds(sb, "<p class=\"note\">The rest is left out: rondo show --diff has it.</p>\n");
}
