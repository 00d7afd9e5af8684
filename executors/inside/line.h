/* A line of sh that the helper runs, watches and ends, with all that it left. */
#pragma once
#include "executors/inside/inside.h"

struct line {
	char *text, **env;
	int64_t timeout_ms; /* 0: none */
	int control; /* when it is closed, or something comes from it, the line is ended */
	bool speaks; /* what comes from it is the line's standard input */
	int output;  /* takes what the line prints; -1: it prints where the helper does */
	uint64_t most_output;
};

/* Run it. In *ret_printed how many bytes `output` took. */
struct inside_report line_run(const struct line *line, uint64_t *ret_printed);
