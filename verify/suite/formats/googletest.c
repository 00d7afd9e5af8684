/*
 * googletest: its lines, and the JSON that GTEST_OUTPUT makes each program write. In lines a result
 * counts where it names the running test:
 *
 *	[ RUN      ] Inst/P.Is/0
 *	t.cc:10: Failure
 *	Expected equality of these values:
 *	[  FAILED  ] Inst/P.Is/0, where GetParam() = 3 (0 ms)
 *
 * A program that crashes writes no JSON. The test that it ran is an error; those after it were not
 * run. If no program crashed, lines and JSON must agree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "verify/suite/format.h"
#include "verify/suite/ids.h"

enum { NAME = 1024 };

struct googletest_state {
	char running[NAME], message[NAME];
	bool is_running, in_failure;
	struct location location;
	size_t begun, ended; /* programs, by their first and their last line */
	size_t crashed;      /* those that ended within a test */
	size_t lines[TEST_STATUSES], in_json[TEST_STATUSES]; /* results */
	struct map seen, seen_in_json;
	size_t n_reports;
	const char *disagreement;
};

/* --- Lines --- */

static const char *const googletest_beginnings[] = {
	"[==========] Running # tests from #*", "[==========] Running # test from #*", NULL};

static void googletest_add_test(
	struct suite_reading *reading, enum test_status status, long duration_ms)
{
	struct googletest_state *state = reading->state;
	state->is_running = state->in_failure = false;
	state->lines[status]++;
	reading_add(reading, id_numbered(&state->seen, state->running, reading->arena), status,
		state->message, &state->location, duration_ms);
}

static void googletest_begin_test(struct googletest_state *state, const char *name)
{
	text_copy(state->running, sizeof state->running, name);
	state->is_running = true;
	state->in_failure = false;
	state->message[0] = '\0';
	state->location = (struct location){0};
}

/* The result of the running test, perhaps after what it printed without a newline. */
static bool googletest_read_result(struct suite_reading *reading, const char *line)
{
	static const struct status_word marks[] = {{"[       OK ] ", TEST_PASSED},
		{"[  FAILED  ] ", TEST_FAILED}, {"[  SKIPPED ] ", TEST_SKIPPED}};
	struct googletest_state *state = reading->state;
	const char *time =
		state->is_running && text_ends_with(line, " ms)") ? strrchr(line, '(') : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(marks) && time; i++) {
		const char *at = strstr(line, marks[i].text);
		const char *name = at ? at + strlen(marks[i].text) : "";
		size_t n = strlen(state->running);
		if (!text_starts_with(name, state->running) ||
			(name + n + 1 != time && !text_starts_with(name + n, ", where ")))
			continue;
		googletest_add_test(reading, marks[i].status, strtol(time + 1, NULL, 10));
		return true;
	}
	return false;
}

/* "t.cc:10: Failure", "t.cc:5: Skipped", and the lines below it. */
static void googletest_read_failure(struct suite_reading *reading, const char *line)
{
	struct googletest_state *state = reading->state;
	if (text_ends_with(line, ": Failure") || text_ends_with(line, ": Skipped")) {
		state->in_failure = !*state->message;
		if (!*state->location.file)
			location_find(&state->location, reading->dir, line);
		return;
	}
	line += strspn(line, " ");
	if (state->in_failure && *line && strcmp(line, "Failed") != 0)
		text_append(state->message, sizeof state->message, " ", line);
}

/* A test that does not end ends its program. */
static void googletest_end_program(struct suite_reading *reading, const char *how)
{
	struct googletest_state *state = reading->state;
	if (!state->is_running)
		return;
	if (!*state->message)
		text_copy(state->message, sizeof state->message, how);
	googletest_add_test(reading, TEST_ERROR, 0);
	state->crashed++;
}

/* "[  FAILED  ] Case: SetUpTestSuite or TearDownTestSuite" */
static void googletest_read_suite_failure(struct suite_reading *reading, const char *line)
{
	static const char mark[] = "[  FAILED  ] ", what[] = ": SetUpTestSuite or TearDownTestSuite";
	if (!text_starts_with(line, mark) || !text_ends_with(line, what))
		return;
	const char *id = arena_strndup(
		reading->arena, line + strlen(mark), strlen(line) - strlen(mark) - strlen(what));
	reading_add(reading, id, TEST_ERROR, what + 2, NULL, 0);
}

static void googletest_read_line(struct suite_reading *reading, const char *line)
{
	struct googletest_state *state = reading->state;
	if (line_matches_any(line, googletest_beginnings)) {
		googletest_end_program(reading, "its program ended within it");
		state->begun++;
	} else if (line_match(line, "[==========] * ran. (* ms total)", NULL)) {
		state->ended++;
	} else if (text_starts_with(line, "[ RUN      ] ")) {
		googletest_begin_test(state, line + strlen("[ RUN      ] "));
	} else if (state->is_running && !googletest_read_result(reading, line)) {
		googletest_read_failure(reading, line);
	} else {
		googletest_read_suite_failure(reading, line);
	}
}

/* --- JSON --- */

/* The place and the words of "t.cc:4\nExpected ...". */
static void googletest_read_json_failure(struct suite_reading *reading, const char *text,
	struct location *location, struct strbuf *message)
{
	const char *newline = strchr(text, '\n');
	size_t n = strcspn(text, "\n");
	location_find(location, reading->dir, arena_printf(reading->arena, "%.*s:", (int)n, text));
	for (const char *at = newline ? newline + 1 : text; *at; at += strcspn(at, "\n")) {
		at += strspn(at, " \n");
		n = strcspn(at, "\n");
		if (n && message->length + n < NAME)
			strbuf_addf(message, "%s%.*s", message->length ? " " : "", (int)n, at);
	}
}

/* A test of the JSON: it adds what the lines lack. */
static void googletest_read_json_test(
	struct suite_reading *reading, const char *suite, const struct json *test)
{
	struct googletest_state *state = reading->state;
	if (strcmp(json_string(test, "status", ""), "RUN") != 0)
		return;
	const struct json *failure = json_first(json_get(test, "failures"));
	bool skipped = strcmp(json_string(test, "result", ""), "SKIPPED") == 0;
	const char *name = arena_printf(reading->arena, "%s.%s", suite, json_string(test, "name", ""));
	enum test_status status = failure ? TEST_FAILED : skipped ? TEST_SKIPPED : TEST_PASSED;
	const char *id = id_numbered(&state->seen_in_json, name, reading->arena);
	double seconds = strtod(json_string(test, "time", "0"), NULL);
	struct location location = {0};
	AUTO_STRBUF message = STRBUF_INIT(NAME);
	state->in_json[status]++;
	if (failure)
		googletest_read_json_failure(
			reading, json_string(failure, "failure", ""), &location, &message);
	const struct test_result *line = test_report_find(reading->report, id);
	const size_t *times = map_get(&state->seen, name);
	/* If a name is repeated, the order of the files need not be that of the lines. */
	if (line && times && *times == 1 && line->status != status && !state->disagreement)
		state->disagreement = arena_printf(reading->arena,
			"the runner's two reports disagree: '%s' is %s in its output, %s in its JSON", id,
			test_status_name(line->status), test_status_name(status));
	if (!line)
		reading_add(reading, id, status, message.text, &location, clock_ms_of(seconds));
}

static void googletest_read_report(struct suite_reading *reading, int fd)
{
	struct googletest_state *state = reading->state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	struct rondo_error err;
	AUTO_JSON *json = descriptor_read(fd, &text) ? json_parse(text.text, text.length, &err) : NULL;
	if (!json) {
		state->disagreement = "a JSON report of googletest is cut off or damaged";
		return;
	}
	state->n_reports++;
	for (const struct json *suite = json_first(json_get(json, "testsuites")); suite;
		 suite = json_next(suite))
		for (const struct json *test = json_first(json_get(suite, "testsuite")); test;
			 test = json_next(test))
			googletest_read_json_test(reading, json_string(suite, "name", ""), test);
}

/* --- The end --- */

/* If every program ended and wrote its JSON, both have the same numbers. With --gtest_brief, lines
 * name only what failed. */
static const char *googletest_compare_reports(const struct suite_reading *reading)
{
	const struct googletest_state *state = reading->state;
	bool comparable = state->n_reports && state->n_reports == state->ended && !state->crashed &&
		state->lines[TEST_PASSED];
	for (size_t i = 0; i < TEST_STATUSES && comparable; i++)
		if (state->lines[i] != state->in_json[i])
			return arena_printf(reading->arena,
				"the runner's two reports disagree: %zu tests %s in its output, %zu in its JSON",
				state->lines[i], test_status_name((enum test_status)i), state->in_json[i]);
	return NULL;
}

static const char *googletest_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	struct googletest_state *state = reading->state;
	char described[64];
	const char *end = process_describe(result, described, sizeof described);
	googletest_end_program(reading, end);
	if (state->disagreement)
		return state->disagreement;
	if (state->begun > state->ended + state->crashed)
		return arena_printf(reading->arena, "googletest ended before its summary (%s)", end);
	const char *problem = googletest_compare_reports(reading);
	return problem || reading->report->n ? problem : "no tests were run";
}

const struct format googletest_format = {
	.name = "googletest",
	.summary = "googletest's lines, and the JSON that its programs write",
	.state_size = sizeof(struct googletest_state),
	.signs = googletest_beginnings,
	.report_signs = (const char *const[]){"{*\"name\": \"AllTests\"*\"testsuites\": [*", NULL},
	.read_line = googletest_read_line,
	.read_report = googletest_read_report,
	.finish = googletest_finish,
};
