/*
 * Catch2's console reporter. It names only the test cases that fail, each in a block, once for each
 * section and assertion that fails:
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
 * The last line says how many passed. These get numbers for names, so that a lost one is noticed; a
 * test case that failed and is not named any more has passed.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"

enum { NAME = 512, RULE = 79 };

struct catch2_state {
	bool in_head, has_name; /* between two rules; the first line there is the test case */
	bool in_failure;        /* after "FAILED:", up to a blank line */
	char name[NAME], message[NAME];
	struct location location;
	struct map failing; /* test cases that a block of this program has named */
	size_t passed, failed, expected, named, programs;
};

static bool catch2_is_rule(const char *line)
{
	return strspn(line, "-") == RULE && !line[RULE];
}

static void catch2_add_failure(struct catch2_state *state, struct suite_reading *reading)
{
	state->in_failure = false;
	if (!*state->name || map_get(&state->failing, state->name))
		return;
	map_put(&state->failing, reading->arena, arena_strdup(reading->arena, state->name), state);
	state->named++;
	reading_add(reading, state->name, TEST_FAILED, *state->message ? state->message : "failed",
		&state->location, 0);
}

/* The first line between two rules names the test case; those below it are its sections. */
static void catch2_read_head(struct catch2_state *state, const char *line)
{
	if (catch2_is_rule(line)) {
		state->in_head = false;
		return;
	}
	if (!state->has_name)
		text_copy(state->name, sizeof state->name, line);
	state->has_name = true;
}

static void catch2_begin_failure(struct catch2_state *state, const char *dir, const char *line)
{
	state->in_failure = true;
	*state->message = '\0';
	state->location = (struct location){0};
	location_at_start(&state->location, dir, line);
}

/* What is compared, then "with expansion:" and its value. */
static void catch2_read_failure(struct catch2_state *state, const char *line)
{
	text_append(state->message, sizeof state->message, " ", line + strspn(line, " "));
}

/* "test cases: 5 | 1 passed | 4 failed", "All tests passed (5 assertions in 5 test cases)", "No
 * tests ran". */
static void catch2_read_summary(struct catch2_state *state, const char *line)
{
	size_t n;
	char what[32];
	bool all_passed = line_match(line, "All tests passed (* in #*", &n);
	bool is_count = text_starts_with(line, "test cases: ") && strchr(line, '|');
	if (!all_passed && !is_count && strcmp(line, "No tests ran") != 0)
		return;
	state->passed += all_passed ? n : 0;
	for (const char *at = is_count ? strchr(line, '|') : NULL; at; at = strchr(at + 1, '|'))
		if (sscanf(at, "| %zu %31[a-z ]", &n, what) == 2) {
			bool passed = text_starts_with(what, "passed"),
				 expected = strcmp(what, "failed as expected") == 0;
			*(passed ? &state->passed : expected ? &state->expected : &state->failed) += n;
		}
	state->programs++;
	state->failing = (struct map){0};
	*state->name = '\0';
}

static void catch2_read_line(struct suite_reading *reading, const char *line)
{
	struct catch2_state *state = reading->state;
	const char *end = strstr(line, ": FAILED:");
	if (state->in_head) {
		catch2_read_head(state, line);
	} else if (state->in_failure && *line) {
		catch2_read_failure(state, line);
	} else if (state->in_failure) {
		catch2_add_failure(state, reading);
	} else if (catch2_is_rule(line)) {
		state->in_head = true;
		state->has_name = false;
	} else if (end && !end[strlen(": FAILED:")]) {
		catch2_begin_failure(state, reading->dir, line);
	} else {
		catch2_read_summary(state, line);
	}
}

static const char *catch2_problem_of(
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
	if (state->named != state->failed + state->expected)
		return arena_printf(arena, "Catch2 names %zu test cases that failed, and counts %zu",
			state->named, state->failed + state->expected);
	return NULL;
}

static const char *catch2_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct catch2_state *state = reading->state;
	if (state->in_failure)
		catch2_add_failure(state, reading);
	if (state->expected && !state->failed)
		test_report_expect_red(reading->report);
	for (size_t i = 1; i <= state->passed; i++)
		reading_add(reading, arena_printf(reading->arena, "test case %zu of those that pass", i),
			TEST_PASSED, NULL, NULL, 0);
	reading->report->names_only_red = true;
	return catch2_problem_of(state, result, reading->arena);
}

const struct format catch2_format = {
	.name = "catch2",
	.summary = "Catch2's console: test cases that fail by name, the others by number",
	.state_size = sizeof(struct catch2_state),
	.signs = (const char *const[]){"All tests passed (* assertion* test case*", "No tests ran",
		"test cases: *|*", NULL},
	.read_line = catch2_read_line,
	.finish = catch2_finish,
};
