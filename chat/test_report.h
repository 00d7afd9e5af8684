/* What one run of a suite said, test by test. Lives in an arena. */
#pragma once
#include "base/arena.h"
#include "base/json/json.h"
#include "base/map.h"
#include "base/strbuf.h"

enum test_status {
	TEST_PASSED,
	TEST_FAILED,
	TEST_ERROR, /* it could not run: a fixture, an import, a collection error */
	TEST_SKIPPED,
	TEST_XFAILED,  /* failed, as its author said it would */
	TEST_STATUSES, /* how many there are */
};

struct test_result {
	const char *id;      /* as the runner names it; the same from run to run */
	const char *printed; /* the name in this run's output; NULL: the id */
	enum test_status status;
	const char *message; /* why it failed, in a line; or NULL */
	const char *detail;  /* what was printed of that, in lines; or NULL */
	const char *file;    /* where it failed, relative to the tree; or NULL */
	int line;
	int64_t duration_ms; /* 0: unknown */
	int n_skipped;       /* subtests that were skipped in it, as far as the runner counts them */
	/* where a plan has it, "t/area.t: 2 of 5", which a name that holds printed values does not
	 * change; NULL: there is no plan */
	const char *place;
};

/* The place of what the command itself came to, where its tests did not come to their end. */
#define TEST_PLACE_COMMAND "the command"

/* The format of a suite that is one test: its command, which passes when it exits with 0. */
#define TEST_FORMAT_EXIT "exit"

struct test_report {
	struct test_result **results; /* in the order of the run; ids are unique */
	size_t n;
	struct map by_id;
	size_t count[TEST_STATUSES];
	int exit_code;
	bool complete;       /* the runner came to its end and its results can be compared */
	const char *problem; /* where it is not complete: why, such as "timed out after 60 s" */
	const char *hung;    /* ... the test that had begun and does not end; NULL: none is known */
	/* those that pass have numbers for names: a red one that is not named any more has passed */
	bool names_only_red;
	const char *format; /* in which its results were read: "pytest", "tap+jest"; NULL: in none */
	const char *output; /* what was printed, head and tail */
	const char *log;    /* the file that holds all of it, or NULL */
	int64_t duration_ms;
};

/* The same report before any result was added. */
struct test_report test_report_emptied(const struct test_report *report);

/* Add a result; one whose id is there already replaces it when it is worse (error, failed, ...
 * passed). */
void test_report_add(
	struct test_report *report, struct arena *arena, const struct test_result *result);

/* The same report in another arena, which then holds nothing else. */
struct test_report test_report_copy(const struct test_report *report, struct arena *arena);

/* What failed did so as its author said it would. */
void test_report_expect_red(struct test_report *report);

/* The result of that id, or NULL. */
const struct test_result *test_report_find(const struct test_report *report, const char *id);

/* How the message of a test begins that was stopped because it did not end. */
#define HUNG "does not end"

/* Whether it was stopped so, or by a limit of its own. */
bool test_result_hangs(const struct test_result *result);

/* Whether the suite is one test, by the exit code of its command. */
bool test_report_is_exit(const struct test_report *report);

/* Failed or could not run. */
bool test_status_is_red(enum test_status status);
size_t test_report_red(const struct test_report *report);

/* "passed", "failed", "error", "skipped", "xfailed". */
const char *test_status_name(enum test_status status);

/* "16 of 18 passed, 2 skipped" (passed of all but the skipped); appended. */
void test_report_describe(const struct test_report *report, struct strbuf *sb);

/* JSON and back; brief: without the places of results, which only comparisons need. */
struct json *test_report_to_json(const struct test_report *report);
struct json *test_report_to_brief_json(const struct test_report *report);
/* The text of that JSON, appended, without its whole tree in memory: of a large suite that takes
 * ten times as much. */
void test_report_print(const struct test_report *report, struct strbuf *sb);
int test_report_from_json(const struct json *json, struct arena *arena, struct test_report *report,
	struct rondo_error *err);
