/* Where a statement can come in: before one, or behind the last of its block. Private to
 * repair/. */
#pragma once
#include "repair/search.h"

struct gap {
	struct statement statement;
	bool last; /* nothing follows in its block */
	bool in_loop;
	const char *indent;
};

/* The gap at the site's token. False where no statement of a function begins, or not on a line
 * of its own. */
bool gap_find(const struct site *site, struct gap *ret_gap);

/* Propose a statement, of perhaps several lines, for the gap: before, and behind where that is
 * the block's end. */
void gap_put(struct site *site, const struct gap *gap, double cost, const char *text);
