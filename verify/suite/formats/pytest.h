/* What pytest prints, line by line. */
#pragma once
#include "verify/suite/format.h"

/* Why and where a test failed, by its section. Those of one name have the order of the results. */
struct pytest_failure {
	struct pytest_failure *next;
	const char *message;
	const char *file;
	int line;
};

struct pytest_failures {
	struct pytest_failure *first, *last;
};

struct pytest_reading {
	bool after_tests; /* the sections after the tests have begun */
	bool named;       /* a line was read that names a test and its status */
	bool counted;     /* the last line was read: "2 failed, 7 passed in 0.15s" */
	bool interrupted;
	char running[1024];              /* the test whose status has not come yet */
	const struct status_word *maybe; /* the status that a line of its output ends with */
	char complaint[512];             /* pytest's own words for why it gave up */
	struct test_report in_file;      /* what the JUnit file says */
	const char *damage;              /* and what is wrong with it, or NULL */
	struct map failures;             /* struct pytest_failures by kind and name */

	bool explained; /* the section of a test has been read */
	bool open;      /* the section that is being read, and what it said so far */
	bool printed;   /* what the test printed has begun: nothing of pytest's follows */
	bool in_error, after_file;
	char title[1024];
	char message[512];
	struct location location;
};

/* --- In pytest_sections.c --- */

/* "____ title ____" begins a section; false: the line does not. */
bool pytest_read_header(struct suite_reading *reading, const char *line);

/* "ImportError while loading conftest '...'." begins one, too, and there is no other. */
bool pytest_read_conftest(struct suite_reading *reading, const char *line);

/* A line of the open section. */
void pytest_read_section_line(struct suite_reading *reading, const char *line);

/* The open section, if any, is over. */
void pytest_close_section(struct suite_reading *reading);

/* Give each failure what its section said. */
void pytest_explain_failures(struct suite_reading *reading);

/* --- In pytest_xml.c --- */

void pytest_read_report(struct suite_reading *reading, int fd);

/* Add the durations. Where both came and contradict each other, how; else NULL. */
const char *pytest_compare_reports(struct suite_reading *reading);
