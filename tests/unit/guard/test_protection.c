/* Each rule that protects a path, both ways. */
#include "tests/unit/suite_fixture.h"

#include "agents/agent.h"

static void assert_rule(const char *command, const char *path, const char *rule)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command(command, "", &arena, &suite);
	const struct protection protection = suite_protection(&suite);
	const char *found = protection_rule(&protection, path);
	if (!rule && found)
		fail_msg("'%s' is protected by %s", path, found);
	if (rule && (!found || strcmp(found, rule) != 0))
		fail_msg("'%s' is protected by %s, not by %s", path, found ? found : "nothing", rule);
}

static const char *const cases[][2] = {
	{"protected-test", "tests/test_a.py"},
	{"protected-test", "test/helper.js"},
	{"protected-test", "src/__tests__/a.jsx"},
	{"protected-test", "spec/a_spec.rb"},
	{"protected-test", "lib/cart_spec.lua"},
	{"protected-test", "test_cart.lua"},
	{"protected-test", "t/cart.t"},
	{"protected-test", "t/lib/Helper.pm"},
	{"protected-configuration", ".proverc"},
	{"protected-test", "src/CartTest.php"},
	{"protected-configuration", ".busted"},
	{"protected-test", "src/a.test.ts"},
	{"protected-test", "src/a.spec.js"},
	{"protected-test", "pkg/a_test.go"},
	{"protected-test", "test_a.py"},
	{"protected-test", "a_test.py"},
	{"protected-test", "sub/conftest.py"},
	{"protected-configuration", "pytest.ini"},
	{"protected-configuration", "tox.ini"},
	{"protected-configuration", "setup.cfg"},
	{"protected-configuration", "pyproject.toml"},
	{"protected-configuration", "package.json"},
	{"protected-configuration", "package-lock.json"},
	{"protected-configuration", "yarn.lock"},
	{"protected-configuration", "Makefile"},
	{"protected-configuration", "sub/CMakeLists.txt"},
	{"protected-configuration", "Cargo.toml"},
	{"protected-configuration", "go.mod"},
	{"protected-configuration", "pom.xml"},
	{"protected-configuration", "rondo.yaml"},
	{"protected-configuration", "sitecustomize.py"},
	{"protected-ci", ".github/workflows/ci.yml"},
	{"protected-ci", ".gitlab-ci.yml"},
	{"protected-ci", ".circleci/config.yml"},
	{"protected-ci", "Jenkinsfile"},
	{"protected-git", ".gitattributes"},
	{"protected-git", "sub/.gitmodules"},
	{"protected-test", "pkg/testdata/a.json"},
	{"protected-test", "test-fixtures/x"},
	{"protected-test", "__snapshots__/a.snap"},
	{"protected-test", "web/a.snap"},
	{"protected-test", "a_unittest.cc"},
	{"protected-test", "test.cpp"},
	{"protected-test", "src/tests.c"},
	{"protected-test", "src/integrationTest/java/A.java"},
	{"protected-test", "src/test/java/A.java"},
	{"protected-test", "x/AreaTest.java"},
	{"protected-test", "src/AreaTests.cs"},
	{"protected-test", "Shapes.Tests/Helper.cs"},
	{"protected-test", "src/Shapes.Test/Area.cs"},
	{"protected-test", "Tests/ShapesTests/Helper.swift"},
	{"protected-test", "Sources/AreaTests.swift"},
	{"protected-test", "core/src/testFixtures/java/Stub.java"},
	{"protected-test", "ui/__mocks__/fs.js"},
	{"protected-test", "tests"},
	{"protected-test", "test"},
	{"protected-test", "web/__tests__"},
	{"protected-test", "pkg/testdata"},
	{"protected-test", "tests/test_a.py"},
	{"protected-test", "e2e/login.ts"},
	{"protected-test", "lib/run.bats"},
	{"protected-configuration", "lib/x.pth"},
	{"protected-configuration", "a/usercustomize.py"},
	{"protected-configuration", "sitecustomize/__init__.py"},
	{"protected-configuration", "pyvenv.cfg"},
	{"protected-configuration", ".env"},
	{"protected-configuration", ".envrc"},
	{"protected-configuration", ".env.local"},
	{"protected-configuration", ".python-version"},
	{"protected-configuration", ".node-version"},
	{"protected-configuration", ".nvmrc"},
	{"protected-configuration", ".ruby-version"},
	{"protected-configuration", ".tool-versions"},
	{"protected-configuration", "web/.npmrc"},
	{"protected-configuration", ".yarnrc.yml"},
	{"protected-configuration", ".yarn/plugins/a.cjs"},
	{"protected-configuration", ".pnp.cjs"},
	{"protected-configuration", ".pnp.loader.mjs"},
	{"protected-configuration", ".mocharc.cjs"},
	{"protected-configuration", ".swcrc"},
	{"protected-configuration", ".babelrc"},
	{"protected-configuration", ".babelrc.json"},
	{"protected-configuration", "babel.config.js"},
	{"protected-configuration", ".taprc"},
	{"protected-configuration", ".c8rc.json"},
	{"protected-configuration", ".nycrc"},
	{"protected-configuration", "jest.setup.ts"},
	{"protected-configuration", "src/setupTests.js"},
	{"protected-configuration", "vitest.workspace.ts"},
	{"protected-configuration", "vite.config.ts"},
	{"protected-configuration", ".cargo/config.toml"},
	{"protected-configuration", "rust-toolchain"},
	{"protected-configuration", "rust-toolchain.toml"},
	{"protected-configuration", "build.rs"},
	{"protected-configuration", "crates/a/build.rs"},
	{"protected-configuration", ".config/nextest.toml"},
	{"protected-configuration", "GNUmakefile"},
	{"protected-configuration", "makefile"},
	{"protected-configuration", "Makefile.am"},
	{"protected-configuration", "build/rules.mk"},
	{"protected-configuration", "cmake/Find.cmake"},
	{"protected-configuration", "CMakePresets.json"},
	{"protected-configuration", "meson.build"},
	{"protected-configuration", "meson_options.txt"},
	{"protected-configuration", "BUILD.bazel"},
	{"protected-configuration", "WORKSPACE"},
	{"protected-configuration", "rules.bzl"},
	{"protected-configuration", "SConstruct"},
	{"protected-configuration", "build.ninja"},
	{"protected-configuration", "conanfile.txt"},
	{"protected-configuration", "vcpkg.json"},
	{"protected-configuration", "gradlew"},
	{"protected-configuration", "deps/minunit/minunit.h"},
	{"protected-configuration", "third_party/googletest/src/gtest.cc"},
	{"protected-configuration", "core/vendor/doctest.h"},
	{"protected-configuration", "external/catch2/catch_amalgamated.hpp"},
	{"protected-configuration", "gradle/checks.gradle"},
	{"protected-configuration", "tools/checks.gradle.kts"},
	{"protected-configuration", "buildSrc/src/main/kotlin/Checks.kt"},
	{"protected-configuration", "build-logic/checks/build.gradle.kts"},
	{"protected-configuration", "project/Checks.scala"},
	{"protected-configuration", "project/plugins.sbt"},
	{"protected-configuration", "gulpfile.mjs"},
	{"protected-configuration", "Gruntfile.js"},
	{"protected-configuration", "build.zig"},
	{"protected-configuration", "src/test-setup.ts"},
	{"protected-configuration", "setup-tests.js"},
	{"protected-configuration", "gradle/wrapper/gradle-wrapper.jar"},
	{"protected-configuration", "gradle.properties"},
	{"protected-configuration", "a/src/main/resources/META-INF/services/org.junit.X"},
	{"protected-configuration", "junit-platform.properties"},
	{"protected-configuration", ".mvn/maven.config"},
	{"protected-configuration", "go.work.sum"},
	{"protected-configuration", "uv.lock"},
	{"protected-configuration", "poetry.lock"},
	{"protected-configuration", "Gemfile.lock"},
	{"protected-configuration", "bun.lockb"},
	{"protected-configuration", "requirements-dev.txt"},
	{"protected-configuration", "constraints.txt"},
	{"protected-configuration", "environment.yml"},
	{"protected-configuration", ".vscode/settings.json"},
	{"protected-configuration", ".idea/x.xml"},
	{"protected-configuration", ".devcontainer/devcontainer.json"},
	{"protected-git", ".githooks/pre-commit"},
	{"protected-git", ".husky/pre-push"},
	{"protected-git", "lefthook.yml"},
	{"protected-git", ".pre-commit-config.yaml"},
	{"protected-git", ".gitconfig"},
	{"protected-ci", ".cirrus.yml"},
	{"protected-ci", ".buildkite/pipeline.yml"},
	{"protected-ci", ".drone.yml"},
	{"protected-ci", "azure-pipelines.yml"},
	{"protected-ci", "bitbucket-pipelines.yml"},
	{"protected-ci", ".woodpecker.yml"},
	{"protected-ci", "codecov.yml"},
	{"protected-ci", ".forgejo/workflows/a.yml"},
	{"protected-ci", ".gitea/workflows/a.yml"},
	{"protected-ci", ".builds/a.yml"},
	{"protected-ci", "cloudbuild.yaml"},
	{NULL, "src/latest.py"},
	{NULL, "src/testing_utils.py"},
	{NULL, "src/test-utils.ts"},
	{NULL, "src/attests.js"},
	{NULL, "lib/tests.py"},
	{NULL, "src/contest/a.py"},
	{NULL, "src/environment.py"},
	{NULL, "src/env.py"},
	{NULL, "docs/makefile.md"},
	{NULL, "src/build.c"},
	{NULL, "src/rules.c"},
	{NULL, "src/lockfile.js"},
	{NULL, "src/block.py"},
	{NULL, "src/config.py"},
	{NULL, "src/setup_wizard.py"},
	{NULL, "src/jest.js"},
	{NULL, "src/vite.py"},
	{NULL, "src/cmake.py"},
	{NULL, "gradle/libs.py"},
	{NULL, "src/snapshot.js"},
	{NULL, "src/snap.py"},
	{NULL, "src/e2e.py"},
	{NULL, "spec.md"},
	{NULL, "src/Contest.java"},
	{NULL, "minunit.h"},
	{NULL, "doctest/doctest.h"},
	{NULL, "src/unity.c"},
	{NULL, "deps/zlib/inflate.c"},
	{NULL, "deps/catching/net.c"},
	{NULL, "src/vendor.c"},
	{NULL, "src/Contest.cs"},
	{NULL, "src/Testing.cs"},
	{NULL, "project/views.py"},
	{NULL, "src/gulp.js"},
	{NULL, "src/setup.ts"},
	{NULL, "src/Latest.java"},
	{NULL, "Dockerfile"},
	{NULL, "docker-compose.yml"},
	{NULL, ".env.example"},
	{NULL, "src/workspace.ts"},
	{NULL, "src/BUILDER.md"},
	{NULL, "src/toolchain.rs"},
	{NULL, "docs/index.md"},
	{NULL, "setup.py"},
	{NULL, "src/idea.py"},
	{NULL, "testing/a.py"},
	{NULL, "latest.py"},
	{NULL, "src/contest.py"},
	{NULL, "src/test.py"},
	{NULL, "src/attest.js"},
	{NULL, "inspect/a.c"},
	{NULL, "src/package.py"},
	{NULL, "README.md"},
	{NULL, "src/makefile_reader.c"},
};

static void rules_by_path(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_rule("true", cases[i][1], cases[i][0]);
}

static void a_runner_protects_its_own(void **state)
{
	(void)state;
	assert_rule("npm test", "tsconfig.build.json", "protected-configuration");
	assert_rule("make check", "rules.mk", "protected-configuration");
	assert_rule("cargo test", "benches/a.rs", "protected-test");
	assert_rule("pytest", "benches/a.rs", NULL);
}

static void what_the_command_names_is_protected(void **state)
{
	(void)state;
	assert_rule("python3 check.py", "check.py", "protected-command");
	assert_rule("cd ci && ./run.sh --all", "ci/run.sh", "protected-command");
	assert_rule("A=1 sh './ci/run.sh'; true", "ci/run.sh", "protected-command");
	assert_rule("python3 check.py", "src/recheck.py", NULL);
	assert_rule("python3 check.py", "check.pyx", NULL);
	assert_rule("make check", "src/check.c", NULL);
	assert_rule("python3 -m check", "check", "protected-command");
	assert_rule("python3 -m check", "check.py", "protected-command");
	assert_rule("python3 -m ci.check -v", "ci/check.py", "protected-command");
	assert_rule("cd ci && python3 -m check", "ci/check.py", "protected-command");
	assert_rule("python3 -m ci", "ci/__main__.py", "protected-command");
	assert_rule("python3 -m unittest check", "check.py", "protected-command");
	assert_rule("python3 -m pytest check", "check.py", NULL);
	assert_rule("python3 check", "check.py", NULL);
}

static void the_users_globs_and_what_is_allowed(void **state)
{
	(void)state;
	const char *const globs[] = {"vendor/", "*.sql"},
					  *const allow[] = {"Makefile", "vendor/mine/**"};
	const struct protection protection = {
		.globs = globs, .n_globs = 2, .allow = allow, .n_allow = 2};
	assert_string_equal(protection_rule(&protection, "vendor/a.c"), "protected-glob");
	assert_string_equal(protection_rule(&protection, "db/a.sql"), "protected-glob");
	assert_null(protection_rule(&protection, "Makefile"));
	assert_null(protection_rule(&protection, "vendor/mine/a.c"));
	assert_string_equal(protection_rule(&protection, "tests/a.py"), "protected-test");
	assert_null(protection_rule(&protection, "src/a.c"));
}

static void plain_tests_may_come_new(void **state)
{
	(void)state;
	static const char *const may[] = {"tests/test_b.py", "pkg/b_test.py", "web/b.test.ts",
		"web/__tests__/b.js", "pkg/b_test.go", "tests/area.rs", "crates/a/tests/b.rs",
		"test/area.js", "src/test/java/AreaTest.java", "spec/area_spec.rb", "tests/test_utils.py",
		"tests/test_config.c"};
	static const char *const may_not[] = {"tests/conftest.py", "conftest.py", "tests/helpers.py",
		"tests/__init__.py", "tests/data/a.json", "test/setup.js", "test/helper.ts",
		"tests/common.rs", "tests/common/mod.rs", "web/__tests__/fixtures.js",
		"web/__snapshots__/b.test.js.snap", "jest.config.js", "pkg/testdata/b.go", "tests",
		"pytest.ini", "test/index.js", "__mocks__/fs.js", "src/a.py", "tests/a.pth"};
	const struct protection protection = {.command = "true"};
	for (size_t i = 0; i < ARRAY_SIZE(may); i++)
		if (!protection_allows_new(&protection, may[i]))
			fail_msg("%s may not come", may[i]);
	for (size_t i = 0; i < ARRAY_SIZE(may_not); i++)
		if (protection_allows_new(&protection, may_not[i]))
			fail_msg("%s may come", may_not[i]);
}

static void the_users_globs_hold_for_new_tests(void **state)
{
	(void)state;
	const char *const globs[] = {"tests/"}, *const allow[] = {"tests/"};
	assert_false(protection_allows_new(
		&(struct protection){.globs = globs, .n_globs = 1}, "tests/test_b.py"));
	assert_null(
		protection_rule(&(struct protection){.allow = allow, .n_allow = 1}, "tests/test_b.py"));
}

static void a_program_is_not_protected_as_a_file(void **state)
{
	(void)state;
	const char *const own[] = {"test_all.py", NULL};
	const struct suite suite = {.type = &program_suite, .own_tests = own};
	const struct protection protection = suite_protection(&suite);
	assert_null(protection_rule(&protection, "test_all.py"));
	assert_string_equal(protection_rule(&protection, "test_other.py"), "protected-test");
}

UNIT(protection)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_by_path),
		cmocka_unit_test(a_runner_protects_its_own),
		cmocka_unit_test(what_the_command_names_is_protected),
		cmocka_unit_test(the_users_globs_and_what_is_allowed),
		cmocka_unit_test(plain_tests_may_come_new),
		cmocka_unit_test(the_users_globs_hold_for_new_tests),
		cmocka_unit_test(a_program_is_not_protected_as_a_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
