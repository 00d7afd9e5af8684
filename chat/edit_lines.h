/* Lines of a file and of a block, and how they fit. Private to edit_place.c and edit_fit.c. */
#pragma once
#include "chat/edit_form.h"

struct line {
	const char *text;
	size_t n;     /* without the line's end */
	size_t whole; /* with it */
};

struct lines {
	struct line *items;
	size_t n;
};

enum fit {
	FIT_EXACT,
	FIT_TRAILING, /* but for blanks at line ends */
	FIT_SHIFTED,  /* all lines moved by one indentation */
	FIT_INDENTED, /* each indentation of the block stands for one of the file */
	FIT_RETYPED,  /* so too, and blanks and quotes do not matter */
	FITS
};

enum { INDENTS_MOST = 16 };

/* How the file indents what a block indents otherwise. */
struct indents {
	struct indent {
		const char *own, *file;
		size_t own_n, file_n;
	} pairs[INDENTS_MOST];
	size_t n;
};

/* White space that the file has before each line and the block has not, or the other way round. */
struct shift {
	const char *indent;
	size_t n;
	bool is_set, removes;
};

/* What the lines of a block have to become where it fits. */
struct moves {
	struct shift shift;
	struct indents indents;
	bool retypes; /* quotes that only print has become those of programs */
};

/* The length without blanks at the end, and of the blanks at the beginning. */
size_t line_trimmed(const struct line *line);
size_t line_indentation(const struct line *line);

/* Whether a line of the file is the block's. The first that is not blank sets the shift; others
 * must be moved alike. */
bool line_fits(enum fit fit, const struct line *own, const struct line *line, struct moves *moves);

/* Whether a line of the block can be moved so; append it moved. */
bool line_can_move(const struct line *line, enum fit fit, const struct moves *moves);
void line_move(struct strbuf *sb, const struct line *line, enum fit fit, const struct moves *moves);

/* Whether a text has quotes, dashes or blanks that programs do not know, but people's texts do. */
bool text_has_print_signs(const char *text);

/* A step as it may be meant where it fits nowhere: without the numbers of lines, or with signs in
 * place of entities. `i` counts from 0; false: there is no further one, or it would change nothing
 * of the step. */
enum { EDIT_VARIANTS = 2 };
bool edit_variant(
	struct arena *arena, const struct edit_step *step, size_t i, struct edit_step *ret_step);
