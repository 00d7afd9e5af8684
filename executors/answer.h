/*
 * What the helper tells of a line (executors/inside/inside.h): its end, what it printed, what it changed. It
 * comes from where programs run that nobody trusts, so names and bytes are checked here, and again
 * where they are written. Inside executors/ and its tests.
 */
#pragma once
#include "executors/mirror.h"
#include "executors/inside/inside.h"

struct answer {
	struct inside_report report; /* .end 0: there is none */
	bool is_whole;               /* else it was cut off, or there was too much to tell */
	const char *output;
	size_t n_output;
	struct answer_item *items;
	size_t n;
};

/* Read it as far as it goes. Items lie in the arena, what they hold in `bytes`. One with a name
 * that cannot be, or a link that leads out, is a refused one. */
void answer_read(const char *bytes, size_t n, struct arena *arena, struct answer *ret_answer);

/* One on its way: a file without a name, which is mapped when all is there. */
struct answer_file {
	int fd;
	char *bytes;
	size_t n;
};

#define ANSWER_MOST ((size_t)600 << 20)

/* Make it in the directory. */
int answer_file_open(struct answer_file *file, const char *dir, struct rondo_error *err);
int answer_file_map(struct answer_file *file, struct rondo_error *err);
void answer_file_release(struct answer_file *file);
