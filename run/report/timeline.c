/* When what was done in a run, by its journal. */
#include <string.h>

#include "base/memory.h"
#include "chat/event.h"
#include "run/stages.h"

enum { STAGE, PART, CALL }; /* depths */

struct timeline {
	struct arena *arena;
	struct run_span *spans;
	size_t n;
	int64_t stage_ms; /* when the last stage ended */
	int64_t ms;       /* of the last record */
};

/* --- Spans --- */

static void timeline_open(struct timeline *timeline, size_t depth, const char *what)
{
	struct run_span span = {.what = what, .depth = depth, .from_ms = timeline->ms, .is_open = true};
	ARENA_PUSH(timeline->arena, timeline->spans, timeline->n, span);
}

/* The last open one of that depth and name (NULL: of any). */
static struct run_span *timeline_find(struct timeline *timeline, size_t depth, const char *what)
{
	for (size_t i = timeline->n; i--;) {
		struct run_span *span = &timeline->spans[i];
		if (span->is_open && span->depth == depth && (!what || strcmp(span->what, what) == 0))
			return span;
	}
	return NULL;
}

static void timeline_close(struct timeline *timeline, size_t depth, const char *what)
{
	struct run_span *span = timeline_find(timeline, depth, what);
	if (!span)
		return;
	span->ms = timeline->ms - span->from_ms;
	span->is_open = false;
}

/* One that has just ended. */
static void timeline_add(struct timeline *timeline, size_t depth, const char *what, int64_t took_ms)
{
	int64_t ms = took_ms > timeline->ms ? timeline->ms : took_ms > 0 ? took_ms : 0;
	struct run_span span = {.what = what, .depth = depth, .from_ms = timeline->ms - ms, .ms = ms};
	ARENA_PUSH(timeline->arena, timeline->spans, timeline->n, span);
}

/* A stage that began where the one before ended. */
static void timeline_end_stage(struct timeline *timeline, const char *what)
{
	timeline_add(timeline, STAGE, what, timeline->ms - timeline->stage_ms);
	timeline->stage_ms = timeline->ms;
}

/* --- Records --- */

static const char *timeline_words(
	const struct timeline *timeline, const char *word, const char *text)
{
	return *text ? arena_printf(timeline->arena, "%s: %.*s", word, (int)strcspn(text, "\n"), text)
				 : word;
}

static const char *timeline_turn(const struct timeline *timeline, const struct json *record)
{
	const char *team = json_string(record, "team", NULL);
	return arena_printf(timeline->arena, "turn %d: %s%s%s", (int)json_int(record, "turn", 0),
		team ? team : "", team ? "/" : "", json_string(record, "source", "?"));
}

static const char *timeline_call(const struct timeline *timeline, const struct json *record)
{
	return arena_printf(timeline->arena, "model %s", json_string(record, "source", "?"));
}

/* A turn of a team within ends in the turn of that team. */
static void timeline_take_turn(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	size_t depth = json_get(record, "team") ? CALL : PART;
	if (type == RONDO_EVENT_TURN_END) {
		timeline_close(timeline, depth, timeline_turn(timeline, record));
		return;
	}
	if (!timeline_find(timeline, STAGE, NULL))
		timeline_open(timeline, STAGE, "chat");
	timeline_open(timeline, depth, timeline_turn(timeline, record));
}

/* The suite ran just before its report was said. */
static void timeline_take_message(struct timeline *timeline, const struct json *message)
{
	const struct json *data = json_get(message, "data");
	if (strcmp(json_string(message, "type", ""), "test_report") == 0)
		timeline_add(timeline, CALL,
			timeline_words(timeline, "suite", json_string(message, "content", "")),
			json_int(data, "duration_ms", 0));
}

static void timeline_take_end(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const char *text = json_string(record, "text", "");
	if (type == RONDO_EVENT_STOP && !json_get(record, "team")) {
		timeline_close(timeline, STAGE, NULL);
		timeline->stage_ms = timeline->ms;
	} else if (type == RONDO_EVENT_VERDICT) {
		timeline_end_stage(timeline, timeline_words(timeline, "gate", text));
	} else if (type == RONDO_EVENT_RUN_END) {
		timeline_end_stage(timeline, timeline_words(timeline, "result", text));
	} else if (type == RONDO_EVENT_RESUME) {
		timeline_add(timeline, STAGE, "resumed", 0);
	}
}

static void timeline_take(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const struct json *data = json_get(record, "data");
	const char *text = json_string(record, "text", "");
	if (type == RONDO_EVENT_BASE)
		timeline_end_stage(timeline, "checkout");
	else if (type == RONDO_EVENT_BASELINE)
		timeline_end_stage(timeline, timeline_words(timeline, "baseline", text));
	else if (type == RONDO_EVENT_TURN_START || type == RONDO_EVENT_TURN_END)
		timeline_take_turn(timeline, type, record);
	else if (type == RONDO_EVENT_MODEL_REQUEST)
		timeline_open(timeline, CALL, timeline_call(timeline, record));
	else if (type == RONDO_EVENT_MODEL_REPLY)
		timeline_close(timeline, CALL, timeline_call(timeline, record));
	else if (type == RONDO_EVENT_SEARCH)
		timeline_add(
			timeline, CALL, timeline_words(timeline, "search", text), json_int(data, "ms", 0));
	else if (type == RONDO_EVENT_MESSAGE)
		timeline_take_message(timeline, json_get(record, "message"));
	else
		timeline_take_end(timeline, type, record);
}

static int timeline_record(void *owner, const struct json *record)
{
	struct timeline *timeline = owner;
	enum rondo_event_type type;
	int64_t ms = json_int(record, "ms", 0);
	timeline->ms = ms > timeline->ms ? ms : timeline->ms;
	if (event_type_find(json_string(record, "type", ""), &type))
		timeline_take(timeline, type, record);
	return 0;
}

/* What was open when the run broke off, or went on from before it. */
static void timeline_close_all(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n; i++)
		if (timeline->spans[i].is_open)
			timeline->spans[i].ms = timeline->ms - timeline->spans[i].from_ms;
}

int run_timeline(const char *dir, struct arena *arena, struct run_span **ret_spans, size_t *ret_n,
	int64_t *ret_ms, struct rondo_error *err)
{
	struct timeline timeline = {.arena = arena};
	if (run_records(dir, timeline_record, &timeline, err) < 0)
		return -1;
	timeline_close_all(&timeline);
	*ret_spans = timeline.spans;
	*ret_n = timeline.n;
	*ret_ms = timeline.ms;
	return 0;
}
