/*
 * A model that is a program of the user's: it reads the messages as JSON and prints the reply. It
 * runs on this machine, outside of any sandbox, with the user's environment but for keys.
 */
#include <string.h>

#include "base/inquiry.h"
#include "base/memory.h"
#include "chat/usage.h"
#include "models/model.h"

struct command_model {
	const char *command, *output;
	int64_t timeout_ms;
};

#define AT(member) offsetof(struct command_model, member)

static const char *const outputs[] = {"text", "json", NULL};

static const struct option options[] = {
	OPTION("command", STRING, AT(command),
		"a line of sh, which runs where the scenario lies: it reads {\"messages\": [{\"role\", "
		"\"content\"} ...]} and prints the reply",
		.required = true, .argument = "CMD"),
	OPTION("output", ENUM, AT(output),
		"what it prints: the reply's text, or one object of JSON with text, usage and finish",
		.values = outputs, .fallback = "text"),
	OPTION("timeout", DURATION, AT(timeout_ms), "the longest time of a call", .fallback = "10m",
		.least = 1),
	OPTION_END,
};

static const char *command_question(const struct model_request *request, struct arena *arena)
{
	AUTO_JSON *json = json_object();
	struct json *messages = json_add_array(json, "messages");
	for (size_t i = 0; i < request->n; i++) {
		struct json *message = json_add_object(messages, NULL);
		json_add_string(message, "role", model_roles[request->messages[i].role]);
		json_add_string(message, "content", request->messages[i].content);
	}
	return json_print_in(json, arena);
}

/* {"text": "...", "usage": {"prompt_tokens": 1, ...}, "finish": "length"} */
static int command_read_json(const struct command_model *command, const char *text, size_t n,
	struct arena *arena, struct model_reply *reply, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(text, n, err);
	const char *said = json_string(json, "text", NULL);
	const struct json *usage = json_get(json, "usage");
	if (!json)
		return error_prefix(err, "'%s' printed no JSON", command->command);
	if (!said)
		return error_set(err, RONDO_ERROR_USAGE,
			"'%s' must print an object whose 'text' is the reply", command->command);
	reply->text = arena_strdup(arena, said);
	reply->usage = usage_from_json(usage);
	reply->usage_known = json_is_object(usage);
	if (strcmp(json_string(json, "finish", "stop"), "length") == 0)
		reply->finish = MODEL_FINISH_LENGTH;
	return 0;
}

static int command_complete(struct model *model, const struct model_request *request,
	struct arena *arena, struct model_reply *ret_reply, const struct context *ctx,
	struct rondo_error *err)
{
	const struct command_model *command = model->state;
	const char *dir = model->services->dir;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const struct inquiry inquiry = {.command = command->command,
		.dir = dir && *dir ? dir : NULL,
		.question = command_question(request, arena),
		.timeout_ms = command->timeout_ms,
		.cancel = ctx->cancel};
	struct model_reply reply = {.finish = MODEL_FINISH_STOP};
	if (inquire_text(&inquiry, &text, err) < 0)
		return -1;
	if (strcmp(command->output, "json") == 0) {
		if (command_read_json(command, text.text, text.length, arena, &reply, err) < 0)
			return -1;
	} else {
		strbuf_rtrim(&text);
		reply.text = arena_strdup(arena, text.text);
	}
	*ret_reply = reply;
	return 0;
}

const struct model_type command_model = {
	.name = "command",
	.summary = "a program of your own: messages as JSON on its input, the reply on its output",
	.state_size = sizeof(struct command_model),
	.options = options,
	.complete = command_complete,
};
