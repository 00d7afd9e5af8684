/*
 * Python's unittest with -v, which names each test: "test_a (pkg.Case.test_a) ... ok". A docstring
 * may come on a line between, and what the test prints before the status. After the tests, "FAIL:
 * test_a (...)" heads the traceback of each failure. Without -v, as under make, those that pass are
 * known by their number alone. A test module that could not be imported, or
 * that skips itself, and a class whose set-up failed or skipped it, are results of their own.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/outcome.h"

enum { NAME = 512 };

struct unittest_state {
	char running[NAME]; /* the test whose status has not come yet */
	bool runs_load;     /* that is no test, but something that could not be loaded */
	bool is_dotted;     /* its " ... " came */
	bool may_be;        /* a line ended with this status, which the test may have printed */
	enum test_status maybe;
	const char *why;
	bool named, ended;  /* a test was named; the line "Ran 7 tests" came */
	size_t ran;         /* what such lines add up to */
	size_t told;        /* results that -v printed */
	size_t not_passed;  /* what the summaries say was skipped or failed as expected */
	bool in_summary;
	char failing[NAME]; /* whose traceback is being read */
	bool is_load;       /* it is no test, but something that could not be loaded */
	char message[NAME];
	struct location location;
	struct outcome outcome;
};

/* Whether n bytes are names with dots between, as of a class, also of one within a function. */
static bool unittest_is_dotted(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("._<>", text[i]) &&
			(unsigned char)text[i] < 0x80)
			return false;
	return n > 0;
}

/* In "test_a (pkg.Case.test_a)" the brackets end with the name before them, since Python 3.11. A
 * name may hold spaces and brackets. Gives the lengths of the name and of what is in the brackets.
 * */
static size_t unittest_split_name(const char *text, size_t *ret_inside)
{
	for (const char *open = strstr(text, " ("); open && open - text < NAME;
		 open = strstr(open + 1, " (")) {
		size_t name = (size_t)(open - text);
		for (const char *dot = strchr(open, '.'); dot && name && dot - open < NAME;
			 dot = strchr(dot + 1, '.'))
			if (strncmp(dot + 1, text, name) == 0 && dot[1 + name] == ')') {
				*ret_inside = (size_t)(dot + 1 + name - (open + 2));
				return name;
			}
	}
	size_t name = strcspn(text, " ");
	const char *close = strchr(text + name, ')');
	if (!name || !close || !text_starts_with(text + name, " (") ||
		!unittest_is_dotted(text + name + 2, (size_t)(close - text) - name - 2))
		return 0;
	*ret_inside = (size_t)(close - text) - name - 2;
	return name;
}

/* The id that such a line begins with; false: none. */
static bool unittest_read_id(const char *text, char id[NAME], bool *ret_is_load)
{
	size_t n, name = unittest_split_name(text, &n);
	if (!name || name + n >= NAME)
		return false;
	const char *inside = text + name + 2;
	bool is_module = text_starts_with(inside, "unittest.loader._FailedTest") ||
		text_starts_with(inside, "unittest.loader.ModuleSkipped");
	bool whole =
		n > name && inside[n - name - 1] == '.' && memcmp(inside + n - name, text, name) == 0;
	*ret_is_load =
		is_module || text_starts_with(text, "setUp") || text_starts_with(text, "tearDown");
	if (is_module)
		snprintf(id, NAME, "%.*s", (int)name, text);
	else if (whole)
		snprintf(id, NAME, "%.*s", (int)n, inside);
	else
		snprintf(id, NAME, "%.*s.%.*s", (int)n, inside, (int)name, text);
	return true;
}

/* The status that a text ends with; whether it is all of it, else a test may have printed it. */
static bool unittest_status_of(const char *text, enum test_status *status, bool *ret_whole)
{
	static const struct status_word words[] = {{"ok", TEST_PASSED}, {"FAIL", TEST_FAILED},
		{"ERROR", TEST_FAILED}, {"expected failure", TEST_XFAILED},
		{"unexpected success", TEST_FAILED}};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_ends_with(text, words[i].text)) {
			*status = words[i].status;
			*ret_whole = strcmp(text, words[i].text) == 0;
			return true;
		}
	*status = TEST_SKIPPED;
	const char *skipped = strstr(text, "skipped '");
	skipped = skipped ? skipped : strstr(text, "skipped \"");
	*ret_whole = skipped == text;
	return skipped;
}

static void unittest_add_failure(struct unittest_state *state, struct suite_reading *reading)
{
	if (!*state->failing)
		return;
	struct test_result *known = map_get(&reading->report->by_id, state->failing);
	if (!known || !test_status_is_red(known->status)) {
		reading_add(
			reading, state->failing, state->is_load ? TEST_ERROR : TEST_FAILED, NULL, NULL, 0);
		known = map_get(&reading->report->by_id, state->failing);
	}
	if (!known->message && *state->message) {
		known->message = arena_strdup(reading->arena, state->message);
		known->file =
			*state->location.file ? arena_strdup(reading->arena, state->location.file) : NULL;
		known->line = state->location.line;
	}
	*state->failing = '\0';
}

/* Its status was what the last line that could hold one ended with. */
static void unittest_leave_test(struct unittest_state *state, struct suite_reading *reading)
{
	bool fails_load = state->runs_load && state->maybe != TEST_SKIPPED;
	if (*state->running && state->may_be) {
		reading_add(
			reading, state->running, fails_load ? TEST_ERROR : state->maybe, state->why, NULL, 0);
		state->told++;
	}
	*state->running = '\0';
	state->may_be = state->is_dotted = false;
}

static void unittest_read_test_line(
	struct unittest_state *state, struct suite_reading *reading, const char *line)
{
	char id[NAME];
	bool is_load, is_whole;
	enum test_status status;
	if (unittest_read_id(line, id, &is_load)) {
		unittest_leave_test(state, reading);
		memcpy(state->running, id, sizeof id);
		state->runs_load = is_load;
		state->named = true;
	}
	const char *dots = state->is_dotted ? NULL : strstr(line, " ... ");
	if (!*state->running || (!dots && !state->named))
		return;
	state->is_dotted |= dots != NULL;
	if (!unittest_status_of(dots ? dots + 5 : line, &status, &is_whole))
		return;
	state->may_be = true;
	state->maybe = status;
	state->why = text_ends_with(line, "unexpected success") ? "unexpected success" : NULL;
	if (is_whole)
		unittest_leave_test(state, reading);
}

/* "FAIL: test_a (...)", a rule and the traceback, whose last line at the margin says why. */
static void unittest_read_failure_line(
	struct unittest_state *state, struct suite_reading *reading, const char *line)
{
	char id[NAME];
	bool is_load, heads = text_starts_with(line, "FAIL: ") || text_starts_with(line, "ERROR: ");
	if (heads && unittest_read_id(strchr(line, ' ') + 1, id, &is_load)) {
		unittest_leave_test(state, reading);
		unittest_add_failure(state, reading);
		memcpy(state->failing, id, sizeof id);
		state->is_load = is_load;
		*state->message = '\0';
		state->location = (struct location){0};
	} else if (text_starts_with(line, "  File ")) {
		location_find(&state->location, reading->dir, line);
	} else {
		size_t name = strcspn(line, ": ");
		bool is_reason = *line != ' ' && name && (line[name] == ':' || !line[name]) &&
			!text_starts_with(line, "---") && !text_starts_with(line, "===");
		if (is_reason && (!*state->message || strstr(line, "Error") || strstr(line, "Exception")))
			text_copy(state->message, sizeof state->message, line);
	}
}

/* "OK (skipped=1, expected failures=2)", after "Ran 7 tests in 0.1s". */
static void unittest_read_summary(struct unittest_state *state, const char *line)
{
	static const char *const counts[] = {"skipped=", "expected failures=", "unexpected successes="};
	if (!text_starts_with(line, "OK") && !text_starts_with(line, "FAILED ("))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		const char *at = strstr(line, counts[i]);
		state->not_passed += at ? strtoul(at + strlen(counts[i]), NULL, 10) : 0;
	}
	state->in_summary = false;
}

static void unittest_read_line(struct suite_reading *reading, const char *line)
{
	struct unittest_state *state = reading->state;
	outcome_line(&state->outcome, reading->dir, line);
	size_t ran;
	if (state->in_summary)
		unittest_read_summary(state, line);
	if (line_match(line, "Ran #*", &ran)) {
		unittest_add_failure(state, reading);
		state->ended = state->in_summary = true;
		state->ran += ran;
		unittest_leave_test(state, reading);
	} else if (text_starts_with(line, "FAIL: ") || text_starts_with(line, "ERROR: ") ||
		*state->failing) {
		unittest_read_failure_line(state, reading, line);
	} else {
		unittest_read_test_line(state, reading, line);
	}
}

/* Whether a result is no test, but a set-up or what comes after tests. */
static bool unittest_is_around(const struct test_result *result)
{
	const char *dot = strrchr(result->id, '.');
	return dot && (text_starts_with(dot, ".setUp") || text_starts_with(dot, ".tearDown"));
}

/* Results that are tests, not failures around them, nor set-ups that skipped what they are for. If
 * a program prints lines like the runner's, they are more than were run. */
static size_t unittest_tests_of(const struct test_report *report)
{
	size_t n = 0;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		const char *dot = strrchr(result->id, '.');
		bool is_set_up = dot && text_starts_with(dot, ".setUp");
		n += result->status != TEST_ERROR && !(is_set_up && result->status == TEST_SKIPPED);
	}
	return n;
}

/* Without -v those that pass have no names. What was skipped is not there at all, so that it cannot
 * take the place of a test that passed. */
static void unittest_add_numbers(struct suite_reading *reading)
{
	const struct unittest_state *state = reading->state;
	struct test_report *report = reading->report;
	size_t n = state->not_passed;
	for (size_t i = 0; i < report->n; i++)
		n += !unittest_is_around(report->results[i]);
	for (size_t i = 1; i + n <= state->ran; i++)
		reading_add(reading, arena_printf(reading->arena, "test %zu of those that pass", i),
			TEST_PASSED, NULL, NULL, 0);
	report->names_only_red = true;
}

static const char *unittest_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	struct unittest_state *state = reading->state;
	const struct test_report *report = reading->report;
	char described[64];
	unittest_add_failure(state, reading);
	const char *problem = outcome_not_started(&state->outcome, reading, result);
	if (problem)
		return problem;
	if (!state->ended)
		return arena_printf(reading->arena, "unittest ended before its summary (%s): %s",
			process_describe(result, described, sizeof described), state->outcome.message);
	if (!state->told)
		unittest_add_numbers(reading);
	if (!report->n)
		return state->ran ? "unittest passed no tests" : "unittest found no tests";
	size_t named = unittest_tests_of(report);
	return named <= state->ran
		? NULL
		: arena_printf(reading->arena, "unittest ran %zu tests, but %zu are named in its output",
			  state->ran, named);
}

static const char *unittest_running(struct suite_reading *reading)
{
	const struct unittest_state *state = reading->state;
	return *state->running ? arena_strdup(reading->arena, state->running) : NULL;
}

const struct format unittest_format = {
	.name = "unittest",
	.summary = "the lines of Python's unittest, as -v makes them",
	.state_size = sizeof(struct unittest_state),
	.signs = (const char *const[]){"Ran #* in *", NULL},
	.read_line = unittest_read_line,
	.running = unittest_running,
	.finish = unittest_finish,
};
