/*
 * Where a block's lines stand in a file. Tried in this order: as they are; without blanks at line
 * ends; all of them moved by one indentation; then the same again with one, two ... of the lines
 * around the change left out; then all of them, indented otherwise or retyped; and last as a part
 * of lines. What fits first must fit one place only. Lines that a block does not change stay as the
 * file has them.
 */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_lines.h"

enum {
	LEAVE_OUT_MOST = 3, /* unchanged lines on each side */
	NEAREST_LINES = 24, /* that a complaint quotes */
	NEAREST_TEXT = 240, /* bytes of each of them */
	LEAST_PART = 8,     /* bytes of a part of a line that says where */
};

/* A block: what it wants to find, what it wants to put there, and how much of both is equal. */
struct block {
	struct lines old, new;
	size_t before, after; /* equal lines at the beginning and at the end */
};

struct place {
	size_t at; /* where the block's first changed line stands in the file */
	enum fit fit;
	struct moves moves;
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

/* With the line ends of a file, and none behind the last line. */
static const char *place_with_ends(struct arena *arena, const char *text, const char *end)
{
	AUTO_STRBUF sb = STRBUF_INIT(2 * strlen(text) + 1);
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));) {
		strbuf_adds(&sb, sb.length ? end : "");
		strbuf_add(&sb, line, n);
	}
	return arena_strndup(arena, sb.text, sb.length);
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

static bool place_equal(const struct line *a, const struct line *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
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
static bool place_can_move(const struct block *block, const struct place *place)
{
	for (size_t i = block->before; i < block->new.n - block->after; i++)
		if (!line_can_move(&block->new.items[i], place->fit, &place->moves))
			return false;
	return true;
}

/* The longest of n lines, which is looked at first: where it does not fit, none of the others need
 * be. */
static size_t place_find_longest(const struct line *lines, size_t n)
{
	size_t longest = 0;
	for (size_t i = 1; i < n; i++)
		if (line_trimmed(&lines[i]) > line_trimmed(&lines[longest]))
			longest = i;
	return longest;
}

/* The least indentation of lines; NULL where all are blank. */
static const struct line *place_least(const struct line *lines, size_t n)
{
	const struct line *least = NULL;
	for (size_t i = 0; i < n; i++)
		if (line_trimmed(&lines[i]) &&
			(!least || line_indentation(&lines[i]) < line_indentation(least)))
			least = &lines[i];
	return least;
}

/* Some quote what is there without its indentation, and write what shall be there with it. */
static void place_keep_right(struct place *place, const struct block *block,
	const struct line *file, const struct line *old, size_t n)
{
	const struct line *there = place_least(file, n), *own = place_least(old, n);
	const struct line *new =
		place_least(block->new.items + block->before, block->new.n - block->before - block->after);
	if (place->fit != FIT_SHIFTED || place->moves.shift.removes || !new || !there || !own ||
		line_indentation(new) < line_indentation(there) ||
		line_indentation(new) == line_indentation(own))
		return;
	place->moves.shift.n = 0;
}

/* Find the old lines but for the first and the last few. */
static void place_find(struct search *search, enum fit fit, size_t first, size_t last)
{
	const struct lines *file = search->file, *old = &search->block->old;
	size_t n = old->n - first - last, longest = place_find_longest(old->items + first, n);
	for (size_t at = 0; at + n <= file->n && search->n < 2; at++) {
		struct place place = {.at = at + search->block->before - first, .fit = fit};
		struct moves probe = {.retypes = false};
		size_t i = 0;
		if (!line_fits(fit, &old->items[first + longest], &file->items[at + longest], &probe))
			continue;
		while (i < n && line_fits(fit, &old->items[first + i], &file->items[at + i], &place.moves))
			i++;
		if (i < n || !place_can_move(search->block, &place) ||
			(search->n && search->places[0].at == place.at))
			continue;
		place_keep_right(&place, search->block, file->items + at, old->items + first, n);
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
		for (int fit = 0; fit < FIT_INDENTED && !search->n; fit++) {
			for (size_t first = 0; first <= out && first <= LEAVE_OUT_MOST; first++) {
				size_t last = out - first;
				bool is_possible =
					last <= LEAVE_OUT_MOST && first <= block->before && last <= block->after;
				if (is_possible && (!out || place_says_something(&block->old, first, last)))
					place_find(search, (enum fit)fit, first, last);
			}
		}
	}
	for (int fit = FIT_INDENTED; fit < FITS && !search->n; fit++)
		if (place_says_something(&block->old, 0, 0))
			place_find(search, (enum fit)fit, 0, 0);
}

/* How alike two lines are, 0 to 4; blank lines are not compared. */
static size_t place_likeness(const struct line *a, const struct line *b)
{
	size_t from_a = line_indentation(a), from_b = line_indentation(b), n = line_trimmed(a) - from_a,
		   m = line_trimmed(b) - from_b;
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

size_t edit_nearest_line(const char *text, const char *lines)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct lines file = place_split(&arena, text), old = place_split(&arena, lines);
	size_t at = place_nearest(&file, &old);
	return at < file.n ? at + 1 : 0;
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
	for (size_t i = block->before; i < block->new.n - block->after; i++) {
		line_move(&sb, &block->new.items[i], place->fit, &place->moves);
		strbuf_adds(&sb, end);
	}
	if (!*rest && size && text[size - 1] != '\n' && text_ends_with(sb.text, end))
		strbuf_truncate(&sb, sb.length - strlen(end));
	strbuf_adds(&sb, rest);
	return sb.cut ? NULL : arena_strndup(arena, sb.text, sb.length);
}

/* Whether a name or a number would be cut in two before this place. */
static bool place_is_in_word(const char *text, const char *at)
{
	return at > text && *at && (isalnum((unsigned char)*at) || *at == '_') &&
		(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

/* A part of a line, or of several, that stands in the file once, just so. */
static const char *place_put_part(
	struct arena *arena, const char *text, const struct edit_step *step)
{
	const char *end = edit_line_end(text), *old, *new;
	old = place_with_ends(arena, step->old, end);
	new = place_with_ends(arena, step->text, end);
	const char *at = strlen(old) < LEAST_PART ? NULL : strstr(text, old);
	if (!at || strstr(at + 1, old) || place_is_in_word(text, at) ||
		place_is_in_word(text, at + strlen(old)))
		return NULL;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	strbuf_add(&sb, text, (size_t)(at - text));
	strbuf_adds(&sb, new);
	strbuf_adds(&sb, at + strlen(old));
	return sb.cut ? NULL : arena_strndup(arena, sb.text, sb.length);
}

/* The text after the step, where it fits one place; *search says how many there are. */
static const char *place_try(struct arena *arena, const struct lines *file, const char *text,
	const struct edit_step *step, struct search *search)
{
	struct block *block = arena_alloc(arena, sizeof *block);
	*block = place_make_block(arena, step);
	*search = (struct search){.file = file, .block = block};
	place_find_places(search);
	struct place *place = &search->places[0];
	place->moves.retypes = search->n && place->fit == FIT_RETYPED && !text_has_print_signs(text);
	return search->n == 1 ? place_put(arena, text, file, block, place) : NULL;
}

const char *edit_replace(struct edit_reader *reader, const struct edit_step *step, const char *text)
{
	struct arena *arena = reader->arena;
	struct lines file = place_split(arena, text);
	struct edit_step variant;
	struct search search, other = {.n = 0};
	const char *new = place_try(arena, &file, text, step, &search);
	if (!search.n)
		new = place_put_part(arena, text, step);
	for (size_t i = 0; !new && !search.n &&i < EDIT_VARIANTS; i++)
		if (edit_variant(arena, step, i, &variant))
			new = place_try(arena, &file, text, &variant, &other);
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
		place_complain_of_none(reader, step, &file, &search.block->old);
	return NULL;
}
