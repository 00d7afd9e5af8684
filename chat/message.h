/* One message as JSON and back; `struct rondo_message` itself stands in include/rondo.h. */
#pragma once
#include "base/arena.h"
#include "base/json/json.h"

/* The field's word for a type: "text", "code_execution", "edit" ... static. */
const char *message_type_name(enum rondo_message_type type);

/* What a message has for agents; NULL: nothing. Of a message on a thread, or of one that
 * message_copy made: in others it is not read yet. */
const struct json *message_data(const struct rondo_message *message);

/* Whether what it shows was carried out by who said it: nobody is to do it again. As
 * message_data. */
bool message_is_done(const struct rondo_message *message);

/* A copy in the arena, with its data parsed. */
struct rondo_message *message_copy(struct arena *arena, const struct rondo_message *message);

/* A JSON object with all members; the caller's. */
struct json *message_to_json(const struct rondo_message *message);

/* A message by which a human ends the whole chat, not only an own part in it: agreed (success) or
 * not (stopped). `why` is borrowed. */
struct rondo_message message_end_of_chat(const char *why, bool agreed);
bool message_ends_chat(const struct rondo_message *message, bool *ret_agreed);

/* The message that message_to_json wrote; strings in the arena, its parsed data in the object. */
int message_from_json(const struct json *json, struct arena *arena, struct rondo_message *message,
	struct rondo_error *err);
