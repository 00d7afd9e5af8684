/* Languages of code blocks: which file a block becomes, and what runs it. Inside executors/
 * only. */
#pragma once
#include "executors/executor.h"

enum language_policy {
	LANGUAGE_RUN,
	LANGUAGE_SAVE,   /* written if it names a file, otherwise skipped */
	LANGUAGE_IGNORE,
};

struct language {
	const char *names;   /* the tags that select it, each between spaces; the first is its name */
	const char *suffix;
	const char *program; /* what is needed to run it; NULL: unknown */
	const char *command; /* for sh, followed by the file's name; NULL: the program */
	enum language_policy policy;
	/* how its comments begin, each between spaces; NULL: as those of every program */
	const char *comments;
};

/* The language of a block: by its tag, or guessed if it has none. False: unknown. */
bool language_find(const struct executor *executor, const struct code_block *block,
	struct arena *arena, struct language *ret_language);

/* What the file of a block holds: its code, without the line that names the file where the language
 * has no such comment. */
const char *language_text_for(
	const struct language *language, const struct code_block *block, struct arena *arena);

/* Whether a block is run as Python, with the default command. */
bool language_is_python(
	const struct executor *executor, const struct code_block *block, struct arena *arena);

/* Whether a language is listed; an empty list has all. */
bool language_is_among(const struct language *language, const struct option_strings *names,
	struct arena *arena);

/* Why a block is not run: its tag is unknown; its language is not allowed. */
const char *language_unknown(const struct executor *executor, const struct code_block *block,
	struct arena *arena);
const char *language_refused(const struct language *language, const struct option_strings *allowed,
	struct arena *arena);

/* Guess the language of an untagged block by the rule in rondo-scenario(5); "": none. */
const char *language_guess(const struct code_block *block, struct arena *arena);
