/* What passes by is read as models/ reads its own answers, for what it cost. */
#include <string.h>
#include <strings.h>

#include "chat/usage.h"
#include "models/hosted.h"
#include "models/relay/relay_parts.h"

#define LARGEST_EVENT ((size_t)4 << 20)
#define LARGEST_BODY ((size_t)32 << 20)

/* What Gemini counts, in each piece of an answer for all of it so far. What it thought is no part
 * of the candidates, and paid for as they are. */
static void relay_count_gemini(struct answer *answer, const struct json *json)
{
	const struct json *usage = json_get(json, "usageMetadata");
	const struct json *candidate = json_first(json_get(json, "candidates"));
	const struct json *parts = json_get(json_get(candidate, "content"), "parts");
	int64_t prompt = json_int(usage, "promptTokenCount", 0);
	int64_t said = json_int(usage, "candidatesTokenCount", 0);
	int64_t thought = json_int(usage, "thoughtsTokenCount", 0);
	for (const struct json *part = json_first(parts); part; part = json_next(part))
		strbuf_adds(&answer->text, json_string(part, "text", ""));
	answer->is_finished = answer->is_finished || json_get(candidate, "finishReason");
	if (prompt <= 0 || said < 0 || thought < 0)
		return;
	answer->usage = (struct rondo_usage){
		.prompt_tokens = prompt + json_int(usage, "toolUsePromptTokenCount", 0),
		.completion_tokens = said + thought,
		.cached_tokens = json_int(usage, "cachedContentTokenCount", 0),
		.reasoning_tokens = thought};
	answer->usage_known = answer->is_finished;
}

/* A compacted chat is no response, and counted as one. */
static void relay_count_responses(struct answer *answer, const struct json *json)
{
	if (strcmp(json_string(json, "object", ""), "response.compaction") == 0)
		hosted_read_usage(answer, json_get(json, "usage"), "input_tokens", "output_tokens");
	else
		openai_responses_dialect.read(answer, json);
}

static void relay_count_read(struct relay_count *count, const struct json *json)
{
	switch (count->dialect) {
	case RELAY_CHAT:
		openai_dialect.read(&count->answer, json);
		break;
	case RELAY_RESPONSES:
		relay_count_responses(&count->answer, json);
		break;
	case RELAY_MESSAGES:
		anthropic_dialect.read(&count->answer, json);
		break;
	case RELAY_GEMINI:
		relay_count_gemini(&count->answer, json);
		break;
	}
}

/* One JSON text; Gemini's may be a list of what else are events. */
static void relay_count_json(
	struct relay_count *count, const char *event, const char *text, size_t n)
{
	struct rondo_error err;
	size_t before = count->answer.text.length + count->answer.thought;
	AUTO_JSON *json = answer_parse(&count->answer, text, n, &err);
	const struct json *item = json_is_array(json) ? json_first(json) : json;
	for (; item; item = json_is_array(json) ? json_next(item) : NULL)
		if (!complaint_read_object(&count->complaint, event, item, count->secrets))
			relay_count_read(count, item);
	count->n_silent += count->answer.text.length + count->answer.thought == before;
}

static int relay_count_event(void *owner, const char *name, const char *data, size_t n)
{
	struct relay_count *count = owner;
	if (!n || strcmp(data, "[DONE]") == 0 || shape_take(&count->shape, data, n, &count->answer))
		return 0;
	shape_look(&count->shape, &count->answer);
	relay_count_json(count, name, data, n);
	shape_learn(&count->shape, data, n, &count->answer);
	return 0;
}

void relay_count_init(
	struct relay_count *count, enum relay_dialect dialect, const struct secrets *secrets)
{
	*count = (struct relay_count){.dialect = dialect,
		.answer = ANSWER_INIT,
		.shape = SHAPE_INIT,
		.sse = SSE_INIT(relay_count_event, count, LARGEST_EVENT),
		.body = STRBUF_INIT(LARGEST_BODY),
		.secrets = secrets};
}

void relay_count_begin(struct relay_count *count, const char *content_type)
{
	count->is_stream = strncasecmp(content_type, "text/event-stream", 17) == 0;
}

void relay_count_feed(struct relay_count *count, const char *bytes, size_t n)
{
	struct rondo_error err;
	if (count->has_failed)
		return;
	if (count->is_stream)
		count->has_failed = sse_feed(&count->sse, bytes, n, &err) < 0;
	else
		strbuf_add(&count->body, bytes, n);
}

/* Some servers call a stream of events by another name. */
static void relay_count_body(struct relay_count *count)
{
	struct rondo_error err;
	const char *text = count->body.text + strspn(count->body.text, " \t\r\n");
	bool is_stream = text_starts_with(text, "data:") || text_starts_with(text, "event:");
	if (count->body.cut)
		return;
	if (is_stream)
		sse_feed(&count->sse, count->body.text, count->body.length, &err);
	else if (*text)
		relay_count_json(count, "", text, strlen(text));
}

/* Nobody said what the call cost: what is known of the prompt, and what was heard. */
static struct rondo_usage relay_count_estimate(const struct relay_count *count, int64_t asked)
{
	const struct answer *answer = &count->answer;
	struct rondo_usage usage = answer->usage;
	int64_t heard = (int64_t)(answer->text.length + answer->thought) / 4 + count->n_silent;
	if (usage.prompt_tokens <= 0 || !usage_is_sane(&usage))
		usage = (struct rondo_usage){.prompt_tokens = asked};
	if (usage.completion_tokens < heard)
		usage.completion_tokens = heard;
	return usage;
}

struct rondo_usage relay_count_finish(struct relay_count *count, int64_t asked, bool *ret_known)
{
	struct rondo_error err;
	if (!count->is_stream)
		relay_count_body(count);
	if (!count->has_failed)
		sse_finish(&count->sse, &err);
	*ret_known = count->answer.usage_known && usage_is_sane(&count->answer.usage);
	return *ret_known ? count->answer.usage : relay_count_estimate(count, asked);
}

void relay_count_release(struct relay_count *count)
{
	answer_release(&count->answer);
	shape_release(&count->shape);
	sse_release(&count->sse);
	strbuf_release(&count->body);
}
