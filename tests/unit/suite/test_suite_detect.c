/* Which suite a tree has, which runner a command starts, and what is run in the end. */
#include "tests/unit/suite_fixture.h"

#include <stdlib.h>

#include "base/file.h"

enum { MOST_FILES = 16 };

/* A tree on disk: paths and their texts, ended by NULL. */
struct tree {
	char dir[TOP_SIZE];
	const char *paths[MOST_FILES];
	size_t n;
};

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void make_tree(struct tree *tree, const char *const *files)
{
	struct rondo_error err = {0};
	*tree = (struct tree){0};
	assert_non_null(make_top(tree->dir));
	for (; *files; files += 2) {
		char path[TOP_SIZE + 256];
		snprintf(path, sizeof path, "%s/%s", tree->dir, files[0]);
		*strrchr(path, '/') = '\0';
		assert_int_equal(file_make_dir(path, 0755, &err), 0);
		snprintf(path, sizeof path, "%s/%s", tree->dir, files[0]);
		assert_int_equal(file_write(path, files[1], strlen(files[1]), 0644, &err), 0);
		tree->paths[tree->n++] = files[0];
	}
	qsort(tree->paths, tree->n, sizeof *tree->paths, compare_paths);
}

/* From a directory of the tree upwards. */
static int detect_from(const char *const *files, const char *from, struct arena *arena,
	struct suite *suite, struct rondo_error *err)
{
	struct tree tree;
	struct rondo_error ignored;
	make_tree(&tree, files);
	int found = suite_detect(tree.dir, tree.paths, tree.n, from, arena, suite, err);
	assert_int_equal(file_remove_tree(tree.dir, &ignored), 0);
	return found;
}

static int detect(const char *const *files, struct arena *arena, struct suite *suite)
{
	struct rondo_error err = {0};
	int found = detect_from(files, "", arena, suite, &err);
	if (found < 0) {
		assert_int_equal(err.code, RONDO_ERROR_CANNOT_JUDGE);
		assert_non_null(strstr(err.help, "--test"));
	}
	return found;
}

#define FILES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void assert_detected(const char *const *files, const char *command, const char *origin)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_int_equal(detect(files, &arena, &suite), 0);
	assert_string_equal(suite.command, command);
	assert_string_equal(suite.origin, origin);
}

static void assert_nothing(const char *const *files)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_int_equal(detect(files, &arena, &suite), -1);
}

static void pytest_by_configuration_or_tests(void **state)
{
	(void)state;
	const char *command = "python3 -m pytest";
	assert_detected(FILES("pytest.ini", "[pytest]\n"), command, "from pytest.ini");
	assert_detected(FILES("pyproject.toml", "[project]\n\n[tool.pytest.ini_options]\n"), command,
		"from pyproject.toml");
	assert_detected(FILES("setup.cfg", "[tool:pytest]\n"), command, "from setup.cfg");
	assert_detected(FILES("tox.ini", "[tox]\n[pytest]\n"), command, "from tox.ini");
	assert_detected(FILES("a/conftest.py", ""), command, "from a/conftest.py");
	assert_detected(FILES("a/test_x.py", "import pytest\n"), command, "from a/test_x.py");
	assert_detected(FILES("x_test.py", "\ndef test_a():\n    pass\n"), command, "from x_test.py");
	assert_detected(
		FILES("test_x.py", "class TestX:\n    def test_a(self):\n"), command, "from test_x.py");
	assert_nothing(FILES("pyproject.toml", "[tool.black]\n", "latest.py", "def test_a():\n"));
}

static void unittest_where_there_is_no_sign_of_pytest(void **state)
{
	(void)state;
	const char *cases =
		"import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n";
	assert_detected(FILES("test_a.py", cases), "python3 -m unittest discover", "from test_a.py");
	assert_detected(FILES("tests/__init__.py", "", "tests/test_a.py", cases),
		"python3 -m unittest discover", "from tests/test_a.py");
	/* What cannot be imported is not found. */
	assert_nothing(FILES("tests/test-a.py", cases));
	assert_detected(FILES("tests/test_a.py", cases), "python3 -m unittest discover -s tests/",
		"from tests/test_a.py");
	assert_detected(FILES("test_a.py", cases, "test_b.py", "def test_b(): pass\n"),
		"python3 -m pytest", "from test_b.py");
}

static void npm_where_package_json_says_how(void **state)
{
	(void)state;
	assert_detected(FILES("package.json", "{\"scripts\":{\"test\":\"jest\"}}"), "npm test",
		"from package.json");
	assert_nothing(FILES("package.json",
		"{\"scripts\":{\"test\":\"echo \\\"Error: no test specified\\\" && exit 1\"}}"));
	assert_nothing(FILES("package.json", "{\"scripts\":{\"build\":\"x\"}}"));
	assert_nothing(FILES("package.json", "{\"scripts\":{\"test\":"));
	assert_nothing(FILES("package.json", "[\"scripts\"]"));
}

/* package.json of a package with these scripts, entered by dist/. */
#define BUILT(scripts) \
	"{\"name\":\"own\",\"main\":\"dist/a.js\",\"scripts\":{\"build\":\"tsc\"," scripts "}}"
#define MOCHA BUILT("\"test\":\"mocha\"")

static void npm_builds_what_tests_load(void **state)
{
	(void)state;
	const struct {
		const char *package, *path, *text, *command;
	} rows[] = {
		{MOCHA, "test/a.js", "require('../dist/a')", "npm run build && npm test"},
		{MOCHA, "test/a.js", "import own from \"own\"", "npm run build && npm test"},
		{MOCHA, "test/a.js", "const a = require('..')", "npm run build && npm test"},
		{MOCHA, "src/a.test.js", "import('../lib/../out/a.js')", "npm run build && npm test"},
		{MOCHA, "src/a.js", "require('../dist/a')", "npm test"},
		{MOCHA, "test/a.js", "require('../src/a')", "npm test"},
		{MOCHA, "test/a.js", "require('../src/missing')", "npm test"},
		{MOCHA, "test/a.js", "require('../node_modules/x/x')", "npm test"},
		{MOCHA, "test/a.js", "require('../../../x/x')", "npm test"},
		{MOCHA, "test/a.js", "import 'owner'", "npm test"},
		{BUILT("\"test\":\"eslint . && node --test dist/test/\""), "test/a.js", "",
			"npm run build && npm test"},
		{BUILT("\"test\":\"mocha --out dist/x src/\""), "test/a.js", "", "npm test"},
		{BUILT("\"pretest\":\"rimraf dist\",\"test\":\"mocha\""), "test/a.js",
			"require('../dist/a')", "npm run build && npm test"},
		{BUILT("\"pretest\":\"npm run build\",\"test\":\"mocha\""), "test/a.js",
			"require('../dist/a')", "npm test"},
		{BUILT("\"test\":\"tsc && mocha\""), "test/a.js", "require('../dist/a')", "npm test"},
		{"{\"scripts\":{\"test\":\"mocha\"}}", "test/a.js", "require('../dist/a')", "npm test"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_detected(
			FILES("package.json", rows[i].package, "src/b.js", "", rows[i].path, rows[i].text),
			rows[i].command, "from package.json");
	assert_detected(FILES("package.json", MOCHA, "dist/a.js", "", "test/a.js",
						"import own from 'own'; import b from '../dist/b.js'"),
		"npm test", "from package.json");
}

static void yarn_where_packages_are_in_no_directory(void **state)
{
	(void)state;
	const char *package = "{\"scripts\":{\"test\":\"jest\"}}";
	assert_detected(FILES(".yarnrc.yml", "enableTelemetry: false\n", "package.json", package),
		"yarn test", "from package.json");
	assert_detected(
		FILES(".yarnrc.yml", "yarnPath: .yarn/releases/y.cjs\n", "package.json", package),
		"node .yarn/releases/y.cjs test", "from package.json");
	assert_detected(FILES(".yarnrc.yml", "nodeLinker: node-modules\n", "package.json", package),
		"npm test", "from package.json");
	assert_detected(
		FILES("ava.config.js", "", "package.json", "{}"), "npx ava", "from ava.config.js");
	assert_detected(FILES("package.json", "{\"devDependencies\": {\"uvu\": \"1\"}}"), "npx uvu",
		"from package.json");
	assert_detected(FILES("package.json", "{}", "src/a.test.ts", "import { it } from \"bun:test\""),
		"bun test", "from src/a.test.ts");
	assert_nothing(FILES("package.json", "{}", "src/a.ts", "import { it } from \"bun:test\""));
}

static void node_where_its_test_module_is_used(void **state)
{
	(void)state;
	assert_detected(FILES("test/a.js", "const test = require('node:test');\n"), "node --test",
		"from test/a.js");
	assert_detected(FILES("src/a.test.mjs", "import test from \"node:test\"\n"), "node --test",
		"from src/a.test.mjs");
	assert_nothing(FILES("src/a.test.js", "import { test } from 'vitest'\n"));
	assert_nothing(FILES("node_modules/x/a.test.js", "require('node:test')\n"));
	assert_nothing(FILES("src/a.js", "require('node:test')\n"));
}

static void builds_by_their_files(void **state)
{
	(void)state;
	assert_detected(FILES("Cargo.toml", "[package]\n"), "cargo test", "from Cargo.toml");
	assert_detected(FILES("go.mod", "module x\n"), "go test ./...", "from go.mod");
	assert_detected(FILES("pom.xml", "<project/>"), "mvn -q -o test", "from pom.xml");
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("ctest", "from --test", &arena, &suite);
	assert_string_equal(suite_rerun(&suite, "cmake --build b && ctest", &arena),
		"cmake() { :; }; make() { :; }; ninja() { :; }; cmake --build b && ctest");
	suite_from_command("make check", "from --test", &arena, &suite);
	assert_string_equal(suite_rerun(&suite, suite.command, &arena), "make check");
	assert_nothing(FILES("sub/go.mod", "module x\n"));
}

/* What a person would type for it. */
static void assert_shown(const char *const *files, const char *shown, const char *origin)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_int_equal(detect(files, &arena, &suite), 0);
	assert_string_equal(suite_shown(&suite), shown);
	assert_string_equal(suite.origin, origin);
}

#define CMAKE(how) \
	"cmake " how "-B build && cmake --build build && ctest --test-dir build --output-on-failure"

/* For some tests only the programs that they run are built; a rerun builds nothing. */
static void cmake_builds_what_some_tests_run(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	static const char *const ids[] = {"one", "two"};
	detect(FILES("CMakeLists.txt", "project(x)\nenable_testing()\n"), &arena, &suite);
	const char *some = suite_targeted(&suite, ids, 2, &arena);
	const char *rerun = suite_rerun(&suite, some, &arena);
	assert_non_null(strstr(some,
		"cmake --build \"$build\" -j \"$(nproc)\" $(command ctest --test-dir "
		"\"$build\" -N -V -R '^(one|two)$' | "));
	assert_non_null(strstr(some, " && ctest -R '^(one|two)$' --test-dir \"$build\" "));
	assert_null(strstr(rerun, "-N -V"));
	assert_non_null(strstr(rerun, "-j \"$(nproc)\" && ctest -R '^(one|two)$' --test-dir"));
	assert_null(strstr(suite_without(&suite, ids, 2, &arena), "-N -V"));
}

static void cmake_with_its_options_and_presets(void **state)
{
	(void)state;
	assert_shown(FILES("CMakeLists.txt", "project(x C)\nenable_testing()\n"), CMAKE(""),
		"from CMakeLists.txt");
	assert_shown(FILES("CMakeLists.txt", "PROJECT( x )\nif(X)\n  INCLUDE( CTest )\nendif()\n"),
		CMAKE(""), "from CMakeLists.txt");
	assert_nothing(FILES("CMakeLists.txt", "project(x)\n# enable_testing()\ninclude(CTestX)\n"));
	assert_nothing(FILES("CMakeLists.txt", "add_test(a b)\n"));
	assert_shown(FILES("CMakeLists.txt",
					 "project(x)\ninclude(CTest)\noption(X_BUILD_TESTS \"say \\\"yes\\\"\" OFF)\n"
					 "option(X_TEST \"on\" ON)\noption(WITHOUT_TESTS \"not\" OFF)\n"
					 "option(X_TESTING \"as set\" ${TOP})\noption(TEST_WITH_X \"no\" OFF)\n"
					 "option(ENABLE_TESTING\n  \"of two lines\")\n"),
		CMAKE("-DX_BUILD_TESTS=ON -DENABLE_TESTING=ON "), "from CMakeLists.txt");
	assert_shown(
		FILES("CMakeLists.txt", "project(x)\ninclude(CTest)\n", "CMakePresets.json",
			"{\"configurePresets\": [{\"name\": \"base\", \"hidden\": true, "
			"\"condition\": {\"type\": \"equals\", \"lhs\": \"${hostSystemName}\", "
			"\"rhs\": \"Windows\"}},"
			"{\"name\": \"win\", \"inherits\": [\"base\"]}, {\"name\": \"vcpkg\", "
			"\"toolchainFile\": \"x\"}, {\"name\": \"dev\"}], \"testPresets\": [{\"name\": \"t1\", "
			"\"configurePreset\": \"win\"}, {\"name\": \"t2\", \"configurePreset\": \"vcpkg\"},"
			"{\"name\": \"t3\", \"configurePreset\": \"dev\"}]}"),
		CMAKE("--preset dev "), "from CMakePresets.json");
	assert_shown(FILES("CMakeLists.txt", "project(x)\ninclude(CTest)\n", "CMakePresets.json", "{"),
		CMAKE(""), "from CMakeLists.txt");
	assert_shown(FILES("CMakeLists.txt", "project(x)\ninclude(Options.cmake)\n", "Options.cmake",
					 "option(UNIT_TESTING \"build tests\" OFF)\n", "cmake/modules/AddTest.cmake",
					 "enable_testing()\n", "test/ctest.cmake", "option(OTHER_TESTS \"x\" OFF)\n"),
		CMAKE("-DUNIT_TESTING=ON "), "from CMakeLists.txt");
	assert_nothing(FILES("CMakeLists.txt", "project(x)\n", "test/a.cmake", "enable_testing()\n"));
	assert_shown(FILES("CMakeLists.txt",
					 "project(x)\ninclude(CTest)\ncmake_dependent_option("
					 "X_TESTS\n  \"tests\" OFF \"A;B\" OFF)\n"),
		CMAKE("-DX_TESTS=ON "), "from CMakeLists.txt");
	assert_shown(FILES("CMakeLists.txt", "PROJECT(x)\nADD_CUSTOM_TARGET(test ./run.sh)\n"),
		"cmake -B build && cmake --build build && cmake --build build --target test",
		"from CMakeLists.txt");
}

static void meson_with_its_options(void **state)
{
	(void)state;
	static const char project[] = "project('shop', 'c')\nsubdir('tests')\n",
					  tests[] = "if x\n  test('a', exe)\nendif\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_shown(FILES("meson.build", project, "tests/meson.build", tests),
		"meson setup build && meson test -C build", "from meson.build");
	assert_nothing(FILES("meson.build", project));
	assert_nothing(FILES("meson.build", "subdir('x')\n", "x/meson.build", tests));
	assert_shown(FILES("meson.build", project, "tests/meson.build", tests, "meson_options.txt",
					 "option('dev_build', type : 'boolean', value : false,\n"
					 "  description : 'Enable the testsuite')\noption('docs', type: 'boolean', "
					 "value: true)\noption('unit_tests', type : 'feature', value: 'disabled')\n"
					 "option('fuzz_tests', type: 'boolean', value: false)\n"
					 "option('tests', type: 'boolean', value: true)\n"),
		"meson setup -Ddev_build=true -Ddocs=false -Dunit_tests=enabled build && "
		"meson test -C build",
		"from meson.build");
	assert_int_equal(
		detect(FILES("meson.build", project, "tests/meson.build", tests), &arena, &suite), 0);
	static const char *const ids[] = {"shop:unit / doubles", "shop / it's"};
	assert_string_equal(strstr(suite_targeted(&suite, ids, 2, &arena), "meson test"),
		"meson test shop:doubles 'shop:it'\\''s' --print-errorlogs -C \"$build\"");
	static const char *const odd[] = {"shop / a*"};
	assert_null(suite_targeted(&suite, odd, 1, &arena));
}

static void autotools_where_nobody_has_configured(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_shown(FILES("configure.ac", "", "Makefile.am", ""),
		"autoreconf -fi && ./configure && make check", "from configure.ac");
	assert_shown(FILES("configure.ac", "", "Makefile.am", "", "autogen.sh", ""),
		"NOCONFIGURE=1 sh ./autogen.sh && ./configure && make check", "from configure.ac");
	assert_shown(FILES("configure.ac", "", "configure", "", "Makefile.in", ""),
		"./configure && make check", "from configure.ac");
	assert_shown(FILES("configure.ac", "", "Makefile.in", "", "Makefile", "check:\n"), "make check",
		"from Makefile");
	assert_int_equal(
		detect(FILES("configure.ac", "", "Makefile.am", "SUBDIRS = tests\n"), &arena, &suite), 0);
	static const char *const ids[] = {"tests > t_add", "tests > t_sum.tap 1 - sums"};
	assert_null(suite_targeted(&suite, ids, 2, &arena));
	suite.format = "automake";
	assert_string_equal(strstr(suite_targeted(&suite, ids, 2, &arena), "make all"),
		"make all && make -C tests check TESTS='t_add t_sum.tap'");
	static const char *const apart[] = {"tests > t_add", "lib > t_b"};
	assert_null(suite_targeted(&suite, apart, 2, &arena));
}

static void tests_of_a_project_below_are_not_those_of_the_root(void **state)
{
	(void)state;
	static const char pytest[] = "import pytest\n", unittest[] = "class A(unittest.TestCase):\n";
	assert_nothing(FILES("a/b/pyproject.toml", "", "a/b/tests/test_x.py", pytest));
	assert_nothing(FILES("a/setup.py", "", "a/tests/conftest.py", ""));
	assert_nothing(FILES("a/setup.cfg", "", "a/test_x.py", unittest));
	assert_detected(FILES("a/setup.cfg", "", "a/test_x.py", unittest, "test_y.py", unittest),
		"python3 -m unittest discover", "from test_y.py");
}

static void workspaces_are_tested_as_a_whole(void **state)
{
	(void)state;
	assert_detected(FILES("Cargo.toml", "[package]\nname = \"a\"\n\n[workspace]\nmembers = []\n"),
		"cargo test --workspace", "from Cargo.toml");
	assert_detected(
		FILES("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"), "cargo test", "from Cargo.toml");
	const char *needs = "[[test]]\nname = \"it\"\nrequired-features = [\"x\"]\n",
			   *ci = "  - run: cargo test --locked --all-features\n";
	assert_detected(
		FILES("Cargo.toml", "[workspace]\n", "b/Cargo.toml", needs, ".github/workflows/ci.yml", ci),
		"cargo test --all-features", "from Cargo.toml");
	assert_detected(FILES("Cargo.toml", needs, ".travis.yml", ci, "src/lib.rs",
						"#![cfg_attr(docsrs, feature(doc_cfg))]\n"),
		"cargo test --all-features", "from Cargo.toml");
	assert_detected(FILES("Cargo.toml", needs, ".travis.yml", ci, "src/lib.rs",
						"#![cfg_attr(feature = \"fast\", feature(specialization))]\n"),
		"cargo test", "from Cargo.toml");
	assert_detected(FILES("Cargo.toml", needs, "x.yml", ci), "cargo test", "from Cargo.toml");
	assert_detected(
		FILES("Cargo.toml", "[package]\n", ".gitlab-ci.yml", ci), "cargo test", "from Cargo.toml");
	assert_detected(FILES("go.work", "go 1.22\n\nuse (\n\t./a\n\t./b // why\n\t.\n)\nuse ./c/d\n",
						"go.mod", "module x\n"),
		"go test ./a/... ./b/... ./... ./c/d/...", "from go.work");
	assert_detected(FILES("go.work", "go 1.22\n", "go.mod", ""), "go test ./...", "from go.mod");
	assert_detected(FILES("build.gradle", "", "gradlew", ""),
		"sh ./gradlew --offline --no-daemon test", "from build.gradle");
	assert_detected(FILES("build.gradle.kts", "", "settings.gradle.kts", "include(\"a\")\n"),
		"gradle --offline --no-daemon --continue test", "from build.gradle.kts");
}

/* What a module of Maven's needs of its neighbours is not installed. */
static void a_module_is_tested_with_what_it_needs(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char top[] =
		"<modules>\n <module> libs </module><module>apps/a b</module></modules>",
					  libs[] = "<module>core/pom.xml</module>", one[] = "<project/>";
	static const struct {
		const char *from, *shown;
	} rows[] = {
		{"", "mvn -q -o test"},
		{"libs/core/src", "mvn -q -o test -pl libs/core -am"},
		{"libs", "mvn -q -o test -pl libs -am"},
		{"apps/a b", "mvn -q -o test -pl 'apps/a b' -am"},
		{"libs/corel", "cd libs/corel && mvn -q -o test"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct suite suite;
		struct rondo_error err = {0};
		assert_int_equal(detect_from(FILES("pom.xml", top, "libs/pom.xml", libs,
										 "libs/core/pom.xml", one, "libs/core/src/A.java", "",
										 "libs/corel/pom.xml", one, "apps/a b/pom.xml", one),
							 rows[i].from, &arena, &suite, &err),
			0);
		assert_string_equal(suite_shown(&suite), rows[i].shown);
	}
}

static void scripts_by_their_files(void **state)
{
	(void)state;
	assert_detected(FILES(".rspec", "", "spec/a_spec.rb", ""), "rspec", "from .rspec");
	assert_detected(FILES("Gemfile.lock", "", "spec/a_spec.rb", ""), "bundle exec rspec",
		"from spec/a_spec.rb");
	assert_detected(
		FILES("Rakefile", "Rake::TestTask.new\n", "spec/x.rb", ""), "rake test", "from Rakefile");
	assert_detected(FILES("Rakefile", "", "rakelib/t.rake", "Rake::TestTask.new do |t|\n"),
		"rake test", "from rakelib/t.rake");
	assert_nothing(FILES("Rakefile", "task :build\n"));
	assert_shown(
		FILES("test/test_a.rb", ""), "ruby -Ilib -Itest test/**/*.rb", "from test/test_a.rb");
	assert_shown(FILES("phpunit.xml.dist", "<phpunit bootstrap=\"x.php\"/>"), "phpunit",
		"from phpunit.xml.dist");
	assert_shown(FILES("phpunit.xml", "<phpunit/>"), "phpunit --bootstrap vendor/autoload.php",
		"from phpunit.xml");
	assert_detected(FILES(".busted", "return {}"), "busted", "from .busted");
	assert_detected(FILES("spec/a_spec.lua", ""), "busted", "from spec/a_spec.lua");
	assert_detected(FILES("test/a.bats", "", "test/b.bats", "", "test/unit/c.bats", "",
						"test/libs/x/y.bats", ""),
		"bats test test/unit", "from test/a.bats");
}

static void make_by_its_targets(void **state)
{
	(void)state;
	assert_detected(
		FILES("Makefile", "all:\n\ncheck: all\n\ntest:\n"), "make check", "from Makefile");
	assert_detected(
		FILES("t/a.t", "use Test::More;\n", "Makefile", "test:\n"), "prove -l", "from t/a.t");
	assert_detected(FILES("t/sub/a.t", "#!/usr/bin/perl\n"), "prove -lr", "from t/sub/a.t");
	assert_nothing(FILES("t/a.t", "#!/bin/sh\n", "x/b.t", "use Test::More;\n"));
	assert_detected(FILES("Makefile", "all test : x\n\t./x\n"), "make test", "from Makefile");
	assert_detected(FILES("Makefile", "tests:\n"), "make tests", "from Makefile");
	assert_detected(FILES("Makefile", "all:\n", "tests/Makefile", "check:\n"),
		"make -C tests check", "from tests/Makefile");
	assert_detected(
		FILES("GNUmakefile", "check:\n", "Makefile", "all:\n"), "make check", "from GNUmakefile");
	assert_nothing(FILES("Makefile", "check := yes\n# test:\n\tcheck: x\nchecks:\nlatest:\n"));
}

static void the_first_wins_and_the_others_are_told(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	assert_int_equal(detect(FILES("Makefile", "test:\n\tpytest\n", "package.json",
								"{\"scripts\":{\"test\":\"jest\"}}", "pytest.ini", "[pytest]\n"),
						 &arena, &suite),
		0);
	assert_string_equal(suite.type->name, "pytest");
	assert_int_equal(suite.n_also, 2);
	assert_string_equal(suite.also[0], "package.json (npm test)");
	assert_string_equal(suite.also[1], "Makefile (make test)");
}

static void in_a_directory_or_above_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err = {0};
	struct suite suite;
	const char *const *files = FILES(
		"a b/Makefile", "check:\n", "app/go.mod", "module x\n", "app/x/y.go", "", "apple/x.c", "");
	assert_int_equal(detect_from(files, "app", &arena, &suite, &err), 0);
	assert_string_equal(suite.shown, "cd app && go test ./...");
	assert_string_equal(suite.command, "go test ./...");
	assert_string_equal(suite.dir, "app");
	assert_string_equal(suite.origin, "from app/go.mod");
	assert_string_equal(suite_command(&suite, NULL, &arena),
		arena_printf(&arena, "cd app || exit; %s", go_suite.structured(&suite, NULL, &arena)));
	assert_int_equal(detect_from(files, "app/x", &arena, &suite, &err), 0);
	assert_string_equal(suite.dir, "app");
	assert_int_equal(detect_from(files, "a b", &arena, &suite, &err), 0);
	assert_string_equal(suite.shown, "cd 'a b' && make check");
	assert_int_equal(detect_from(files, "apple", &arena, &suite, &err), -1);
}

static void projects_below_the_root(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct tree tree;
	struct rondo_error err;
	struct suite *suites, whole;
	size_t n;
	make_tree(&tree,
		FILES("a/go.mod", "module a\n", "a/x/y.go", "", "b/Makefile", "all:\n", "b/sub/Makefile",
			"test:\n", "c/tests/test_c.py", "import pytest\n", "c/pyproject.toml",
			"[tool.pytest]\n", "d.c", ""));
	const char *const touched[] = {
		"a/x/y.go", "b/Makefile", "c/tests/test_c.py", "a/x/z.go", "d.c"};
	assert_int_equal(
		suite_detect_projects(tree.dir, tree.paths, tree.n, touched, 5, 2, &arena, &suites), 2);
	assert_string_equal(suites[0].dir, "a");
	assert_string_equal(suites[1].dir, "c");
	assert_int_equal(
		suite_detect_projects(tree.dir, tree.paths, tree.n, tree.paths, tree.n, 2, &arena, &suites),
		3);
	assert_string_equal(suites[1].shown, "cd b/sub && make test");
	suite_join(suites, 2, "from a, b/sub", &arena, &whole);
	assert_string_equal(whole.type->name, "go+make");
	assert_string_equal(suite_shown(&whole), "(cd a && go test ./...) && (cd b/sub && make test)");
	const char *const ids[] = {"a/m::TestX", "b/sub/x", "cd b/sub && make test", "other"};
	const char **own = suite_part_ids(&whole, &whole.parts[1], ids, 4, &arena, &n);
	assert_int_equal(n, 2);
	assert_string_equal(own[0], "b/sub/x");
	struct sentinel sentinel = {.passing = "x1", .failing = "x2"};
	assert_true(whole.type->sentinel(&whole, "a/m/m_test.go", "package m\n", &arena, &sentinel));
	assert_string_equal(sentinel.path, "a/m/x1_test.go");
	assert_false(whole.type->sentinel(&whole, "b/sub/t", "", &arena, &sentinel));
	assert_int_equal(file_remove_tree(tree.dir, &err), 0);
}

static void a_command_in_a_directory(void **state)
{
	(void)state;
	static const char *const commands[][3] = {
		{"cd app && npm test", "app", "npm test"},
		{"cd ./app/ && npm test", "app", "npm test"},
		{"cd 'a b' && npm test", "a b", "npm test"},
		{"cd app && npm run build && npm test", "app", "npm run build && npm test"},
		{"cd $app && npm test", NULL, "cd $app && npm test"},
		{"cd .. && npm test", NULL, "cd .. && npm test"},
		{"cd /app && npm test", NULL, "cd /app && npm test"},
		{"cd app; npm test", NULL, "cd app; npm test"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct suite suite;
		suite_from_command(commands[i][0], "from --test", &arena, &suite);
		assert_string_equal(suite.type->name, "npm");
		assert_string_equal(suite_shown(&suite), commands[i][0]);
		assert_string_equal(suite.command, commands[i][2]);
		assert_int_equal(suite.dir != NULL, commands[i][1] != NULL);
		if (suite.dir)
			assert_string_equal(suite.dir, commands[i][1]);
	}
}

static void what_rondo_does_not_run_by_itself_is_named(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err = {0};
	struct suite suite;
	assert_int_equal(detect_from(FILES("MODULE.bazel", ""), "", &arena, &suite, &err), -1);
	assert_non_null(strstr(err.message, "there is MODULE.bazel"));
	assert_non_null(strstr(err.message, "prove, busted, bats, ctest, meson, autotools, make"));
	assert_string_equal(err.help, "name it: --test 'bazel test //...'");
	assert_int_equal(
		detect_from(FILES("CMakeLists.txt", "", "Makefile", "all:\n"), "", &arena, &suite, &err),
		-1);
	assert_non_null(strstr(
		err.message, "; there is CMakeLists.txt, Makefile, which shows no tests that rondo knows"));
}

static void commands_by_what_they_start(void **state)
{
	(void)state;
	static const char *const commands[][2] = {
		{"pytest", "pytest"},
		{"pytest -q", "pytest"},
		{"python -m pytest", "pytest"},
		{"python3 -m pytest tests", "pytest"},
		{"poetry run pytest -x", "pytest"},
		{"uv run --frozen pytest", "pytest"},
		{"/usr/bin/python3.11 -X dev -m pytest", "pytest"},
		{"A=1 B='x y' py.test", "pytest"},
		{"mkdir b && cd b && env A=1 pytest -q", "pytest"},
		{"timeout 60 pytest", "pytest"},
		{"make build; pytest", "pytest"},
		{".venv/bin/pytest", "pytest"},
		{"python -B -W error -m unittest -v", "unittest"},
		{"node --test", "node"},
		{"NODE_ENV=test node --no-warnings --test test/", "node"},
		{"node test.js --test", "command"},
		{"bun test", "bun"},
		{"bun run test", "npm"},
		{"npm test", "npm"},
		{"npm run test", "npm"},
		{"npm --silent test", "npm"},
		{"npm run build", "command"},
		{"make -s check", "make"},
		{"make -C sub test V=1", "make"},
		{"make all", "command"},
		{"cargo test --lib", "cargo"},
		{"cargo nextest run --workspace", "nextest"},
		{"cargo nextest list", "command"},
		{"go test ./...", "go"},
		{"go vet ./...", "command"},
		{"mvn -q -o test", "maven"},
		{"ctest --test-dir b", "ctest"},
		{"echo pytest", "command"},
		{"./pytest.sh", "command"},
		{"sh -c 'exit 1'", "command"},
		{"", "command"},
		{"A=1", "command"},
		{"'", "command"},
		{"pythonic -m pytest", "command"},
		{"python -m", "command"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct suite suite;
		suite_from_command(commands[i][0], "from --test", &arena, &suite);
		if (strcmp(suite.type->name, commands[i][1]) != 0)
			fail_msg("'%s' was taken for %s", commands[i][0], suite.type->name);
		assert_string_equal(suite.command, commands[i][0]);
		assert_string_equal(suite.origin, "from --test");
	}
}

static const char *targeted(
	const char *command, const char *const *ids, size_t n, struct arena *arena)
{
	struct suite suite;
	suite_from_command(command, "", arena, &suite);
	return suite.type->targeted ? suite.type->targeted(&suite, ids, n, arena) : NULL;
}

static void some_tests_alone(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *const ids[] = {"a.py::test_a", "a.py::test_b[x y's]"};
	assert_string_equal(targeted("python3 -m pytest", ids, 2, &arena),
		"python3 -m pytest a.py::test_a 'a.py::test_b[x y'\\''s]'");
	assert_string_equal(targeted("A=1 pytest -q -p x tests/unit", ids, 1, &arena),
		"A=1 pytest -q -p x a.py::test_a");
	assert_null(targeted("pytest && true", ids, 1, &arena));
	const char *const bun[] = {"a.test.ts > f(x) > adds (2)", "b.test.ts > b", "c.test.ts"};
	assert_string_equal(targeted("bun test -b", bun, 2, &arena),
		"bun test -b ./a.test.ts ./b.test.ts -t '^(f\\(x\\)( >)? adds( \\(2\\))?|b)$'");
	assert_string_equal(targeted("bun test", bun + 2, 1, &arena), "bun test ./c.test.ts");
	assert_null(targeted("make check", ids, 1, &arena));
}

static const char *structured(const char *command, struct arena *arena)
{
	struct suite suite;
	suite_from_command(command, "", arena, &suite);
	return suite_command(&suite, NULL, arena);
}

static void commands_are_told_to_name_their_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(structured("node --test", &arena),
		"export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; node --test");
	assert_string_equal(
		structured("node --test --test-reporter=spec", &arena), "node --test --test-reporter=spec");
	assert_string_equal(structured("python3 -m unittest discover -s t", &arena),
		"python3 -m unittest discover -v -s t");
	assert_string_equal(
		structured("python3 -m unittest a.b", &arena), "python3 -m unittest -v a.b");
	assert_string_equal(structured("pytest -q", &arena), "pytest -q");
}

static void every_type_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < suite_types_n; i++) {
		const struct suite_type *type = suite_types[i];
		assert_true(type->name && *type->name && type->summary && *type->summary);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(suite_types[j]->name, type->name);
		for (size_t j = 0; type->env && type->env[j]; j++)
			assert_non_null(strchr(type->env[j], '='));
	}
}

UNIT(suite_detect)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pytest_by_configuration_or_tests),
		cmocka_unit_test(unittest_where_there_is_no_sign_of_pytest),
		cmocka_unit_test(npm_where_package_json_says_how),
		cmocka_unit_test(npm_builds_what_tests_load),
		cmocka_unit_test(yarn_where_packages_are_in_no_directory),
		cmocka_unit_test(node_where_its_test_module_is_used),
		cmocka_unit_test(builds_by_their_files),
		cmocka_unit_test(cmake_builds_what_some_tests_run),
		cmocka_unit_test(cmake_with_its_options_and_presets),
		cmocka_unit_test(meson_with_its_options),
		cmocka_unit_test(autotools_where_nobody_has_configured),
		cmocka_unit_test(tests_of_a_project_below_are_not_those_of_the_root),
		cmocka_unit_test(workspaces_are_tested_as_a_whole),
		cmocka_unit_test(a_module_is_tested_with_what_it_needs),
		cmocka_unit_test(scripts_by_their_files),
		cmocka_unit_test(make_by_its_targets),
		cmocka_unit_test(the_first_wins_and_the_others_are_told),
		cmocka_unit_test(in_a_directory_or_above_it),
		cmocka_unit_test(projects_below_the_root),
		cmocka_unit_test(a_command_in_a_directory),
		cmocka_unit_test(what_rondo_does_not_run_by_itself_is_named),
		cmocka_unit_test(commands_by_what_they_start),
		cmocka_unit_test(some_tests_alone),
		cmocka_unit_test(commands_are_told_to_name_their_tests),
		cmocka_unit_test(every_type_is_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
