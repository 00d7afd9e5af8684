/*
 * A program of the user's own that is asked in JSON and answers in JSON: a line for sh, run on the
 * host and outside of any sandbox, with the user's environment but for keys. What it complains of
 * is no part of its answer. Whoever asks must not take silence for an answer: whatever else it does
 * is an error that quotes it.
 */
#pragma once
#include "base/cancel.h"
#include "base/json/json.h"
#include "base/strbuf.h"

struct inquiry {
	const char *command;         /* for sh */
	const char *dir;             /* where it runs; NULL: where rondo stands */
	const char *question;        /* JSON, its standard input */
	const char *member;          /* true or false in the answer: what is asked */
	int64_t timeout_ms;          /* 0: none */
	const struct cancel *cancel; /* may be NULL */
};

/* What it printed, appended, where it ended with 0; more than the buffer's limit is an error. -1 as
 * inquire's NULL; `member` is not asked. */
int inquire_text(const struct inquiry *inquiry, struct strbuf *answer, struct rondo_error *err);

/* The answer, an object whose `member` is a bool; the caller's. NULL with err set: what it did
 * instead, which is RONDO_ERROR_CANNOT_JUDGE, or that it was cancelled. */
struct json *inquire(const struct inquiry *inquiry, struct rondo_error *err);
