/*
 * What vitest prints, and the file of its json reporter. By default a line a test file, with
 * --verbose a line a test; after all of them come the reasons of the failures:
 *
 *	 RUN  v3.2.7 /work
 *	 ❯ src/sum.test.js (6 tests | 1 failed) 8ms
 *	 ✓ src/sum.test.js > sum > doubles 1ms
 *
 *	 FAIL  src/sum.test.js > sum > adds
 *	AssertionError: expected -1 to be 3 // Object.is equality
 *	 ❯ src/sum.test.js:6:23
 *
 *	 Test Files  1 failed (1)
 *	      Tests  1 failed | 1 passed (2)
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/suite_javascript.h"

enum { RESULTS, FAILURES, FILES_COUNTED };

/* Without the project's name, "|unit| src/a.test.js". */
static const char *vitest_without_project(const char *text)
{
	const char *end = *text == '|' ? strstr(text + 1, "| ") : NULL;
	return end ? end + strlen("| ") : text;
}

/* A test's line, "FILE > group > test 1ms", or a file's, "FILE (2 tests | 1 failed) 8ms". */
static void vitest_read_result(
	struct suite_reading *reading, const char *text, enum test_status status)
{
	char name[JS_NAME];
	text_copy(name, sizeof name, vitest_without_project(text));
	int64_t ms = js_cut_duration(name);
	const char *test = strstr(name, " > "), *counts = strstr(name, " (");
	size_t n = test ? (size_t)(test - name) : counts ? (size_t)(counts - name) : 0;
	while (!test && n && name[n - 1] == ' ')
		n--;
	if (!is_script_path(name, n))
		return;
	if (!test && counts && strstr(counts, "(0 test"))
		status = TEST_ERROR;
	if (!test)
		name[n] = '\0';
	js_add_line(reading, name, status, ms);
}

/* " FAIL  FILE > group > test", " FAIL  FILE [ FILE ]": what follows says why. */
static void vitest_begin_failure(struct suite_reading *reading, const char *text)
{
	char name[JS_NAME];
	text_copy(name, sizeof name, vitest_without_project(text));
	char *test = strstr(name, " > "), *whole = strstr(name, " [ ");
	struct test_result *result = js_find_line(reading, name);
	if (!result && (test || whole)) {
		*(test ? test : whole) = '\0';
		result = js_find_line(reading, name);
		if (!result && is_script_path(name, strlen(name)))
			result = js_add_line(reading, name, TEST_ERROR, 0);
	}
	js_explain(reading, result);
}

static void vitest_read_line(struct suite_reading *reading, const char *line)
{
	static const struct status_word marks[] = {
		{" ✓ ", TEST_PASSED}, {" × ", TEST_FAILED}, {" ❯ ", TEST_FAILED}, {" ↓ ", TEST_SKIPPED}};
	struct js_reading *state = reading->state;
	enum test_status status;
	const char *text =
		state->stage == RESULTS ? status_word_skip(marks, ARRAY_SIZE(marks), line, &status) : NULL;
	if (!state->lines.n)
		outcome_line(&state->outcome, reading->dir, line);
	if (text) {
		vitest_read_result(reading, text, status);
	} else if (text_starts_with(line, " FAIL  ")) {
		vitest_begin_failure(reading, line + strlen(" FAIL  "));
		state->stage = FAILURES;
	} else if (text_starts_with(line, " Test Files  ")) {
		js_explain(reading, NULL);
		state->stage = FILES_COUNTED;
	} else if (state->stage == FILES_COUNTED && text_starts_with(line, "      Tests  ")) {
		js_read_summary(state, line);
		state->stage = RESULTS;
	} else if (text_starts_with(line, "No test files found, exiting")) {
		state->nothing = true;
	} else if (state->stage == FAILURES) {
		js_explain_line(reading, line);
	}
}

const struct format vitest_format = {
	.name = "vitest",
	.summary = "vitest: its JSON file, else what it prints",
	.state_size = sizeof(struct js_reading),
	.tells_all = true,
	.signs = (const char *const[]){" RUN  v*", "No test files found, exiting with code*",
		" Test Files  *", NULL},
	.report_signs = (const char *const[]){"begun: vitest\n", "{\"numTotalTestSuites\":*", NULL},
	.read_line = vitest_read_line,
	.read_report = js_read_report,
	.finish = js_finish,
};
