/* reads: requests of agents to the relay */
/* What comes to the relay's socket: cut anywhere, it is the same requests, or refused for the same
 * reason; what is passed on has no key of the agent's, and goes to the one host. The first byte
 * says where it is cut. */
#include "models/relay/relay_parts.h"
#include "tests/fuzz/fuzz.h"

#define BASE "https://host.example/v1"

static void check_line(const char *text)
{
	for (; *text; text++)
		assert(((unsigned char)*text >= ' ' || *text == '\t') && *text != 127);
}

/* A request that is whole. */
static void check_request(
	const struct relay_request *request, const struct strbuf *body, struct arena *arena)
{
	static const struct relay_upstream upstream = {.base_url = BASE, .key = "real"};
	struct relay_route route;
	struct relay_question question;
	struct relay_fault fault = {0};
	AUTO_STRBUF asking = STRBUF_INIT(STRBUF_TEXT);
	assert(request->n <= RELAY_MOST_HEADERS && !(request->length && request->is_chunked));
	check_line(request->target);
	int found = relay_route_find(request, arena, &route, &fault);
	AUTO_FREE char *refusal = relay_refusal_body(route.dialect, fault.status, "why");
	assert_text(route.shown);
	assert_text(refusal);
	assert(found == 0 || (fault.status >= 400 && fault.why));
	if (found < 0)
		return;
	const char *url = relay_route_url(&route, upstream.base_url, arena);
	check_line(url);
	AUTO_FREE char *path = strndup(url, strcspn(url, "?"));
	assert(text_starts_with(url, "https://host.example/v1") && !strstr(path, ".."));
	const char *const *headers = relay_route_headers(&route, request, &upstream, arena);
	size_t keys = 0;
	for (; *headers; headers++) {
		check_line(*headers);
		keys += strstr(*headers, "real") != NULL;
		assert(!strchr(*headers, '\n') && strchr(*headers, ':'));
	}
	assert(keys >= 1);
	if (relay_question_read(&route, body->text, body->length, arena, &question, &fault) < 0)
		return;
	assert_text(question.model);
	assert(question.tokens >= 0);
	relay_question_ask_usage(body->text, body->length, &asking);
	struct relay_question again;
	if (!question.says_options)
		assert(
			relay_question_read(&route, asking.text, asking.length, arena, &again, &fault) == 0 &&
			again.says_options && strcmp(again.model, question.model) == 0);
}

/* In pieces of which `seed` says how long they are; 0: in one. Notes what it is into `seen`. */
static void read_all(const char *bytes, size_t size, unsigned seed, struct strbuf *seen)
{
	size_t start = 0, end = 0;
	struct relay_fault fault = {0};
	while (start < size) {
		AUTO_ARENA arena = ARENA_INIT;
		AUTO_STRBUF data = STRBUF_INIT(RELAY_MOST_BODY + 1);
		struct relay_request request;
		ssize_t used;
		while (!(used = relay_request_read(bytes + start, end - start, &arena, &request, &fault)) &&
			end < size) {
			size_t n = seed ? 1 + ((seed = seed * 1103515245 + 12345) >> 16 & 7) : size;
			end = n < size - end ? end + n : size;
		}
		if (used <= 0) {
			strbuf_addf(seen, "%d\n", used ? fault.status : 0);
			return;
		}
		start += (size_t)used;
		struct relay_body body = relay_body_of(&request);
		while (body.state != RELAY_BODY_OVER && start < size) {
			size_t n = seed ? 1 + ((seed = seed * 1103515245 + 12345) >> 16 & 7) : size;
			n = n < size - start ? n : size - start;
			used = relay_body_take(&body, bytes + start, n, &data, &fault);
			if (used < 0) {
				strbuf_addf(seen, "body %d\n", fault.status);
				return;
			}
			assert(used > 0 && (size_t)used <= n);
			start += (size_t)used;
		}
		end = end > start ? end : start;
		strbuf_addf(
			seen, "%s %s %zu %d\n", request.method, request.target, data.length, (int)body.state);
		if (body.state == RELAY_BODY_OVER && !seed)
			check_request(&request, &data, &arena);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_STRBUF whole = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF cut = STRBUF_INIT(STRBUF_TEXT);
	if (!size)
		return 0;
	AUTO_FREE char *bytes = memory_alloc(size);
	memcpy(bytes, data + 1, size - 1);
	read_all(bytes, size - 1, 0, &whole);
	read_all(bytes, size - 1, data[0] + 1U, &cut);
	assert(strcmp(whole.text, cut.text) == 0);
	return 0;
}
