/*
 * A program that rondo speaks with, a line at a time: it lives from one question to the next, under
 * a keeper as every program that rondo runs (base/process/process.h). For one thread at a time.
 */
#pragma once
#include <sys/types.h>

#include "base/process/process.h"

struct coprocess;

enum coprocess_heard {
	COPROCESS_LINE,
	COPROCESS_SILENT, /* nothing yet */
	COPROCESS_ENDED,  /* the program is gone, or closed its output */
};

/* Start it. Of the options argv, env, cwd, keep_fds, prepare and cancel count; they are borrowed
 * only for the call, but for cancel. That a program cannot be executed shows as its end. */
int coprocess_start(const struct process_options *options, struct coprocess **ret_coprocess,
	struct rondo_error *err);

/* Where its bytes come from and go to, where it is no child of rondo's. */
struct coprocess_line {
	int in, out; /* polled: for something to read, and for room to write; may be the same */
	/* Read what is there now and append what was printed. False: it is over. */
	bool (*read)(void *owner, struct strbuf *heard);
	/* As send(2), without waiting. */
	ssize_t (*write)(void *owner, const char *bytes, size_t n);
	/* Of one that has ended; as base/process/process.h says it. */
	int (*exit_code)(void *owner);
	/* Kill it with all that it left, wait until they are gone, and free the owner. */
	void (*end)(void *owner);
	void *owner;
	/* Nothing more will be written; NULL: it cannot be told. */
	void (*end_input)(void *owner);
};

/* One that others have started, at the other end of a line of theirs; the owner is the coprocess's
 * now. */
struct coprocess *coprocess_on(const struct coprocess_line *line, const struct cancel *cancel)
	__attribute__((returns_nonnull));

/* Send a line; the newline is added. False in *ret_taken where the program does not listen in time,
 * or is gone. -1 when cancelled. */
int coprocess_say(struct coprocess *coprocess, const char *line, int64_t timeout_ms,
	bool *ret_taken, struct rondo_error *err);

/* The next line that it prints, without its newline, into `line`; waits for it at most so long. -1
 * when cancelled. */
int coprocess_hear(struct coprocess *coprocess, int64_t timeout_ms, struct strbuf *line,
	enum coprocess_heard *ret_heard, struct rondo_error *err);

/* The next line that `accepts` takes, as above; others are passed over. Waits so long at most in
 * all, however much is printed meanwhile. */
int coprocess_hear_answer(struct coprocess *coprocess, int64_t timeout_ms,
	bool (*accepts)(void *owner, const struct strbuf *line), void *owner, struct strbuf *line,
	enum coprocess_heard *ret_heard, struct rondo_error *err);

/* For who waits for other things too: a descriptor that is readable where it has printed something,
 * or ended; whether one of both is known already, so that nobody needs to wait; all that it has
 * printed and nobody has heard, lines or not, without waiting (false where it has ended); and how
 * it ended, as a shell says it, once it has (137 for one that has closed its output and lives). */
int coprocess_fd(const struct coprocess *coprocess);
bool coprocess_is_ready(const struct coprocess *coprocess);
bool coprocess_take(struct coprocess *coprocess, struct strbuf *text);
int coprocess_exit_code(struct coprocess *coprocess);

/* Nothing more will be said: its standard input ends. What it prints can still be heard. */
void coprocess_end_input(struct coprocess *coprocess);

/* Kill it with all that it left, and wait until they are gone. NULL is fine. */
void coprocess_end(struct coprocess *coprocess);
