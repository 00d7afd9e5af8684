/*
 * A format: how what a runner printed, or wrote into a report file, is read. One file each. A
 * suite_type is who runs; several of them can print the same format, and `npm test` may print any.
 */
#pragma once
#include "verify/suite/suite.h"

/* A run's output on its way into a report. */
struct suite_reading {
	const struct suite *suite;
	const char *dir; /* the tree's root as the command saw it, or NULL */
	struct test_report *report;
	struct arena *arena;
	void *state; /* the format's, of its state_size, zeroed */
};

struct format {
	const char *name;
	const char *summary;
	size_t state_size;
	/* Whether such a line shows that this format is being printed: one that no other prints, nor a
	 * program by chance. NULL: it never shows itself in lines. Asked of every line of a run whose
	 * format is not settled, so it has to be quick. */
	bool (*shows)(const char *line);
	/* The same of a report file, by its first bytes (up to 4 KiB of them). NULL: there are no such
	 * files. */
	bool (*shows_report)(const char *bytes, size_t n);
	/* One line without its newline and without escape sequences, valid UTF-8. NULL: lines say
	 * nothing. */
	void (*read_line)(struct suite_reading *reading, const char *line);
	/* One report file, whole; there may be several, in the order of their names. Damage is no
	 * error: it is concluded from. */
	void (*read_report)(struct suite_reading *reading, int fd);
	/* The end: set `complete`, or `problem` and why. Only a program that ended by itself, or
	 * crashed, comes here. */
	void (*finish)(struct suite_reading *reading, const struct process_result *result);
};

/* The formats in the order in which they are looked for; the last reads whatever no other shows
 * itself in. */
/* clang-format off */
#define FORMATS(_) \
	_(pytest) _(unittest) _(jest) _(vitest) _(mocha) _(node) _(junit) _(go) _(cargo) _(maven) \
	_(ctest) _(googletest) _(cmocka) _(catch2) _(tap) _(program) _(exit)
/* clang-format on */
#define FORMAT_DECLARE(name) extern const struct format name##_format;
FORMATS(FORMAT_DECLARE)
#undef FORMAT_DECLARE
