#include "chat/event.h"

#include <string.h>

#include "base/memory.h"
#include "chat/message.h"

static const char *const names[] = {
	[RONDO_EVENT_RUN_START] = "run.start",
	[RONDO_EVENT_BASE] = "base",
	[RONDO_EVENT_BASELINE] = "baseline",
	[RONDO_EVENT_TURN_START] = "turn.start",
	[RONDO_EVENT_MODEL_REQUEST] = "model.request",
	[RONDO_EVENT_MODEL_REPLY] = "model.reply",
	[RONDO_EVENT_QUESTION] = "question",
	[RONDO_EVENT_SEARCH] = "search",
	[RONDO_EVENT_MESSAGE] = "message",
	[RONDO_EVENT_TURN_END] = "turn.end",
	[RONDO_EVENT_STOP] = "stop",
	[RONDO_EVENT_PROGRESS] = "progress",
	[RONDO_EVENT_NOTICE] = "notice",
	[RONDO_EVENT_VERDICT] = "verdict",
	[RONDO_EVENT_RUN_END] = "run.end",
	[RONDO_EVENT_RESUME] = "resume",
	[RONDO_EVENT_CHUNK] = "chunk",
	[RONDO_EVENT_ATTEMPT] = "attempt",
};

const char *event_type_name(enum rondo_event_type type)
{
	return names[type];
}

bool event_type_find(const char *name, enum rondo_event_type *ret_type)
{
	size_t type = 0;
	while (type < ARRAY_SIZE(names) && strcmp(names[type], name) != 0)
		type++;
	if (type < ARRAY_SIZE(names))
		*ret_type = (enum rondo_event_type)type;
	return type < ARRAY_SIZE(names);
}

void event_to_json(const struct rondo_event *event, struct json *to)
{
	json_add_string(to, "type", event_type_name(event->type));
	if (event->attempt)
		json_add_int(to, "attempt", event->attempt);
	if (event->turn)
		json_add_int(to, "turn", event->turn);
	json_add_string(to, "team", event->team);
	json_add_string(to, "source", event->source);
	json_add_string(to, "text", event->text);
	json_add_raw(to, "data", event->data);
	if (event->message)
		json_add(to, "message", message_to_json(event->message));
}

int event_from_json(const struct json *json, struct arena *arena, struct rondo_event *ret_event,
	struct rondo_error *err)
{
	const char *name = json_string(json, "type", "");
	const struct json *data = json_get(json, "data"), *message = json_get(json, "message");
	struct rondo_message *said = message ? arena_alloc(arena, sizeof *said) : NULL;
	enum rondo_event_type type;
	if (!event_type_find(name, &type))
		return error_set(err, RONDO_ERROR_USAGE, "event of unknown type '%s'", name);
	if (said && message_from_json(message, arena, said, err) < 0)
		return -1;
	*ret_event = (struct rondo_event){
		.type = type,
		.turn = (int)json_int(json, "turn", 0),
		.team = arena_strdup(arena, json_string(json, "team", NULL)),
		.source = arena_strdup(arena, json_string(json, "source", NULL)),
		.text = arena_strdup(arena, json_string(json, "text", NULL)),
		.data = json_print_in(data, arena),
		.message = said,
	};
	return 0;
}
