/*
 * node's spec reporter, for commands that ask for it; else node is asked for TAP (tap.c). Groups
 * are results, as in TAP. Newer versions of node explain failures only after the summary:
 *
 *	▶ sum
 *	  ✖ adds (1.6ms)
 *	    AssertionError [ERR_ASSERTION]: ...
 *	        at TestContext.<anonymous> (/work/sum.test.js:7:12)
 *
 *	✖ sum (3.3ms)
 *	﹣ skips (0.15ms) # SKIP
 *	ℹ tests 2
 *	ℹ fail 1
 *
 *	✖ failing tests:
 *
 *	test at sum.test.js:6:3
 *	✖ adds (1.6ms)
 *	  AssertionError [ERR_ASSERTION]: ...
 */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/suite_javascript.h"

#define TESTS "ℹ tests #"

enum { RESULTS, COUNTS, FAILURES };
enum { FARTHEST = 10000 };

static const char *node_after_mark(const char *text, enum test_status *ret_status)
{
	static const struct status_word marks[] = {
		{"✔ ", TEST_PASSED}, {"✖ ", TEST_FAILED}, {"﹣ ", TEST_SKIPPED}, {"⚠ ", TEST_XFAILED}};
	return status_word_skip(marks, ARRAY_SIZE(marks), text, ret_status);
}

/* The reason after "(1.6ms)" for a skip or a todo; NULL: there is none. */
static char *node_find_reason(char *title)
{
	char *reason = NULL;
	for (char *at = strstr(title, "ms) # "); at; at = strstr(at + 1, "ms) # "))
		reason = at + strlen("ms)");
	return reason;
}

/* Cut "(1.6ms) # SKIP" off a title; gives its milliseconds. */
static int64_t node_cut_end(char *title, enum test_status *status)
{
	char *todo = strstr(title, " # TODO"), *skip = strstr(title, " # SKIP"),
		 *reason = node_find_reason(title);
	if (skip)
		*status = TEST_SKIPPED;
	else if ((todo || reason) && *status == TEST_FAILED)
		*status = TEST_XFAILED;
	if (todo || skip || reason)
		*(todo ? todo : skip ? skip : reason) = '\0';
	return js_cut_duration(title);
}

/* A file that fails is one that could not be run. */
static enum test_status node_status_of(const char *title, int level, enum test_status status)
{
	bool is_file = level == 0 && is_script_path(title, strlen(title));
	return is_file && status == TEST_FAILED ? TEST_ERROR : status;
}

static bool node_read_result(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	size_t indent = strspn(line, " ");
	int level = (int)(indent / 2);
	enum test_status status;
	bool opens = text_starts_with(line + indent, "▶ ");
	const char *title =
		opens ? line + indent + strlen("▶ ") : node_after_mark(line + indent, &status);
	if (indent % 2 || !title || level > state->depth)
		return false;
	char name[JS_NAME];
	text_copy(name, sizeof name, title);
	if (opens) {
		/* Node 18 also ends a group so, "▶ sum (3.3ms)". */
		bool ends = js_cut_duration(name) && level < state->depth &&
			strcmp(name, state->titles[level]) == 0;
		if (!ends)
			js_open_group(state, level, title);
		return true;
	}
	int64_t ms = node_cut_end(name, &status);
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	js_add_groups(state, &id, level);
	if (level == 0 && is_script_path(name, strlen(name)))
		js_id_begin(&id, reading->dir, name);
	else
		js_id_add(&id, name);
	state->depth = level < state->depth ? level : state->depth;
	js_explain(reading, js_add_line(reading, id.text, node_status_of(name, level, status), ms));
	return true;
}

/* The next failure with that last title: they are repeated in their order. */
static struct test_result *node_failure_of(struct suite_reading *reading, const char *title)
{
	struct js_reading *state = reading->state;
	for (size_t i = state->explained, scanned = 0; i < state->lines.n && scanned < FARTHEST;
		 i++, scanned++) {
		struct test_result *result = state->lines.results[i];
		if (!test_status_is_red(result->status) || !text_ends_with(result->id, title))
			continue;
		state->explained = i + 1;
		return result;
	}
	return NULL;
}

static void node_read_failure(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	enum test_status status;
	const char *title = node_after_mark(line, &status);
	struct location place = {0};
	if (title) {
		char name[JS_NAME];
		text_copy(name, sizeof name, title);
		node_cut_end(name, &status);
		place = state->block.location;
		js_explain(reading, node_failure_of(reading, name));
		state->block.location = place;
	} else if (text_starts_with(line, "test at ")) {
		js_explain(reading, NULL);
		location_find(&state->block.location, reading->dir, line + strlen("test at "));
	} else {
		js_explain_line(reading, line);
	}
}

static void node_read_line(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	size_t n = 0;
	if (!state->lines.n)
		outcome_line(&state->outcome, reading->dir, line);
	if (line_match(line, TESTS, &n)) {
		js_explain(reading, NULL);
		state->printed.summaries++;
		state->printed.passed += n;
		state->stage = COUNTS;
		state->nothing = state->printed.passed == 0;
	} else if (text_starts_with(line, "✖ failing tests:")) {
		state->stage = FAILURES;
	} else if (state->stage == FAILURES) {
		node_read_failure(reading, line);
	} else if (!node_read_result(reading, line)) {
		js_explain_line(reading, line);
	} else {
		state->stage = RESULTS;
	}
}

static const char *node_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct js_reading *state = reading->state;
	if (state->printed.summaries && state->lines.n < state->printed.passed)
		utf8_format(state->problem, sizeof state->problem,
			"the summary counts %zu tests, but %zu are named", state->printed.passed,
			state->lines.n);
	return js_finish(reading, result);
}

const struct format node_format = {
	.name = "node",
	.summary = "node --test: what its spec reporter prints",
	.state_size = sizeof(struct js_reading),
	.signs = (const char *const[]){TESTS, NULL},
	.read_line = node_read_line,
	.finish = node_finish,
};
