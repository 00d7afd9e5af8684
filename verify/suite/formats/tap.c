/*
 * The Test Anything Protocol, 12 to 14, with nested subtests and YAML diagnostics, as node, npm,
 * make, cmocka and Check print it. An id is a test's name after the names of its subtests, "suite >
 * adds"; a repeated name gets a number, "adds (2)". Several streams may follow each other.
 */
#include "verify/suite/formats/tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

/* Where no TAP came, the exit code and what was printed decide. */
struct tap_state {
	struct tap tap;
	struct outcome outcome;
};

static void tap_close_test(struct tap *tap, struct suite_reading *reading)
{
	struct tap_test *test = &tap->test;
	if (!test->open)
		return;
	test->open = false;
	if (test->status == TEST_FAILED && test->is_file) {
		test->status = TEST_ERROR;
		if (*tap->complaint)
			text_copy(test->message, sizeof test->message, tap->complaint);
		if (*tap->place.file)
			test->frame = tap->place;
	}
	const char *id = id_numbered(&tap->repeats, test->id, reading->arena);
	reading_add(reading, id, test->status, test->message,
		*test->frame.file ? &test->frame : &test->location, test->duration_ms);
	if (test->number == (long)tap->n_placed + 1)
		ARENA_PUSH(reading->arena, tap->placed, tap->n_placed, id);
	if (!*tap->file)
		tap_forget_complaint(tap);
}

/* A stream is over: it must have kept its plan. */
static void tap_close_stream(struct tap *tap, struct suite_reading *reading)
{
	tap_place(tap, reading);
	if (!*tap->problem && !tap->planned && tap->counted)
		text_copy(tap->problem, sizeof tap->problem, "the TAP output ends before its plan");
	else if (!*tap->problem && tap->planned && tap->plan != tap->counted)
		snprintf(tap->problem, sizeof tap->problem, "the TAP plan is %zu tests, but %zu were run",
			tap->plan, tap->counted);
	tap_reset_stream(tap);
}

/* --- Lines --- */

static void tap_unescape(char *text)
{
	char *to = text;
	for (; *text; text++) {
		if (*text == '\\' && (text[1] == '#' || text[1] == '\\'))
			text++;
		*to++ = *text;
	}
	*to = '\0';
}

/* Cut the directive off a description; gives it, or "". */
static const char *tap_cut_directive(char *text)
{
	for (char *at = text; *at; at++) {
		if (*at == '\\' && at[1]) {
			at++;
		} else if (at[0] == '#' && (at == text || isspace((unsigned char)at[-1]))) {
			char *end = at;
			while (end > text && isspace((unsigned char)end[-1]))
				end--;
			*end = '\0';
			return at + 1 + strspn(at + 1, " \t");
		}
	}
	return "";
}

/* The reason after a directive's word: "SKIP not today", "# skipped: not today". */
static const char *tap_after_word(const char *directive)
{
	directive += strspn(directive, LETTERS);
	return directive + strspn(directive, ": \t");
}

static enum test_status tap_status_of(bool ok, const char *directive)
{
	if (strncasecmp(directive, "skip", 4) == 0)
		return TEST_SKIPPED;
	if (strncasecmp(directive, "todo", 4) == 0 && !ok)
		return TEST_XFAILED;
	return ok ? TEST_PASSED : TEST_FAILED;
}

/* Tests one level below are within this. */
static void tap_name_subtest(struct tap *tap, int level, const char *name)
{
	if (level >= TAP_DEPTH || level > tap->depth)
		return;
	text_copy(tap->names[level], TAP_NAME, name);
	tap->depth = level + 1;
}

/* The names of the subtests around, then the test's own. */
static void tap_set_id(struct tap *tap, const char *dir, int level, const char *name)
{
	char *id = tap->test.id;
	size_t n = strlen(name);
	text_copy(id, TAP_NAME, tap->file);
	for (int i = 0; i < level && i < tap->depth; i++)
		text_append(id, TAP_NAME, " > ", tap->names[i]);
	text_append(id, TAP_NAME, " > ", location_relative(dir, name, &n));
}

/* What a description has besides a name: cmocka puts the name of a skipped test after the
 * directive, and says in the name that a set-up failed; Check prints "file.c:case:test: Passed", or
 * why not. */
static void tap_read_dialect(struct tap_test *test, char *name, const char *directive)
{
	static const char not_run[] = " Could not run test: ";
	char *at = strstr(name, not_run);
	char *word = strchr(name, ':'), *colon = word ? strchr(word + 1, ':') : NULL;
	char *end = colon ? strstr(colon + 1, ": ") : NULL;
	bool is_check = end && word > name + 2 && memchr(name, '.', (size_t)(word - name)) &&
		!memchr(name, ' ', (size_t)(end - name));
	if (!*name && test->status == TEST_SKIPPED) {
		const char *after = tap_after_word(directive);
		memmove(name, after, strlen(after) + 1);
	} else if (at && test->status == TEST_FAILED) {
		test->status = TEST_ERROR;
		text_copy(test->message, sizeof test->message, at + strlen(not_run));
		*at = '\0';
	} else if (is_check) {
		if (test->status == TEST_FAILED)
			text_copy(test->message, sizeof test->message, end + 2);
		*end = '\0';
	}
}

/* "time=12.5ms" instead of a directive. */
static int64_t tap_duration_of(const char *directive)
{
	double ms = 0;
	if (text_starts_with(directive, "time="))
		ms = strtod(directive + 5, NULL);
	return ms > 0 && ms < 1e9 ? (int64_t)ms : 0;
}

static void tap_open_test(struct tap *tap, struct suite_reading *reading, int level, bool ok,
	long number, const char *text)
{
	char name[TAP_NAME];
	text_copy(name, sizeof name, text);
	const char *directive = tap_cut_directive(name);
	size_t length = strlen(name);
	bool opens = length > 2 && strcmp(name + length - 2, " {") == 0;
	if (opens)
		name[length - 2] = '\0';
	tap->test = (struct tap_test){.open = true,
		.number = level ? 0 : number,
		.status = tap_status_of(ok, directive),
		.duration_ms = tap_duration_of(directive)};
	if (tap->test.status == TEST_SKIPPED || tap->test.status == TEST_XFAILED)
		text_copy(tap->test.message, sizeof tap->test.message, tap_after_word(directive));
	tap_read_dialect(&tap->test, name, directive);
	tap_unescape(name);
	if (!*name)
		snprintf(name, sizeof name, "test %ld", number);
	tap_set_id(tap, reading->dir, level, name);
	tap->depth = level < tap->depth ? level : tap->depth;
	if (opens)
		tap_name_subtest(tap, level, name);
	if (level > 0)
		return;
	if (number == 1 && tap->planned && tap->counted >= tap->plan && tap->plan)
		tap_close_stream(tap, reading);
	tap->counted++;
}

static bool tap_read_test(
	struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	bool ok = text_starts_with(text, "ok");
	if (!ok && !text_starts_with(text, "not ok"))
		return false;
	const char *at = text + strlen(ok ? "ok" : "not ok");
	if (*at && *at != ' ')
		return false;
	at += strspn(at, " ");
	size_t digits = strspn(at, "0123456789");
	if (!digits && !tap->versioned && !text_starts_with(at, "- "))
		return false;
	long number = strtol(at, NULL, 10);
	at += digits;
	at += strspn(at, " ");
	if (text_starts_with(at, "- "))
		at += 2;
	tap_close_test(tap, reading);
	tap_open_test(tap, reading, level, ok, number, at);
	return true;
}

static bool tap_read_plan(
	struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	size_t plan;
	const char *rest = line_match(text, "1..#*", &plan);
	if (!rest || (*rest && *rest != ' '))
		return false;
	tap_close_test(tap, reading);
	if (level > 0)
		return true;
	if (tap->planned)
		tap_close_stream(tap, reading);
	tap->planned = true;
	tap->plan = plan;
	return true;
}

/* Comments name subtests before they run, or explain. */
static void tap_read_comment(
	struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	if (!text_starts_with(text, "# Subtest: ")) {
		tap_explain(tap, reading->dir, text);
		return;
	}
	char name[TAP_NAME];
	text_copy(name, sizeof name, text + strlen("# Subtest: "));
	tap_unescape(name);
	tap_close_test(tap, reading);
	tap_name_subtest(tap, level, name);
}

/* A line of prove's between the streams. */
static bool tap_read_prove(struct tap *tap, struct suite_reading *reading, const char *line)
{
	bool ends = *tap->file && tap_ends_file(line),
		 begins = !ends && tap_begins_file(tap, reading->dir, line);
	if (!ends && !begins)
		return false;
	tap_close_test(tap, reading);
	tap_end_file(tap, reading);
	if (begins) {
		tap_close_stream(tap, reading);
		text_copy(tap->file, sizeof tap->file, tap->next_file);
		tap->file_ok = false;
		tap->seen = true;
	}
	return true;
}

static void tap_line(struct tap *tap, struct suite_reading *reading, const char *line)
{
	if (tap->yaml) {
		tap_read_yaml(tap, reading->dir, line);
		return;
	}
	if (*line && !isspace((unsigned char)*line) && tap_read_prove(tap, reading, line))
		return;
	int indent = (int)strspn(line, " ");
	const char *text = line + indent;
	if (tap->test.open && strcmp(text, "---") == 0 && indent % 4 == 2) {
		tap->test.explained = true;
		tap->yaml = indent + 1;
		tap->key_indent = indent;
		*tap->key = '\0';
		return;
	}
	int level = indent / 4;
	if (indent % 4)
		return;
	if (text_starts_with(text, "TAP version 1")) {
		tap_close_test(tap, reading);
		tap_close_stream(tap, reading);
		tap->versioned = tap->seen = true;
	} else if (text_starts_with(text, "Bail out!")) {
		tap->seen = true;
		text_copy(tap->problem, sizeof tap->problem, text);
	} else if (*text == '#') {
		tap_read_comment(tap, reading, level, text);
	} else if (tap_read_plan(tap, reading, level, text) ||
		tap_read_test(tap, reading, level, text)) {
		tap->seen = true;
	}
}

static const char *tap_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct tap_state *state = reading->state;
	struct tap *tap = &state->tap;
	tap_close_test(tap, reading);
	tap_end_file(tap, reading);
	tap_close_stream(tap, reading);
	if (!tap->seen)
		return outcome_finish(&state->outcome, reading, suite_shown(reading->suite), result);
	if (!*tap->problem && tap->yaml)
		text_copy(tap->problem, sizeof tap->problem, "the TAP output ends within a test");
	if (!*tap->problem && result->end == PROCESS_SIGNALLED)
		process_describe(result, tap->problem, sizeof tap->problem);
	if (!*tap->problem && !reading->report->n)
		return "no tests were run";
	return *tap->problem ? tap->problem : NULL;
}

static void tap_read_line(struct suite_reading *reading, const char *line)
{
	struct tap_state *state = reading->state;
	tap_line(&state->tap, reading, line);
	if (!state->tap.seen)
		outcome_line(&state->outcome, reading->dir, line);
}

/* A version or a plan. */
static bool tap_shows(const char *line)
{
	char rest;
	unsigned long number;
	if (!text_starts_with(line, "1.."))
		return text_starts_with(line, "TAP version 1");
	return sscanf(line, "1..%lu%c", &number, &rest) == 1 || strstr(line, " # ");
}

/* A numbered result, which tests of other runners print, too. */
static bool tap_hints(const char *line)
{
	const char *at = text_starts_with(line, "not ") ? line + 4 : line;
	at = text_starts_with(at, "ok ") ? at + 3 : "";
	size_t digits = strspn(at, "0123456789");
	return digits && (!at[digits] || at[digits] == ' ');
}

const struct format tap_format = {
	.name = "tap",
	.summary = "the Test Anything Protocol, 12 to 14",
	.state_size = sizeof(struct tap_state),
	.shows = tap_shows,
	.hints = tap_hints,
	.read_line = tap_read_line,
	.finish = tap_finish,
};
