/* An event as the JSON object that journals and --json print, and back. */
#pragma once
#include "base/arena.h"
#include "base/json/json.h"

/* The word for a type: "run.start", "turn.start", "message" ... static. */
const char *event_type_name(enum rondo_event_type type);

/* The type of that word; false: there is none. */
bool event_type_find(const char *name, enum rondo_event_type *ret_type);

/* Append an event's members to an object. */
void event_to_json(const struct rondo_event *event, struct json *to);

/* The event that event_to_json wrote; strings in the arena. */
int event_from_json(const struct json *json, struct arena *arena, struct rondo_event *event,
	struct rondo_error *err);
