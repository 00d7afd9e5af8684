/*
 * A format: how to read what a runner prints, or writes into report files. One file each. A
 * suite_type is who runs; several runners can print one format, and `npm test` may print any.
 */
#pragma once
#include "verify/suite/lines.h"
#include "verify/suite/location.h"
#include "verify/suite/suite.h"

/* A run's output on its way into a report. */
struct suite_reading {
	const struct suite *suite;
	const struct format *format;
	const char *dir; /* the tree's root as the command saw it, as location.h has it; or NULL */
	struct test_report *report;
	struct arena *arena;
	void *state; /* the format's, of its state_size, zeroed */
};

struct format {
	const char *name;
	const char *summary;
	size_t state_size;
	/* Patterns (see line_match) of lines that show that this format is being printed: no other
	 * prints them, nor a program by chance. They end with NULL; NULL: there are none. `shows` is
	 * for what no pattern can say, and quick: it sees every line of a run whose format is not
	 * settled. */
	const char *const *signs;
	bool (*shows)(const char *line);
	/* What shows it as well, unless another format shows itself. NULL: nothing. */
	bool (*hints)(const char *line);
	/* The same of the first 4 KiB of a report file. NULL: there are no such files. */
	const char *const *report_signs;
	/* Where it shows itself, others do not count: logs of tests may follow, in any format. Unless a
	 * line came that begins with `sole_sign`, this is so only where no format shows itself that
	 * `tells_all` of its tests by their names; else a test printed what looks like it. */
	bool is_alone, tells_all;
	const char *sole_sign;
	/* One line: valid UTF-8 without its newline and without escape sequences. May be NULL. */
	void (*read_line)(struct suite_reading *reading, const char *line);
	/* One whole report file, of those in the order of their names. It may be damaged. */
	void (*read_report)(struct suite_reading *reading, int fd);
	/* Optional: the id of the test that has begun and not ended, where the command was stopped;
	 * NULL: none is known. `finish` comes first. */
	const char *(*running)(struct suite_reading *reading);
	/* Mandatory: the end of a command that ended by itself, or crashed. Gives why the run is not
	 * complete; NULL: it is. */
	const char *(*finish)(struct suite_reading *reading, const struct process_result *result);
};

/* Add a result. An empty message counts as none; so do the message of a test that passed, and the
 * place (may be NULL) of one that did not fail. */
void reading_add(struct suite_reading *reading, const char *id, enum test_status status,
	const char *message, const struct location *location, int64_t duration_ms);

/* A word that a runner prints for a test's status. */
struct status_word {
	const char *text;
	enum test_status status;
};

/* What follows the first of n words that the text begins with, and its status; NULL: it begins
 * with none. */
const char *status_word_skip(
	const struct status_word *words, size_t n, const char *text, enum test_status *ret_status);

/* The formats; of one run, all that show themselves are read. The last reads what no other
 * recognizes. */
#define FORMAT_SYMBOL(name) name##_format
#define FORMATS(_) \
	_(pytest), _(unittest), _(jest), _(vitest), _(mocha), _(uvu), _(node), _(bun), _(junit), \
		_(go), _(cargo), _(nextest), _(maven), _(ctest), _(meson), _(automake), _(rspec), \
		_(minitest), _(googletest), _(cmocka), _(catch2), _(tap), _(program), _(configure), \
		_(exit)
REGISTRY_DECLARE(struct format, suite_formats, FORMATS(FORMAT_SYMBOL));
