/*
 * A chat as one model sees it: the others' messages with their names, its own replies, and what
 * only it is sent. Used by coder.c.
 */
#pragma once
#include "agents/briefing.h"
#include "models/model.h"

struct dialogue_entry {
	enum model_role role;
	const char *text;
	const char *brief; /* what is left of an old observation; NULL: it is none */
	const char *provider_data; /* of a reply: see model_reply */
	bool is_own;       /* nobody said it in the chat: only the model is sent it */
};

struct dialogue {
	struct arena *arena;
	struct dialogue_entry *entries;
	size_t n, observations;
	size_t n_sent;               /* entries that a request had */
	struct known_failures known; /* the failures of the last report */
	bool passes_tests;           /* says the newest report */
};

/* Append what the model is sent, or what it said; of that, what its provider wants back. */
void dialogue_add(struct dialogue *dialogue, enum model_role role, const char *text);
void dialogue_add_reply(struct dialogue *dialogue, const struct model_reply *reply);

/* Whether the last two replies of the model are the same. */
bool dialogue_repeats(const struct dialogue *dialogue);

/* Append what another one said, with outputs condensed. */
int dialogue_hear(
	struct dialogue *dialogue, const struct rondo_message *message, struct rondo_error *err);

/* Cut down all observations so far: they are old news. */
void dialogue_age(struct dialogue *dialogue);

/* Append what it holds from an entry on to a JSON object. */
void dialogue_save(const struct dialogue *dialogue, size_t first, struct json *to);

/* Append what dialogue_save wrote. What is no entry is an error. */
int dialogue_load(struct dialogue *dialogue, const struct json *from, struct rondo_error *err);

/* What to ask the model, with the newest observations in full: at least `kept`. `most`: about how
 * many bytes it can read, so that something is left out; 0: nobody knows. In the arena. */
struct model_request dialogue_request(
	const struct dialogue *dialogue, size_t kept, size_t most, struct arena *arena);
