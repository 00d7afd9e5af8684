/*
 * Shared libraries that are loaded when they are first needed, and then stay: what few runs need
 * costs the others nothing, neither at the start nor at each fork.
 */
#pragma once
#include <pthread.h>
#include <stddef.h>

#include "base/error.h"

struct library_function {
	const char *name;
	void *place; /* of the pointer to it */
};

struct library {
	const char *file;    /* libNAME.so.N */
	const char *package; /* Debian's, for who lacks it */
	const struct library_function *functions;
	size_t n;
	void (*begin)(void); /* called once, when all is there; or NULL */
	pthread_mutex_t lock;
	bool loaded;
	char *missing; /* the system's words, once it was tried in vain */
};

/* Have all functions of a library in their places. Any thread may ask. An error names the
 * package. */
int library_need(struct library *library, struct rondo_error *err);
