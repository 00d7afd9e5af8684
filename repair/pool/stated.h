/* The statements of the whole project, for what stands elsewhere at the like place. Private to
 * repair/. */
#pragma once
#include "repair/probe.h"

/* A statement, and those before and after it in its block: places in the list, or NO_TOKEN. */
struct stated {
	uint32_t source;
	struct statement statement;
	struct span head; /* all of a simple one; of others what stands before the block */
	uint32_t before, after;
};

/* Those of the editable files that may be looked at. Made when first asked for. */
const struct stated *stated_all(struct repair *repair, size_t *ret_n);

/* The statement that begins at a token, or NULL. */
const struct stated *stated_at(struct repair *repair, const struct source *source, uint32_t first);

enum { RENAMED_MOST = 16 };

/* Names of one place, and what stands for them at another. */
struct renaming {
	const struct word *from[RENAMED_MOST], *to[RENAMED_MOST];
	size_t n;
};

/* How alike two runs of tokens are, 0 to 1, where names may differ: these are added to the
 * renaming, of b's names by a's. */
double spans_alike(const struct source *a_source, struct span a, const struct source *b_source,
	struct span b, struct renaming *renaming);

/* A statement's text with its names replaced, indented as a line that begins with `indent`; in the
 * arena. NULL where it names something that is not known at the site's token. */
const char *stated_renamed(struct site *site, const struct stated *stated,
	const struct renaming *renaming, const char *indent);
