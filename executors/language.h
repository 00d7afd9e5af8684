/* Languages of code blocks: which file a block becomes, and what runs it. Inside executors/ only. */
#pragma once
#include "executors/executor.h"

struct language {
	const char *names;  /* the tags that mean it, each between spaces; the first is its name */
	const char *suffix;
	const char *command; /* for sh; the file's name comes behind it */
};

/* What a block's tag means to this executor. An error says what is known, or what is allowed. */
int language_find(const struct executor *executor, const char *tag, struct arena *arena,
	struct language *ret_language, struct rondo_error *err);
