/*
 * Server-sent events, as the HTML standard reads them, pushed in as bytes come: line ends of all
 * three kinds, a BOM, comments, several data lines. Unlike there, an event that the end of the
 * stream cuts off before its empty line is given, too: whether it is whole, its reader can tell.
 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"

struct sse {
	/* An event: its name ("" for none), n bytes of data and a NUL. Other than 0 ends the
	 * reading. */
	int (*take)(void *owner, const char *name, const char *data, size_t n);
	void *owner;
	size_t limit;             /* of one event's data */
	struct strbuf name, data; /* of the event that is being read */
	char field[8];            /* the name of the line's field, as much as tells it from others */
	size_t field_length;
	size_t bom; /* bytes of it seen at the start; 3: it is past, or there is none */
	enum { SSE_FIELD, SSE_SPACE, SSE_VALUE, SSE_IGNORED } state;
	bool after_cr; /* a newline now belongs to the line end before it */
	bool has_data;
};

#define SSE_INIT(function, pointer, bytes) \
	{ \
		.take = (function), .owner = (pointer), .limit = (bytes), .name = STRBUF_INIT(256), \
		.data = STRBUF_INIT(bytes) \
	}

/* Bytes of the stream, cut anywhere. 0, or what `take` gave; -1 with err set where an event is
 * larger than the limit. */
int sse_feed(struct sse *sse, const char *bytes, size_t n, struct rondo_error *err);

/* The end of the stream. */
int sse_finish(struct sse *sse, struct rondo_error *err);

void sse_release(struct sse *sse);
