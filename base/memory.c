#include "base/memory.h"

#include <string.h>

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

void *memory_alloc(size_t size)
{
	return must(calloc(1, size ? size : 1));
}

void *memory_resize(void *old, size_t size)
{
	return must(realloc(old, size ? size : 1));
}

char *memory_strdup(const char *text)
{
	return must(strdup(text));
}
