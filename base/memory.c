#include "base/memory.h"

#include <string.h>

void *memory_must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

void *memory_alloc(size_t size)
{
	return memory_must(calloc(1, size ? size : 1));
}

void *memory_resize(void *old, size_t size)
{
	return memory_must(realloc(old, size ? size : 1));
}

char *memory_strdup(const char *text)
{
	return memory_must(strdup(text));
}
