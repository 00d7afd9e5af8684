/* Requests as hostile clients write them: each is read, refused, or waits for more; whole or byte
 * by byte, that comes to the same. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "models/relay/relay_request.h"

#define POST "POST /v1/messages HTTP/1.1\r\nHost: x\r\n"
#define PARTIAL (-1)
#define GOOD 0

/* NULs in them: with their length. */
#define BYTES(text) text, sizeof text - 1

static const struct {
	const char *bytes;
	size_t n;
	int status; /* GOOD, PARTIAL, or why it is refused */
	const char *body;
	size_t left; /* bytes that belong to the next request */
} cases[] = {
	{BYTES("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), GOOD, "", 0},
	{BYTES("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"), GOOD, "", 0},
	{BYTES("GET / HTTP/1.0\r\n\r\n"), GOOD, "", 0},
	{BYTES(POST "Content-Length: 2\r\n\r\n{}"), GOOD, "{}", 0},
	{BYTES(POST "Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n"), GOOD, "{}", 16},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), GOOD, "{}", 0},
	{BYTES(POST "Transfer-Encoding: Chunked\r\n\r\n00a;x=\"y\"\r\n0123456789\r\n1 \r\n!\r\n"
				"0\r\nA: b\r\nC: d\r\n\r\nrest"),
		GOOD, "0123456789!", 4},
	{BYTES(POST "Content-Length:\t 2 \t\r\n\r\n\0\n"), GOOD, NULL, 0},
	/* halves */
	{BYTES(""), PARTIAL, NULL, 0},
	{BYTES("GET / HT"), PARTIAL, NULL, 0},
	{BYTES("GET / HTTP/1.1\r\nHost: x\r\n"), PARTIAL, NULL, 0},
	{BYTES(POST "Content-Length: 3\r\n\r\n{}"), PARTIAL, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"), PARTIAL, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n"), PARTIAL, NULL, 0},
	/* two readers, two lengths */
	{BYTES(POST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 2, 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: +2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 0x2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: -1\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: \r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 2 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 99999999999999999999999\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 67108865\r\n\r\n"), 413, NULL, 0},
	{BYTES(POST "Content-Length : 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: gzip, chunked\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked, identity\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding:\vchunked\r\n\r\n"), 400, NULL, 0},
	{BYTES("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST " Content-Length: 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "Content-Length: 2\n\n{}"), 400, NULL, 0},
	{BYTES(POST "A: b\rContent-Length: 2\r\n\r\n{}"), 400, NULL, 0},
	{BYTES(POST "A: b\0c\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "A\0: b\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "A: \x1b[2J\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST ": b\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "no colon\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Host: y\r\n\r\n"), 400, NULL, 0},
	{BYTES("GET / HTTP/1.1\r\nHostess: x\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Expect: the-unexpected\r\n\r\n"), 417, NULL, 0},
	/* first lines */
	{BYTES("GET /\r\n\r\n"), 400, NULL, 0},
	{BYTES("GET / x HTTP/1.1\r\nHost: x\r\n\r\n"), 505, NULL, 0},
	{BYTES("GET  / HTTP/1.1\r\nHost: x\r\n\r\n"), 400, NULL, 0},
	{BYTES(" GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 400, NULL, 0},
	{BYTES("G\x01T / HTTP/1.1\r\nHost: x\r\n\r\n"), 400, NULL, 0},
	{BYTES("GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, NULL, 0},
	{BYTES("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505, NULL, 0},
	{BYTES("GET / HTTP/1.12\r\nHost: x\r\n\r\n"), 505, NULL, 0},
	{BYTES("GET / http/1.1\r\nHost: x\r\n\r\n"), 505, NULL, 0},
	{BYTES("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505, NULL, 0},
	{BYTES("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"), 400, NULL, 0},
	{BYTES("\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 400, NULL, 0},
	{BYTES("\nGET / HTTP/1.1\r\n\r\n"), 400, NULL, 0},
	/* chunks */
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n 2\r\n{}\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n;x\r\n{}\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n2;\n{}\r\n0\r\n\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n4000001\r\n"), 413, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3ffffff\r\n"), 413, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"), 413, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n0000000000000002\r\n"), 400, NULL, 0},
	{BYTES(POST "Transfer-Encoding: chunked\r\n\r\n0\r\nA\n\r\n"), 400, NULL, 0},
};

struct read {
	int status;
	size_t used;
	struct strbuf body;
};

/* In pieces of so many bytes. */
static void read_all(const char *bytes, size_t n, size_t step, struct read *read)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct relay_request request;
	struct relay_fault fault;
	size_t end = 0;
	ssize_t used = 0;
	*read = (struct read){.status = PARTIAL, .body = STRBUF_INIT(RELAY_MOST_BODY + 1)};
	while (!used && end < n) {
		end = step < n - end ? end + step : n;
		AUTO_FREE char *copy = memory_alloc(end); /* so that reading on is noticed */
		memcpy(copy, bytes, end);
		used = relay_request_read(copy, end, &arena, &request, &fault);
	}
	read->used = used > 0 ? (size_t)used : 0;
	if (used <= 0) {
		read->status = used ? fault.status : PARTIAL;
		return;
	}
	struct relay_body body = relay_body_of(&request);
	while (body.state != RELAY_BODY_OVER && read->used < n) {
		size_t piece = step < n - read->used ? step : n - read->used;
		used = relay_body_take(&body, bytes + read->used, piece, &read->body, &fault);
		if (used < 0) {
			read->status = fault.status;
			return;
		}
		read->used += (size_t)used;
	}
	read->status = body.state == RELAY_BODY_OVER ? GOOD : PARTIAL;
}

static void requests_are_read_or_refused(void **state)
{
	(void)state;
	static const size_t steps[] = {1, 7, 100000};
	size_t wrong = 0;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t k = 0; k < ARRAY_SIZE(steps); k++) {
			struct read read;
			read_all(cases[i].bytes, cases[i].n, steps[k], &read);
			bool fits = read.status == cases[i].status;
			if (fits && read.status == GOOD)
				fits = cases[i].n - read.used == cases[i].left &&
					(!cases[i].body || strcmp(read.body.text, cases[i].body) == 0);
			if (!fits)
				print_message("# row %zu by %zu: want %d, got %d, %zu of %zu used: %s\n", i,
					steps[k], cases[i].status, read.status, read.used, cases[i].n, cases[i].bytes);
			wrong += !fits;
			strbuf_release(&read.body);
		}
	assert_int_equal(wrong, 0);
}

/* A head of `n` times the text behind its first line. */
static int status_of_many(const char *first, const char *text, size_t n, const char *last)
{
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_RECORD * 4);
	struct read read;
	strbuf_adds(&all, first);
	for (size_t i = 0; i < n; i++)
		strbuf_adds(&all, text);
	strbuf_adds(&all, last);
	read_all(all.text, all.length, 100000000, &read);
	strbuf_release(&read.body);
	return read.status;
}

static void what_is_too_long_is_refused(void **state)
{
	(void)state;
	const char *get = "GET / HTTP/1.1\r\nHost: x\r\n";
	assert_int_equal(status_of_many(get, "A: b\r\n", 99, "\r\n"), GOOD);
	assert_int_equal(status_of_many(get, "A: b\r\n", 100, "\r\n"), 431);
	assert_int_equal(status_of_many(get, "A: b\r\n", 100000, "\r\n"), 431);
	assert_int_equal(status_of_many("GET /", "a", 8000, " HTTP/1.1\r\nHost: x\r\n\r\n"), GOOD);
	assert_int_equal(status_of_many("GET /", "a", 8192, " HTTP/1.1\r\nHost: x\r\n\r\n"), 414);
	assert_int_equal(status_of_many("GET /", "0123456789", 10000000, ""), 431);
	assert_int_equal(status_of_many("", "0123456789", 10000000, "\r\n"), 431);
	assert_int_equal(status_of_many("GET / HTTP/1.1\r\nHost: ", "x", 70000, "\r\n\r\n"), 431);
	const char *chunks = POST "Transfer-Encoding: chunked\r\n\r\n";
	assert_int_equal(status_of_many(chunks, "1\r\nx\r\n", 100000, "0\r\n\r\n"), GOOD);
	assert_int_equal(
		status_of_many(POST "Transfer-Encoding: chunked\r\n\r\n1;", "x", 300, "\r\n"), 400);
	assert_int_equal(
		status_of_many(POST "Transfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n", 3000, "\r\n"),
		400);
}

static void what_a_request_says_of_the_connection_is_read(void **state)
{
	(void)state;
	static const struct {
		const char *head;
		bool closes, expects;
	} heads[] = {
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", false, false},
		{"GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Close\r\n\r\n", true, false},
		{"GET / HTTP/1.1\r\nHost: x\r\nConnection: closed\r\n\r\n", false, false},
		{"GET / HTTP/1.0\r\n\r\n", true, false},
		{"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\nExpect: 100-continue\r\n\r\n", false, false},
		{"GET / HTTP/1.1\r\nHost: x\r\nexpect: 100-Continue\r\n\r\n", false, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct relay_request request;
		struct relay_fault fault;
		size_t n = strlen(heads[i].head);
		assert_int_equal(relay_request_read(heads[i].head, n, &arena, &request, &fault), (int)n);
		assert_int_equal(request.closes, heads[i].closes);
		assert_int_equal(request.expects, heads[i].expects);
	}
}

UNIT(relay_request)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_read_or_refused),
		cmocka_unit_test(what_is_too_long_is_refused),
		cmocka_unit_test(what_a_request_says_of_the_connection_is_read),
	};
	return RUN_TESTS(tests);
}
