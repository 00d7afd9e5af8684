#include "tests/unit/unit.h"

#include <cjson/cJSON.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"

static void assert_refused(const char *text, size_t n, const char *message)
{
	struct rondo_error err;
	assert_null(json_parse(text, n, &err));
	assert_string_equal(err.message, message);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
}

static void reads_by_type(void **state)
{
	(void)state;
	static const char text[] =
		"{\"a\": \"x\", \"n\": -7, \"d\": 1.5, \"b\": true, \"l\": [1, \"two\"]}";
	struct rondo_error err;
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	assert_non_null(json);
	assert_string_equal(json_string(json, "a", "?"), "x");
	assert_string_equal(json_string(json, "n", "other type"), "other type");
	assert_int_equal(json_int(json, "n", 0), -7);
	assert_true(json_number(json, "d", 0) == 1.5);
	assert_true(json_bool(json, "b", false));
	assert_int_equal(json_count(json_get(json, "l")), 2);
	assert_string_equal(json_text(json_next(json_first(json_get(json, "l"))), ""), "two");
	assert_string_equal(json_string(NULL, "a", "none"), "none");
	assert_null(json_first(NULL));
}

static void refuses_what_cjson_lets_pass(void **state)
{
	(void)state;
	assert_refused("{\"a\": \"b\\u0000c\"}", 17, "1:9: NUL in a string");
	assert_refused("{\"a\":1}x", 8, "1:8: not JSON");
	assert_refused("{\"a\":1,\n\"a\":2}", 14, "key 'a' stands twice");
	assert_refused("\"\xff\"", 3, "1:2: invalid UTF-8");
	assert_refused("", 0, "1:1: not JSON");
}

static void refuses_deep_nesting(void **state)
{
	(void)state;
	char text[20001];
	memset(text, '[', 10000);
	memset(text + 10000, ']', 10000);
	assert_refused(text, 20000, "1:65: nested deeper than 64");
}

/* Comparing each with each would take minutes. */
static void reads_an_object_of_many_members(void **state)
{
	(void)state;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 300000; i++)
		strbuf_addf(&text, "%s\"key %d\":0", i ? "," : "{", i);
	strbuf_addc(&text, '}');
	AUTO_JSON *json = json_parse(text.text, text.length, &err);
	assert_int_equal(json_count(json), 300000);
	strbuf_truncate(&text, text.length - 1);
	strbuf_adds(&text, ",\"key 150000\":1}");
	assert_refused(text.text, text.length, "key 'key 150000' stands twice");
}

static void writes_what_it_reads(void **state)
{
	(void)state;
	AUTO_JSON *json = json_object();
	json_add_string(json, "text", "a\"\n\xff\xc3\xa9");
	json_add_string(json, "absent", NULL);
	json_add_int(json, "n", 12345678901234);
	json_add_raw(json, "raw", "[1]");
	assert_int_equal(json_int(json, "n", 0), 12345678901234); /* before it is printed, too */
	assert_int_equal(json_int(json, "raw", 7), 7);
	json_add_raw(json_add_array(json, "list"), NULL, "{\"x\":1}");
	AUTO_FREE char *text = json_print(json);
	assert_string_equal(text,
		"{\"text\":\"a\\\"\\n\xef\xbf\xbd\xc3\xa9\",\"n\":12345678901234,\"raw\":[1],\"list\":[{"
		"\"x\":1}]}");
	struct rondo_error err;
	AUTO_JSON *again = json_parse(text, strlen(text), &err);
	assert_string_equal(json_string(again, "text", ""), "a\"\n\xef\xbf\xbd\xc3\xa9");
}

static void keeps_whole_numbers_whole(void **state)
{
	(void)state;
	static const char text[] = "{\"huge\":1e300,\"line\":7}";
	struct rondo_error err;
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	assert_int_equal(json_int(json, "huge", -1), -1);
	assert_int_equal(json_int(json, "line", -1), 7);
	AUTO_JSON *own = json_object();
	json_add_int(own, "n", INT64_MAX);
	AUTO_FREE char *printed = json_print(own);
	assert_string_equal(printed, "{\"n\":9223372036854775807}");
}

enum { AHEAD = 16 };

static void *ahead_alloc(size_t n)
{
	return (char *)memory_alloc(n + AHEAD) + AHEAD;
}

static void ahead_free(void *pointer)
{
	free(pointer ? (char *)pointer - AHEAD : NULL);
}

/* A program that uses librondo may have told cJSON where to get memory. */
static void another_allocator_of_the_library_is_kept(void **state)
{
	(void)state;
	static const char text[] = "{\"a\":[\"x\"]}";
	struct rondo_error err;
	cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = ahead_alloc, .free_fn = ahead_free});
	struct json *json = json_parse(text, strlen(text), &err);
	char *printed = json_print(json), *pretty = json_print_pretty(json);
	json_free(json);
	cJSON_InitHooks(NULL);
	assert_string_equal(printed, text);
	free(printed);
	free(pretty);
}

UNIT(json)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_by_type),
		cmocka_unit_test(refuses_what_cjson_lets_pass),
		cmocka_unit_test(refuses_deep_nesting),
		cmocka_unit_test(reads_an_object_of_many_members),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(keeps_whole_numbers_whole),
		cmocka_unit_test(another_allocator_of_the_library_is_kept),
	};
	return RUN_TESTS(tests);
}
