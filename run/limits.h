/* The limits of a run, from "name=value" texts over the defaults. Inside run/ only. */
#pragma once
#include "base/option.h"

struct limits {
	int64_t turns;
	int64_t time_ms, block_ms, suite_ms, repair_ms;
	bool suite_is_set; /* else five times the baseline, at least suite_ms */
};

/* Read them. An unknown name or a wrong value is an error that says what was meant. */
int limits_read(const struct option_strings *settings, struct arena *arena, struct limits *limits,
	struct rondo_error *err);

/* "40 turns, 30 min, ..." for people; in the arena. */
const char *limits_describe(const struct limits *limits, struct arena *arena);
