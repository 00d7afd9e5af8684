/* What the suite types of JavaScript share: npm (any runner behind a script), jest, vitest, mocha
 * and node. */
#pragma once
#include "verify/suite/suite.h"

/* Globs of their tests, snapshots and mocks; what node --test takes for a test too, and mocha's own
 * folder. */
#define JAVASCRIPT_TESTS \
	"__tests__/", "__snapshots__/", "__mocks__/", "__fixtures__/", "*.snap", "*.test.*", \
		"*.spec.*", "jest.setup*", "jest-setup*", "setupTests.*", "vitest.setup*", "vitest-setup*"

/* Files that say how they run. */
#define JAVASCRIPT_CONFIGURATION \
	"package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", \
		"pnpm-workspace.yaml", ".npmrc", ".yarnrc*", ".pnp.*", "jest.config.*", "jest.preset.*", \
		"vitest.config.*", "vitest.workspace.*", "vite.config.*", ".mocharc*", "mocha.opts", \
		".nycrc*", ".c8rc*", "babel.config.*", ".babelrc*", ".swcrc", "tsconfig*.json"

/* Nothing is fetched, and nobody is asked. */
#define JAVASCRIPT_ENV \
	"npm_config_update_notifier=false", "npm_config_offline=true", "npm_config_yes=false"

#define JAVASCRIPT_TOOLS "npm", "npx", "node", "yarn", "pnpm", "sh"

/* Whether a simple command starts this runner: by name, by a package manager, or by node from its
 * `script` (below node_modules). */
bool javascript_starts(const char *const *words, size_t n, const char *runner, const char *script);

/* What package.json at the root says of `npm test`, in the arena; NULL where there is no such
 * script. */
const char *javascript_script(
	const char *dir, const char *const *paths, size_t n, struct arena *arena);

/* The file that shows that this runner is used without a script: its configuration, or
 * package.json, which depends on it. */
const char *javascript_origin(const char *dir, const char *const *paths, size_t n,
	const char *runner, const char *const *configurations, struct arena *arena);

/* Members of suite_type. */
const char *javascript_structured(
	const struct suite *suite, const char *report, struct arena *arena);
const char *javascript_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
bool javascript_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan);
bool javascript_sentinel(const struct suite *suite, const char *beside, const char *text,
	const char *passing, const char *failing, struct arena *arena, struct sentinel *ret_sentinel);

/* Those that are the same where packages bring the runner. */
#define JAVASCRIPT_MEMBERS \
	.env = (const char *const[]){JAVASCRIPT_ENV, NULL}, .targeted = javascript_targeted, \
	.sentinel = javascript_sentinel, .tools = (const char *const[]){JAVASCRIPT_TOOLS, NULL}, \
	.configuration = (const char *const[]) \
	{ \
		JAVASCRIPT_CONFIGURATION, NULL \
	}
