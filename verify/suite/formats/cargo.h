/* What cargo test prints of one test program after the other. */
#pragma once
#include "verify/suite/format.h"

/* Why something failed. */
struct cargo_why {
	char message[512];
	struct location location;
	bool expects_message; /* the next line says what the panic is about */
};

struct cargo_test {
	const char *name;
	long line; /* of a doc-test, from its name, but no part of its id; else 0 */
	enum test_status status;
	bool ended;
	struct cargo_why *why; /* NULL: it said nothing */
};

/* One test program, or the doc-tests of one package. */
struct cargo_target {
	const char *source; /* "src/lib.rs", "tests/it.rs", "doc-tests" */
	const char *crate;
	struct map by_name;
	struct cargo_test **tests;
	size_t n;
	size_t promised;
	bool begun, ended;
	bool counted; /* its result line came, whether it agrees or not */
	bool failed;  /* cargo says so */
	struct cargo_why crash;
};

struct cargo_state {
	struct cargo_target **targets;
	size_t n;
	struct cargo_target *target;  /* whose lines come */
	struct cargo_test *running;   /* named, but without its result: output comes between */
	struct cargo_test *slow;      /* that runs for a minute already */
	struct cargo_test *explained; /* whose section of the failures is read */
	bool in_failures;
	struct cargo_why build; /* the first error of the compiler */
	const char **unbuilt;   /* names of packages */
	size_t n_unbuilt;
	struct map ids;
};

/* A line that says why something failed, in cargo_failures.c. */
void cargo_hear(struct cargo_why *why, const char *dir, const char *line);
