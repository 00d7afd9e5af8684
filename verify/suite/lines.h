/* What a command printed, of any size, as clean lines; and in short. */
#pragma once
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

/* What each line is passed to. */
struct listener {
	void (*hear)(void *owner, const char *line);
	void *owner;
};

/* Pass on all lines of a descriptor, from its start, as valid UTF-8 without escape sequences. Of a
 * line that overwrote itself with carriage returns, the last state remains. Lines are cut at 64
 * KiB. */
int lines_read(int fd, struct listener listener, struct rondo_error *err);

/* Append all of a descriptor, from its start, up to the limit of the buffer. False: it is empty,
 * larger, or cannot be read. */
bool descriptor_read(int fd, struct strbuf *sb);

/* Whether a line is like a pattern, in which '*' is any text, and '#' a number, which goes to
 * `ret_numbers` (may be NULL; valid only if the line is like it). Gives what a '*' at the pattern's
 * end stands for, else ""; NULL: it is not like it. */
const char *line_match(const char *line, const char *pattern, size_t *ret_numbers);

/* Whether a line is like one of the patterns, which end with NULL. */
bool line_matches_any(const char *line, const char *const *patterns);

/* Head and tail of `size` bytes, about 10,000 of them; in the arena. */
const char *lines_excerpt(int fd, off_t size, struct arena *arena);

/* Clean n bytes as lines_read does, into a buffer that is emptied first. */
const char *lines_clean(struct strbuf *clean, const char *at, size_t n);
