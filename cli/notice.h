/* The end of a run that took long is told to somebody who does not look: by the terminal's bell,
 * and by a command of the user's. */
#pragma once
#include "run/run.h"

struct notice {
	const char *command; /* a line for sh; NULL: none */
	int64_t after_ms;    /* of a run that took less nobody is told */
	int64_t started_at_ms;
	bool rings; /* standard output is a terminal */
};

/* Tell it, where the run took long; all is printed. `failed`: it could not be carried out. What the
 * command says is shown on standard error where it fails. */
void notice_give(const struct notice *notice, const struct run_report *report, bool failed);
