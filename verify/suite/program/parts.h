/* Reading a program that is its own test. */
#pragma once
#include "base/lexer/source.h"
#include "verify/suite/suite.h"

enum program_language { PROGRAM_OTHER, PROGRAM_PYTHON, PROGRAM_SCRIPT };

/* A program's text as tokens, with the parts that are found in it. */
struct program_text {
	struct arena *arena;
	enum program_language language;
	const char *text;
	size_t n_text;
	struct words words;
	struct token_list list;
	struct program_part *parts;
	size_t n_parts;
};

enum program_language program_language_of(const char *path);

/* Read the text's tokens and find its parts; none for PROGRAM_OTHER. */
void program_read(
	struct program_text *program, const char *path, const char *text, struct arena *arena);

/* Whether token `i` is spelt so, or its spelling is in a list of words. False after the last. */
bool program_is(const struct program_text *program, uint32_t i, const char *text);
bool program_in(const struct program_text *program, uint32_t i, const char *list);

/* The first token that begins at an offset or after it. */
uint32_t program_token_at(const struct program_text *program, size_t offset);

/* Whether token `i` begins a logical line: of Python a line that no bracket or backslash joins to
 * the one before. */
bool program_begins_line(const struct program_text *program, uint32_t i);

/* The first token after the logical line of Python that token `i` belongs to. */
uint32_t program_line_end(const struct program_text *program, uint32_t i);

/* A token's distance from the beginning of its line, in bytes. */
size_t program_column(const struct program_text *program, uint32_t i);

/* The token after the block of Python whose head begins at token `i`. */
uint32_t program_block_end(const struct program_text *program, uint32_t i);

/* Whether a name says that it is about tests, by one of the words in it: test_area, testArea,
 * _test, run_tests, selftest. */
bool program_names_test(const char *name, size_t n);

/* Add a part of tokens first ... last, with its context. */
struct program_part *program_add(
	struct program_text *program, enum program_part_kind kind, uint32_t first, uint32_t last);

/* examples.c: the examples of doctest in the string that is token `i`. */
void program_add_examples(struct program_text *program, uint32_t i);

/* What is around token `i`, in words ("def main if"), and in ret_block a number that tokens of one
 * block share. */
const char *program_context(const struct program_text *program, uint32_t i, uint32_t *ret_block);

/* keep.c: a program before and after a fix, and the place of each old part among the fixed ones.
 * Gives how many parts the fix keeps, in order, up to the first that it does not. */
struct program_pair {
	struct program_text old, fixed;
	size_t *at;
};
size_t program_pair_read(struct program_pair *pair, const char *path, const char *old,
	const char *fixed, struct arena *arena);

/* The first line of a part. */
const char *program_part_line(const struct program_text *program, size_t i);
