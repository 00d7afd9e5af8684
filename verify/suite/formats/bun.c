/*
 * What bun's runner prints. Its JUnit file leaves out test files that could not be loaded. Why a
 * test failed comes before its line:
 *
 *	bun test v1.2.23 (cf136713)
 *
 *	test/sum.test.ts:
 *	4 | 	test("adds", () => { expect(add(1, 2)).toBe(3); });
 *	                                           ^
 *	error: expect(received).toBe(expected)
 *	      at <anonymous> (/work/test/sum.test.ts:4:46)
 *	(fail) sum > adds [0.21ms]
 *
 *	 1 fail
 *	Ran 1 test across 1 file. [6.00ms]
 */
#include <ctype.h>
#include <string.h>

#include "verify/suite/suite_javascript.h"

struct bun_reading {
	struct js_reading js;       /* first: its functions take the state for it */
	struct test_result pending; /* of the failure that is being explained */
	bool is_file;               /* no test failed, but the file, ... */
	bool is_told;               /* ... and why is between two lines */
};

/* What follows explains a failure that is not known yet. */
static void bun_expect(struct suite_reading *reading)
{
	struct bun_reading *state = reading->state;
	state->pending = (struct test_result){.status = TEST_FAILED};
	js_explain(reading, &state->pending);
}

/* A result, with what was explained before. */
static void bun_add(
	struct suite_reading *reading, const char *id, enum test_status status, int64_t ms)
{
	struct bun_reading *state = reading->state;
	struct test_result *result = js_add_line(reading, id, status, ms);
	if (!test_status_is_red(status))
		result = NULL;
	state->js.block.result = result;
	js_explain(reading, NULL);
	state->is_file = state->is_told = false;
	bun_expect(reading);
}

/* The file could not be loaded, or something failed outside of its tests. */
static void bun_end_file(struct suite_reading *reading)
{
	struct bun_reading *state = reading->state;
	if (state->is_file && *state->js.file && !js_find_line(reading, state->js.file))
		bun_add(reading, state->js.file, TEST_ERROR, 0);
}

/* "sum > adds [0.21ms]" */
static void bun_read_test(struct suite_reading *reading, const char *text, enum test_status status)
{
	struct bun_reading *state = reading->state;
	char name[JS_NAME];
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	text_copy(name, sizeof name, text);
	size_t n = strlen(name);
	char *time = n && name[n - 1] == ']' ? strrchr(name, '[') : NULL;
	int64_t ms = 0;
	if (time && time > name && isdigit((unsigned char)time[1])) {
		name[n - 1] = '\0';
		*time = ' ';
		ms = js_cut_duration(name);
		time[-1] = '\0';
	}
	js_id_begin(&id, reading->dir, state->js.file);
	js_id_add(&id, name);
	bun_add(reading, id.text, status, ms);
}

/* "test/sum.test.ts:" */
static bool bun_read_file(struct suite_reading *reading, const char *line)
{
	struct bun_reading *state = reading->state;
	size_t n = strlen(line);
	if (!n || line[n - 1] != ':' || isspace((unsigned char)*line) || !is_script_path(line, n - 1))
		return false;
	bun_end_file(reading);
	text_copy(state->js.file, n < JS_NAME ? n : JS_NAME, line);
	state->js.named = true;
	bun_expect(reading);
	return true;
}

/* What tests print comes before "error: ..." and "TypeError: ...". */
static void bun_explain(struct suite_reading *reading, const char *line)
{
	struct bun_reading *state = reading->state;
	const char *colon = strchr(line, ':');
	size_t n = colon ? (size_t)(colon - line) : 0;
	bool is_error = n >= 5 && memcmp(colon - 4, "rror", 4) == 0 && !memchr(line, ' ', n);
	if (is_error && !*state->js.block.location.file)
		*state->js.block.message = '\0';
	if (text_starts_with(line, "error: "))
		line += strlen("error: ");
	if (line[strspn(line, " \t^-")])
		js_explain_line(reading, line);
}

/* A line of dashes, before and after why a file failed. */
static void bun_rule(struct suite_reading *reading)
{
	struct bun_reading *state = reading->state;
	if (state->is_told)
		bun_end_file(reading);
	else
		state->is_told = true;
}

static void bun_read_line(struct suite_reading *reading, const char *line)
{
	static const struct status_word words[] = {{"(pass) ", TEST_PASSED}, {"(fail) ", TEST_FAILED},
		{"(skip) ", TEST_SKIPPED}, {"(todo) ", TEST_SKIPPED}};
	struct bun_reading *state = reading->state;
	enum test_status status;
	size_t n;
	const char *text = status_word_skip(words, ARRAY_SIZE(words), line, &status);
	outcome_line(&state->js.outcome, reading->dir, line);
	if (text)
		bun_read_test(reading, text, status);
	else if (line_match(line, " # pass", &n))
		state->js.printed.passed += n; /* of each run */
	else if (line_match(line, "Ran # test*", &n))
		state->js.printed.summaries++;
	else if (text_starts_with(line, "# Unhandled error between tests"))
		state->is_file = true;
	else if (state->is_file && text_starts_with(line, "-----"))
		bun_rule(reading);
	else if (text_starts_with(line, "No tests found!"))
		state->js.nothing = true;
	else if (!bun_read_file(reading, line))
		bun_explain(reading, line);
}

static const char *bun_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct bun_reading *state = reading->state;
	size_t passed = 0;
	bun_end_file(reading);
	for (size_t i = 0; i < state->js.lines.n; i++)
		passed += state->js.lines.results[i]->status == TEST_PASSED;
	const char *problem = js_finish(reading, result);
	if (problem || passed == state->js.printed.passed)
		return problem;
	return arena_printf(reading->arena, "bun counts %zu tests that passed, and %zu lines say so",
		state->js.printed.passed, passed);
}

const struct format bun_format = {
	.name = "bun",
	.summary = "bun test",
	.state_size = sizeof(struct bun_reading),
	.signs = (const char *const[]){"bun test v*", NULL},
	.read_line = bun_read_line,
	.finish = bun_finish,
};
