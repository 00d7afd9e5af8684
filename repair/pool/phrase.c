/* How a language says what is put together: statements, conditions, negations. */
#include "repair/pool/phrase.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

const char *word_and(const struct language *language)
{
	return language_operator(language, "&&") ? "&&" : "and";
}

const char *word_or(const struct language *language)
{
	return language_operator(language, "||") ? "||" : "or";
}

const char *word_unequal(const struct language *language)
{
	return language_operator(language, "!=") ? "!=" : "~=";
}

const char *phrase_absent(
	const struct language *language, struct arena *arena, const char *value, bool there)
{
	const char *const *around = there ? language->present : language->absent;
	if (around[0])
		return arena_printf(arena, "%s%s%s", around[0], value, around[1]);
	bool word = language_operator(language, "is");
	const char *is = word ? (there ? "is not" : "is") : there ? word_unequal(language) : "==";
	return arena_printf(arena, "%s %s %s", value, is, language->word_null);
}

static bool phrase_is_keyword(const struct language *language, const char *word)
{
	return words_hold(language->keywords, word, strlen(word));
}

const char *word_continue(const struct language *language)
{
	return phrase_is_keyword(language, "continue") ? "continue"
		: phrase_is_keyword(language, "next")      ? "next"
												   : NULL;
}

const char *word_break(const struct language *language)
{
	return phrase_is_keyword(language, "last") ? "last" : "break";
}

const char *phrase_statement(const struct source *source, struct arena *arena, const char *text)
{
	return has_trait(source, LANGUAGE_NEWLINES) ? text : arena_printf(arena, "%s;", text);
}

const char *phrase_if(const struct source *source, struct arena *arena, const char *indent,
	const char *condition, const char *statement)
{
	const char *end = source->line_end, *unit = source->indent;
	const char *body = phrase_statement(source, arena, statement);
	if (is_python(source))
		return arena_printf(arena, "if %s:%s%s%s%s", condition, end, indent, unit, body);
	bool is_one = !strchr(statement, '\n');
	if (has_trait(source, LANGUAGE_INDENTED))
		return is_one ? arena_printf(arena, "%s if %s", body, condition)
					  : arena_printf(arena, "if %s%s%s%s%s%s%send", condition, end, indent, unit,
							body, end, indent);
	if (has_trait(source, LANGUAGE_ENDED))
		return arena_printf(
			arena, "if %s then%s%s%s%s%s%send", condition, end, indent, unit, body, end, indent);
	if (has_trait(source, LANGUAGE_PREPROCESSED) && is_one)
		return arena_printf(arena, "if (%s)%s%s%s%s", condition, end, indent, unit, body);
	return arena_printf(arena,
		has_trait(source, LANGUAGE_BARE) ? "if %s {%s%s%s%s%s%s}" : "if (%s) {%s%s%s%s%s%s}",
		condition, end, indent, unit, body, end, indent);
}

/* What follows the end of an "if" whose line is indented so. */
const char *phrase_else(
	const struct source *source, struct arena *arena, const char *indent, const char *statement)
{
	const char *end = source->line_end, *unit = source->indent;
	const char *body = phrase_statement(source, arena, statement);
	if (is_python(source))
		return arena_printf(arena, "%s%selse:%s%s%s%s", end, indent, end, indent, unit, body);
	return arena_printf(arena, " else {%s%s%s%s%s%s}", end, indent, unit, body, end, indent);
}

const char *phrase_augmented(const struct source *source, struct arena *arena, const char *target,
	char sign, const char *value)
{
	if (language_operator(source->language, "+="))
		return arena_printf(arena, "%s %c= %s", target, sign, value);
	return arena_printf(arena, "%s = %s %c %s", target, target, sign, value);
}

/* What a comparison and its opposite say; a longer sign before what it holds. */
static const char *const opposites[][2] = {{" not in ", " in "}, {" is not ", " is "},
	{" in ", " not in "}, {" is ", " is not "}, {" === ", " !== "}, {" !== ", " === "},
	{" == ", " != "}, {" != ", " == "}, {" <= ", " > "}, {" >= ", " < "}, {" < ", " >= "},
	{" > ", " <= "}};

static bool phrase_holds_sign(const char *text)
{
	static const char *const joins[] = {" and ", " or ", " && ", " || ", " ? ", " if "};
	for (size_t i = 0; i < ARRAY_SIZE(joins); i++)
		if (strstr(text, joins[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(opposites); i++)
		if (strstr(text, opposites[i][0]))
			return true;
	return false;
}

/* Of one comparison alone, with no bracket or quote in which another sign could be; else NULL. */
static const char *phrase_opposite(struct arena *arena, const char *condition)
{
	if (strpbrk(condition, "([{\"'`") || *condition == '!' || text_starts_with(condition, "not "))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(opposites); i++) {
		const char *at = strstr(condition, opposites[i][0]);
		if (!at)
			continue;
		const char *left = arena_strndup(arena, condition, (size_t)(at - condition));
		const char *right = at + strlen(opposites[i][0]);
		bool is_one = !phrase_holds_sign(left) && !phrase_holds_sign(right);
		return is_one ? arena_printf(arena, "%s%s%s", left, opposites[i][1], right) : NULL;
	}
	return NULL;
}

/* Of a negation of a name or a call, "not x": what it negates. NULL: it is none. */
static const char *phrase_negated(const struct source *source, const char *condition)
{
	const char *word = source->language->word_not;
	size_t n = strlen(word);
	bool is_negation = text_starts_with(condition, word) && condition[n] != '(' &&
		!phrase_holds_sign(condition) && !strpbrk(condition + n, " <>=&|");
	return is_negation ? condition + n : NULL;
}

const char *phrase_not(const struct source *source, struct arena *arena, const char *condition)
{
	const char *negated = phrase_negated(source, condition);
	if (negated)
		return negated;
	const char *opposite =
		language_operator(source->language, "!=") ? phrase_opposite(arena, condition) : NULL;
	if (opposite)
		return opposite;
	bool plain = !strpbrk(condition, " <>=&|~");
	return arena_printf(arena, plain ? "%s%s" : "%s(%s)", source->language->word_not, condition);
}
