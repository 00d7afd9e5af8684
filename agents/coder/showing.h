/*
 * What a coder is shown of the tree, once, at the beginning: what its failing tests and what they
 * run say, in a budget, and a map of the rest in another one. Between showing.c, exhibits.c,
 * overview.c and the coder.
 */
#pragma once
#include "agents/briefing.h"
#include "agents/sources.h"

struct showing {
	const struct agent_services *services;
	const struct test_report *report;
	const char *const *places; /* that repair suspects, likeliest first: "path:line" */
	size_t n_places;
	size_t room, map_room; /* bytes */
};

/* Set the places to those that repair told last, if it spoke; in the arena. */
void showing_find_places(struct showing *showing, struct message_span said, struct arena *arena);

/* Append it. */
int showing_add(struct strbuf *sb, const struct showing *showing, struct rondo_error *err);

/* " (protected)", or nothing. */
const char *showing_mark(const struct agent_services *services, const char *path);

/* A file of which something is shown. */
struct exhibit {
	const char *path, *text;
	uint32_t n_lines;
	size_t *starts; /* by line, from 1: its first byte; of the line after the last: the end */
	bool *lines;    /* by line, from 1: whether it is shown */
	size_t cost;    /* bytes that it takes in the prompt */
};

struct exhibits {
	const struct agent_services *services;
	struct arena *arena;
	struct exhibit *items; /* in the order in which they were chosen */
	size_t n, room, used;
};

/* Choose from excerpts, and from the places of red results that lie elsewhere, what fits. */
void exhibits_choose(struct exhibits *exhibits, const struct excerpt *excerpts, size_t n,
	const struct test_report *report);

/* Append what was chosen. */
void exhibits_add(const struct exhibits *exhibits, struct strbuf *sb);

/* Whether a file is shown from its first line to its last. */
bool exhibits_have_whole(const struct exhibits *exhibits, const char *path);

/* Append the tree's paths and the headings of their files, as far as `room` bytes go. */
void overview_add(
	const struct exhibits *exhibits, const struct nearby *nearby, size_t room, struct strbuf *sb);
