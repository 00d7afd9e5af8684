/* What the suite types of JavaScript share: npm and the runners that packages bring, and node. */
#pragma once
#include "verify/suite/suite.h"

/* Globs of their tests, snapshots and mocks. */
#define JAVASCRIPT_TESTS \
	"__tests__/", "__snapshots__/", "__mocks__/", "__fixtures__/", "*.snap", "*.test.*", \
		"*.spec.*", "jest.setup*", "jest-setup*", "setupTests.*", "vitest.setup*", "vitest-setup*"

/* Characters that mean something in a regular expression of JavaScript. */
#define JAVASCRIPT_SPECIAL "\\^$.*+?()[]{}|/"

extern const char *const javascript_configuration[];

/* Whether a simple command starts this runner: by name, by a package manager, or by node. */
bool javascript_starts(const char *const *words, size_t n, const char *runner);

/* The line that runs the suite's tests, or of which some are to run. */
const char *javascript_line(const struct suite *suite);

/* The answer of `targeted`: such a line with the programs of node_modules, where the command has
 * them by a package manager; for NULL all of `tests_alone`. In the arena. */
const char *javascript_targeted(const struct suite *suite, const char *line, struct arena *arena);

/* Members of suite_type. */
void javascript_resolve(struct suite *suite, const char *dir, struct arena *arena);
bool javascript_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan);
bool javascript_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel);

/* For `node --test` and ava: the line that runs some of its tests, by their titles; NULL: it
 * cannot. */
const char *javascript_select_titles(
	const char *line, const char *const *ids, size_t n, struct arena *arena);
