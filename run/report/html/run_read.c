/* What is on disk of a run, for its page. */
#include "chat/context.h"
#include "run/report/html/html.h"
#include "run/stages.h"

enum { MOST_RECORDS = 20000 };

static void record_free(void *record)
{
	json_free(record);
}

bool html_is(const struct json *record, const char *type)
{
	return strcmp(json_string(record, "type", ""), type) == 0;
}

const char *html_speaker(const struct html_run *run, const struct json *record)
{
	const char *team = json_string(record, "team", NULL);
	const char *source =
		json_string(json_get(record, "message"), "source", json_string(record, "source", "?"));
	return team ? arena_printf(run->arena, "%s/%s", team, source) : source;
}

size_t html_speaker_number(const struct html_run *run, const char *name)
{
	size_t i = 0;
	while (i < run->n_speakers && strcmp(run->speakers[i], name) != 0)
		i++;
	return i;
}

/* What is told again, and of what broke off, says nothing new. */
static bool record_counts(const struct json *record)
{
	const char *text = json_string(record, "text", "");
	bool within = json_get(record, "team");
	if (!json_get(record, "message"))
		return true;
	return within ? json_int(record, "turn", 0)
				  : strcmp(text, TEAM_WITHIN) != 0 && strcmp(text, TEAM_CUT) != 0;
}

static int record_take(void *owner, const struct json *record)
{
	struct html_run *run = owner;
	if (!record_counts(record))
		return 0;
	struct json *copy = json_copy(record);
	arena_defer(run->arena, record_free, copy);
	ARENA_PUSH(run->arena, run->records, run->n_records, copy);
	const char *speaker = html_speaker(run, copy);
	bool speaks = json_get(copy, "message") || html_is(copy, "turn.start");
	if (speaks && html_speaker_number(run, speaker) == run->n_speakers)
		ARENA_PUSH(run->arena, run->speakers, run->n_speakers, speaker);
	run->ms = json_int(copy, "ms", run->ms);
	return run->n_records == MOST_RECORDS;
}

int html_run_read(
	struct html_run *run, const char *dir, struct arena *arena, struct rondo_error *err)
{
	*run = (struct html_run){.arena = arena, .dir = dir};
	struct json *report = run_report_read(dir);
	if (report)
		arena_defer(arena, record_free, report);
	run->report = report;
	if (run_records(dir, record_take, run, err) < 0)
		return -1;
	int64_t ms = json_int(report, "duration_ms", 0);
	run->ms = ms > run->ms ? ms : run->ms;
	return 0;
}
