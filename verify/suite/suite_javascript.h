/*
 * What jest, vitest, mocha and node's own runner have in common. The first three are asked for a
 * report file in JSON for each process (preload.js); what they print is read, too, and must agree.
 * If there are no files, only the lines count. Ids are "src/a.test.js > sum > adds"; a repeated one
 * gets a number, "... > adds (2)"; a test file that could not be run, or whose tests have no lines
 * of their own, is its path alone.
 */
#pragma once
#include "base/json/json.h"
#include "verify/suite/format.h"
#include "verify/suite/outcome.h"

enum { JS_DEPTH = 16, JS_NAME = 1024, JS_MESSAGE = 512 };

struct js_counts {
	size_t passed, failed, summaries;
};

/* The failure that lines are explaining: its result, or NULL. */
struct js_block {
	struct test_result *result;
	char message[JS_MESSAGE];
	struct location location;
	bool in_stack;    /* the message is over */
	long source_line; /* that is marked in the source around it, "> 12 | code"; 0: none */
};

struct js_reading {
	/* Of report files. */
	size_t files, begun; /* those with results; those of runners that never ended */
	struct js_counts counted;
	struct map ids;
	char problem[JS_MESSAGE];
	/* Of lines. */
	struct test_report lines;
	struct js_counts printed;
	struct map line_ids;
	struct js_block block;
	bool nothing;       /* the runner said that it found no tests */
	char file[JS_NAME]; /* the test file whose lines these are, or "" */
	enum test_status file_status;
	bool named;                     /* the file has a result, its own or of its tests */
	char titles[JS_DEPTH][JS_NAME]; /* of the groups around, by level */
	int depth;
	struct test_result **failures; /* as printed, for formats that explain them by number */
	size_t n_failures;
	size_t explained; /* of the lines: those before it have been explained again */
	bool titled;      /* the titles of the failure that is explained have been read */
	int stage;        /* the format's: in which part of the output lines are */
	struct outcome outcome;
};

/* Whether n bytes of path end as a source file of JavaScript or TypeScript does. */
bool is_script_path(const char *path, size_t n);

/* Begin an id with a path, "src/a.test.js", and append a title to it, on one line. */
void js_id_begin(struct strbuf *id, const char *dir, const char *path);
void js_id_add(struct strbuf *id, const char *title);

/* A result of a report file. */
struct js_result {
	const char *id; /* may be repeated */
	enum test_status status;
	const char *error; /* what was thrown, with its stack; or NULL */
	const char *path;  /* the test file: the place of a failure whose error names none */
	long line;         /* in that file; 0: unknown */
	int64_t duration_ms;
};

void js_add(struct suite_reading *reading, const struct js_result *result);

/* A failure beside a test, as of a hook, makes the test a TEST_ERROR. */
void js_worsen(struct suite_reading *reading, const struct js_result *result);

/* Add the result of a line. */
struct test_result *js_add_line(
	struct suite_reading *reading, const char *id, enum test_status status, int64_t duration_ms);

/* The result of lines with that id, or NULL. */
struct test_result *js_find_line(struct suite_reading *reading, const char *id);

/* From now on, js_explain_line says why this test failed; NULL: none. */
void js_explain(struct suite_reading *reading, struct test_result *result);
void js_explain_line(struct suite_reading *reading, const char *line);

/* Read a whole error of a report file into an empty block. */
void js_explain_error(struct js_block *block, const char *dir, const char *error);

/* A report file of the reading's format as a tree; NULL: it is another one's, has only been begun,
 * or is damaged. */
struct json *js_report(struct suite_reading *reading, int fd);

/* The report file that jest and vitest share. */
void js_read_report(struct suite_reading *reading, int fd);

/* "Tests: 1 failed, 1 passed" of theirs: the end of what a process printed. */
void js_read_summary(struct js_reading *state, const char *line);

/* Cut "(12 ms)", "(1.2 s)" or "12ms" off the end of a line; gives its milliseconds, or 0. */
int64_t js_cut_duration(char *text);

/* A line begins a test file; without lines for its tests, the file has one result of its own. */
void js_begin_file(struct suite_reading *reading, const char *path, enum test_status status);
struct test_result *js_name_file(struct suite_reading *reading);

/* Append the titles of the first `level` groups to an id. */
void js_add_groups(const struct js_reading *state, struct strbuf *id, int level);

/* Add the result of a test's line within the groups around it: a title and its duration. */
struct test_result *js_add_test(
	struct suite_reading *reading, int level, const char *title, enum test_status status);

/* A line at that level opens a group. */
void js_open_group(struct js_reading *state, int level, const char *title);

/* The end of what the runner printed and wrote. */
const char *js_finish(struct suite_reading *reading, const struct process_result *result);
