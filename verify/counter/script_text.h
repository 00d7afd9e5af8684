/* Test files in JavaScript and TypeScript. Inside counter/ only. */
#pragma once
#include "verify/counter/span.h"

/* A function that is an argument: an arrow, or "function". */
struct script_function {
	struct span whole;
	struct span body; /* of a block what is within its braces, else the expression */
	bool is_block, is_async;
	size_t n_parameters;
};

/* Read the function that a span is. False: it is none. */
bool script_function_of(
	const struct counter_file *file, struct span span, struct script_function *ret_function);

/* Whether a statement of the block begins at a token, which each run of it comes to: it is in no
 * branch, and no "return" is before it. */
bool script_is_reached(
	const struct counter_file *file, const struct script_function *function, uint32_t i);

/* Whether a block may return before its end. */
bool script_may_return(const struct counter_file *file, const struct script_function *function);

/* The end of the calls that begin at a token: a.b(c).d(e). Its own token where none begins. */
uint32_t script_chain_end(const struct counter_file *file, uint32_t i);

/* --- script_expected.c --- */

/* Changes of what the calls from a token to another expect, appended; `is_waited`: for their
 * promise somebody waits. */
void script_expectations(const struct counter_plan *plan, const struct counter_file *file,
	struct span chain, bool is_waited, struct counter_change **changes, size_t *n);

/* Whether the calls assert something. */
bool script_asserts(const struct counter_file *file, struct span chain);

/* --- script_helpers.c --- */

/* The functions that copies call. */
const char *script_helpers(const struct counter_plan *plan, const struct language *language);
