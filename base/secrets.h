/*
 * Keys: from the environment, or from a file of NAME=VALUE lines; only names that end in _API_KEY.
 * Whoever writes or shows what came from outside puts it through secrets_redact first.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct secrets {
	const char **names, **values;
	size_t n;
};

/* The environment's keys. */
void secrets_from_environment(struct secrets *secrets, struct arena *arena);

/* The environment without them, for a program; in the arena. */
const char *const *secrets_free_environment(struct arena *arena);

/* Add a file's keys (the .env of the field: comments, "export ", quotes); those that are there
 * already stay. Names of another kind are passed over. An error names file and line; a file that
 * others may read is refused, with the command that mends it. */
int secrets_from_file(
	struct secrets *secrets, const char *path, struct arena *arena, struct rondo_error *err);

/* The key of that name, or NULL. */
const char *secrets_get(const struct secrets *secrets, const char *name);

/* Append n bytes of text with every key in it replaced by its name in brackets. NULL for the
 * secrets: as it is. */
void secrets_redact(const struct secrets *secrets, struct strbuf *sb, const char *text, size_t n);

/* The same as a text: itself where it holds no key, else a copy in the arena. NULL of NULL. */
const char *secrets_redacted(const struct secrets *secrets, const char *text, struct arena *arena);
