/*
 * cmocka's own lines, if it does not print TAP:
 *
 *	[==========] Running 2 test(s).             or the group's name before "Running"
 *	[ RUN      ] test_bad
 *	[  ERROR   ] --- 0x1 != 0x2
 *	[   LINE   ] --- test_a.c:7: error: Failure!
 *	[  FAILED  ] test_bad
 *	[==========] 2 test(s) run.
 *
 * A result counts where it names the running test; the lists after a group name the test again.
 * Each group says how many tests it ran.
 */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/format.h"
#include "verify/suite/ids.h"

#define BEGINNING "[==========] *Running # test(s)."

enum { NAME = 512 };

struct cmocka_state {
	char running[NAME], message[NAME];
	bool is_running, in_group;
	struct location location;
	size_t promised, ran, named; /* tests, as groups say before and after, and as they are named */
	struct map seen;
};

static void cmocka_add_test(struct suite_reading *reading, enum test_status status)
{
	struct cmocka_state *state = reading->state;
	const char *name = *state->running ? state->running : "(no name)";
	state->is_running = false;
	state->named++;
	reading_add(reading, id_numbered(&state->seen, name, reading->arena), status, state->message,
		&state->location, 0);
}

static void cmocka_begin_test(struct cmocka_state *state, const char *name)
{
	text_copy(state->running, sizeof state->running, name);
	state->is_running = true;
	*state->message = '\0';
	state->location = (struct location){0};
}

/* The result of the running test, perhaps after what it printed without a newline. */
static bool cmocka_read_result(struct suite_reading *reading, const char *line)
{
	static const struct status_word marks[] = {{"[       OK ] ", TEST_PASSED},
		{"[  FAILED  ] ", TEST_FAILED}, {"[  SKIPPED ] ", TEST_SKIPPED},
		{"[  ERROR   ] ", TEST_ERROR}};
	struct cmocka_state *state = reading->state;
	for (size_t i = 0; i < ARRAY_SIZE(marks) && state->is_running; i++) {
		const char *at = strstr(line, marks[i].text);
		if (at && strcmp(at + strlen(marks[i].text), state->running) == 0) {
			cmocka_add_test(reading, marks[i].status);
			return true;
		}
	}
	return false;
}

static void cmocka_read_failure(struct suite_reading *reading, const char *line)
{
	static const char *const messages[] = {"[  ERROR   ] --- ", "Could not run test: "};
	static const char place[] = "[   LINE   ] --- ";
	struct cmocka_state *state = reading->state;
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		if (text_starts_with(line, messages[i]) && !*state->message)
			text_copy(state->message, sizeof state->message, line + strlen(messages[i]));
	if (text_starts_with(line, place))
		location_find(&state->location, reading->dir, line + strlen(place));
}

/* A test that does not end ends its program. */
static void cmocka_end_program(struct suite_reading *reading, const char *how)
{
	struct cmocka_state *state = reading->state;
	if (!state->is_running)
		return;
	if (!*state->message)
		text_copy(state->message, sizeof state->message, how);
	cmocka_add_test(reading, TEST_ERROR);
	state->in_group = false;
	state->promised = state->ran = state->named;
}

static void cmocka_read_line(struct suite_reading *reading, const char *line)
{
	struct cmocka_state *state = reading->state;
	size_t n = 0;
	if (*line != '[' && !state->is_running)
		return;
	if (line_match(line, BEGINNING, &n)) {
		cmocka_end_program(reading, "its program ended within it");
		state->in_group = true;
		state->promised += n;
	} else if (line_match(line, "[==========] *# test(s) run.", &n)) {
		state->in_group = false;
		state->ran += n;
	} else if (text_starts_with(line, "[ RUN      ] ")) {
		cmocka_begin_test(state, line + strlen("[ RUN      ] "));
	} else if (!cmocka_read_result(reading, line)) {
		cmocka_read_failure(reading, line);
	}
}

static const char *cmocka_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct cmocka_state *state = reading->state;
	char described[64];
	const char *end = process_describe(result, described, sizeof described);
	cmocka_end_program(reading, end);
	if (state->in_group)
		return arena_printf(reading->arena, "cmocka ended before its summary (%s)", end);
	if (state->named != state->ran || state->named != state->promised)
		return arena_printf(reading->arena,
			"cmocka was to run %zu tests and ran %zu, but %zu are named in its output",
			state->promised, state->ran, state->named);
	return reading->report->n ? NULL : "no tests were run";
}

const struct format cmocka_format = {
	.name = "cmocka",
	.summary = "cmocka's lines, if it does not print TAP",
	.state_size = sizeof(struct cmocka_state),
	.signs = (const char *const[]){BEGINNING, NULL},
	.read_line = cmocka_read_line,
	.finish = cmocka_finish,
};
