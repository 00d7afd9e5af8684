/* The report files of jest, vitest and mocha: JSON that hostile programs may have written. */
#include "verify/suite/suite_javascript.h"

#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/ids.h"

enum { REPORT_DEPTH = 6 }; /* of lists and objects in each other, up to a test's titles */

static void js_add_result(
	struct suite_reading *reading, const char *id, const struct js_result *result)
{
	struct js_block block = {.result = NULL};
	if (result->error)
		js_explain_error(&block, reading->dir, result->error);
	long line = block.source_line ? block.source_line : result->line;
	if (test_status_is_red(result->status) && !*block.location.file)
		location_set(&block.location, reading->dir, result->path, strlen(result->path), line);
	reading_add(reading, id, result->status, block.message, &block.location, result->duration_ms);
}

void js_add(struct suite_reading *reading, const struct js_result *result)
{
	struct js_reading *state = reading->state;
	state->counted.passed += result->status == TEST_PASSED;
	state->counted.failed += result->status == TEST_FAILED;
	js_add_result(reading, id_numbered(&state->ids, result->id, reading->arena), result);
}

void js_worsen(struct suite_reading *reading, const struct js_result *result)
{
	struct js_reading *state = reading->state;
	state->counted.failed++;
	js_add_result(reading, result->id, result);
}

/* Whether an escape is "\uD" and one of these digits: half of a character beyond the first 65,536.
 * */
static bool js_is_half(const char *at, size_t n, const char *digits)
{
	return n >= 6 && at[0] == '\\' && at[1] == 'u' && (at[2] | 0x20) == 'd' && at[3] &&
		strchr(digits, at[3] | 0x20);
}

/* Make the escape at `at` one that text can hold: no NUL, no lone half. Gives its length. */
static size_t js_mend_escape(char *at, size_t n)
{
	static const char first[] = "89ab", second[] = "cdef89ab";
	bool whole = js_is_half(at, n, first) && n >= 12 && js_is_half(at + 6, n - 6, "cdef");
	if (whole)
		return 12;
	if (n >= 6 && (memcmp(at, "\\u0000", 6) == 0 || js_is_half(at, n, second)))
		memcpy(at, "\\ufffd", 6);
	return n < 2 ? n : 2;
}

/* Replace by 0 what is nested deeply: the objects that tests compare, which are not needed. */
static size_t js_condense(char *text, size_t n)
{
	char *to = text;
	bool in_string = false;
	for (size_t i = 0, depth = 0; i < n;) {
		size_t length = in_string && text[i] == '\\' ? js_mend_escape(text + i, n - i) : 1;
		char c = text[i];
		in_string = in_string != (c == '"');
		bool opens = !in_string && (c == '{' || c == '['),
			 closes = !in_string && (c == '}' || c == ']');
		if (opens && depth == REPORT_DEPTH)
			*to++ = '0';
		else if (depth <= REPORT_DEPTH)
			to = (char *)memmove(to, text + i, length) + length;
		depth = depth + opens - (closes && depth);
		i += length;
	}
	return (size_t)(to - text);
}

struct json *js_report(struct suite_reading *reading, int fd)
{
	struct js_reading *state = reading->state;
	const char *runner = reading->format->name;
	struct rondo_error err = {0};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	bool whole = descriptor_read(fd, &text);
	const char *const *signs = reading->format->report_signs;
	bool begun = line_match(text.text, *signs, NULL);
	state->begun += begun;
	if (begun || !line_matches_any(text.text, signs))
		return NULL;
	struct json *json =
		whole ? json_parse(text.text, js_condense(text.text, text.length), &err) : NULL;
	if (!json && !*state->problem)
		utf8_format(state->problem, sizeof state->problem, "the report of %s cannot be read: %s",
			runner, whole ? err.message : "it is larger than 64 MiB");
	state->files += json != NULL;
	return json;
}

static enum test_status js_status_of(const char *word)
{
	static const struct status_word words[] = {{"passed", TEST_PASSED}, {"failed", TEST_FAILED},
		{"pending", TEST_SKIPPED}, {"skipped", TEST_SKIPPED}, {"todo", TEST_SKIPPED},
		{"disabled", TEST_SKIPPED}};
	enum test_status status;
	const char *rest = status_word_skip(words, ARRAY_SIZE(words), word, &status);
	return rest && !*rest ? status : TEST_ERROR;
}

static void js_read_assertion(
	struct suite_reading *reading, const char *path, const struct json *test)
{
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	js_id_begin(&id, reading->dir, path);
	for (const struct json *title = json_first(json_get(test, "ancestorTitles")); title;
		 title = json_next(title))
		if (*json_text(title, ""))
			js_id_add(&id, json_text(title, ""));
	js_id_add(&id, json_string(test, "title", ""));
	const char *error = json_text(json_first(json_get(test, "failureMessages")), NULL);
	enum test_status status = js_status_of(json_string(test, "status", ""));
	double ms = json_number(test, "duration", 0);
	js_add(reading,
		&(struct js_result){.id = id.text,
			.status = status,
			.error = test_status_is_red(status) ? error : NULL,
			.path = path,
			.line = json_int(json_get(test, "location"), "line", 0),
			.duration_ms = ms > 0 && ms < 1e12 ? (int64_t)ms : 0});
}

/* A file that failed without a failed test did not end. */
static void js_read_file(struct suite_reading *reading, const struct json *file)
{
	struct js_reading *state = reading->state;
	const char *path = json_string(file, "name", "");
	size_t failed = state->counted.failed;
	const struct json *tests = json_get(file, "assertionResults");
	for (const struct json *test = json_first(tests); test; test = json_next(test))
		js_read_assertion(reading, path, test);
	if (strcmp(json_string(file, "status", ""), "failed") != 0 || state->counted.failed > failed)
		return;
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	js_id_begin(&id, reading->dir, path);
	js_add(reading,
		&(struct js_result){.id = id.text,
			.status = TEST_ERROR,
			.error = json_string(file, "message", ""),
			.path = path});
}

void js_read_report(struct suite_reading *reading, int fd)
{
	AUTO_JSON *report = js_report(reading, fd);
	for (const struct json *file = json_first(json_get(report, "testResults")); file;
		 file = json_next(file))
		js_read_file(reading, file);
}
