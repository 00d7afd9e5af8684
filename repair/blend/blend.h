/* Functions that hold several bodies. Private to repair/blend/. */
#pragma once
#include "repair/source.h"

/* The first line number of candidates, where compilers let us number them. */
enum { BLEND_NUMBERED_FROM = 1000001 };

/* In its texts '@' stands for a name that is new in the file, '~' for a number, '?' for the
 * environment variable. */
struct blend_language {
	const char *suffixes;
	const char *no_head;    /* with one of these words in its head a function stays as it is */
	const char *no_body;    /* and with one of these in its body */
	const char *top;        /* what the file begins with */
	const char *line;       /* lets compilers number the next line so */
	const char *open;       /* behind the brace of the function; then comes its own body */
	const char *hang;       /* behind that body */
	const char *variant[2]; /* around each further body */
	const char *close;      /* before the brace of the function */
	const char *label;      /* makes the labels behind it those of one body */
};

/* The row of a path's language, or NULL. */
const struct blend_language *blend_language_of(const char *path);

/* A further body of a function. */
struct variant {
	size_t candidate;
	const char *text;   /* without its braces */
	const char *labels; /* that jumps in it name, ", " between them; NULL: none */
};

struct host {
	uint32_t open, close; /* its braces */
	struct variant *variants;
	size_t n;
};

struct blended_file {
	const struct repair_file *file;
	const struct blend_language *language;
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
	size_t n_files, bytes, line;
};

/* The labels that stand in a body, from its first to its last brace, and that it, or the body
 * that it was made of, jumps to, with ", " between them; NULL: none. */
const char *blend_labels(struct blender *blender, const struct blended_file *file,
	const struct host *host, const struct source *body, uint32_t first, uint32_t last);

/* Add a file, whose place among them is `index`, with all that its functions hold; nothing where
 * they hold nothing. */
void blend_write(struct blender *blender, struct blended_file *file, size_t index);
