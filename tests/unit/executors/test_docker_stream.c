/* Frames out of a container: cut anywhere, and such that are none. */
#include "tests/unit/unit.h"

#include "base/strbuf.h"
#include "executors/docker/stream.h"

static void take(void *owner, enum docker_channel channel, const char *bytes, size_t n)
{
	strbuf_addf(owner, "%d:%.*s ", (int)channel, (int)n, bytes);
}

#define FRAME(channel, n) channel "\0\0\0\0\0\0" n

static const char two[] =
	FRAME("\1", "\3") "one" FRAME("\2", "\2") "er" FRAME("\1", "\0") FRAME("\1", "\1") "x";

static void frames_are_told_apart(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(1000);
	struct docker_stream stream = {.take = take, .owner = &said};
	assert_true(docker_stream_feed(&stream, two, sizeof two - 1));
	assert_string_equal(said.text, "1:one 2:er 1:x ");
}

static void frames_are_cut_anywhere(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(1000);
	struct docker_stream stream = {.take = take, .owner = &said};
	for (size_t i = 0; i < sizeof two - 1; i++)
		assert_true(docker_stream_feed(&stream, two + i, 1));
	assert_string_equal(said.text, "1:o 1:n 1:e 2:e 2:r 1:x ");
}

/* A length is believed, and costs nothing; what is no head ends it. */
static void forged_heads_harm_nobody(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(1000);
	struct docker_stream stream = {.take = take, .owner = &said};
	assert_true(docker_stream_feed(&stream, "\1\0\0\0\377\377\377\377", 8));
	assert_true(docker_stream_feed(&stream, "abc", 3));
	assert_string_equal(said.text, "1:abc ");
	struct docker_stream other = {.take = take, .owner = &said};
	assert_false(docker_stream_feed(&other, "HTTP/1.1", 8));
	struct docker_stream third = {.take = take, .owner = &said};
	assert_false(docker_stream_feed(&third, "\4\0\0\0\0\0\0\1x", 9));
}

UNIT(docker_stream)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_told_apart),
		cmocka_unit_test(frames_are_cut_anywhere), cmocka_unit_test(forged_heads_harm_nobody)};
	return RUN_TESTS(tests);
}
