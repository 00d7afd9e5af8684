/*
 * Catch2, by what its console reporter prints. It names only the test cases that fail, each in a
 * block, once for each section and assertion that does:
 *
 *	-------------------------------------------------------------------------------
 *	area of a rectangle
 *	  of one row
 *	-------------------------------------------------------------------------------
 *	t.cpp:4
 *	...............................................................................
 *
 *	t.cpp:4: FAILED:
 *	  REQUIRE( area(3, 5) == 15 )
 *	with expansion:
 *	  8 == 15
 *
 * Those that pass are a number in its last line. They get numbers for names, so that one that is
 * gone is missed; and one that failed and is not named any more has passed.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/location.h"

enum { NAME = 512, RULE = 79 };

struct catch2_state {
	bool in_head, has_name; /* between two rules; the first line there is the test case */
	bool in_failure;        /* behind "FAILED:", up to a blank line */
	char name[NAME], message[NAME];
	struct location location;
	struct map named; /* test cases that a block has told of in this program */
	size_t passed, failed, expected, told, programs;
};

static bool is_rule(const char *line, char of)
{
	size_t n = 0;
	while (line[n] == of)
		n++;
	return n == RULE && !line[n];
}

static void add_failure(struct catch2_state *state, struct suite_reading *reading)
{
	static char present[] = "present";
	state->in_failure = false;
	if (!*state->name || map_get(&state->named, state->name))
		return;
	map_put(&state->named, reading->arena, arena_strdup(reading->arena, state->name), present);
	state->told++;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){.id = state->name,
			.status = TEST_FAILED,
			.message = *state->message ? state->message : "failed",
			.file = *state->location.file ? state->location.file : NULL,
			.line = state->location.line});
}

/* The first line between two rules names the test case; those below it are its sections. */
static void read_head(struct catch2_state *state, const char *line)
{
	if (is_rule(line, '-')) {
		state->in_head = false;
		return;
	}
	if (!state->has_name)
		text_copy(state->name, sizeof state->name, line);
	state->has_name = true;
}

static void begin_failure(struct catch2_state *state, const char *dir, const char *line)
{
	state->in_failure = true;
	state->message[0] = '\0';
	state->location = (struct location){0};
	location_at_start(&state->location, dir, line);
}

/* What is compared, then "with expansion:" and what it came to. */
static void read_failure(struct catch2_state *state, const char *line)
{
	size_t n = strlen(state->message);
	const char *text = line + strspn(line, " ");
	snprintf(state->message + n, sizeof state->message - n, "%s%s", n ? " " : "", text);
}

/* "test cases: 5 | 1 passed | 4 failed", "All tests passed (5 assertions in 5 test cases)", "No
 * tests ran". */
static bool read_summary(struct catch2_state *state, const char *line)
{
	size_t n;
	char what[32];
	const char *in = text_starts_with(line, "All tests passed (") ? strstr(line, " in ") : NULL;
	bool is_count = text_starts_with(line, "test cases: ") && strchr(line, '|');
	if (!in && !is_count && strcmp(line, "No tests ran") != 0)
		return false;
	if (in && sscanf(in, " in %zu test case", &n) == 1)
		state->passed += n;
	for (const char *at = is_count ? strchr(line, '|') : NULL; at; at = strchr(at + 1, '|'))
		if (sscanf(at, "| %zu %31[a-z ]", &n, what) == 2) {
			bool passed = text_starts_with(what, "passed"),
				 expected = strcmp(what, "failed as expected") == 0;
			*(passed ? &state->passed : expected ? &state->expected : &state->failed) += n;
		}
	state->programs++;
	state->named = (struct map){0};
	state->name[0] = '\0';
	return true;
}

static void catch2_read_line(struct suite_reading *reading, const char *line)
{
	struct catch2_state *state = reading->state;
	const char *end = strstr(line, ": FAILED:");
	if (state->in_head) {
		read_head(state, line);
	} else if (state->in_failure && *line) {
		read_failure(state, line);
	} else if (state->in_failure) {
		add_failure(state, reading);
	} else if (is_rule(line, '-')) {
		state->in_head = true;
		state->has_name = false;
	} else if (end && !end[strlen(": FAILED:")]) {
		begin_failure(state, reading->dir, line);
	} else {
		read_summary(state, line);
	}
}

static const char *problem_of(
	const struct catch2_state *state, const struct process_result *result, struct arena *arena)
{
	char described[64];
	if (!state->programs)
		return arena_printf(arena, "Catch2 ended before its summary (%s)",
			process_describe(result, described, sizeof described));
	if (!state->passed && !state->failed && !state->expected)
		return "Catch2 ran no tests";
	if (state->expected && state->failed)
		return "Catch2 does not say which failures were expected: "
			   "name a command with another reporter";
	if (state->told != state->failed + state->expected)
		return arena_printf(arena, "Catch2 names %zu test cases that failed, and counts %zu",
			state->told, state->failed + state->expected);
	return NULL;
}

static void catch2_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct catch2_state *state = reading->state;
	struct test_report *report = reading->report;
	if (state->in_failure)
		add_failure(state, reading);
	if (state->expected && !state->failed)
		test_report_expect_red(report);
	for (size_t i = 1; i <= state->passed; i++)
		test_report_add(report, reading->arena,
			&(struct test_result){
				.id = arena_printf(reading->arena, "test case %zu of those that pass", i),
				.status = TEST_PASSED});
	report->names_only_red = true;
	report->problem = problem_of(state, result, reading->arena);
	report->complete = !report->problem;
}

static bool catch2_shows(const char *line)
{
	if (*line == 'A')
		return text_starts_with(line, "All tests passed (") && strstr(line, " assertion") &&
			   strstr(line, " test case");
	if (*line == 'N')
		return strcmp(line, "No tests ran") == 0;
	return *line == 't' && text_starts_with(line, "test cases: ") && strchr(line, '|');
}

const struct format catch2_format = {
	.name = "catch2",
	.summary = "Catch2's console: test cases that fail by name, the others by number",
	.state_size = sizeof(struct catch2_state),
	.shows = catch2_shows,
	.read_line = catch2_read_line,
	.finish = catch2_finish,
};
