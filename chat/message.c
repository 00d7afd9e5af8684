#include "chat/message.h"

#include <string.h>

#include "base/memory.h"
#include "chat/usage.h"

static const char *const names[] = {
	[RONDO_MESSAGE_TEXT] = "text",
	[RONDO_MESSAGE_CODE_EXECUTION] = "code_execution",
	[RONDO_MESSAGE_EDIT] = "edit",
	[RONDO_MESSAGE_TEST_REPORT] = "test_report",
	[RONDO_MESSAGE_HANDOFF] = "handoff",
	[RONDO_MESSAGE_STOP] = "stop",
};

const char *message_type_name(enum rondo_message_type type)
{
	return names[type];
}

struct json *message_to_json(const struct rondo_message *message)
{
	struct json *json = json_object();
	json_add_int(json, "id", message->id);
	json_add_string(json, "type", names[message->type]);
	json_add_string(json, "source", message->source);
	json_add_string(json, "content", message->content);
	json_add_raw(json, "data", message->data);
	if (message->models_usage.prompt_tokens || message->models_usage.completion_tokens)
		usage_to_json(&message->models_usage, json_add_object(json, "models_usage"));
	json_add_int(json, "created_at_ms", message->created_at_ms);
	return json;
}

const struct json *message_data(const struct rondo_message *message)
{
	return message->parsed;
}

bool message_is_done(const struct rondo_message *message)
{
	return json_bool(message_data(message), "done", false);
}

static void message_free_data(void *data)
{
	json_free(data);
}

struct rondo_message *message_copy(struct arena *arena, const struct rondo_message *message)
{
	struct rondo_error ignored; /* nothing is in data that cannot be read */
	struct rondo_message *copy = arena_memdup(arena, message, sizeof *message);
	copy->source = arena_strdup(arena, message->source);
	copy->content = arena_strdup(arena, message->content);
	copy->data = arena_strdup(arena, message->data);
	struct json *data = copy->data ? json_parse(copy->data, strlen(copy->data), &ignored) : NULL;
	if (data)
		arena_defer(arena, message_free_data, data);
	copy->parsed = data;
	return copy;
}

/* It is in the data, and so in the record, what the message means. */
struct rondo_message message_end_of_chat(const char *why, bool agreed)
{
	return (struct rondo_message){.type = RONDO_MESSAGE_STOP,
		.content = why,
		.data = agreed ? "{\"ends_chat\":true,\"agreed\":true}" : "{\"ends_chat\":true}"};
}

bool message_ends_chat(const struct rondo_message *message, bool *ret_agreed)
{
	const struct json *data = message_data(message);
	if (message->type != RONDO_MESSAGE_STOP || !json_bool(data, "ends_chat", false))
		return false;
	*ret_agreed = json_bool(data, "agreed", false);
	return true;
}

int message_from_json(const struct json *json, struct arena *arena,
	struct rondo_message *ret_message, struct rondo_error *err)
{
	const char *name = json_string(json, "type", "");
	size_t type = 0;
	while (type < ARRAY_SIZE(names) && strcmp(names[type], name) != 0)
		type++;
	if (type == ARRAY_SIZE(names))
		return error_set(err, RONDO_ERROR_USAGE, "message of unknown type '%s'", name);
	const struct json *data = json_get(json, "data");
	*ret_message = (struct rondo_message){
		.id = json_int(json, "id", 0),
		.type = (enum rondo_message_type)type,
		.source = arena_strdup(arena, json_string(json, "source", "")),
		.content = arena_strdup(arena, json_string(json, "content", "")),
		.data = json_print_in(data, arena),
		.parsed = data,
		.models_usage = usage_from_json(json_get(json, "models_usage")),
		.created_at_ms = json_int(json, "created_at_ms", 0),
	};
	return 0;
}
