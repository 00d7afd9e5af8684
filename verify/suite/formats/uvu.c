/*
 * uvu, which prints no more of a test that passes than a dot, writes no file by itself: preload.js
 * writes one. What it prints must agree:
 *
 *	 sum  • ✘   (1 / 2)
 *
 *	   FAIL  sum  "adds"
 *	    Expected values to be strictly equal:  (is)
 *	    at Object.handler (/work/test/sum.js:6:12)
 *
 *	  Total:     2
 *	  Passed:    1
 *	  Skipped:   0
 *	  Duration:  1.22ms
 */
#include "verify/suite/suite_javascript.h"

#define TOTAL "  Total:     #"
#define PASSED "  Passed:    #"

static void uvu_read_line(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	size_t n;
	outcome_line(&state->outcome, reading->dir, line);
	if (line_match(line, TOTAL, &n)) {
		state->printed.summaries++;
		state->printed.failed += n;
	} else if (line_match(line, PASSED, &n) && n <= state->printed.failed) {
		state->printed.passed += n;
		state->printed.failed -= n;
	}
}

const struct format uvu_format = {
	.name = "uvu",
	.summary = "uvu: a file of what became of its tests",
	.state_size = sizeof(struct js_reading),
	.report_signs = (const char *const[]){"begun: uvu\n", "{\"runner\":\"uvu\",*", NULL},
	.read_line = uvu_read_line,
	.read_report = js_read_report,
	.finish = js_finish,
};
