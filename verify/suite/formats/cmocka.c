/*
 * cmocka's own lines, where it is not told to print TAP:
 *
 *	[==========] Running 2 test(s).             or the group's name before "Running"
 *	[ RUN      ] test_bad
 *	[  ERROR   ] --- 0x1 != 0x2
 *	[   LINE   ] --- test_a.c:7: error: Failure!
 *	[  FAILED  ] test_bad
 *	[==========] 2 test(s) run.
 *
 * What counts is said of the test that runs; the lists behind a group name it again. Each group
 * says how many it ran.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/suite/format.h"
#include "verify/suite/ids.h"
#include "verify/suite/location.h"

enum { NAME = 512 };

struct cmocka_state {
	char running[NAME], message[NAME];
	bool is_running, in_group;
	struct location location;
	size_t promised, ran, named; /* tests, as groups say before and after, and as they are named */
	struct map seen;
};

static void add_test(struct suite_reading *reading, enum test_status status)
{
	struct cmocka_state *state = reading->state;
	bool red = test_status_is_red(status);
	state->is_running = false;
	state->named++;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){
			.id = id_numbered(
				&state->seen, *state->running ? state->running : "(no name)", reading->arena),
			.status = status,
			.message = red && *state->message ? state->message : NULL,
			.file = red && *state->location.file ? state->location.file : NULL,
			.line = red ? state->location.line : 0,
		});
}

/* The number of "[==========] Running 2 test(s)." or "[==========] group: Running 2 test(s)." */
static bool begins_group(const char *line, size_t *ret_n)
{
	char dot;
	const char *at = text_starts_with(line, "[==========] ") ? strstr(line, "Running ") : NULL;
	return at && sscanf(at, "Running %zu test(s)%c", ret_n, &dot) == 2 && dot == '.' &&
		   text_ends_with(line, "test(s).");
}

/* "[==========] 2 test(s) run.", "[==========] group: 2 test(s) run." */
static bool ends_group(const char *line, size_t *ret_n)
{
	if (!text_starts_with(line, "[==========] ") || !text_ends_with(line, " test(s) run."))
		return false;
	const char *at = line + strlen(line) - strlen(" test(s) run.");
	while (at > line && isdigit((unsigned char)at[-1]))
		at--;
	*ret_n = strtoul(at, NULL, 10);
	return true;
}

static void begin_test(struct cmocka_state *state, const char *name)
{
	text_copy(state->running, sizeof state->running, name);
	state->is_running = true;
	state->message[0] = '\0';
	state->location = (struct location){0};
}

/* The mark and the name of the test that runs, also behind what it printed without a newline. */
static bool says(const struct cmocka_state *state, const char *line, const char *mark)
{
	const char *at = strstr(line, mark);
	return at && state->is_running && strcmp(at + strlen(mark), state->running) == 0;
}

static void read_test_line(struct suite_reading *reading, const char *line)
{
	struct cmocka_state *state = reading->state;
	if (says(state, line, "[       OK ] "))
		add_test(reading, TEST_PASSED);
	else if (says(state, line, "[  FAILED  ] "))
		add_test(reading, TEST_FAILED);
	else if (says(state, line, "[  SKIPPED ] "))
		add_test(reading, TEST_SKIPPED);
	else if (says(state, line, "[  ERROR   ] "))
		add_test(reading, TEST_ERROR);
	else if (text_starts_with(line, "[  ERROR   ] --- ") && !*state->message)
		text_copy(state->message, sizeof state->message, line + strlen("[  ERROR   ] --- "));
	else if (text_starts_with(line, "Could not run test: ") && !*state->message)
		text_copy(state->message, sizeof state->message, line + strlen("Could not run test: "));
	else if (text_starts_with(line, "[   LINE   ] --- "))
		location_find(&state->location, reading->dir, line + strlen("[   LINE   ] --- "));
}

/* A test that does not come to its end takes its program with it. */
static void end_program(struct suite_reading *reading, const char *how)
{
	struct cmocka_state *state = reading->state;
	if (!state->is_running)
		return;
	if (!*state->message)
		text_copy(state->message, sizeof state->message, how);
	add_test(reading, TEST_ERROR);
	state->in_group = false;
	state->promised = state->ran = state->named;
}

static void cmocka_read_line(struct suite_reading *reading, const char *line)
{
	struct cmocka_state *state = reading->state;
	size_t n = 0;
	if (*line != '[' && !state->is_running)
		return;
	if (begins_group(line, &n)) {
		end_program(reading, "its program ended within it");
		state->in_group = true;
		state->promised += n;
	} else if (ends_group(line, &n)) {
		state->in_group = false;
		state->ran += n;
	} else if (text_starts_with(line, "[ RUN      ] ")) {
		begin_test(state, line + strlen("[ RUN      ] "));
	} else {
		read_test_line(reading, line);
	}
}

static void cmocka_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct cmocka_state *state = reading->state;
	struct test_report *report = reading->report;
	char described[64];
	const char *end = process_describe(result, described, sizeof described);
	end_program(reading, end);
	if (state->in_group)
		report->problem = arena_printf(reading->arena, "cmocka ended before its summary (%s)", end);
	else if (state->named != state->ran || state->named != state->promised)
		report->problem = arena_printf(reading->arena,
			"cmocka was to run %zu tests and ran %zu, but %zu are named in its output",
			state->promised, state->ran, state->named);
	else if (!report->n)
		report->problem = "no tests were run";
	report->complete = !report->problem;
}

static bool cmocka_shows(const char *line)
{
	size_t n;
	return *line == '[' && begins_group(line, &n);
}

const struct format cmocka_format = {
	.name = "cmocka",
	.summary = "cmocka's lines, where it is not told to print TAP",
	.state_size = sizeof(struct cmocka_state),
	.shows = cmocka_shows,
	.read_line = cmocka_read_line,
	.finish = cmocka_finish,
};
