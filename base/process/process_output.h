/*
 * What a program printed, kept as its options say, wherever its bytes come from; and what its end
 * means. For those that run programs: base/process/process.c and executors.
 */
#pragma once
#include "base/process/process.h"

struct process_output {
	const struct process_options *options; /* output, output_limit, log_fd and log_limit count */
	struct process_result *result;         /* its output_bytes are counted */
	/* bytes of a character that the next ones may complete */
	struct strbuf raw;
};

#define PROCESS_OUTPUT_INIT(options, result) {(options), (result), STRBUF_INIT(STRBUF_TEXT)}

/* Take n bytes. */
void process_output_take(struct process_output *output, const char *bytes, size_t n);

/* That was all. */
void process_output_end(struct process_output *output);

/* Why to end the program now, or PROCESS_EXITED: go on. `deadline_ms` is on the monotonic clock; 0:
 * none. */
enum process_end process_reason_to_kill(const struct process_output *output, int64_t deadline_ms);

/* How long to wait for in a poll, in ms: -1 for ever. */
int process_time_left(int64_t deadline_ms);

/* Fill in what the end means. `ended`: by itself, with `status` as waitpid gives it; else the
 * result's end says why not. */
void process_conclude(struct process_result *result, bool ended, int status);
