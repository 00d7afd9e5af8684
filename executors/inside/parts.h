/* The parts of the helper. Programs may have planted links where it reads and writes; no part
 * follows one. */
#pragma once
#include <stdio.h>

#include "executors/inside/inside.h"

/* --- Directories: inside_tree.c --- */

enum { TREE_DEEPEST = 128 };

/* Open a directory, created if missing, made accessible if a program has closed it. -1 with
 * errno. */
int tree_open(const char *path);

/* Open the directory of a path; *ret_last is the path's last part. `makes`: create it and remove
 * what is in its way. -1 with errno. */
int tree_enter(int root, char *path, bool makes, char **ret_last);

/* The same for one directory in another, with `makes`. */
int tree_make(int dir, const char *name);

/* Remove a file, a link or a whole directory. A missing one is fine. */
void tree_remove(int dir, const char *name);

/* --- What rondo sends: inside_apply.c --- */

/* Read records up to their end and apply them below n directories, replacing whatever is in the
 * way. 0, or the errno of the first failure; EPROTO: the stream broke off. */
int apply_records(FILE *from, const int *roots, size_t n);

/* --- What a line changed: inside_changes.c --- */

/* Scan a tree and a cache. `kept`: n paths of the tree to skip. */
void changes_look(const int *roots, char **kept, size_t n);

/* Scan again and write records: first what has gone, deepest first; then what is new or changed,
 * directories before their contents. Without RECORD_END if there was too much. */
void changes_tell(FILE *to);

/* --- Lines: line.c --- */

struct line {
	char *text, **env;
	int64_t timeout_ms; /* 0: none */
	int control; /* the line is ended when this closes or has input */
	bool speaks; /* its input is the line's standard input instead */
	int output;  /* takes the line's output; -1: the helper's standard output does */
	uint64_t most_output;
};

/* Run it. *ret_printed: how many bytes `output` took. */
struct inside_report line_run(const struct line *line, uint64_t *ret_printed);

/* Open a stream of records; NULL for -1. Write a record and its bytes; NULL: they follow. */
FILE *record_open(int fd, const char *mode);
void record_put(FILE *to, const struct record *record, const void *bytes);
void report_put(FILE *to, const struct inside_report *report);

/* --- Lines that go on when the connection to rondo breaks: inside_keep.c --- */

struct keep {
	const char *place;    /* a directory for such lines */
	const char *name;     /* the directory in it that is created for this line */
	const char *previous; /* the one that is removed */
	const char *request;  /* a file with records; "": there is none */
	char **roots, **kept; /* tree and cache; paths of the tree that are the programs' own */
	size_t n_kept;
};

/* Apply the request, run the line and write the answer. Returns an inside_state. */
int keep_run(const struct keep *keep, struct line *line);

/* Wait for the answer in a line's directory. `ends`: end the line first. Returns an
 * inside_state. */
int keep_await(const char *dir, bool ends);
