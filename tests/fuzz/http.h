/* A network on which all hosts answer with the input: it stands in for base/http/http.c. Answers
 * are apart by the byte 1; the first byte of each says its status and its type. */
#pragma once
#include "base/error.h"
#include "base/http/http.h"
#include "tests/fuzz/fuzz.h"

struct http {
	const char *at, *end; /* what is left of the input */
	unsigned seed;
};
static struct http fuzz_http;

/* The next answers come out of these bytes, in pieces as `seed` says. */
static inline void fuzz_answer_with(const uint8_t *data, size_t size, unsigned seed)
{
	fuzz_http = (struct http){(const char *)data, (const char *)data + size, seed};
}

struct http *http_new(void)
{
	return &fuzz_http;
}

void http_free(struct http *http)
{
	(void)http;
}

const char *http_library_version(void)
{
	return "none";
}

static void fuzz_ask(const struct http_request *request)
{
	char bytes[4096];
	for (int i = 0; request->give && i < 100; i++)
		if (request->give(request->owner, bytes, sizeof bytes) <= 0)
			return;
}

int http_send(struct http *http, const struct http_request *request, struct http_response *response,
	const struct cancel *cancel, struct rondo_error *err)
{
	/* None of these is tried again after a while. */
	static const int statuses[] = {200, 201, 204, 400, 401, 403, 404};
	static const char *const types[] = {"text/event-stream", "text/html", "application/json"};
	(void)cancel;
	*response = (struct http_response){0};
	for (const char *const *header = request->headers; header && *header; header++)
		assert(!strpbrk(*header, "\r\n"));
	fuzz_ask(request);
	if (http->at >= http->end)
		return error_set(err, RONDO_ERROR_CANCELLED, "nobody answers any more");
	const char *stop = memchr(http->at, 1, (size_t)(http->end - http->at));
	const char *end = stop ? stop : http->end, *at = http->at;
	unsigned char kind = (unsigned char)*at;
	response->status = statuses[kind % ARRAY_SIZE(statuses)];
	snprintf(response->content_type, sizeof response->content_type, "%s",
		types[kind / ARRAY_SIZE(statuses) % ARRAY_SIZE(types)]);
	response->requests = response->tokens = (struct http_quota){-1, -1, -1};
	at += at < end;
	enum http_taken taken = HTTP_USED;
	while (at < end && request->take && taken < HTTP_ENOUGH) {
		size_t n = fuzz_piece(&http->seed, (size_t)(end - at));
		AUTO_FREE char *piece = memory_alloc(n);
		memcpy(piece, at, n);
		taken = request->take(request->owner, piece, n);
		at += n;
	}
	http->at = stop ? stop + 1 : http->end;
	return 0;
}
