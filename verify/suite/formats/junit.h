/* JUnit XML as its many writers write it, told test case by test case; private to suite/ and its
 * tests. */
#pragma once
#include "verify/suite/format.h"
#include "verify/suite/location.h"

struct junit_case {
	const char *suites; /* the names of the suites around it, "outer > inner", or "" */
	const char *classname, *name, *file; /* "": not told */
	const char *basedir;                 /* the property that Maven writes; "": not told */
	const char *outcome;                 /* "failure", "error" or "skipped"; "": it has none */
	const char *status;                  /* the attribute, or "" */
	const char *type, *message;          /* of the outcome, or "" */
	const char *text;                    /* what the outcome says, cut; or "" */
	int64_t duration_ms;
};

/* Read a file and hand on each test case; what it points at lives until the next. NULL, or why the
 * file cannot be trusted to be whole: in words, in the arena. What came before the damage was
 * handed on. */
const char *junit_read(int fd, void (*take)(void *owner, const struct junit_case *test),
	void *owner, struct arena *arena);

/* What a test case comes to: its id, which names the file where the case does, its status, why and
 * where it failed. `dir`: the tree's root as the command saw it. In the arena. */
struct test_result junit_result(
	const struct junit_case *test, const char *dir, struct arena *arena);
