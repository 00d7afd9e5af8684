/* What follows a test's line and explains it: a block of YAML, or comments. */
#include "verify/suite/formats/tap.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

void tap_place(struct tap *tap, struct suite_reading *reading)
{
	struct arena *arena = reading->arena;
	const char *stream =
		*tap->file ? tap->file : arena_printf(arena, "stream %zu", tap->streams + 1);
	if (!tap->planned || tap->plan != tap->counted || tap->n_placed != tap->counted)
		return;
	for (size_t i = 0; i < tap->n_placed; i++) {
		struct test_result *result = map_get(&reading->report->by_id, tap->placed[i]);
		if (result)
			result->place = arena_printf(arena, "%s: %zu of %zu", stream, i + 1, tap->plan);
	}
}

void tap_reset_stream(struct tap *tap)
{
	tap->streams += tap->counted != 0;
	tap->placed = NULL;
	tap->n_placed = 0;
	tap->planned = tap->has_first = false;
	tap->plan = tap->counted = 0;
	tap->depth = 0;
}

void tap_forget_complaint(struct tap *tap)
{
	*tap->complaint = '\0';
	tap->place = (struct location){0};
}

/* A scalar of YAML: without its quotes. */
static const char *tap_unquoted(char *text)
{
	size_t n = strlen(text);
	if (n < 2 || (*text != '\'' && *text != '"') || text[n - 1] != *text)
		return text;
	text[n - 1] = '\0';
	return text + 1;
}

/* A line of what was expected, or of what was found. */
static void tap_take_side(char *side, const char *text)
{
	if (!text_starts_with(text, "|-") && strcmp(text, "|") != 0 && *text)
		text_append(side, TAP_NAME, " ", text);
}

/* Where nothing else says why a test failed. */
static void tap_compare(struct tap_test *test)
{
	if (test->status != TEST_FAILED || *test->message || !*test->expected || !*test->actual)
		return;
	text_append(test->message, TAP_NAME, "", "expected");
	text_append(test->message, TAP_NAME, " ", test->expected);
	text_append(test->message, TAP_NAME, ", ", "found");
	text_append(test->message, TAP_NAME, " ", test->actual);
}

/* A value after its key, or a line of the block below it. */
static void tap_take_value(struct tap *tap, const char *dir, const char *text, bool inline_value)
{
	struct tap_test *test = &tap->test;
	char value[TAP_NAME];
	text_copy(value, sizeof value, text + strspn(text, " \t"));
	const char *plain = inline_value ? tap_unquoted(value) : value;
	bool is_message =
		test->status == TEST_FAILED && (!strcmp(tap->key, "error") || !strcmp(tap->key, "message"));
	/* ava's and tap's: "- 'found'", "+ 'expected'" */
	static const char *const differences[] = {"values", "details", "diff", NULL};
	bool is_difference = test->status == TEST_FAILED && line_matches_any(tap->key, differences) &&
		strchr("-+", *value) && *value && value[1] != *value;
	if (is_difference) {
		text_append(test->message, TAP_NAME, " ", value);
	} else if (!strcmp(tap->key, "expected") || !strcmp(tap->key, "actual")) {
		tap_take_side(*tap->key == 'e' ? test->expected : test->actual, plain);
	} else if (is_message && *plain && !text_starts_with(plain, "|-") && strcmp(plain, "|") != 0) {
		text_append(test->message, TAP_NAME, " ", plain);
	} else if (!strcmp(tap->key, "location") || !strcmp(tap->key, "at")) {
		location_find(&test->location, dir, plain);
	} else if (!strcmp(tap->key, "stack") && !*test->frame.file) {
		location_find(&test->frame, dir, plain);
	} else if (!strcmp(tap->key, "duration_ms")) {
		double ms = strtod(plain, NULL);
		test->duration_ms = ms > 0 && ms < 1e9 ? (int64_t)ms : 0;
	} else if (!strcmp(tap->key, "exitCode")) {
		test->is_file = true;
	} else if (!strcmp(tap->key, "signal") && *plain != '~' && !*tap->complaint) {
		text_copy(tap->complaint, sizeof tap->complaint, "killed by");
		text_append(tap->complaint, sizeof tap->complaint, " ", plain);
	}
}

void tap_read_yaml(struct tap *tap, const char *dir, const char *line)
{
	int indent = (int)strspn(line, " ");
	const char *text = line + indent;
	if (indent == tap->yaml - 1 && strcmp(text, "...") == 0) {
		tap->yaml = 0;
		tap_compare(&tap->test);
		return;
	}
	size_t n = strcspn(text, ":");
	if (!*tap->key) /* tape and ava write keys further right than "---" */
		tap->key_indent = indent;
	bool is_key = text[n] == ':' && n < sizeof tap->key && indent <= tap->key_indent;
	if (!is_key) {
		tap_take_value(tap, dir, text, false);
		return;
	}
	text_copy(tap->key, n + 1, text);
	tap_take_value(tap, dir, text + n + 1, true);
}

bool tap_is_exception(const char *said)
{
	return strstr(said, " at ") && strstr(said, " line ") && !text_starts_with(said, "in ");
}

/* The first line; but Perl's says no more than the name, busted's and Bats' no more than the place,
 * and those after it say more. */
static void tap_take_reason(struct tap_test *test, const char *said)
{
	static const char *const places[] = {"*.lua @ #", "(in test file *", "(from function *", NULL};
	static const char start[] = "Failure message: ";
	bool names_only = text_starts_with(test->message, "Failed test") ||
		text_starts_with(test->message, "Failed (TODO) test");
	if (line_matches_any(test->message, places))
		*test->message = '\0';
	if (text_starts_with(said, start))
		said += strlen(start);
	bool got = text_starts_with(said, "got: "), expected = text_starts_with(said, "expected: ");
	if (!*test->message || (names_only && (got || tap_is_exception(said))))
		text_copy(test->message, sizeof test->message, said);
	else if (expected && text_starts_with(test->message, "got: ") &&
		!strstr(test->message, ", expected: "))
		text_append(test->message, TAP_NAME, ", ", said);
}

void tap_explain(struct tap *tap, const char *dir, const char *text)
{
	const char *said = text + 1 + strspn(text + 1, " ");
	struct tap_test *test = &tap->test;
	if (test->open && test->status == TEST_FAILED && !test->explained && *said) {
		tap_take_reason(test, said);
		if (!*test->frame.file)
			location_find(&test->frame, dir, said);
		return;
	}
	size_t name = strspn(said, LETTERS);
	if (name >= 5 && memcmp(said + name - 5, "Error", 5) == 0 &&
		(said[name] == ':' || said[name] == ' '))
		text_copy(tap->complaint, sizeof tap->complaint, said);
	if (!*tap->place.file)
		location_find(&tap->place, dir, said);
}
