/*
 * Whether what is red is due to the environment: a missing module, package or command. Each red
 * test must be; a test that fails for another reason can be judged. If the tree itself should have
 * the module, its absence is a bug.
 */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/missing.h"

/* The paragraph of a compiler's error, of which a message is the first line; or NULL. */
static const char *environment_error(
	const struct test_report *report, const char *message, struct arena *arena)
{
	bool is_error = text_starts_with(message, "error[") && report->output;
	const char *at = is_error ? strstr(report->output, message) : NULL;
	const char *end = at ? strstr(at, "\n\n") : NULL;
	return end ? arena_strndup(arena, at, (size_t)(end - at)) : at;
}

static bool environment_test_lacks(const struct test_report *report,
	const struct test_result *result, const char *const *paths, size_t n, struct arena *arena,
	struct lack *lack)
{
	const char *message = result->message ? result->message : "";
	/* A program may say in its own words what it could not import. */
	const char *more = text_starts_with(message, "ImportError: ")
		? result->detail
		: environment_error(report, message, arena);
	if (!test_status_is_red(result->status) ||
		(!missing_in_line(message, paths, n, arena, lack) &&
			!(more && missing_in_output(more, paths, n, arena, lack))))
		return false;
	lack->what = result->file
		? arena_printf(arena, "%s (%s:%d)", lack->what, result->file, result->line)
		: arena_printf(arena, "%s (%s)", lack->what, result->id);
	return true;
}

/* A file that failed as a whole, "t/a.t", lacks what its failing tests lack: "t/a.t > adds". */
static bool environment_file_lacks(const struct test_report *report, const struct test_result *file,
	const char *const *paths, size_t n, struct arena *arena, struct lack *lack)
{
	size_t length = strlen(file->id), found = 0;
	if (!test_status_is_red(file->status) || strstr(file->id, " > "))
		return false;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *test = report->results[i];
		if (!test_status_is_red(test->status) || !text_starts_with(test->id, file->id) ||
			!text_starts_with(test->id + length, " > "))
			continue;
		if (!environment_test_lacks(report, test, paths, n, arena, lack))
			return false;
		found++;
	}
	return found;
}

bool suite_result_lacks(const struct test_report *report, const struct test_result *result,
	const char *const *paths, size_t n, struct arena *arena, struct lack *lack)
{
	return environment_test_lacks(report, result, paths, n, arena, lack) ||
		environment_file_lacks(report, result, paths, n, arena, lack);
}

bool suite_lacks(const struct suite *suite, const struct test_report *report,
	const char *const *paths, size_t n, struct arena *arena, struct lack *ret_lack)
{
	const char *output = report->output ? report->output : "";
	struct lack first = {0}, lack;
	if (report->exit_code == 0)
		return false;
	if (!suite_names_tests(suite, report))
		return suite_lacks_named(suite_shown(suite), output, arena, ret_lack) ||
			missing_in_output(output, paths, n, arena, ret_lack);
	for (size_t i = 0; i < report->n; i++) {
		if (!test_status_is_red(report->results[i]->status))
			continue;
		const struct test_result *result = report->results[i];
		const char *message = result->message ? result->message : "";
		if (!suite_result_lacks(report, result, paths, n, arena, &lack) &&
			!suite_lacks_named(suite_shown(suite), message, arena, &lack))
			return false;
		if (!first.what)
			first = lack;
	}
	*ret_lack = first;
	return first.what;
}
