/*
 * What `make check` prints where Automake made the makefile, and what many scripts print, too:
 *
 *	make[3]: Entering directory '/work/shop/tests'
 *	PASS: t_add
 *	FAIL: t_double
 *
 * With VERBOSE=1, what the failed tests printed follows, each below its underlined line, and then
 * counts. Scripts, and Automake's older harness, print it before the line. An id is "tests >
 * t_add", with the directory where make ran the test.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

#define SUMMARY "Testsuite summary for "

enum { DEEPEST = 16 };

static const struct status_word automake_words[] = {{"PASS: ", TEST_PASSED},
	{"FAIL: ", TEST_FAILED}, {"XFAIL: ", TEST_XFAILED}, {"XPASS: ", TEST_FAILED},
	{"SKIP: ", TEST_SKIPPED}, {"ERROR: ", TEST_ERROR}, {"[PASS] ", TEST_PASSED},
	{"[ PASS ] ", TEST_PASSED}, {"[OK] ", TEST_PASSED}, {"[ OK ] ", TEST_PASSED},
	{"[FAIL] ", TEST_FAILED}, {"[ FAIL ] ", TEST_FAILED}, {"[FAILED] ", TEST_FAILED},
	{"[SKIP] ", TEST_SKIPPED}};

struct automake_test {
	const char *id, *name;
	enum test_status status;
	struct outcome outcome;
};

struct automake {
	struct automake_test **tests;
	size_t n;
	struct map names;
	const char *dirs[DEEPEST]; /* in which make is */
	size_t depth;
	const char *place; /* that directory, as location.h has it */
	struct outcome all, since; /* of all lines, and of those since the last result */
	bool in_log, in_summary;
	struct automake_test *logged; /* whose output comes now */
	size_t total;
	bool has_total;
};

/* "test_add (tests.test_calc.Calc.test_add)", as unittest heads a traceback. */
static bool automake_is_unittest(const char *name)
{
	size_t n = strcspn(name, " ");
	const char *inside = name + n + strlen(" (");
	if (!n || !text_starts_with(name + n, " ("))
		return false;
	size_t length = strcspn(inside, " )");
	return inside[length] == ')' && memchr(inside, '.', length);
}

/* The name and status of a result's line, or NULL. A number is a count of results. */
static const char *automake_result(const char *line, enum test_status *ret_status)
{
	const char *name =
		status_word_skip(automake_words, ARRAY_SIZE(automake_words), line, ret_status);
	if (!name)
		return NULL;
	name += strspn(name, " \t");
	bool is_name = *name && name[strspn(name, "0123456789")] && !automake_is_unittest(name);
	return is_name ? name : NULL;
}

static bool automake_shows(const char *line)
{
	enum test_status status;
	const char *name = automake_result(line, &status);
	/* Many programs begin what went wrong with "ERROR: ". */
	return name && !strstr(line, "rror: ") && !(status == TEST_ERROR && strchr(name, ' '));
}

/* Where make is, relative to the tree's root; "": there, or elsewhere. */
static const char *automake_dir(const struct automake *state)
{
	const char *dir = state->depth ? state->dirs[state->depth - 1] : "";
	return *dir == '/' ? "" : dir;
}

/* A directory that a quote ends, relative to the tree's root, also if a copy of the tree is built,
 * whose path ends with the tree's. */
static const char *automake_place_of(struct suite_reading *reading, const char *path)
{
	const char *whole = arena_strndup(reading->arena, path, strcspn(path, "'"));
	size_t n = location_root_length(reading->dir);
	const char *root = n ? memmem(whole, strlen(whole), reading->dir, n) : NULL;
	const char *below = root ? root + n : whole;
	return root && (*below == '/' || !*below) ? below + (*below == '/') : whole;
}

/* "make[2]: Entering directory '/work/shop/tests'". */
static void automake_follow(struct suite_reading *reading, const char *line)
{
	static const char enter[] = ": Entering directory '", leave[] = ": Leaving directory '";
	struct automake *state = reading->state;
	const char *at = strstr(line, enter);
	state->place = state->place ? state->place : reading->dir;
	if ((!text_starts_with(line, "make") && !text_starts_with(line, "gmake")) ||
		(!at && !strstr(line, leave)))
		return;
	if (at && state->depth < DEEPEST) {
		state->dirs[state->depth++] = automake_place_of(reading, at + strlen(enter));
	} else if (!at && state->depth)
		state->depth--;
	const char *dir = automake_dir(state);
	state->place = *dir && reading->dir
		? arena_printf(reading->arena, "%.*s" LOCATION_FROM "%s",
			  (int)location_root_length(reading->dir), reading->dir, dir)
		: reading->dir;
}

static void automake_add(struct suite_reading *reading, const char *name, enum test_status status)
{
	struct automake *state = reading->state;
	const char *dir = automake_dir(state);
	struct automake_test *test = arena_alloc(reading->arena, sizeof *test);
	const char *id = arena_printf(
		reading->arena, "%s%s%s", dir, *dir ? " > " : "", name);
	*test = (struct automake_test){.id = id_numbered(&state->names, id, reading->arena),
		.name = arena_strdup(reading->arena, name),
		.status = status,
		.outcome = state->since};
	state->since = (struct outcome){0};
	ARENA_PUSH(reading->arena, state->tests, state->n, test);
}

/* In the log, "FAIL: t_add" is a heading, and "FAIL t_add (exit status: 1)" its end. */
static void automake_read_log(struct suite_reading *reading, const char *line)
{
	struct automake *state = reading->state;
	enum test_status status;
	const char *name = automake_result(line, &status);
	for (size_t i = 0; name && i < state->n; i++)
		if (strcmp(state->tests[i]->name, name) == 0 && state->tests[i]->status == status) {
			state->logged = state->tests[i];
			state->logged->outcome = (struct outcome){0};
			return;
		}
	if (state->logged && !text_starts_with(line, "==="))
		outcome_line(&state->logged->outcome, state->place, line);
}

static void automake_read_line(struct suite_reading *reading, const char *line)
{
	struct automake *state = reading->state;
	enum test_status status;
	automake_follow(reading, line);
	outcome_line(&state->all, state->place, line);
	if (strcmp(line, ".. contents:: :depth: 2") == 0)
		state->in_log = true;
	if (text_starts_with(line, SUMMARY)) {
		state->in_log = false;
		state->in_summary = true;
		state->logged = NULL;
	}
	if (state->in_summary && text_starts_with(line, "# TOTAL: ")) {
		state->in_summary = false;
		state->has_total = true;
		state->total += strtoul(line + strlen("# TOTAL: "), NULL, 10);
	}
	if (state->in_log) {
		automake_read_log(reading, line);
		return;
	}
	const char *name = automake_result(line, &status);
	if (name)
		automake_add(reading, name, status);
	else if (!text_starts_with(line, "==="))
		outcome_line(&state->since, state->place, line);
}

/* Lines that the exit code contradicts tell nothing: then the command is the only test. */
static const char *automake_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	const struct automake *state = reading->state;
	const char *command = suite_shown(reading->suite);
	size_t n_red = 0;
	for (size_t i = 0; i < state->n; i++)
		n_red += test_status_is_red(state->tests[i]->status);
	if (n_red && result->exit_code == 0)
		return outcome_finish(&state->all, reading, command, result);
	for (size_t i = 0; i < state->n; i++) {
		const struct automake_test *test = state->tests[i];
		reading_add(reading, test->id, test->status, test->outcome.message,
			&test->outcome.location, 0);
	}
	if (state->has_total && state->total != state->n)
		return arena_printf(reading->arena, "the summary counts %zu tests, and %zu lines say so",
			state->total, state->n);
	return n_red || result->exit_code == 0
		? NULL
		: outcome_finish(&state->all, reading, command, result);
}

const struct format automake_format = {
	.name = "automake",
	.summary = "make check by Automake, and scripts that print PASS: or FAIL: and a name",
	.state_size = sizeof(struct automake),
	.shows = automake_shows,
	.is_alone = true,
	.sole_sign = SUMMARY,
	.read_line = automake_read_line,
	.finish = automake_finish,
};
