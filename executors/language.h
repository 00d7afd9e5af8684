/* Languages of code blocks: which file a block becomes, and what runs it. Inside executors/ only. */
#pragma once
#include "executors/executor.h"

enum language_policy {
	LANGUAGE_RUN,
	LANGUAGE_SAVE,   /* written where it names a file, else passed over */
	LANGUAGE_IGNORE,
};

struct language {
	const char *names;   /* the tags that mean it, each between spaces; the first is its name */
	const char *suffix;
	const char *program; /* what has to be there to run it; NULL: nobody knows */
	const char *command; /* for sh; the file's name comes behind it; NULL: the program */
	enum language_policy policy;
};

/* What a block's tag means to this executor, or a guess of it where it has none. False: nobody knows. */
bool language_find(const struct executor *executor, const struct code_block *block, struct arena *arena,
	struct language *ret_language);

/* Whether a block is run as Python, by the command that Python has without settings. */
bool language_is_python(
	const struct executor *executor, const struct code_block *block, struct arena *arena);

/* Whether it is among the named ones; none named: all are. */
bool language_is_among(const struct language *language, const struct option_strings *names, struct arena *arena);

/* Why a block is not run: its tag is not known. And: it may not run. */
const char *language_unknown(const struct executor *executor, const struct code_block *block, struct arena *arena);
const char *language_refused(const struct language *language, const struct option_strings *allowed, struct arena *arena);

/* The language of code that nobody named, by a rule that is written in rondo-scenario(5); "": none. */
const char *language_guess(const struct code_block *block, struct arena *arena);
