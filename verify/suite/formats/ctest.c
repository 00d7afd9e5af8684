/*
 * `ctest`: a line for each test, and JUnit XML since 3.21. Both report the same tests. With
 * --output-on-failure, lines of programs come between: a line that the file contradicts is a
 * forgery, and makes the run void.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "verify/suite/formats/junit.h"
#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

struct ctest_test {
	const char *name; /* the second of a name is "name (2)" */
	const char *plain_name;
	enum test_status status;
	const char *message;
	struct location location;
	int64_t duration_ms;
};

struct ctest {
	struct ctest_test **printed;
	size_t n;
	struct map by_name;
	struct ctest_test *last; /* whose output comes now */
	struct outcome outcome;  /* of that, if the test is red */
	const char *begun;       /* without its line yet; NULL: none */
	struct map names, names_in_file;
	bool has_file, none, totalled;
	const char *problem;
};

/* What follows "  3/8 Test  #3: ", or NULL. */
static const char *ctest_after_number(const char *line)
{
	int n = 0;
	sscanf(line, "%*u/%*u Test #%*u:%n", &n);
	return n && line[n] == ' ' ? line + n + 1 : NULL;
}

static enum test_status ctest_status_of(const char *text)
{
	if (text_starts_with(text, "Passed"))
		return TEST_PASSED;
	if (strstr(text, "***Skipped") || strstr(text, "(Disabled)"))
		return TEST_SKIPPED;
	return strstr(text, "***Not Run") ? TEST_ERROR : TEST_FAILED;
}

/* Seconds before " sec" at the end. */
static int64_t ctest_duration_of(const char *text)
{
	const char *end = text + strlen(text);
	if (end - text < 4 || strcmp(end - 4, " sec") != 0)
		return 0;
	const char *at = end - 4;
	while (at > text && (isdigit((unsigned char)at[-1]) || at[-1] == '.'))
		at--;
	int64_t duration_ms = clock_ms_of(strtod(at, NULL));
	return duration_ms ? duration_ms : 1; /* it was measured */
}

/* "Subprocess aborted" of "Subprocess aborted***Exception:   0.00 sec", "Failed" of
 * "***Failed    0.00 sec". */
static const char *ctest_words_of(const char *text, struct arena *arena)
{
	const char *stars = strstr(text, "***"), *start = stars == text ? text + 3 : text;
	const char *end = stars && stars != text ? stars : strstr(start, "  ");
	return arena_strndup(arena, start, end ? (size_t)(end - start) : strlen(start));
}

/* The output of the last test is at its end. "Failed" says less than a line that says why;
 * "SEGFAULT" and "Timeout" say more. */
static void ctest_end_output(struct suite_reading *reading)
{
	struct ctest *ctest = reading->state;
	struct ctest_test *test = STEAL(&ctest->last);
	if (test && test->message && strcmp(test->message, "Failed") == 0 &&
		outcome_says_why(&ctest->outcome))
		test->message = arena_strdup(reading->arena, ctest->outcome.message);
	ctest->outcome = (struct outcome){0};
}

/* A line that the last test printed. */
static void ctest_read_output(struct suite_reading *reading, const char *line)
{
	struct ctest *ctest = reading->state;
	struct ctest_test *test = ctest->last;
	if (!test || !test_status_is_red(test->status) || *test->location.file)
		return;
	outcome_line(&ctest->outcome, reading->dir, line);
	if (!text_ends_with(line, ":PASS") && location_find(&test->location, reading->dir, line))
		test->message = arena_strdup(reading->arena, line + strspn(line, " \t"));
}

/* "3/8 Test #3: crash ............................Subprocess aborted***Exception: 0.00 sec". A name
 * may hold anything but a newline, so it ends where the last run of dots begins. */
static bool ctest_read_test(struct suite_reading *reading, const char *line)
{
	struct ctest *ctest = reading->state;
	const char *name = ctest_after_number(line), *dots = NULL;
	for (const char *at = name; at && (at = strstr(at, " ..")); at++)
		dots = at;
	if (!dots || dots == name)
		return false;
	const char *text = dots + 1 + strspn(dots + 1, ".");
	text += strspn(text, " ");
	ctest_end_output(reading);
	struct ctest_test *test = arena_alloc(reading->arena, sizeof *test);
	size_t n = (size_t)(dots - name);
	while (n && name[n - 1] == ' ')
		n--;
	test->plain_name = arena_strndup(reading->arena, name, n);
	test->name = id_numbered(&ctest->names, test->plain_name, reading->arena);
	test->status = ctest_status_of(text);
	test->duration_ms = ctest_duration_of(text);
	test->message = test->status == TEST_PASSED ? NULL : ctest_words_of(text, reading->arena);
	map_put(&ctest->by_name, reading->arena, test->name, test);
	if (ctest->begun && strcmp(ctest->begun, test->plain_name) == 0)
		ctest->begun = NULL;
	ARENA_PUSH(reading->arena, ctest->printed, ctest->n, test);
	ctest->last = test;
	return true;
}

/* The name after "      Start  2: ", or NULL. */
static const char *ctest_begun(const char *line)
{
	int n = 0;
	sscanf(line, " Start %*u: %n", &n);
	return n && text_starts_with(line, "    ") ? line + n : NULL;
}

static void ctest_read_line(struct suite_reading *reading, const char *line)
{
	struct ctest *ctest = reading->state;
	const char *begun = ctest_begun(line);
	if (begun) {
		ctest_end_output(reading);
		ctest->begun = arena_strdup(reading->arena, begun);
		return;
	}
	if (ctest_read_test(reading, line))
		return;
	if (text_starts_with(line, "No tests were found!!!"))
		ctest->none = true;
	else if (strstr(line, "% tests passed, ") && strstr(line, " out of ")) {
		ctest->totalled = true;
		ctest_end_output(reading);
	} else
		ctest_read_output(reading, line);
}

/* --- The file --- */

/* CTest's file calls a test that could not be run "skipped". */
static enum test_status ctest_status_in_file(const struct junit_case *test)
{
	if (strcmp(test->status, "fail") == 0)
		return TEST_FAILED;
	if (strcmp(test->status, "disabled") == 0 || text_starts_with(test->message, "SKIP_"))
		return TEST_SKIPPED;
	return strcmp(test->status, "notrun") == 0 ? TEST_ERROR : TEST_PASSED;
}

static void ctest_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	struct ctest *ctest = reading->state;
	const char *name = id_numbered(&ctest->names_in_file, test->name, reading->arena);
	struct ctest_test *printed = map_get(&ctest->by_name, name);
	enum test_status status = ctest_status_in_file(test);
	if (!ctest->problem && ctest->n && (!printed || printed->status != status))
		ctest->problem = arena_printf(reading->arena,
			"the runner's two reports disagree: %s is %s in the file and %s in the lines", name,
			test_status_name(status), printed ? test_status_name(printed->status) : "missing");
	reading_add(reading, name, status,
		!printed || *test->message ? test->message : printed->message,
		printed ? &printed->location : NULL, test->duration_ms);
}

static void ctest_read_report(struct suite_reading *reading, int fd)
{
	struct ctest *ctest = reading->state;
	const char *problem = junit_read(reading, fd, "ctest's JUnit report", ctest_take_case);
	ctest->has_file = true;
	ctest->problem = ctest->problem ? ctest->problem : problem;
}

/* The first test whose line the file contradicts. Lines of other names are of a ctest that a test
 * has run. */
static const struct ctest_test *ctest_find_forged(
	const struct ctest *ctest, const struct test_report *report)
{
	for (size_t i = 0; i < ctest->n && ctest->has_file; i++) {
		const struct ctest_test *test = ctest->printed[i];
		const struct test_result *other = test_report_find(report, test->plain_name);
		if (other && !test_report_find(report, test->name) && other->status != test->status)
			return test;
	}
	return NULL;
}

static const char *ctest_finish(struct suite_reading *reading, const struct process_result *result)
{
	(void)result;
	struct ctest *ctest = reading->state;
	for (size_t i = 0; i < ctest->n && !ctest->has_file; i++) {
		const struct ctest_test *test = ctest->printed[i];
		reading_add(
			reading, test->name, test->status, test->message, &test->location, test->duration_ms);
	}
	const struct ctest_test *forged = ctest_find_forged(ctest, reading->report);
	if (ctest->problem)
		return ctest->problem;
	if (forged)
		return arena_printf(reading->arena,
			"the runner's two reports disagree: a line says that %s %s, the file does not",
			forged->plain_name, test_status_name(forged->status));
	return ctest->totalled || ctest->none ? NULL : "ctest did not come to its end";
}

static const char *ctest_running(struct suite_reading *reading)
{
	return ((const struct ctest *)reading->state)->begun;
}

const struct format ctest_format = {
	.name = "ctest",
	.summary = "ctest: its JUnit file, and its lines",
	.state_size = sizeof(struct ctest),
	.signs = (const char *const[]){"Test project /*", "Internal ctest changing into directory: *",
		"No tests were found!!!*", NULL},
	.report_signs = (const char *const[]){"*<testsuite*\n\tdisabled=\"*", NULL},
	.read_line = ctest_read_line,
	.read_report = ctest_read_report,
	.running = ctest_running,
	.finish = ctest_finish,
};
