/*
 * Where a block's lines stand in a file. Tried in this order: as they are; without blanks at line
 * ends; all of them moved by one indentation; then the same again with one, two ... of the lines
 * around the change left out. What fits first must fit one place only. Lines that a block does not
 * change stay as the file has them.
 */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

enum {
	LEAVE_OUT_MOST = 3, /* unchanged lines on each side */
	NEAREST_LINES = 24, /* that a complaint quotes */
	NEAREST_TEXT = 240, /* bytes of each of them */
};

enum fit { FIT_EXACT, FIT_TRAILING, FIT_SHIFTED, FITS };

struct line {
	const char *text;
	size_t n;     /* without the line's end */
	size_t whole; /* with it */
};

struct lines {
	struct line *items;
	size_t n;
};

/* A block: what it wants to find, what it wants to put there, and how much of both is equal. */
struct block {
	struct lines old, new;
	size_t before, after; /* equal lines at the beginning and at the end */
};

/* White space that the file has before each line and the block has not, or the other way round. */
struct shift {
	const char *indent;
	size_t n;
	bool is_set, removes;
};

struct place {
	size_t at; /* where the block's first changed line stands in the file */
	struct shift shift;
};

struct search {
	const struct lines *file;
	const struct block *block;
	struct place places[2]; /* the first two that fit alike */
	size_t n;
};

const char *edit_next_line(const char **at, size_t *ret_n)
{
	const char *line = *at;
	if (!*line)
		return NULL;
	size_t n = strcspn(line, "\n");
	*at = line + n + (line[n] == '\n');
	*ret_n = n && line[n - 1] == '\r' ? n - 1 : n;
	return line;
}

const char *edit_line_end(const char *text)
{
	const char *newline = strchr(text, '\n');
	return newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
}

static struct lines place_split(struct arena *arena, const char *text)
{
	const char *at = text;
	size_t n, most = 1;
	for (const char *newline = text; (newline = strchr(newline, '\n')); newline++)
		most++;
	struct lines lines = {.items = arena_alloc(arena, most * sizeof *lines.items)};
	for (const char *line; (line = edit_next_line(&at, &n));)
		lines.items[lines.n++] = (struct line){line, n, (size_t)(at - line)};
	return lines;
}

static size_t place_trimmed(const struct line *line)
{
	size_t n = line->n;
	while (n && isspace((unsigned char)line->text[n - 1]))
		n--;
	return n;
}

static size_t place_indentation(const struct line *line)
{
	size_t n = place_trimmed(line), indent = 0;
	while (indent < n && (line->text[indent] == ' ' || line->text[indent] == '\t'))
		indent++;
	return indent;
}

static bool place_equal(const struct line *a, const struct line *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static bool place_ends_with(const struct line *line, size_t n, const struct line *end, size_t end_n)
{
	return n >= end_n && memcmp(line->text + n - end_n, end->text, end_n) == 0;
}

/* Whether the file's line is the block's, moved by the shift, which the first line that is not
 * blank sets. */
static bool place_fits_shifted(const struct line *own, const struct line *line, struct shift *shift)
{
	size_t own_n = place_trimmed(own), n = place_trimmed(line);
	if (!own_n || !n)
		return own_n == n;
	bool removes = own_n < n;
	const struct line *longer = removes ? line : own;
	size_t by = removes ? n - own_n : own_n - n;
	size_t longer_n = removes ? n : own_n, rest_n = removes ? own_n : n;
	if (by > place_indentation(longer) ||
		!place_ends_with(longer, longer_n, removes ? own : line, rest_n))
		return false;
	if (!shift->is_set)
		*shift =
			(struct shift){.indent = longer->text, .n = by, .is_set = true, .removes = removes};
	return shift->n == by &&
		(!by || (shift->removes == removes && memcmp(shift->indent, longer->text, by) == 0));
}

static bool place_fits(
	enum fit fit, const struct line *own, const struct line *line, struct shift *shift)
{
	if (fit == FIT_EXACT)
		return place_equal(own, line);
	if (fit == FIT_SHIFTED)
		return place_fits_shifted(own, line, shift);
	size_t n = place_trimmed(own);
	return n == place_trimmed(line) && memcmp(own->text, line->text, n) == 0;
}

static struct block place_make_block(struct arena *arena, const struct edit_step *step)
{
	struct block block = {
		.old = place_split(arena, step->old), .new = place_split(arena, step->text)};
	size_t least = block.old.n < block.new.n ? block.old.n : block.new.n;
	while (block.before < least &&
		place_equal(&block.old.items[block.before], &block.new.items[block.before]))
		block.before++;
	for (; block.after < least - block.before; block.after++) {
		size_t old = block.old.n - 1 - block.after, new = block.new.n - 1 - block.after;
		if (!place_equal(&block.old.items[old], &block.new.items[new]))
			break;
	}
	return block;
}

/* Whether the new lines can be moved as the old ones have to be. */
static bool place_can_shift(const struct block *block, const struct shift *shift)
{
	for (size_t i = block->before; shift->removes && i < block->new.n - block->after; i++) {
		const struct line *line = &block->new.items[i];
		if (place_trimmed(line) &&
			(line->n < shift->n || memcmp(line->text, shift->indent, shift->n) != 0))
			return false;
	}
	return true;
}

/* The longest of n lines, which is looked at first: where it does not fit, none of the others need
 * be. */
static size_t place_find_longest(const struct line *lines, size_t n)
{
	size_t longest = 0;
	for (size_t i = 1; i < n; i++)
		if (place_trimmed(&lines[i]) > place_trimmed(&lines[longest]))
			longest = i;
	return longest;
}

/* Find the old lines but for the first and the last few. */
static void place_find(struct search *search, enum fit fit, size_t first, size_t last)
{
	const struct lines *file = search->file, *old = &search->block->old;
	size_t n = old->n - first - last, longest = place_find_longest(old->items + first, n);
	for (size_t at = 0; at + n <= file->n && search->n < 2; at++) {
		struct shift shift = {0};
		size_t i = 0;
		if (!place_fits(fit, &file->items[at + longest], &old->items[first + longest], &shift))
			continue;
		while (i < n && place_fits(fit, &file->items[at + i], &old->items[first + i], &shift))
			i++;
		struct place place = {.at = at + search->block->before - first, .shift = shift};
		if (i < n || !place_can_shift(search->block, &shift) ||
			(search->n && search->places[0].at == place.at))
			continue;
		search->places[search->n++] = place;
	}
}

/* What is left must say something: a lone brace is no place. */
static bool place_says_something(const struct lines *old, size_t first, size_t last)
{
	for (size_t i = first; i + last < old->n; i++) {
		const unsigned char *text = (const unsigned char *)old->items[i].text;
		for (size_t j = 0; j < old->items[i].n; j++)
			if (isalnum(text[j]) || text[j] >= 0x80)
				return true;
	}
	return false;
}

static void place_find_places(struct search *search)
{
	const struct block *block = search->block;
	for (size_t out = 0; out <= 2 * (size_t)LEAVE_OUT_MOST && !search->n; out++) {
		for (int fit = 0; fit < FITS && !search->n; fit++) {
			for (size_t first = 0; first <= out && first <= LEAVE_OUT_MOST; first++) {
				size_t last = out - first;
				bool is_possible =
					last <= LEAVE_OUT_MOST && first <= block->before && last <= block->after;
				if (is_possible && (!out || place_says_something(&block->old, first, last)))
					place_find(search, (enum fit)fit, first, last);
			}
		}
	}
}

/* How alike two lines are, 0 to 4; blank lines are not compared. */
static size_t place_likeness(const struct line *a, const struct line *b)
{
	size_t from_a = place_indentation(a), from_b = place_indentation(b),
		   n = place_trimmed(a) - from_a, m = place_trimmed(b) - from_b;
	size_t least = n < m ? n : m, most = n < m ? m : n, head = 0, tail = 0;
	if (!least)
		return 0;
	while (head < least && a->text[from_a + head] == b->text[from_b + head])
		head++;
	while (tail < least - head && a->text[from_a + n - 1 - tail] == b->text[from_b + m - 1 - tail])
		tail++;
	size_t tenths = 10 * (head + tail) / most;
	return tenths == 10 ? 4 : tenths >= 8 ? 3 : tenths >= 6 ? 2 : 0;
}

/* The line at which the old lines would fit best, or the number of lines. */
static size_t place_nearest(const struct lines *file, const struct lines *old)
{
	size_t most = 0, best = file->n, n = old->n < NEAREST_LINES ? old->n : NEAREST_LINES;
	for (size_t at = 0; at < file->n; at++) {
		size_t sum = 0;
		for (size_t i = 0; i < n && at + i < file->n; i++)
			sum += place_likeness(&file->items[at + i], &old->items[i]);
		if (sum > most) {
			most = sum;
			best = at;
		}
	}
	return best;
}

static void place_quote(struct strbuf *sb, const struct lines *file, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct line *line = &file->items[i];
		size_t n = line->n < NEAREST_TEXT ? line->n : NEAREST_TEXT;
		while (n < line->n && ((unsigned char)line->text[n] & 0xc0) == 0x80)
			n--;
		strbuf_addf(sb, "\n    %zu | %.*s%s", i + 1, (int)n, line->text, n < line->n ? " ..." : "");
	}
}

static void place_complain_of_none(struct edit_reader *reader, const struct edit_step *step,
	const struct lines *file, const struct lines *old)
{
	size_t at = place_nearest(file, old);
	AUTO_STRBUF lines = STRBUF_INIT(STRBUF_LINE);
	if (at == file->n) {
		edit_complain(reader, step->where, step->path,
			"the lines to replace are not in the file, nor any like them");
		return;
	}
	size_t first = at < 2 ? 0 : at - 2, end = at + old->n + 2;
	if (end > first + NEAREST_LINES)
		end = first + NEAREST_LINES;
	if (end > file->n)
		end = file->n;
	place_quote(&lines, file, first, end);
	edit_complain(reader, step->where, step->path,
		"the lines to replace are not in the file. The nearest are lines %zu to %zu (the text "
		"begins after '| '):\n%s",
		first + 1, end, lines.text);
}

static void place_add_line(
	struct strbuf *sb, const struct line *line, const struct shift *shift, const char *end)
{
	size_t n = place_trimmed(line), skip = shift->removes && n ? shift->n : 0;
	if (!shift->removes && n)
		strbuf_add(sb, shift->indent, shift->n);
	strbuf_add(sb, line->text + skip, line->n - skip);
	strbuf_adds(sb, end);
}

/* NULL where that would be too large. */
static const char *place_put(struct arena *arena, const char *text, const struct lines *file,
	const struct block *block, const struct place *place)
{
	size_t gone = block->old.n - block->before - block->after;
	size_t size = strlen(text);
	const char *from = place->at < file->n ? file->items[place->at].text : text + size;
	const char *rest =
		place->at + gone < file->n ? file->items[place->at + gone].text : text + size;
	const char *end = edit_line_end(strchr(from, '\n') ? from : text);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	strbuf_add(&sb, text, (size_t)(from - text));
	if (sb.length && sb.text[sb.length - 1] != '\n')
		strbuf_adds(&sb, end);
	for (size_t i = block->before; i < block->new.n - block->after; i++)
		place_add_line(&sb, &block->new.items[i], &place->shift, end);
	if (!*rest && size && text[size - 1] != '\n' && text_ends_with(sb.text, end))
		strbuf_truncate(&sb, sb.length - strlen(end));
	strbuf_adds(&sb, rest);
	return sb.cut ? NULL : arena_strndup(arena, sb.text, sb.length);
}

const char *edit_replace(struct edit_reader *reader, const struct edit_step *step, const char *text)
{
	struct lines file = place_split(reader->arena, text);
	struct block block = place_make_block(reader->arena, step);
	struct search search = {.file = &file, .block = &block};
	place_find_places(&search);
	const char *new =
		search.n == 1 ? place_put(reader->arena, text, &file, &block, &search.places[0]) : NULL;
	if (new)
		return new;
	if (search.n == 1)
		edit_complain(reader, step->where, step->path, "the file would be too large");
	else if (search.n)
		edit_complain(reader, step->where, step->path,
			"the lines to replace fit more than one place, at lines %zu and %zu: add lines around "
			"them that tell which",
			search.places[0].at + 1, search.places[1].at + 1);
	else
		place_complain_of_none(reader, step, &file, &block.old);
	return NULL;
}
