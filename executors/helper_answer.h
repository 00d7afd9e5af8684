/*
 * What the helper (executors/inside/inside.h) says about a line: how it ended, what it printed and
 * changed.
 * It comes from a place where untrusted programs run, so names and bytes are checked here and again
 * when they are written. Only executors/ and tests include it.
 */
#pragma once
#include "executors/inside/inside.h"
#include "executors/mirror.h"

struct answer {
	struct inside_report report; /* .end 0: there is none */
	bool is_whole;               /* false: it was cut off, or there were too many changes */
	const char *output;
	size_t n_output;
	struct answer_item *items;
	size_t n;
};

/* Read as far as possible. Items lie in the arena, their contents in `bytes`. An item with an
 * invalid name, or a link that leads out of the tree, becomes a refused one. */
void answer_read(const char *bytes, size_t n, struct arena *arena, struct answer *ret_answer);

/* An answer that is being received: a nameless file, mapped once it is complete. */
struct answer_file {
	int fd;
	char *bytes;
	size_t n;
};

#define ANSWER_MOST ((size_t)600 << 20)

/* Create it in a directory. */
int answer_file_open(struct answer_file *file, const char *dir, struct rondo_error *err);
int answer_file_map(struct answer_file *file, struct rondo_error *err);
void answer_file_release(struct answer_file *file);
