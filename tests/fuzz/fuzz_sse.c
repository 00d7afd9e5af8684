/* A provider's stream: cut anywhere, it gives the same events, and what is read from them is text.
 * The first byte says where. */
#include "base/sse.h"
#include "models/model_answer.h"
#include "tests/fuzz/fuzz.h"

struct seen {
	struct strbuf events;
	struct answer answer;
};

/* Note the event and read it as models do. */
static int take(void *owner, const char *name, const char *data, size_t n)
{
	struct seen *seen = owner;
	struct rondo_error err;
	struct complaint complaint;
	assert(strlen(data) <= n && data[n] == '\0');
	strbuf_addf(&seen->events, "%s %zu ", name, n);
	strbuf_add(&seen->events, data, n);
	AUTO_JSON *json = answer_parse(&seen->answer, data, n, &err);
	if (json && !complaint_read_object(&complaint, name, json, NULL))
		strbuf_adds(&seen->answer.text, json_string(json, "content", ""));
	else if (json)
		assert_text(complaint.message), assert_text(complaint.kind), assert_text(complaint.field);
	return n == 6 && memcmp(data, "[DONE]", 6) == 0;
}

/* In pieces of which `seed` says how long they are; 0: in one. */
static int read_stream(struct seen *seen, const uint8_t *data, size_t size, unsigned seed)
{
	struct rondo_error err;
	struct sse sse = SSE_INIT(take, seen, 256);
	int result = 0;
	for (size_t i = 0, n; i < size && result == 0; i += n) {
		n = seed ? (seed = seed * 1103515245 + 12345) >> 16 & 7 : size;
		n = n < size - i ? n : size - i;
		AUTO_FREE char *piece = memory_alloc(n);
		memcpy(piece, data + i, n);
		result = sse_feed(&sse, piece, n, &err);
	}
	if (result == 0)
		result = sse_finish(&sse, &err);
	sse_release(&sse);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct model_reply reply;
	struct complaint complaint;
	struct seen whole = {STRBUF_INIT(STRBUF_RECORD), ANSWER_INIT},
				cut = {STRBUF_INIT(STRBUF_RECORD), ANSWER_INIT};
	if (!size)
		return 0;
	int result = read_stream(&whole, data + 1, size - 1, 0);
	assert(read_stream(&cut, data + 1, size - 1, data[0] + 1U) == result);
	assert(whole.events.length == cut.events.length &&
		strcmp(whole.answer.text.text, cut.answer.text.text) == 0);
	assert(memcmp(whole.events.text, cut.events.text, cut.events.length) == 0);
	AUTO_FREE char *body = fuzz_string(data + 1, size - 1);
	complaint_read_body(&complaint, 500, body, NULL);
	assert_text(complaint.message);
	assert_text(complaint.kind);
	answer_conclude(&whole.answer, &arena, &reply);
	assert_text(reply.text);
	answer_release(&whole.answer);
	answer_release(&cut.answer);
	strbuf_release(&whole.events);
	strbuf_release(&cut.events);
	return 0;
}
