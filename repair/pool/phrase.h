/* What is put together, in the words of the source's language. Private to repair/. */
#pragma once
#include "repair/source/source.h"

/* Code in the source's language, in the arena. `indent` is that of the line where it will be. */
const char *phrase_statement(const struct source *source, struct arena *arena, const char *text);
const char *phrase_if(const struct source *source, struct arena *arena, const char *indent,
	const char *condition, const char *statement);
const char *phrase_else(
	const struct source *source, struct arena *arena, const char *indent, const char *statement);
const char *phrase_not(const struct source *source, struct arena *arena, const char *condition);
/* A question whether a value is null, or (`there`) is not. */
const char *phrase_absent(
	const struct language *language, struct arena *arena, const char *value, bool there);
const char *word_and(const struct language *language);
const char *word_or(const struct language *language);

/* The operator of what is not equal. */
const char *word_unequal(const struct language *language);

/* The statement that continues a loop, NULL: there is none; and the one that leaves it. */
const char *word_continue(const struct language *language);
const char *word_break(const struct language *language);

/* "target += value", where the language has that, else "target = target + value". */
const char *phrase_augmented(const struct source *source, struct arena *arena, const char *target,
	char sign, const char *value);
