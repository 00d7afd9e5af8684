/* An event as the JSON object that journals and --json print. */
#pragma once
#include "base/json.h"

/* The word for a type: "run.start", "turn.start", "message" ... static. */
const char *event_type_name(enum rondo_event_type type);

/* Append an event's members to an object. */
void event_to_json(const struct rondo_event *event, struct json *to);
