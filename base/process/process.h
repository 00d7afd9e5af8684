/*
 * Programs that rondo runs. Each gets a session of its own, closed descriptors, no terminal, the
 * environment that it is given and nothing else, and a keeper: a process between it and rondo
 * that kills it and all its descendants, also those that left its group or became daemons, as
 * soon as it ends, the deadline passes, the token fires, or rondo or the keeper itself dies.
 *
 * Standard output and error go through one pipe, so their order is kept. What was printed before
 * a kill is never lost, and nobody who holds the pipe open delays the answer.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/strbuf.h"

enum process_end {
	PROCESS_EXITED,
	PROCESS_SIGNALLED,
	PROCESS_TIMEOUT,
	PROCESS_OUTPUT_LIMIT,
	PROCESS_CANCELLED,
	PROCESS_MEMORY, /* these by the options' inspect: it took more than it may */
	PROCESS_PROCESSES,
	PROCESS_DISK,
};

/* Who hears what a program prints as it comes: UTF-8, whole characters. `hear` NULL: nobody. */
struct process_listener {
	void (*hear)(void *owner, const char *text, size_t n);
	void *owner;
};

struct process_options {
	const char *const *argv; /* argv[0]: the program's path */
	const char *const *env;  /* NAME=value ..., NULL; the whole environment; NULL: empty */
	const char *cwd;         /* NULL: where rondo stands */
	const char *input;       /* standard input as text; NULL: /dev/null */
	int64_t timeout_ms;      /* 0: none */
	uint64_t output_limit;   /* killed when it printed more; 0: none */
	/* takes what was printed (scrubbed to UTF-8), head and tail; may be NULL */
	struct strbuf *output;
	struct process_listener listener;
	int log_fd; /* takes the raw bytes up to log_limit where log_limit > 0 */
	uint64_t log_limit;
	const int *keep_fds; /* descriptors that the program inherits, under the same numbers */
	size_t n_keep_fds;
	/* Called in the new process before it executes, perhaps in rondo's memory: only system calls,
	 * and none that the library makes in all threads, as setuid. Returns 0, or -1 with errno and in
	 * `what` the words of what could not be done. */
	int (*prepare)(void *payload, const char **what);
	/* Called in the keeper again and again while the program runs, perhaps with a copy of the
	 * payload: only async-signal-safe calls. Returns PROCESS_EXITED, or why the program is to be
	 * ended. `pid`: the program. May be NULL. */
	enum process_end (*inspect)(void *payload, pid_t pid);
	void *payload;
	bool is_box; /* all that the program starts ends with it, and it ends with its parent */
	const struct cancel *cancel; /* may be NULL */
};

struct process_result {
	enum process_end end;
	int exit_code; /* as a shell says it: 128 + signal; 124 for a timeout; 125 when cancelled */
	int signal;
	uint64_t output_bytes; /* all that was printed, also what was not kept */
	int log_error;         /* errno of a write to log_fd that failed; 0: none did */
	int64_t duration_ms;
	int64_t max_rss_bytes; /* the largest of the program's processes that it waited for */
};

/* Run and wait. -1 only when the program could not be started: then err says why, and nothing
 * runs. Whatever the program does is a result. */
int process_run(
	const struct process_options *options, struct process_result *result, struct rondo_error *err);

/* What a result means in words, such as "exit code 2", "killed by SIGSEGV", "timed out"; static or
 * in `text`. */
const char *process_describe(const struct process_result *result, char *text, size_t size);
