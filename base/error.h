/*
 * Errors are sentences: what failed, on what, why. The leaf sets one, callers
 * on the way up put their context before it. Every function here returns -1,
 * so that it can stand in a return statement.
 */
#pragma once
#include <stddef.h>

#include "include/rondo.h"

/* Say what went wrong. Overwrites what err held, clears its help. */
int error_set(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set, with ": " and the text of errno after it. A full disk, an exhausted
 * quota or table of files is transient whatever `code` says. */
int error_errno(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set, of usage: `what`, the name in quotes, and which of n names was probably meant. */
int error_unknown(struct rondo_error *err, const char *what, const char *name,
	const char *const *names, size_t n);

/* Put context and ": " before the message that err holds. */
int error_prefix(struct rondo_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Name the command or option that mends it. */
int error_help(struct rondo_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
