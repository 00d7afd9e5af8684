/*
 * How fast a provider may be asked. All conversations of a process that use one account share it:
 * what each may send follows from what the provider says is left, or from what the user said, so
 * that many do not run into its limit together. Inside models/ only.
 */
#pragma once
#include "base/http/http.h"
#include "chat/context.h"

struct pace;

/* The pace of one model of one account; lives as long as the process. The limits are a minute's,
 * and hold whatever else the provider says; 0: as it says. */
struct pace *pace_of(const char *url, const char *key, const char *model, int64_t requests_a_minute,
	int64_t tokens_a_minute);

/* Wait until a request of about so many tokens may be sent. -1: cancelled meanwhile. */
int pace_wait(struct pace *pace, int64_t tokens, const char *source, const struct context *ctx,
	struct rondo_error *err);

/* What the provider said with an answer. */
void pace_learn(struct pace *pace, const struct http_response *response);
