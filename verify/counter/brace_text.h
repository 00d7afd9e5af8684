/* Test files of languages with braces whose tests are functions: Go and Rust. Inside counter/
 * only. */
#pragma once
#include "verify/counter/span.h"

/* A function that is a test. */
struct brace_function {
	uint32_t name;
	struct span body;  /* what is within its braces */
	size_t start_byte; /* of its first line, with attributes */
	size_t end_byte;   /* after its brace */
};

/* The block of the function whose parameters open at a token. False: there is none. */
bool brace_body_after(const struct counter_file *file, uint32_t open, struct span *ret_body);

/* Whether a function may end before its last statement, but for functions within it, which begin
 * with a word. */
bool brace_returns(const struct counter_file *file, struct span body, const char *function_word);

/* Whether a statement of the block itself begins at a token. */
bool brace_begins(const struct counter_file *file, struct span body, uint32_t i);

/* A number or string becomes another constant of its type. False: it is neither. */
bool brace_other_literal(const struct counter_plan *plan, const struct counter_file *file,
	struct span span, struct counter_change *ret_change);

/* Add a copy of a function behind it. */
void brace_add(struct counter_plan *plan, size_t file, const struct brace_function *function,
	const struct counter_test *test, const char *run, const struct counter_change *change);

/* A change by a statement on a line of its own, before the function's end. */
struct counter_change brace_end(const struct counter_plan *plan, const struct counter_file *file,
	const struct brace_function *function, const char *statement);
