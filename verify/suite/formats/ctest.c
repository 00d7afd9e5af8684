/*
 * `ctest`: a line for each test, and JUnit XML where it is new enough (3.21). Both tell of the same
 * tests; what programs print with --output-on-failure stands among the lines, so that a line that
 * the file contradicts is a forgery, and the run is void.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/formats/junit.h"
#include "verify/suite/ids.h"

struct ctest_test {
	const char *name; /* a second one of a name is told as "name (2)" */
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
	struct map names, names_in_file;
	bool has_file, none, totalled;
	const char *problem;
};

/* The place behind "  3/8 Test  #3: ", or NULL. */
static const char *behind_number(const char *line)
{
	const char *at = line + strspn(line, " ");
	size_t digits = strspn(at, "0123456789");
	if (!digits || at[digits] != '/')
		return NULL;
	at += digits + 1;
	at += strspn(at, "0123456789");
	if (!text_starts_with(at, " Test "))
		return NULL;
	at += strlen(" Test ");
	at += strspn(at, " ");
	if (*at != '#' || !isdigit((unsigned char)at[1]))
		return NULL;
	at = at + 1 + strspn(at + 1, "0123456789");
	return text_starts_with(at, ": ") ? at + 2 : NULL;
}

static enum test_status status_of(const char *text)
{
	if (text_starts_with(text, "Passed"))
		return TEST_PASSED;
	if (strstr(text, "***Skipped") || strstr(text, "(Disabled)"))
		return TEST_SKIPPED;
	return strstr(text, "***Not Run") ? TEST_ERROR : TEST_FAILED;
}

/* Seconds before " sec" at the end. */
static int64_t duration_of(const char *text)
{
	const char *end = text + strlen(text);
	if (end - text < 4 || strcmp(end - 4, " sec") != 0)
		return 0;
	const char *at = end - 4;
	while (at > text && (isdigit((unsigned char)at[-1]) || at[-1] == '.'))
		at--;
	return (int64_t)(strtod(at, NULL) * 1000);
}

/* "Subprocess aborted" of "Subprocess aborted***Exception: 0.00 sec", "Failed" of "***Failed 0.00
 * sec". */
static const char *words_of(const char *text, struct arena *arena)
{
	const char *stars = strstr(text, "***"), *start = stars == text ? text + 3 : text;
	const char *end = stars && stars != text ? stars : strstr(start, "  ");
	return arena_strndup(arena, start, end ? (size_t)(end - start) : strlen(start));
}

/* "3/8 Test #3: crash ............................Subprocess aborted***Exception: 0.00 sec". A name
 * may hold anything but a newline, so its end is where the last run of dots begins. */
static bool read_test(struct suite_reading *reading, const char *line)
{
	struct ctest *ctest = reading->state;
	const char *name = behind_number(line), *dots = NULL;
	for (const char *at = name; at && (at = strstr(at, " ..")); at++)
		dots = at;
	if (!dots || dots == name)
		return false;
	const char *text = dots + 1 + strspn(dots + 1, ".");
	text += strspn(text, " ");
	struct ctest_test *test = arena_alloc(reading->arena, sizeof *test);
	size_t n = (size_t)(dots - name);
	while (n && name[n - 1] == ' ')
		n--;
	test->plain_name = arena_strndup(reading->arena, name, n);
	test->name = id_numbered(&ctest->names, test->plain_name, reading->arena);
	test->status = status_of(text);
	test->duration_ms = duration_of(text);
	test->message = test->status == TEST_PASSED ? NULL : words_of(text, reading->arena);
	map_put(&ctest->by_name, reading->arena, test->name, test);
	ARENA_PUSH(reading->arena, ctest->printed, ctest->n, test);
	ctest->last = test;
	return true;
}

static void ctest_read_line(struct suite_reading *reading, const char *line)
{
	struct ctest *ctest = reading->state;
	if (read_test(reading, line))
		return;
	if (text_starts_with(line, "No tests were found!!!"))
		ctest->none = true;
	else if (strstr(line, "% tests passed, ") && strstr(line, " out of "))
		ctest->totalled = true;
	else if (ctest->last && test_status_is_red(ctest->last->status) &&
			 !*ctest->last->location.file &&
			 location_find(&ctest->last->location, reading->dir, line))
		ctest->last->message = arena_strdup(reading->arena, line + strspn(line, " \t"));
}

/* --- The file --- */

/* CTest's file knows no word for a test that could not be run but "skipped". */
static enum test_status status_in_file(const struct junit_case *test)
{
	if (strcmp(test->status, "fail") == 0)
		return TEST_FAILED;
	if (strcmp(test->status, "disabled") == 0 || text_starts_with(test->message, "SKIP_"))
		return TEST_SKIPPED;
	return strcmp(test->status, "notrun") == 0 ? TEST_ERROR : TEST_PASSED;
}

static void take_case(void *owner, const struct junit_case *test)
{
	struct suite_reading *reading = owner;
	struct ctest *ctest = reading->state;
	const char *name = id_numbered(&ctest->names_in_file, test->name, reading->arena);
	struct ctest_test *printed = map_get(&ctest->by_name, name);
	enum test_status status = status_in_file(test);
	if (!ctest->problem && ctest->n && (!printed || printed->status != status))
		ctest->problem = arena_printf(reading->arena,
			"the runner's two reports disagree: %s is %s in the file and %s in the lines", name,
			test_status_name(status), printed ? test_status_name(printed->status) : "missing");
	struct test_result result = {.id = name, .status = status, .duration_ms = test->duration_ms};
	if (printed && status != TEST_PASSED) {
		result.message =
			*test->message ? arena_strdup(reading->arena, test->message) : printed->message;
		result.file = *printed->location.file ? printed->location.file : NULL;
		result.line = printed->location.line;
	}
	test_report_add(reading->report, reading->arena, &result);
}

static void ctest_read_report(struct suite_reading *reading, int fd)
{
	struct ctest *ctest = reading->state;
	const char *problem = junit_read(fd, take_case, reading, reading->arena);
	ctest->has_file = true;
	if (problem && !ctest->problem)
		ctest->problem =
			arena_printf(reading->arena, "ctest's JUnit report is damaged: %s", problem);
}

static bool ctest_shows(const char *line)
{
	return text_starts_with(line, "Test project /") ||
		   text_starts_with(line, "Internal ctest changing into directory: ") ||
		   text_starts_with(line, "No tests were found!!!");
}

static bool ctest_shows_report(const char *bytes, size_t n)
{
	return memmem(bytes, n, "<testsuite", strlen("<testsuite")) &&
		   memmem(bytes, n, "\n\tdisabled=\"", strlen("\n\tdisabled=\""));
}

static void add_printed(struct suite_reading *reading, const struct ctest_test *test)
{
	bool has_place = test_status_is_red(test->status) && *test->location.file;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){.id = test->name,
			.status = test->status,
			.message = test->message,
			.file = has_place ? test->location.file : NULL,
			.line = has_place ? test->location.line : 0,
			.duration_ms = test->duration_ms});
}

/* The first line of a test that the file tells otherwise. Lines of other names are of a ctest that
 * a test has run. */
static const struct ctest_test *find_forged(
	const struct ctest *ctest, const struct test_report *report)
{
	for (size_t i = 0; i < ctest->n && ctest->has_file; i++) {
		const struct ctest_test *test = ctest->printed[i];
		const struct test_result *told = test_report_find(report, test->plain_name);
		if (told && !test_report_find(report, test->name) && told->status != test->status)
			return test;
	}
	return NULL;
}

static void ctest_finish(struct suite_reading *reading, const struct process_result *result)
{
	(void)result;
	struct ctest *ctest = reading->state;
	for (size_t i = 0; i < ctest->n && !ctest->has_file; i++)
		add_printed(reading, ctest->printed[i]);
	const struct ctest_test *forged = find_forged(ctest, reading->report);
	if (!ctest->problem && forged)
		ctest->problem = arena_printf(reading->arena,
			"the runner's two reports disagree: a line says that %s %s, the file does not",
			forged->plain_name, test_status_name(forged->status));
	if (!ctest->problem && !ctest->totalled && !ctest->none)
		ctest->problem = "ctest did not come to its end";
	reading->report->problem = ctest->problem;
	reading->report->complete = !ctest->problem;
}

const struct format ctest_format = {
	.name = "ctest",
	.summary = "ctest: its JUnit file, and its lines",
	.state_size = sizeof(struct ctest),
	.shows = ctest_shows,
	.shows_report = ctest_shows_report,
	.read_line = ctest_read_line,
	.read_report = ctest_read_report,
	.finish = ctest_finish,
};
