/* When what was done in a run, by its journal. */
#include "run/report/timeline.h"

#include <string.h>

#include "base/memory.h"
#include "chat/event.h"
#include "run/stages.h"

enum { STAGE, PART, CALL }; /* depths */

/* --- Spans --- */

static struct run_span *timeline_add(struct timeline *timeline, struct run_span span)
{
	ARENA_PUSH(timeline->arena, timeline->spans, timeline->n, span);
	return &timeline->spans[timeline->n - 1];
}

static void timeline_open(struct timeline *timeline, struct run_span span)
{
	span.from_ms = timeline->ms;
	span.is_open = true;
	timeline_add(timeline, span);
}

/* One that has just ended. */
static void timeline_add_ended(struct timeline *timeline, struct run_span span, int64_t took_ms)
{
	span.ms = took_ms > timeline->ms ? timeline->ms : took_ms > 0 ? took_ms : 0;
	span.from_ms = timeline->ms - span.ms;
	timeline_add(timeline, span);
}

/* A stage that began where the one before ended. */
static void timeline_end_stage(struct timeline *timeline, enum run_span_kind kind, const char *what)
{
	struct run_span span = {.kind = kind, .what = what};
	timeline_add_ended(timeline, span, timeline->ms - timeline->stage_ms);
	timeline->stage_ms = timeline->ms;
}

/* The last open one that is named so (NULL: of any name). */
static struct run_span *timeline_find(
	const struct timeline *timeline, enum run_span_kind kind, const char *what)
{
	for (size_t i = timeline->n; i--;) {
		struct run_span *span = &timeline->spans[i];
		if (span->is_open && span->kind == kind && (!what || strcmp(span->what, what) == 0))
			return span;
	}
	return NULL;
}

static void timeline_close_span(const struct timeline *timeline, struct run_span *span)
{
	span->ms = timeline->ms - span->from_ms;
	span->is_open = false;
}

static void timeline_close(struct timeline *timeline, enum run_span_kind kind, const char *what)
{
	struct run_span *span = timeline_find(timeline, kind, what);
	if (span)
		timeline_close_span(timeline, span);
}

/* --- Records --- */

static const char *words(const struct timeline *timeline, const char *word, const char *text)
{
	return *text ? arena_printf(timeline->arena, "%s: %.*s", word, (int)strcspn(text, "\n"), text)
				 : word;
}

static const char *speaker(const struct timeline *timeline, const struct json *record)
{
	const char *team = json_string(record, "team", NULL);
	return arena_printf(timeline->arena, "%s%s%s", team ? team : "", team ? "/" : "",
		json_string(record, "source", "?"));
}

/* A turn of a team within ends in the turn of that team. */
static void take_turn(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const char *who = speaker(timeline, record);
	const char *what =
		arena_printf(timeline->arena, "turn %d: %s", (int)json_int(record, "turn", 0), who);
	if (type == RONDO_EVENT_TURN_END) {
		timeline_close(timeline, RUN_SPAN_TURN, what);
		return;
	}
	if (!timeline_find(timeline, RUN_SPAN_CHAT, NULL))
		timeline_open(timeline, (struct run_span){.kind = RUN_SPAN_CHAT, .what = "chat"});
	timeline_open(timeline,
		(struct run_span){.kind = RUN_SPAN_TURN,
			.what = what,
			.who = who,
			.depth = json_get(record, "team") ? CALL : PART});
}

static void take_call(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const char *who = speaker(timeline, record);
	const char *what =
		arena_printf(timeline->arena, "model %s", json_string(record, "source", "?"));
	if (type == RONDO_EVENT_MODEL_REPLY)
		timeline_close(timeline, RUN_SPAN_CALL, what);
	else
		timeline_open(timeline,
			(struct run_span){.kind = RUN_SPAN_CALL, .what = what, .who = who, .depth = CALL});
}

/* The suite ran just before its report was said. */
static void take_message(struct timeline *timeline, const struct json *message)
{
	const struct json *data = json_get(message, "data");
	struct run_span span = {.kind = RUN_SPAN_SUITE,
		.what = words(timeline, "suite", json_string(message, "content", "")),
		.depth = CALL,
		.is_good = json_bool(data, "ok", false)};
	if (strcmp(json_string(message, "type", ""), "test_report") == 0)
		timeline_add_ended(timeline, span, json_int(data, "duration_ms", 0));
}

static void take_search(struct timeline *timeline, const char *text, const struct json *data)
{
	struct run_span span = {
		.kind = RUN_SPAN_SEARCH, .what = words(timeline, "search", text), .depth = CALL};
	timeline_add_ended(timeline, span, json_int(data, "ms", 0));
}

/* The records of several attempts come one after the other; the attempts ran side by side. */
static void take_attempt(struct timeline *timeline, const struct json *record, const char *text)
{
	const char *name =
		arena_printf(timeline->arena, "attempt %d", (int)json_int(record, "attempt", 0));
	for (size_t i = 0; i < timeline->n; i++)
		if (timeline->spans[i].is_open)
			timeline_close_span(timeline, &timeline->spans[i]);
	timeline_end_stage(timeline, RUN_SPAN_RESULT, words(timeline, name, text));
	if (timeline->ms > timeline->most_ms)
		timeline->most_ms = timeline->ms;
	timeline->ms = timeline->stage_ms = 0;
}

static void take_end(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const char *text = json_string(record, "text", "");
	if (type == RONDO_EVENT_STOP && !json_get(record, "team")) {
		timeline_close(timeline, RUN_SPAN_CHAT, NULL);
		timeline->stage_ms = timeline->ms;
	} else if (type == RONDO_EVENT_VERDICT) {
		timeline_end_stage(timeline, RUN_SPAN_GATE, words(timeline, "gate", text));
	} else if (type == RONDO_EVENT_ATTEMPT) {
		take_attempt(timeline, record, text);
	} else if (type == RONDO_EVENT_RUN_END) {
		if (timeline->most_ms)
			timeline->stage_ms = timeline->most_ms;
		timeline_end_stage(timeline, RUN_SPAN_RESULT, words(timeline, "result", text));
	} else if (type == RONDO_EVENT_RESUME) {
		struct run_span span = {.kind = RUN_SPAN_RESUMED, .what = "resumed"};
		timeline_add_ended(timeline, span, 0);
	}
}

static void take_event(
	struct timeline *timeline, enum rondo_event_type type, const struct json *record)
{
	const char *text = json_string(record, "text", "");
	if (type == RONDO_EVENT_BASE)
		timeline_end_stage(timeline, RUN_SPAN_CHECKOUT, "checkout");
	else if (type == RONDO_EVENT_BASELINE)
		timeline_end_stage(timeline, RUN_SPAN_BASELINE, words(timeline, "baseline", text));
	else if (type == RONDO_EVENT_TURN_START || type == RONDO_EVENT_TURN_END)
		take_turn(timeline, type, record);
	else if (type == RONDO_EVENT_MODEL_REQUEST || type == RONDO_EVENT_MODEL_REPLY)
		take_call(timeline, type, record);
	else if (type == RONDO_EVENT_SEARCH)
		take_search(timeline, text, json_get(record, "data"));
	else if (type == RONDO_EVENT_MESSAGE)
		take_message(timeline, json_get(record, "message"));
	else
		take_end(timeline, type, record);
}

int timeline_take(void *owner, const struct json *record)
{
	struct timeline *timeline = owner;
	enum rondo_event_type type;
	int64_t ms = json_int(record, "ms", 0);
	timeline->ms = ms > timeline->ms ? ms : timeline->ms;
	if (event_type_find(json_string(record, "type", ""), &type))
		take_event(timeline, type, record);
	return 0;
}

void timeline_end(struct timeline *timeline)
{
	if (timeline->most_ms > timeline->ms)
		timeline->ms = timeline->most_ms;
	for (size_t i = 0; i < timeline->n; i++)
		if (timeline->spans[i].is_open)
			timeline->spans[i].ms = timeline->ms - timeline->spans[i].from_ms;
}

int run_timeline(const char *dir, struct arena *arena, struct run_span **ret_spans, size_t *ret_n,
	int64_t *ret_ms, struct rondo_error *err)
{
	struct timeline timeline = {.arena = arena};
	if (run_records(dir, timeline_take, &timeline, err) < 0)
		return -1;
	timeline_end(&timeline);
	*ret_spans = timeline.spans;
	*ret_n = timeline.n;
	*ret_ms = timeline.ms;
	return 0;
}
