/* Globs, and each rule that protects a path, both ways. */
#include "tests/unit/suite_fixture.h"

static void globs(void **state)
{
	(void)state;
	static const struct {
		const char *glob, *path;
		bool matches;
	} cases[] = {
		{"*.py", "a.py", true},
		{"*.py", "a/b.py", true},
		{"*.py", "a.pyc", false},
		{"a/*.py", "a/b.py", true},
		{"a/*.py", "a/b/c.py", false},
		{"a/*.py", "x/a/b.py", false},
		{"a/**/c.py", "a/c.py", true},
		{"a/**/c.py", "a/b/b/c.py", true},
		{"a/**/c.py", "a/bc.py", false},
		{"**/x", "x", true},
		{"**/x", "a/b/x", true},
		{"**/x", "a/bx", false},
		{"a/**", "a/b/c", true},
		{"a/**", "b/a/c", false},
		{"a/**z", "a/b/xz", true},
		{"?.c", "a.c", true},
		{"?.c", "ab.c", false},
		{"a/?", "a//", false},
		{"[a-c].c", "b.c", true},
		{"[a-c].c", "d.c", false},
		{"[!a-c].c", "d.c", true},
		{"[]].c", "].c", true},
		{"[a", "[a", true},
		{"a[/]b", "a/b", false},
		{"tests/", "tests/a.py", true},
		{"tests/", "src/tests/x/a", true},
		{"tests/", "tests", false},
		{"tests/", "mytests/a", false},
		{"a/b/", "a/b/c", true},
		{"a/b/", "x/a/b/c", false},
		{"/a.c", "a.c", true},
		{"/a.c", "b/a.c", false},
		{"./a.c", "a.c", true},
		{"\\*.c", "*.c", true},
		{"\\*.c", "a.c", false},
		{"", "a", false},
		{"*", "", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"**/a/**/b", "x/a/y/b", true},
		{"**/a/**/b", "x/y/b", false},
		{"*_test.go", "p/x_test.go", true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (suite_glob(cases[i].glob, cases[i].path) != cases[i].matches)
			fail_msg("glob '%s' and path '%s'", cases[i].glob, cases[i].path);
}

static void a_hostile_glob_takes_no_time(void **state)
{
	(void)state;
	char path[4096], glob[512];
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	for (size_t i = 0; i + 2 < sizeof glob; i += 2)
		memcpy(glob + i, "*a", 2);
	memcpy(glob + sizeof glob - 2, "b", 2);
	assert_false(suite_glob(glob, path));
	for (size_t i = 0; i + 4 < sizeof glob; i += 4)
		memcpy(glob + i, "**/a", 4);
	for (size_t i = 1; i < sizeof path - 1; i += 2)
		path[i] = '/';
	assert_false(suite_glob(glob, path));
}

static void assert_rule(const char *command, const char *path, const char *rule)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command(command, "", &arena, &suite);
	const struct protection protection = {.suite = &suite};
	const char *found = protection_rule(&protection, path);
	if (!rule && found)
		fail_msg("'%s' is protected by %s", path, found);
	if (rule)
		assert_string_equal(found ? found : "nothing", rule);
}

static void rules_by_path(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"protected-test", "tests/test_a.py"},
		{"protected-test", "test/helper.js"},
		{"protected-test", "src/__tests__/a.jsx"},
		{"protected-test", "spec/a_spec.rb"},
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
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_rule("true", cases[i][1], cases[i][0]);
}

static void a_runner_protects_its_own(void **state)
{
	(void)state;
	assert_rule("npm test", "tsconfig.build.json", "protected-configuration");
	assert_rule("make check", "rules.mk", "protected-configuration");
	assert_rule("cargo test", "rules.mk", NULL);
	assert_rule("go test ./...", "testdata/a.txt", "protected-test");
	assert_rule("pytest", "testdata/a.txt", NULL);
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
}

static void the_users_globs_and_what_is_allowed(void **state)
{
	(void)state;
	const char *const globs[] = {"vendor/", "*.sql"}, *const allow[] = {
								  "Makefile", "vendor/mine/**"};
	const struct protection protection = {
		.globs = globs, .n_globs = 2, .allow = allow, .n_allow = 2};
	assert_string_equal(protection_rule(&protection, "vendor/a.c"), "protected-glob");
	assert_string_equal(protection_rule(&protection, "db/a.sql"), "protected-glob");
	assert_null(protection_rule(&protection, "Makefile"));
	assert_null(protection_rule(&protection, "vendor/mine/a.c"));
	assert_string_equal(protection_rule(&protection, "tests/a.py"), "protected-test");
	assert_null(protection_rule(&protection, "src/a.c"));
}

static void a_program_is_not_protected_as_a_file(void **state)
{
	(void)state;
	const struct suite suite = {.type = &program_suite, .program = "test_all.py"};
	const struct protection protection = {.suite = &suite};
	assert_null(protection_rule(&protection, "test_all.py"));
	assert_string_equal(protection_rule(&protection, "test_other.py"), "protected-test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs),
		cmocka_unit_test(a_hostile_glob_takes_no_time),
		cmocka_unit_test(rules_by_path),
		cmocka_unit_test(a_runner_protects_its_own),
		cmocka_unit_test(what_the_command_names_is_protected),
		cmocka_unit_test(the_users_globs_and_what_is_allowed),
		cmocka_unit_test(a_program_is_not_protected_as_a_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
