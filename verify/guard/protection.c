/* What a fix must not touch: what decides whether it is one. By whole files. */
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/lexer/source.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/guard.h"

#define TEST_RULE "protected-test"

static const char *const git_files[] = {".gitattributes", ".gitmodules", ".gitconfig", ".githooks/",
	".husky/", ".lefthook/", "lefthook.yml", ".lefthook.yml", ".pre-commit-config.yaml",
	".pre-commit-hooks.yaml"};

static const char *const ci_files[] = {".github/", ".gitlab-ci.yml", ".gitlab-ci/", ".gitlab/",
	".circleci/", ".travis.yml", "Jenkinsfile", "Jenkinsfile.*", "azure-pipelines*.yml",
	".azure-pipelines/", "appveyor.yml", ".appveyor.yml", ".drone.yml", ".woodpecker.yml",
	".woodpecker/", ".buildkite/", "bitbucket-pipelines.yml", ".ci/", ".cirrus.yml", ".cirrus.star",
	".semaphore/", ".teamcity/", ".forgejo/", ".gitea/", ".builds/", ".build.yml", "buildspec*.yml",
	"cloudbuild*.yaml", "codemagic.yaml", "wercker.yml", "shippable.yml", ".scrutinizer.yml",
	".codecov.yml", "codecov.yml", "codeship-*.yml", ".tekton/", "bors.toml", ".mergify.yml"};

/* What chooses, loads or steers interpreters, compilers and runners, by any name that one of them
 * looks for. */
static const char *const configuration_files[] = {"rondo.yaml",
	/* Python */
	"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "tox.toml", "setup.cfg",
	"pyproject.toml", "noxfile.py", ".coveragerc", "sitecustomize.py", "usercustomize.py",
	"sitecustomize/", "usercustomize/", "*.pth", "pyvenv.cfg", "requirements*.txt",
	"requirements*.in", "constraints*.txt", "Pipfile", "environment.yml", "conda*.yml",
	".python-version", "hatch.toml", "uv.toml", "pdm.toml", "poetry.toml", "nose.cfg", ".noserc",
	".pyre_configuration",
	/* JavaScript */
	"package.json", "package.json5", "package.yaml", "package-lock.json", "npm-shrinkwrap.json",
	"pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.cjs", "pnpmfile.js", "bun.lockb",
	"bunfig.toml", "deno.json", "deno.jsonc", ".npmrc", ".yarnrc*", ".yarn/", ".pnp.*",
	"jest.config.*", "jest.setup.*", "jest-setup.*", "setupTests.*", "setupJest.*", "test-setup.*",
	"setup-tests.*", "test.setup.*", "gulpfile.*", "Gruntfile.*", "vitest.config.*",
	"vitest.setup.*", "vitest.workspace.*", "vite.config.*", ".mocharc*", "mocha.opts",
	"ava.config.*", ".taprc", ".tap/", ".c8rc*", ".nycrc*", "nyc.config.*", "karma.conf.*",
	"wtr.config.*", "web-test-runner.config.*", "playwright.config.*", "cypress.config.*",
	"jasmine.json", ".babelrc*", "babel.config.*", ".swcrc", "tsconfig*.json", "jsconfig*.json",
	"lerna.json", "nx.json", "turbo.json", ".node-version", ".nvmrc",
	/* C and C++ */
	"Makefile", "makefile", "GNUmakefile", "BSDmakefile", "Makefile.am", "Makefile.in",
	"Makefile.inc", "*.mk", "*.mak", "CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json",
	"*.cmake", "*.cmake.in", "CTestConfig.cmake", "DartConfiguration.tcl", "meson.build",
	"meson_options.txt", "meson.options", "*.ninja", "BUILD", "BUILD.bazel", "WORKSPACE",
	"WORKSPACE.bazel", "MODULE.bazel", "*.bzl", ".bazelrc", ".bazelversion", "SConstruct",
	"SConscript", "wscript", "xmake.lua", "premake*.lua", "configure", "configure.ac",
	"configure.in", "conanfile.*", "vcpkg.json", "Justfile", "justfile", ".justfile",
	"Taskfile.y*ml", "Rakefile", "Earthfile",
	/* Rust, Go, Java and what else compiles */
	"Cargo.toml", ".cargo/", "rust-toolchain", "rust-toolchain.toml", "build.rs", "clippy.toml",
	".config/nextest.toml", "go.mod", "go.sum", "go.work", "go.work.sum", "pom.xml", ".mvn/",
	"mvnw", "mvnw.cmd", "*.gradle", "*.gradle.kts", "buildSrc/", "build-logic/",
	"gradle.properties", "gradlew", "gradlew.bat", "**/gradle/wrapper/**", "libs.versions.toml",
	"junit-platform.properties", "**/META-INF/services/**", "*.sbt", "project/*.scala",
	"project/build.properties", "build.zig", "build.zig.zon", "build.xml", "Gemfile", "*.gemspec",
	".rspec", ".ruby-version", ".busted", ".luacov", "*.rockspec", "composer.json", "phpunit.xml*",
	"phpunit.dist.xml", ".proverc", "Makefile.PL", "Build.PL", "cpanfile*", "dist.ini", "php.ini",
	".user.ini", "mix.exs", "Package.swift", "*.csproj", "*.sln", "*.runsettings", "nuget.config",
	"Directory.Build.*",
	/* all of them */
	"*.lock", "*.lockb", ".env", ".env.local", ".env.test*", ".env.development*",
	".env.production*", ".envrc", ".tool-versions", "mise.toml", ".mise.toml", ".sdkmanrc",
	"flake.nix", "shell.nix", "default.nix", ".vscode/", ".idea/", ".devcontainer/",
	".devcontainer.json"};

static const char *const test_files[] = {"tests/", "test/", "t/", "xt/", "*.t", "spec/",
	"__tests__/", "__mocks__/", "__snapshots__/", "__fixtures__/", "test_*.py", "*_test.py",
	"*.test.*", "*.spec.*", "*.snap", "*_test.go", "*_test.c", "*_test.cc", "*_test.cpp",
	"test_*.c", "test_*.cc", "test_*.cpp", "test.c", "test.cc", "test.cpp", "tests.c", "tests.cc",
	"tests.cpp", "*_unittest.cc", "*_spec.rb", "test_*.rb", "*_test.rb", "*_test.rs", "*_spec.lua",
	"*_test.lua", "test_*.lua", "test.lua", "*Test.java", "*Tests.java", "*Test.kt", "*Test.php",
	"*Test.cs", "*Tests.cs", "*.Tests/", "*.Test/", "Tests/", "*Tests.swift",
	"**/src/testFixtures/**", "test_*.php", "tests.php", "test.php", "**/src/*Test/**", "*.bats",
	"conftest.py", "testdata/", "test_data/", "test-data/", "test-fixtures/", "e2e/"};

/* What may come new: a file that is nothing but tests, by its name. */
static const char *const plain_tests[] = {"test_*.py", "*_test.py", "*.test.js", "*.test.mjs",
	"*.test.cjs", "*.test.jsx", "*.test.ts", "*.test.mts", "*.test.cts", "*.test.tsx", "*.spec.js",
	"*.spec.mjs", "*.spec.cjs", "*.spec.jsx", "*.spec.ts", "*.spec.mts", "*.spec.tsx", "*_test.go",
	"*_test.c", "*_test.cc", "*_test.cpp", "test_*.c", "test_*.cc", "test_*.cpp", "*_unittest.cc",
	"*_spec.rb", "*_test.rb", "test_*.rb", "*_test.rs", "*_spec.lua", "*_test.lua", "test_*.lua",
	"*Test.java", "*Tests.java", "*Test.kt", "*Test.php", "*Test.cs", "*Tests.cs", "*Tests.swift",
	"*.t", "*.bats"};

/* Or by its folder, whose other names are not all tests. */
static const char *const tests_in_folders[] = {"**/tests/*.rs", "**/__tests__/*.[jt]s",
	"**/__tests__/*.[jt]sx", "**/test/*.js", "**/test/*.mjs", "**/test/*.ts"};
static const char *const above_tests[] = {"*setup*", "*Setup*", "*helper*", "*Helper*", "*fixture*",
	"*Fixture*", "*config*", "*Config*", "*global*", "*mock*", "*runner*", "*reporter*", "*.d.ts",
	"index.*", "common.rs", "mod.rs", "main.rs", "*support*", "*util*", "hooks.*"};

/* A test framework that a project has a copy of, by the folders on its way or by its file. The
 * project of a framework has no such folder above it. */
static const char copies[] =
	" deps dependencies third_party third-party thirdparty 3rdparty vendor "
	"vendored external externals extern ext contrib submodules ";
static const char frameworks[] =
	" googletest gtest gmock catch catch2 Catch2 unity Unity cmocka criterion Criterion greatest "
	"minunit munit acutest cutest CuTest doctest utest testify luaunit shunit2 "
	"bats-core bats-assert bats-support catch_amalgamated unity_internals unity_fixture ";

static bool protection_matches_any(const char *const *globs, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (glob_matches(globs[i], path))
			return true;
	return false;
}

static bool protection_matches_list(const char *const *globs, const char *path)
{
	for (; globs && *globs; globs++)
		if (glob_matches(*globs, path))
			return true;
	return false;
}

static bool protection_lists(const char *const *paths, const char *path)
{
	for (; paths && *paths; paths++)
		if (strcmp(*paths, path) == 0)
			return true;
	return false;
}

/* Whether the path is the folder itself that a glob protects: a file or a link in its place. */
static bool protection_is_folder_of(const char *glob, const char *path)
{
	size_t n = strlen(glob) - 1;
	const char *name = strchr(glob, '/') == glob + n ? file_name(path) : path;
	return glob[n] == '/' && strlen(name) == n && memcmp(name, glob, n) == 0;
}

static bool protection_is_test_folder(const struct protection *protection, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(test_files); i++)
		if (protection_is_folder_of(test_files[i], path))
			return true;
	for (const char *const *glob = protection->tests; glob && *glob; glob++)
		if (protection_is_folder_of(*glob, path))
			return true;
	return false;
}

/* Whether n bytes are the path, or its end below one of the folders above it. */
static bool protection_is_end_of(const char *path, const char *word, size_t n)
{
	size_t length = strlen(path);
	return n && n <= length && memcmp(path + length - n, word, n) == 0 &&
		(n == length || path[length - n - 1] == '/');
}

/* Whether n bytes are Python's name of the path: "shop.cart" of shop/cart.py, "shop" of
 * shop/__main__.py. */
static bool protection_is_module(const char *path, const char *name, size_t n)
{
	char file[256];
	if (n + sizeof "/__main__.py" > sizeof file)
		return false;
	for (size_t i = 0; i < n; i++)
		file[i] = name[i] == '.' ? '/' : name[i];
	memcpy(file + n, ".py", sizeof ".py");
	if (protection_is_end_of(path, file, strlen(file)))
		return true;
	memcpy(file + n, "/__main__.py", sizeof "/__main__.py");
	return protection_is_end_of(path, file, strlen(file));
}

/* Whether the test command names the path, as it is or seen from one of the folders above it: `sh
 * ci/check.sh`, `cd ci && ./check.sh`, `python3 -m ci.check`. */
static bool protection_is_named_by(const char *command, const char *path)
{
	static const char separators[] = " \t\n;&|()<>'\"=`";
	bool behind_m = false;
	while (*(command += strspn(command, separators))) {
		size_t n = strcspn(command, separators);
		size_t skip = text_starts_with(command, "./") ? 2 : 0;
		bool is_unittest = n == strlen("unittest") && memcmp(command, "unittest", n) == 0;
		if (protection_is_end_of(path, command + skip, n - skip) ||
			(behind_m && protection_is_module(path, command, n)))
			return true;
		behind_m = (n == 2 && memcmp(command, "-m", n) == 0) || (behind_m && is_unittest);
		command += n;
	}
	return false;
}

static bool protection_is_framework(const char *path)
{
	bool is_copy = false;
	for (const char *at = path; *at; at += *at == '/') {
		size_t n = strcspn(at, "/"), name = at[n] ? n : strcspn(at, ".");
		if (is_copy && words_hold(frameworks, at, name))
			return true;
		is_copy |= at[n] && words_hold(copies, at, n);
		at += n;
	}
	return false;
}

bool protection_allows(const struct protection *protection, const char *path)
{
	return protection_matches_any(protection->allow, protection->n_allow, path);
}

const char *protection_rule(const struct protection *protection, const char *path)
{
	if (protection_allows(protection, path))
		return NULL;
	if (protection_matches_any(protection->globs, protection->n_globs, path))
		return "protected-glob";
	/* A program that holds its own tests is protected by these, not as a file. */
	if (protection_lists(protection->own_tests, path))
		return NULL;
	if (protection_matches_any(git_files, ARRAY_SIZE(git_files), path))
		return "protected-git";
	if (protection_matches_any(ci_files, ARRAY_SIZE(ci_files), path))
		return PROTECTED_CI;
	if (protection_matches_any(configuration_files, ARRAY_SIZE(configuration_files), path) ||
		protection_matches_list(protection->configuration, path) || protection_is_framework(path))
		return "protected-configuration";
	if (protection_matches_any(test_files, ARRAY_SIZE(test_files), path) ||
		protection_matches_list(protection->tests, path) ||
		protection_lists(protection->built_tests, path) ||
		protection_lists(protection->test_scripts, path) ||
		protection_is_test_folder(protection, path))
		return TEST_RULE;
	if (protection_lists(protection->compiled.products, path))
		return NULL;
	bool is_named = protection_lists(protection->compiled.programs, path) ||
		(protection->command && protection_is_named_by(protection->command, path));
	return is_named ? PROTECTED_COMMAND : NULL;
}

bool protection_is_test(const struct protection *protection, const char *path)
{
	const char *rule = protection_rule(protection, path);
	return rule && strcmp(rule, TEST_RULE) == 0;
}

bool protection_allows_new(const struct protection *protection, const char *path)
{
	if (!protection_is_test(protection, path))
		return false;
	return protection_matches_any(plain_tests, ARRAY_SIZE(plain_tests), path) ||
		(protection_matches_any(tests_in_folders, ARRAY_SIZE(tests_in_folders), path) &&
			!protection_matches_any(above_tests, ARRAY_SIZE(above_tests), path));
}
