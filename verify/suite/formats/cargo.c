/*
 * `cargo test`: the lines of libtest, one test program after the other; stable Rust has no JSON.
 * The output of failed tests comes below "failures:"; what a program writes past print! may come
 * anywhere. So the numbers in each program's result line must agree with the tests that were read.
 *
 * A program with `harness = false` has no such lines: it is one test by the name of its source,
 * which fails if cargo says so.
 *
 * A test's id is its program's source file and its path. The line in a doc-test's name is left out,
 * since any edit above moves it; doc-tests of one item are numbered by their lines.
 */
#include "verify/suite/formats/cargo.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/suite/ids.h"

/* "test result: FAILED. 3 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; ...". */
#define RESULT "test result: *. # passed; # failed; #*"

/* --- Which program --- */

static void cargo_open_target(struct suite_reading *reading, const char *source, const char *crate)
{
	struct cargo_state *cargo = reading->state;
	struct cargo_target *target = arena_alloc(reading->arena, sizeof *target);
	target->source = source;
	target->crate = crate;
	ARENA_PUSH(reading->arena, cargo->targets, cargo->n, target);
	cargo->target = target;
	cargo->running = cargo->explained = cargo->slow = NULL;
	cargo->in_failures = false;
}

/* "     Running unittests src/lib.rs (target/debug/deps/acme-0cbcb27d618d0ea7)",
 * "   Doc-tests acme". */
static bool cargo_read_target(struct suite_reading *reading, const char *line)
{
	struct arena *arena = reading->arena;
	const char *documented = line_match(line, "   Doc-tests *", NULL);
	const char *at = line_match(line, "     Running *", NULL);
	if (documented)
		cargo_open_target(reading, "doc-tests", arena_strdup(arena, documented));
	if (!at)
		return documented;
	if (text_starts_with(at, "unittests "))
		at += strlen("unittests ");
	const char *open = strrchr(at, '('), *program = open ? open + 1 : at;
	program = file_name(program);
	const char *hash = strrchr(program, '-');
	const char *crate =
		arena_strndup(arena, program, hash ? (size_t)(hash - program) : strcspn(program, ")"));
	bool named = open > at && open[-1] == ' ';
	cargo_open_target(
		reading, named ? arena_strndup(arena, at, (size_t)(open - 1 - at)) : crate, crate);
	return true;
}

/* --- Its tests --- */

/* The name and the line of a doc-test, "src/lib.rs - add (line 5) - compile". */
static const char *cargo_cut_line(const char *name, struct arena *arena, long *ret_line)
{
	const char *at = strstr(name, " (line "), *end = at ? strchr(at, ')') : NULL;
	*ret_line = 0;
	if (!end)
		return arena_strdup(arena, name);
	*ret_line = strtol(at + strlen(" (line "), NULL, 10);
	return arena_printf(arena, "%.*s%s", (int)(at - name), name, end + 1);
}

static struct cargo_test *cargo_test_of(struct suite_reading *reading, const char *name)
{
	struct cargo_target *target = ((struct cargo_state *)reading->state)->target;
	struct cargo_test *test = map_get(&target->by_name, name);
	if (test)
		return test;
	test = arena_alloc(reading->arena, sizeof *test);
	test->name = arena_strdup(reading->arena, name);
	if (strcmp(target->source, "doc-tests") == 0)
		test->name = cargo_cut_line(name, reading->arena, &test->line);
	map_put(&target->by_name, reading->arena, arena_strdup(reading->arena, name), test);
	ARENA_PUSH(reading->arena, target->tests, target->n, test);
	return test;
}

static bool cargo_status_of(const char *text, enum test_status *ret_status)
{
	static const struct status_word words[] = {{"ok", TEST_PASSED}, {"FAILED", TEST_FAILED},
		{"failed", TEST_FAILED}, {"ignored", TEST_SKIPPED}};
	const char *rest = status_word_skip(words, ARRAY_SIZE(words), text, ret_status);
	return rest && (!*rest || *rest == ',' || *rest == ' ');
}

static void cargo_end_test(struct cargo_test *test, enum test_status status)
{
	if (!test->ended || status == TEST_FAILED)
		test->status = status;
	test->ended = true;
}

/* The n bytes without the words that are no part of a name. */
static const char *cargo_cut_words(struct arena *arena, const char *name, size_t n)
{
	static const char panics[] = " - should panic";
	char *copy = arena_strndup(arena, name, n);
	if (text_ends_with(copy, panics))
		copy[n - strlen(panics)] = '\0';
	return copy;
}

/* "test tests::adds ... FAILED"; if only one runs at a time, its output comes between the dots and
 * the result. */
static bool cargo_read_test(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	const char *dots = text_starts_with(line, "test ") ? strstr(line + 5, " ... ") : NULL;
	if (!dots)
		return false;
	for (const char *next; (next = strstr(dots + 1, " ... "));)
		dots = next;
	AUTO_ARENA scratch = ARENA_INIT;
	enum test_status status;
	struct cargo_test *test =
		cargo_test_of(reading, cargo_cut_words(&scratch, line + 5, (size_t)(dots - line - 5)));
	cargo->running = test;
	if (!cargo_status_of(dots + 5, &status))
		return true;
	cargo_end_test(test, status);
	if (status == TEST_SKIPPED && dots[5 + strlen("ignored")] == ',') {
		test->why = arena_alloc(reading->arena, sizeof *test->why);
		const char *why = dots + 5 + strlen("ignored,");
		text_copy(test->why->message, sizeof test->why->message, why + strspn(why, " "));
	}
	cargo->running = NULL;
	return true;
}

/* "test tests::adds has been running for over 60 seconds". */
static bool cargo_read_slow(struct suite_reading *reading, const char *line)
{
	static const char end[] = " has been running for over 60 seconds";
	struct cargo_state *cargo = reading->state;
	size_t n = strlen(line);
	if (n < 5 + strlen(end) || !text_starts_with(line, "test ") || !text_ends_with(line, end))
		return false;
	AUTO_ARENA scratch = ARENA_INIT;
	cargo->slow = cargo_test_of(reading, cargo_cut_words(&scratch, line + 5, n - 5 - strlen(end)));
	return true;
}

/* A line that a running test prints; the last one ends with its result. */
static void cargo_hear_running(struct cargo_state *cargo, const char *line)
{
	if (text_ends_with(line, "FAILED"))
		cargo_end_test(cargo->running, TEST_FAILED);
	else if (text_ends_with(line, "ok"))
		cargo_end_test(cargo->running, TEST_PASSED);
}

/* --- Its end --- */

static bool cargo_agrees(const struct cargo_target *target, const size_t numbers[3])
{
	size_t counted[TEST_STATUSES] = {0};
	for (size_t i = 0; i < target->n; i++)
		if (target->tests[i]->ended)
			counted[target->tests[i]->status]++;
	return counted[TEST_PASSED] == numbers[0] && counted[TEST_FAILED] == numbers[1] &&
		counted[TEST_SKIPPED] == numbers[2] && target->n <= target->promised;
}

static bool cargo_read_result(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	size_t numbers[3];
	if (!line_match(line, RESULT, numbers))
		return false;
	cargo->target->counted = true;
	if (!cargo_agrees(cargo->target, numbers))
		return false;
	cargo->target->ended = true;
	cargo->target = NULL;
	return true;
}

/* "---- tests::adds stdout ----" begins what a failed test printed. */
static bool cargo_read_section(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	static const char start[] = "---- ", end[] = " stdout ----";
	if (!text_starts_with(line, start) || !text_ends_with(line, end))
		return false;
	AUTO_ARENA scratch = ARENA_INIT;
	size_t n = strlen(line), marks = strlen(start) + strlen(end);
	if (n <= marks)
		return false;
	const char *name = cargo_cut_words(&scratch, line + strlen(start), n - marks);
	struct cargo_test *test = map_get(&cargo->target->by_name, name);
	if (!test || test->status != TEST_FAILED || test->why)
		return false;
	test->why = arena_alloc(reading->arena, sizeof *test->why);
	cargo->explained = test;
	return true;
}

static void cargo_read_in_target(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	struct cargo_target *target = cargo->target;
	if (!target->begun && line_match(line, "running # test*", &target->promised)) {
		target->begun = true;
	} else if (cargo_read_result(reading, line)) {
		return;
	} else if (!cargo->in_failures && strcmp(line, "failures:") == 0) {
		cargo->in_failures = true;
	} else if (cargo->in_failures) {
		if (!cargo_read_section(reading, line) && cargo->explained)
			cargo_hear(cargo->explained->why, reading->dir, line);
	} else if (!cargo_read_slow(reading, line) && !cargo_read_test(reading, line)) {
		if (cargo->running)
			cargo_hear_running(cargo, line);
		cargo_hear(&target->crash, reading->dir, line);
	}
}

/* --- Between the programs --- */

/* "error: could not compile `acme` (lib test) due to 1 previous error". Which of a package's
 * targets was first is chance. */
static bool cargo_read_unbuilt(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	const char *name = line_match(line, "error: could not compile `*", NULL);
	if (name)
		ARENA_PUSH(reading->arena, cargo->unbuilt, cargo->n_unbuilt,
			arena_strndup(reading->arena, name, strcspn(name, "`")));
	return name;
}

/* A program without a result has crashed: "error: test failed, to rerun pass `--lib`", then "Caused
 * by:". */
static void cargo_read_crash(struct cargo_state *cargo, const char *line)
{
	struct cargo_target *last = cargo->n ? cargo->targets[cargo->n - 1] : NULL;
	const char *signal = strstr(line, "(signal: ");
	signal = signal ? signal : strstr(line, "(exit status: ");
	if (last && !last->ended && signal && !*last->crash.message)
		text_copy(last->crash.message, sizeof last->crash.message, signal);
}

static void cargo_read_line(struct suite_reading *reading, const char *line)
{
	struct cargo_state *cargo = reading->state;
	bool rerun = text_starts_with(line, "error: test failed, to rerun pass ") ||
		text_starts_with(line, "error: doctest failed, to rerun pass ");
	if (rerun && cargo->n)
		cargo->targets[cargo->n - 1]->failed = true;
	if (rerun)
		cargo->target = NULL;
	else if (cargo_read_target(reading, line))
		return;
	else if (cargo->target)
		cargo_read_in_target(reading, line);
	else if (!cargo_read_unbuilt(reading, line) && cargo->n == 0)
		cargo_hear(&cargo->build, reading->dir, line);
	else
		cargo_read_crash(cargo, line);
}

/* --- The end --- */

static void cargo_add(struct suite_reading *reading, const char *id, enum test_status status,
	const struct cargo_why *why)
{
	reading_add(reading, id, status, why ? why->message : NULL, why ? &why->location : NULL, 0);
}

static int cargo_compare_lines(const void *a, const void *b)
{
	const struct cargo_test *one = *(struct cargo_test *const *)a,
							*other = *(struct cargo_test *const *)b;
	int order = strcmp(one->name, other->name);
	return order ? order : (one->line > other->line) - (one->line < other->line);
}

/* Whether several programs have this source, so that the crate must tell them apart. */
static bool cargo_is_shared(const struct cargo_state *cargo, const struct cargo_target *target)
{
	size_t n = 0;
	for (size_t i = 0; i < cargo->n; i++)
		n += strcmp(cargo->targets[i]->source, target->source) == 0;
	return n > 1;
}

/* The test of the last program that has begun and not ended, as far as cargo names it. */
static const struct cargo_test *cargo_unended(const struct cargo_state *cargo)
{
	const struct cargo_test *test = cargo->running ? cargo->running : cargo->slow;
	return cargo->target && test && !test->ended ? test : NULL;
}

/* Whether it is a program without libtest. */
static bool cargo_is_own(const struct cargo_target *target)
{
	return !target->begun && !target->counted && !target->n &&
		strcmp(target->source, "doc-tests") != 0;
}

/* It passed unless it is the last of a run that broke off. */
static bool cargo_own_passed(
	const struct cargo_state *cargo, const struct cargo_target *target, int exit_code)
{
	return !target->failed && (exit_code == 0 || target != cargo->targets[cargo->n - 1]);
}

static void cargo_add_target(
	struct suite_reading *reading, struct cargo_target *target, int exit_code)
{
	struct cargo_state *cargo = reading->state;
	struct arena *arena = reading->arena;
	const char *name = cargo_is_shared(cargo, target)
		? arena_printf(arena, "%s:%s", target->crate, target->source)
		: target->source;
	if (target->n && strcmp(target->source, "doc-tests") == 0)
		qsort(target->tests, target->n, sizeof *target->tests, cargo_compare_lines);
	for (size_t i = 0; i < target->n; i++) {
		const struct cargo_test *test = target->tests[i];
		const char *id = arena_printf(arena, "%s::%s", name, test->name);
		cargo_add(reading, id_numbered(&cargo->ids, id, arena),
			test->ended ? test->status : TEST_ERROR, test->ended ? test->why : &target->crash);
	}
	if (cargo_is_own(target) && cargo_own_passed(cargo, target, exit_code))
		cargo_add(reading, id_numbered(&cargo->ids, name, arena), TEST_PASSED, NULL);
	else if (!target->ended && !cargo_unended(cargo))
		cargo_add(reading, id_numbered(&cargo->ids, name, arena), TEST_ERROR, &target->crash);
}

static const char *cargo_finish(struct suite_reading *reading, const struct process_result *result)
{
	const char *problem = NULL;
	struct cargo_state *cargo = reading->state;
	for (size_t i = 0; i < cargo->n; i++) {
		struct cargo_target *target = cargo->targets[i];
		if (!target->ended && !cargo_is_own(target) && result->exit_code == 0)
			problem = target->counted
				? arena_printf(reading->arena,
					  "the runner's two reports disagree: "
					  "the tests of %s are not as many as its result says",
					  target->source)
				: arena_printf(reading->arena, "the tests of %s came to no result", target->source);
		cargo_add_target(reading, target, result->exit_code);
	}
	for (size_t i = 0; i < cargo->n_unbuilt; i++)
		cargo_add(reading, cargo->unbuilt[i], TEST_ERROR, &cargo->build);
	return problem;
}

/* Its id is that of the last result that was added. */
static const char *cargo_running(struct suite_reading *reading)
{
	const struct cargo_state *cargo = reading->state;
	const struct cargo_test *test = cargo_unended(cargo);
	const struct test_report *report = reading->report;
	for (size_t i = report->n; test && i-- > 0;)
		if (report->results[i]->status == TEST_ERROR &&
			text_ends_with(
				report->results[i]->id, arena_printf(reading->arena, "::%s", test->name)))
			return report->results[i]->id;
	return NULL;
}

const struct format cargo_format = {
	.name = "cargo",
	.summary = "cargo test, in lines",
	.state_size = sizeof(struct cargo_state),
	.tells_all = true,
	.signs = (const char *const[]){RESULT, "error: could not compile `*",
		"     Running unittests *", NULL},
	.read_line = cargo_read_line,
	.running = cargo_running,
	.finish = cargo_finish,
};
