/*
 * What jest, vitest, mocha and node's own runner have in common. The first three are asked for
 * report files in JSON, one for each process (preload.h); what they print for people is read beside
 * them, and must agree. Where there are no files, it is all there is. Ids are "src/a.test.js > sum
 * > adds"; one that comes again gets a number, "... > adds (2)"; a test file that could not be run,
 * or whose tests have no lines of their own, is its path alone.
 */
#pragma once
#include "base/json.h"
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
	size_t files, begun; /* those with results; those of runners that never came to their end */
	struct js_counts counted;
	struct map ids;
	char problem[JS_MESSAGE];
	/* Of lines. */
	struct test_report lines;
	struct js_counts told;
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

/* "src/a.test.js": a path as it stands in ids, and what is put behind it: titles, on one line. */
void js_id_begin(struct strbuf *id, const char *dir, const char *path);
void js_id_add(struct strbuf *id, const char *title);

/* A result of a report file. */
struct js_result {
	const char *id; /* may come again */
	enum test_status status;
	const char *error; /* what was thrown, with its stack; or NULL */
	const char *path;  /* the test file: the place of a failure whose error names none */
	long line;         /* in that file; 0: unknown */
	int64_t duration_ms;
};

void js_add(struct suite_reading *reading, const struct js_result *result);

/* What fails beside a test, a hook, is its error. */
void js_worsen(struct suite_reading *reading, const struct js_result *result);

/* Add a result of a line; failures are explained by the lines that follow js_explain. */
struct test_result *js_add_line(
	struct suite_reading *reading, const char *id, enum test_status status, int64_t duration_ms);

/* The result of lines with that id, or NULL; the lines that follow say why it failed. */
void js_explain(struct suite_reading *reading, struct test_result *result);
struct test_result *js_find_line(struct suite_reading *reading, const char *id);
void js_explain_line(struct suite_reading *reading, const char *line);

/* What a whole error of a report file says, into an empty block. */
void js_explain_error(struct js_block *block, const char *dir, const char *error);

/* A report file as a tree, where `shows` says that it is this runner's; NULL where it is not, or is
 * only begun, or damaged. */
struct json *js_report(struct suite_reading *reading, int fd, const char *runner,
	bool (*shows)(const char *bytes, size_t n));

/* Whether a report file is one that this runner began and never wrote. */
bool js_is_begun(const char *bytes, size_t n, const char *runner);

/* The layout that jest and vitest share. */
void js_read_files(struct suite_reading *reading, const struct json *report);

/* Cut "(12 ms)", "(1.2 s)" or "12ms" off the end of a line; gives its milliseconds, or 0. */
int64_t js_cut_duration(char *text);

/* The number before a word: 8 of "1 failed | 8 passed (9)"; 0 where there is none. */
size_t js_number_before(const char *line, const char *word);

/* A line of a test file begins what is said of it; without a line for a test, it has one result of
 * its own. */
void js_begin_file(struct suite_reading *reading, const char *path, enum test_status status);
struct test_result *js_name_file(struct suite_reading *reading);

/* Add the titles of the first `level` groups around to an id. */
void js_add_groups(const struct js_reading *state, struct strbuf *id, int level);

/* A line at that level opens a group. */
void js_open_group(struct js_reading *state, int level, const char *title);

/* The end of what this runner printed and wrote. */
void js_finish(
	struct suite_reading *reading, const char *runner, const struct process_result *result);
