/* What came of a run, for programs: report.json, and the last line of --json. report.md is run/report/text.c's. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/event.h"
#include "run/report/facts.h"
#include "run/stages.h"

#define REPORT_VERSION 1

static struct json *report_json(const struct run *run, const struct rondo_error *failure)
{
	const struct run_result *result = run->result;
	char date[CLOCK_DATE_SIZE];
	struct rondo_error ignored; /* a run does not begin with a wrong date */
	int64_t ended_ms;
	clock_made_ms(&ended_ms, &ignored);
	clock_format_date(ended_ms, date);
	struct json *json = json_object();
	facts_add(json, head_facts, &(struct report_head){.version = REPORT_VERSION, .run = result->id, .ended = date,
		.outcome = failure ? RUN_ERROR_WORD : run_outcome_word(result->outcome),
		.exit_code = failure ? run_error_exit_code(failure, run->outer->cancel) : run_outcome_exit_code(result->outcome),
		.reason = failure ? failure->message : result->reason});
	facts_add(json, result_facts, result);
	return json;
}

char *run_result_json(const struct run_result *result)
{
	AUTO_JSON *json = json_object();
	facts_add(json, head_facts, &(struct report_head){.type = "result", .run = result->id,
		.outcome = run_outcome_word(result->outcome), .exit_code = run_outcome_exit_code(result->outcome),
		.reason = result->reason});
	facts_add(json, result_facts, result);
	return json_print(json);
}

char *run_event_json(const struct rondo_event *event)
{
	AUTO_JSON *json = json_object();
	event_to_json(event, json);
	return json_print(json);
}

int report_keep(const struct run *run, const char *name, const char *text, struct rondo_error *err)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_RECORD), path = STRBUF_INIT(STRBUF_LINE);
	secrets_redact(run->secrets, &clean, text, strlen(text));
	strbuf_addf(&path, "%s/%s", run->paths.dir, name);
	return file_write(path.text, clean.text, clean.length, 0600, err);
}

int report_write(const struct run *run, const struct rondo_error *failure, struct rondo_error *err)
{
	AUTO_JSON *json = report_json(run, failure);
	AUTO_FREE char *pretty = json_print_pretty(json);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	report_text(run->result, failure, &text);
	return report_keep(run, "report.json", pretty, err) < 0 ? -1 : report_keep(run, "report.md", text.text, err);
}
