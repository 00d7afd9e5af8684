/* The system calls that programs in the sandbox may not make. Only sandbox.c and tests include it. */
#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* The filter for this machine, as bwrap --seccomp reads it; in the arena. */
int seccomp_filter(struct arena *arena, const void **ret_bytes, size_t *ret_n, struct rondo_error *err);
