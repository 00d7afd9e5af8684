#include "models/shape.h"

#include <string.h>

#include "base/utf8.h"

#define LONGEST ((size_t)1 << 20) /* bytes of an event that is kept */

/* Whether these are the whole of a JSON string as they stand. */
static bool shape_is_plain(const char *words, size_t n)
{
	return !memchr(words, '"', n) && !memchr(words, '\\', n) && utf8_valid_length(words, n) == n;
}

/* The words of an event that is like the last one, or NULL. */
static const char *shape_words(
	const struct shape *shape, const char *event, size_t n, size_t *ret_n)
{
	const struct strbuf *last = &shape->event;
	size_t around = shape->before + shape->after;
	if (!around || n < around || memcmp(event, last->text, shape->before) != 0 ||
		memcmp(event + n - shape->after, last->text + last->length - shape->after, shape->after) !=
			0)
		return NULL;
	*ret_n = n - around;
	return shape_is_plain(event + shape->before, *ret_n) ? event + shape->before : NULL;
}

static bool shape_is_last(const struct shape *shape, const char *event, size_t n)
{
	return n == shape->event.length && memcmp(event, shape->event.text, n) == 0;
}

bool shape_take(struct shape *shape, const char *event, size_t n, struct answer *answer)
{
	size_t n_words;
	const char *words = shape_words(shape, event, n, &n_words);
	if (!words || !(shape->is_proved || shape_is_last(shape, event, n)))
		return false;
	strbuf_add(&answer->text, words, n_words);
	return true;
}

void shape_look(struct shape *shape, const struct answer *answer)
{
	shape->length = answer->text.length;
}

/* Where words stand between quotes, once and as they are: how many bytes come before them. 0:
 * nowhere. */
static size_t shape_find(const char *event, size_t n, const char *words, size_t n_words)
{
	size_t found = 0;
	const char *end = event + n;
	for (const char *at = event; (at = memmem(at, (size_t)(end - at), words, n_words)); at++) {
		bool is_quoted = at > event && at[-1] == '"' && at + n_words < end && at[n_words] == '"';
		if (is_quoted && found)
			return 0;
		found = is_quoted ? (size_t)(at - event) : found;
	}
	return found;
}

void shape_learn(struct shape *shape, const char *event, size_t n, const struct answer *answer)
{
	const char *added = answer->text.text + shape->length, *words;
	size_t n_added = answer->text.length - shape->length, n_words = 0;
	words = shape_words(shape, event, n, &n_words);
	shape->is_proved = words && n_words == n_added && memcmp(words, added, n_added) == 0;
	if (shape->is_proved)
		return;
	shape->before = shape->after = 0;
	if (!n_added || n > LONGEST || memchr(event, '\\', n))
		return;
	shape->before = shape_find(event, n, added, n_added);
	if (!shape->before)
		return;
	shape->after = n - shape->before - n_added;
	strbuf_reset(&shape->event);
	strbuf_add(&shape->event, event, n);
}

void shape_release(struct shape *shape)
{
	strbuf_release(&shape->event);
}
