/* Whether what a test did not find is, or should be, a file of the tree itself. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"

/* Whether a module is the tree's own, so that its absence is a bug. */
bool own_module(const char *name, const char *const *paths, size_t n);

/* The same of a class of Perl or PHP, such as Hash::Merge: the tree has a file of that name, or one
 * that is but for a slip. */
bool own_class(const char *name, const char *const *paths, size_t n);

/* The same of a header, of a crate of Rust, and of a package of Java: "org.junit". A header
 * may also be meant for a standard one. */
bool own_header(const char *name, const char *const *paths, size_t n);
bool own_crate(const char *name, const char *const *paths, size_t n);
bool own_java_package(const char *name, const char *const *paths, size_t n);

/* Whether a name that is nowhere is meant for a module of the tree or of Python itself: then the
 * import is wrong. */
bool own_is_misspelt(const char *name, const char *const *paths, size_t n);

/* Whether a name is that of a data file of the tree's own, and no file there could be meant: it was
 * not published, or is written by a build. Programs can be written, such files cannot. */
bool own_absent_data(const char *name, const char *const *paths, size_t n);

/* Whether a relative path leads into a directory as a build makes it, and the tree has none. */
bool own_is_built(const char *name, const char *const *paths, size_t n);

/* The file of a Python module that a build tool writes and that is not there, or NULL. */
const char *own_generated(
	const char *name, const char *const *paths, size_t n, struct arena *arena);
