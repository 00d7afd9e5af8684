/*
 * The journal of an attempt: one JSON object a line, append-only, one writer. Inside run/ only.
 */
#pragma once
#include "base/json/json.h"
#include "base/strbuf.h"
#include "chat/context.h"

struct journal {
	int fd, lock;
	int64_t length; /* bytes of whole records */
	int64_t seq;
	int64_t started_at_ms; /* on the monotonic clock, such that the run's earlier parts count */
	const char *run;
	int attempt; /* whose it is, from 1; 0: it tells what several attempts have in common */
};

#define LARGEST_JOURNAL ((size_t)1 << 30) /* bytes; what is longer is not read */

enum { JOURNAL_VERSION = 2 }; /* 1 told nothing of agents' and conditions' states */

/* Be the writer of the journal in a directory. Where another one is, the error names it; where the
 * directory has been removed, it says so. */
int journal_lock(struct journal *journal, const char *dir, struct rondo_error *err);

/* Begin a locked journal in a directory that has none. `run` (borrowed) is the run's id. */
int journal_create(
	struct journal *journal, const char *dir, const char *run, struct rondo_error *err);

/* Go on with a locked journal after its first `n` bytes, which end a line; what stands behind them
 * was torn by a crash and is kept beside it. */
int journal_continue(
	struct journal *journal, const char *dir, const char *run, size_t n, struct rondo_error *err);

/* Append an event, and force it to disk where a turn or the run begins or ends. `tree` (may be
 * NULL) is what the main checkout holds now. A failure is transient; the journal is then as it was,
 * and can be appended to again. */
int journal_append(struct journal *journal, const struct rondo_event *event, const char *tree,
	struct rondo_error *err);

void journal_close(struct journal *journal);

/* The text of the journal in a directory; appended. */
int journal_text(const char *dir, struct strbuf *sb, struct rondo_error *err);

/* The record in the line that begins at `at`; *ret_next is where the next one begins. NULL with err
 * set where it is none; NULL with *ret_next NULL after the last: what has no newline is no
 * record. */
struct json *journal_record(const char *at, const char **ret_next, struct rondo_error *err);

/* Call `each` with every complete record, in order, until it returns non-zero. A torn last line is
 * no record. */
int journal_read(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err);
