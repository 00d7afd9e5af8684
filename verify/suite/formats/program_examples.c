/* What doctest prints of each failed example: its place, then "Failed example:", "Expected:" and
 * "Got:", each with indented lines. */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/formats/program.h"

/* The example that doctest means: by its line and text; else by its text, since doctest names
 * another line if a function has the documentation of another one, or the fix moved it; else by its
 * line. */
static size_t example_find(
	const struct suite *suite, const struct program_examples *examples, const char *text)
{
	size_t none = suite->n_assertions, by_text = none, by_line = none;
	for (size_t i = 0; i < suite->n_assertions; i++) {
		const struct assertion *assertion = &suite->assertions[i];
		if (!text_starts_with(assertion->text, ">>>"))
			continue;
		const char *typed = assertion->text + 3 + strspn(assertion->text + 3, " ");
		bool same = text_starts_with(typed, text) && strchr("\r\n", typed[strlen(text)]);
		bool here = assertion->first_line == examples->place.line;
		if (same && here)
			return i;
		by_text = same && by_text == none ? i : by_text;
		by_line = here ? i : by_line;
	}
	return by_text != none ? by_text : by_line;
}

void program_examples_end(struct program_state *state, struct suite_reading *reading)
{
	struct program_examples *examples = &state->examples;
	if (examples->section && examples->at < reading->suite->n_assertions) {
		const char *got = *examples->got ? examples->got : "nothing";
		state->messages[examples->at] = *examples->expected
			? arena_printf(reading->arena, "expected %s, got %s", examples->expected, got)
			: arena_printf(reading->arena, "got %s", got);
		state->places[examples->at] = examples->inner;
	}
	*examples = (struct program_examples){.n_failed = examples->n_failed};
}

/* One that the base does not have fails as a test of its own. */
static void example_add(
	const struct program_examples *examples, struct suite_reading *reading, const char *text)
{
	const struct location *place = &examples->place;
	const char *id = place->line
		? arena_printf(reading->arena, "an example at line %d", place->line)
		: arena_printf(reading->arena, ">>> %s", text);
	reading_add(reading, id, TEST_FAILED, NULL, place->line ? place : NULL, 0);
}

static void example_failed(
	struct program_state *state, struct suite_reading *reading, const char *text)
{
	struct program_examples *examples = &state->examples;
	examples->at = example_find(reading->suite, examples, text);
	if (examples->at == reading->suite->n_assertions) {
		example_add(examples, reading, text);
		return;
	}
	state->failed[examples->at] = true;
	examples->n_failed++;
}

/* The first of several lines, or the last of an exception. */
static void example_take(char *text, size_t size, const char *line, bool *raised)
{
	*raised = *raised || text_starts_with(line, "Traceback (most recent call last)");
	if (!*text || *raised)
		text_copy(text, size, line);
}

static void example_text(
	struct program_examples *examples, struct suite_reading *reading, const char *line)
{
	struct location location;
	const char *text = line + strspn(line, " ");
	if (examples->section == 'e')
		example_take(examples->expected, sizeof examples->expected, text, &examples->expects_error);
	if (!strchr("gx", examples->section))
		return;
	example_take(examples->got, sizeof examples->got, text, &examples->raised);
	if (examples->raised && location_find(&location, reading->dir, line))
		examples->inner = location;
}

/* Which section of doctest's a line begins, or '\0'. */
static char example_section(const char *line)
{
	static const struct {
		const char *line;
		char section;
	} sections[] = {{"Failed example:", 'f'}, {"Expected:", 'e'}, {"Expected nothing", 'n'},
		{"Got:", 'g'}, {"Got nothing", 'n'}, {"Exception raised:", 'x'}, {"Differences (", 'n'}};
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (text_starts_with(line, sections[i].line))
			return sections[i].section;
	return '\0';
}

bool program_examples_line(
	struct program_state *state, struct suite_reading *reading, const char *line)
{
	struct program_examples *examples = &state->examples;
	char section = examples->is_placed ? example_section(line) : '\0';
	if (text_starts_with(line, "**********") ||
		(text_starts_with(line, "File \"") && strstr(line, ", in "))) {
		program_examples_end(state, reading);
		examples->is_placed = *line == 'F';
		if (examples->is_placed && !location_find(&examples->place, reading->dir, line))
			examples->place.line = 0;
		return true;
	}
	if (section) {
		examples->section = section;
		return true;
	}
	if (!examples->section || !text_starts_with(line, "    "))
		return false;
	if (examples->section == 'f') {
		example_failed(state, reading, line + 4);
		examples->section = 'n';
	}
	example_text(examples, reading, line);
	return true;
}
