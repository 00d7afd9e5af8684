/*
 * RSpec's JSON file:
 *
 *	{"examples": [{"id": "./spec/a_spec.rb[1:1]", "full_description": "shapes has an area",
 *	"status": "failed", "exception": {"class": "X", "message": "...", "backtrace": [...]}}],
 *	"messages": ["An error occurred while loading ./spec/b_spec.rb. ..."],
 *	"summary": {"example_count": 6, "errors_outside_of_examples_count": 0}}
 *
 * An id is "spec/a_spec.rb[1:1] shapes has an area".
 */
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/outcome.h"

struct rspec {
	bool has_file;
	const char *problem;
	struct outcome outcome; /* of what was printed */
};

static enum test_status rspec_status_of(const char *status)
{
	if (strcmp(status, "passed") == 0)
		return TEST_PASSED;
	return strcmp(status, "failed") == 0 ? TEST_FAILED : TEST_SKIPPED;
}

/* The first lines that say something, as one: "expected: 6 got: 5". */
static const char *rspec_message_of(const char *text, struct arena *arena)
{
	AUTO_STRBUF message = STRBUF_INIT(STRBUF_LINE);
	for (int lines = 0; *text && lines < 2; text += *text == '\n') {
		size_t n = strcspn(text, "\n"), blank = strspn(text, " \t");
		if (blank < n) {
			strbuf_addf(&message, "%s%.*s", lines ? " " : "", (int)(n - blank), text + blank);
			lines++;
		}
		text += n;
	}
	return arena_strdup(arena, message.text);
}

static void rspec_add_example(struct suite_reading *reading, const struct json *example)
{
	struct arena *arena = reading->arena;
	struct location location = {.file = ""};
	const struct json *exception = json_get(example, "exception");
	const struct json *frame = json_first(json_get(exception, "backtrace"));
	const char *id = json_string(example, "id", ""), *class = json_string(exception, "class", "");
	const char *message = rspec_message_of(json_string(exception, "message", ""), arena);
	while (frame && !location_find(&location, reading->dir, json_text(frame, "")))
		frame = json_next(frame);
	if (*class && !text_starts_with(class, "RSpec::Expectations::"))
		message = arena_printf(arena, "%s: %s", class, message);
	reading_add(reading,
		arena_printf(arena, "%s %s", id + (text_starts_with(id, "./") ? 2 : 0),
			json_string(example, "full_description", "")),
		rspec_status_of(json_string(example, "status", "")), message, &location,
		clock_ms_of(json_number(example, "run_time", 0)));
}

/* A file that could not be loaded; or a message for people. */
static void rspec_add_message(struct suite_reading *reading, const char *text)
{
	static const char start[] = "An error occurred while loading ";
	const char *at = strstr(text, start);
	struct outcome outcome = {0};
	if (!at)
		return;
	at += strlen(start);
	at += text_starts_with(at, "./") ? 2 : 0;
	size_t n = strcspn(at, " \n");
	n -= n && at[n - 1] == '.';
	const char *id = arena_strndup(reading->arena, at, n);
	struct location location = {.file = ""};
	for (at = strchr(at, '\n'); at; at = strchr(at, '\n')) {
		const char *line = arena_strndup(reading->arena, at + 1, strcspn(at + 1, "\n"));
		if (!text_starts_with(line, "# ")) /* of the traceback */
			outcome_line(&outcome, reading->dir, line);
		if (!*location.file)
			location_find(&location, reading->dir, line);
		at++;
	}
	reading_add(reading, id, TEST_ERROR, outcome.message, &location, 0);
}

static void rspec_read_report(struct suite_reading *reading, int fd)
{
	struct rspec *rspec = reading->state;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	rspec->has_file = true;
	AUTO_JSON *report =
		descriptor_read(fd, &text) ? json_parse(text.text, text.length, &err) : NULL;
	const struct json *examples = json_get(report, "examples");
	if (!json_is_array(examples)) {
		rspec->problem = "RSpec's report is damaged";
		return;
	}
	for (const struct json *one = json_first(examples); one; one = json_next(one))
		rspec_add_example(reading, one);
	for (const struct json *one = json_first(json_get(report, "messages")); one;
		 one = json_next(one))
		rspec_add_message(reading, json_text(one, ""));
	int64_t count = json_int(json_get(report, "summary"), "example_count", -1);
	if (count != (int64_t)json_count(examples))
		rspec->problem = "RSpec's report counts other tests than it lists";
}

static void rspec_read_line(struct suite_reading *reading, const char *line)
{
	struct rspec *rspec = reading->state;
	outcome_line(&rspec->outcome, reading->dir, line);
}

static const char *rspec_finish(struct suite_reading *reading, const struct process_result *result)
{
	const struct rspec *rspec = reading->state;
	if (!rspec->has_file)
		return "rspec ended before it had written its report";
	if (rspec->problem)
		return rspec->problem;
	return result->exit_code && !test_report_red(reading->report)
		? outcome_finish(&rspec->outcome, reading, suite_shown(reading->suite), result)
		: NULL;
}

const struct format rspec_format = {
	.name = "rspec",
	.summary = "rspec: its JSON file",
	.state_size = sizeof(struct rspec),
	.report_signs = (const char *const[]){"{\"version\":*\"examples\":*",
		"{\"version\":*\"messages\":*", NULL},
	.read_line = rspec_read_line,
	.read_report = rspec_read_report,
	.finish = rspec_finish,
};
