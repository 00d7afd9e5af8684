/*
 * An arena: memory that is given out piece by piece and taken back all at once.
 * What it gave never moves. Not for use by several threads at a time.
 */
#pragma once
#include <stddef.h>

struct arena {
	struct arena_block *newest;
	struct arena_deferred *deferred; /* calls to make when it is released */
};

#define ARENA_INIT {0}
#define AUTO_ARENA __attribute__((cleanup(arena_release))) struct arena

/* Zeroed memory, aligned for any type. Never NULL: the program ends when memory does. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));

/* Copies: of a string, of n bytes followed by a NUL, of n bytes as they are. NULL gives
 * NULL. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t n);
void *arena_memdup(struct arena *arena, const void *bytes, size_t n);

/* A formatted string. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Make room for one more in an array that lives in the arena and only grows; gives the (perhaps
 * moved) array. */
void *arena_grow(struct arena *arena, void *array, size_t n, size_t size)
	__attribute__((returns_nonnull));

/* Call this with the owner before the memory is taken back: for what an arena owns and did not
 * allocate. The last deferred call is made first. */
void arena_defer(struct arena *arena, void (*call)(void *owner), void *owner);

/* Take everything back: the arena is empty. */
void arena_release(struct arena *arena);

/* Append to an array of any type: ARENA_PUSH(arena, list, n, item). */
#define ARENA_PUSH(arena, array, n, ...) \
	((array) = arena_grow((arena), (array), (n), sizeof *(array)), (array)[(n)++] = __VA_ARGS__)
