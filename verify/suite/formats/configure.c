/*
 * A build that could not even be configured, by CMake, Meson or a configure script: nothing was
 * tested, and no change of the program's text can help. It counts only where no test was read,
 * since tests may print such lines.
 */
#include <string.h>

#include "verify/suite/format.h"

enum { MESSAGE_LINES = 3 }; /* CMake says why below the place */

struct configure_state {
	char message[512];
	int wanted; /* lines of it that may follow */
};

static const char *const configure_errors[] = {"configure: error: *", "*meson.build:#:#: ERROR: *",
	"*configure.ac:#: error: *", "*configure.in:#: error: *", "autoreconf: error: *", NULL};

static bool configure_shows(const char *line)
{
	return line_matches_any(line, configure_errors) ||
		text_starts_with(line, "-- Configuring incomplete, errors occurred!");
}

/* The first error. */
static void configure_read_line(struct suite_reading *reading, const char *line)
{
	struct configure_state *state = reading->state;
	const char *text = line + strspn(line, " \t");
	bool is_cmake = text_starts_with(line, "CMake Error ");
	bool is_more = state->wanted && *text;
	if (!*state->message && (is_cmake || line_matches_any(line, configure_errors)))
		state->wanted = is_cmake ? MESSAGE_LINES : 1;
	else if (!is_more)
		return;
	text_append(state->message, sizeof state->message, " ", text);
	state->wanted--;
}

static const char *configure_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	const struct configure_state *state = reading->state;
	if (reading->report->n || result->exit_code == 0)
		return NULL;
	return arena_printf(reading->arena, "the build cannot be configured: %s", state->message);
}

const struct format configure_format = {
	.name = "configure",
	.summary = "a build that CMake, Meson or a configure script refuses",
	.state_size = sizeof(struct configure_state),
	.shows = configure_shows,
	.read_line = configure_read_line,
	.finish = configure_finish,
};
