#include "base/strbuf.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

char strbuf_empty[1];

static void reserve(struct strbuf *sb, size_t length)
{
	if (length < sb->capacity)
		return;
	size_t capacity = sb->capacity ? sb->capacity : 64;
	while (capacity <= length)
		capacity *= 2;
	char *old = sb->text == strbuf_empty ? NULL : sb->text;
	sb->text = memory_resize(old, capacity);
	sb->capacity = capacity;
}

static void append(struct strbuf *sb, const char *bytes, size_t n)
{
	reserve(sb, sb->length + n);
	if (n)
		memcpy(sb->text + sb->length, bytes, n);
	sb->length += n;
	sb->text[sb->length] = '\0';
}

/* Keep half the limit of what is there as head, and of what follows it the newest half. */
static void append_to_tail(struct strbuf *sb, const char *bytes, size_t n)
{
	size_t head = sb->limit / 2, tail = sb->limit - head;
	if (sb->length < head) {
		size_t part = head - sb->length;
		append(sb, bytes, part);
		bytes += part;
		n -= part;
	}
	if (n >= tail) {
		sb->cut += sb->length - head + (n - tail);
		sb->length = head;
		append(sb, bytes + n - tail, tail);
		return;
	}
	size_t excess = sb->length - head + n > tail ? sb->length - head + n - tail : 0;
	memmove(sb->text + head, sb->text + head + excess, sb->length - head - excess);
	sb->length -= excess;
	sb->cut += excess;
	append(sb, bytes, n);
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n)
{
	if (sb->length + n <= sb->limit && !sb->cut)
		append(sb, bytes, n);
	else
		append_to_tail(sb, bytes, n);
}

void strbuf_adds(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addc(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_addf(struct strbuf *sb, const char *format, ...)
{
	char small[256];
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(small, sizeof small, format, args);
	va_end(args);
	if ((size_t)n < sizeof small) {
		strbuf_add(sb, small, (size_t)n);
	} else {
		AUTO_FREE char *large = memory_alloc((size_t)n + 1);
		vsnprintf(large, (size_t)n + 1, format, again);
		strbuf_add(sb, large, (size_t)n);
	}
	va_end(again);
}

static void shorten(struct strbuf *sb, size_t length)
{
	if (length >= sb->length)
		return;
	sb->length = length;
	sb->text[length] = '\0';
}

void strbuf_truncate(struct strbuf *sb, size_t length)
{
	if (length < sb->length && length <= sb->limit / 2)
		sb->cut = 0;
	shorten(sb, length);
}

void strbuf_rtrim(struct strbuf *sb)
{
	size_t n = sb->length, least = sb->cut ? sb->limit / 2 : 0;
	while (n > least && isspace((unsigned char)sb->text[n - 1]))
		n--;
	shorten(sb, n);
}

void strbuf_reset(struct strbuf *sb)
{
	shorten(sb, 0);
	sb->cut = 0;
}

void strbuf_mark_cut(struct strbuf *sb)
{
	if (!sb->cut)
		return;
	char mark[64];
	size_t tail = sb->limit / 2, head = tail - utf8_unfinished(sb->text, tail);
	for (int i = 0; i < 3 && ((unsigned char)sb->text[tail] & 0xc0) == 0x80; i++)
		tail++; /* the rest of a character whose beginning is gone */
	size_t n = (size_t)snprintf(
		mark, sizeof mark, "\n[... %" PRIu64 " bytes cut ...]\n", sb->cut + (tail - head));
	reserve(sb, sb->length + n);
	memmove(sb->text + head + n, sb->text + tail, sb->length - tail + 1);
	memcpy(sb->text + head, mark, n);
	sb->length += n - (tail - head);
	sb->limit = sb->length;
	sb->cut = 0;
}

char *strbuf_detach(struct strbuf *sb)
{
	char *text = sb->text == strbuf_empty ? memory_strdup("") : sb->text;
	*sb = (struct strbuf)STRBUF_INIT(sb->limit);
	return text;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->text != strbuf_empty)
		free(sb->text);
	*sb = (struct strbuf)STRBUF_INIT(sb->limit);
}

void strbuf_add_list(struct strbuf *sb, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", texts[i]);
}

void strbuf_add_without_addresses(struct strbuf *sb, const char *text)
{
	for (const char *at; (at = strstr(text, "0x")); text = at) {
		at += 2;
		strbuf_add(sb, text, (size_t)(at - text));
		at += strspn(at, "0123456789abcdefABCDEF");
	}
	strbuf_adds(sb, text);
}

void strbuf_add_escaped(struct strbuf *sb, const char *text, size_t n, const char *special)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(sb, "%s%c", text[i] && strchr(special, text[i]) ? "\\" : "", text[i]);
}

void strbuf_add_word(struct strbuf *sb, const char *text)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
	if (*text && !text[strspn(text, plain)]) {
		strbuf_adds(sb, text);
		return;
	}
	strbuf_addc(sb, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_adds(sb, "'\\''");
		else
			strbuf_addc(sb, *text);
	strbuf_addc(sb, '\'');
}

bool text_ends_with(const char *text, const char *suffix)
{
	return text_n_ends_with(text, strlen(text), suffix);
}

bool text_n_starts_with(const char *text, size_t n, const char *prefix)
{
	size_t m = strlen(prefix);
	return n >= m && memcmp(text, prefix, m) == 0;
}

bool text_n_ends_with(const char *text, size_t n, const char *suffix)
{
	size_t m = strlen(suffix);
	return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

bool text_n_holds_any(const char *text, size_t n, const char *const *texts)
{
	for (; *texts; texts++)
		if (memmem(text, n, *texts, strlen(*texts)))
			return true;
	return false;
}

static bool is_word_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

const char *text_next_line(const char **at, const char *end, size_t *ret_n)
{
	const char *line = *at;
	if (line >= end)
		return NULL;
	const char *newline = memchr(line, '\n', (size_t)(end - line));
	*at = newline ? newline + 1 : end;
	*ret_n = (size_t)((newline ? newline : end) - line);
	return line;
}

size_t text_count_lines(const char *text, size_t n)
{
	size_t lines = 0;
	for (const char *end = text + n; (text = memchr(text, '\n', (size_t)(end - text))); text++)
		lines++;
	return lines;
}

const char *text_line(const char *text, size_t n, size_t k)
{
	const char *end = text + n;
	for (; k && text < end; k--) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		text = newline ? newline + 1 : end;
	}
	return text;
}

bool text_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; n && (at = strstr(at, word)); at++)
		if ((at == text || !is_word_part(at[-1])) && !is_word_part(at[n]))
			return true;
	return false;
}

bool text_is_slip(const char *a, size_t n, const char *b, size_t other_n)
{
	size_t head = 0, tail = 0, least = n < other_n ? n : other_n;
	while (head < least && a[head] == b[head])
		head++;
	while (tail < least - head && a[n - 1 - tail] == b[other_n - 1 - tail])
		tail++;
	size_t rest = n - head - tail, other_rest = other_n - head - tail;
	if (rest == 2 && other_rest == 2)
		return a[head] == b[head + 1] && a[head + 1] == b[head];
	return rest <= 1 && other_rest <= 1 && rest + other_rest > 0;
}

/* Optimal string alignment distance: insertions, deletions, substitutions, neighbours exchanged. */
static size_t distance(const char *a, const char *b)
{
	enum { MOST = 64 };
	size_t n = strlen(a), m = strlen(b), row[3][MOST + 1];
	if (n > MOST || m > MOST)
		return MOST;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *oldest = row[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);
			if (before[j] + 1 < best)
				best = before[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				oldest[j - 2] + 1 < best)
				best = oldest[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
	const char *best = NULL;
	/* a letter alone is near to no other */
	size_t length = strlen(word), least = length < 2 ? 1 : length / 3 + 2;
	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, names[i]);
		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void text_sort(const char **texts, size_t n)
{
	if (n)
		qsort(texts, n, sizeof *texts, text_compare);
}

bool text_in_sorted(const char *const *texts, size_t n, const char *text)
{
	return n && bsearch(&text, texts, n, sizeof *texts, text_compare);
}

bool text_in(const char *const *texts, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i], text) == 0)
			return true;
	return false;
}
