/*
 * The JUnit file that pytest writes beside its lines. It has durations, and says the same as the
 * lines: what differs was not printed by pytest. As in lines, the worse of two results counts. Only
 * the file tells that a whole file was skipped, or subtests in a test that passed or failed.
 */
#include "verify/suite/formats/pytest.h"

#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/formats/junit.h"

static void pytest_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	struct pytest_reading *state = reading->state;
	struct test_result result = junit_result(reading, test);
	result.n_skipped = test->n_skipped;
	test_report_add(&state->in_file, reading->arena, &result);
}

void pytest_read_report(struct suite_reading *reading, int fd)
{
	struct pytest_reading *state = reading->state;
	const char *damage = junit_read(reading, fd, "pytest's JUnit report", pytest_take_case);
	state->damage = state->damage ? state->damage : damage;
}

/* If lines are too quiet to name what passed, the file does. Lines say better why a test failed. */
static void pytest_take_over(struct suite_reading *reading)
{
	struct pytest_reading *state = reading->state;
	struct test_report *report = reading->report;
	struct map lines = report->by_id;
	report->results = NULL;
	report->n = 0;
	report->by_id = (struct map){0};
	memset(report->count, 0, sizeof report->count);
	for (size_t i = 0; i < state->in_file.n; i++) {
		struct test_result result = *state->in_file.results[i];
		const struct test_result *line = map_get(&lines, result.id);
		if (line && line->message)
			result.message = line->message;
		if (line && line->file) {
			result.file = line->file;
			result.line = line->line;
		}
		test_report_add(report, reading->arena, &result);
	}
	state->named = true;
}

static bool pytest_is_same(enum test_status line, enum test_status in_file)
{
	bool skipped_some = line == TEST_PASSED && in_file == TEST_SKIPPED;
	return line == in_file || skipped_some ||
		(test_status_is_red(line) && test_status_is_red(in_file));
}

static void pytest_complete_line(struct test_result *line, const struct test_result *in_file)
{
	line->duration_ms = in_file->duration_ms;
	line->n_skipped = line->status == TEST_SKIPPED ? 0 : in_file->n_skipped;
}

/* The dots of a class name, of which the module ends at one or at its end: a path and classes. */
static void pytest_add_dotted(
	struct strbuf *sb, const char *class, const char *module_end, const char *end)
{
	for (const char *at = class; at < end; at++)
		if (*at == '.')
			strbuf_adds(sb, at < module_end ? "/" : at == module_end ? ".py::" : "::");
		else
			strbuf_addc(sb, *at);
	if (module_end == end)
		strbuf_adds(sb, ".py");
}

/* A module may have a test of another file, inherited or imported. The case names that file, and
 * its class name says where it runs, as lines do: "a.py::tests.test_b.Bees::test" is
 * "tests/test_b.py::Bees::test". Which dot ends the module is not said. */
static struct test_result *pytest_line_elsewhere(const struct test_report *lines, const char *id)
{
	const char *class = strstr(id, "::"), *name = class ? strstr(class + 2, "::") : NULL;
	struct test_result *line = NULL;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (!name)
		return NULL;
	class += 2;
	for (const char *end = class; end < name && !line; end++) {
		end += strcspn(end, ".:");
		strbuf_reset(&text);
		pytest_add_dotted(&text, class, end, name);
		strbuf_adds(&text, name);
		line = map_get(&lines->by_id, text.text);
	}
	return line;
}

const char *pytest_compare_reports(struct suite_reading *reading)
{
	struct pytest_reading *state = reading->state;
	const struct test_report *lines = reading->report, *in_file = &state->in_file;
	if (!in_file->n || state->damage)
		return state->damage;
	if (!state->named && in_file->n > lines->n)
		pytest_take_over(reading);
	for (size_t i = 0; i < in_file->n; i++) {
		const struct test_result *result = in_file->results[i];
		struct test_result *line = map_get(&lines->by_id, result->id);
		line = line ? line : pytest_line_elsewhere(lines, result->id);
		if (!line && result->status == TEST_SKIPPED)
			test_report_add(reading->report, reading->arena, result);
		else if (line && !pytest_is_same(line->status, result->status))
			return arena_printf(reading->arena,
				"the runner's two reports disagree: '%s' is %s in its output, %s in its JUnit file",
				line->id, test_status_name(line->status), test_status_name(result->status));
		else if (line)
			pytest_complete_line(line, result);
	}
	if (lines->n == in_file->n)
		return NULL;
	return arena_printf(reading->arena,
		"the runner's two reports disagree: %zu results in its output, %zu in its JUnit file",
		lines->n, in_file->n);
}
