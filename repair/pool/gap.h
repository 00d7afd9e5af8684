/* Where a statement can be inserted. Private to repair/. */
#pragma once
#include "repair/pool/pool.h"
#include "repair/search.h"

struct gap {
	struct statement statement;
	bool in_loop;
	bool is_last; /* nothing follows in its block, and it is no way out */
	const char *indent;
};

/* The gap before the statement at the site's token. False where no statement of a function begins,
 * or not on a line of its own. */
bool gap_find(const struct site *site, struct gap *ret_gap);

/* Propose a statement, of perhaps several lines, before that of the gap; after it. */
void gap_put(struct site *site, const struct gap *gap, double cost, const char *text);
void gap_put_after(struct site *site, const struct gap *gap, double cost, const char *text);

/* "if condition: statement" in the gap's place; in the arena. */
const char *gap_if(
	const struct site *site, const struct gap *gap, const char *condition, const char *statement);

/* The statement's text without its semicolon; in the arena. */
const char *gap_text(const struct site *site, const struct gap *gap);

/* The lines of a run, from the first one's indent on, with another indent; in the arena. */
const char *lines_reindented(struct site *site, struct span span, const char *old, const char *new);

/* Let a proposal replace the lines of a run by a text; without one they are gone. */
void lines_cut(struct site *site, struct proposal *proposal, struct span span, const char *instead);

/* The statement by which the function around a place says that it has no further item, in the
 * arena: where it is the method of an iterator of Python that gives the next one. NULL: it is
 * none. */
const char *gap_exhausted(const struct site *site);
