/* What the suite types of JavaScript share: npm and the runners that packages bring, and node. */
#pragma once
#include "verify/suite/suite.h"

/* Globs of their tests, snapshots and mocks. */
#define JAVASCRIPT_TESTS \
	"__tests__/", "__snapshots__/", "__mocks__/", "__fixtures__/", "*.snap", "*.test.*", \
		"*.spec.*", "jest.setup*", "jest-setup*", "setupTests.*", "vitest.setup*", "vitest-setup*"

extern const char *const javascript_configuration[];

/* Whether a simple command starts this runner: by name, by a package manager, or by node from its
 * `script` (below node_modules). */
bool javascript_starts(const char *const *words, size_t n, const char *runner, const char *script);

/* Members of suite_type. */
bool javascript_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan);
bool javascript_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel);
