/*
 * Keys: from the environment, or from a file of NAME=VALUE lines; only names that end in _API_KEY,
 * and the variables that say where a key goes. Whoever writes or shows what came from outside puts
 * it through secrets_redact first.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct secrets {
	const char **names, **values;
	size_t n;
	size_t n_environment;         /* of these, the first ones: the rest is a file's */
	const char **settings, **set; /* names and values of a file's other variables */
	size_t n_settings;
	const char *warning; /* of a file, for people; NULL: none */
};

/* The environment's keys. */
void secrets_from_environment(struct secrets *secrets, struct arena *arena);

/* The environment without them, for a program; in the arena. */
const char *const *secrets_free_environment(struct arena *arena);

/* Add a file's keys (the .env of the field: comments, "export ", quotes); those that are there
 * already stay. Names of another kind are passed over. An error names file and line. Of a file that
 * others may read there is a warning; where it is not the user's own it is refused. */
int secrets_from_file(
	struct secrets *secrets, const char *path, struct arena *arena, struct rondo_error *err);

/* The key of that name, or NULL. */
const char *secrets_get(const struct secrets *secrets, const char *name);

/* A variable that says where the key of that name goes, such as OPENAI_BASE_URL; NULL: it is not
 * set. A file never says where a key of the environment goes; where it has the key, it comes before
 * the environment. */
const char *secrets_setting(const struct secrets *secrets, const char *name, const char *key);

/* How many of n bytes can be redacted before the text goes on: a key may begin with the rest. */
size_t secrets_whole(const struct secrets *secrets, const char *text, size_t n);

/* Append n bytes of text with every key in it replaced by its name in brackets. NULL for the
 * secrets: as it is. */
void secrets_redact(const struct secrets *secrets, struct strbuf *sb, const char *text, size_t n);

/* The same as a text: itself where it holds no key, else a copy in the arena. NULL of NULL. */
const char *secrets_redacted(const struct secrets *secrets, const char *text, struct arena *arena);
