/*
 * Replies on file: one JSON object a line, {"text", "finish", "prompt_tokens",
 * "completion_tokens"}; what record writes, replay reads. Inside models/ only.
 */
#pragma once
#include "models/model.h"

/* Append a reply, as it came. */
int tape_append(const char *path, const struct model_reply *reply, struct rondo_error *err);

/* All replies of a file; in the arena. Errors name its line. */
int tape_read(const char *path, struct arena *arena, struct model_reply **ret_replies,
	size_t *ret_n, struct rondo_error *err);
