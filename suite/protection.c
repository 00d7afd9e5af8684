/* What a fix must not touch: what decides whether it is one. By whole files. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "suite/suite.h"

static const char *const git_files[] = {".gitattributes", ".gitmodules"};

static const char *const ci_files[] = {".github/", ".gitlab-ci.yml", ".gitlab/", ".circleci/",
	".travis.yml", "Jenkinsfile", "azure-pipelines.yml", "appveyor.yml", ".drone.yml",
	".woodpecker.yml", ".woodpecker/", ".buildkite/", "bitbucket-pipelines.yml", ".ci/",
	".pre-commit-config.yaml"};

static const char *const configuration_files[] = {"rondo.yaml", "pytest.ini", ".pytest.ini",
	"pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml", "noxfile.py", ".coveragerc",
	"sitecustomize.py", "usercustomize.py", "*.pth", "requirements*.txt", "Pipfile", "*.lock",
	"package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml",
	"pnpm-workspace.yaml", ".npmrc", "jest.config.*", "vitest.config.*", ".mocharc*",
	"karma.conf.*", "tsconfig*.json", "Makefile", "makefile", "GNUmakefile", "CMakeLists.txt",
	"meson.build", "Cargo.toml", "go.mod", "go.sum", "go.work", "pom.xml", "build.gradle*",
	"settings.gradle*", "gradlew", "mvnw"};

static const char *const test_files[] = {"tests/", "test/", "spec/", "__tests__/", "test_*.py",
	"*_test.py", "*.test.*", "*.spec.*", "*_test.go", "*_test.c", "test_*.c", "*_spec.rb",
	"conftest.py"};

/* Where a bracket expression ends, or NULL. Sets whether the character is in it. */
static const char *match_set(const char *glob, char c, bool *in)
{
	bool inverted = *glob == '!' || *glob == '^';
	const char *at = glob + inverted, *first = at;
	*in = false;
	for (; *at && (*at != ']' || at == first); at++) {
		if (at[1] == '-' && at[2] && at[2] != ']') {
			*in = *in || (*at <= c && c <= at[2]);
			at += 2;
		} else {
			*in = *in || *at == c;
		}
	}
	*in = *in != inverted && c != '/';
	return *at ? at + 1 : NULL;
}

/* Behind the one element of a glob that matches `c`, or NULL. A bracket without end is plain. */
static const char *match_one(const char *glob, char c)
{
	bool in;
	const char *end = *glob == '[' ? match_set(glob + 1, c, &in) : NULL;
	if (end)
		return in ? end : NULL;
	if (*glob == '?')
		return c != '/' ? glob + 1 : NULL;
	if (*glob == '\\' && glob[1])
		glob++;
	return *glob == c ? glob + 1 : NULL;
}

/* Let two stars stand for more: where a slash follows them, up to the next one. */
static const char *after_stars(const char *stars, const char *path)
{
	do
		path++;
	while (*path && stars[-1] == '/' && path[-1] != '/');
	return path;
}

/* A whole path against a whole glob. A later star makes what an earlier one of its kind could still
 * try superfluous, so one place to return to for each kind is enough, and the time is bounded. */
static bool match_whole(const char *glob, const char *path)
{
	const char *star = NULL, *star_path = NULL, *stars = NULL, *stars_path = NULL;
	while (*path || *glob) {
		if (text_starts_with(glob, "**")) {
			stars = glob[2] == '/' ? glob + 3 : glob + 2;
			stars_path = path;
			star = NULL;
			glob = stars;
			continue;
		}
		if (*glob == '*') {
			star = ++glob;
			star_path = path;
			continue;
		}
		const char *next = *path && *glob ? match_one(glob, *path) : NULL;
		if (next) {
			glob = next;
			path++;
		} else if (star && *star_path && *star_path != '/') {
			path = ++star_path;
			glob = star;
		} else if (stars && *stars_path) {
			path = stars_path = after_stars(stars, stars_path);
			glob = stars;
			star = NULL;
			if (!*path && *glob && stars[-1] == '/')
				return false;
		} else {
			return false;
		}
	}
	return true;
}

/* Whether n bytes of a glob match some folder of the path, or the folder's path from the root. */
static bool match_folder(const char *glob, size_t n, const char *path)
{
	AUTO_FREE char *pattern = memory_strdup(glob);
	AUTO_FREE char *folder = memory_strdup(path);
	pattern[n] = '\0';
	bool anchored = strchr(pattern, '/') != NULL;
	char *start = folder;
	for (char *slash = strchr(folder, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		bool matches = match_whole(pattern, anchored ? folder : start);
		*slash = '/';
		if (matches)
			return true;
		start = slash + 1;
	}
	return false;
}

bool suite_glob(const char *glob, const char *path)
{
	if (text_starts_with(glob, "./"))
		glob += 2;
	size_t n = strlen(glob);
	if (n && glob[n - 1] == '/')
		return match_folder(glob, n - 1, path);
	const char *slash = strrchr(path, '/');
	if (!strchr(glob, '/') && slash)
		path = slash + 1;
	else if (*glob == '/')
		glob++;
	return match_whole(glob, path);
}

static bool matches_any(const char *const *globs, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (suite_glob(globs[i], path))
			return true;
	return false;
}

static bool matches_list(const char *const *globs, const char *path)
{
	for (; globs && *globs; globs++)
		if (suite_glob(*globs, path))
			return true;
	return false;
}

/* Whether the test command names the path, as it is or seen from one of the folders above it: `sh ci/check.sh`,
 * `cd ci && ./check.sh`. */
static bool is_named_by(const char *command, const char *path)
{
	static const char separators[] = " \t\n;&|()<>'\"=`";
	while (*(command += strspn(command, separators))) {
		size_t n = strcspn(command, separators), length = strlen(path);
		const char *word = text_starts_with(command, "./") ? command + 2 : command;
		size_t size = n - (size_t)(word - command);
		bool ends = size && size <= length && memcmp(path + length - size, word, size) == 0;
		if (ends && (size == length || path[length - size - 1] == '/'))
			return true;
		command += n;
	}
	return false;
}

const char *protection_rule(const struct protection *protection, const char *path)
{
	const struct suite *suite = protection->suite;
	if (matches_any(protection->allow, protection->n_allow, path))
		return NULL;
	if (matches_any(protection->globs, protection->n_globs, path))
		return "protected-glob";
	/* A program that is its own test is protected by its assertions, not as a file. */
	if (suite && suite->program && strcmp(suite->program, path) == 0)
		return NULL;
	if (matches_any(git_files, ARRAY_SIZE(git_files), path))
		return "protected-git";
	if (matches_any(ci_files, ARRAY_SIZE(ci_files), path))
		return "protected-ci";
	if (matches_any(configuration_files, ARRAY_SIZE(configuration_files), path) ||
		(suite && matches_list(suite->type->configuration, path)))
		return "protected-configuration";
	if (matches_any(test_files, ARRAY_SIZE(test_files), path) ||
		(suite && matches_list(suite->type->tests, path)))
		return "protected-test";
	if (suite && suite->command && is_named_by(suite->command, path))
		return "protected-command";
	return NULL;
}
