/* What was said in a run, for who shows it: its journal told again. */
#include "base/memory.h"
#include "chat/code_block.h"
#include "chat/event.h"
#include "run/journal/journal.h"
#include "run/report/field.h"
#include "run/stages.h"

int run_records(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	return journal_read(run_attempt_dir(dir, &arena), each, owner, err);
}

/* What a screen shows of a stage, it takes from the stage's facts. */
static void show_read_facts(
	const struct json *record, struct arena *arena, struct rondo_event *event)
{
	struct site_facts *site;
	struct baseline_facts *baseline;
	const struct json *data = json_get(record, "data");
	if (event->type == RONDO_EVENT_BASE) {
		fields_read(data, site_fields, arena, site = arena_alloc(arena, sizeof *site));
		event->value = site;
	} else if (event->type == RONDO_EVENT_BASELINE) {
		fields_read(data, baseline_fields, arena, baseline = arena_alloc(arena, sizeof *baseline));
		event->value = baseline;
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

static int show_emit(void *owner, const struct json *record)
{
	const struct context_emit *to = owner;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_event event;
	struct rondo_error err;
	if (event_from_json(record, &arena, &event, &err) < 0 &&
		!show_read_unknown(record, &arena, &event))
		return 0; /* what a later version recorded is passed over */
	show_read_facts(record, &arena, &event);
	to->call(to->owner, &event);
	return 0;
}

int run_replay(const char *dir, const struct context_emit *to, struct rondo_error *err)
{
	struct context_emit copy = *to;
	return run_records(dir, show_emit, &copy, err);
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
