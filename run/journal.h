/*
 * The journal of an attempt: one JSON object a line, append-only, one writer. Inside run/ only.
 */
#pragma once
#include "base/json.h"
#include "chat/context.h"

struct journal {
	int fd;
	int64_t seq;
	const char *run;
};

/* Begin a journal in a file that does not exist. `run` (borrowed) is the run's id. */
int journal_create(struct journal *journal, const char *path, const char *run, struct rondo_error *err);

/* Append an event, and force it to disk where a turn or the run begins or ends. A failure is transient. */
int journal_append(struct journal *journal, const struct rondo_event *event, struct rondo_error *err);

void journal_close(struct journal *journal);

/* Call `each` with every complete record, in order, until it returns non-zero. A torn last line is no record. */
int journal_read(const char *path, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err);
