/*
 * What a provider has said so far in one call, piece by piece, whatever its dialect; and what it
 * says in place of an answer. Inside models/ only.
 */
#pragma once
#include "base/json/json.h"
#include "models/model.h"

struct answer {
	struct strbuf text, refusal;
	size_t thought; /* bytes of reasoning, which is never kept */
	enum model_finish finish;
	bool is_finished; /* it said why it ended: what came is all */
	bool is_over;     /* the stream's last mark came */
	bool is_broken;   /* it said itself that it is not whole */
	bool is_damaged;  /* it held bytes that are no UTF-8 */
	struct rondo_usage usage;
	bool usage_known, counts_cached;
	struct strbuf provider_data; /* model_reply's */
};

#define ANSWER_INIT \
	{ \
		.text = STRBUF_INIT(STRBUF_RECORD), .refusal = STRBUF_INIT(STRBUF_TEXT), \
		.provider_data = STRBUF_INIT(STRBUF_RECORD) \
	}

/* One JSON text of the answer, an event or the whole. What JSON allows and our reader does not is
 * mended first: NUL by escape, and halves of surrogate pairs, which a provider may put into two
 * events. NULL with err set. */
struct json *answer_parse(
	struct answer *answer, const char *text, size_t n, struct rondo_error *err);

/* What was said since `at`, in the arena, with halves that found each other joined; a half that may
 * still find the other is left for later. `at` moves on. */
const char *answer_since(const struct answer *answer, size_t *at, struct arena *arena);

/* What was said, in the arena, with halves that found each other joined. The answer has no text
 * after it. */
void answer_conclude(struct answer *answer, struct arena *arena, struct model_reply *reply);

/* Forget all of it, for another try. */
void answer_reset(struct answer *answer);
void answer_release(struct answer *answer);

/* An error that a provider told: by HTTP, or as an object in an answer that began well. */
struct complaint {
	/* HTTP's, but 402 where money lacks and 413 where the chat is too long; in an answer, what its
	 * type stands for; 0: there is no complaint. */
	int status;
	char kind[128];    /* its type and code, as said */
	char field[64];    /* the request's field that it is about */
	char message[512]; /* for people, without keys, steering nothing */
};

/* The body of an HTTP answer that is none: JSON of some shape, a page, anything. */
void complaint_read_body(
	struct complaint *complaint, int status, const char *body, const struct secrets *secrets);

/* How many tokens the model can read, where the complaint is that there were more; 0: not said. */
int64_t complaint_context(const struct complaint *complaint);

/* Whether a stream's event of that name is an error, whatever it holds. */
bool complaint_is_event(const char *name);

/* An object of an answer, with its event's name. False where it is no complaint. */
bool complaint_read_object(struct complaint *complaint, const char *event, const struct json *json,
	const struct secrets *secrets);

/* The beginning of what came, on one line, without keys, steering nothing. */
void complaint_quote(char *field, size_t size, const char *text, const struct secrets *secrets);
