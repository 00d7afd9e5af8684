/* What was said in a run, for who shows it: its journal told again. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "chat/code_block.h"
#include "chat/event.h"
#include "run/journal/journal.h"
#include "run/report/field.h"
#include "run/stages.h"

/* --- The records of a run --- */

/* Of several attempts: each one's own records, then what came of it, where the run's journal says
 * that it ends. */
struct show_records {
	const char *dir;
	int (*each)(void *owner, const struct json *record);
	void *owner;
	struct rondo_error *err;
	struct json *ends[ATTEMPTS_MOST]; /* by number */
	bool are_told;
	int status;
};

static bool record_is(const struct json *record, const char *type)
{
	return strcmp(json_string(record, "type", ""), type) == 0;
}

static int show_keep_end(void *owner, const struct json *record)
{
	struct show_records *records = owner;
	int64_t number = json_int(record, "attempt", 0);
	if (!record_is(record, "attempt") || number < 1 || number > ATTEMPTS_MOST)
		return 0;
	json_free(records->ends[number - 1]);
	records->ends[number - 1] = json_copy(record);
	return 0;
}

/* How it begins and ends, the run's journal says. */
static int show_tell_own(void *owner, const struct json *record)
{
	struct show_records *records = owner;
	if (record_is(record, "run.start") || record_is(record, "run.end"))
		return 0;
	return records->each(records->owner, record);
}

static void show_tell_attempts(struct show_records *records)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (int i = 0; i < ATTEMPTS_MOST && records->status == 0; i++) {
		const char *dir = run_attempt_dir(records->dir, i + 1, &arena);
		if (file_exists(arena_printf(&arena, "%s/journal.jsonl", dir)))
			records->status = journal_read(dir, show_tell_own, records, records->err);
		if (records->status == 0 && records->ends[i])
			records->each(records->owner, records->ends[i]);
	}
	records->are_told = true;
}

static int show_tell_common(void *owner, const struct json *record)
{
	struct show_records *records = owner;
	if (record_is(record, "attempt"))
		return 0;
	if (record_is(record, "run.end") && !records->are_told)
		show_tell_attempts(records);
	return records->status < 0 ? 1 : records->each(records->owner, record);
}

int run_records(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct show_records records = {.dir = dir, .each = each, .owner = owner, .err = err};
	if (!run_has_attempts(dir))
		return journal_read(run_journal_dir(dir, &arena), each, owner, err);
	int status = journal_read(dir, show_keep_end, &records, err);
	if (status == 0)
		status = journal_read(dir, show_tell_common, &records, err);
	if (status == 0 && !records.are_told)
		show_tell_attempts(&records);
	for (int i = 0; i < ATTEMPTS_MOST; i++)
		json_free(records.ends[i]);
	return status < 0 ? status : records.status;
}

/* --- Told again --- */

/* What a screen shows of a stage, it takes from the stage's facts. */
static void show_read_facts(
	const struct json *record, struct arena *arena, struct rondo_event *event)
{
	struct site_facts *site;
	struct baseline_facts *baseline;
	struct run_attempt *attempt;
	const struct json *data = json_get(record, "data");
	if (event->type == RONDO_EVENT_BASE) {
		fields_read(data, site_fields, arena, site = arena_alloc(arena, sizeof *site));
		event->value = site;
	} else if (event->type == RONDO_EVENT_BASELINE) {
		fields_read(data, baseline_fields, arena, baseline = arena_alloc(arena, sizeof *baseline));
		event->value = baseline;
	} else if (event->type == RONDO_EVENT_ATTEMPT) {
		fields_read(data, attempt_fields, arena, attempt = arena_alloc(arena, sizeof *attempt));
		event->value = attempt;
	}
}

/* A message of a type that this version does not have is shown with the type's name. */
static bool show_read_unknown(
	const struct json *record, struct arena *arena, struct rondo_event *event)
{
	const struct json *json = json_get(record, "message");
	struct rondo_message *message = arena_alloc(arena, sizeof *message);
	*message = (struct rondo_message){.source = json_string(json, "source", ""),
		.content = arena_printf(
			arena, "%s: %s", json_string(json, "type", ""), json_string(json, "content", ""))};
	*event = (struct rondo_event){.type = RONDO_EVENT_MESSAGE,
		.turn = (int)json_int(record, "turn", 0),
		.team = json_string(record, "team", NULL),
		.text = json_string(record, "text", NULL),
		.message = message};
	return json;
}

struct show_listener {
	const struct context_emit *to;
	bool has_attempts;
};

static int show_emit(void *owner, const struct json *record)
{
	const struct show_listener *listener = owner;
	const struct context_emit *to = listener->to;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_event event;
	struct rondo_error err;
	if (event_from_json(record, &arena, &event, &err) < 0 &&
		!show_read_unknown(record, &arena, &event))
		return 0; /* what a later version recorded is passed over */
	show_read_facts(record, &arena, &event);
	event.attempt = listener->has_attempts ? (int)json_int(record, "attempt", 0) : 0;
	to->call(to->owner, &event);
	return 0;
}

int run_replay(const char *dir, const struct context_emit *to, struct rondo_error *err)
{
	struct show_listener listener = {to, run_has_attempts(dir)};
	return run_records(dir, show_emit, &listener, err);
}

bool run_tells_again(const struct rondo_event *event)
{
	return event->type == RONDO_EVENT_MESSAGE &&
		(event->team ? !event->turn : team_is_within(event));
}

const char **run_code_languages(const char *content, struct arena *arena, size_t *ret_n)
{
	size_t n;
	struct code_block *blocks = code_blocks_extract(arena, content, &n);
	const char **languages = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		ARENA_PUSH(arena, languages, *ret_n, blocks[i].language);
	return languages;
}

static int add_record(void *owner, const struct json *record)
{
	AUTO_FREE char *text = json_print(record);
	strbuf_adds(owner, text);
	strbuf_addc(owner, '\n');
	return 0;
}

int run_show_json(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_JSON *report = run_report_read(dir);
	if (run_records(dir, add_record, sb, err) < 0)
		return -1;
	if (report)
		add_record(sb, report);
	return 0;
}
