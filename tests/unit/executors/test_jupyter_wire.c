/* Jupyter's wire: what is signed is read, and nothing else. */
#include "tests/unit/unit.h"

#include "base/hash.h"
#include "base/memory.h"
#include "executors/jupyter/jupyter.h"

#define KEY "0123456789abcdef0123456789abcdef"

/* A message as a kernel sends it: six frames, signed. */
struct sent {
	struct jupyter_frame frames[8];
	char signature[HASH_SIZE];
	size_t n;
};

static struct jupyter_frame frame(const char *text)
{
	return (struct jupyter_frame){text, strlen(text)};
}

static void seal(struct sent *sent, const char *key)
{
	struct hash_part parts[4];
	for (size_t i = 0; i < 4; i++)
		parts[i] = (struct hash_part){sent->frames[3 + i].bytes, sent->frames[3 + i].n};
	hash_sign(key, parts, 4, sent->signature);
	sent->frames[2] = frame(sent->signature);
}

static void make(struct sent *sent, const char *content)
{
	static const char header[] = "{\"msg_id\":\"1\",\"msg_type\":\"stream\"}",
					  parent[] = "{\"msg_id\":\"ours\"}";
	*sent = (struct sent){.frames = {frame("topic"), frame("<IDS|MSG>"), frame(""), frame(header),
							  frame(parent), frame("{}"), frame(content)},
		.n = 7};
	seal(sent, KEY);
}

static int read_it(
	const struct sent *sent, struct jupyter_message *message, struct rondo_error *err)
{
	return jupyter_read(sent->frames, sent->n, KEY, message, err);
}

static void assert_refused(const struct sent *sent, const char *why)
{
	struct jupyter_message message = {0};
	struct rondo_error err;
	assert_int_equal(read_it(sent, &message, &err), -1);
	assert_non_null(strstr(err.message, why));
	assert_null(message.type);
}

static void a_signed_message_is_read(void **state)
{
	(void)state;
	struct sent sent;
	struct rondo_error err;
	AUTO_JUPYTER_MESSAGE message = {0};
	make(&sent, "{\"text\":\"hello\"}");
	assert_int_equal(read_it(&sent, &message, &err), 0);
	assert_string_equal(message.type, "stream");
	assert_string_equal(message.parent, "ours");
	assert_string_equal(json_string(message.content, "text", ""), "hello");
}

/* RFC 4231, test case 2. */
static void signatures_are_those_of_the_standard(void **state)
{
	(void)state;
	char hex[HASH_SIZE];
	struct hash_part parts[] = {{"what do ya want ", 16}, {"", 0}, {"for nothing?", 12}};
	hash_sign("Jefe", parts, 3, hex);
	assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	assert_true(
		hash_is_same(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
	assert_false(
		hash_is_same(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3844"));
}

static void another_signature_is_refused(void **state)
{
	(void)state;
	struct sent sent;
	make(&sent, "{}");
	seal(&sent, "another key");
	assert_refused(&sent, "wrongly signed");
	make(&sent, "{}");
	sent.frames[6] = frame("{ }");
	assert_refused(&sent, "wrongly signed");
	sent.frames[2] = frame("");
	assert_refused(&sent, "wrongly signed");
	sent.frames[2] = (struct jupyter_frame){sent.signature, 63};
	assert_refused(&sent, "wrongly signed");
}

static void a_message_that_lacks_frames_is_refused(void **state)
{
	(void)state;
	struct sent sent;
	make(&sent, "{}");
	for (sent.n = 0; sent.n < 7; sent.n++)
		assert_refused(&sent, "incomplete");
	make(&sent, "{}");
	sent.frames[1] = frame("<IDS|MSH>");
	assert_refused(&sent, "incomplete");
}

static void empty_frames_are_no_json(void **state)
{
	(void)state;
	struct sent sent;
	for (size_t i = 3; i < 7; i++) {
		make(&sent, "{}");
		sent.frames[i] = (struct jupyter_frame){NULL, 0};
		seal(&sent, KEY);
		if (i != 5) /* metadata is nobody's business */
			assert_refused(&sent, "of a message");
	}
}

static void what_is_no_object_is_refused(void **state)
{
	(void)state;
	static const char *const contents[] = {
		"[]", "1", "null", "\"text\"", "{", "{}{}", "{\"a\":1,\"a\":2}"};
	struct sent sent;
	for (size_t i = 0; i < ARRAY_SIZE(contents); i++) {
		make(&sent, contents[i]);
		assert_refused(&sent, "the content of a message");
	}
	make(&sent, "{}");
	sent.frames[3] = frame("{\"msg_type\":7}");
	seal(&sent, KEY);
	assert_refused(&sent, "no type");
}

static void deep_json_is_refused(void **state)
{
	(void)state;
	size_t n = 100000;
	AUTO_FREE char *deep = memory_alloc(2 * n + 8);
	struct sent sent;
	memcpy(deep, "{\"a\":", 5);
	memset(deep + 5, '[', n);
	memset(deep + 5 + n, ']', n);
	memcpy(deep + 5 + 2 * n, "}", 2);
	make(&sent, deep);
	assert_refused(&sent, "nested deeper");
}

/* As when a cell prints them. */
static void bytes_that_are_no_text_become_readable(void **state)
{
	(void)state;
	struct sent sent;
	struct rondo_error err;
	AUTO_JUPYTER_MESSAGE message = {0};
	make(&sent, "{\"text\":\"a\\u0000b \xff \\\\u0000 \\n\"}");
	assert_int_equal(read_it(&sent, &message, &err), 0);
	assert_string_equal(json_string(message.content, "text", ""), "a\\0b \xef\xbf\xbd \\u0000 \n");
}

static void a_large_message_is_read(void **state)
{
	(void)state;
	size_t n = (size_t)20 << 20;
	AUTO_FREE char *text = memory_alloc(n + 32);
	struct sent sent;
	struct rondo_error err;
	AUTO_JUPYTER_MESSAGE message = {0};
	memcpy(text, "{\"text\":\"", 9);
	memset(text + 9, 'x', n);
	memcpy(text + 9 + n, "\"}", 3);
	make(&sent, text);
	assert_int_equal(read_it(&sent, &message, &err), 0);
	assert_int_equal(strlen(json_string(message.content, "text", "")), n);
}

static void a_request_is_what_we_would_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *content = json_object();
	AUTO_JUPYTER_MESSAGE message = {0};
	struct jupyter_request request, other;
	struct rondo_error err;
	json_add_string(content, "code", "print('ü')");
	jupyter_request_make(&request, "execute_request", content, "session", KEY, &arena);
	jupyter_request_make(&other, "execute_request", content, "session", KEY, &arena);
	assert_string_not_equal(request.id, other.id);
	assert_int_equal(jupyter_read(request.frames, JUPYTER_REQUEST_FRAMES, KEY, &message, &err), 0);
	assert_string_equal(message.type, "execute_request");
	assert_string_equal(message.parent, "");
	assert_string_equal(json_string(message.header, "msg_id", ""), request.id);
	assert_string_equal(json_string(message.content, "code", ""), "print('ü')");
}

UNIT(jupyter_wire)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signed_message_is_read),
		cmocka_unit_test(signatures_are_those_of_the_standard),
		cmocka_unit_test(another_signature_is_refused),
		cmocka_unit_test(a_message_that_lacks_frames_is_refused),
		cmocka_unit_test(empty_frames_are_no_json),
		cmocka_unit_test(what_is_no_object_is_refused),
		cmocka_unit_test(deep_json_is_refused),
		cmocka_unit_test(bytes_that_are_no_text_become_readable),
		cmocka_unit_test(a_large_message_is_read),
		cmocka_unit_test(a_request_is_what_we_would_read),
	};
	return RUN_TESTS(tests);
}
