#include "chat/event.h"

#include "chat/message.h"

const char *event_type_name(enum rondo_event_type type)
{
	static const char *const names[] = {
		[RONDO_EVENT_RUN_START] = "run.start",
		[RONDO_EVENT_BASE] = "base",
		[RONDO_EVENT_BASELINE] = "baseline",
		[RONDO_EVENT_TURN_START] = "turn.start",
		[RONDO_EVENT_MESSAGE] = "message",
		[RONDO_EVENT_TURN_END] = "turn.end",
		[RONDO_EVENT_PROGRESS] = "progress",
		[RONDO_EVENT_NOTICE] = "notice",
		[RONDO_EVENT_VERDICT] = "verdict",
		[RONDO_EVENT_RUN_END] = "run.end",
	};
	return names[type];
}

void event_to_json(const struct rondo_event *event, struct json *to)
{
	json_add_string(to, "type", event_type_name(event->type));
	if (event->turn)
		json_add_int(to, "turn", event->turn);
	json_add_string(to, "source", event->source);
	json_add_string(to, "text", event->text);
	json_add_raw(to, "data", event->data);
	if (event->message)
		json_add(to, "message", message_to_json(event->message));
}
