/*
 * What mocha's spec reporter prints, and the file of its json reporter, or one in that layout:
 *
 *	  sum
 *	    1) adds
 *	    nested
 *	      ✔ doubles (5ms)
 *	      - is not ready
 *
 *	  1 passing (6ms)
 *	  1 pending
 *	  1 failing
 *
 *	  1) sum
 *	       adds:
 *	     Error: ...
 *	      at Context.<anonymous> (test/sum.js:6:12)
 *
 * The lines do not name the file. A failed hook, '"before each" hook for "adds"', counts as the
 * test that it was for.
 */
#include <stdio.h>
#include <string.h>

#include "verify/suite/suite_javascript.h"

#define PASSING "  # passing (*"
#define NUMBERED "#) *" /* "1) adds" */

enum { RESULTS, COUNTS, FAILURES };

/* --- The file --- */

/* The test that a hook was for: what is in the last quotes of its title. NULL: it is no hook. */
static const char *mocha_test_of_hook(const char *title, struct arena *arena)
{
	const char *name = *title == '"' ? strstr(title, "\" hook") : NULL;
	const char *test = name ? strstr(name, " for \"") : NULL;
	if (!name)
		return NULL;
	if (!test)
		return title;
	test += strlen(" for \"");
	size_t n = strlen(test);
	return arena_strndup(arena, test, n - (n && test[n - 1] == '"'));
}

/* "FILE > groups > title": the groups are what the full title has before the title. */
static void mocha_set_id(
	struct strbuf *id, struct suite_reading *reading, const struct json *test, const char *title)
{
	const char *full = json_string(test, "fullTitle", ""), *own = json_string(test, "title", "");
	size_t groups = strlen(full) - (text_ends_with(full, own) ? strlen(own) : 0);
	while (groups && full[groups - 1] == ' ')
		groups--;
	js_id_begin(id, reading->dir, json_string(test, "file", ""));
	if (groups)
		js_id_add(id, arena_strndup(reading->arena, full, groups));
	js_id_add(id, title);
}

static const char *mocha_error_of(const struct json *test)
{
	const struct json *error = json_get(test, "err");
	return json_string(error, "stack", json_string(error, "message", NULL));
}

/* How often each test is in the list of those not run. */
static void mocha_count_pending(
	struct suite_reading *reading, const struct json *report, struct map *pending)
{
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	for (const struct json *test = json_first(json_get(report, "pending")); test;
		 test = json_next(test)) {
		mocha_set_id(&id, reading, test, json_string(test, "title", ""));
		size_t *n = map_get(pending, id.text);
		if (!n)
			map_put(pending, reading->arena, arena_strdup(reading->arena, id.text),
				n = arena_alloc(reading->arena, sizeof *n));
		++*n;
	}
}

static void mocha_read_tests(struct suite_reading *reading, const struct json *report)
{
	struct map pending = {0};
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	mocha_count_pending(reading, report, &pending);
	for (const struct json *test = json_first(json_get(report, "tests")); test;
		 test = json_next(test)) {
		mocha_set_id(&id, reading, test, json_string(test, "title", ""));
		size_t *skipped = map_get(&pending, id.text);
		const char *error = mocha_error_of(test);
		enum test_status status = error ? TEST_FAILED : TEST_PASSED;
		if (!error && skipped && *skipped) {
			status = TEST_SKIPPED;
			--*skipped;
		}
		js_add(reading,
			&(struct js_result){.id = id.text,
				.status = status,
				.error = error,
				.path = json_string(test, "file", ""),
				.duration_ms = json_int(test, "duration", 0)});
	}
}

/* Hooks are no tests: their failure is an error of the test that they were for. */
static void mocha_read_hooks(struct suite_reading *reading, const struct json *report)
{
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	for (const struct json *failure = json_first(json_get(report, "failures")); failure;
		 failure = json_next(failure)) {
		const char *test = mocha_test_of_hook(json_string(failure, "title", ""), reading->arena);
		if (!test)
			continue;
		mocha_set_id(&id, reading, failure, test);
		js_worsen(reading,
			&(struct js_result){.id = id.text,
				.status = TEST_ERROR,
				.error = mocha_error_of(failure),
				.path = json_string(failure, "file", "")});
	}
}

static void mocha_read_report(struct suite_reading *reading, int fd)
{
	AUTO_JSON *report = js_report(reading, fd);
	mocha_read_tests(reading, report);
	mocha_read_hooks(reading, report);
}

/* --- The lines --- */

static const char *mocha_after_mark(const char *text, enum test_status *ret_status)
{
	const char *failed = line_match(text, NUMBERED, NULL);
	bool passed = text_starts_with(text, "✔ ") || text_starts_with(text, "✓ ");
	if (!failed && !passed && !text_starts_with(text, "- "))
		return NULL;
	*ret_status = failed ? TEST_FAILED : passed ? TEST_PASSED : TEST_SKIPPED;
	return failed ? failed : strchr(text, ' ') + 1;
}

/* A group or a test, two columns for each level. */
static void mocha_read_result(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	size_t indent = strspn(line, " ");
	int level = (int)(indent / 2) - 1;
	enum test_status status = TEST_PASSED;
	const char *title = mocha_after_mark(line + indent, &status);
	if (indent < 2 || indent % 2 || !line[indent])
		return;
	if (!title) {
		js_open_group(state, level, line + indent);
		return;
	}
	struct test_result *result = js_add_test(reading, level, title, status);
	if (status == TEST_FAILED)
		ARENA_PUSH(reading->arena, state->failures, state->n_failures, result);
}

/* " 2) sum" begins the second failure; its further titles follow, up to one that ends in a colon.
 * */
static void mocha_read_failure(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	size_t number;
	const char *title = line_match(line, "  " NUMBERED, &number);
	if (!title) {
		if (state->titled)
			js_explain_line(reading, line);
		state->titled |= text_ends_with(line, ":");
		return;
	}
	js_explain(reading, number && number <= state->n_failures ? state->failures[number - 1] : NULL);
	state->titled = text_ends_with(line, ":");
}

static void mocha_read_line(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	if (!state->lines.n)
		outcome_line(&state->outcome, reading->dir, line);
	size_t n;
	if (line_match(line, PASSING, &n)) {
		state->printed.summaries++;
		state->printed.passed += n;
		state->depth = 0;
		state->stage = COUNTS;
	} else if (state->stage == COUNTS && line_match(line, "*# failing", &n)) {
		state->printed.failed += n;
		state->stage = FAILURES;
	} else if (state->stage == COUNTS && !text_ends_with(line, " pending")) {
		state->stage = RESULTS;
	} else if (state->stage == FAILURES) {
		mocha_read_failure(reading, line);
	} else if (state->stage == RESULTS) {
		mocha_read_result(reading, line);
	}
}

const struct format mocha_format = {
	.name = "mocha",
	.summary = "mocha: its JSON file, else what its spec reporter prints",
	.state_size = sizeof(struct js_reading),
	.signs = (const char *const[]){PASSING, NULL},
	.report_signs = (const char *const[]){"begun: mocha\n", "{\"stats\":*", "{ \"stats\":*",
		"{\n\"stats\":*", "{\n  \"stats\":*", "{\n    \"stats\":*", "{\n\t\"stats\":*", NULL},
	.read_line = mocha_read_line,
	.read_report = mocha_read_report,
	.finish = js_finish,
};
