#include <string.h>

#include "base/lexer/source.h"

struct word *words_intern(struct words *words, const char *text, size_t n)
{
	struct word *word = words_find(words, text, n);
	if (word)
		return word;
	word = arena_alloc(words->arena, words->size ? words->size : sizeof *word);
	*word = (struct word){.text = arena_strndup(words->arena, text, n), .n = (uint32_t)n};
	map_put_bytes(&words->map, words->arena, word->text, n, word);
	return word;
}

struct word *words_find(const struct words *words, const char *text, size_t n)
{
	return map_get_bytes(&words->map, text, n);
}

bool words_hold(const char *list, const char *text, size_t n)
{
	for (const char *at = list && n && *text ? strchr(list, *text) : NULL; at;
		 at = strchr(at + 1, *text)) {
		size_t same = 1;
		while (same < n && at[same] && at[same] == text[same])
			same++;
		if (same == n && at[n] == ' ' && at > list && at[-1] == ' ')
			return true;
	}
	return false;
}
