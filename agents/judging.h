/* The two ends of a run of a suite: its command, and what it left. Between judge.c and rerun.c. */
#pragma once
#include "agents/agent.h"

/* The line for sh that runs the suite, or the tests of the options alone; `report` is a name in the cache. */
const char *judge_line(const struct workplace *workplace, const struct suite *suite, const struct judge_options *options,
	const char *report, struct arena *arena);

/* Read what the run left, from the start of `log`; report files are the programs' own, so they are opened without trust. */
int judge_read(const struct workplace *workplace, const struct suite *suite, int log, const char *report,
	const struct process_result *result, struct arena *arena, struct test_report *ret_report, struct rondo_error *err);
