/*
 * One block in a kernel: what is sent, what of the kernel's messages belongs to it, what they print and show, and when it is
 * over. Hears messages, never a socket. Inside executors/ only.
 */
#pragma once
#include "executors/executor.h"
#include "executors/jupyter/wire.h"

/* Where pictures and the like go. */
struct jupyter_gallery {
	const struct executor *executor; /* whose tree */
	const char *dir;                 /* below it; "." */
	int64_t shown;                   /* files were numbered so far */
};

enum jupyter_last { JUPYTER_NOTHING, JUPYTER_TEXT, JUPYTER_ITEM };

struct jupyter_cell {
	const char *id; /* of the request that it was sent by */
	bool replied, idle, aborted;
	bool exits;       /* the kernel was told to exit */
	bool has_error;   /* a traceback was told */
	int exit_code;    /* what the block would end with as a program */
	struct strbuf *output;
	size_t start;     /* of its output */
	enum jupyter_last last; /* what its output ends with */
	bool clears;      /* the next output takes the place of all before */
	uint64_t bytes;   /* all that it printed, also what was cut */
	struct strbuf late; /* what earlier blocks have left running and printed meanwhile, as far as its limit goes */
	struct jupyter_gallery *gallery; /* NULL: nothing is kept */
	size_t n_files;
	uint64_t file_bytes;
	struct arena *arena;
	struct code_result *result; /* takes the files' names */
};

/* What a cell holds beside borrowed things. */
void jupyter_cell_release(struct jupyter_cell *cell);

/* A block's text as it is run: pip is told to be quiet. In the arena, or the text itself. */
const char *jupyter_cell_source(const char *code, struct arena *arena);

/* A message of the kernel's. */
void jupyter_cell_hear(struct jupyter_cell *cell, const struct jupyter_message *message);

/* Text that the kernel's process printed past it. */
void jupyter_cell_print(struct jupyter_cell *cell, const char *bytes, size_t n);

/* A line of rondo's about it, on a line of its own. */
void jupyter_cell_say(struct jupyter_cell *cell, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Nothing more comes: what other blocks printed meanwhile is told. */
void jupyter_cell_end(struct jupyter_cell *cell);

static inline bool jupyter_cell_is_over(const struct jupyter_cell *cell)
{
	return cell->replied && cell->idle;
}
