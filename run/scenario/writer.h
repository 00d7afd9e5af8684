/* From the structs that option tables describe back to a tree: what run/reader reads. Inside run/
 * only. */
#pragma once
#include "base/json.h"
#include "base/option.h"

/* Add what the table describes to an object, every default written out; what is unset and has no
 * default is left out. */
void writer_add(struct json *to, const struct option *table, const void *state);
