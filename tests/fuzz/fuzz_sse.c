/* reads: event streams of models */
/* A provider's stream: cut anywhere, it gives the same events, and what each dialect reads from
 * them is the same text. The first byte says where it is cut. */
#include "base/http/sse.h"
#include "models/hosted.h"
#include "models/shape.h"
#include "tests/fuzz/fuzz.h"

enum { DIALECTS = 3 };
static const struct dialect *const dialects[DIALECTS] = {
	&openai_dialect, &openai_responses_dialect, &anthropic_dialect};

struct seen {
	struct strbuf events;
	struct answer answers[DIALECTS];
	struct shape shapes[DIALECTS];
	bool by_shape; /* what is alike is not read anew */
};

static void seen_init(struct seen *seen)
{
	seen->by_shape = false;
	seen->events = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
	for (size_t i = 0; i < DIALECTS; i++)
		seen->answers[i] = (struct answer)ANSWER_INIT, seen->shapes[i] = (struct shape)SHAPE_INIT;
}

static void seen_release(struct seen *seen)
{
	for (size_t i = 0; i < DIALECTS; i++)
		answer_release(&seen->answers[i]), shape_release(&seen->shapes[i]);
	strbuf_release(&seen->events);
}

/* Note the event and read it as models do. */
static int take(void *owner, const char *name, const char *data, size_t n)
{
	struct seen *seen = owner;
	struct rondo_error err;
	struct complaint complaint;
	assert(strlen(data) <= n && data[n] == '\0');
	strbuf_addf(&seen->events, "%s %zu ", name, n);
	strbuf_add(&seen->events, data, n);
	for (size_t i = 0; i < DIALECTS; i++) {
		struct answer *answer = &seen->answers[i];
		struct shape *shape = &seen->shapes[i];
		if (seen->by_shape && !complaint_is_event(name) && shape_take(shape, data, n, answer))
			continue;
		shape_look(shape, answer);
		AUTO_JSON *json = answer_parse(answer, data, n, &err);
		if (json && !complaint_read_object(&complaint, name, json, NULL))
			dialects[i]->read(answer, json);
		else if (json)
			assert_text(complaint.message), assert_text(complaint.kind),
				assert_text(complaint.field);
		shape_learn(shape, data, n, answer);
	}
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

/* What came piece by piece is what was said in all. */
static void check_answer(struct answer *answer, const struct answer *other)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct model_reply reply;
	size_t at = 0;
	assert(strcmp(answer->text.text, other->text.text) == 0);
	assert(answer->is_finished == other->is_finished && answer->thought == other->thought);
	assert_text(answer_since(answer, &at, &arena));
	answer_conclude(answer, &arena, &reply);
	assert_text(reply.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct complaint complaint;
	struct seen whole, cut;
	if (!size)
		return 0;
	seen_init(&whole);
	seen_init(&cut);
	cut.by_shape = true;
	int result = read_stream(&whole, data + 1, size - 1, 0);
	assert(read_stream(&cut, data + 1, size - 1, data[0] + 1U) == result);
	assert(whole.events.length == cut.events.length);
	assert(memcmp(whole.events.text, cut.events.text, cut.events.length) == 0);
	for (size_t i = 0; i < DIALECTS; i++)
		check_answer(&whole.answers[i], &cut.answers[i]);
	AUTO_FREE char *body = fuzz_string(data + 1, size - 1);
	complaint_read_body(&complaint, 500, body, NULL);
	assert_text(complaint.message);
	assert_text(complaint.kind);
	seen_release(&whole);
	seen_release(&cut);
	return 0;
}
