/* Failures that hardly any edit of the program ends: a file of the tests does not compile, or names
 * what nothing defines. */
#include <string.h>

#include "base/memory.h"
#include "repair/localise/trace.h"

/* How a runner says that a name has no value; the name stands between, or before. */
static const struct complaint {
	const char *before, *after;
} complaints[] = {
	{"NameError: name '", "' is not defined"},
	{"cannot import name '", "' from '"},
	{"", " is not defined"},
	{"undefined: ", ""},
	{"cannot find function `", "`"},
	{"cannot find value `", "`"},
};

/* The name that a message complains of; in the arena, NULL: none. */
static const char *hopeless_name(const char *message, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(complaints); i++) {
		const char *at = strstr(message, complaints[i].before);
		size_t n = at ? name_length(at + strlen(complaints[i].before), SIZE_MAX) : 0;
		if (n && text_starts_with(at + strlen(complaints[i].before) + n, complaints[i].after))
			return arena_strndup(arena, at + strlen(complaints[i].before), n);
	}
	return NULL;
}

static bool hopeless_is_defined(struct repair *repair, const char *name)
{
	const struct term *term = term_of(words_find(&repair->words, name, strlen(name)));
	for (size_t i = 0; term && i < term->n_definitions; i++)
		if (repair->definitions.items[term->definitions[i]].source->file->editable)
			return true;
	return false;
}

/* Whether a line says a name, and not one of an object. */
static bool hopeless_says(const struct source *source, uint32_t line, const char *name)
{
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++)
		if (token_is(source, i, name) && !(i && is_access(source, i - 1)))
			return true;
	return false;
}

/* Why a failure at a line of the tests is one; in the arena, NULL: it is none. */
static const char *hopeless_why(struct repair *repair, const struct source *source,
	const struct test_result *result, struct arena *arena)
{
	uint32_t line = (uint32_t)result->line;
	bool is_whole_file = !strstr(result->id, "::");
	if (is_whole_file && source->broken && source->broken[line])
		return arena_printf(arena, "%s:%d does not compile, and repair does not change tests",
			result->file, result->line);
	const char *name = hopeless_name(result->message ? result->message : "", arena);
	if (name && hopeless_says(source, line, name) && !hopeless_is_defined(repair, name))
		return arena_printf(
			arena, "%s:%d names '%s', which nothing defines", result->file, result->line, name);
	return NULL;
}

const char *repair_hopeless(
	struct repair *repair, const struct test_report *report, struct arena *arena)
{
	const char *first = NULL;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		const struct source *source =
			result->file ? repair_source(repair, result->file, strlen(result->file)) : NULL;
		bool is_of_tests = source && !source->file->editable && result->line > 0 &&
			(size_t)result->line <= source->n_lines;
		const char *why = is_of_tests ? hopeless_why(repair, source, result, arena) : NULL;
		if (!why)
			return NULL;
		first = first ? first : why;
	}
	return first;
}
