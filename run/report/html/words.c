/* The words in which two lines differ: what is left of them beside the longest common sequence. */
#include <ctype.h>

#include "base/memory.h"
#include "run/report/html/html.h"

enum { MOST_WORDS = 300, LEAST_SHARE = 4 };

struct word_span {
	size_t at, n;
};

struct line_words {
	const char *text;
	struct word_span words[MOST_WORDS];
	size_t n;
	bool *marks;
};

static bool word_has(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* False: it has too many. */
static bool words_split(struct line_words *line, const char *text, size_t n, bool *marks)
{
	*line = (struct line_words){.text = text, .marks = marks};
	for (size_t at = 0, end; at < n; at = end) {
		end = at + 1;
		while (word_has(text[at]) && end < n && word_has(text[end]))
			end++;
		if (line->n == MOST_WORDS)
			return false;
		line->words[line->n++] = (struct word_span){at, end - at};
	}
	return true;
}

static bool words_equal(const struct line_words *a, size_t i, const struct line_words *b, size_t j)
{
	const struct word_span *x = &a->words[i], *y = &b->words[j];
	return x->n == y->n && memcmp(a->text + x->at, b->text + y->at, x->n) == 0;
}

static void words_mark_one(struct line_words *line, size_t i)
{
	memset(line->marks + line->words[i].at, true, line->words[i].n);
}

/* How many bytes other than spaces are common. `table` holds the lengths of common sequences from
 * each pair of words on. */
static size_t words_walk(
	struct line_words *a, struct line_words *b, const unsigned short *table, size_t width)
{
	size_t i = 0, j = 0, common = 0;
	while (i < a->n || j < b->n) {
		if (i < a->n && j < b->n && words_equal(a, i, b, j)) {
			common += a->text[a->words[i].at] == ' ' ? 0 : a->words[i].n;
			i++, j++;
		} else if (j == b->n ||
			(i < a->n && table[(i + 1) * width + j] >= table[i * width + j + 1]))
			words_mark_one(a, i++);
		else
			words_mark_one(b, j++);
	}
	return common;
}

/* A space between two marked words is marked, too. */
static void words_join(struct line_words *line)
{
	for (size_t i = 1; i + 1 < line->n; i++)
		if (line->text[line->words[i].at] == ' ' && line->marks[line->words[i - 1].at] &&
			line->marks[line->words[i + 1].at])
			words_mark_one(line, i);
}

void words_mark(
	const char *old, size_t old_n, bool *old_marks, const char *new, size_t new_n, bool *new_marks)
{
	AUTO_FREE struct line_words *a = memory_alloc(sizeof *a), *b = memory_alloc(sizeof *b);
	if (!words_split(a, old, old_n, old_marks) || !words_split(b, new, new_n, new_marks))
		return;
	size_t width = b->n + 1;
	AUTO_FREE unsigned short *table = memory_alloc((a->n + 1) * width * sizeof *table);
	for (size_t i = a->n; i-- > 0;)
		for (size_t j = b->n; j-- > 0;) {
			unsigned short down = table[(i + 1) * width + j], right = table[i * width + j + 1];
			table[i * width + j] = words_equal(a, i, b, j)
				? (unsigned short)(table[(i + 1) * width + j + 1] + 1)
				: down > right ? down
							   : right;
		}
	size_t common = words_walk(a, b, table, width), longer = old_n > new_n ? old_n : new_n;
	words_join(a);
	words_join(b);
	if (common * LEAST_SHARE < longer) {
		memset(old_marks, false, old_n);
		memset(new_marks, false, new_n);
	}
}
