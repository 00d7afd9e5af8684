/* What came of runs, a line each: their reports. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "run/journal/paths.h"
#include "run/run.h"

#define LARGEST_REPORT ((size_t)64 << 20)

struct json *run_report_read(const char *dir)
{
	struct rondo_error err;
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE), text = STRBUF_INIT(LARGEST_REPORT);
	strbuf_addf(&path, "%s/report.json", dir);
	if (file_read(path.text, LARGEST_REPORT, &text, &err) < 0)
		return NULL;
	return json_parse(text.text, text.length, &err);
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
	summary->coder = arena_strdup(arena, json_string(report, "coder", ""));
}
