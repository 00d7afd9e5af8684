/* A program that says the input, in pieces, whatever it is told, and then ends. */
#pragma once
#include <sys/eventfd.h>

#include "base/process/coprocess.h"
#include "tests/fuzz/fuzz.h"

struct said {
	const char *at, *end; /* what is left of the input */
	unsigned seed;
	struct strbuf heard; /* what it was told */
};

static inline struct said said_of(const uint8_t *data, size_t size, unsigned seed)
{
	return (struct said){
		(const char *)data, (const char *)data + size, seed, STRBUF_INIT(STRBUF_RECORD)};
}

static inline void said_release(struct said *said)
{
	strbuf_release(&said->heard);
}

static inline bool said_read(void *owner, struct strbuf *text)
{
	struct said *said = owner;
	size_t n = fuzz_piece(&said->seed, (size_t)(said->end - said->at));
	strbuf_add(text, said->at, n);
	said->at += n;
	return n > 0;
}

static inline ssize_t said_write(void *owner, const char *bytes, size_t n)
{
	strbuf_add(&((struct said *)owner)->heard, bytes, n);
	return (ssize_t)n;
}

static inline int said_exit_code(void *owner)
{
	(void)owner;
	return 0;
}

static inline void said_end(void *owner)
{
	(void)owner;
}

static inline struct coprocess *said_on(struct said *said)
{
	static int ready = -1; /* to be read and written at any time */
	if (ready < 0)
		ready = eventfd(1, EFD_CLOEXEC);
	const struct coprocess_line line = {.in = ready,
		.out = ready,
		.read = said_read,
		.write = said_write,
		.exit_code = said_exit_code,
		.end = said_end,
		.owner = said};
	return coprocess_on(&line, NULL);
}
