/* Events that are read by their shape give what their JSON gives, in each dialect. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "models/hosted.h"
#include "models/shape.h"

static const struct {
	const struct dialect *dialect;
	const char *before, *after; /* of an event with words */
} dialects[] = {{&openai_dialect, "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"",
					"\"},\"finish_reason\":null}],\"usage\":null}"},
	{&openai_responses_dialect, "{\"type\":\"response.output_text.delta\",\"delta\":\"",
		"\",\"output_index\":0}"},
	{&anthropic_dialect,
		"{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"",
		"\"}}"}};

static unsigned next_random(unsigned *seed)
{
	return (*seed = *seed * 1103515245 + 12345) >> 16;
}

static void read_whole(
	const struct dialect *dialect, struct answer *answer, const char *event, size_t n)
{
	struct rondo_error err;
	AUTO_JSON *json = answer_parse(answer, event, n, &err);
	if (json)
		dialect->read(answer, json);
}

/* How many were read by their shape. */
static bool read_by_shape(const struct dialect *dialect, struct shape *shape, struct answer *answer,
	const char *event, size_t n)
{
	if (shape_take(shape, event, n, answer))
		return true;
	shape_look(shape, answer);
	read_whole(dialect, answer, event, n);
	shape_learn(shape, event, n, answer);
	return false;
}

static void assert_same(const struct answer *a, const struct answer *b)
{
	assert_int_equal(a->text.length, b->text.length);
	assert_memory_equal(a->text.text, b->text.text, a->text.length);
	assert_int_equal(a->is_finished, b->is_finished);
	assert_int_equal(a->usage.completion_tokens, b->usage.completion_tokens);
}

static void words_are_the_same_with_and_without(void **state)
{
	(void)state;
	static const char *const words[] = {"a", "ab", " ", "", "delta", "text", "\\n", "\\\"",
		"\\u00e9", "h\xc3\xa9", "content", "{", "null", "\xff", "a\\\\", "0", "\\ud83d", "\\ude00"};
	for (size_t d = 0; d < ARRAY_SIZE(dialects); d++) {
		size_t taken = 0;
		for (unsigned seed = 1, i = 0; i < 300; i++) {
			struct answer whole = ANSWER_INIT, quick = ANSWER_INIT;
			struct shape shape = SHAPE_INIT;
			for (size_t k = 0; k < 12; k++) {
				AUTO_STRBUF event = STRBUF_INIT(STRBUF_TEXT);
				size_t most = next_random(&seed) % 2 ? 3 : ARRAY_SIZE(words);
				strbuf_addf(&event, "%s%s%s%s", next_random(&seed) % 8 ? "" : " ",
					dialects[d].before, words[next_random(&seed) % most], dialects[d].after);
				read_whole(dialects[d].dialect, &whole, event.text, event.length);
				taken +=
					read_by_shape(dialects[d].dialect, &shape, &quick, event.text, event.length);
			}
			assert_same(&whole, &quick);
			answer_release(&whole);
			answer_release(&quick);
			shape_release(&shape);
		}
		assert_true(taken > 500);
	}
}

/* Where the same words stand elsewhere, or are made of several, no shape is taken for sure. */
static void words_in_two_places_are_read(void **state)
{
	(void)state;
	static const char *const events[] = {
		"{\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"id\":\"x\"}",
		"{\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"id\":\"y\"}",
		"{\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"id\":\"z\"}",
		"{\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"},{\"text\":\"b\"}]}}],\"id\":"
		"\"ab\"}",
		"{\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"},{\"text\":\"b\"}]}}],\"id\":"
		"\"cd\"}",
		"{\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"},{\"text\":\"b\"}]}}],\"id\":"
		"\"ef\"}"};
	struct answer quick = ANSWER_INIT;
	struct shape shape = SHAPE_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		assert_false(read_by_shape(&openai_dialect, &shape, &quick, events[i], strlen(events[i])));
	assert_string_equal(quick.text.text, "xxxababab");
	answer_release(&quick);
	shape_release(&shape);
}

UNIT(shape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_the_same_with_and_without),
		cmocka_unit_test(words_in_two_places_are_read),
	};
	return RUN_TESTS(tests);
}
