/*
 * A text that is told while it comes: what a model writes, what a program prints. It is a preview,
 * for who looks on: what counts is the message or the reply that has all of it. Each chunk is an
 * event of its own, of whole characters, and a key never stands in two of them, so that none is
 * missed where keys are taken out.
 */
#pragma once
#include "base/secrets.h"
#include "chat/context.h"

enum chunks_origin { CHUNKS_OF_MODEL, CHUNKS_OF_PROGRAM };

struct chunks {
	const struct context *ctx;
	const struct secrets *secrets; /* may be NULL */
	const char *source;            /* who says it; NULL: nothing is told */
	enum chunks_origin origin;
	struct strbuf held; /* what may be the beginning of a key */
	uint64_t at;        /* bytes before it, told or not */
	int64_t allowed, allowed_at_ms;
};

#define CHUNKS_INIT(ctx, secrets, source, origin) \
	{ \
		(ctx), (secrets), (source), (origin), .held = STRBUF_INIT(STRBUF_TEXT) \
	}

/* The next n bytes, whole characters. More than 64 KiB at once and 16 KiB a second is not told. For
 * process_listener: `chunks` is the owner. */
void chunks_add(void *chunks, const char *text, size_t n);

/* The text begins anew: what came so far counts for nothing. */
void chunks_restart(struct chunks *chunks);

/* That was all. */
void chunks_end(struct chunks *chunks);
