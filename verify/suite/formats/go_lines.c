/*
 * `go test` without -json: a package is named in its last line, after what its tests printed. Its
 * tests are told apart only where -v names each; otherwise the package is the test.
 */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/formats/go.h"

static struct go_package *open_package(struct suite_reading *reading)
{
	struct go_state *go = reading->state;
	if (!go->open)
		go->open = arena_alloc(reading->arena, sizeof *go->open);
	return go->open;
}

/* "=== RUN   TestAdd", "=== CONT  TestAdd", "=== NAME  TestAdd", "=== PAUSE TestAdd". */
static bool read_start(struct suite_reading *reading, const char *line)
{
	static const char *const starts[] = {"=== RUN   ", "=== CONT  ", "=== NAME  ", "=== PAUSE "};
	struct go_state *go = reading->state;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		if (!text_starts_with(line, starts[i]) || !line[10])
			continue;
		go->running = go_test_of(reading, open_package(reading), line + 10);
		return true;
	}
	return false;
}

/* "    --- FAIL: TestTable/x/y (0.00s)", of a test that has begun. */
static bool read_end(struct suite_reading *reading, const char *line)
{
	static const struct {
		const char *start;
		enum test_status status;
	} ends[] = {
		{"--- PASS: ", TEST_PASSED}, {"--- FAIL: ", TEST_FAILED}, {"--- SKIP: ", TEST_SKIPPED}};
	struct go_state *go = reading->state;
	const char *at = line + strspn(line, " "), *behind = strrchr(at, '(');
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (!go->open || !text_starts_with(at, ends[i].start) || !behind || behind < at + 11)
			continue;
		AUTO_ARENA scratch = ARENA_INIT;
		const char *name = arena_strndup(&scratch, at + 10, (size_t)(behind - 1 - (at + 10)));
		struct go_test *test = map_get(&go->open->by_name, name);
		if (!test)
			return false;
		go_end(go->open, test, ends[i].status, (int64_t)(strtod(behind + 1, NULL) * 1000));
		go->running = test;
		return true;
	}
	return false;
}

/* Hand what was heard of a package to its name. One that comes again is another run of the same, or
 * a forgery: its tests count as what they were at worst. */
static void name_package(
	struct suite_reading *reading, struct go_package *open, const char *name, bool failed)
{
	struct go_package *package = go_package_of(reading, name);
	for (size_t i = 0; open && i < open->n; i++) {
		struct go_test *test = open->tests[i], *own = go_test_of(reading, package, test->name);
		if (test->ended)
			go_end(package, own, test->status, test->duration_ms);
		own->why = test->why ? test->why : own->why;
	}
	if (open && *open->why.message)
		package->why = open->why;
	go_end(package, NULL, failed ? TEST_FAILED : TEST_PASSED, 0);
}

/* "ok example.com/acme 0.012s", "FAIL example.com/acme [build failed]". Without -v a package that
 * passes is a test. */
static bool read_package(struct suite_reading *reading, const char *line)
{
	struct go_state *go = reading->state;
	bool failed = text_starts_with(line, "FAIL\t"), passed = text_starts_with(line, "ok  \t");
	if (!failed && !passed)
		return false;
	const char *name = strchr(line, '\t') + 1;
	size_t n = strcspn(name, "\t ");
	if (!n || !name[n])
		return true;
	name = arena_strndup(reading->arena, name, n);
	bool is_test = passed && (!go->open || go->open->n == 0) && !strstr(line, "[no test");
	if (is_test && !map_get(&go->by_name, name))
		test_report_add(reading->report, reading->arena,
			&(struct test_result){.id = name, .status = TEST_PASSED});
	name_package(reading, go->open, name, failed);
	go->open = NULL;
	go->running = NULL;
	return true;
}

void go_read_plain(struct suite_reading *reading, const char *line)
{
	struct go_state *go = reading->state;
	if (read_start(reading, line) || read_end(reading, line) || read_package(reading, line))
		return;
	if (text_starts_with(line, "--- FAIL: ") || text_starts_with(line, "panic: ") ||
		text_starts_with(line, "exit status "))
		open_package(reading);
	if (strcmp(line, "FAIL") == 0 || strcmp(line, "PASS") == 0)
		go->running = NULL;
	else if (go->running || go->open)
		go_hear(reading, go->open, go->running, line);
	else if (text_starts_with(line, "# ") || go->building)
		go_hear_build(reading, line);
}
