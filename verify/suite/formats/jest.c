/*
 * What jest prints, and its --json file. A test file's line comes when the file is done, "FAIL
 * src/a.test.js (5.1 s)"; the tests follow only with --verbose, or if there is one file:
 *
 *	FAIL src/sum.test.js
 *	  sum
 *	    ✕ adds (3 ms)
 *	    ○ skipped is not ready
 *
 *	  ● sum › adds
 *
 *	    expect(received).toBe(expected) // Object.is equality
 *	      at Object.toBe (src/sum.test.js:5:23)
 *
 *	Tests:       1 failed, 1 skipped, 2 total
 */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/suite_javascript.h"

enum { OUTSIDE, IN_TESTS, IN_FAILURES };

/* Copy the path of "PASS a.test.js" or "FAIL a.test.js (5.1 s)"; false: the line is none. */
static bool jest_file_of(const char *line, char *path, size_t size)
{
	if (!text_starts_with(line, "PASS ") && !text_starts_with(line, "FAIL "))
		return false;
	text_copy(path, size, line + strlen("PASS "));
	js_cut_duration(path);
	return is_script_path(path, strlen(path));
}

static bool jest_shows(const char *line)
{
	char path[JS_NAME];
	return jest_file_of(line, path, sizeof path) ||
		text_starts_with(line, "No tests found, exiting with code") ||
		(text_starts_with(line, "Test Suites: ") && strstr(line, " total"));
}

/* A group or a test of the file, two columns for each level. */
static void jest_read_test(struct suite_reading *reading, const char *line)
{
	static const struct status_word marks[] = {{"✓ ", TEST_PASSED}, {"✕ ", TEST_FAILED},
		{"○ skipped ", TEST_SKIPPED}, {"○ ", TEST_SKIPPED}, {"✎ todo ", TEST_SKIPPED}};
	struct js_reading *state = reading->state;
	size_t indent = strspn(line, " ");
	int level = (int)(indent / 2) - 1;
	enum test_status status;
	const char *title = status_word_skip(marks, ARRAY_SIZE(marks), line + indent, &status);
	if (indent < 2 || indent % 2)
		return;
	if (!title) {
		js_open_group(state, level, line + indent);
		return;
	}
	js_add_test(reading, level, title, status);
	state->named = true;
}

/* "  ● sum › nested › adds": what follows says why that test, or else its file, failed. */
static void jest_begin_failure(struct suite_reading *reading, const char *titles)
{
	struct js_reading *state = reading->state;
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	js_id_begin(&id, reading->dir, state->file);
	strbuf_adds(&id, " > ");
	for (const char *at = titles; *at;) {
		const char *end = strstr(at, " › ");
		strbuf_add(&id, at, end ? (size_t)(end - at) : strlen(at));
		strbuf_adds(&id, end ? " > " : "");
		at = end ? end + strlen(" › ") : "";
	}
	struct test_result *test = js_find_line(reading, id.text);
	if (strcmp(titles, "Test suite failed to run") == 0)
		state->file_status = TEST_ERROR;
	struct test_result *file = test ? NULL : js_name_file(reading);
	if (test || file)
		js_explain(reading, test ? test : file);
	state->stage = IN_FAILURES;
}

static void jest_read_line(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	char path[JS_NAME];
	if (!state->lines.n)
		outcome_line(&state->outcome, reading->dir, line);
	if (jest_file_of(line, path, sizeof path)) {
		js_begin_file(reading, path, *line == 'P' ? TEST_PASSED : TEST_FAILED);
		state->stage = IN_TESTS;
	} else if (text_starts_with(line, "  ● ") && *state->file) {
		jest_begin_failure(reading, line + strlen("  ● "));
	} else if (text_starts_with(line, "Tests: ") && strstr(line, " total")) {
		js_read_summary(state, line);
	} else if (text_starts_with(line, "Test Suites: ") ||
		text_starts_with(line, "Summary of all failing tests")) {
		js_begin_file(reading, "", TEST_PASSED);
		state->stage = OUTSIDE;
	} else if (text_starts_with(line, "No tests found, exiting")) {
		state->nothing = true;
	} else if (state->stage == IN_TESTS && *line) {
		jest_read_test(reading, line);
	} else if (state->stage == IN_TESTS) {
		state->stage = OUTSIDE;
	} else if (state->stage == IN_FAILURES) {
		js_explain_line(reading, line);
	}
}

const struct format jest_format = {
	.name = "jest",
	.summary = "jest: its JSON file, else what it prints",
	.state_size = sizeof(struct js_reading),
	.tells_all = true,
	.shows = jest_shows,
	.report_signs = (const char *const[]){"begun: jest\n", "{\"numFailedTestSuites\":*", NULL},
	.read_line = jest_read_line,
	.read_report = js_read_report,
	.finish = js_finish,
};
