/* The parts of the helper. Programs have planted what they like where it reads and writes: no part
 * follows a link. */
#pragma once
#include <stdio.h>

#include "executors/inside/inside.h"

/* --- Directories: tree.c --- */

enum { TREE_DEEPEST = 128 };

/* A directory, made where it is missing; opened again where a program has closed it. -1 with errno. */
int tree_open(const char *path);

/* The directory that a path lies in; its last part in *ret_last, which lies in `path`. Where it
 * `makes`, it is made, and what stands in its way removed. -1 with errno. */
int tree_enter(int root, char *path, bool makes, char **ret_last);

/* A directory in another one, made. */
int tree_make(int dir, const char *name);

/* A file, a link or a whole directory. What is not there is fine. */
void tree_remove(int dir, const char *name);

/* --- What rondo sends: apply.c --- */

/* Read records up to their end and carry them out below n directories. What stands in the place of
 * something else is removed. 0, or errno of the first that failed; EPROTO: the stream broke off. */
int apply_records(FILE *from, const int *roots, size_t n);

/* --- What a line changed: changes.c --- */

/* Look at a tree and a cache. `kept`: n paths of the tree that are passed over. */
void changes_look(const int *roots, char **kept, size_t n);

/* Look again and write records: first what has gone, from what lies deepest on; then what is new or
 * other, directories before what lies in them. Without an end where there was too much to look at. */
void changes_tell(FILE *to);

/* --- Lines: line.c --- */

struct line {
	char *text, **env;
	int64_t timeout_ms; /* 0: none */
	int control; /* when it is closed, or something comes from it, the line is ended */
	bool speaks; /* what comes from it is the line's standard input */
	int output;  /* takes what the line prints; -1: it prints where the helper does */
	uint64_t most_output;
};

/* Run it. In *ret_printed how many bytes `output` took. */
struct inside_report line_run(const struct line *line, uint64_t *ret_printed);

/* A stream of records; NULL of -1. Write one, and the bytes behind it; NULL: they come next. */
FILE *record_open(int fd, const char *mode);
void record_put(FILE *to, const struct record *record, const void *bytes);
void report_put(FILE *to, const struct inside_report *report);

/* --- Lines that go on when the connection to rondo breaks: keep.c --- */

struct keep {
	const char *place;    /* the directory of all such lines */
	const char *name;     /* in it: a directory that is made for this line */
	const char *previous; /* one that is removed */
	const char *request;  /* a file with records; "": there is none */
	char **roots, **kept; /* tree and cache; paths of the tree that are the programs' own */
	size_t n_kept;
};

/* Carry the request out, run the line and write the answer. Gives an inside_state. */
int keep_run(const struct keep *keep, struct line *line);

/* Whether the answer of the line with this directory is there; waits for it. `ends`: end the line
 * first. */
int keep_await(const char *dir, bool ends);
