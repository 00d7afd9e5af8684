/* Each dialect and every fault that providers, proxies and networks are known for, as rows: the
 * script that plays it, and what comes of it. The numbers are those of the list of faults that the
 * design was made from. A row whose script holds JSON of one dialect is of that alone. */
#include "tests/unit/model_fixture.h"

#define FINISH "data {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n"
#define JSON "header Content-Type: application/json\n"
#define WHOLE(choice, more) JSON "body {\"choices\":[" choice "]" more "}\n"
#define ERROR(status, text) \
	"status " status "\nheader retry-after-ms: 1\n" JSON "body {\"error\":" text "}\n"

/* LOST: what the request is estimated at where its answer breaks off; the others': so much more */
enum { UNKNOWN = -1, LOST = 41 };

static const struct dialect_row {
	const struct model_type *type;
	const char *marks[2]; /* scripts that hold one of them are this dialect's alone */
	int64_t lost_more;
} dialects[] = {{&openai_model, {"choices", "[DONE]"}, 0},
	{&openai_responses_model, {"response.", "\"object\":\"response\""}, -7},
	{&anthropic_model, {"message_", "\"type\":\"message\""}, 21}};

struct scene {
	const char *name, *script;
	const char *text;         /* of the reply; NULL: an error */
	const char *error, *help; /* what the message holds, and how the help begins */
	int requests;             /* how many it takes */
	enum model_finish finish;
	enum rondo_error_code code;
	int64_t tokens; /* prompt and completion; UNKNOWN: usage is not known */
};

#define FINE(tries, usage) "fine", NULL, NULL, tries, MODEL_FINISH_STOP, RONDO_ERROR_NONE, usage
#define ENDS(text, finish, usage) \
	text, NULL, NULL, 1, MODEL_FINISH_##finish, RONDO_ERROR_NONE, usage
#define REPLY(text, usage) ENDS(text, STOP, usage)
#define FAILS(message, tries, code, help) \
	NULL, message, help, tries, MODEL_FINISH_STOP, RONDO_ERROR_##code, 0

static const struct scene scenes[] = {
	/* How a good answer may look. */
	{"plain", "say fine\n", FINE(1, 18)},
	{"b1",
		"split 1\n"
		"say h\\xc3\\xa9 \\xf0\\x9f\\x98\\x80\n",
		REPLY("h\xc3\xa9 \xf0\x9f\x98\x80", 18)},
	{"b2",
		"events\n"
		"chunk data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\\r\\n\\r\\n\n" CHUNK("b") ALL,
		REPLY("ab", UNKNOWN)},
	{"b3",
		"send " EVENTS
		"Connection: close\\r\\n\\r\\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\\r\\r"
		"data: [DONE]\\r\\r\nclose\n",
		REPLY("a", UNKNOWN)},
	{"b5",
		"events\n"
		"chunk : ping\\n\n" CHUNK("a") "chunk : ping\\n\n" CHUNK("b") ALL,
		REPLY("ab", UNKNOWN)},
	{"b6",
		"events\n"
		"data {\"choices\":\\ndata: [{\"delta\":{\"content\":\"a\"}}]}\n" ALL,
		REPLY("a", UNKNOWN)},
	{"b7",
		"events\nchunk id: 4\\nretry: 10\\nfoo: "
		"bar\\ndata:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]"
		"}\\n\\n\n" ALL,
		REPLY("a", UNKNOWN)},
	{"b39",
		"events\nchunk : ping\\n\\n\nchunk : ping\\n\\n\n" CHUNK("a") "chunk : ping\\n\\n\n" ALL,
		REPLY("a", UNKNOWN)},
	{"b8", "events\nchunk \\xef\\xbb\\xbf\n" CHUNK("a") ALL, REPLY("a", UNKNOWN)},
	{"b10",
		"send " EVENTS
		"Connection: close\\r\\n\\r\\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"},"
		"\"finish_reason\":\"stop\"}]}\nclose\n",
		REPLY("a", UNKNOWN)},
	{"b10b", "events\n" CHUNK("a") "split 3\nchunk data: [DONE]\nend\n", REPLY("a", UNKNOWN)},
	{"b28",
		WHOLE("{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}",
			",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}"),
		REPLY("a", 7)},
	{"b29",
		"events\ndata {\"choices\":[],\"prompt_filter_results\":[]}\n" CHUNK(
			"a") "data "
				 "{\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n" ALL,
		REPLY("a", 3)},
	{"b30",
		"events\ndata {\"choices\":[{\"delta\":{\"content\":null}}]}\ndata {\"choices\":[{}]}\n"
		"data {\"choices\":[{\"delta\":null}],\"usage\":null}\n" CHUNK("a") ALL,
		REPLY("a", UNKNOWN)},
	{"b31",
		"events\n"
		"data "
		"{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":1,"
		"\"completion_tokens\":1}}\n"
		"data {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":5}}\n"
		"data {\"choices\":[],\"usage\":null}\n" ALL,
		REPLY("a", 6)},
	{"b32",
		"events\n" CHUNK("a") STOP "data [DONE]\n" CHUNK("b") "data garbage\n"
															  "end\n",
		REPLY("a", UNKNOWN)},
	{"b33", "events\n" CHUNK("a\\xff\\xfe") CHUNK("\\xc3\\xa9") ALL,
		REPLY("a\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9", UNKNOWN)},
	{"b34", "events\n" CHUNK("a\\\\ud83d") CHUNK("\\\\ude00b") ALL,
		REPLY("a\xf0\x9f\x98\x80"
			  "b",
			UNKNOWN)},
	{"b34b",
		"events\n" CHUNK("\\\\uD83D\\\\uDE00 \\\\ud83d x \\\\ude00") CHUNK("\\\\ud83d") CHUNK("y")
			ALL,
		REPLY("\xf0\x9f\x98\x80 \xef\xbf\xbd x \xef\xbf\xbd\xef\xbf\xbdy", UNKNOWN)},
	{"b36", "events\n" CHUNK("a\\\\u0000b\\\\\\\\u0000") ALL,
		REPLY("a\xef\xbf\xbd"
			  "b\\u0000",
			UNKNOWN)},
	{"b37",
		"events\n" CHUNK("a") "data "
							  "{\"choices\":[],\"usage\":{\"prompt_tokens\":1e400,\"completion_"
							  "tokens\":-3}}\n" ALL,
		REPLY("a", UNKNOWN)},
	{"b9b", "events\n" CHUNK("a") DONE, REPLY("a", UNKNOWN)},
	{"b9c", "events\n" CHUNK("a") FINISH "close\n", REPLY("a", UNKNOWN)},
	{"b32b", "events\n" CHUNK("a") "data [DONE]\nreset\n", REPLY("a", UNKNOWN)},
	{"b68",
		"events\n"
		"data "
		"{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},{\"index\":0,\"delta\":{"
		"\"content\":\"a\"}}]}\n" ALL,
		REPLY("a", UNKNOWN)},
	{"parts",
		"events\n"
		"data "
		"{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"x\"}"
		"]}}]}\n" ALL,
		REPLY("a", UNKNOWN)},
	{"untyped",
		"send HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\ndata: "
		"{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"
		"\\n\\ndata: [DONE]\\n\\n\nclose\n",
		REPLY("a", UNKNOWN)},
	{"thought",
		"events\ndata {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n"
		"data {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n" CHUNK("a") ALL,
		REPLY("a", UNKNOWN)},
	{"empty", "events\n" STOP DONE, REPLY("", UNKNOWN)},
	/* Ends that are no full stop. */
	{"b64", "finish length\nsay half\n", ENDS("half", LENGTH, 18)},
	{"b65", "finish content_filter\nsay h\n", ENDS("h", REFUSED, 18)},
	{"b65b",
		"events\ndata {\"choices\":[{\"delta\":{\"refusal\":\"I can\"}}]}\n"
		"data {\"choices\":[{\"delta\":{\"refusal\":\"not\"},\"finish_reason\":\"stop\"}]}\n" DONE,
		ENDS("I cannot", REFUSED, UNKNOWN)},
	{"b65c",
		"events\n"
		"data {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n" DONE,
		ENDS("The provider's filter held the reply back.", REFUSED, UNKNOWN)},
	{"b65d", ERROR("400", "{\"code\":\"content_filter\",\"message\":\"The prompt was filtered.\"}"),
		ENDS("The prompt was filtered.", REFUSED, UNKNOWN)},
	/* What is broken and asked for again. */
	{"b9", "events\n" CHUNK("ab") "end\n" AGAIN, FINE(2, 18 + LOST)},
	{"b11", "events\n" CHUNK("lost") "reset\n" AGAIN, FINE(2, 18 + LOST + 1)},
	{"b12", "events\nsend 40\\r\\ndata: {\\n\nclose\n" AGAIN, FINE(2, 18)},
	{"b13",
		"send " EVENTS "Content-Length: 99\\r\\n\\r\\n: ping\\n\\n\n"
		"close\n" AGAIN,
		FINE(2, 18)},
	{"b14",
		"send " EVENTS "Content-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n\n"
		"gzip-half data: {\"choices\":[{\"delta\":{\"content\":\"a b c d e f g\"}}]}\\n\\n\n"
		"close\n" AGAIN,
		FINE(2, 18)},
	{"b18", "header Content-Encoding: gzip\n" JSON "body {}\n" AGAIN, FINE(2, 18)},
	{"b22", JSON "body \n" AGAIN, FINE(2, 18)},
	{"b22b", "events\nend\n" AGAIN, FINE(2, 18)},
	{"b23", JSON "body {\"choices\":[{\"mess\n" AGAIN, FINE(2, 18)},
	{"b23b", JSON "body {}\n" AGAIN, FINE(2, 18)},
	{"b25",
		"events\n" CHUNK(
			"lost") "data {\"error\":{\"type\":\"server_error\",\"message\":\"oops\"}}\n"
					"end\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"b25b", "events\ndata {\"error\":\"oops\"}\nend\n" AGAIN, FINE(2, 18)},
	{"b25c",
		"events\n"
		"data {\"error\":{\"code\":502,\"message\":\"oops\"}}\n"
		"end\n" AGAIN,
		FINE(2, 18)},
	{"b26",
		"events\n"
		"chunk event: error\\ndata: {\"type\":\"server_error\",\"message\":\"oops\"}\\n\\n\n"
		"end\n" AGAIN,
		FINE(2, 18)},
	{"b27", "events\n" CHUNK("lost") "data {\"choices\":[{\n" CHUNK("b") ALL AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"b27b", "events\ndata {\"choices\":[]}]\n" ALL AGAIN, FINE(2, 18)},
	{"b37b",
		"events\n"
		"send 88\\r\\ndata: \n"
		"repeat 128 [\n"
		"send \\n\\n\\r\\n\n"
		"end\n" AGAIN,
		FINE(2, 18)},
	{"b40", "events\n" CHUNK("lost") "stall\n" AGAIN, FINE(2, 18 + LOST + 1)},
	{"b41", "stall\n" AGAIN, FINE(2, 18)},
	{"b43", "events\nchunk : ping\\n\nstall\n" AGAIN, FINE(2, 18)},
	{"b44", "close\n" AGAIN, FINE(2, 18)},
	{"b44b", "reset\n" AGAIN, FINE(2, 18)},
	{"b49", ERROR("429", "{\"type\":\"rate_limit_exceeded\"}") AGAIN, FINE(2, 18)},
	{"b52",
		"status 400\n"
		"header x-should-retry: true\n"
		"header retry-after-ms: 1\n"
		"body {}\n" AGAIN,
		FINE(2, 18)},
	{"b57", ERROR("408", "{}") "reply\n" ERROR("409", "{}") "reply\n" ERROR("425", "{}") AGAIN,
		FINE(4, 18)},
	{"b61", "send HTTP/1.1 204 None\\r\\n\\r\\n\n" AGAIN, FINE(2, 18)},
	{"error",
		"events\n" CHUNK("lost") "data {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n"
								 "end\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	/* What is broken for ever. */
	{"b9d", "events\n" CHUNK("a") "end\n",
		FAILS(" ends in the middle (5 tries)", 5, TRANSIENT, "try again later")},
	{"b24",
		"status 502\nheader retry-after-ms: 1\nheader Content-Type: text/html\n"
		"body <html><head>\\n<title>502 Bad\\n Gateway</title></head><body>x\n",
		FAILS(
			" answered with HTTP 502: 502 Bad Gateway (5 tries)", 5, TRANSIENT, "try again later")},
	{"b48",
		ERROR("429",
			"{\"message\":\"Slow "
			"down\",\"type\":\"rate_limit_error\",\"code\":\"rate_limit_exceeded\"}"),
		FAILS(" answered with HTTP 429 (rate_limit_error rate_limit_exceeded): Slow down (5 tries)",
			5, TRANSIENT, "try again later")},
	{"b50", "status 429\nheader Retry-After: 130\nbody {}\n",
		FAILS(" answered with HTTP 429: {}; it asks to come back in 2 min 10 s", 1, TRANSIENT,
			"try again later")},
	{"b51",
		ERROR("429",
			"{\"message\":\"You exceeded your "
			"quota\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}"),
		FAILS(" answered with HTTP 429 (insufficient_quota): You exceeded your quota", 1, USAGE,
			"see to the credit of the account that the key in TEST_API_KEY belongs to")},
	{"b52b", "status 503\nheader x-should-retry: false\nbody {\"detail\":\"down\"}\n",
		FAILS(" answered with HTTP 503: down", 1, TRANSIENT, "try again later")},
	{"b53", ERROR("529", "{\"type\":\"overloaded_error\"}"),
		FAILS("HTTP 529 (overloaded_error)", 5, TRANSIENT, "try again later")},
	{"b26b",
		"events\n"
		"data {\"error\":{\"type\":\"invalid_request_error\",\"message\":\"no\"}}\n"
		"end\n",
		FAILS(" answered with an error (invalid_request_error): no", 1, USAGE, "")},
	{"b20", JSON "body {\"error\":{\"message\":\"no such model\",\"code\":\"model_not_found\"}}\n",
		FAILS(" answered with an error (model_not_found): no such model", 1, USAGE,
			"check 'model' (test) and 'base_url'")},
	{"b21",
		"header Content-Type: text/html\n"
		"body <!DOCTYPE html>\\n<p>Please \\x1b[1mlog in\\xff\n",
		FAILS(" answered with text/html, which is no model's answer: <!DOCTYPE html> <p>Please "
			  "\\e[1mlog in\xef\xbf\xbd",
			1, USAGE, "check 'base_url', and that no proxy or login page stands before it")},
	{"b54",
		ERROR("400",
			"{\"message\":\"This model's maximum context length is "
			"9\",\"code\":\"context_length_exceeded\"}"),
		FAILS("HTTP 400 (context_length_exceeded): This model's maximum context length is 9", 1,
			USAGE, "choose a model that takes more text, or a smaller task")},
	{"b56",
		ERROR("401",
			"{\"message\":\"Incorrect API key provided: " KEY ".\",\"code\":\"invalid_api_key\"}"),
		FAILS("/b56/chat/completions answered with HTTP 401 (invalid_api_key): Incorrect API key "
			  "provided: [TEST_API_KEY].",
			1, USAGE, "set TEST_API_KEY to a key that http://127.0.0.1:")},
	{"b56b", "status 403\nheader x-request-id: req-7\nbody forbidden\n",
		FAILS("HTTP 403: forbidden [request req-7]", 1, USAGE,
			"set TEST_API_KEY to a key that http://127.0.0.1:")},
	{"b56c",
		"status 404\n"
		"body {\"error\":{\"message\":\"The model does not exist\",\"code\":404}}\n",
		FAILS("HTTP 404 (404): The model does not exist", 1, USAGE,
			"check 'model' (test) and 'base_url'")},
	{"b58", ERROR("413", "{\"message\":\"too large\"}"),
		FAILS("HTTP 413: too large", 1, USAGE,
			"choose a model that takes more text, or a smaller task")},
	{"b59", "status 307\nheader Location: https://elsewhere.example/v1\nbody -\n",
		FAILS("HTTP 307: -", 1, USAGE,
			"set 'base_url' to where it leads: https://elsewhere.example/v1")},
	{"b72",
		"status 500\n"
		"header retry-after-ms: 1\n"
		"body {\"error\":{\"message\":\"a\\\\u001b[31m\\\\r\\\\nb \\\\u0000 " KEY "\"}}\n",
		FAILS("HTTP 500: a\\e[31m b \xef\xbf\xbd [TEST_API_KEY] (5 tries)", 5, TRANSIENT,
			"try again later")},
	/* Anthropic's own. */
	{"usage",
		"events\n"
		"data "
		"{\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":5,"
		"\"cache_read_input_tokens\":4,\"cache_creation_input_tokens\":2,\"output_tokens\":1}}}\n"
		"data {\"type\":\"ping\"}\n" CHUNK(
			"a") "data {\"type\":\"of_tomorrow\"}\n"
				 "data "
				 "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\","
				 "\"thinking\":"
				 "\"hm\"}}\n"
				 "data {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":3}}\n"
				 "data "
				 "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"stop_sequence\"},"
				 "\"usage\":{"
				 "\"output_tokens\":7}}\n" DONE,
		REPLY("a", 18)},
	{"b9e",
		"events\n" CHUNK("lost") "data {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
								 "\"end_turn\"}}\nend\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"b28b",
		JSON "body {\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{"
			 "\"type\":\"text\",\"text\":\"a\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_"
			 "tokens\""
			 ":3,\"output_tokens\":4}}\n",
		REPLY("a", 7)},
	{"b64b",
		"events\n" CHUNK("half") "data {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
								 "\"model_context_window_exceeded\"}}\n" DONE,
		ENDS("half", LENGTH, UNKNOWN)},
	{"b26c",
		"events\n" CHUNK(
			"lost") "chunk event: error\\ndata: {\"type\":\"error\",\"error\":{\"type\":"
					"\"overloaded_error\",\"message\":\"Overloaded\"}}\\n\\n\nend\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"billing",
		"status 402\nbody "
		"{\"type\":\"error\",\"error\":{\"type\":\"billing_error\",\"message\":\"Pay.\"}}\n",
		FAILS(" answered with HTTP 402 (billing_error): Pay.", 1, USAGE,
			"see to the credit of the account that the key in TEST_API_KEY belongs to")},
	/* OpenAI's Responses' own. */
	{"b28c",
		JSON
		"body "
		"{\"object\":\"response\",\"status\":\"completed\",\"error\":null,\"output\":[{\"type\":"
		"\"reasoning\",\"content\":[{\"text\":\"hm\"}]},{\"type\":\"message\",\"content\":[{"
		"\"text\":"
		"\"a\"}]}],\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}\n",
		REPLY("a", 7)},
	{"whole-at-end",
		"events\ndata "
		"{\"type\":\"response.created\",\"response\":{\"object\":\"response\",\"status\":"
		"\"in_progress\",\"error\":null}}\n"
		"data {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n"
		"data "
		"{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{"
		"\"type\":"
		"\"message\",\"content\":[{\"text\":\"a\"}]}]}}\nend\n",
		REPLY("a", UNKNOWN)},
	{"b9f",
		"events\n" CHUNK("lost") "data {\"type\":\"response.output_text.done\",\"text\":\"lost\"}\n"
								 "end\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"b25d",
		"events\n" CHUNK(
			"lost") "data {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\","
					"\"error\":{\"code\":\"server_error\",\"message\":\"oops\"}}}\nend\n" AGAIN,
		FINE(2, 18 + LOST + 1)},
	{"b25e",
		"events\ndata "
		"{\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":"
		"\"invalid_prompt\",\"message\":\"no\"}}}\nend\n",
		FAILS(" answered with an error (invalid_prompt): no", 1, USAGE, "")},
	{"b25f",
		"events\ndata {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"slow "
		"down\","
		"\"param\":null}\nend\n" AGAIN,
		FINE(2, 18)},
	{"b65e",
		"events\ndata {\"type\":\"response.refusal.delta\",\"delta\":\"I can\"}\n"
		"data {\"type\":\"response.refusal.delta\",\"delta\":\"not\"}\n" DONE,
		ENDS("I cannot", REFUSED, UNKNOWN)},
	{"b65f",
		"events\ndata {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\","
		"\"incomplete_details\":{\"reason\":\"content_filter\"}}}\nend\n",
		ENDS("The provider's filter held the reply back.", REFUSED, UNKNOWN)},
};

/* --- One scene in one dialect --- */

/* Whether a row is for this dialect. */
static bool scene_is_of(const struct scene *scene, const struct dialect_row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(dialects); i++)
		for (size_t j = 0; j < 2; j++)
			if (strstr(scene->script, dialects[i].marks[j]))
				return row == &dialects[i];
	return true;
}

static const char *scene_name(
	const struct scene *scene, const struct dialect_row *row, struct arena *arena)
{
	return arena_printf(arena, "%s-%s", row->type->name, scene->name);
}

static void check_reply(const struct scene *scene, const struct dialect_row *row,
	const struct model_reply *reply, bool may_repeat)
{
	int64_t lost = scene->tokens >= LOST ? row->lost_more : 0;
	assert_string_equal(reply->text, scene->text);
	assert_int_equal(reply->finish, scene->finish);
	assert_int_equal(reply->usage_known, scene->tokens != UNKNOWN);
	if (reply->usage_known && !may_repeat)
		assert_int_equal(
			reply->usage.prompt_tokens + reply->usage.completion_tokens, scene->tokens + lost);
}

static void check_error(const struct scene *scene, const struct dialect_row *row,
	const struct rondo_error *err, struct arena *arena)
{
	const char *path = strstr(scene->error, "/chat/completions");
	assert_non_null(strstr(err->message, path ? path + strlen("/chat/completions") : scene->error));
	assert_non_null(strstr(err->message, scene_name(scene, row, arena)));
	assert_int_equal(err->code, scene->code);
	assert_null(strstr(err->message, KEY));
	assert_true(*scene->help ? text_starts_with(err->help, scene->help) : !*err->help);
}

/* What is told as it comes. */
static void note_chunk(void *owner, const struct rondo_event *event)
{
	struct rondo_error err;
	if (event->type != RONDO_EVENT_CHUNK)
		return;
	AUTO_JSON *data = json_parse(event->data, strlen(event->data), &err);
	if (json_int(data, "at", -1) == 0)
		strbuf_reset(owner);
	strbuf_adds(owner, event->text);
}

static void run_scene(const struct scene *scene, const struct dialect_row *row)
{
	static const char *const fast[] = {"first_timeout=150ms", "idle_timeout=150ms", NULL};
	/* on a slow machine for the good answer, too: and asks again */
	bool waits = strstr(scene->script, "stall") != NULL;
	struct client client = {.type = row->type};
	AUTO_STRBUF heard = STRBUF_INIT(STRBUF_TEXT);
	struct context ctx = {.emit = {note_chunk, &heard}};
	struct model_reply reply;
	const char *name = scene_name(scene, row, &client.arena);
	print_message("# %s\n", name);
	assert_non_null(open_scene(&client, name, waits ? fast : NULL));
	int result = model_complete(client.model, &request, &client.arena, &reply, &ctx, &client.err);
	if (result < 0 && scene->text)
		print_message("# %s\n", client.err.message);
	assert_int_equal(result, scene->text ? 0 : -1);
	if (scene->text)
		check_reply(scene, row, &reply, waits);
	else
		check_error(scene, row, &client.err, &client.arena);
	if (scene->text && heard.length && reply.finish != MODEL_FINISH_REFUSED)
		assert_string_equal(heard.text, reply.text);
	int requests = server_count(&server, name);
	assert_true(requests == scene->requests || (waits && requests > scene->requests));
	release(&client);
}

static void run_dialect(const struct dialect_row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++)
		if (scene_is_of(&scenes[i], row))
			run_scene(&scenes[i], row);
}

static void chat_completions_are_as_the_table_says(void **state)
{
	(void)state;
	run_dialect(&dialects[0]);
}

static void responses_are_as_the_table_says(void **state)
{
	(void)state;
	run_dialect(&dialects[1]);
}

static void messages_are_as_the_table_says(void **state)
{
	(void)state;
	run_dialect(&dialects[2]);
}

UNIT(faults)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF script = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(dialects); j++)
			if (scene_is_of(&scenes[i], &dialects[j]))
				strbuf_addf(&script, "scene %s\n%s", scene_name(&scenes[i], &dialects[j], &arena),
					scenes[i].script);
	server_start(&server, script.text);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chat_completions_are_as_the_table_says),
		cmocka_unit_test(responses_are_as_the_table_says),
		cmocka_unit_test(messages_are_as_the_table_says),
	};
	int result = RUN_TESTS(tests);
	server_stop(&server);
	return result;
}
