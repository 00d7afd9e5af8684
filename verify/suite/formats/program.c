/*
 * A program that is its own test. Its tests are its assertion statements, by their text, to show
 * progress:
 *
 *  - A failed `console.assert` prints "Assertion failed: message" and the program continues. The
 *    message tells which statement it was; if it is missing or computed, the first statement that
 *    could have printed it counts, so that the number of failures is right.
 *  - A statement that throws ends the program: those before it passed, it failed, and those after
 *    it were not reached. These count as failed, so that a program that gets further has more tests
 *    that pass.
 *  - If an error elsewhere ends the program, none of the statements was reached.
 *  - Examples of doctest failed if doctest says so, whatever the exit code.
 *
 * Python shows the text of the failing line, so edits above it do not matter; JavaScript shows only
 * its number.
 */
#include "verify/suite/formats/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* --- Which statement --- */

/* How many bytes of the printed message a statement's literals explain; 0: they do not fit. */
static size_t program_explains(const char *literals, const char *printed)
{
	size_t total = 0;
	for (const char *piece = literals; *piece; piece += strlen(piece) + 1) {
		const char *at = strstr(printed, piece);
		if (!at)
			return 0;
		printed = at + strlen(piece);
		total += strlen(piece);
	}
	return total;
}

/* Append the pieces of the literal at `at`, each with a NUL: inserted values and escapes separate
 * them. Gives the closing quote, or the last byte of all. */
static const char *program_literal_pieces(const char *at, struct strbuf *pieces)
{
	char quote = *at++;
	size_t before = pieces->length;
	for (; *at && *at != quote; at++) {
		bool computed = quote == '`' && at[0] == '$' && at[1] == '{';
		if (!computed && (*at != '\\' || !at[1])) {
			strbuf_addc(pieces, *at);
			continue;
		}
		if (pieces->length > before)
			strbuf_addc(pieces, '\0');
		before = pieces->length;
		at += computed ? strcspn(at, "}`") : 1;
		at -= !*at;
	}
	if (pieces->length > before)
		strbuf_addc(pieces, '\0');
	return *at ? at : at - 1;
}

/* The pieces of literals in the arguments after the first, each with a NUL, and one at the end.
 * NULL: there is no such argument. */
static const char *program_message_literals(const char *statement, struct arena *arena)
{
	AUTO_STRBUF pieces = STRBUF_INIT(STRBUF_LINE);
	int depth = 0, argument = 0;
	for (const char *at = statement + strcspn(statement, "("); *at; at++) {
		depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
		argument += *at == ',' && depth == 1;
		if (*at != '"' && *at != '\'' && *at != '`')
			continue;
		AUTO_STRBUF first = STRBUF_INIT(STRBUF_LINE); /* the condition's own texts say nothing */
		at = program_literal_pieces(at, argument ? &pieces : &first);
	}
	return argument ? arena_strndup(arena, pieces.text, pieces.length) : NULL;
}

/* The assertion that printed a message ("": none); of equals the first that has not failed. */
static size_t program_find_by_message(
	const struct suite *suite, const bool *failed, const char *printed, struct arena *arena)
{
	size_t best = 0, most = 0, fallback = suite->n_assertions;
	bool is_best_failed = true;
	for (size_t i = 0; i < suite->n_assertions; i++) {
		const char *literals = program_message_literals(suite->assertions[i].text, arena);
		bool could = *printed ? literals && !*literals : !literals;
		if (could && fallback == suite->n_assertions && !failed[i])
			fallback = i;
		size_t score = literals && *printed ? program_explains(literals, printed) : 0;
		if (score > most || (score == most && score && is_best_failed && !failed[i])) {
			most = score;
			best = i;
			is_best_failed = failed[i];
		}
	}
	if (most)
		return best;
	for (size_t i = 0; i < suite->n_assertions && fallback == suite->n_assertions; i++)
		if (!failed[i])
			fallback = i;
	return fallback;
}

static bool program_has_source_line(const char *statement, const char *line)
{
	size_t n = strlen(line);
	for (const char *at = strstr(statement, line); at && n; at = strstr(at + 1, line)) {
		const char *before = at;
		while (before > statement && (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		if ((before == statement || before[-1] == '\n') && (!at[n] || strchr(" \t\r\n;#", at[n])))
			return true;
	}
	return false;
}

/* 1 + the assertion whose source is `line`, nearest to its old place; 0: none. */
static size_t program_find_by_source(const struct suite *suite, const char *line, int number)
{
	size_t best = 0;
	int least = 0;
	for (size_t i = 0; i < suite->n_assertions; i++) {
		int distance = abs(suite->assertions[i].first_line - number);
		if (program_has_source_line(suite->assertions[i].text, line) &&
			(!best || distance < least)) {
			best = i + 1;
			least = distance;
		}
	}
	return best;
}

/* 1 + the assertion on a line; 0: none. */
static size_t program_find_by_line(const struct suite *suite, int number)
{
	for (size_t i = 0; i < suite->n_assertions; i++)
		if (suite->assertions[i].first_line <= number && number <= suite->assertions[i].last_line)
			return i + 1;
	return 0;
}

/* --- Lines --- */

static void program_prepare(struct program_state *state, struct suite_reading *reading)
{
	if (state->failed)
		return;
	size_t n = reading->suite->n_assertions;
	state->failed = arena_alloc(reading->arena, n * sizeof *state->failed);
	state->messages = arena_alloc(reading->arena, n * sizeof *state->messages);
	state->places = arena_alloc(reading->arena, n * sizeof *state->places);
}

static void program_read_console_assert(
	struct program_state *state, struct suite_reading *reading, const char *line)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *message = text_starts_with(line, ": ") ? line + 2 : "";
	size_t i = program_find_by_message(reading->suite, state->failed, message, &scratch);
	if (i == reading->suite->n_assertions || state->failed[i])
		return;
	state->failed[i] = true;
	state->messages[i] = *message ? arena_strdup(reading->arena, message) : "assertion failed";
}

/* "Name: why" or a bare "NameError" at the margin. */
static bool program_is_error_line(const char *line)
{
	size_t n = 0;
	while (isalnum((unsigned char)line[n]) || line[n] == '_' || line[n] == '.')
		n++;
	bool named = n >= 5 &&
		(memcmp(line + n - 5, "Error", 5) == 0 ||
			(n >= 9 && memcmp(line + n - 9, "Exception", 9) == 0));
	return named && (!line[n] || line[n] == ':' || text_starts_with(line + n, " ["));
}

static void program_read_frame(
	struct program_state *state, struct suite_reading *reading, const char *line)
{
	const struct suite *suite = reading->suite;
	bool python = text_starts_with(line, "  File \"");
	/* node names the place of a throw, or of a fault in the syntax, on a line of its own. */
	bool alone = line[0] == '/' && !strchr(line, ' ');
	bool script = alone || text_starts_with(line, "    at ");
	struct location location = {0};
	if ((!python && !script) || !location_find(&location, reading->dir, line))
		return;
	bool here = strcmp(location.file, suite->program) == 0;
	if (python) {
		state->location = location;
		state->in_frame = here;
		state->frame_line = location.line;
		return;
	}
	if (!*state->location.file)
		state->location = location;
	if (here && program_find_by_line(suite, location.line))
		state->thrown = program_find_by_line(suite, location.line);
}

static void program_read_line(struct suite_reading *reading, const char *line)
{
	struct program_state *state = reading->state;
	program_prepare(state, reading);
	outcome_line(&state->outcome, reading->dir, line);
	if (program_examples_line(state, reading, line))
		return;
	if (state->in_frame) {
		size_t found =
			program_find_by_source(reading->suite, line + strspn(line, " \t"), state->frame_line);
		if (found)
			state->thrown = found;
		state->in_frame = false;
	}
	if (text_starts_with(line, "Traceback (most recent call last)")) {
		state->thrown = 0;
		state->was_traced = true;
		state->location = (struct location){0};
	} else if (text_starts_with(line, "Assertion failed")) {
		program_read_console_assert(state, reading, line + strlen("Assertion failed"));
	} else if (program_is_error_line(line)) {
		text_copy(state->error, sizeof state->error, line);
	} else if (text_ends_with(state->error, ":") && *line && *line != ' ') {
		/* node's assertions say what they expect on the lines below. */
		text_append(state->error, sizeof state->error, " ", line);
	} else {
		program_read_frame(state, reading, line);
	}
}

/* Whether an assertion failed, and its message or NULL. */
static const char *program_judge(const struct program_state *state,
	const struct suite_reading *reading, size_t i, bool red, bool *ret_failed)
{
	*ret_failed = true;
	if (state->failed[i])
		return state->messages[i];
	const char *why = *state->error ? state->error : state->outcome.message;
	if (red && state->thrown == i + 1)
		return *why ? why : "assertion failed";
	if (red && state->thrown <= i)
		return *why && !state->thrown
			? arena_printf(reading->arena, PROGRAM_NOT_REACHED ": %s", why)
			: PROGRAM_NOT_REACHED;
	*ret_failed = false;
	return NULL;
}

static const char *program_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	struct program_state *state = reading->state;
	const struct suite *suite = reading->suite;
	program_prepare(state, reading);
	const char *problem = outcome_not_started(&state->outcome, reading, result);
	if (problem)
		return problem;
	if (!suite->n_assertions) {
		if (*state->error)
			text_copy(state->outcome.message, sizeof state->outcome.message, state->error);
		if (*state->location.file)
			state->outcome.location = state->location;
		const char *id = suite->program ? suite->program : suite_shown(suite);
		return outcome_finish(&state->outcome, reading, id, result);
	}
	program_examples_end(state, reading);
	/* Examples that failed say all that a red exit code does. */
	bool red = result->exit_code != 0 && (!state->examples.n_failed || state->was_traced);
	for (size_t i = 0; i < suite->n_assertions; i++) {
		const struct assertion *assertion = &suite->assertions[i];
		bool failed, thrown_here = red && state->thrown <= i + 1 && !state->failed[i];
		const char *message = program_judge(state, reading, i, red, &failed);
		bool placed =
			thrown_here && *state->location.file && (state->thrown == i + 1 || !state->thrown);
		struct location location = placed ? state->location : state->places[i];
		if (!*location.file) {
			text_copy(location.file, sizeof location.file, suite->program);
			location.line = assertion->first_line;
		}
		reading_add(
			reading, assertion->id, failed ? TEST_FAILED : TEST_PASSED, message, &location, 0);
	}
	return NULL;
}

const struct format program_format = {
	.name = "program",
	.summary = "one program that is its own test, by its assertions",
	.state_size = sizeof(struct program_state),
	.read_line = program_read_line,
	.finish = program_finish,
};
