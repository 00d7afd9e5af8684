/* Tests as runs of tokens: which failed, which passed, where. Private to repair/. */
#pragma once
#include "repair/search.h"

/* What a test is to us: a run of tokens in a file. */
struct region {
	const struct source *source;
	struct span span;
	bool failing;
	bool exact;     /* the statement that failed */
	const char *id; /* as the report says it; NULL: it is known by a place alone */
};

struct regions {
	struct arena *arena; /* of the items */
	struct repair *repair;
	struct region *items;
	size_t n, n_failing;
	size_t n_known; /* that are said to fail; 0: all are only taken to */
};

/* Find the tests of a report in the search's files. Without a failing one among them all are taken
 * to fail; with none at all, every test file is one test. After repair_trace. */
void regions_find(struct regions *regions, struct repair *repair, const struct test_report *report);
