/*
 * The sections after pytest's tests. One says why and where a test failed; it names the test
 * without the file, so it is kept by kind and name, and given to the results in order at the end.
 */
#include "verify/suite/formats/pytest.h"

#include <string.h>

#include "base/strbuf.h"

/* The key of a failure's section: its kind, and the test's name within its file. */
static const char *pytest_failure_key(
	struct arena *arena, bool is_error, const char *name, size_t n)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	strbuf_addc(&sb, is_error ? 'E' : 'F');
	bool in_parameters = false;
	for (size_t i = 0; i < n; i++) {
		in_parameters = in_parameters || name[i] == '[';
		bool colons = !in_parameters && i + 1 < n && name[i] == ':' && name[i + 1] == ':';
		strbuf_addc(&sb, colons ? '.' : name[i]);
		i += colons;
	}
	return arena_strndup(arena, sb.text, sb.length);
}

/* A subtest's section is its test's: "Case.test_sub (i=1)", "Case.test_sub [message] (i=1)". */
static size_t pytest_without_subtest(const char *title)
{
	size_t space = strcspn(title, " "), bracket = strcspn(title, "[");
	if (space < bracket)
		return space;
	for (const char *at = strstr(title, "] "); at; at = strstr(at + 1, "] "))
		if (at[2] == '[' || at[2] == '(')
			return (size_t)(at - title) + 1;
	return strlen(title);
}

static void pytest_keep_failure(struct suite_reading *reading, bool is_error, const char *name)
{
	struct pytest_reading *state = reading->state;
	const char *key =
		pytest_failure_key(reading->arena, is_error, name, pytest_without_subtest(name));
	struct pytest_failure *failure = arena_alloc(reading->arena, sizeof *failure);
	if (*state->message)
		failure->message = arena_strdup(reading->arena, state->message);
	if (*state->location.file)
		failure->file = arena_strdup(reading->arena, state->location.file);
	failure->line = state->location.line;
	struct pytest_failures *failures = map_get(&state->failures, key);
	if (!failures) {
		failures = arena_alloc(reading->arena, sizeof *failures);
		map_put(&state->failures, reading->arena, key, failures);
	}
	*(failures->last ? &failures->last->next : &failures->first) = failure;
	failures->last = failure;
}

/* How the titles of other sections than a failed test's begin. */
static const char collecting[] = "ERROR collecting ";
static const char setup[] = "ERROR at setup of ";
static const char teardown[] = "ERROR at teardown of ";

void pytest_close_section(struct suite_reading *reading)
{
	struct pytest_reading *state = reading->state;
	if (!state->open)
		return;
	state->open = false;
	const char *title = state->title;
	if (text_starts_with(title, collecting)) {
		reading_add(
			reading, title + strlen(collecting), TEST_ERROR, state->message, &state->location, 0);
		return;
	}
	const char *name = title;
	name += text_starts_with(title, setup) ? strlen(setup) : 0;
	name += text_starts_with(title, teardown) ? strlen(teardown) : 0;
	pytest_keep_failure(reading, name > title, name);
}

static void pytest_open_section(struct suite_reading *reading, const char *title, size_t n)
{
	struct pytest_reading *state = reading->state;
	pytest_close_section(reading);
	state->open = n < sizeof state->title;
	state->printed = state->in_error = state->after_file = false;
	*state->message = '\0';
	state->location = (struct location){0};
	if (state->open)
		text_copy(state->title, n + 1, title);
}

/* "____ title ____" */
bool pytest_read_header(struct suite_reading *reading, const char *line)
{
	size_t n = strlen(line), start = strspn(line, "_");
	if (!start || line[start] != ' ' || line[n - 1] != '_' || !line[strspn(line, "_ ")])
		return false;
	while (n && line[n - 1] == '_')
		n--;
	if (n < start + 3 || line[n - 1] != ' ')
		return false;
	const char *title = line + start + 1;
	struct pytest_reading *state = reading->state;
	bool is_test = !text_starts_with(title, collecting);
	/* What could not be collected comes first: a later one was printed by a test. */
	if (!is_test && state->explained)
		return true;
	state->explained = is_test;
	pytest_open_section(reading, title, n - start - 2);
	return true;
}

/* The first `E   ` line of the last exception. A syntax error begins with its place. */
static void pytest_read_error_line(struct pytest_reading *state, const char *dir, const char *text)
{
	text += strspn(text, " ");
	if (text_starts_with(text, "File \"")) {
		location_find(&state->location, dir, text);
		state->after_file = true;
	} else if (!state->in_error || (state->after_file && strstr(text, "Error: "))) {
		text_copy(state->message, sizeof state->message, text);
	}
	state->in_error = true;
}

void pytest_read_section_line(struct suite_reading *reading, const char *line)
{
	struct pytest_reading *state = reading->state;
	if (text_starts_with(line, "-----") && strstr(line, " Captured "))
		state->printed = true;
	if (state->printed)
		return;
	if (line[0] == 'E' && (line[1] == ' ' || !line[1])) {
		pytest_read_error_line(state, reading->dir, line + 1);
		return;
	}
	state->in_error = false;
	if (text_starts_with(line, "[XPASS(strict)]"))
		text_copy(state->message, sizeof state->message, line);
	else if (text_starts_with(line, "  File \""))
		location_find(&state->location, reading->dir, line);
	else
		location_at_start(&state->location, reading->dir, line);
}

/* "ImportError while loading conftest '/path/conftest.py'.": the only result. */
bool pytest_read_conftest(struct suite_reading *reading, const char *line)
{
	static const char start[] = "ImportError while loading conftest '";
	if (!text_starts_with(line, start))
		return false;
	const char *path = line + strlen(start);
	size_t n = strcspn(path, "'");
	path = location_relative(reading->dir, path, &n);
	const char *title = arena_printf(reading->arena, "ERROR collecting %.*s", (int)n, path);
	pytest_open_section(reading, title, strlen(title));
	struct pytest_reading *state = reading->state;
	state->after_tests = true;
	return true;
}

void pytest_explain_failures(struct suite_reading *reading)
{
	struct pytest_reading *state = reading->state;
	for (size_t i = 0; i < reading->report->n; i++) {
		struct test_result *result = reading->report->results[i];
		const char *name = strstr(result->id, "::");
		if (!test_status_is_red(result->status) || !name)
			continue;
		bool is_error = result->status == TEST_ERROR;
		struct pytest_failures *failures = map_get(&state->failures,
			pytest_failure_key(reading->arena, is_error, name + 2, strlen(name + 2)));
		if (!failures || !failures->first)
			continue;
		struct pytest_failure *failure = failures->first;
		failures->first = failure->next;
		if (failure->message)
			result->message = failure->message;
		result->file = failure->file;
		result->line = failure->line;
	}
}
