/* How a language says what is put together: statements, conditions, negations. */
#include <string.h>

#include "repair/search.h"

static bool has(const struct source *source, unsigned trait)
{
	return source->language->traits & trait;
}

const char *word_and(const struct language *language)
{
	return language_operator(language, "and") ? "and" : "&&";
}

const char *word_or(const struct language *language)
{
	return language_operator(language, "or") ? "or" : "||";
}

const char *phrase_statement(const struct source *source, struct arena *arena, const char *text)
{
	return has(source, LANGUAGE_NEWLINES) ? text : arena_printf(arena, "%s;", text);
}

const char *phrase_if(const struct source *source, struct arena *arena, const char *indent,
	const char *condition, const char *statement)
{
	const char *end = source->line_end, *unit = source->indent;
	const char *body = phrase_statement(source, arena, statement);
	if (has(source, LANGUAGE_INDENTED) && has(source, LANGUAGE_TRIPLE))
		return arena_printf(arena, "if %s:%s%s%s%s", condition, end, indent, unit, body);
	if (has(source, LANGUAGE_INDENTED))
		return arena_printf(arena, "%s if %s", body, condition);
	if (has(source, LANGUAGE_PREPROCESSED))
		return arena_printf(arena, "if (%s)%s%s%s%s", condition, end, indent, unit, body);
	return arena_printf(arena,
		has(source, LANGUAGE_BARE) ? "if %s {%s%s%s%s%s%s}" : "if (%s) {%s%s%s%s%s%s}",
		condition, end, indent, unit, body, end, indent);
}

const char *phrase_not(const struct source *source, struct arena *arena, const char *condition)
{
	bool plain = !strpbrk(condition, " <>=&|");
	return arena_printf(
		arena, plain ? "%s%s" : "%s(%s)", source->language->word_not, condition);
}
