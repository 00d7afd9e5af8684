/*
 * Python's unittest, told `-v` so that it names each test: "test_a (pkg.Case.test_a) ... ok", where
 * a docstring may stand on a line between, and what the test prints before the status. Behind the
 * tests, "FAIL: test_a (...)" heads the traceback of each failure. A test module that could not be
 * imported, and a class whose set-up failed, are results of their own.
 */
#include <stdio.h>
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/outcome.h"

enum { NAME = 512 };

struct unittest_state {
	char running[NAME]; /* the test whose status has not come yet */
	bool named, ended;  /* a test was named; the line "Ran 7 tests" came */
	size_t ran;
	char failing[NAME]; /* whose traceback is being read */
	bool is_load;       /* and that is no test, but what could not be loaded */
	char message[NAME];
	struct location location;
	struct outcome outcome;
};

static bool unittest_detect(const char *dir, const char *const *paths, size_t n,
	struct arena *arena, struct suite *suite)
{
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(paths[i], '/'), *name = slash ? slash + 1 : paths[i];
		if (!text_starts_with(name, "test") || !text_ends_with(name, ".py"))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (!text || !strstr(text, "TestCase"))
			continue;
		/* What is no package is not discovered from above. */
		const char *folder = arena_strndup(arena, paths[i], (size_t)(name - paths[i]));
		const char *package = arena_printf(arena, "%s__init__.py", folder);
		suite->command = "python3 -m unittest discover";
		if (*folder && !listing_has(paths, n, package))
			suite->command = arena_printf(arena, "python3 -m unittest discover -s %s",
				command_quote(folder, arena));
		suite->origin = paths[i];
		return true;
	}
	return false;
}

static bool is_unittest(const char *const *words, size_t n)
{
	size_t at = 0;
	const char *module = command_python_module(words, n, &at);
	return module && strcmp(module, "unittest") == 0;
}

static bool unittest_runs(const char *command)
{
	return command_line_any(command, is_unittest);
}

static const char *unittest_structured(const struct suite *suite, struct arena *arena)
{
	const char *at = strstr(suite->command, "-m unittest");
	if (!at)
		return suite->command;
	at += strlen("-m unittest");
	if (text_starts_with(at, " discover"))
		at += strlen(" discover");
	return arena_printf(arena, "%.*s -v%s", (int)(at - suite->command), suite->command, at);
}

/* The id of "test_a (pkg.Case.test_a)"; before Python 3.11 the brackets lack the name. Whether
 * there is one. */
static bool read_id(const char *text, char id[NAME], bool *ret_is_load)
{
	static const char failed[] = "unittest.loader._FailedTest";
	size_t name = strcspn(text, " ");
	const char *open = text + name, *close = strchr(open, ')');
	if (!name || name >= NAME || !text_starts_with(open, " (") || !close)
		return false;
	const char *inside = open + 2;
	size_t n = (size_t)(close - inside);
	if (!n || n >= NAME)
		return false;
	bool is_failed = text_starts_with(inside, failed);
	bool whole = n > name && inside[n - name - 1] == '.' &&
		     memcmp(inside + n - name, text, name) == 0;
	*ret_is_load = is_failed || text_starts_with(text, "setUp") ||
		       text_starts_with(text, "tearDown");
	char full[2 * NAME];
	if (is_failed)
		snprintf(full, sizeof full, "%.*s", (int)name, text);
	else if (whole)
		snprintf(full, sizeof full, "%.*s", (int)n, inside);
	else
		snprintf(full, sizeof full, "%.*s.%.*s", (int)n, inside, (int)name, text);
	text_copy(id, NAME, full);
	return true;
}

static bool status_of(const char *text, enum test_status *status)
{
	static const struct {
		const char *text;
		enum test_status status;
	} words[] = {
		{"ok", TEST_PASSED},
		{"FAIL", TEST_FAILED},
		{"ERROR", TEST_FAILED},
		{"expected failure", TEST_XFAILED},
		{"unexpected success", TEST_FAILED},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (text_ends_with(text, words[i].text)) {
			*status = words[i].status;
			return true;
		}
	*status = TEST_SKIPPED;
	return strstr(text, "skipped '") || strstr(text, "skipped \"");
}

static void add_failure(struct unittest_state *state, struct suite_reading *reading)
{
	if (!*state->failing)
		return;
	struct test_result *known = map_get(&reading->report->by_id, state->failing);
	if (!known || !test_status_is_red(known->status)) {
		test_report_add(reading->report, reading->arena,
			&(struct test_result){.id = state->failing,
				.status = state->is_load ? TEST_ERROR : TEST_FAILED});
		known = map_get(&reading->report->by_id, state->failing);
	}
	if (!known->message && *state->message) {
		known->message = arena_strdup(reading->arena, state->message);
		known->file = *state->location.file
				      ? arena_strdup(reading->arena, state->location.file)
				      : NULL;
		known->line = state->location.line;
	}
	*state->failing = '\0';
}

static void read_test_line(
	struct unittest_state *state, struct suite_reading *reading, const char *line)
{
	bool is_load = false;
	const char *dots = strstr(line, " ... ");
	if (read_id(line, state->running, &is_load))
		state->named = true;
	else if (!*state->running)
		return;
	enum test_status status;
	if ((!dots && !state->named) || !status_of(dots ? dots + 5 : line, &status))
		return;
	if (is_load)
		status = TEST_ERROR;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){
			.id = state->running,
			.status = status,
			.message = text_ends_with(line, "unexpected success") ? "unexpected success"
									      : NULL,
		});
	*state->running = '\0';
}

/* "FAIL: test_a (...)", then a rule and the traceback, whose last line at the margin says why. */
static void read_failure_line(
	struct unittest_state *state, struct suite_reading *reading, const char *line)
{
	const char *colon = strstr(line, ": ");
	size_t word = colon ? (size_t)(colon - line) : 0;
	char id[NAME];
	bool is_load;
	if (((word == 4 && text_starts_with(line, "FAIL")) ||
		    (word == 5 && text_starts_with(line, "ERROR"))) &&
		read_id(colon + 2, id, &is_load)) {
		add_failure(state, reading);
		memcpy(state->failing, id, sizeof id);
		state->is_load = is_load;
		state->message[0] = '\0';
		state->location = (struct location){0};
	} else if (text_starts_with(line, "  File ")) {
		location_find(&state->location, reading->dir, line);
	} else {
		size_t name = strcspn(line, ": ");
		bool is_reason = *line != ' ' && name && (line[name] == ':' || !line[name]) &&
				 !text_starts_with(line, "---") && !text_starts_with(line, "===");
		if (is_reason &&
			(!*state->message || strstr(line, "Error") || strstr(line, "Exception")))
			text_copy(state->message, sizeof state->message, line);
	}
}

static void unittest_read_line(struct suite_reading *reading, const char *line)
{
	struct unittest_state *state = reading->state;
	outcome_line(&state->outcome, reading->dir, line);
	if (text_starts_with(line, "Ran ") && sscanf(line, "Ran %zu test", &state->ran) == 1) {
		add_failure(state, reading);
		state->ended = true;
	} else if (text_starts_with(line, "FAIL: ") || text_starts_with(line, "ERROR: ") ||
		   *state->failing) {
		read_failure_line(state, reading, line);
	} else {
		read_test_line(state, reading, line);
	}
}

static void unittest_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct unittest_state *state = reading->state;
	struct test_report *report = reading->report;
	char described[64];
	add_failure(state, reading);
	if (outcome_not_started(&state->outcome, reading, result))
		return;
	if (!state->ended)
		report->problem = arena_printf(reading->arena,
			"unittest ended before its summary (%s): %s",
			process_describe(result, described, sizeof described),
			state->outcome.message);
	else if (!report->n)
		report->problem = state->ran ? "unittest named no tests: run it with -v"
					     : "unittest found no tests";
	report->complete = !report->problem;
}

const struct suite_type unittest_suite = {
	.name = "unittest",
	.summary = "python -m unittest",
	.state_size = sizeof(struct unittest_state),
	.detect = unittest_detect,
	.runs = unittest_runs,
	.env = (const char *const[]){"PYTHONDONTWRITEBYTECODE=1", NULL},
	.structured = unittest_structured,
	.read_line = unittest_read_line,
	.finish = unittest_finish,
	.tools = (const char *const[]){"python3", "python", NULL},
	.tests = (const char *const[]){"test_*.py", "*_test.py", "test.py", "tests.py", NULL},
	.configuration = (const char *const[]){"setup.cfg", "pyproject.toml", "tox.ini", NULL},
};
