/*
 * How a line of a block fits one of a file. Models see no difference between tabs and blanks, count
 * indentation badly, and retype quotes. What they mean is clear as long as each indentation of
 * theirs stands for one of the file's.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_lines.h"

size_t line_trimmed(const struct line *line)
{
	size_t n = line->n;
	while (n && isspace((unsigned char)line->text[n - 1]))
		n--;
	return n;
}

size_t line_indentation(const struct line *line)
{
	size_t n = line_trimmed(line), indent = 0;
	while (indent < n && (line->text[indent] == ' ' || line->text[indent] == '\t'))
		indent++;
	return indent;
}

static bool line_ends_with(const struct line *line, size_t n, const struct line *end, size_t end_n)
{
	return n >= end_n && memcmp(line->text + n - end_n, end->text, end_n) == 0;
}

static bool line_fits_shifted(const struct line *own, const struct line *line, struct shift *shift)
{
	size_t own_n = line_trimmed(own), n = line_trimmed(line);
	if (!own_n || !n)
		return own_n == n;
	bool removes = n < own_n;
	const struct line *longer = removes ? own : line;
	size_t by = removes ? own_n - n : n - own_n;
	size_t longer_n = removes ? own_n : n, rest_n = removes ? n : own_n;
	if (by > line_indentation(longer) ||
		!line_ends_with(longer, longer_n, removes ? line : own, rest_n))
		return false;
	if (!shift->is_set)
		*shift =
			(struct shift){.indent = longer->text, .n = by, .is_set = true, .removes = removes};
	return shift->n == by &&
		(!by || (shift->removes == removes && memcmp(shift->indent, longer->text, by) == 0));
}

/* --- What is retyped --- */

static const struct {
	const char *print, *plain;
} signs[] = {{"\xe2\x80\x98", "'"}, {"\xe2\x80\x99", "'"}, {"\xe2\x80\x9c", "\""},
	{"\xe2\x80\x9d", "\""}, {"\xe2\x80\x93", "-"}, {"\xe2\x80\x94", "-"}, {"\xc2\xa0", " "}};

/* The plain sign for one of print; *ret_n: its length. NULL: there is none. */
static const char *sign_of(const char *text, size_t n, size_t *ret_n)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		*ret_n = strlen(signs[i].print);
		if (*ret_n <= n && memcmp(text, signs[i].print, *ret_n) == 0)
			return signs[i].plain;
	}
	return NULL;
}

bool text_has_print_signs(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strstr(text, signs[i].print))
			return true;
	return false;
}

/* The next letter that counts, from *at on: no blank, and one kind of quote; 0 at the end. */
static char next_letter(const struct line *line, size_t n, size_t *at)
{
	while (*at < n) {
		size_t size;
		const char *plain = sign_of(line->text + *at, n - *at, &size);
		char c = plain ? *plain : line->text[*at];
		*at += plain ? size : 1;
		if (!isspace((unsigned char)c))
			return c == '\'' ? '"' : c;
	}
	return '\0';
}

static bool line_is_retyped(const struct line *own, const struct line *line)
{
	size_t own_n = line_trimmed(own), n = line_trimmed(line), i = 0, j = 0;
	char a, b;
	do {
		a = next_letter(own, own_n, &i);
		b = next_letter(line, n, &j);
	} while (a && a == b);
	return a == b;
}

/* --- Indentation --- */

static const struct indent *indent_find(const struct indents *indents, const char *own, size_t n)
{
	for (size_t i = 0; i < indents->n; i++)
		if (indents->pairs[i].own_n == n && memcmp(indents->pairs[i].own, own, n) == 0)
			return &indents->pairs[i];
	return NULL;
}

static bool indent_agrees(struct indents *indents, const struct line *own, const struct line *line)
{
	size_t own_n = line_indentation(own), n = line_indentation(line);
	const struct indent *known = indent_find(indents, own->text, own_n);
	if (known)
		return known->file_n == n && memcmp(known->file, line->text, n) == 0;
	if (indents->n == INDENTS_MOST)
		return false;
	indents->pairs[indents->n++] = (struct indent){own->text, line->text, own_n, n};
	return true;
}

static bool line_fits_indented(
	enum fit fit, const struct line *own, const struct line *line, struct moves *moves)
{
	size_t own_n = line_trimmed(own), n = line_trimmed(line);
	size_t from = line_indentation(own), line_from = line_indentation(line);
	if (!own_n || !n)
		return own_n == n;
	bool is_same = fit == FIT_RETYPED ? line_is_retyped(own, line)
									  : own_n - from == n - line_from &&
			memcmp(own->text + from, line->text + line_from, n - line_from) == 0;
	return is_same && indent_agrees(&moves->indents, own, line);
}

bool line_fits(enum fit fit, const struct line *own, const struct line *line, struct moves *moves)
{
	size_t n = line_trimmed(own);
	if (fit == FIT_EXACT)
		return own->n == line->n && memcmp(own->text, line->text, own->n) == 0;
	if (fit == FIT_TRAILING)
		return n == line_trimmed(line) && memcmp(own->text, line->text, n) == 0;
	if (fit == FIT_SHIFTED)
		return line_fits_shifted(own, line, &moves->shift);
	return line_fits_indented(fit, own, line, moves);
}

/* --- Moving --- */

bool line_can_move(const struct line *line, enum fit fit, const struct moves *moves)
{
	const struct shift *shift = &moves->shift;
	if (!line_trimmed(line))
		return true;
	if (fit >= FIT_INDENTED)
		return indent_find(&moves->indents, line->text, line_indentation(line));
	return !shift->removes ||
		(line->n >= shift->n && memcmp(line->text, shift->indent, shift->n) == 0);
}

static void line_add_plain(struct strbuf *sb, const char *text, size_t n)
{
	for (size_t i = 0, size; i < n;) {
		const char *plain = sign_of(text + i, n - i, &size);
		strbuf_add(sb, plain ? plain : text + i, 1);
		i += plain ? size : 1;
	}
}

void line_move(struct strbuf *sb, const struct line *line, enum fit fit, const struct moves *moves)
{
	const struct shift *shift = &moves->shift;
	size_t n = line_trimmed(line), skip = n && shift->removes ? shift->n : 0;
	if (n && fit >= FIT_INDENTED) {
		skip = line_indentation(line);
		const struct indent *indent = indent_find(&moves->indents, line->text, skip);
		strbuf_add(sb, indent ? indent->file : "", indent ? indent->file_n : 0);
	} else if (n && !shift->removes) {
		strbuf_add(sb, shift->indent, shift->n);
	}
	if (moves->retypes)
		line_add_plain(sb, line->text + skip, line->n - skip);
	else
		strbuf_add(sb, line->text + skip, line->n - skip);
}
