/* JUnit XML as its many writers write it, test case by test case. */
#pragma once
#include "verify/suite/format.h"

struct junit_case {
	const char *suites; /* the names of the suites around it, "outer > inner", or "" */
	const char *classname, *name, *file; /* "": not given */
	const char *basedir;                 /* the property that Maven writes, or "" */
	const char *outcome;                 /* "failure", "error" or "skipped"; "": it has none */
	const char *status;                  /* the attribute, or "" */
	const char *type, *message;          /* of the outcome, or "" */
	const char *text;                    /* what the outcome says, cut; or "" */
	int64_t duration_ms;
	int n_skipped; /* how many outcomes are "skipped" */
};

/* Read a file and pass each test case to `take`; what it points at lives until the next. Gives why
 * the file, which `what` names, cannot be trusted to be whole, or NULL. */
const char *junit_read(struct suite_reading *reading, int fd, const char *what,
	void (*take)(struct suite_reading *reading, const struct junit_case *test));

/* The result of a test case: its id, which names the file if the case does, its status, why and
 * where it failed. In the arena. */
struct test_result junit_result(const struct suite_reading *reading, const struct junit_case *test);

/* Add it, numbered where `ids` has its id already. Whether it failed. */
bool junit_add(struct suite_reading *reading, const struct junit_case *test, struct map *ids);
