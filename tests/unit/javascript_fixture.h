/* What the tests of jest, vitest and mocha share: stored pairs of output and report file, and how
 * such a pair is spoilt. */
#pragma once
#include "tests/unit/suite_fixture.h"

/* What a command left that also wrote a report file. */
static inline void read_with_report(const char *command, const char *text, const char *file,
	int exit_code, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	struct rondo_error err = {0};
	suite_from_command(command, "from a test", arena, &suite);
	struct process_result result = {
		.exit_code = exit_code, .duration_ms = 1000, .output_bytes = strlen(text)};
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	AUTO_CLOSE written = memfd_create("report", MFD_CLOEXEC);
	assert_true(log >= 0 && written >= 0);
	assert_int_equal(write(log, text, strlen(text)), strlen(text));
	assert_int_equal(write(written, file, strlen(file)), strlen(file));
	struct suite_output output = {
		.log = log, .reports = &written, .n_reports = 1, .dir = "/tmp/tree", .result = &result};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
}

/* A stored run: NAME.txt is what was printed, NAME.json what was written. */
static inline void read_pair(const char *command, const char *name, int exit_code,
	struct arena *arena, struct test_report *report)
{
	read_with_report(command, stored(arena_printf(arena, "%s.txt", name), arena),
		stored(arena_printf(arena, "%s.json", name), arena), exit_code, arena, report);
}

/* A text with `from`, which stands in it, replaced by `to` where it stands first. */
static inline const char *altered(
	const char *text, const char *from, const char *to, struct arena *arena)
{
	const char *at = strstr(text, from);
	assert_non_null(at);
	return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* A pair in which one of the two says something else. */
static inline void read_altered(const char *command, const char *name, const char *suffix,
	const char *from, const char *to, struct arena *arena, struct test_report *report)
{
	const char *text = stored(arena_printf(arena, "%s.txt", name), arena);
	const char *file = stored(arena_printf(arena, "%s.json", name), arena);
	bool is_text = strcmp(suffix, "txt") == 0;
	read_with_report(command, is_text ? altered(text, from, to, arena) : text,
		is_text ? file : altered(file, from, to, arena), 1, arena, report);
}
