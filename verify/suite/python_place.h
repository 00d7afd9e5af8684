/* Where the tests of a Python project run: in which environment, and with what on the path. */
#pragma once
#include "verify/suite/suite.h"

struct python_place {
	const char *prefix; /* absolute, its bin/ holds the interpreter; NULL: the one on PATH */
	const char *path;   /* a directory of the tree for PYTHONPATH, "." its root; NULL: none */
	const char *why;    /* the prefix is taken, in words; NULL: it is not */
	const char *told;   /* what is on the path and why; NULL: nothing to say */
};

/* Find it for a suite of Python in the user's checkout at `root`, an absolute path. `paths` are the
 * tree's files, sorted. An error: the tests would judge another copy of the project. Other suites
 * have an empty place. */
int python_find_place(const struct suite *suite, const char *root, const char *const *paths,
	size_t n, struct arena *arena, struct python_place *ret_place, struct rondo_error *err);

/* The environments that are there, the first one that is asked first; where one has the module, it
 * is taken. `tracked`: the tree's files, relative to `root`, sorted: no environment is taken that
 * they hold or name. `runner`: NULL, any. Gives its prefix and where it was found, or NULL. */
const char *python_find_environment(const char *root, const char *const *tracked, size_t n_tracked,
	const char *runner, struct arena *arena, const char **ret_why);

/* Whether an environment has a top-level module of that name, and its path; in the arena. */
const char *python_module_in(const char *prefix, const char *name, struct arena *arena);

/* A path below the checkout as the user would write it. */
const char *python_shown(const char *path, const char *root);

/* The command that installs what a suite there lacks of Python; in the arena. */
const char *python_mend(const struct python_place *place, const char *root,
	const struct lack *lack, const char *const *paths, size_t n, struct arena *arena);
