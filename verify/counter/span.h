/* Stretches of a test file's tokens: what all families read. Inside counter/ only. */
#pragma once
#include "verify/counter/counter.h"

struct span {
	uint32_t first, end; /* `end` is after the last */
};

/* Whether a token is spelt so, or as a word of a list. False beyond the last. */
bool counter_is(const struct counter_file *file, uint32_t i, const char *text);
bool counter_in(const struct counter_file *file, uint32_t i, const char *words);

/* Where it lies in the text. */
size_t span_start(const struct counter_file *file, struct span span);
size_t span_end(const struct counter_file *file, struct span span);

/* The first token in a span at its own level whose spelling is in a list; its end where there is
 * none. */
uint32_t span_seek(const struct counter_file *file, struct span span, const char *words);

/* The arguments of the call whose bracket opens at a token, at most `most`; 0, too, where one is
 * empty. */
size_t span_arguments(
	const struct counter_file *file, uint32_t open, struct span *spans, size_t most);

/* A single number or string, or a word of a list; a number may have a sign. */
bool span_is_literal(const struct counter_file *file, struct span span, const char *words);

/* A single plain string in quotes. */
bool span_is_string(const struct counter_file *file, struct span span);

/* Whether a stretch has its own name (NULL: that is a title), or asks who calls: then it may
 * rightly fail under another name. */
bool span_names_itself(
	const struct counter_file *file, struct span span, const char *name, size_t n);

/* Whether a test file has its own name: then its tests may rightly fail in another file. */
bool span_names_file(const struct counter_file *file);

/* Of two values that are compared: the one that is expected. */
struct span span_expected(
	const struct counter_file *file, struct span left, struct span right, const char *literals);

/* Changes of what is expected: text around a span, or in its place. */
struct counter_change span_wrapped(
	const struct counter_file *file, struct span span, const char *before, const char *after);
struct counter_change span_replaced(
	const struct counter_file *file, struct span span, const char *text);
