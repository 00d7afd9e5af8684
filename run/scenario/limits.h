/* The limits of a run: what a scenario says under `limits`, and rondo fix by --limit NAME=VALUE.
 * Inside run/ only. */
#pragma once
#include "base/option.h"

struct limits {
	int64_t turns;
	int64_t time_ms, block_ms;
	int64_t repair_ms;  /* 0: a minute, and less before a model */
	int64_t candidates; /* 0: as many as there is time for */
	int64_t suite_ms;   /* 0: five times the baseline, at least a minute */
	int64_t tokens;     /* 0: no limit */
	double cost_usd;
};

extern const struct option limits_options[];

/* "40 turns, 30 min, ..." for people; in the arena. */
const char *limits_describe(const struct limits *limits, struct arena *arena);
