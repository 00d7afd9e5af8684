/* URLs: what they name, and which are refused. */
#include "tests/unit/unit.h"

#include "base/http/http.h"
#include "base/memory.h"

static void a_url_is_taken_apart(void **state)
{
	(void)state;
	static const struct {
		const char *url, *host;
		int port;
		bool is_local;
	} good[] = {
		{"https://api.openai.com/v1", "api.openai.com", 443, false},
		{"http://localhost:8080/v1/", "localhost", 8080, true},
		{"http://127.0.0.1/v1", "127.0.0.1", 80, true},
		{"http://[::1]:5/", "[::1]", 5, true},
		{"https://127.evil.example/", "127.evil.example", 443, false},
		{"https://localhost.example/", "localhost.example", 443, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct http_url url;
		struct rondo_error err;
		assert_int_equal(http_url_read(good[i].url, &url, &err), 0);
		assert_string_equal(url.host, good[i].host);
		assert_int_equal(url.port, good[i].port);
		assert_int_equal(url.is_local, good[i].is_local);
	}
}

static void what_is_no_url_is_refused(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"", "'' must begin with https:// or http://"},
		{"api.openai.com/v1", "'api.openai.com/v1' must begin with https:// or http://"},
		{"file:///etc/passwd", "'file:///etc/passwd' must begin with https:// or http://"},
		{"http://", "'http://' is not a URL: "},
		{"http://a b/", "'http://a b/' is not a URL: "},
		{"http://host:0/", "the URL of host has the port 0, which nobody can reach"},
		{"http://host:99999/", "'http://host:99999/' is not a URL: "},
		{"https://sk-secret@host/v1",
			"the URL of host holds a user's name; keys come from the environment"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct http_url url = {.port = 7};
		struct rondo_error err;
		assert_int_equal(http_url_read(bad[i][0], &url, &err), -1);
		assert_memory_equal(err.message, bad[i][1], strlen(bad[i][1]));
		assert_int_equal(err.code, RONDO_ERROR_USAGE);
		assert_int_equal(url.port, 7);
	}
}

UNIT(http_url)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_url_is_taken_apart),
		cmocka_unit_test(what_is_no_url_is_refused),
	};
	return RUN_TESTS(tests);
}
