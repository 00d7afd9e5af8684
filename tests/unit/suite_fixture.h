/* Reading stored output of real runners; shared by the tests of suite/. */
#pragma once
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "verify/suite/suite.h"

#define DATA "tests/unit/data/suite/"

/* What `suite` makes of n bytes of output. */
static inline void read_bytes(const struct suite *suite, const char *bytes, size_t n,
	const struct process_result *result, struct arena *arena, struct test_report *report)
{
	struct rondo_error err = {0};
	AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	struct suite_output output = {.log = fd, .dir = "/tmp/tree", .result = result};
	assert_int_equal(suite_read(suite, &output, arena, report, &err), 0);
}

/* The same for a command, its output and the code it exited with. */
static inline void read_text(const char *command, const char *text, int exit_code,
	struct arena *arena, struct test_report *report)
{
	struct suite suite;
	suite_from_command(command, "from a test", arena, &suite);
	struct process_result result = {
		.exit_code = exit_code, .duration_ms = 1000, .output_bytes = strlen(text)};
	read_bytes(&suite, text, strlen(text), &result, arena, report);
}

static inline const char *stored_file(const char *path, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	if (file_read(path, STRBUF_TEXT, &sb, &err) < 0)
		fail_msg("%s", err.message);
	return arena_strndup(arena, sb.text, sb.length);
}

/* Stored output: a file, or a row of the file that is named after what its name begins with
 * (tests/lib/rows.py): pytest7-red.txt in pytest7.rows. */
static inline const char *stored(const char *name, struct arena *arena)
{
	const char *path = arena_printf(arena, DATA "%s", name);
	if (file_exists(path))
		return stored_file(path, arena);
	path = arena_printf(arena, DATA "%.*s.rows", (int)strcspn(name, "-"), name);
	const char *head = arena_printf(arena, "=== %s\n", name);
	const char *at = strstr(stored_file(path, arena), head);
	assert_non_null(at);
	at += strlen(head);
	const char *end = strstr(at, "\n=== ");
	return end ? arena_strndup(arena, at, (size_t)(end + 1 - at)) : at;
}

static inline void read_stored(const char *command, const char *name, int exit_code,
	struct arena *arena, struct test_report *report)
{
	read_text(command, stored(name, arena), exit_code, arena, report);
}

/* What a command's run left: output, and report files by the names under which they are stored, up
 * to the first NULL. */
static inline void read_run(const char *command, const char *text, int exit_code,
	const char *const names[4], struct arena *arena, struct test_report *report)
{
	struct suite suite;
	struct rondo_error err = {0};
	int reports[4], log = memfd_create("log", MFD_CLOEXEC);
	size_t n = 0;
	suite_from_command(command, "from a test", arena, &suite);
	assert_int_equal(write(log, text, strlen(text)), strlen(text));
	for (; n < 4 && names[n]; n++) {
		char path[256];
		snprintf(path, sizeof path, DATA "%s", names[n]);
		reports[n] = open(path, O_RDONLY | O_CLOEXEC);
		assert_true(reports[n] >= 0);
	}
	struct process_result result = {.exit_code = exit_code, .output_bytes = strlen(text)};
	struct suite_output output = {
		.log = log, .reports = reports, .n_reports = n, .dir = "/tmp/tree", .result = &result};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
	close(log);
	for (size_t i = 0; i < n; i++)
		close(reports[i]);
}
#define REPORTS(...) ((const char *const[4]){__VA_ARGS__})

static inline void assert_result(const struct test_report *report, const char *id,
	enum test_status status, const char *message, const char *file, int line)
{
	const struct test_result *result = test_report_find(report, id);
	if (!result) {
		fail_msg("no result '%s'", id);
		return;
	}
	assert_string_equal(test_status_name(result->status), test_status_name(status));
	if (message)
		assert_string_equal(result->message ? result->message : "", message);
	if (file) {
		assert_string_equal(result->file ? result->file : "", file);
		assert_int_equal(result->line, line);
	}
}

/* How many are passed, failed, error, skipped, xfailed. */
static inline void assert_counts(
	const struct test_report *report, const size_t counts[TEST_STATUSES])
{
	for (size_t i = 0; i < TEST_STATUSES; i++)
		assert_int_equal(report->count[i], counts[i]);
}

#define COUNTS(...) ((const size_t[TEST_STATUSES]){__VA_ARGS__})
