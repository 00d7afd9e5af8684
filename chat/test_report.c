#include "chat/test_report.h"

#include <string.h>

#include "base/memory.h"

static const char *const names[] = {
	[TEST_PASSED] = "passed",
	[TEST_FAILED] = "failed",
	[TEST_ERROR] = "error",
	[TEST_SKIPPED] = "skipped",
	[TEST_XFAILED] = "xfailed",
};

const char *test_status_name(enum test_status status)
{
	return names[status];
}

bool test_status_is_red(enum test_status status)
{
	return status == TEST_FAILED || status == TEST_ERROR;
}

size_t test_report_red(const struct test_report *report)
{
	return report->count[TEST_FAILED] + report->count[TEST_ERROR];
}

/* Runners that print an id twice do so for worse: passed, then an error in its clean-up. */
static int test_report_badness(enum test_status status)
{
	static const int order[] = {[TEST_PASSED] = 0,
		[TEST_XFAILED] = 1,
		[TEST_SKIPPED] = 2,
		[TEST_FAILED] = 3,
		[TEST_ERROR] = 4};
	return order[status];
}

const struct test_result *test_report_find(const struct test_report *report, const char *id)
{
	return map_get(&report->by_id, id);
}

bool test_result_hangs(const struct test_result *result)
{
	return result->message &&
		(text_starts_with(result->message, HUNG) || strstr(result->message, "timed out after "));
}

bool test_report_is_exit(const struct test_report *report)
{
	return report->format && strcmp(report->format, TEST_FORMAT_EXIT) == 0;
}

struct test_report test_report_emptied(const struct test_report *report)
{
	struct test_report emptied = *report;
	emptied.results = NULL;
	emptied.n = 0;
	emptied.by_id = (struct map){0};
	memset(emptied.count, 0, sizeof emptied.count);
	return emptied;
}

static void test_report_copy_result(
	struct test_result *to, struct arena *arena, const struct test_result *from)
{
	*to = *from;
	to->id = arena_strdup(arena, from->id);
	to->printed = arena_strdup(arena, from->printed);
	to->message = arena_strdup(arena, from->message);
	to->detail = arena_strdup(arena, from->detail);
	to->place = arena_strdup(arena, from->place);
	to->file = arena_strdup(arena, from->file);
}

struct test_report test_report_copy(const struct test_report *report, struct arena *arena)
{
	struct test_report copy = *report;
	copy.problem = arena_strdup(arena, report->problem);
	copy.hung = arena_strdup(arena, report->hung);
	copy.format = arena_strdup(arena, report->format);
	copy.output = arena_strdup(arena, report->output);
	copy.log = arena_strdup(arena, report->log);
	struct test_result *results = arena_alloc(arena, report->n * sizeof *results);
	copy.results = arena_alloc(arena, report->n * sizeof *copy.results);
	copy.by_id = (struct map){0};
	map_reserve(&copy.by_id, arena, report->n);
	for (size_t i = 0; i < report->n; i++) {
		copy.results[i] = &results[i];
		test_report_copy_result(&results[i], arena, report->results[i]);
		map_put(&copy.by_id, arena, results[i].id, &results[i]);
	}
	return copy;
}

void test_report_add(
	struct test_report *report, struct arena *arena, const struct test_result *result)
{
	struct test_result *old = map_get(&report->by_id, result->id);
	if (old && test_report_badness(old->status) >= test_report_badness(result->status))
		return;
	struct test_result *own = old ? old : arena_alloc(arena, sizeof *own);
	report->count[result->status]++;
	if (old)
		report->count[old->status]--;
	else
		ARENA_PUSH(arena, report->results, report->n, own);
	test_report_copy_result(own, arena, result);
	map_put(&report->by_id, arena, own->id, own);
}

void test_report_expect_red(struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		report->count[result->status]--;
		result->status = TEST_XFAILED;
		report->count[result->status]++;
	}
}

void test_report_describe(const struct test_report *report, struct strbuf *sb)
{
	size_t skipped = report->count[TEST_SKIPPED];
	size_t green = report->count[TEST_PASSED] + report->count[TEST_XFAILED];
	strbuf_addf(sb, "%zu of %zu passed", green, report->n - skipped);
	if (skipped)
		strbuf_addf(sb, ", %zu skipped", skipped);
}

/* What has passed is most often an id alone: that is a string, as most of a large suite is. */
static void test_report_result_to_json(
	struct json *results, const struct test_result *result, bool has_places)
{
	const char *place = has_places ? result->place : NULL;
	if (result->status == TEST_PASSED && !result->message && !result->detail && !result->file &&
		!result->line && !result->duration_ms && !result->n_skipped && !place) {
		json_add_string(results, NULL, result->id);
		return;
	}
	struct json *item = json_add_object(results, NULL);
	json_add_string(item, "id", result->id);
	json_add_string(item, "status", names[result->status]);
	json_add_string(item, "message", result->message);
	json_add_string(item, "detail", result->detail);
	json_add_string(item, "file", result->file);
	if (result->line)
		json_add_int(item, "line", result->line);
	if (result->duration_ms)
		json_add_int(item, "duration_ms", result->duration_ms);
	if (result->n_skipped)
		json_add_int(item, "skipped_subtests", result->n_skipped);
	json_add_string(item, "place", place);
}

/* All but the results. */
static struct json *test_report_head_to_json(const struct test_report *report)
{
	struct json *json = json_object();
	struct json *counts = json_add_object(json, "counts");
	for (size_t status = 0; status < TEST_STATUSES; status++)
		if (report->count[status])
			json_add_int(counts, names[status], (int64_t)report->count[status]);
	json_add_int(json, "exit_code", report->exit_code);
	json_add_bool(json, "complete", report->complete);
	json_add_string(json, "problem", report->problem);
	json_add_int(json, "duration_ms", report->duration_ms);
	json_add_string(json, "format", report->format);
	if (report->names_only_red)
		json_add_bool(json, "names_only_red", true);
	json_add_string(json, "log", report->log);
	json_add_string(json, "output", report->output);
	return json;
}

static struct json *test_report_make_json(const struct test_report *report, bool has_places)
{
	struct json *json = test_report_head_to_json(report);
	struct json *results = json_add_array(json, "results");
	for (size_t i = 0; i < report->n; i++)
		test_report_result_to_json(results, report->results[i], has_places);
	return json;
}

struct json *test_report_to_json(const struct test_report *report)
{
	return test_report_make_json(report, true);
}

struct json *test_report_to_brief_json(const struct test_report *report)
{
	return test_report_make_json(report, false);
}

void test_report_print(const struct test_report *report, struct strbuf *sb)
{
	AUTO_JSON *head = test_report_head_to_json(report);
	json_print_open(head, "results", sb);
	for (size_t i = 0; i < report->n; i++) {
		AUTO_JSON *one = json_array();
		test_report_result_to_json(one, report->results[i], true);
		AUTO_FREE char *item = json_print(json_first(one));
		strbuf_addf(sb, "%s%s", i ? "," : "", item);
	}
	strbuf_adds(sb, "]}");
}

static int test_report_result_from_json(
	const struct json *json, struct test_result *result, struct rondo_error *err)
{
	const char *passed = json_text(json, NULL), *status = json_string(json, "status", "");
	if (passed) {
		*result = (struct test_result){.id = passed};
		return 0;
	}
	for (size_t i = 0; i < TEST_STATUSES; i++) {
		if (strcmp(names[i], status) != 0)
			continue;
		*result = (struct test_result){
			.id = json_string(json, "id", ""),
			.status = (enum test_status)i,
			.message = json_string(json, "message", NULL),
			.detail = json_string(json, "detail", NULL),
			.file = json_string(json, "file", NULL),
			.line = (int)json_int(json, "line", 0),
			.duration_ms = json_int(json, "duration_ms", 0),
			.n_skipped = (int)json_int(json, "skipped_subtests", 0),
			.place = json_string(json, "place", NULL),
		};
		return 0;
	}
	return error_set(err, RONDO_ERROR_USAGE, "test of unknown status '%s'", status);
}

int test_report_from_json(const struct json *json, struct arena *arena,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct test_report report = {
		.exit_code = (int)json_int(json, "exit_code", 0),
		.complete = json_bool(json, "complete", false),
		.problem = arena_strdup(arena, json_string(json, "problem", NULL)),
		.duration_ms = json_int(json, "duration_ms", 0),
		.names_only_red = json_bool(json, "names_only_red", false),
		.format = arena_strdup(arena, json_string(json, "format", NULL)),
		.log = arena_strdup(arena, json_string(json, "log", NULL)),
		.output = arena_strdup(arena, json_string(json, "output", "")),
	};
	const struct json *results = json_get(json, "results"), *item = json_first(results);
	map_reserve(&report.by_id, arena, json_count(results));
	for (; item; item = json_next(item)) {
		struct test_result result;
		if (test_report_result_from_json(item, &result, err) < 0)
			return -1;
		test_report_add(&report, arena, &result);
	}
	*ret_report = report;
	return 0;
}
