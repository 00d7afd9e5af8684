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

#include "base/memory.h"
#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

struct tap_state {
	struct tap tap;
	struct outcome outcome; /* of what was printed since the last line of TAP */
	bool says_crash;        /* a line of that */
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

/* What a program prints may break off within a line: then that line names no test. A red one
 * counts: what it hides must not be taken for fixed. */
static void tap_drop_last(struct tap *tap)
{
	if (!test_status_is_red(tap->test.status))
		tap->test.open = false;
}

/* A stream is over: it should have kept its plan. */
static void tap_close_stream(struct tap *tap, struct suite_reading *reading)
{
	bool breaks_off = tap->planned ? tap->counted < tap->plan : tap->counted;
	char *why = breaks_off ? tap->broken : tap->problem;
	if (!*why && tap->planned && tap->plan != tap->counted)
		snprintf(
			why, TAP_NAME, "the TAP plan is %zu tests, but %zu were run", tap->plan, tap->counted);
	else if (!*why && breaks_off)
		text_copy(why, TAP_NAME, "the TAP output ends before its plan");
	if (breaks_off)
		tap_drop_last(tap);
	tap_close_test(tap, reading);
	tap_place(tap, reading);
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

/* Numbers begin anew: another program does. The plan before its first test is its own, where it is
 * not that of the tests before. */
static void tap_begin_anew(struct tap *tap, struct suite_reading *reading)
{
	size_t plan = tap->plan;
	bool is_next = tap->planned && tap->plan_at == tap->counted && plan != tap->counted;
	if (is_next)
		tap->planned = false;
	tap_close_stream(tap, reading);
	tap->planned = is_next;
	tap->plan = is_next ? plan : 0;
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
	tap->has_first = tap->has_first || number == 1;
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
	bool is_over = tap->planned && tap->plan && tap->counted >= tap->plan;
	if (!level && number == 1 && (tap->has_first || is_over))
		tap_begin_anew(tap, reading);
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
	if (!level && tap->planned)
		tap_close_stream(tap, reading);
	tap_close_test(tap, reading);
	if (level > 0)
		return true;
	tap->planned = tap->has_plan = true;
	tap->plan = plan;
	tap->plan_at = tap->counted;
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

/* Read a line. False: it is not of TAP. */
static bool tap_line(struct tap *tap, struct suite_reading *reading, const char *line)
{
	if (tap->yaml) {
		tap_read_yaml(tap, reading->dir, line);
		return true;
	}
	if (*line && !isspace((unsigned char)*line) && tap_read_prove(tap, reading, line))
		return true;
	int indent = (int)strspn(line, " "), level = indent / 4;
	const char *text = line + indent;
	if (tap->test.open && strcmp(text, "---") == 0 && indent % 4 == 2) {
		tap->test.explained = true;
		tap->yaml = indent + 1;
		tap->key_indent = indent;
		*tap->key = '\0';
		return true;
	}
	if (indent % 4)
		return false;
	if (*text == '#') {
		tap_read_comment(tap, reading, level, text);
		return tap->seen;
	}
	if (text_starts_with(text, "TAP version 1")) {
		tap_close_stream(tap, reading);
		tap->versioned = true;
	} else if (text_starts_with(text, "Bail out!")) {
		text_copy(tap->problem, sizeof tap->problem, text);
	} else if (!tap_read_plan(tap, reading, level, text) &&
		!tap_read_test(tap, reading, level, text)) {
		return false;
	}
	return tap->seen = true;
}

/* What shells and make say of a program that a signal ended. */
static bool tap_is_crash(const char *line)
{
	static const char *const words[] = {"Segmentation fault", "Aborted", "Bus error",
		"Floating point exception", "Illegal instruction", "Killed", "AddressSanitizer"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

/* What is said after the first stream that breaks off tells why. */
static void tap_read_line(struct suite_reading *reading, const char *line)
{
	struct tap_state *state = reading->state;
	if (!tap_line(&state->tap, reading, line)) {
		outcome_line(&state->outcome, reading->dir, line);
		state->says_crash = state->says_crash || tap_is_crash(line);
	} else if (state->tap.seen && !*state->tap.broken) {
		state->outcome = (struct outcome){0};
	}
}

/* Whether a program of tests crashed, or ended by an error of its own before it had kept its plan.
 * One that never has a plan shows only by a crash that it did not come to its end. */
static bool tap_has_failed(const struct tap_state *state, const struct process_result *result)
{
	const struct tap *tap = &state->tap;
	bool has_plan = tap->versioned || tap->has_plan;
	bool crashed = result->exit_code >= 128 || state->says_crash;
	return result->exit_code &&
		(result->end == PROCESS_SIGNALLED || (*tap->broken && (has_plan || crashed)));
}

/* What a program that failed said until then counts. Once it comes to its end, its other tests take
 * the place of the failure. */
static const char *tap_add_failure(
	struct suite_reading *reading, const struct process_result *result)
{
	struct tap_state *state = reading->state;
	const char *id = suite_shown(reading->suite);
	const char *problem = outcome_finish(&state->outcome, reading, id, result);
	struct test_result *command = map_get(&reading->report->by_id, id);
	if (command && state->tap.seen)
		command->place = TEST_PLACE_COMMAND;
	return problem;
}

static const char *tap_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct tap_state *state = reading->state;
	struct tap *tap = &state->tap;
	if (!result->exit_code || *tap->file)
		tap_close_test(tap, reading);
	else if (result->end == PROCESS_SIGNALLED)
		tap_drop_last(tap);
	tap_end_file(tap, reading);
	tap_close_stream(tap, reading);
	if (!*tap->broken && tap->yaml)
		text_copy(tap->broken, TAP_NAME, "the TAP output ends within a test");
	if (*tap->problem)
		return tap->problem;
	if (!tap->seen || tap_has_failed(state, result))
		return tap_add_failure(reading, result);
	if (*tap->broken)
		return tap->broken;
	return reading->report->n ? NULL : "no tests were run";
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
