/* The fenced code blocks of a message, as CommonMark defines them. Indented code is text. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"

struct code_block {
	/* the first word of the info string, lower case; "" where there is none */
	const char *language;
	const char *info;      /* the whole info string; "" where there is none */
	const char *lead;      /* the last line of text before it, trimmed; "" where there is none */
	const char *code;      /* ends in a newline unless empty */
	const char *filename;  /* from "# filename: NAME" in the first comment, or NULL */
	const char *naming;    /* the line of the code that says so, or NULL */
	bool cut_off;          /* the closing fence is missing: never run, never applied */
	size_t offset, length; /* of all of it in the Markdown, the lines of its fences too */
};

/* Markdown without the indentation that all of its lines have, so that it is not code as a whole;
 * itself or in the arena. */
const char *markdown_dedent(struct arena *arena, const char *markdown);

/* The code without the line that names its file; itself or in the arena. */
const char *code_block_unnamed(const struct code_block *block, struct arena *arena);

/* All of them, in order; in the arena. */
struct code_block *code_blocks_extract(struct arena *arena, const char *markdown, size_t *ret_n);
