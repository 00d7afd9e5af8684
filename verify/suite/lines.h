/* What a command printed, of any size, as clean lines; and in short. */
#pragma once
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

/* What each line is handed to. */
struct listener {
	void (*hear)(void *owner, const char *line);
	void *owner;
};

/*
 * Hand on all lines of a descriptor, from its start: valid UTF-8 without escape sequences, and of a
 * line that overwrote itself with carriage returns the last state. A line is cut at 64 KiB.
 */
int lines_read(int fd, struct listener listener, struct rondo_error *err);

/* Append all of a descriptor, from its start, up to the limit of the buffer. False: it is empty,
 * larger, or cannot be read. */
bool descriptor_read(int fd, struct strbuf *sb);

/* Head and tail of what has `size` bytes, about 10,000 of them; in the arena. */
const char *lines_excerpt(int fd, off_t size, struct arena *arena);

/* n bytes as such a line, in a buffer that is emptied first. */
const char *lines_clean(struct strbuf *clean, const char *at, size_t n);
