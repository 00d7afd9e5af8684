/* What came of a run, for programs: report.json, and the last line of --json. report.md is
 * run/report/report_text.c's. */
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/journal/paths.h"
#include "run/report/field.h"
#include "run/report/report.h"
#include "run/stages.h"

#define REPORT_VERSION 1
#define MOST_TOLD 50 /* items of a list */
#define LARGEST_REPORT ((size_t)64 << 20)

bool report_is_fixed(const struct run_report *report, const struct run_test *test)
{
	return !option_strings_have(&report->verdict->unfixed, test->id);
}

size_t report_count_fixed(const struct run_report *report)
{
	return report->baseline->n_goal - report->verdict->unfixed.n;
}

/* What each form of a report begins with. */
static struct report_head report_head(
	const struct run_report *report, const struct rondo_error *failure, const struct cancel *cancel)
{
	struct report_head head = {.run = report->id, .reason = report->reason, .help = report->help};
	head.outcome = failure ? RUN_ERROR_WORD : run_outcome_word(report->outcome);
	head.exit_code =
		failure ? run_error_exit_code(failure, cancel) : run_outcome_exit_code(report->outcome);
	if (failure) {
		head.reason = failure->message;
		head.help = *failure->help ? failure->help : NULL;
	}
	return head;
}

static struct json *report_to_json(const struct run_report *report, const struct report_head *head)
{
	struct json *json = json_object();
	fields_add(json, head_fields, head);
	fields_add(json, report_fields, report);
	return json;
}

char *run_report_json(
	const struct run_report *report, const struct rondo_error *failure, const struct cancel *cancel)
{
	struct report_head head = report_head(report, failure, cancel);
	head.type = "result";
	AUTO_JSON *json = report_to_json(report, &head);
	return json_print(json);
}

static void report_shorten_list(size_t *n, size_t *n_untold)
{
	size_t told = *n < MOST_TOLD ? *n : MOST_TOLD;
	*n_untold += *n - told;
	*n = told;
}

struct baseline_facts report_shorten(const struct baseline_facts *baseline)
{
	struct baseline_facts told = *baseline;
	size_t *lists[] = {
		&told.n_goal, &told.flaky.n, &told.order_dependent.n, &told.hung.n, &told.fresh.n};
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		report_shorten_list(lists[i], &told.n_untold);
	return told;
}

struct json *report_tell(const struct run_report *report)
{
	struct report_head head = report_head(report, NULL, NULL);
	struct json *json = json_object();
	struct run_report told = *report;
	struct baseline_facts baseline;
	if (report->baseline) {
		baseline = report_shorten(report->baseline);
		told.baseline = &baseline;
	}
	fields_add(json, head_fields, &head);
	fields_add(json, told_fields, &told);
	return json;
}

void report_describe_told(struct json *schema)
{
	fields_describe(schema, head_fields, told_fields);
}

static int report_write_json(
	const struct run *run, const struct rondo_error *failure, struct rondo_error *err)
{
	const struct run_report *report = run->report;
	char date[CLOCK_DATE_SIZE];
	int64_t ended_ms;
	if (clock_made_ms(&ended_ms, err) < 0)
		return -1;
	clock_format_date(ended_ms, date);
	struct report_head head = report_head(report, failure, run->outer->cancel);
	head.version = REPORT_VERSION;
	head.ended = date;
	AUTO_JSON *json = report_to_json(report, &head);
	AUTO_FREE char *pretty = json_print_pretty(json);
	return env_keep(&run->env, "report.json", pretty, err);
}

int report_write(const struct run *run, const struct rondo_error *failure, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	report_text(run->report, failure, &text);
	return report_write_json(run, failure, err) < 0
		? -1
		: env_keep(&run->env, "report.md", text.text, err);
}

/* --- Back from the file --- */

struct json *run_report_read(const char *dir)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/report.json", dir);
	return json_read(path.text, LARGEST_REPORT);
}

void run_report_attempts(
	const struct json *json, struct arena *arena, struct run_report *ret_report)
{
	static const struct field fields[] = {
		{.name = "attempts",
			.kind = FIELD_ITEMS,
			.offset = offsetof(struct run_report, attempts),
			.count = offsetof(struct run_report, n_attempts),
			.table = attempt_fields,
			.size = sizeof(struct run_attempt)},
		{.name = NULL},
	};
	fields_read(json, fields, arena, ret_report);
	ret_report->select = arena_strdup(arena, json_string(json, "select", NULL));
}

/* "18 of 18 (was 16)"; without a run in the gate "16 of 18". */
static const char *describe_tests(const struct json *tests, struct arena *arena)
{
	int total = (int)json_int(tests, "total", 0), before = (int)json_int(tests, "passed_before", 0);
	if (!total)
		return "";
	if (!json_get(tests, "passed_after"))
		return arena_printf(arena, "%d of %d", before, total);
	return arena_printf(arena, "%d of %d (was %d)", (int)json_int(tests, "passed_after", 0),
		(int)json_int(tests, "total_after", total), before);
}

void run_summary(const char *id, struct arena *arena, struct run_summary *summary)
{
	struct rondo_error err;
	char time[CLOCK_DATE_SIZE];
	const char *state = run_state_dir(arena, &err);
	/* what has ended says how */
	const char *outcome = run_goes_on(id, arena) ? "running" : "broke off";
	*summary = (struct run_summary){
		.id = id, .name = "", .outcome = outcome, .tests = "", .duration = "", .coder = ""};
	AUTO_JSON *report =
		state ? run_report_read(arena_printf(arena, "%s/runs/%s", state, id)) : NULL;
	if (!report)
		return;
	clock_format_duration(json_int(report, "duration_ms", 0), time);
	summary->name = arena_strdup(arena, json_string(report, "name", ""));
	summary->outcome = arena_strdup(arena, json_string(report, "outcome", "?"));
	summary->tests = describe_tests(json_get(report, "tests"), arena);
	summary->duration = arena_strdup(arena, time);
	size_t n_attempts = json_count(json_get(report, "attempts"));
	summary->coder = arena_strdup(arena, json_string(report, "coder", ""));
	if (n_attempts)
		summary->coder = arena_printf(arena, "%s, %zu attempts", summary->coder, n_attempts);
}
