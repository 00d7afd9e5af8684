/* Lines that go on when the connection to rondo breaks; their answers are files. */
#pragma once
#include "executors/inside/line.h"

struct keep {
	const char *place;    /* the directory of all such lines */
	const char *name;     /* in it: a directory that is made for this line */
	const char *previous; /* one that is removed */
	const char *request;  /* a file with records for tree and cache; "": there is none */
	char **roots, **kept; /* tree and cache; paths of the tree that are the programs' own */
	size_t n_kept;
};

/* Carry the request out, run the line and write the answer. Gives an inside_state. */
int keep_run(const struct keep *keep, struct line *line);

/* Whether the answer of the line with this directory is there; waits for it. `ends`: end the line
 * first. */
int keep_await(const char *dir, bool ends);
