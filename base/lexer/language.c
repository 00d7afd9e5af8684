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

/* What C++ has and C has not. */
static const char *const signs_of_cpp[] = {"std::", "using namespace ", "template <", "template<",
	"public:", "private:", "static_cast<", "#include <vector>", "#include<vector>",
	"#include <string>", "#include<string>"};

const struct language *language_of_text(const char *path, const char *text, size_t n)
{
	const struct language *language = language_of(path);
	if (language != &language_c || strcmp(file_suffix(path), "h") != 0)
		return language;
	for (size_t i = 0; i < ARRAY_SIZE(signs_of_cpp); i++)
		if (memmem(text, n, signs_of_cpp[i], strlen(signs_of_cpp[i])))
			return &language_cpp;
	return language;
}

const struct operator_row *language_operator(const struct language *language, const char *text)
{
	for (const struct operator_row *row = language->operators; row->text; row++)
		if (strcmp(row->text, text) == 0)
			return row;
	return NULL;
}
