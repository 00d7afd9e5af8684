/* What is near: the tokens around one, and spellings that are like another. */
#include <ctype.h>

#include "repair/source/source.h"

bool tokens_are_alike(const struct source *source, uint32_t a, uint32_t b, uint32_t n)
{
	const char *text = source->file->text;
	for (uint32_t i = 0; i < n; i++) {
		if (a + i >= source->n || b + i >= source->n)
			return false;
		const struct token *one = &source->tokens[a + i], *other = &source->tokens[b + i];
		if (one->length != other->length ||
			memcmp(text + one->start, text + other->start, one->length) != 0)
			return false;
	}
	return true;
}

bool outward_next(const struct source *source, struct outward *outward, uint32_t *ret_i)
{
	while (outward->steps / 2 + 1 < outward->within) {
		uint32_t distance = outward->steps / 2 + 1;
		bool after = outward->steps++ % 2 != outward->after_first;
		uint32_t i = after ? outward->at + distance : outward->at - distance;
		/* Before the first token the number is larger than any. */
		if (i < source->n) {
			*ret_i = i;
			return true;
		}
	}
	return false;
}

struct likeness spelling_likeness(const char *a, size_t n, const char *b, size_t other_n)
{
	size_t least = n < other_n ? n : other_n;
	struct likeness found = {.most = n < other_n ? other_n : n};
	while (found.begins < least && a[found.begins] == b[found.begins])
		found.begins++;
	while (
		found.ends < least - found.begins && a[n - 1 - found.ends] == b[other_n - 1 - found.ends])
		found.ends++;
	return found;
}

size_t name_length(const char *text, size_t n)
{
	size_t length = 0;
	while (length < n && (isalnum((unsigned char)text[length]) || text[length] == '_'))
		length++;
	return length;
}

bool spelling_is_near(const char *a, size_t n, const char *b, size_t other_n)
{
	return n > 1 && text_is_slip(a, n, b, other_n);
}
