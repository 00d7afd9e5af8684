/* All languages, each of which is a table in a file of its own. */
#include <string.h>

#include "base/file.h"
#include "base/lexer/languages.h"
#include "base/memory.h"

REGISTRY_DEFINE(struct language, languages, LANGUAGES(&LANGUAGE_SYMBOL));

const struct language *language_of(const char *path)
{
	const char *suffix = file_suffix(path);
	for (size_t i = 0; i < languages_n; i++)
		if (words_hold(languages[i]->suffixes, suffix, strlen(suffix)))
			return languages[i];
	return NULL;
}

const struct operator_row *language_operator(const struct language *language, const char *text)
{
	for (const struct operator_row *row = language->operators; row->text; row++)
		if (strcmp(row->text, text) == 0)
			return row;
	return NULL;
}
