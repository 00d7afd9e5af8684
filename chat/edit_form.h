/* What the forms of chat/edit_text.h have in common. Private to chat/ and its tests. */
#pragma once
#include "chat/code_block.h"
#include "chat/edit_text.h"

enum edit_step_kind {
	EDIT_REPLACE, /* `old` by `text`; an empty `old`: the file must be empty, or none */
	EDIT_WHOLE,   /* `text` is the file */
	EDIT_CREATE,  /* so too, but there must be none */
	EDIT_REMOVE,
};

/* One thing that a reply asks for. */
struct edit_step {
	enum edit_step_kind kind;
	const char *path;
	const char *where; /* "block 2" */
	const char *old, *text;
};

/* A reply while it is read. */
struct edit_reader {
	const struct edit_files *files;
	struct arena *arena;
	struct edit_step *steps;
	size_t n;
	struct strbuf problem;
};

/* Note what is wrong, as an item of a list. */
void edit_complain(struct edit_reader *reader, const char *where, const char *path,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

bool edit_text_is_blank(const char *text);

/* The next line from *at on, which moves past it; its length is without the line's end. NULL at
 * the end. */
const char *edit_next_line(const char **at, size_t *ret_n);

/* How the first line of a text ends: "\n" or "\r\n". */
const char *edit_line_end(const char *text);

/* The path that a line of text consists of, perhaps marked up; that an info string names. NULL:
 * none. */
const char *edit_path_of_line(const struct edit_reader *reader, const char *line);
const char *edit_path_of_info(const struct edit_reader *reader, const char *info);

/* The one file that a sentence names, such as "This mends `src/a.py`:". NULL: none, or several. */
const char *edit_path_in_sentence(const struct edit_reader *reader, const char *line);

/* The path that a step means: there may be no such file, and one whose path differs only in its
 * beginning. Itself where that is not clear. */
const char *edit_path_meant(const struct edit_reader *reader, const struct edit_step *step);

/* The one file that the task is about, where a block without a path holds a program for it: in its
 * language, with a part of its lines. NULL: it does not. */
const char *edit_path_of_program(struct edit_reader *reader, const struct code_block *block);

/* Whether a block is of that form. */
bool edit_is_search(const struct code_block *block);
bool edit_is_diff(const struct code_block *block);
bool edit_is_tagged(const struct code_block *block);
bool edit_is_json(const struct code_block *block);

/* Whether a search/replace block ends with its own last line, so that no fence need tell. */
bool edit_search_is_whole(const struct code_block *block);

/* Whether a line begins, or ends, a search/replace block or a patch in its envelope: these are
 * known by their own lines, also without a fence. And whether one begins with a tag of a tool. */
bool edit_is_search_line(const char *line, size_t n);
bool edit_is_search_end(const char *line, size_t n);
bool edit_is_patch_line(const char *line, size_t n);
bool edit_is_patch_end(const char *line, size_t n);

bool edit_is_tagged_line(const char *line, size_t n);

/* Behind the tag that closes the one that a line begins with; NULL: none does. */
const char *edit_tagged_end(const char *line);

/* Behind the JSON that begins on a line and holds an edit; NULL: none does, or it would have to be
 * looked for beyond `left` bytes, of which those that were looked at are taken. */
const char *edit_json_end(const char *line, size_t *left);

/* What tools call the parts of an edit; NULL behind the last name. */
enum edit_name { EDIT_NAME_PATH, EDIT_NAME_OLD, EDIT_NAME_NEW, EDIT_NAME_WHOLE };
const char *const *edit_names(enum edit_name name);

/* A reply without the fence of Markdown around all of it; in the arena. */
const char *edit_unwrapped(const struct edit_reader *reader, const char *markdown);

/* Whether a text is only a piece of a file's, as models write where they were asked for all. */
bool edit_is_piece(struct arena *arena, const char *text, const char *old);

/* All blocks of a reply in order; in the arena. */
const struct code_block *edit_blocks(
	struct edit_reader *reader, const char *markdown, size_t *ret_n);

/* Append a block's steps. `path`: of the line before it or of its info string, or NULL. */
void edit_read_search(struct edit_reader *reader, const struct code_block *block, const char *path,
	const char *where);
void edit_read_diff(struct edit_reader *reader, const struct code_block *block, const char *path,
	const char *where);
void edit_read_tagged(struct edit_reader *reader, const struct code_block *block, const char *path,
	const char *where);
void edit_read_json(struct edit_reader *reader, const struct code_block *block, const char *path,
	const char *where);

/* The text after a replacement, in the arena; line ends and a missing last one are kept. NULL, with
 * a complaint that quotes the nearest lines, where the step fits nowhere or at several places. */
const char *edit_replace(
	struct edit_reader *reader, const struct edit_step *step, const char *text);
