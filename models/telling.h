/* What of an answer is told while it comes: how much there is by now, and its words. Inside models/
 * only. */
#pragma once
#include "chat/chunks.h"
#include "models/model_answer.h"

struct telling {
	const struct context *ctx;
	const char *model; /* its name */
	int64_t told_ms;   /* when the last progress was told */
	size_t told;       /* bytes of the answer's text */
	struct chunks chunks;
};

#define TELLING_INIT(ctx_, name, secrets) \
	{ \
		.ctx = (ctx_), .model = (name), \
		.chunks = CHUNKS_INIT((ctx_), (secrets), (name), CHUNKS_OF_MODEL) \
	}

/* More of it has come. */
void telling_answer(struct telling *telling, const struct answer *answer);

/* What came counts for nothing: the answer begins anew. */
void telling_restart(struct telling *telling);

void telling_end(struct telling *telling);
