/* What shows that the environment is broken, and not the program: a module, a command or what a
 * build needs is missing. */
#include "tests/unit/suite_fixture.h"

#define COLLECTION(message) \
	"=== ERRORS ===\n__ ERROR collecting t.py __\nt.py:3: in <module>\nE   " message \
	"\n=== short test summary info ===\nERROR t.py\n=== 1 error in 0.1s ===\n"

struct row {
	const char *command, *output;
	const char *what; /* NULL: it is the tree's own, or a slip, and so a bug */
	int exit_code;
};

static void assert_rows(const struct row *rows, size_t n)
{
	static const char *const paths[] = {"app/core.py", "lib/Hash/Merge.pm", "lib/index.json",
		"lib/merged.h", "lib/util/index.js", "own.py", "src/Post.php", "src/deep/x.py",
		"t/Clone/own.t"};
	for (size_t i = 0; i < n; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct suite suite;
		struct test_report report;
		struct lack lack = {0};
		suite_from_command(rows[i].command, "", &arena, &suite);
		read_text(rows[i].command, rows[i].output, rows[i].exit_code, &arena, &report);
		bool lacks = suite_lacks(&suite, &report, paths, ARRAY_SIZE(paths), &arena, &lack);
		assert_int_equal(lacks, rows[i].what != NULL);
		if (lacks)
			assert_string_equal(lack.what, rows[i].what);
	}
}

static const struct row modules[] = {
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'requests.auth'"),
		"the Python module 'requests.auth' is missing (t.py:3)", 1},
	{"python3 -m pytest", "/usr/bin/python3: No module named pytest\n",
		"the Python module 'pytest' is missing", 1},
	{"node --test",
		"1..1\nnot ok 1 - t.js\n  ---\n  error: \"Cannot find module "
		"'left-pad'\"\n  ...\n",
		"the Node module 'left-pad' is missing (t.js)", 1},
	{"go test ./...", "a.go:3:8: no required module provides package x.org/y; to add it:\n",
		"the Go module 'x.org/y' is missing", 1},
	{"cargo test", "error: no matching package named `serde` found\n",
		"the Rust crate 'serde' is missing", 101},
	{"cargo nextest run",
		"error: no such command: `nextest`\n\nhelp: a command with a "
		"similar name exists: `test`\n",
		"the cargo command 'nextest' is missing", 101},
	{"cargo test",
		"error: attempting to make an HTTP request, but --offline was "
		"specified\n",
		"a Rust crate is missing", 101},
	{"cargo test",
		"error[E0554]: `#![feature]` may not be used on the stable release "
		"channel\n --> src/lib.rs:95:55\n\nerror: could not compile `x` (lib) "
		"due to 1 previous error\n",
		"a nightly compiler of Rust is missing (src/lib.rs:95)", 101},
	{"cargo test",
		"error: rustup could not choose a version of cargo to run, because one "
		"wasn't specified explicitly, and no default is configured.\nhelp: run "
		"'rustup default stable' to download the latest stable release\n",
		"a default toolchain of rustup is missing", 1},
	{"cargo test", "error: toolchain '1.70.0-x86_64-unknown-linux-gnu' is not installed\n",
		"the toolchain '1.70.0-x86_64-unknown-linux-gnu' is missing", 1},
	/* the tree has app/, which is no reason to hold the artifact for its own */
	{"mvn -q -o test",
		"[ERROR] Plugin app.x:plugin:2.6 or one of its dependencies could not "
		"be resolved: Cannot access central (https://example.org/m) in "
		"offline mode and the artifact app.x:plugin:jar:2.6 has not been "
		"downloaded from it before. -> [Help 1]\n",
		"the Maven artifact 'app.x:plugin:jar:2.6' is missing", 1},
	{"mvn -o test",
		"[ERROR] Failed to execute goal on project x: Could not resolve dependencies for "
		"project a:x:jar:1: no such thing\n",
		"a Maven artifact is missing (x)", 1},
	{"gradle --offline test",
		"> Could not resolve app:a:4.13.\n     > No cached version of "
		"app:a:4.13 available for offline mode.\n",
		"the Gradle artifact 'app:a:4.13' is missing", 1},
	{"sh ./gradlew --offline test",
		"Downloading https://example.org/gradle-8.5-bin.zip\n\nException in "
		"thread \"main\" java.net.UnknownHostException: example.org\n"
		"\tat org.gradle.wrapper.Download.download(Download.java:51)\n",
		"a distribution of Gradle is missing", 1},
	{"pytest", COLLECTION("fixture 'benchmark' not found"),
		"the pytest plug-in pytest-benchmark is missing (t.py:3)", 1},
	{"pytest",
		COLLECTION(
			"importlib.metadata.PackageNotFoundError: No package metadata was found for app"),
		"the Python package 'app' is missing (t.py:3)", 1},
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'app._version'"),
		"the generated file 'app/_version.py' is missing (t.py:3)", 1},
	{"pytest",
		"=== FAILURES ===\n__ test_a __\napp/core.py:2: in f\n    import babel\n"
		"E   ModuleNotFoundError: No module named 'babel'\n\n"
		"During handling of the above exception, another exception occurred:\n"
		"t.py:3: in test_a\n    f()\napp/core.py:4: in f\n    raise ImportError('babel')\n"
		"E   ImportError: decimals need babel\n"
		"=== short test summary info ===\nFAILED t.py::test_a - ImportError: x\n"
		"=== 1 failed in 0.1s ===\n",
		"the Python module 'babel' is missing", 1},
	{"pytest",
		"ERROR: usage: pytest [options]\n"
		"pytest: error: unrecognized arguments: --cov=app\n",
		"the pytest plug-in pytest-cov is missing", 4},
	{"prove",
		"Can't locate Test/Warnings.pm in @INC (you may need to install the "
		"Test::Warnings module) (@INC contains: lib) at t/a.t line 3.\n",
		"the Perl module 'Test::Warnings' is missing", 2},
	{"node --test",
		"1..1\nnot ok 1 - t.js\n  ---\n  error: \"Cannot find module "
		"'../maps/legacy.json'\"\n  ...\n",
		"the file '../maps/legacy.json' is missing (t.js)", 1},
	{"npx mocha", "Exception during run: Error: Cannot find module '../dist/index.js'\n",
		"'../dist/index.js' is missing, which a build makes", 1},
	{"npx mocha",
		"TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension "
		"\".ts\" for /app/test/a.ts\n",
		"a loader of TypeScript that this version of Node takes is missing", 1},
	{"npx mocha", "Error: Cannot find module '../dits/index.js'\n", NULL, 1},
	{"rake test",
		"a.rb:1:in `require': cannot load such file -- minitest/autorun "
		"(LoadError)\n",
		"the Ruby library 'minitest/autorun' is missing", 1},
	{"php test.php",
		"PHP Fatal error: Failed opening required 'vendor/autoload.php' "
		"(include_path='.')\n",
		"the PHP file 'vendor/autoload.php' is missing", 255},
};

/* A directory of the tree may bear a part of its name; a slip of the tree's own is a bug. */
static const struct row classes[] = {
	{"prove",
		"Can't locate Clone/Choose.pm in @INC (you may need to install the Clone::Choose "
		"module)\n",
		"the Perl module 'Clone::Choose' is missing", 2},
	{"prove",
		"Can't locate Hash/Mrege.pm in @INC (you may need to install the Hash::Mrege module)\n",
		NULL, 2},
	{"phpunit", "Error: Trait \"Prophecy\\PhpUnit\\ProphecyTrait\" not found\n",
		"the PHP trait 'Prophecy\\PhpUnit\\ProphecyTrait' is missing", 2},
	{"phpunit", "Error: Class \"Acme\\Pots\" not found\n", NULL, 2},
	{"phpunit", "Error: Class \"Pots\" not found\n", NULL, 2},
	{"phpunit", "Error: Class \"Acme\\Mailer\" is abstract\n", NULL, 2},
};

static const struct row commands[] = {
	{"npm test", "sh: 1: pnpm: not found\n", "the command 'pnpm' is missing", 127},
	{"npm test", "    at f (/usr/lib/node_modules/corepack/dist/lib/corepack.cjs:1:2)\n",
		"a package manager that corepack starts is missing", 1},
	{"pytest", "sh: 1: pytest: not found\n", "the command 'pytest' is missing", 127},
	{"./run", "bash: line 1: jq: command not found\n", "the command 'jq' is missing", 127},
	{"make check", "./suite: line 3: docker: command not found\n",
		"the command 'docker' is missing", 2},
	{"make check", "./suite: 3: sort_lnies: not found\n", NULL, 2},
	{"make check",
		"cc -o x x.c\nmake: cc: No such file or directory\nmake: *** "
		"[x] Error 127\n",
		"the command 'cc' is missing", 2},
};

/* What the program itself looks for is not what the command names. */
static const struct row named_by_the_command[] = {
	{"node t.js", "Error: Cannot find module '/tree/t.js'\n", "there is no file '/tree/t.js'", 1},
	{"node t.js", "Error: Cannot find module './lib/t.js'\n", NULL, 1},
	{"node --test t.js", "Could not find '/tree/t.js'\n", "there is no file '/tree/t.js'", 1},
	{"npx jest carts", "No tests found, exiting with code 1\nPattern: carts - 0 matches\n",
		"no test file's name has 'carts'", 1},
	{"go test ./a", "# ./a\nstat /tree/a: directory not found\nFAIL\t./a [setup failed]\nFAIL\n",
		"there is no directory '/tree/a'", 1},
	{"go test ./a/...",
		"# ./a/...\npattern ./a/...: lstat ./a/: no such file or directory\n"
		"FAIL\t./a/... [setup failed]\nFAIL\n",
		"there is no package './a/...'", 1},
	{"cargo test", "error: could not find `Cargo.toml` in `/tree` or any parent directory\n",
		"there is no Cargo.toml", 1},
	{"ruby t.rb", "ruby: No such file or directory -- t.rb (LoadError)\n",
		"there is no file 't.rb'", 1},
	{"perl t/a.t", "Can't open perl script \"t/a.t\": No such file or directory\n",
		"there is no file 't/a.t'", 1},
	{"php a.php", "Could not open input file: a.php\n", "there is no file 'a.php'", 1},
	{"lua5.4 t.lua", "lua5.4: cannot open t.lua: No such file or directory\n",
		"there is no file 't.lua'", 1},
	{"bash t.sh", "bash: t.sh: No such file or directory\n", "there is no file 't.sh'", 1},
};

static const struct row builds[] = {
	{"make test",
		"t.c:1:10: fatal error: cgreen/cgreen.h: No such file or directory\n"
		"compilation terminated.\n",
		"the header 'cgreen/cgreen.h' is missing", 1},
	{"make test", "t.c:1:10: fatal error: 'zlib.h' file not found\n1 error generated.\n",
		"the header 'zlib.h' is missing", 1},
	{"make test", "a.c:1:10: fatal error: mreged.h: No such file or directory\n", NULL, 1},
	{"make test", "a.c:1:10: fatal error: stdoi.h: No such file or directory\n", NULL, 1},
	{"make test", "/usr/bin/ld: cannot find -lcheck: No such file or directory\n",
		"the library 'check' is missing", 1},
	{"make test", "/usr/bin/ld: cannot find -lcheck\n", "the library 'check' is missing", 1},
	{"./configure && make check",
		"WARNING: 'flex' is missing on your system.\n  You may want to install the Fast Lexical "
		"Analyzer package:\nmake: *** [Makefile:9: lexer.c] Error 127\n",
		"the command 'flex' is missing", 1},
	{"javac *.java && java T",
		"src/T.java:1: error: package org.junit does not exist\nimport org.junit.Test;\n"
		"                ^\n",
		"the Java package 'org.junit' is missing", 1},
	{"javac *.java && java T",
		"src/T.java:1: error: package sytem does not exist\n"
		"        sytem.out.println(1);\n             ^\n",
		NULL, 1},
	{"javac *.java && java T",
		"src/T.java:1: error: package org.depe.x does not exist\nimport org.depe.x.Y;\n", NULL, 1},
	{"javac *.java && java T",
		"src/T.java:1: error: package java.utl does not exist\nimport java.utl.List;\n", NULL, 1},
	{"cargo test",
		"error[E0432]: unresolved import `rand`\n --> tests/t.rs:1:5\n  |\n1 | use rand::x;\n"
		"  |     ^^^^ use of unresolved module or unlinked crate `rand`\n  |\n"
		"  = help: if you wanted to use a crate named `rand`, use `cargo add rand`\n\n"
		"error: could not compile `x` (test \"t\") due to 1 previous error\n",
		"the Rust crate 'rand' is missing (tests/t.rs:1)", 1},
	{"cargo test",
		"error[E0433]: cannot find module or crate `mem` in this scope\n --> tests/t.rs:1:5\n"
		"help: consider importing this module\n  |\n2 + use std::mem;\n\n"
		"error: could not compile `x` (test \"t\") due to 1 previous error\n",
		NULL, 1},
};

static const struct row bugs[] = {
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'app.cores'"), NULL, 1},
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'own'"), NULL, 1},
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'deep'"), NULL, 1},
	{"pytest",
		COLLECTION("ImportError: cannot import name 'x' from 'app.core' (/tmp/tree/app/core.py)"),
		NULL, 1},
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'onw'"), NULL, 1},
	{"pytest", COLLECTION("ModuleNotFoundError: No module named 'itertool'"), NULL, 1},
	{"pytest", COLLECTION("fixture 'customer' not found"), NULL, 1},
	{"pytest", COLLECTION("AssertionError: no such thing"), NULL, 1},
	{"pytest", COLLECTION("Error: Cannot find module './missing'"), NULL, 1},
	{"pytest", COLLECTION("Error: Cannot find module './idnex.json'"), NULL, 1},
};

static void what_is_missing_is_the_environment(void **state)
{
	(void)state;
	assert_rows(modules, ARRAY_SIZE(modules));
	assert_rows(classes, ARRAY_SIZE(classes));
	assert_rows(commands, ARRAY_SIZE(commands));
	assert_rows(named_by_the_command, ARRAY_SIZE(named_by_the_command));
	assert_rows(builds, ARRAY_SIZE(builds));
}

static void what_the_tree_should_hold_is_a_bug(void **state)
{
	(void)state;
	assert_rows(bugs, ARRAY_SIZE(bugs));
}

static void one_test_that_can_be_judged_is_enough(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	struct lack lack;
	suite_from_command("pytest", "", &arena, &suite);
	read_stored("pytest", "pytest9-mixed.txt", 1, &arena, &report);
	assert_false(suite_lacks(&suite, &report, NULL, 0, &arena, &lack));
	read_text("pytest", "a.py::x PASSED\n=== 1 passed in 0.1s ===\n", 0, &arena, &report);
	assert_false(suite_lacks(&suite, &report, NULL, 0, &arena, &lack));
}

UNIT(suite_environment)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_is_the_environment),
		cmocka_unit_test(what_the_tree_should_hold_is_a_bug),
		cmocka_unit_test(one_test_that_can_be_judged_is_enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
