/* Tests as runs of tokens: which failed, which passed, where; and which of their values reach the
 * program. Private to repair/. */
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

/* A token of a test that holds a part of what the program is given. */
struct reaching {
	uint32_t token;
	uint32_t column; /* of a table: equal ones are the same parameter; 0: none */
};

/* The tokens of a test that stand in the arguments of its calls into the program, or in what the
 * variables and parameters in these are given. In the order of the text, in the arena; gives how
 * many. */
size_t test_reach(const struct repair *repair, const struct source *source, struct span test,
	struct arena *arena, struct reaching **ret_reaching);
