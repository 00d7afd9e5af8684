/* Server-sent events: what counts as one, wherever the bytes are cut. */
#include "tests/unit/unit.h"

#include "base/http/sse.h"

/* Events as "name=data|". */
static int take(void *owner, const char *name, const char *data, size_t n)
{
	struct strbuf *events = owner;
	assert_int_equal(strlen(data), n);
	strbuf_addf(events, "%s=%s|", name, data);
	return strcmp(data, "[STOP]") == 0 ? 7 : 0;
}

/* Feed a stream in pieces of `step` bytes. */
static int read_stream(
	const char *stream, size_t step, struct strbuf *events, struct rondo_error *err)
{
	struct sse sse = SSE_INIT(take, events, 32);
	int result = 0;
	size_t length = strlen(stream);
	for (size_t i = 0; i < length && result == 0; i += step)
		result = sse_feed(&sse, stream + i, length - i < step ? length - i : step, err);
	if (result == 0)
		result = sse_finish(&sse, err);
	sse_release(&sse);
	return result;
}

static const struct {
	const char *stream, *events;
} cases[] = {
	{"data: a\n\n", "=a|"},
	{"data: a\r\n\r\ndata: b\r\n\r\n", "=a|=b|"},
	{"data: a\r\rdata: b\r\r", "=a|=b|"},
	{"data: a\n\r\ndata: b\r\n\n", "=a|=b|"},
	{"data:a\n\ndata:  b\n\n", "=a|= b|"},
	{"\xef\xbb\xbf"
	 "data: a\n\n",
		"=a|"},
	{"\xef\xbb"
	 "data: a\n\ndata: b\n\n",
		"=b|"},
	{"\xef\xbb\xbf\xef\xbb\xbf"
	 "data: a\n\ndata: b\n\n",
		"=b|"},
	{": ping\n\n: ping\ndata: a\n: ping\n\n", "=a|"},
	{"data: a\ndata: b\ndata:\ndata: c\n\n", "=a\nb\n\nc|"},
	{"event: x\ndata: a\n\ndata: b\n\n", "x=a|=b|"},
	{"event: x\n\ndata: b\n\n", "=b|"},
	{"event: x\nevent: y\ndata: b\n\n", "y=b|"},
	{"id: 1\nretry: 5\nunknown: 3\ndatabase: x\ndat: y\nDATA: z\n data: w\ndata: a\n\n", "=a|"},
	{"data\n\n", "=|"},
	{"data:\n\n", "=|"},
	{"data: a: b:\n\n", "=a: b:|"},
	{"\n\n\n\r\r\n\n", ""},
	{"data: a", "=a|"},
	{"data: a\n", "=a|"},
	{"data: a\n\nevent: x", "=a|"},
	{"data: \xc3\xa9\xf0\x9f\x98\x80\n\n", "=\xc3\xa9\xf0\x9f\x98\x80|"},
	{"", ""},
};

static void events_are_the_same_wherever_they_are_cut(void **state)
{
	(void)state;
	struct rondo_error err;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t step = 1; step <= strlen(cases[i].stream) + 1; step++) {
			AUTO_STRBUF events = STRBUF_INIT(STRBUF_LINE);
			assert_int_equal(read_stream(cases[i].stream, step, &events, &err), 0);
			assert_string_equal(events.text, cases[i].events);
		}
	}
}

static void whoever_takes_events_can_end_the_reading(void **state)
{
	(void)state;
	struct rondo_error err;
	AUTO_STRBUF events = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(read_stream("data: a\n\ndata: [STOP]\n\ndata: b\n\n", 100, &events, &err), 7);
	assert_string_equal(events.text, "=a|=[STOP]|");
}

static void an_event_has_a_limit(void **state)
{
	(void)state;
	static const char *const streams[] = {
		"data: 123456789012345678901234567890123\n\n",
		"data: 12345678901234567890123456789012\ndata: x\n\n",
		"data: 12345678901234567890123456789012\ndata:\n\n",
		"data: 1\ndata: 1234567890123456789012345678901\n\n",
	};
	struct rondo_error err;
	for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
		for (size_t step = 1; step < 60; step += 7) {
			AUTO_STRBUF events = STRBUF_INIT(STRBUF_LINE);
			assert_int_equal(read_stream(streams[i], step, &events, &err), -1);
			assert_string_equal(err.message, "an event of the stream is larger than 32 bytes");
			assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
		}
	}
	AUTO_STRBUF events = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(
		read_stream("data: 12345678901234567890123456789012\n\n", 5, &events, &err), 0);
	assert_string_equal(events.text, "=12345678901234567890123456789012|");
}

UNIT(sse)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_the_same_wherever_they_are_cut),
		cmocka_unit_test(whoever_takes_events_can_end_the_reading),
		cmocka_unit_test(an_event_has_a_limit),
	};
	return RUN_TESTS(tests);
}
