/*
 * What `go test` prints: JSON if rondo asked for it, else lines. In JSON, go itself tells results
 * from what a test printed: its test binaries mark their own lines with a byte (0x16), and only
 * marked lines become events. Go names packages and tests, not files; the place comes from what a
 * failing test says. Examples and the seeds of fuzz tests are tests; benchmarks are not.
 *
 * A package that failed without a failing test, such as one that cannot be built, is a TEST_ERROR.
 */
#include "verify/suite/formats/go.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

struct go_package *go_package_of(struct suite_reading *reading, const char *name)
{
	struct go_state *go = reading->state;
	struct go_package *package = map_get(&go->by_name, name);
	if (package)
		return package;
	package = arena_alloc(reading->arena, sizeof *package);
	package->name = arena_strdup(reading->arena, name);
	map_put(&go->by_name, reading->arena, package->name, package);
	ARENA_PUSH(reading->arena, go->packages, go->n, package);
	return package;
}

struct go_test *go_test_of(
	struct suite_reading *reading, struct go_package *package, const char *name)
{
	struct go_test *test = map_get(&package->by_name, name);
	if (test)
		return test;
	test = arena_alloc(reading->arena, sizeof *test);
	test->name = arena_strdup(reading->arena, name);
	map_put(&package->by_name, reading->arena, test->name, test);
	ARENA_PUSH(reading->arena, package->tests, package->n, test);
	return test;
}

void go_end(
	struct go_package *package, struct go_test *test, enum test_status status, int64_t duration_ms)
{
	if (!test) {
		package->ended = true;
		package->failed = package->failed || status == TEST_FAILED;
		return;
	}
	if (!test->ended || status == TEST_FAILED)
		test->status = status;
	test->ended = true;
	test->duration_ms = duration_ms ? duration_ms : 1; /* it was measured */
}

/* --- JSON --- */

/* A test may run tests of its own, by testing.RunTests, also to see them fail: then one begins that
 * stands in no other, while another one runs and does not wait. */
static void go_note_inner(struct go_package *package, struct go_test *test, const char *action)
{
	if (strchr(test->name, '/') || strcmp(action, "output") == 0)
		return;
	if (strcmp(action, "run") == 0) {
		test->is_inner = package->top && package->top != test;
		package->top = test->is_inner ? package->top : test;
	} else if (package->top == test) {
		package->top = NULL;
	}
}

static void go_read_event(
	struct suite_reading *reading, const struct json *event, struct arena *scratch)
{
	static const struct status_word ends[] = {
		{"pass", TEST_PASSED}, {"fail", TEST_FAILED}, {"skip", TEST_SKIPPED}};
	const char *action = json_string(event, "Action", "");
	const char *name = json_string(event, "Package", NULL);
	const char *output = json_string(event, "Output", "");
	output = arena_strndup(scratch, output, strcspn(output, "\n"));
	const char *test_name = json_string(event, "Test", NULL);
	if (strcmp(action, "build-output") == 0)
		go_hear_build(reading, output);
	if (!name)
		return;
	struct go_package *package = go_package_of(reading, name);
	const char *build = json_string(event, "FailedBuild", NULL);
	if (build)
		package->build = arena_strndup(reading->arena, build, strcspn(build, " "));
	struct go_test *test = test_name ? go_test_of(reading, package, test_name) : NULL;
	enum test_status status;
	const char *rest = status_word_skip(ends, ARRAY_SIZE(ends), action, &status);
	if (test) {
		test->is_paused =
			strcmp(action, "pause") == 0 || (test->is_paused && strcmp(action, "output") == 0);
		go_note_inner(package, test, action);
	}
	if (strcmp(action, "output") == 0)
		go_hear(reading, package, test, output);
	else if (rest && !*rest)
		go_end(package, test, status, clock_ms_of(json_number(event, "Elapsed", 0)));
}

/* Most of a log is what tests print. Only what may say why one failed is worth parsing. */
static bool go_is_of_use(const char *line)
{
	static const char *const signs[] = {
		".go:", "panic: ", "Error:", "exit status ", "fatal error: "};
	if (!strstr(line, "\"Action\":\"output\""))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strstr(line, signs[i]))
			return true;
	return false;
}

static bool go_shows(const char *line)
{
	return (text_starts_with(line, "{\"Time\":\"") ||
			   text_starts_with(line, "{\"ImportPath\":\"") ||
			   text_starts_with(line, "{\"Action\":\"")) &&
		strstr(line, "\"Action\":\"");
}

static void go_read_line(struct suite_reading *reading, const char *line)
{
	if (!go_shows(line)) {
		go_read_plain(reading, line);
		return;
	}
	if (!go_is_of_use(line))
		return;
	AUTO_ARENA scratch = ARENA_INIT;
	struct rondo_error ignored;
	AUTO_JSON *event = json_parse(line, strlen(line), &ignored);
	if (event)
		go_read_event(reading, event, &scratch);
}

/* --- The end --- */

static void go_add(struct suite_reading *reading, const char *id, enum test_status status,
	const struct go_why *why, const char *otherwise, int64_t duration_ms)
{
	const char *message = why && *why->message ? why->message : NULL;
	if (!message && test_status_is_red(status))
		message = otherwise;
	reading_add(reading, id, status, message, why ? &why->location : NULL, duration_ms);
}

static void go_add_test(
	struct suite_reading *reading, const struct go_package *package, const struct go_test *test)
{
	const char *id = arena_printf(reading->arena, "%s::%s", package->name, test->name);
	const char *otherwise = "failed";
	if (!test->ended)
		otherwise = "it did not come to its end";
	else if (text_starts_with(test->name, "Example"))
		otherwise = "its output is not the one that it names";
	go_add(reading, id, test->ended ? test->status : TEST_ERROR, test->why, otherwise,
		test->duration_ms);
}

/* Whether the test that ran it knows that it is red: go lets no test pass if one in it fails. */
static bool go_is_expected(const struct go_package *package, const struct go_test *test)
{
	for (const char *end = strchr(test->name, '/'); end; end = strchr(end + 1, '/')) {
		const struct go_test *around =
			map_get_bytes(&package->by_name, test->name, (size_t)(end - test->name));
		if (around && (around->is_inner || (around->ended && around->status == TEST_PASSED)))
			return true;
	}
	return test->is_inner;
}

static const char *go_add_package(struct suite_reading *reading, const struct go_package *package)
{
	struct go_state *go = reading->state;
	size_t red = test_report_red(reading->report);
	for (size_t i = 0; i < package->n; i++) {
		const struct go_test *test = package->tests[i];
		bool is_red = !test->ended || test_status_is_red(test->status);
		if (!is_red || !go_is_expected(package, test))
			go_add_test(reading, package, test);
	}
	bool explained = test_report_red(reading->report) > red;
	if (!package->ended)
		return arena_printf(reading->arena, "go test ended in the middle of %s", package->name);
	if (!package->failed && explained)
		return arena_printf(reading->arena,
			"go's results disagree: %s passed, but not all of its tests", package->name);
	if (!package->failed || explained)
		return NULL;
	const struct go_why *why = package->build ? map_get(&go->builds, package->build) : NULL;
	why = why ? why : map_get(&go->builds, package->name);
	go_add(reading, package->name, TEST_ERROR, why && *why->message ? why : &package->why,
		"the package fails, and none of its tests says why", 0);
	return NULL;
}

static const char *go_finish(struct suite_reading *reading, const struct process_result *result)
{
	(void)result;
	struct go_state *go = reading->state;
	const char *problem = go->open ? "go test ended in the middle of a package" : NULL;
	for (size_t i = 0; i < go->n; i++) {
		const char *other = go_add_package(reading, go->packages[i]);
		problem = other ? other : problem;
	}
	return problem;
}

/* Of tests within each other the innermost. */
static const char *go_running(struct suite_reading *reading)
{
	const struct go_state *go = reading->state;
	const char *found = NULL;
	for (size_t i = 0; i < go->n; i++)
		for (size_t k = 0; k < go->packages[i]->n; k++) {
			const struct go_test *test = go->packages[i]->tests[k];
			if (!test->ended && !test->is_paused)
				found = arena_printf(reading->arena, "%s::%s", go->packages[i]->name, test->name);
		}
	return found;
}

const struct format go_format = {
	.name = "go",
	.summary = "go test, as JSON or in lines",
	.state_size = sizeof(struct go_state),
	.tells_all = true,
	/* "ok  	example.com/acme	0.012s", "FAIL	example.com/acme [build failed]" */
	.signs = (const char *const[]){"ok  \t*\t*", "ok  \t*[*", "?   \t*\t*", "?   \t*[*",
		"FAIL\t*\t*", "FAIL\t*[*", NULL},
	.shows = go_shows,
	.read_line = go_read_line,
	.running = go_running,
	.finish = go_finish,
};
