/* What texts were before they became what they are: commits and uncommitted work, as data. */
#pragma once
#include <stddef.h>

/* A commit, or the uncommitted work. */
struct past_change {
	const char *commit;  /* its abbreviated name; NULL: the uncommitted work */
	const char *subject; /* the first line of the commit's message; NULL: uncommitted */
};

/* A run of lines that a change made, as far as it still stands. */
struct past_hunk {
	size_t change;   /* its place among the changes */
	size_t first, n; /* lines of the text, from 0; n is 0 where the change removed lines */
	const char *old; /* the lines that stood there before */
	size_t n_old;    /* bytes of these */
};

/* A text and what became of it. */
struct past_text {
	const char *path, *text;
	size_t n; /* bytes */
	struct past_hunk *hunks; /* newest first */
	size_t n_hunks;
};

struct past {
	struct past_change *changes; /* newest first */
	size_t n_changes;
	struct past_text *texts;
	size_t n_texts;
};
