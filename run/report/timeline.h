/* Spans from the records of a journal, which may be told one after the other. Inside run/ only. */
#pragma once
#include "base/json/json.h"
#include "run/run.h"

struct timeline {
	struct arena *arena;
	struct run_span *spans;
	size_t n;
	int64_t stage_ms; /* when the last stage ended */
	int64_t ms;       /* of the last record */
	int64_t most_ms;  /* of all attempts whose records were taken; 0: there is none */
};

/* Take the next record; gives 0. */
int timeline_take(void *timeline, const struct json *record);

/* There are no more: what is open broke off. */
void timeline_end(struct timeline *timeline);
