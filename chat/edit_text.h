/*
 * Edits as models write them, in the Markdown of a reply: whole files, search/replace blocks,
 * unified diffs, patches in an envelope, and the tags of other tools. Line numbers are not asked
 * for; places are found by their text, also where white space or indentation is not quite right,
 * and never where two fit. All of a reply is read, or nothing.
 */
#pragma once
#include "chat/edit.h"

/* The files that a reply is about, as they are now. */
struct edit_files {
	/* A file's text, in the arena. NULL: there is none, or, with ret_why set, it cannot be
	 * edited. */
	const char *(*text)(void *owner, const char *path, struct arena *arena, const char **ret_why);
	void *owner;
	const char *const *paths; /* those there are, for "did you mean"; may be none */
	size_t n;
	/* the one file that the task is about: a program for it that names no file is its new text;
	 * NULL: it is about more */
	const char *only;
};

struct edit_reading {
	/* of no files where the reply proposes nothing, or where there is a problem */
	struct edit edit;
	/* what is wrong with which block, for whoever wrote it: lines of Markdown; or NULL */
	const char *problem;
};

/* Read a whole reply; in the arena. */
struct edit_reading edit_text_read(
	const char *markdown, const struct edit_files *files, struct arena *arena);

/* The line of a text, from 1, at which lines are most like these; 0: none is like them. */
size_t edit_nearest_line(const char *text, const char *lines);

/* A reply without what its model thought aloud before it, between <think> and </think>; a part of
 * it. What is drafted there is neither to be applied nor to be run. */
const char *reply_without_thoughts(const char *reply);
