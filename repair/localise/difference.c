/* By what two texts differ that a failing test compares: "assert 'a-b' == 'a, b'". Which of them
 * was wanted is not known, since runners do not agree in their order. */
#include <ctype.h>
#include <string.h>

#include "repair/localise/trace.h"
#include "repair/search.h"

enum { COMPARED_MOST = 400, PART_MOST = 12, DIFFERENCES_MOST = 8 };

struct compared {
	const char *text;
	size_t n;
};

/* The next text in quotes from `at` on; an apostrophe within a word is no quote. Gives where to go
 * on, NULL: there is none. */
static const char *difference_next_text(
	const char *start, const char *at, const char *end, struct compared *ret_text)
{
	for (; at < end; at++) {
		if (!strchr("'\"`", *at) || (at > start && isalnum((unsigned char)at[-1])))
			continue;
		const char *close = memchr(at + 1, *at, (size_t)(end - at) - 1);
		while (close && close + 1 < end && isalnum((unsigned char)close[1]))
			close = memchr(close + 1, *at, (size_t)(end - close) - 1);
		if (!close)
			continue;
		*ret_text = (struct compared){at + 1, (size_t)(close - at) - 1};
		return close + 1;
	}
	return NULL;
}

static void difference_add(
	struct repair *repair, const char *a, size_t n_a, const char *b, size_t n_b)
{
	struct difference new = {
		arena_strndup(repair->arena, a, n_a), arena_strndup(repair->arena, b, n_b)};
	for (size_t i = 0; i < repair->n_differences; i++)
		if (strcmp(repair->differences[i].a, new.a) == 0 &&
			strcmp(repair->differences[i].b, new.b) == 0)
			return;
	if (repair->n_differences < DIFFERENCES_MOST && n_a <= PART_MOST && n_b <= PART_MOST)
		ARENA_PUSH(repair->arena, repair->differences, repair->n_differences, new);
}

/* Whether the longer text is the shorter one with the same part of n bytes put in, perhaps at
 * several places: "a, b, c" for "abc". */
static bool difference_is_part(
	struct compared shorter, struct compared longer, size_t n, const char **ret_part)
{
	const char *part = NULL;
	size_t i = 0, k = 0;
	while (k < longer.n) {
		if (i < shorter.n && shorter.text[i] == longer.text[k]) {
			i++;
			k++;
			continue;
		}
		part = part ? part : longer.text + k;
		if (k + n > longer.n || memcmp(part, longer.text + k, n) != 0)
			return false;
		k += n;
	}
	*ret_part = part;
	return part && i == shorter.n;
}

/* What lies between what two texts have in common at their ends. */
static void difference_add_middle(struct repair *repair, struct compared a, struct compared b)
{
	struct likeness found = spelling_likeness(a.text, a.n, b.text, b.n);
	if (found.begins + found.ends)
		difference_add(repair, a.text + found.begins, a.n - found.begins - found.ends,
			b.text + found.begins, b.n - found.begins - found.ends);
}

/* Of the shorter and the longer one. */
static void difference_of(struct repair *repair, struct compared a, struct compared b)
{
	const char *part;
	for (size_t n = 1; n <= PART_MOST && n <= b.n - a.n; n++)
		if ((b.n - a.n) % n == 0 && difference_is_part(a, b, n, &part)) {
			difference_add(repair, "", 0, part, n);
			return;
		}
	difference_add_middle(repair, a, b);
}

void repair_find_differences(struct repair *repair, const char *message)
{
	struct compared a, b;
	const char *end = message + strlen(message), *at;
	at = difference_next_text(message, message, end, &a);
	if (!at || !difference_next_text(message, at, end, &b) || a.n > COMPARED_MOST ||
		b.n > COMPARED_MOST || (a.n == b.n && memcmp(a.text, b.text, a.n) == 0))
		return;
	if (a.n <= b.n)
		difference_of(repair, a, b);
	else
		difference_of(repair, b, a);
}
