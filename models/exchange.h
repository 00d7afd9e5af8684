/*
 * One question to a provider and its whole answer, whatever the dialect: it is sent, read as it
 * comes, and asked again from the start where it failed and may do better. Inside models/ only.
 */
#pragma once
#include "base/http/http.h"
#include "models/model_answer.h"
#include "models/pace.h"

struct exchange {
	struct http *http;
	const struct model *model;
	const char *model_name;      /* as the provider knows it */
	const char *key_name;        /* the variable of its key */
	struct http_request request; /* .take and .owner are set here */
	struct retry_options retry;
	struct pace *pace; /* NULL: as fast as it goes */
	int64_t tokens;    /* about what the request will take of it */
	/* Take one JSON object of the answer: an event's, or the whole where there are no events. */
	void (*read)(struct answer *answer, const struct json *json);
};

/* 0 with the whole answer in `answer`, which ANSWER_INIT made and the caller releases; else -1 with
 * err set, and in `complaint` what the provider said, its status 0 where it said nothing. */
int exchange_run(const struct exchange *exchange, struct answer *answer,
	struct complaint *complaint, const struct context *ctx, struct rondo_error *err);
