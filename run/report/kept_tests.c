/* The tests before and after, from what a run keeps: the JUnit files, and what testers said. */
#include <fcntl.h>
#include <string.h>

#include "base/memory.h"
#include "run/report/report.h"
#include "run/stages.h"
#include "verify/suite/formats/junit.h"

struct kept {
	struct arena *arena;
	const char *format;
	const char **goal; /* ids of the failing tests */
	size_t n_goal;
	struct map ids;                 /* by their keys in JUnit files, which have no ids */
	struct test_report first, last; /* that were said */
	size_t n;
};

/* --- What was said --- */

static void kept_name(struct kept *kept, const char *id)
{
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
	char *copy = arena_strdup(kept->arena, id);
	junit_add_key(&key, id, kept->format);
	map_put(&kept->ids, kept->arena, arena_strdup(kept->arena, key.text), copy);
}

static void kept_name_report(struct kept *kept, const struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		kept_name(kept, report->results[i]->id);
}

static void kept_take_goal(struct kept *kept, const struct json *goal)
{
	for (const struct json *test = json_first(goal); test; test = json_next(test))
		ARENA_PUSH(kept->arena, kept->goal, kept->n_goal,
			arena_strdup(kept->arena, json_string(test, "id", "")));
}

/* A report of the failing tests alone says nothing of the others. */
static int kept_take(void *owner, const struct json *record)
{
	struct kept *kept = owner;
	struct rondo_error ignored;
	struct test_report report;
	const struct json *data = json_get(json_get(record, "message"), "data");
	if (strcmp(json_string(record, "type", ""), "baseline") == 0)
		kept_take_goal(kept, json_get(json_get(record, "data"), "goal"));
	if (!json_get(data, "results") || json_bool(data, "part", false) ||
		test_report_from_json(data, kept->arena, &report, &ignored) < 0)
		return 0;
	if (!kept->n++)
		kept->first = report;
	if (!kept->format)
		kept->format = report.format;
	kept->last = report;
	return 0;
}

/* --- JUnit files --- */

static void kept_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	const struct kept *kept = reading->state;
	struct test_result result = junit_result(reading, test);
	const char *key = arena_printf(reading->arena, "%s::%s", test->classname, test->name);
	const char *id = map_get(&kept->ids, key);
	bool is_plain = kept->format && strcmp(test->classname, kept->format) == 0;
	/* as junit_write has what has no message of its own, and what failed as it should */
	if (result.message && strcmp(result.message, test_status_name(result.status)) == 0)
		result.message = NULL;
	if (strcmp(test->type, "xfail") == 0)
		result.status = TEST_XFAILED;
	result.id = id ? id : is_plain ? arena_strdup(reading->arena, test->name) : key;
	test_report_add(reading->report, reading->arena, &result);
}

static bool kept_read(
	struct kept *kept, const char *dir, const char *stage, struct test_report *ret_report)
{
	const char *path = arena_printf(kept->arena, "%s/junit-%s.xml", dir, stage);
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	struct test_report report = {.complete = true};
	struct suite_reading reading = {
		.format = &junit_format, .dir = "", .report = &report, .arena = kept->arena, .state = kept};
	if (fd < 0 || junit_read(&reading, fd, path, kept_take_case) || !report.n)
		return false;
	*ret_report = report;
	return true;
}

/* --- Before and after --- */

/* Of a run that judged nothing, what fails before still does. */
static enum run_test_change change_of(const struct run_test_pair *test, bool has_after)
{
	const struct test_result *now = has_after ? test->after : test->before;
	bool was_red = test->before && test_status_is_red(test->before->status);
	if (!now)
		return RUN_TEST_GONE;
	if (test_status_is_red(now->status))
		return was_red || !test->before ? RUN_TEST_RED : RUN_TEST_BROKEN;
	if (now->status == TEST_SKIPPED)
		return RUN_TEST_SKIPPED;
	if (!test->before)
		return RUN_TEST_NEW;
	return was_red ? RUN_TEST_FIXED : RUN_TEST_GREEN;
}

static struct run_test_pair *tests_pair(
	const struct run_tests *tests, struct arena *arena, size_t *ret_n)
{
	struct run_test_pair *pairs = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < tests->before.n; i++) {
		const struct test_result *before = tests->before.results[i];
		struct run_test_pair test = {before, test_report_find(&tests->after, before->id), 0};
		ARENA_PUSH(arena, pairs, *ret_n, test);
	}
	for (size_t i = 0; i < tests->after.n; i++) {
		struct run_test_pair test = {.after = tests->after.results[i]};
		if (!test_report_find(&tests->before, test.after->id))
			ARENA_PUSH(arena, pairs, *ret_n, test);
	}
	return pairs;
}

static void tests_compare(struct run_tests *tests, struct arena *arena)
{
	size_t n;
	struct run_test_pair *pairs = tests_pair(tests, arena, &n);
	for (size_t i = 0; i < n; i++)
		tests->counts[pairs[i].change = change_of(&pairs[i], tests->has_after)]++;
	for (int change = 0; change < RUN_TEST_CHANGES; change++)
		for (size_t i = 0; i < n; i++)
			if (pairs[i].change == (enum run_test_change)change)
				ARENA_PUSH(arena, tests->tests, tests->n, pairs[i]);
}

/* Where a run keeps no file, there is what was said; first of all the task, of the base. */
static void tests_take_said(struct run_tests *tests, const struct kept *kept)
{
	if (!tests->has_before && kept->n) {
		tests->before = kept->first;
		tests->has_before = true;
	}
	if (!tests->has_after && kept->n > 1) {
		tests->after = kept->last;
		tests->has_after = true;
		tests->is_judged = false;
	}
}

int run_tests_read(
	const char *dir, struct arena *arena, struct run_tests *ret_tests, struct rondo_error *err)
{
	AUTO_JSON *report = run_report_read(dir);
	struct run_tests tests = {.is_judged = true};
	struct kept kept = {.arena = arena,
		.format = arena_strdup(arena, json_string(json_get(report, "tests"), "format", NULL))};
	if (run_records(dir, kept_take, &kept, err) < 0)
		return -1;
	for (size_t i = 0; i < kept.n_goal; i++)
		kept_name(&kept, kept.goal[i]);
	kept_name_report(&kept, &kept.first);
	kept_name_report(&kept, &kept.last);
	tests.has_before = kept_read(&kept, dir, "before", &tests.before);
	tests.has_after = kept_read(&kept, dir, "after", &tests.after);
	tests_take_said(&tests, &kept);
	tests_compare(&tests, arena);
	*ret_tests = tests;
	return 0;
}
