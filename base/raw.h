/*
 * Text of /proc by system calls only: for the fork of a process that may have had threads, where
 * malloc and stdio are not allowed; and for programs in the sandbox, which have no library.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sanitizer.h"

/* clone(2), and its flag for a process in the caller's memory. The thread sanitizer's records are
 * in that memory: there it gets a copy, and past the sanitizer, which takes locks for a fork. */
#if HAVE_TSAN
#define RAW_IN_PLACE 0
#define raw_clone __clone

/* glibc's clone(2) by the name that the sanitizer leaves alone. */
int __clone(int (*live)(void *argument), void *stack, int flags, void *argument, ...);
#else
#define RAW_IN_PLACE CLONE_VM
#define raw_clone clone
#endif

/* Write a number and a NUL. Returns the place of the NUL. */
char *raw_put_number(char *at, unsigned long number);

/* Write to a file of /proc. 0, or -1 with errno. */
int raw_write(const char *path, const char *text);

/* Read a file as far as it fits, and add a NUL. Its length, or -1 with errno. */
ssize_t raw_read(int dir, const char *path, char *text, size_t size);

/* The number after the first `label` in a text; -1: there is none. */
int64_t raw_number_behind(const char *text, const char *label);

/* A numeric field of a process's stat, from the third on, counted as in proc(5); -1: none. The
 * second field is a name that the process chose. */
int64_t raw_stat_field(const char *stat, int field);
