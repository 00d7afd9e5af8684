/*
 * A change of a build file that does no more than name a new source file: each logical line has the
 * words that it had, in their order, and between them names of files in C or C++ that come with the
 * change, or of what is compiled of them. Such a name stands beside other sources or objects: the
 * first word of a command is what is run.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/build_file.h"
#include "verify/guard/guard.h"

#define SOURCES " c cc cpp cxx h hh hpp "
#define MARKS "\"'()[],;" /* each a word of its own */

struct word {
	const char *text;
	size_t n;
};

static bool named_is_gap(const char *at)
{
	return strchr(" \t\r\n", *at) || (*at == '\\' && at[1] == '\n');
}

/* The next word of a line; a backslash that continues it is none. */
static bool named_next_word(const char **at, const char *end, struct word *word)
{
	while (*at < end && named_is_gap(*at))
		(*at)++;
	const char *start = *at;
	if (*at < end && strchr(MARKS, **at))
		(*at)++;
	else
		while (*at < end && !named_is_gap(*at) && !strchr(MARKS, **at))
			(*at)++;
	*word = (struct word){start, (size_t)(*at - start)};
	return word->n > 0;
}

static bool named_is_source(const char *path)
{
	AUTO_STRBUF suffix = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&suffix, " %s ", file_suffix(path));
	return strstr(SOURCES, suffix.text);
}

static bool named_is_source_or_object(const struct word *word)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_add(&text, word->text, word->n);
	return named_is_source(text.text) || text_ends_with(text.text, ".o");
}

/* Whether a command may begin within or after a word of a recipe. */
static bool named_begins_command(const struct word *word)
{
	for (size_t i = 0; i < word->n; i++)
		if (strchr("&|;`(", word->text[i]))
			return true;
	return false;
}

static bool named_has_source(const char *at, const char *end)
{
	struct word word;
	while (named_next_word(&at, end, &word))
		if (named_is_source_or_object(&word))
			return true;
	return false;
}

/* Whether a word is the path of a new source, seen from the build file, or that of its object; or
 * what Meson has between two. */
static bool named_is_new(
	const struct word *word, const char *build_file, const char *const *added, size_t n)
{
	size_t dir = (size_t)(file_name(build_file) - build_file);
	if (word->n == 1 && strchr("',", *word->text))
		return strcmp(file_name(build_file), "meson.build") == 0;
	for (size_t i = 0; i < n; i++) {
		if (!named_is_source(added[i]) || strncmp(added[i], build_file, dir) != 0)
			continue;
		const char *path = added[i] + dir;
		size_t stem = strlen(path) - strlen(file_suffix(path));
		bool is_file = word->n == strlen(path) && memcmp(word->text, path, word->n) == 0;
		bool is_object =
			word->n == stem + 1 && memcmp(word->text, path, stem) == 0 && word->text[stem] == 'o';
		if (is_file || is_object)
			return true;
	}
	return false;
}

/* One logical line of each. */
static bool named_line(const char *path, const char *old, const char *old_end, const char *text,
	const char *end, const char *const *added, size_t n)
{
	struct word was, is;
	bool is_recipe = *old == '\t';
	if (is_recipe != (*text == '\t'))
		return false;
	bool may = !is_recipe && named_has_source(old, old_end); /* a source may stand here */
	bool has_old = named_next_word(&old, old_end, &was);
	while (named_next_word(&text, end, &is)) {
		if (has_old && was.n == is.n && memcmp(was.text, is.text, is.n) == 0) {
			is_recipe |= *is.text == ';';
			may = is_recipe ? named_is_source_or_object(&is) || (may && !named_begins_command(&is))
							: may;
			has_old = named_next_word(&old, old_end, &was);
		} else if (!may || !named_is_new(&is, path, added, n)) {
			return false;
		}
	}
	return !has_old;
}

bool build_file_only_names(
	const char *path, const char *old, const char *text, const char *const *added, size_t n)
{
	if (!build_file_is(path))
		return false;
	while (*old || *text) {
		const char *old_end = build_file_line_end(old), *end = build_file_line_end(text);
		if (*old_end != *end || !named_line(path, old, old_end, text, end, added, n))
			return false;
		old = old_end + (*old_end == '\n');
		text = end + (*end == '\n');
	}
	return true;
}
