/*
 * While tests run, a line is one test: "tests/test_a.py::test_b[x] PASSED". After them, a section
 * for each failure says why and where ("____ Class.test_b[x] ____", then frames `path:line: in f`
 * and `E   ` lines: pytest_sections.c), a summary names the failures again, and the last line
 * counts. A test may print lines like any of these; so the summary adds no test to those that were
 * seen to run.
 */
#include "verify/suite/formats/pytest.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

static const struct status_word words[] = {{"PASSED", TEST_PASSED}, {"FAILED", TEST_FAILED},
	{"ERROR", TEST_ERROR}, {"SKIPPED", TEST_SKIPPED}, {"XFAIL", TEST_XFAILED},
	{"XPASS", TEST_PASSED}};

/* Gives the result with that id, which may be a worse one. */
static struct test_result *pytest_add_result(struct suite_reading *reading, const char *id,
	size_t n, enum test_status status, const char *message)
{
	const char *copy = arena_strndup(reading->arena, id, n);
	test_report_add(reading->report, reading->arena,
		&(struct test_result){.id = copy, .status = status, .message = message});
	return map_get(&reading->report->by_id, copy);
}

/* --- While tests run --- */

/* The length of the id that begins a line, up to a space outside of brackets; 0: there is none.
 * Brackets within brackets need not match: "test_b[\x1b]8 y]". */
static size_t pytest_id_length(const char *line)
{
	const char *colons = strstr(line, "::");
	if (!colons || line[0] == ' ' || memchr(line, ' ', (size_t)(colons - line)))
		return 0;
	int depth = 0;
	bool has_values = false;
	size_t n = (size_t)(colons - line);
	for (; line[n] && (line[n] != ' ' || depth > 0 || (has_values && line[n - 1] != ']')); n++) {
		depth += line[n] == '[' ? 1 : line[n] == ']' ? -1 : 0;
		has_values |= line[n] == '[';
	}
	return line[n] ? n : 0;
}

/* The length without a progress mark at the end: " [ 50%]", " [3/10]". */
static size_t pytest_without_progress(const char *line, size_t n)
{
	size_t i = n;
	if (!i || line[i - 1] != ']')
		return n;
	for (i--; i && strchr(" 0123456789%/", line[i - 1]);)
		i--;
	if (i < 2 || line[i - 1] != '[' || line[i - 2] != ' ')
		return n;
	for (i--; i && line[i - 1] == ' ';)
		i--;
	return i;
}

/* The word at the end of n bytes, perhaps with a reason: "SKIPPED (why)". Sets where it begins. */
static const struct status_word *pytest_status_word(const char *line, size_t n, size_t *ret_at)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t length = strlen(words[i].text);
		if (text_n_ends_with(line, n, words[i].text)) {
			*ret_at = n - length;
			return &words[i];
		}
		if (!n || line[n - 1] != ')')
			continue;
		for (const char *at = strstr(line, words[i].text); at; at = strstr(at + 1, words[i].text)) {
			bool whole = at > line + 1 && at[-1] == ' ' && text_starts_with(at + length, " (");
			bool in_brackets = whole && memchr(line, '[', (size_t)(at - line)) && at[-2] != ']';
			if (whole && !in_brackets) {
				*ret_at = (size_t)(at - line);
				return &words[i];
			}
		}
	}
	return NULL;
}

/* The word after an id whose reason has further lines, "SKIPPED (not before", or was cut by pytest
 * at the end of a full line: "SKIPPEDb))". */
static const struct status_word *pytest_word_before_reason(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		bool has_reason = words[i].status == TEST_SKIPPED || words[i].text[0] == 'X';
		if (has_reason && text_starts_with(text, words[i].text))
			return &words[i];
	}
	return NULL;
}

static const char *pytest_reason_of(struct suite_reading *reading, const char *line, size_t n)
{
	const char *open = memchr(line, '(', n);
	return open && line[n - 1] == ')'
		? arena_strndup(reading->arena, open + 1, (size_t)(line + n - open) - 2)
		: NULL;
}

/* pytest-xdist: "[gw0] [ 50%] PASSED tests/test_a.py::test_b". */
static bool pytest_read_worker_line(struct suite_reading *reading, const char *line)
{
	const char *at = text_starts_with(line, "[gw") ? strchr(line, ' ') : NULL;
	if (!at)
		return false;
	const char *percent = strstr(at, "%] ");
	at = percent ? percent + 3 : at + 1;
	enum test_status status;
	const char *id = status_word_skip(words, ARRAY_SIZE(words), at, &status);
	if (!id || *id++ != ' ')
		return false;
	size_t n = strlen(id);
	while (n && id[n - 1] == ' ')
		n--;
	pytest_add_result(reading, id, n, status, NULL);
	return true;
}

/* The running test is over; its status may come after what it printed on a line. */
static void pytest_end_running(struct suite_reading *reading, const struct status_word *word)
{
	struct pytest_reading *state = reading->state;
	if (*state->running && word) {
		pytest_add_result(reading, state->running, strlen(state->running), word->status, NULL);
		state->named = true;
	}
	if (word)
		*state->running = '\0';
	state->maybe = NULL;
}

static void pytest_read_test_line(
	struct pytest_reading *state, struct suite_reading *reading, const char *line)
{
	if (pytest_read_worker_line(reading, line)) {
		state->named = true;
		return;
	}
	size_t n = pytest_without_progress(line, strlen(line)), at = 0;
	while (n && line[n - 1] == ' ')
		n--;
	const struct status_word *word = pytest_status_word(line, n, &at);
	size_t length = pytest_id_length(line);
	const char *colons = strstr(line, "::");
	bool whole = word && colons && colons < line + at && at > 1 && line[at - 1] == ' ' &&
		line[0] != ' ' && (!length || length + 1 == at);
	if (whole) {
		pytest_end_running(reading, state->maybe);
		pytest_add_result(
			reading, line, at - 1, word->status, pytest_reason_of(reading, line + at, n - at));
		state->named = true;
		*state->running = '\0';
	} else if (length && length < sizeof state->running) {
		pytest_end_running(reading, state->maybe);
		text_copy(state->running, length + 1, line);
		state->maybe = word ? word : pytest_word_before_reason(line + length + 1);
	} else if (word && at == 0) {
		pytest_end_running(reading, word);
	} else if (word) {
		state->maybe = word;
	}
}

/* --- The summary --- */

/* The length of the id at the start of "id - message", if that test was seen; else 0. */
static size_t pytest_known_id(const struct test_report *report, const char *text)
{
	enum { LONGEST = 4096 };
	for (const char *dash = strstr(text, " - ");; dash = strstr(dash + 1, " - ")) {
		size_t n = dash ? (size_t)(dash - text) : strlen(text);
		if (map_get_bytes(&report->by_id, text, n))
			return n;
		if (!dash || n > LONGEST)
			return 0;
	}
}

/* "FAILED id - message", "ERROR id - message", and for subtests "SUBFAILED(i=1) id - message". */
static bool pytest_read_summary_line(struct suite_reading *reading, const char *line)
{
	struct pytest_reading *state = reading->state;
	bool is_error = text_starts_with(line, "ERROR ");
	bool is_sub = text_starts_with(line, "SUBFAIL");
	const char *id = strchr(line, ' ');
	if (!id || (!is_error && !is_sub && !text_starts_with(line, "FAILED ")))
		return false;
	size_t n = pytest_known_id(reading->report, ++id);
	for (const char *next = id; is_sub && !n && (next = strchr(next, ' '));) {
		id = ++next;
		n = pytest_known_id(reading->report, id);
	}
	bool is_file = is_error && !strstr(id, "::") && !strchr(id, ' ');
	bool is_new = is_file || (!state->named && !is_sub && strstr(id, "::"));
	if (!n && is_new)
		n = strstr(id, " - ") ? (size_t)(strstr(id, " - ") - id) : strlen(id);
	if (!n)
		return false;
	const char *message = text_starts_with(id + n, " - ") ? id + n + 3 : NULL;
	struct test_result *result =
		pytest_add_result(reading, id, n, is_error ? TEST_ERROR : TEST_FAILED, message);
	if (!result->message)
		result->message = arena_strdup(reading->arena, message);
	return true;
}

/* "==== 2 failed, 7 passed in 0.15s ====", without the marks if pytest is quiet. */
static bool pytest_is_count(const char *line)
{
	static const char *const counted[] = {"passed*", "failed*", "error*", "skipped*", "xfailed*",
		"xpassed*", "deselected*", "warning*", "rerun*", "subtest*", NULL};
	line += strspn(line, "= ");
	const char *seconds = NULL;
	for (const char *at = strstr(line, " in "); at; at = strstr(at + 1, " in "))
		seconds = at + 4;
	if (!seconds || !isdigit((unsigned char)*seconds))
		return false;
	if (seconds[strspn(seconds, "0123456789.")] != 's')
		return false;
	if (text_starts_with(line, "no tests ran"))
		return true;
	size_t digits = strspn(line, "0123456789");
	return digits && line[digits] == ' ' && line_matches_any(line + digits + 1, counted);
}

static bool pytest_ends_tests(const char *line)
{
	static const char *const titles[] = {" ERRORS *", " FAILURES *", " PASSES *", " XFAILURES *",
		" XPASSES *", " warnings summary *", " short test summary info *", " slowest *", NULL};
	return text_starts_with(line, "==") && line_matches_any(line + strspn(line, "="), titles);
}

/* --- What goes wrong as a whole --- */

#define INTERNAL "INTERNALERROR> "

/* A traceback: its last line, the first of the exception's text, begins at the left. */
static void pytest_read_internal_error(struct pytest_reading *state, const char *line)
{
	bool is_traceback = text_starts_with(line, "Traceback ");
	if (is_traceback)
		*state->complaint = '\0';
	else if (*line != ' ' && !*state->complaint)
		text_copy(state->complaint, sizeof state->complaint, line);
}

static void pytest_read_complaint(struct pytest_reading *state, const char *line)
{
	const char *error = strstr(line, ": error: ");
	if (text_starts_with(line, "ERROR: ") && !text_starts_with(line, "ERROR: usage:"))
		text_copy(state->complaint, sizeof state->complaint, line + strlen("ERROR: "));
	else if (error && !strchr(line, '/'))
		text_copy(state->complaint, sizeof state->complaint, error + strlen(": error: "));
	else if (text_starts_with(line, INTERNAL))
		pytest_read_internal_error(state, line + strlen(INTERNAL));
	else if (strstr(line, ": No module named ") || strstr(line, "not found"))
		text_copy(state->complaint, sizeof state->complaint, line);
	if (text_starts_with(line, "!!!!") && strstr(line, "KeyboardInterrupt"))
		state->interrupted = true;
}

static void pytest_read_line(struct suite_reading *reading, const char *line)
{
	struct pytest_reading *state = reading->state;
	if (!*line || pytest_read_conftest(reading, line))
		return;
	if (pytest_ends_tests(line)) {
		pytest_end_running(reading, state->maybe);
		state->after_tests = true;
		pytest_close_section(reading);
	} else if (pytest_is_count(line)) {
		pytest_end_running(reading, state->maybe);
		state->counted = true;
		pytest_close_section(reading);
	} else if (!state->after_tests) {
		pytest_read_test_line(state, reading, line);
		pytest_read_complaint(state, line);
	} else if (!pytest_read_header(reading, line)) {
		if (state->open)
			pytest_read_section_line(reading, line);
		else if (!pytest_read_summary_line(reading, line))
			pytest_read_complaint(state, line);
	}
}

static const char *pytest_problem_of(
	struct suite_reading *reading, const struct process_result *result)
{
	char described[64];
	const struct pytest_reading *state = reading->state;
	const struct test_report *report = reading->report;
	const char *end = process_describe(result, described, sizeof described);
	if (state->counted && result->exit_code == 5)
		return "pytest collected no tests";
	if (state->interrupted)
		return "pytest was interrupted";
	if (*state->complaint && (!state->counted || result->exit_code == 3 || result->exit_code == 4))
		return arena_printf(reading->arena, "pytest gave up (%s): %s", end, state->complaint);
	if (!state->counted && *state->running)
		return arena_printf(
			reading->arena, "pytest ended in the middle of %s (%s)", state->running, end);
	if (!state->counted)
		return arena_printf(reading->arena, "pytest ended before its summary (%s)", end);
	if (!report->n)
		return "pytest named no tests: its options make it too quiet";
	for (size_t i = 0; i < report->n && !state->named; i++)
		if (report->results[i]->status != TEST_ERROR || strstr(report->results[i]->id, "::"))
			return "pytest named only what failed: its options make it too quiet";
	return NULL;
}

static const char *pytest_finish(struct suite_reading *reading, const struct process_result *result)
{
	const struct pytest_reading *state = reading->state;
	pytest_close_section(reading);
	pytest_explain_failures(reading);
	const char *disagreement = state->counted ? pytest_compare_reports(reading) : NULL;
	bool conftest = !state->counted && reading->report->n == 1 && result->exit_code == 4;
	const char *problem = conftest ? NULL : pytest_problem_of(reading, result);
	return problem ? problem : disagreement;
}

static const char *pytest_running(struct suite_reading *reading)
{
	const struct pytest_reading *state = reading->state;
	bool is_running = *state->running && !state->after_tests;
	return is_running ? arena_strdup(reading->arena, state->running) : NULL;
}

const struct format pytest_format = {
	.name = "pytest",
	.summary = "pytest's lines, as -v and -rfE make them, and its JUnit file",
	.state_size = sizeof(struct pytest_reading),
	.tells_all = true,
	.signs = (const char *const[]){"= test session starts =*", "=*= test session starts =*", NULL},
	.read_line = pytest_read_line,
	.read_report = pytest_read_report,
	.running = pytest_running,
	.finish = pytest_finish,
};
