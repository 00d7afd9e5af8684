/* What the suite types of Python share. */
#pragma once
#include "verify/suite/suite.h"

/* Makes pytest print what is read, by its environment. */
extern const char pytest_options[];

/* What build tools and `pip install -e` write beside the sources, as suite_type has it. */
extern const char *const python_generated[];

/* Whether a path is that of a project in a directory of the tree, which has a pyproject.toml,
 * setup.cfg or setup.py of its own. */
bool python_is_nested(
	const char *const *paths, size_t n, const char *path, struct arena *arena);

/* The place after "-m MODULE" of a simple command, or 0; and how many words start Python. */
size_t python_after_module(
	const char *const *words, size_t n, const char *module, size_t *ret_interpreter);

/* A sentinel in the folder of `beside`, named in the same manner, so that both are collected alike;
 * its tests are functions if those of `text` are, else methods of a TestCase. */
void python_sentinel(
	const char *beside, const char *text, struct arena *arena, struct sentinel *sentinel);

/*
 * The plan for one simple command in plain words. `after` gives the place after the word that
 * starts the runner, 0: it does not; `interpreter` is how many words before it start Python, 0: the
 * runner is a script that names its own.
 */
bool python_warm(const struct suite *suite,
	size_t (*after)(const char *const *words, size_t n, size_t *ret_interpreter),
	struct arena *arena, struct warm_plan *ret_plan);
