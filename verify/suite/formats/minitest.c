/*
 * Minitest with -v: a line for each test, the failures, and counts.
 *
 *	ShapesTest#test_area = 0.00 s = F
 *
 *	  1) Failure:
 *	ShapesTest#test_area [/work/test/shapes_test.rb:4]:
 *	Expected: 6
 *	  Actual: 5
 *
 *	4 runs, 2 assertions, 1 failures, 1 errors, 1 skips
 *
 * What a test prints may stand before its line, and between its name and its result, which is then
 * at the end of a later line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

enum { MESSAGE = 512 };

struct minitest_test {
	const char *id;
	enum test_status status;
	int64_t duration_ms;
	char message[MESSAGE];
	struct location location;
	int lines; /* of the message */
};

struct minitest {
	struct minitest_test **tests;
	size_t n;
	struct map names, by_id;
	const char *begun; /* the name of a test whose result is yet to come, or NULL */
	struct minitest_test *explained;
	bool wants_name; /* "1) Failure:" came */
	size_t runs, failures, errors; /* what all summaries say */
	bool has_sum;
	struct outcome outcome;
};

/* " = 0.00 s = F" at a line's end. */
static const char *minitest_find_result(const char *line, char *ret_letter, double *ret_seconds)
{
	for (const char *at = line; (at = strstr(at, " = ")); at++) {
		int n = 0;
		if (sscanf(at, " = %lf s = %c%n", ret_seconds, ret_letter, &n) == 2 && n && !at[n] &&
			strchr(".FES", *ret_letter))
			return at;
	}
	return NULL;
}

/* The start of "Class#test_name", where the test itself has printed something before. */
static const char *minitest_find_name(const char *line, const char *end)
{
	const char *hash = memchr(line, '#', (size_t)(end - line)), *name = hash;
	while (name && name > line && name[-1] != ' ' && name[-1] != '\t')
		name--;
	return name;
}

static bool minitest_shows(const char *line)
{
	char letter;
	double seconds;
	const char *end = minitest_find_result(line, &letter, &seconds);
	return end && minitest_find_name(line, end);
}

static void minitest_add(
	struct suite_reading *reading, const char *name, char letter, double seconds)
{
	struct minitest *state = reading->state;
	struct minitest_test *test = arena_alloc(reading->arena, sizeof *test);
	*test = (struct minitest_test){.id = id_numbered(&state->names, name, reading->arena),
		.status = letter == '.' ? TEST_PASSED
			: letter == 'F'     ? TEST_FAILED
			: letter == 'E'     ? TEST_ERROR
								: TEST_SKIPPED,
		.duration_ms = clock_ms_of(seconds)};
	map_put(&state->by_id, reading->arena, test->id, test);
	ARENA_PUSH(reading->arena, state->tests, state->n, test);
	state->begun = NULL;
}

/* The name that begins a line of a test that has printed something: "Class#test_name = hello". */
static const char *minitest_begun(const char *line, struct arena *arena)
{
	const char *hash = strstr(line, "#test_"), *end = hash ? strstr(hash, " = ") : NULL;
	const char *name = end ? minitest_find_name(line, end) : NULL;
	return name ? arena_strndup(arena, name, (size_t)(end - name)) : NULL;
}

/* The result that ends a line behind what a test has printed: "hello0.00 s = .". */
static bool minitest_ends(const char *line, char *ret_letter, double *ret_seconds)
{
	size_t n = strlen(line), tail = strlen(" s = .");
	if (n <= tail || strncmp(line + n - tail, " s = ", tail - 1) != 0 ||
		!strchr(".FES", line[n - 1]))
		return false;
	const char *number = line + n - tail;
	while (number > line && strchr("0123456789.", number[-1]))
		number--;
	*ret_letter = line[n - 1];
	*ret_seconds = strtod(number, NULL);
	return number < line + n - tail;
}

static void minitest_read_test(struct suite_reading *reading, const char *line)
{
	struct minitest *state = reading->state;
	char letter;
	double seconds;
	const char *end = minitest_find_result(line, &letter, &seconds);
	const char *name = end ? minitest_find_name(line, end) : NULL;
	if (name && !state->begun) {
		name = arena_strndup(reading->arena, name, (size_t)(end - name));
		minitest_add(reading, name, letter, seconds);
		return;
	}
	if (!state->begun)
		state->begun = minitest_begun(line, reading->arena);
	if (state->begun && minitest_ends(line, &letter, &seconds))
		minitest_add(reading, state->begun, letter, seconds);
}

/* "ShapesTest#test_area [/work/test/shapes_test.rb:4]:" or "ShapesTest#test_raises:". */
static void minitest_read_name(struct suite_reading *reading, const char *line)
{
	struct minitest *state = reading->state;
	const char *bracket = strstr(line, " [");
	size_t n = bracket ? (size_t)(bracket - line) : strlen(line);
	n -= !bracket && n && line[n - 1] == ':';
	state->wants_name = false;
	state->explained = map_get(&state->by_id, arena_strndup(reading->arena, line, n));
	if (state->explained && bracket)
		location_find(&state->explained->location, reading->dir, bracket + 2);
}

/* Its first two lines, and the first place in the tree. */
static void minitest_explain(struct suite_reading *reading, const char *line)
{
	struct minitest *state = reading->state;
	struct minitest_test *test = state->explained;
	const char *text = line + strspn(line, " \t");
	if (!*text) {
		state->explained = NULL;
		return;
	}
	if (!*test->location.file)
		location_find(&test->location, reading->dir, text);
	if (test->lines++ < 2 && text - line < 4)
		text_append(test->message, sizeof test->message, " ", text);
}

/* Several runs in one command add up. */
static bool minitest_read_sum(struct minitest *state, const char *line)
{
	size_t runs, failures, errors, skips;
	if (sscanf(line, "%zu runs, %*u assertions, %zu failures, %zu errors, %zu skips", &runs,
			&failures, &errors, &skips) != 4)
		return false;
	state->runs += runs;
	state->failures += failures;
	state->errors += errors;
	state->has_sum = true;
	state->explained = NULL;
	return true;
}

static void minitest_read_line(struct suite_reading *reading, const char *line)
{
	struct minitest *state = reading->state;
	size_t number;
	const char *after = line_match(line, "  #) *", &number);
	outcome_line(&state->outcome, reading->dir, line);
	if (minitest_read_sum(state, line))
		return;
	if (after) {
		state->wants_name = true;
		state->explained = NULL;
	} else if (state->wants_name)
		minitest_read_name(reading, line);
	else if (state->explained)
		minitest_explain(reading, line);
	else
		minitest_read_test(reading, line);
}

static const char *minitest_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	const struct minitest *state = reading->state;
	const struct test_report *report = reading->report;
	for (size_t i = 0; i < state->n; i++) {
		const struct minitest_test *test = state->tests[i];
		reading_add(reading, test->id, test->status, test->message, &test->location,
			test->duration_ms);
	}
	if (!state->has_sum)
		return "minitest did not come to its end";
	if (state->runs != state->n)
		return arena_printf(reading->arena, "minitest counts %zu runs, and %zu lines say so",
			state->runs, state->n);
	if (state->failures != report->count[TEST_FAILED] || state->errors != report->count[TEST_ERROR])
		return arena_printf(reading->arena,
			"minitest counts %zu failures and %zu errors, and the lines say %zu and %zu",
			state->failures, state->errors, report->count[TEST_FAILED], report->count[TEST_ERROR]);
	return result->exit_code && !test_report_red(report)
		? outcome_finish(&state->outcome, reading, suite_shown(reading->suite), result)
		: NULL;
}

const struct format minitest_format = {
	.name = "minitest",
	.summary = "minitest -v: a line for each test",
	.state_size = sizeof(struct minitest),
	.shows = minitest_shows,
	.read_line = minitest_read_line,
	.finish = minitest_finish,
};
