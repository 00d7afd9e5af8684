/*
 * `go test` without -json: a package is named in its last line, after what its tests printed. Its
 * tests can be distinguished only if -v names each; otherwise the package is the test. The same of
 * a test binary alone, which marks its lines where go would read them.
 */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "verify/suite/formats/go.h"

static struct go_package *go_open_package(struct suite_reading *reading)
{
	struct go_state *go = reading->state;
	if (!go->open)
		go->open = arena_alloc(reading->arena, sizeof *go->open);
	return go->open;
}

/* "=== RUN   TestAdd", "=== CONT  TestAdd", "=== NAME  TestAdd", "=== PAUSE TestAdd"; between tests
 * "=== NAME  ", after an example with one space more. */
static bool go_read_start(struct suite_reading *reading, const char *line)
{
	static const char *const starts[] = {
		"=== RUN   *", "=== CONT  *", "=== NAME  *", "=== PAUSE *", NULL};
	struct go_state *go = reading->state;
	if (!line_matches_any(line, starts))
		return false;
	const char *name = line + 10 + strspn(line + 10, " ");
	go->running = *name ? go_test_of(reading, go_open_package(reading), name) : NULL;
	return true;
}

/* "    --- FAIL: TestTable/x/y (0.00s)", of a test that has begun. */
static bool go_read_end(struct suite_reading *reading, const char *line)
{
	static const struct status_word ends[] = {
		{"--- PASS: ", TEST_PASSED}, {"--- FAIL: ", TEST_FAILED}, {"--- SKIP: ", TEST_SKIPPED}};
	struct go_state *go = reading->state;
	enum test_status status;
	const char *name = status_word_skip(ends, ARRAY_SIZE(ends), line + strspn(line, " "), &status);
	const char *time = name ? strrchr(name, '(') : NULL;
	struct go_test *test = go->open && time > name
		? map_get_bytes(&go->open->by_name, name, (size_t)(time - 1 - name))
		: NULL;
	if (!test)
		return false;
	go_end(go->open, test, status, clock_ms_of(strtod(time + 1, NULL)));
	go->running = test;
	return true;
}

/* Move what was read of a package to its name. A repeated name is another run of the package, or a
 * forgery: the worst result of each test counts. */
static void go_name_package(
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

/* "ok example.com/acme 0.012s", "FAIL example.com/acme [build failed]". Without -v, a package that
 * passes is a test. */
static bool go_read_package(struct suite_reading *reading, const char *line)
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
		reading_add(reading, name, TEST_PASSED, NULL, NULL, 0);
	go_name_package(reading, go->open, name, failed);
	go->open = NULL;
	go->running = NULL;
	return true;
}

static void go_read_text(struct suite_reading *reading, const char *line)
{
	struct go_state *go = reading->state;
	if (go_read_start(reading, line) || go_read_end(reading, line) ||
		go_read_package(reading, line))
		return;
	if (text_starts_with(line, "--- FAIL: ") || text_starts_with(line, "panic: ") ||
		text_starts_with(line, "exit status "))
		go_open_package(reading);
	if (strcmp(line, "FAIL") == 0 || strcmp(line, "PASS") == 0)
		go->running = NULL;
	else if (go->running || go->open)
		go_hear(reading, go->open, go->running, line);
	else if (text_starts_with(line, "# ") || go->building)
		go_hear_build(reading, line);
}

/* The byte with which test binaries mark their own lines where go asks for it, to tell them from
 * what a test printed: also behind what has no line end. */
#define MARK '\x16'

void go_read_plain(struct suite_reading *reading, const char *line)
{
	const char *mark = strrchr(line, MARK);
	if (mark > line)
		go_read_text(reading, arena_strndup(reading->arena, line, (size_t)(mark - line)));
	go_read_text(reading, mark ? mark + 1 : line);
}
