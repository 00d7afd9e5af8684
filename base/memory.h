/*
 * Memory from the heap, and handles that close themselves at the end of their scope.
 * Untrusted sizes are bounded before they come here, so running out is no input's doing
 * and ends the program.
 */
#pragma once
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Zeroed memory; the caller frees it. */
void *memory_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *memory_resize(void *old, size_t size) __attribute__((returns_nonnull));
char *memory_strdup(const char *text) __attribute__((malloc, returns_nonnull));

/* What a library allocated, which gives NULL for no other reason than that there is no memory. */
void *memory_must(void *pointer) __attribute__((returns_nonnull));

static inline void memory_auto_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void memory_auto_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void memory_auto_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void memory_auto_closedir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#define AUTO_FREE __attribute__((cleanup(memory_auto_free)))
#define AUTO_CLOSE __attribute__((cleanup(memory_auto_close))) int
#define AUTO_FCLOSE __attribute__((cleanup(memory_auto_fclose))) FILE
#define AUTO_DIR __attribute__((cleanup(memory_auto_closedir))) DIR

/* Hand a pointer on: its scope no longer owns it. */
#define STEAL(pointer) \
	__extension__({ \
		__typeof__(*(pointer)) stolen_ = *(pointer); \
		*(pointer) = NULL; \
		stolen_; \
	})
#define STEAL_FD(fd) \
	__extension__({ \
		int stolen_ = *(fd); \
		*(fd) = -1; \
		stolen_; \
	})
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(array)[0])
