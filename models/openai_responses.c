/*
 * OpenAI's Responses, without a state at the server: the chat is sent whole, and nothing of it is
 * stored there.
 */
#include <string.h>

#include "models/hosted.h"

const struct option openai_responses_options[] = {
	HOSTED_OPTIONS,
	HOSTED_EFFORT,
	OPTION_END,
};

/* --- What is asked --- */

/* What it thought stands before what it said then; sealed, since nothing is stored there.
 * llama.cpp's server wants each item to name its type. */
static void responses_add_input(
	const struct hosted *hosted, struct json *body, const struct model_request *request)
{
	struct json *input = json_add_array(body, "input");
	for (size_t i = 0; i < request->n; i++) {
		const struct model_message *message = &request->messages[i];
		if (!hosted->has_no_thought)
			json_add_raw(input, NULL, message->provider_data);
		json_add_string(hosted_add_message(input, message, "developer"), "type", "message");
	}
}

static char *responses_make_body(const struct hosted *hosted, const struct model_request *request)
{
	AUTO_JSON *body = json_object();
	json_add_string(body, "model", hosted->model);
	responses_add_input(hosted, body, request);
	hosted_add_temperature(hosted, body);
	if (hosted->max_tokens > 0)
		json_add_int(body, "max_output_tokens", hosted->max_tokens);
	if (hosted->effort)
		json_add_string(json_add_object(body, "reasoning"), "effort", hosted->effort);
	if (hosted->stream)
		json_add_bool(body, "stream", true);
	json_add_bool(body, "store", false);
	if (!hosted->has_no_thought)
		json_add_string(json_add_array(body, "include"), NULL, "reasoning.encrypted_content");
	return json_print(body);
}

/* --- What is answered --- */

/* What was said, where it did not come piece by piece. */
static void responses_read_output(struct answer *answer, const struct json *output)
{
	if (answer->text.length || answer->refusal.length)
		return;
	for (const struct json *item = json_first(output); item; item = json_next(item)) {
		const struct json *part = json_first(json_get(item, "content"));
		for (; part && strcmp(json_string(item, "type", ""), "message") == 0;
			 part = json_next(part)) {
			strbuf_adds(&answer->text, json_string(part, "text", ""));
			strbuf_adds(&answer->refusal, json_string(part, "refusal", ""));
		}
	}
}

/* Items of sealed thought, as they are, a comma between two. */
static void responses_keep_thought(struct answer *answer, const struct json *output)
{
	for (const struct json *item = json_first(output); item; item = json_next(item)) {
		if (!*json_string(item, "encrypted_content", ""))
			continue;
		AUTO_FREE char *text = json_print(item);
		strbuf_addf(&answer->provider_data, "%s%s", answer->provider_data.length ? "," : "", text);
	}
}

/* A response that is over; one that failed is a complaint. */
static void responses_read_response(struct answer *answer, const struct json *response)
{
	const char *status = json_string(response, "status", "");
	const char *why = json_string(json_get(response, "incomplete_details"), "reason", "");
	bool is_cut = strcmp(status, "incomplete") == 0;
	if (!is_cut && strcmp(status, "completed") != 0)
		return;
	responses_read_output(answer, json_get(response, "output"));
	responses_keep_thought(answer, json_get(response, "output"));
	hosted_read_usage(answer, json_get(response, "usage"), "input_tokens", "output_tokens");
	if (is_cut)
		answer->finish =
			strcmp(why, "content_filter") == 0 ? MODEL_FINISH_REFUSED : MODEL_FINISH_LENGTH;
	answer->is_finished = true;
}

/* An event, or a whole response. Most of the events say nothing to a reader. */
static void responses_read(struct answer *answer, const struct json *json)
{
	const char *type = json_string(json, "type", ""), *delta = json_string(json, "delta", "");
	if (strcmp(json_string(json, "object", ""), "response") == 0)
		responses_read_response(answer, json);
	else if (strcmp(type, "response.output_text.delta") == 0)
		strbuf_adds(&answer->text, delta);
	else if (strcmp(type, "response.refusal.delta") == 0)
		strbuf_adds(&answer->refusal, delta);
	else if (text_starts_with(type, "response.reasoning"))
		answer->thought += strlen(delta);
	else if (json_get(json, "response"))
		responses_read_response(answer, json_get(json, "response"));
	answer->is_over = answer->is_finished;
}

/* Models that do not think refuse to hand it out, and other accounts' seals cannot be opened. */
static bool responses_adapt(struct hosted *hosted, const struct complaint *complaint)
{
	bool is_about_it = hosted_is_unknown(complaint, "include") ||
		hosted_is_unknown(complaint, "ncrypted content") ||
		strstr(complaint->kind, "encrypted_content");
	if ((complaint->status != 400 && complaint->status != 422) || !is_about_it ||
		hosted->has_no_thought)
		return false;
	return hosted->has_no_thought = true;
}

const struct dialect openai_responses_dialect = {
	.path = "/responses",
	.key_header = "Authorization: Bearer ",
	.make_body = responses_make_body,
	.read = responses_read,
	.adapt = responses_adapt,
};
