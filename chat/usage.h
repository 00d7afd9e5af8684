/* What models charged, in tokens. */
#pragma once
#include "base/json/json.h"
#include "include/rondo.h"

/* Add each count to a sum. */
void usage_add(struct rondo_usage *sum, const struct rondo_usage *usage);

/* What came to a sum since it was `before`. */
struct rondo_usage usage_since(const struct rondo_usage *sum, const struct rondo_usage *before);

/* Whether somebody can have counted so: servers and programs say what they like. */
bool usage_is_sane(const struct rondo_usage *usage);

/* Append its members to an object: both sums, and of the rest what is not 0. And back. */
void usage_to_json(const struct rondo_usage *usage, struct json *to);
struct rondo_usage usage_from_json(const struct json *json);
