/* Replies as JSON, for tapes and journals; and those that a journal has already. */
#include <string.h>

#include "base/memory.h"
#include "chat/usage.h"
#include "models/model.h"

const char *const model_roles[] = {
	[MODEL_SYSTEM] = "system", [MODEL_USER] = "user", [MODEL_ASSISTANT] = "assistant"};

static const char *const finish_words[] = {[MODEL_FINISH_STOP] = "stop",
	[MODEL_FINISH_LENGTH] = "length",
	[MODEL_FINISH_REFUSED] = "refused"};

struct json *model_reply_to_json(const struct model_reply *reply)
{
	struct json *json = json_object();
	json_add_string(json, "finish", finish_words[reply->finish]);
	json_add_string(json, "provider_data", reply->provider_data);
	if (reply->usage_known)
		usage_to_json(&reply->usage, json);
	return json;
}

static int reply_read_finish(const char *word, enum model_finish *finish, struct rondo_error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(finish_words); i++) {
		*finish = (enum model_finish)i;
		if (strcmp(word, finish_words[i]) == 0)
			return 0;
	}
	return error_set(
		err, RONDO_ERROR_USAGE, "finish must be one of stop, length, refused, found '%s'", word);
}

int model_reply_from_json(const struct json *data, const char *text, struct arena *arena,
	struct model_reply *ret_reply, struct rondo_error *err)
{
	struct model_reply reply = {.text = arena_strdup(arena, text),
		.provider_data = arena_strdup(arena, json_string(data, "provider_data", NULL))};
	reply.usage_known = json_get(data, "prompt_tokens") && json_get(data, "completion_tokens");
	reply.usage = usage_from_json(data);
	if (reply_read_finish(json_string(data, "finish", "stop"), &reply.finish, err) < 0)
		return -1;
	*ret_reply = reply;
	return 0;
}
