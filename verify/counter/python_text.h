/* Test files in Python: statements and blocks by their indentation. Inside counter/ only. */
#pragma once
#include "verify/counter/span.h"

/* A function in its file. */
struct python_function {
	uint32_t def;        /* "def", or "async" before it */
	uint32_t name;       /* the token after "def" */
	uint32_t first, end; /* its body's tokens; `end` is after the last */
	uint32_t column;     /* of "def" and its decorators */
	size_t start_byte;   /* of the line of its first decorator */
	size_t def_byte;     /* of the line of "def" */
	size_t end_byte;     /* after the line that it ends on */
};

/* Whether a token begins a logical line; how far it is indented. */
bool python_begins(const struct counter_file *file, uint32_t i);
uint32_t python_column(const struct counter_file *file, uint32_t i);

/* Where the line of a token begins. */
size_t python_line_start(const struct counter_file *file, uint32_t i);

/* The token after a logical line. */
uint32_t python_line_end(const struct counter_file *file, uint32_t i);

/* The body of the compound statement at a token: its first token, and the one after its last.
 * False: it stands on the same line, or there is none. */
bool python_body(
	const struct counter_file *file, uint32_t head, uint32_t *ret_first, uint32_t *ret_end);

/* Where the statement at a token ends, with its body. */
uint32_t python_statement_end(const struct counter_file *file, uint32_t i);

/* Whether a token begins a function (also of another one), and where its "def" is. */
bool python_is_def(const struct counter_file *file, uint32_t i, uint32_t *ret_def);

/* Describe the function whose "def" or "async" stands at a token. False: it is on one line. */
bool python_function_at(
	const struct counter_file *file, uint32_t at, struct python_function *ret_function);

/* The one function or class of that name among the statements from `from` to `to` that are indented
 * like the first. False: there is none, or more than one, or the name gets another value there. */
bool python_find(const struct counter_file *file, uint32_t from, uint32_t to, const char *word,
	const char *name, size_t n_name, uint32_t *ret_at);

/* Whether a keyword stands in a body, and not in a function or class within it. */
bool python_has_own(
	const struct counter_file *file, uint32_t first, uint32_t end, const char *words);

/* --- python_expected.c --- */

/* Changes of what a statement expects, appended. */
void python_expectations(const struct counter_plan *plan, const struct counter_file *file,
	uint32_t first, uint32_t end, struct counter_change **changes, size_t *n);

/* Whether a simple statement asserts something that can hold. */
bool python_asserts(const struct counter_file *file, uint32_t first, uint32_t end);

/* --- python_copies.c --- */

/* Whether the decorators of a function or class are of test libraries, which call what they
 * decorate, if it is not skipped. */
bool python_knows_decorators(const struct counter_file *file, uint32_t def);

/* Whether a function has decorators, and all are pytest's marks. */
bool python_has_marks(const struct counter_file *file, const struct python_function *function);

/* Add copies of a function that is a test. `run`: its id up to its name. Gives why there are none,
 * or NULL. */
const char *python_add_copies(struct counter_plan *plan, size_t file,
	const struct python_function *function, const struct counter_test *test, const char *run);

/* Add a copy of it in which nothing is changed, where its parameters can be handed on. */
void python_add_same(struct counter_plan *plan, size_t file, const struct python_function *function,
	const struct counter_test *test, const char *run);

#define PYTHON_DECORATED "a decorator may keep it from being run"

/* --- python_helpers.c: the functions that copies call --- */

const char *python_helpers(const struct counter_plan *plan, const struct language *language);
