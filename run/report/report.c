/* What came of a run, for programs: report.json, and the last line of --json. report.md is
 * run/report/report_text.c's. */
#include "base/clock.h"
#include "base/memory.h"
#include "run/report/field.h"
#include "run/stages.h"

#define REPORT_VERSION 1

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
