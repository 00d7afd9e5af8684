/* Text that is told as it comes: whole, without keys, and never a flood. */
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "chat/chunks.h"

static const char *names[] = {"A_API_KEY", "B_API_KEY", "C_API_KEY", "D_API_KEY"};
static const char *values[] = {"sk-aabbccdd", "ddsk-aabb", "sk-aabbccdd-longer", "ddd"};
static const struct secrets keys = {.names = names, .values = values, .n = 4};

/* What came, with the keys taken out of each piece alone. */
struct listener {
	struct context ctx;
	struct strbuf heard;
	int64_t at, n;
};

static void hear(void *owner, const struct rondo_event *event)
{
	struct listener *listener = owner;
	struct rondo_error err;
	AUTO_JSON *data = json_parse(event->data, strlen(event->data), &err);
	assert_int_equal(event->type, RONDO_EVENT_CHUNK);
	assert_string_equal(json_string(data, "from", ""), "program");
	listener->at = json_int(data, "at", -1);
	listener->n++;
	if (!listener->at)
		strbuf_reset(&listener->heard);
	secrets_redact(&keys, &listener->heard, event->text, strlen(event->text));
}

static struct listener *listen(void)
{
	struct listener *listener = test_calloc(1, sizeof *listener);
	listener->ctx.emit = (struct context_emit){hear, listener};
	listener->heard = (struct strbuf)STRBUF_INIT(STRBUF_TEXT);
	return listener;
}

static void stop_listening(struct listener *listener)
{
	strbuf_release(&listener->heard);
	test_free(listener);
}

/* Texts of pieces of keys, cut anywhere: no piece holds a part of a key that another ends. */
static void no_key_stands_in_two_pieces(void **state)
{
	(void)state;
	static const char *const parts[] = {"sk-", "aabb", "ccdd", "-longer", "dd", "d", "s", "\n"};
	unsigned seed = 1;
	for (int round = 0; round < 400; round++) {
		struct listener *listener = listen();
		struct chunks chunks = CHUNKS_INIT(&listener->ctx, &keys, "me", CHUNKS_OF_PROGRAM);
		AUTO_STRBUF text = STRBUF_INIT(1000), expected = STRBUF_INIT(1000);
		for (int i = 0; i < 12; i++)
			strbuf_adds(&text, parts[rand_r(&seed) % 8]);
		secrets_redact(&keys, &expected, text.text, text.length);
		for (size_t at = 0, n; at < text.length; at += n) {
			n = 1 + (unsigned)rand_r(&seed) % 9;
			n = n < text.length - at ? n : text.length - at;
			chunks_add(&chunks, text.text + at, n);
		}
		chunks_end(&chunks);
		assert_string_equal(listener->heard.text, expected.text);
		stop_listening(listener);
	}
}

static void what_can_be_no_key_is_told_at_once(void **state)
{
	(void)state;
	struct listener *listener = listen();
	struct chunks chunks = CHUNKS_INIT(&listener->ctx, &keys, "me", CHUNKS_OF_PROGRAM);
	chunks_add(&chunks, "step 1\n", 7);
	assert_string_equal(listener->heard.text, "step 1\n");
	chunks_add(&chunks, "sk", 2);
	assert_string_equal(listener->heard.text, "step 1\n");
	chunks_add(&chunks, "y", 1);
	assert_string_equal(listener->heard.text, "step 1\nsky");
	assert_int_equal(listener->at, 7);
	chunks_restart(&chunks);
	chunks_add(&chunks, "anew", 4);
	assert_string_equal(listener->heard.text, "anew");
	chunks_end(&chunks);
	stop_listening(listener);
}

static void a_flood_is_left_out_and_counted(void **state)
{
	(void)state;
	static char page[32 << 10];
	struct listener *listener = listen();
	struct chunks chunks = CHUNKS_INIT(&listener->ctx, &keys, "me", CHUNKS_OF_PROGRAM);
	memset(page, 'x', sizeof page);
	for (int i = 0; i < 10000; i++)
		chunks_add(&chunks, page, sizeof page);
	assert_true(listener->n >= 2 && listener->n < 1000);
	chunks_end(&chunks);
	assert_true(chunks.at == 10000 * sizeof page);
	stop_listening(listener);
}

static void nobody_listens_or_nobody_speaks(void **state)
{
	(void)state;
	const struct context silence = {0};
	struct listener *listener = listen();
	struct chunks deaf = CHUNKS_INIT(&silence, NULL, "me", CHUNKS_OF_PROGRAM);
	struct chunks dumb = CHUNKS_INIT(&listener->ctx, NULL, NULL, CHUNKS_OF_PROGRAM);
	chunks_add(&deaf, "text", 4);
	chunks_add(&dumb, "text", 4);
	chunks_end(&deaf);
	chunks_end(&dumb);
	assert_int_equal(listener->n, 0);
	stop_listening(listener);
}

UNIT(chunks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_stands_in_two_pieces),
		cmocka_unit_test(what_can_be_no_key_is_told_at_once),
		cmocka_unit_test(a_flood_is_left_out_and_counted),
		cmocka_unit_test(nobody_listens_or_nobody_speaks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
