#include <string.h>

#include "source/source.h"

/* FNV-1a, as base/map has it, over bytes that no NUL ends. */
static uint64_t hash_of(const char *text, size_t n)
{
	uint64_t hash = 14695981039346656037U;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
	return hash;
}

static struct word **slot_of(const struct words *words, const char *text, size_t n)
{
	size_t i = (size_t)hash_of(text, n) & (words->capacity - 1);
	for (; words->slots[i]; i = (i + 1) & (words->capacity - 1))
		if (words->slots[i]->n == n && memcmp(words->slots[i]->text, text, n) == 0)
			break;
	return &words->slots[i];
}

static void enlarge(struct words *words)
{
	struct words larger = *words;
	larger.capacity = words->capacity ? 2 * words->capacity : 1024;
	larger.slots = arena_alloc(words->arena, larger.capacity * sizeof *larger.slots);
	for (size_t i = 0; i < words->capacity; i++)
		if (words->slots[i])
			*slot_of(&larger, words->slots[i]->text, words->slots[i]->n) = words->slots[i];
	*words = larger;
}

struct word *words_intern(struct words *words, const char *text, size_t n)
{
	if (4 * (words->n + 1) > 3 * words->capacity)
		enlarge(words);
	struct word **slot = slot_of(words, text, n);
	if (*slot)
		return *slot;
	*slot = arena_alloc(words->arena, words->size ? words->size : sizeof **slot);
	**slot = (struct word){.text = arena_strndup(words->arena, text, n), .n = (uint32_t)n};
	words->n++;
	return *slot;
}

struct word *words_find(const struct words *words, const char *text, size_t n)
{
	return words->capacity ? *slot_of(words, text, n) : NULL;
}

bool words_hold(const char *list, const char *text, size_t n)
{
	for (const char *at = n && *text ? strchr(list, *text) : NULL; at; at = strchr(at + 1, *text)) {
		size_t same = 1;
		while (same < n && at[same] && at[same] == text[same])
			same++;
		if (same == n && at[n] == ' ' && at > list && at[-1] == ' ')
			return true;
	}
	return false;
}
