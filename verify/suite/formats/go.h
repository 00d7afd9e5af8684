/* What go test prints of packages and their tests, as JSON (go.c) or in lines (go_lines.c). */
#pragma once
#include "verify/suite/format.h"

/* Why something failed: what its output says of it. */
struct go_why {
	char message[512];
	struct location location;
	bool panicked; /* what follows is a traceback */
};

struct go_test {
	const char *name;
	enum test_status status;
	bool ended;
	bool is_paused; /* it waits until others have ended */
	bool is_inner;  /* another test ran it */
	int64_t duration_ms;
	struct go_why *why; /* NULL: it said nothing */
};

struct go_package {
	const char *name; /* NULL: unknown yet */
	struct map by_name;
	struct go_test **tests; /* in the order of the run */
	size_t n;
	struct go_test *top; /* which stands in no other, runs and does not wait */
	bool ended, failed;
	const char *build; /* whose build failed, or NULL */
	struct go_why why;
};

struct go_state {
	struct map by_name;
	struct go_package **packages;
	size_t n;
	struct map builds;       /* struct go_why by import path */
	struct go_why *building; /* whose errors come now, without JSON */
	struct go_package *open; /* of plain lines, which name it at the end */
	struct go_test *running; /* which plain lines belong to */
};

struct go_package *go_package_of(struct suite_reading *reading, const char *name);
struct go_test *go_test_of(
	struct suite_reading *reading, struct go_package *package, const char *name);

/* A test has ended, or (NULL) its package; of several ends the worst counts. */
void go_end(
	struct go_package *package, struct go_test *test, enum test_status status, int64_t duration_ms);

/* A line that a test printed, or (NULL) its package. */
void go_hear(struct suite_reading *reading, struct go_package *package, struct go_test *test,
	const char *line);

/* A line that the compiler printed. */
void go_hear_build(struct suite_reading *reading, const char *line);

/* A line that is no JSON, in go_lines.c. */
void go_read_plain(struct suite_reading *reading, const char *line);
