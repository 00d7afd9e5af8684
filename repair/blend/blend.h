/* Functions that hold several bodies. Private to repair/blend/. */
#pragma once
#include "base/strbuf.h"
#include "repair/source/source.h"

/* A further body of a function. */
struct variant {
	size_t candidate;
	const char *text;   /* without its braces */
	const char *labels; /* that jumps in it name, ", " between them; NULL: none */
};

/* A function that holds them. */
struct host {
	uint32_t first, open, close; /* of its definition, and its braces */
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

/* A file's new text, as far as it is written. */
struct writer {
	struct blender *blender;
	const struct blended_file *file;
	struct strbuf *text;
	const char *name;       /* of what gives the number */
	size_t n_counted, line; /* bytes of the text whose lines are counted, and the line after them */
};

/* How the functions of a language hold several bodies. */
struct blend_form {
	const struct language *language;
	/* Functions with these words in their heads or bodies stay as they are. */
	const char *no_head, *no_body;
	/* Whether a function can hold several bodies, apart from these words. */
	bool (*fits)(const struct source *source, const struct definition *function, uint32_t open);
	/* Optional: write the beginning of the file, with what asks for the number. Gives the place in
	 * the old text from which on it is to be copied. */
	size_t (*begin)(struct writer *writer);
	/* Write all between the braces of a function. */
	void (*write)(struct writer *writer, const struct host *host);
	/* Optional: write what the file ends with. */
	void (*end)(struct writer *writer);
};

extern const struct blend_form blend_form_c, blend_form_cpp, blend_form_go, blend_form_java,
	blend_form_rust;

/* Of a language; NULL: it has none. */
const struct blend_form *blend_form_of(const struct language *language);

/* Where the statement begins that defines a function, whose first token is known. */
uint32_t function_head(const struct source *source, uint32_t first);

/* The labels in a body that it, or the body that it was made of, jumps to, with ", " between them;
 * NULL: none. */
const char *blend_labels(struct arena *arena, const struct blended_file *file,
	const struct host *host, const struct source *body, struct span span);

/* Add a file, whose place among them is `index`, with all that its functions hold. */
void blend_write(struct blender *blender, struct blended_file *file, size_t index);

/* Append the bytes of the old text from one place to another. */
void writer_copy(struct writer *writer, size_t from, size_t to);

/* Append the body that a function had. */
void writer_copy_body(struct writer *writer, const struct host *host);

/* The number of the line that is written, as nothing else numbers it. */
size_t writer_line(struct writer *writer);

/* Note that the text of a variant has these lines, where compilers count so; or that they are the
 * next that are free, and give the first of them. */
void writer_note_lines(
	struct writer *writer, const struct variant *variant, size_t first, size_t end);
size_t writer_take_lines(struct writer *writer, const struct variant *variant);
