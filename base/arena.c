#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sanitizer.h"

#if HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define RED_ZONE 16 /* bytes between two pieces, so that an overflow by one is seen */
#define POISON(p, n) __asan_poison_memory_region(p, n)
#define UNPOISON(p, n) __asan_unpoison_memory_region(p, n)
#else
#define RED_ZONE 0
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

#define FIRST_BLOCK 4096
#define LARGEST_STEP ((size_t)1 << 20)

struct arena_block {
	struct arena_block *older;
	size_t size, used;
	_Alignas(max_align_t) unsigned char bytes[];
};

struct arena_deferred {
	struct arena_deferred *older;
	void (*call)(void *owner);
	void *owner;
};

static size_t rounded(size_t size)
{
	size_t unit = _Alignof(max_align_t);
	return (size + unit - 1) / unit * unit;
}

static void add_block(struct arena *arena, size_t least)
{
	size_t size = arena->newest ? arena->newest->size * 2 : FIRST_BLOCK;
	if (size > LARGEST_STEP)
		size = LARGEST_STEP;
	if (size < least)
		size = least;
	struct arena_block *block = memory_resize(NULL, sizeof *block + size);
	block->older = arena->newest;
	block->size = size;
	block->used = 0;
	POISON(block->bytes, size);
	arena->newest = block;
}

/* Memory that the caller fills. */
static void *take(struct arena *arena, size_t size)
{
	size_t need = rounded(size ? size : 1) + RED_ZONE;
	if (!arena->newest || arena->newest->size - arena->newest->used < need)
		add_block(arena, need);
	unsigned char *piece = arena->newest->bytes + arena->newest->used;
	arena->newest->used += need;
	UNPOISON(piece, size ? size : 1);
	return piece;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	return memset(take(arena, size), 0, size ? size : 1);
}

void *arena_memdup(struct arena *arena, const void *bytes, size_t n)
{
	return bytes ? memcpy(take(arena, n), bytes, n) : NULL;
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
	if (!text)
		return NULL;
	char *copy = memcpy(take(arena, n + 1), text, n);
	copy[n] = '\0';
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *text = take(arena, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	return text;
}

void *arena_grow(struct arena *arena, void *array, size_t n, size_t size)
{
	if (n && (n & (n - 1)))
		return array;
	void *larger = arena_alloc(arena, (n ? 2 * n : 1) * size);
	if (n)
		memcpy(larger, array, n * size);
	return larger;
}

void arena_defer(struct arena *arena, void (*call)(void *owner), void *owner)
{
	struct arena_deferred *deferred = arena_alloc(arena, sizeof *deferred);
	*deferred = (struct arena_deferred){arena->deferred, call, owner};
	arena->deferred = deferred;
}

void arena_release(struct arena *arena)
{
	for (struct arena_deferred *deferred = arena->deferred; deferred; deferred = deferred->older)
		deferred->call(deferred->owner);
	arena->deferred = NULL;
	for (struct arena_block *block = arena->newest; block;) {
		struct arena_block *older = block->older;
		UNPOISON(block->bytes, block->size);
		free(block);
		block = older;
	}
	arena->newest = NULL;
}
