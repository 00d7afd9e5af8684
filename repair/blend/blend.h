/* Functions that hold several bodies. Private to repair/blend/. */
#pragma once
#include "repair/source.h"

/* A further body of a function. */
struct variant {
	size_t candidate;
	const char *text;   /* without its braces */
	const char *labels; /* that jumps in it name, ", " between them; NULL: none */
};

/* A function that holds them. */
struct host {
	uint32_t open, close; /* its braces */
	struct variant *variants;
	size_t n;
};

struct blended_file {
	const struct repair_file *file;
	struct source source;
	struct definitions definitions;
	struct host *hosts; /* in no order */
	size_t n;
};

struct blender {
	struct blend *blend;
	struct arena *arena;
	const char *variable;
	struct words words;
	struct blended_file *files;
	size_t n_files, bytes;
	size_t line; /* the number of the next line of a candidate */
};

/* The labels in a body that it, or the body that it was made of, jumps to, with ", " between them;
 * NULL: none. */
const char *blend_labels(struct arena *arena, const struct blended_file *file,
	const struct host *host, const struct source *body, struct span span);

/* Add a file, whose place among them is `index`, with all that its functions hold. */
void blend_write(struct blender *blender, struct blended_file *file, size_t index);
