/*
 * A proposed change of the tree, as data: for each file either the pieces to replace in the text
 * that it was made for, or the whole new text, or its removal.
 */
#pragma once
#include "base/arena.h"
#include "base/hash.h"
#include "base/json/json.h"
#include "base/strbuf.h"

/* Replace `length` bytes at `offset` by `text`. */
struct splice {
	size_t offset, length;
	const char *text;
};

struct file_edit {
	const char *path;       /* relative to the tree */
	const char *base_hash;  /* SHA-256 of the text that the splices are for; NULL: any, also none */
	struct splice *splices; /* ascending, apart from each other */
	size_t n;
	const char *content; /* the whole new text, where it is not NULL; then there are no splices */
	bool remove;
	bool is_latin1; /* the file is; offsets are in its bytes, and the text of splices is UTF-8 */
};

struct edit {
	const char *description; /* one line for people: what is changed where */
	struct file_edit *files;
	size_t n;
};

/* Whether a path may be edited at all: relative, below the tree, no ".", "..", ".git" or empty
 * part. */
int edit_check_path(const char *path, struct rondo_error *err);

/* Apply one file's edit to its old text; append the new text. Not for a removal. The error says
 * which splice does not fit, or that the text is another one. */
int edit_apply(const struct file_edit *edit, const char *old, size_t n, struct strbuf *ret_text,
	struct rondo_error *err);

/* The edit by splices that puts back what one does to `old`, which is UTF-8. It lies in the arena
 * and borrows nothing of the edit. JSON can hold it where what that replaces is text. */
struct file_edit edit_invert(const struct file_edit *edit, const char *old, struct arena *arena);

/* Whether all that an edit by splices changes is changed by another one just so. */
bool edit_is_within(const struct edit *part, const struct edit *whole);

/* JSON and back; what comes back lies in the arena, and its paths have been checked. */
struct json *edit_to_json(const struct edit *edit);
int edit_from_json(
	const struct json *json, struct arena *arena, struct edit *edit, struct rondo_error *err);
