/*
 * Replies on file: one JSON object a line, {"text", "finish", "prompt_tokens",
 * "completion_tokens", "asked"}; what record writes, replay reads. Inside models/ only.
 */
#pragma once
#include "models/model.h"

/* One call: the reply, and the whole of what was asked for it. */
struct tape_call {
	struct model_reply reply;
	const struct model_message *asked; /* NULL: that is not known */
	size_t n_asked;
};

/* Append a call, as it came, without keys. `before`: what the call before it was asked, whose
 * beginning is not kept again; NULL: it is the first. */
int tape_append(const char *path, const struct tape_call *call, const struct tape_call *before,
	const struct secrets *secrets, struct rondo_error *err);

/* All calls of a file; in the arena. Errors name its line. */
int tape_read(const char *path, struct arena *arena, struct tape_call **ret_calls, size_t *ret_n,
	struct rondo_error *err);

/* Where a request departs from what was asked then, in words; false: it does not. */
bool tape_differs(
	const struct tape_call *call, const struct model_request *request, char *text, size_t size);
