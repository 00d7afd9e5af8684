/*
 * `meson test --print-errorlogs`: a line for each test, after that what a failed one printed, and
 * counts at the end.
 *
 *	2/6 shop:unit / doubles  FAIL            0.02s   killed by signal 6 SIGABRT
 *	>>> MALLOC_PERTURB_=165 /tmp/b/add 2
 *	stderr:
 *	add: ../test_add.c:10: main: Assertion `add(2, 2) == 5' failed.
 *
 *	Summary of Failures:
 *	2/6 shop:unit / doubles  FAIL            0.02s   killed by signal 6 SIGABRT
 *
 *	Ok:                 1
 *	Fail:               1
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "verify/suite/ids.h"
#include "verify/suite/outcome.h"

enum { SUMMED = 8 };

static const struct {
	const char *word; /* in a test's line */
	const char *sum;  /* what its count is called at the end */
	enum test_status status;
} meson_results[SUMMED] = {
	{"OK", "Ok:", TEST_PASSED},
	{"EXPECTEDFAIL", "Expected Fail:", TEST_XFAILED},
	{"FAIL", "Fail:", TEST_FAILED},
	{"UNEXPECTEDPASS", "Unexpected Pass:", TEST_FAILED},
	{"SKIP", "Skipped:", TEST_SKIPPED},
	{"TIMEOUT", "Timeout:", TEST_ERROR},
	{"ERROR", "Fail:", TEST_ERROR}, /* a program that speaks TAP, and broke off */
	{"INTERRUPT", "Fail:", TEST_ERROR},
};

struct meson_test {
	const char *id;
	enum test_status status;
	const char *ended; /* "killed by signal 6 SIGABRT" */
	int64_t duration_ms;
	struct outcome outcome; /* of what it printed */
};

struct meson {
	struct meson_test **tests;
	size_t n;
	struct map names;
	size_t seen[SUMMED], summed[SUMMED]; /* by what their counts are called */
	bool has_sum;
	bool is_over, is_counted; /* the tests' lines come again; the counts after them came */
};

/* Where "  FAIL   0.02s" begins in a line, and which result that is; NULL: in no place. */
static const char *meson_find_result(const char *line, size_t *ret_result)
{
	for (size_t i = 0; i < SUMMED; i++)
		for (const char *at = line; (at = strstr(at, meson_results[i].word)); at++) {
			const char *after = at + strlen(meson_results[i].word);
			const char *number = after + strspn(after, " ");
			const char *unit = number + strspn(number, "0123456789.");
			if (at > line && at[-1] == ' ' && number > after && unit > number && *unit == 's') {
				*ret_result = i;
				return at;
			}
		}
	return NULL;
}

static const char *meson_after_number(const char *line)
{
	int n = 0;
	line += strspn(line, " ");
	sscanf(line, "%*u/%*u %n", &n);
	return n ? line + n : NULL;
}

/* The first result that is counted under the same name. */
static size_t meson_count_of(size_t result)
{
	size_t first = 0;
	while (strcmp(meson_results[first].sum, meson_results[result].sum) != 0)
		first++;
	return first;
}

static bool meson_shows(const char *line)
{
	size_t result;
	const char *name = meson_after_number(line);
	return name && meson_find_result(name, &result);
}

static bool meson_read_test(struct suite_reading *reading, const char *line)
{
	struct meson *meson = reading->state;
	size_t result;
	const char *name = meson_after_number(line);
	const char *at = name ? meson_find_result(name, &result) : NULL;
	if (!at)
		return false;
	size_t n = (size_t)(at - name);
	while (n && name[n - 1] == ' ')
		n--;
	const char *time = at + strcspn(at, "0123456789"), *unit = strchr(time, 's');
	struct meson_test *test = arena_alloc(reading->arena, sizeof *test);
	*test = (struct meson_test){
		.id = id_numbered(&meson->names, arena_strndup(reading->arena, name, n), reading->arena),
		.status = meson_results[result].status,
		.ended = arena_strdup(reading->arena, unit + 1 + strspn(unit + 1, " ")),
		.duration_ms = clock_ms_of(strtod(time, NULL)),
	};
	if (strcmp(meson_results[result].word, "UNEXPECTEDPASS") == 0)
		test->ended = "it passed, and should fail";
	meson->seen[meson_count_of(result)]++;
	ARENA_PUSH(reading->arena, meson->tests, meson->n, test);
	return true;
}

static void meson_read_sum(struct meson *meson, const char *line)
{
	for (size_t i = 0; i < SUMMED; i++) {
		size_t n = strlen(meson_results[i].sum);
		if (!text_starts_with(line, meson_results[i].sum) || line[n] != ' ')
			continue;
		meson->has_sum = meson->is_over = meson->is_counted = true;
		meson->summed[i] += strtoul(line + n, NULL, 10);
		return;
	}
}

static void meson_read_line(struct suite_reading *reading, const char *line)
{
	struct meson *meson = reading->state;
	struct meson_test *last = meson->n ? meson->tests[meson->n - 1] : NULL;
	meson_read_sum(meson, line);
	if (strcmp(line, "Summary of Failures:") == 0)
		meson->is_over = true;
	if (meson->is_counted && meson_shows(line)) /* of another run */
		meson->is_over = meson->is_counted = false;
	if (meson->is_over || meson_read_test(reading, line))
		return;
	static const char *const frames[] = {
		">>> *", "―*", "* time out (After *", "stdout:", "stderr:", NULL};
	if (last && test_status_is_red(last->status) && !line_matches_any(line, frames))
		outcome_line(&last->outcome, reading->dir, line);
}

static const char *meson_finish(struct suite_reading *reading, const struct process_result *result)
{
	const struct meson *meson = reading->state;
	(void)result;
	for (size_t i = 0; i < meson->n; i++) {
		const struct meson_test *test = meson->tests[i];
		const char *message = *test->outcome.message ? test->outcome.message : test->ended;
		reading_add(reading, test->id, test->status, message, &test->outcome.location,
			test->duration_ms);
	}
	if (!meson->has_sum)
		return "meson test did not come to its end";
	for (size_t i = 0; i < SUMMED; i++)
		if (meson->seen[i] != meson->summed[i])
			return arena_printf(reading->arena,
				"meson counts %zu tests as '%s', and %zu lines say so", meson->summed[i],
				meson_results[i].sum, meson->seen[i]);
	return NULL;
}

const struct format meson_format = {
	.name = "meson",
	.summary = "meson test: its lines, and what failed tests printed",
	.state_size = sizeof(struct meson),
	.shows = meson_shows,
	.read_line = meson_read_line,
	.finish = meson_finish,
};
