/*
 * HTTP/1.1 as a server reads it, from clients of whom nothing is known: a head, then a body by
 * length or in chunks. What two readers might understand in two ways is refused. Pure: bytes in,
 * structs out.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/strbuf.h"

enum {
	RELAY_MOST_HEAD = 64 << 10,
	RELAY_MOST_HEADERS = 100,
	RELAY_MOST_TARGET = 8 << 10,
	RELAY_MOST_BODY = 64 << 20,
};

struct relay_header {
	const char *name, *value;
};

/* Strings lie in the arena. */
struct relay_request {
	const char *method, *target;
	int minor; /* of HTTP/1 */
	struct relay_header *headers;
	size_t n;
	size_t length; /* of the body; 0: none, or chunks */
	bool is_chunked;
	bool expects; /* waits for "100 Continue" before its body */
	bool closes;  /* the connection ends after the answer */
};

/* Why a request is refused: HTTP's status and words; static. */
struct relay_fault {
	int status;
	const char *why;
};

/* A head at the start of n bytes: how many it takes; 0: it is not whole yet; -1 with ret_fault set,
 * after which nothing more can be read of the connection. */
ssize_t relay_request_read(const char *bytes, size_t n, struct arena *arena,
	struct relay_request *ret_request, struct relay_fault *ret_fault);

/* The value of the first header of that name, in any case; NULL: there is none. */
const char *relay_request_header(const struct relay_request *request, const char *name);

/* A body that is being read. */
struct relay_body {
	enum {
		RELAY_BODY_OVER,
		RELAY_BODY_DATA,
		RELAY_BODY_SIZE, /* the first digit of a chunk's */
		RELAY_BODY_SIZE_MORE,
		RELAY_BODY_EXTENSION,
		RELAY_BODY_SIZE_LF,
		RELAY_BODY_DATA_CR,
		RELAY_BODY_DATA_LF,
		RELAY_BODY_TRAILER, /* the beginning of a line after the last chunk */
		RELAY_BODY_TRAILER_MORE,
		RELAY_BODY_TRAILER_LF,
		RELAY_BODY_LAST_LF,
	} state;
	bool is_chunked;
	size_t left;     /* of the length, or of the chunk */
	size_t all;      /* bytes of data so far and to come */
	size_t overhead; /* of the extension, or of all trailers */
};

struct relay_body relay_body_of(const struct relay_request *request);

/* Append what the next n bytes have of the body to `to`, whose limit is RELAY_MOST_BODY; gives how
 * many of them belonged to it, fewer only where the body is over. -1 with ret_fault set. */
ssize_t relay_body_take(struct relay_body *body, const char *bytes, size_t n, struct strbuf *to,
	struct relay_fault *ret_fault);
