#include "suite/tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

static void add_text(char *to, size_t size, const char *text)
{
	size_t n = strlen(to);
	text_copy(to + n, size - n, text);
}

/* How often a name was seen before. Counted in the arena, one small number a name. */
static size_t *repeats_of(struct tap *tap, struct arena *arena, const char *id)
{
	size_t *n = map_get(&tap->repeats, id);
	if (!n) {
		n = arena_alloc(arena, sizeof *n);
		map_put(&tap->repeats, arena, arena_strdup(arena, id), n);
	}
	return n;
}

static void close_test(struct tap *tap, struct suite_reading *reading)
{
	struct tap_test *test = &tap->test;
	if (!test->open)
		return;
	test->open = false;
	bool red = test->status == TEST_FAILED;
	if (red && test->is_file) {
		test->status = TEST_ERROR;
		if (*tap->complaint)
			text_copy(test->message, sizeof test->message, tap->complaint);
		if (*tap->place.file)
			test->frame = tap->place;
	}
	size_t n = ++*repeats_of(tap, reading->arena, test->id);
	const struct location *at = *test->frame.file ? &test->frame : &test->location;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){
			.id = n > 1 ? arena_printf(reading->arena, "%s (%zu)", test->id, n)
				    : test->id,
			.status = test->status,
			.message = *test->message ? test->message : NULL,
			.file = red && *at->file ? at->file : NULL,
			.line = red ? at->line : 0,
		});
	*tap->complaint = '\0';
	tap->place = (struct location){0};
}

/* The stream that was read is over: what it promised must have come. */
static void close_stream(struct tap *tap)
{
	if (!*tap->problem && !tap->planned && tap->counted)
		text_copy(tap->problem, sizeof tap->problem, "the TAP output ends before its plan");
	else if (!*tap->problem && tap->planned && tap->plan != tap->counted)
		snprintf(tap->problem, sizeof tap->problem,
			"the TAP plan is %zu tests, but %zu were run", tap->plan, tap->counted);
	tap->planned = false;
	tap->plan = tap->counted = 0;
	tap->depth = 0;
}

/* --- Diagnostics --- */

/* A scalar of YAML: without its quotes. */
static const char *unquoted(char *text)
{
	size_t n = strlen(text);
	if (n < 2 || (*text != '\'' && *text != '"') || text[n - 1] != *text)
		return text;
	text[n - 1] = '\0';
	return text + 1;
}

/* A value behind its key, or a line of the block below it. */
static void take_value(struct tap *tap, const char *dir, const char *text, bool inline_value)
{
	struct tap_test *test = &tap->test;
	char value[TAP_NAME];
	text_copy(value, sizeof value, text + strspn(text, " \t"));
	const char *plain = inline_value ? unquoted(value) : value;
	bool is_message = test->status == TEST_FAILED &&
			  (!strcmp(tap->key, "error") || !strcmp(tap->key, "message"));
	if (is_message && *plain && !text_starts_with(plain, "|-") && strcmp(plain, "|") != 0) {
		if (*test->message)
			add_text(test->message, sizeof test->message, " ");
		add_text(test->message, sizeof test->message, plain);
	} else if (!strcmp(tap->key, "location") || !strcmp(tap->key, "at")) {
		location_find(&test->location, dir, plain);
	} else if (!strcmp(tap->key, "stack") && !*test->frame.file) {
		location_find(&test->frame, dir, plain);
	} else if (!strcmp(tap->key, "exitCode")) {
		test->is_file = true;
	} else if (!strcmp(tap->key, "signal") && *plain != '~' && !*tap->complaint) {
		text_copy(tap->complaint, sizeof tap->complaint, "killed by ");
		add_text(tap->complaint, sizeof tap->complaint, plain);
	}
}

static void read_yaml(struct tap *tap, const char *dir, const char *line)
{
	int indent = (int)strspn(line, " ");
	const char *text = line + indent;
	if (indent == tap->yaml - 1 && strcmp(text, "...") == 0) {
		tap->yaml = 0;
		return;
	}
	size_t n = strcspn(text, ":");
	bool is_key = text[n] == ':' && n < sizeof tap->key && indent <= tap->key_indent;
	if (!is_key) {
		take_value(tap, dir, text, false);
		return;
	}
	text_copy(tap->key, n + 1, text);
	take_value(tap, dir, text + n + 1, true);
}

/* --- Lines --- */

static void unescape(char *text)
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
static const char *cut_directive(char *text)
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

/* The reason behind a directive's word: "SKIP not today", "# skipped: not today". */
static const char *behind_word(const char *directive)
{
	directive += strspn(directive, LETTERS);
	return directive + strspn(directive, ": \t");
}

static enum test_status status_of(bool ok, const char *directive)
{
	if (strncasecmp(directive, "skip", 4) == 0)
		return TEST_SKIPPED;
	if (strncasecmp(directive, "todo", 4) == 0 && !ok)
		return TEST_XFAILED;
	return ok ? TEST_PASSED : TEST_FAILED;
}

/* The names of the subtests around, then the test's own. */
static void set_id(struct tap *tap, const char *dir, int level, const char *name)
{
	char *id = tap->test.id;
	*id = '\0';
	for (int i = 0; i < level && i < tap->depth; i++) {
		add_text(id, TAP_NAME, tap->names[i]);
		add_text(id, TAP_NAME, " > ");
	}
	size_t n = strlen(name);
	add_text(id, TAP_NAME, location_relative(dir, name, &n));
}

static void open_test(struct tap *tap, struct suite_reading *reading, int level, bool ok,
	long number, const char *text)
{
	char name[TAP_NAME];
	text_copy(name, sizeof name, text);
	const char *directive = cut_directive(name);
	tap->test = (struct tap_test){.open = true, .status = status_of(ok, directive)};
	if (tap->test.status == TEST_SKIPPED || tap->test.status == TEST_XFAILED)
		text_copy(tap->test.message, sizeof tap->test.message, behind_word(directive));
	unescape(name);
	if (!*name)
		snprintf(name, sizeof name, "test %ld", number);
	set_id(tap, reading->dir, level, name);
	tap->depth = level < tap->depth ? level : tap->depth;
	if (level > 0)
		return;
	if (number == 1 && tap->planned && tap->counted >= tap->plan && tap->plan)
		close_stream(tap);
	tap->counted++;
}

static bool read_test(struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	bool ok = text_starts_with(text, "ok");
	if (!ok && !text_starts_with(text, "not ok"))
		return false;
	const char *at = text + strlen(ok ? "ok" : "not ok");
	if (*at && *at != ' ')
		return false;
	at += strspn(at, " ");
	size_t digits = strspn(at, "0123456789");
	if (!digits && !tap->versioned)
		return false;
	long number = strtol(at, NULL, 10);
	at += digits;
	at += strspn(at, " ");
	if (text_starts_with(at, "- "))
		at += 2;
	close_test(tap, reading);
	open_test(tap, reading, level, ok, number, at);
	return true;
}

static bool read_plan(struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	if (!text_starts_with(text, "1..") || !isdigit((unsigned char)text[3]))
		return false;
	char *end;
	unsigned long plan = strtoul(text + 3, &end, 10);
	if (*end && *end != ' ')
		return false;
	close_test(tap, reading);
	if (level > 0)
		return true;
	if (tap->planned)
		close_stream(tap);
	tap->planned = true;
	tap->plan = plan;
	return true;
}

/* Comments name subtests before they run, and hold what a file that could not be run printed. */
static void read_comment(
	struct tap *tap, struct suite_reading *reading, int level, const char *text)
{
	if (text_starts_with(text, "# Subtest: ")) {
		close_test(tap, reading);
		if (level < TAP_DEPTH && level <= tap->depth) {
			text_copy(tap->names[level], TAP_NAME, text + strlen("# Subtest: "));
			unescape(tap->names[level]);
			tap->depth = level + 1;
		}
		return;
	}
	const char *said = text + 1 + strspn(text + 1, " ");
	struct tap_test *test = &tap->test;
	if (test->open && test->status == TEST_FAILED && !test->explained && *said) {
		if (!*test->message)
			text_copy(test->message, sizeof test->message, said);
		if (!*test->frame.file)
			location_find(&test->frame, reading->dir, said);
		return;
	}
	size_t name = strspn(said, LETTERS);
	if (name >= 5 && memcmp(said + name - 5, "Error", 5) == 0 &&
		(said[name] == ':' || said[name] == ' '))
		text_copy(tap->complaint, sizeof tap->complaint, said);
	if (!*tap->place.file)
		location_find(&tap->place, reading->dir, said);
}

void tap_line(struct tap *tap, struct suite_reading *reading, const char *line)
{
	if (tap->yaml) {
		read_yaml(tap, reading->dir, line);
		return;
	}
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
		close_test(tap, reading);
		close_stream(tap);
		tap->versioned = tap->seen = true;
	} else if (text_starts_with(text, "Bail out!")) {
		tap->seen = true;
		text_copy(tap->problem, sizeof tap->problem, text);
	} else if (*text == '#') {
		read_comment(tap, reading, level, text);
	} else if (read_plan(tap, reading, level, text) || read_test(tap, reading, level, text)) {
		tap->seen = true;
	}
}

bool tap_finish(struct tap *tap, struct suite_reading *reading, const struct process_result *result)
{
	struct test_report *report = reading->report;
	close_test(tap, reading);
	close_stream(tap);
	if (!tap->seen)
		return false;
	if (!*tap->problem && tap->yaml)
		text_copy(tap->problem, sizeof tap->problem, "the TAP output ends within a test");
	if (!*tap->problem && result->end == PROCESS_SIGNALLED)
		process_describe(result, tap->problem, sizeof tap->problem);
	if (!*tap->problem && !report->n)
		text_copy(tap->problem, sizeof tap->problem, "no tests were run");
	if (*tap->problem)
		report->problem = arena_strdup(reading->arena, tap->problem);
	report->complete = !report->problem;
	return true;
}

void tap_read_line(struct suite_reading *reading, const char *line)
{
	struct tap_state *state = reading->state;
	tap_line(&state->tap, reading, line);
	if (!state->tap.seen)
		outcome_line(&state->outcome, reading->dir, line);
}

void tap_read_end(struct suite_reading *reading, const struct process_result *result)
{
	struct tap_state *state = reading->state;
	if (!tap_finish(&state->tap, reading, result))
		outcome_finish(&state->outcome, reading, reading->suite->command, result);
}
