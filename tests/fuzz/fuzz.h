/* What the fuzzers share: libFuzzer's door, assertions in every build, input as text, and a
 * directory for what an input says. */
#pragma once
#undef NDEBUG
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What every floor may assume of a string that came over the border. NULL is no string. */
static inline void assert_text(const char *text)
{
	assert(!text || utf8_valid_length(text, strlen(text)) == strlen(text));
}

/* An error has words, which are text. */
static inline void assert_error(const struct rondo_error *err)
{
	assert(*err->message);
	assert_text(err->message);
	assert_text(err->help);
}

/* The bytes up to the first NUL, in a block of just that size so that reading on is noticed. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
	size_t n = size ? strnlen((const char *)data, size) : 0;
	char *text = memory_alloc(n + 1);
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	return text;
}

/* The same as valid UTF-8, which is what inner parsers are given. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	struct strbuf sb = STRBUF_INIT(4 * size + 1);
	utf8_scrub(&sb, (const char *)data, size);
	char *text = memory_strdup(sb.text);
	strbuf_release(&sb);
	return text;
}

/* How many bytes the next piece has, of what is cut anywhere: `seed` says it, 0: all of it. */
static inline size_t fuzz_piece(unsigned *seed, size_t left)
{
	size_t n = left;
	if (*seed) {
		*seed = *seed * 1103515245 + 12345;
		n = 1 + (*seed >> 16 & 7);
	}
	return n < left ? n : left;
}

/* --- A directory of the process's own, in memory where there is such a place --- */

static char fuzz_place[256];

static void fuzz_remove(void)
{
	struct rondo_error ignored;
	file_remove_tree(fuzz_place, &ignored);
}

/* The driver removes $FUZZ_DIR, also after a crash. */
static inline const char *fuzz_dir(void)
{
	const char *top = getenv("FUZZ_DIR");
	if (*fuzz_place)
		return fuzz_place;
	snprintf(fuzz_place, sizeof fuzz_place, "%s/rondo-fuzz-XXXXXX",
		top                           ? top
			: file_is_dir("/dev/shm") ? "/dev/shm"
									  : "/tmp");
	assert(mkdtemp(fuzz_place));
	atexit(fuzz_remove);
	return fuzz_place;
}

/* The path of a file in it, or of the directory; one of several that are used at a time. */
static inline const char *fuzz_path(const char *name)
{
	static char paths[8][512];
	static size_t i;
	char *path = paths[i++ % ARRAY_SIZE(paths)];
	snprintf(path, sizeof *paths, "%s%s%s", fuzz_dir(), *name ? "/" : "", name);
	return path;
}

/* Write a file in it; what was there goes. */
static inline void fuzz_write(const char *name, const void *bytes, size_t n)
{
	int fd = open(fuzz_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert(fd >= 0 && file_write_all(fd, bytes, n) == 0 && close(fd) == 0);
}
