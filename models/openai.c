/* OpenAI's Chat Completions, which is what most servers of models speak, too. */
#include <string.h>

#include "models/hosted.h"

static const char *const limit_fields[] = {"auto", "max_tokens", "max_completion_tokens", NULL};

const struct option openai_options[] = {
	HOSTED_OPTIONS,
	HOSTED_EFFORT,
	OPTION("max_tokens_field", ENUM, HOSTED_AT(limit_field), "what the provider calls max_tokens",
		.values = limit_fields, .fallback = "auto"),
	OPTION_END,
};

/* OpenAI renamed it, most others did not. */
static const char *openai_limit_field(const struct hosted *hosted)
{
	bool is_new = strcmp(hosted->limit_field, "auto") == 0
		? hosted->is_openai
		: strcmp(hosted->limit_field, limit_fields[2]) == 0;
	return limit_fields[is_new != hosted->has_swapped ? 2 : 1];
}

/* What is left to the provider is not sent: some models refuse what they cannot be told. */
static char *openai_make_body(const struct hosted *hosted, const struct model_request *request)
{
	AUTO_JSON *body = json_object();
	json_add_string(body, "model", hosted->model);
	struct json *messages = json_add_array(body, "messages");
	for (size_t i = 0; i < request->n; i++)
		hosted_add_message(messages, &request->messages[i], "system");
	hosted_add_temperature(hosted, body);
	if (hosted->max_tokens > 0)
		json_add_int(body, openai_limit_field(hosted), hosted->max_tokens);
	json_add_string(body, "reasoning_effort", hosted->effort);
	if (hosted->stream)
		json_add_bool(body, "stream", true);
	if (hosted->stream && !hosted->has_no_options)
		json_add_bool(json_add_object(body, "stream_options"), "include_usage", true);
	return json_print(body);
}

/* Why it ended; what stands between a server and us may write null as a text. */
static void openai_read_finish(struct answer *answer, const char *reason, bool is_whole)
{
	static const char *const none[] = {"", "null", NULL};
	static const char *const cut[] = {"length", "max_tokens", "model_length", NULL};
	static const char *const broken[] = {"error", "insufficient_system_resource", NULL};
	if (!is_whole && hosted_is_one_of(reason, none))
		return;
	answer->is_broken = hosted_is_one_of(reason, broken);
	answer->is_finished = !answer->is_broken;
	if (strcmp(reason, "content_filter") == 0)
		answer->finish = MODEL_FINISH_REFUSED;
	else if (hosted_is_one_of(reason, cut))
		answer->finish = MODEL_FINISH_LENGTH;
}

/* A text, or a list of parts of which some are text. */
static void openai_read_content(struct answer *answer, const struct json *content)
{
	strbuf_adds(&answer->text, json_text(content, ""));
	const struct json *part = json_is_array(content) ? json_first(content) : NULL;
	for (; part; part = json_next(part))
		strbuf_adds(&answer->text, json_string(part, "text", ""));
}

static void openai_read_message(struct answer *answer, const struct json *message)
{
	openai_read_content(answer, json_get(message, "content"));
	strbuf_adds(&answer->refusal, json_string(message, "refusal", ""));
	answer->thought +=
		strlen(json_string(message, "reasoning", json_string(message, "reasoning_content", "")));
}

/* A chunk of a stream, or a whole completion, which says "message" in place of "delta". */
static void openai_read_completion(struct answer *answer, const struct json *json)
{
	hosted_read_usage(answer, json_get(json, "usage"), "prompt_tokens", "completion_tokens");
	const struct json *choices = json_get(json, "choices");
	for (const struct json *choice = json_first(choices); choice; choice = json_next(choice)) {
		const struct json *message = json_get(choice, "message");
		if (json_int(choice, "index", 0) != 0)
			continue;
		openai_read_message(answer, message ? message : json_get(choice, "delta"));
		openai_read_finish(answer, json_string(choice, "finish_reason", ""), message);
	}
}

/* Servers differ in two fields and say so by refusing them. Whether the request has changed. */
static bool openai_adapt(struct hosted *hosted, const struct complaint *complaint)
{
	bool *change = NULL;
	if (complaint->status != 400 && complaint->status != 422)
		return false;
	if (hosted->stream && hosted_is_unknown(complaint, "stream_options"))
		change = &hosted->has_no_options;
	else if (hosted->max_tokens > 0 && hosted_is_unknown(complaint, openai_limit_field(hosted)))
		change = &hosted->has_swapped;
	if (!change || *change)
		return false;
	return *change = true;
}

const struct dialect openai_dialect = {
	.path = "/chat/completions",
	.key_header = "Authorization: Bearer ",
	.make_body = openai_make_body,
	.read = openai_read_completion,
	.adapt = openai_adapt,
};
