/* Output of any kind and size: how lines are made of it, what ends a run early, and what shows a
 * broken environment. */
#include "tests/unit/suite_fixture.h"

#include <dirent.h>
#include <signal.h>

static void read_result(
	const char *text, struct process_result result, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	suite_from_command("pytest", "", arena, &suite);
	read_bytes(&suite, text, strlen(text), &result, arena, report);
}

static const char green[] = "a.py::x PASSED\n=== 1 passed in 0.1s ===\n";

static void lines_are_cleaned(void **state)
{
	(void)state;
	static const char *const outputs[] = {
		"a.py::x PASSED\r\n=== 1 passed in 0.1s ===\r\n",
		"\033[1ma.py::x\033[0m \033[32mPASSED\033]0;title\a\n\033[32m1 passed in 0.1s",
		"downloading 10%\rdownloading 99%\ra.py::x PASSED\n=== 1 passed in 0.1s ===\n",
		"\xff\xfe\n\xc3(\na.py::x PASSED\n=== 1 passed in 0.1s ===\n",
	};
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_result(outputs[i], (struct process_result){0}, &arena, &report);
		assert_true(report.complete);
		assert_int_equal(report.n, 1);
		assert_result(&report, "a.py::x", TEST_PASSED, NULL, NULL, 0);
	}
}

static void a_program_that_counts_is_not_the_end(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_result("a.py::x PASSED\na.py::y 3 files read in 2s\n",
		(struct process_result){.exit_code = 1}, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "pytest ended in the middle of a.py::y (exit code 1)");
}

static void invalid_bytes_in_names_become_text(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_result("a.py::x[\xff] FAILED\n=== 1 failed in 0.1s ===\n",
		(struct process_result){.exit_code = 1}, &arena, &report);
	assert_result(&report, "a.py::x[\xef\xbf\xbd]", TEST_FAILED, NULL, NULL, 0);
}

static void a_run_that_was_ended_is_not_complete(void **state)
{
	(void)state;
	static const struct {
		struct process_result result;
		const char *problem;
	} cases[] = {
		{{.end = PROCESS_TIMEOUT, .exit_code = 124, .duration_ms = 60000}, "timed out after 60 s"},
		{{.end = PROCESS_SIGNALLED, .exit_code = 137, .signal = SIGKILL}, "killed by SIGKILL"},
		{{.end = PROCESS_OUTPUT_LIMIT, .output_bytes = 9}, "printed too much: 9 bytes"},
		{{.end = PROCESS_CANCELLED, .exit_code = 125}, "cancelled"},
		{{.output_bytes = 999}, "printed 999 bytes, of which only 40 were kept"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_result(green, cases[i].result, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem, cases[i].problem);
		assert_int_equal(report.n, cases[i].result.end != PROCESS_OUTPUT_LIMIT);
	}
}

static void a_crash_is_a_failure_of_the_command(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	suite_from_command("./run", "", &arena, &suite);
	struct process_result result = {.end = PROCESS_SIGNALLED, .signal = SIGSEGV, .exit_code = 139};
	read_bytes(&suite, "start\n", 6, &result, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "./run", TEST_ERROR, NULL, NULL, 0);
	assert_true(text_starts_with(report.results[0]->message, "killed by SIGSEGV, output "));
}

static void any_command_is_one_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./run", "all fine\n", 0, &arena, &report);
	assert_result(&report, "./run", TEST_PASSED, "", "", 0);
	read_text("./run", "one\nerror: src/a.c:12: no\nmore\n", 3, &arena, &report);
	assert_result(&report, "./run", TEST_ERROR, NULL, "src/a.c", 12);
	assert_true(text_starts_with(
		report.results[0]->message, "error: src/a.c:12: no (exit code 3, output "));
	read_text("./run", "", 3, &arena, &report);
	assert_result(&report, "./run", TEST_ERROR, "exit code 3", NULL, 0);
	read_text("./run", "sh: 1: ./run: not found\n", 127, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(
		report.problem, "the test command could not be started: sh: 1: ./run: not found");
}

static void a_line_that_says_why_is_kept_in_letters_of_any_case(void **state)
{
	(void)state;
	static const char *const words[] = {"error", "Fail", "ASSERT", "panic", "Expected", "fatal",
		"Exception", "not found", "no such", "cannot", "undefined", "got 3", "want 3"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("./run",
			arena_printf(&arena,
				"one\n"
				"said: %s\n"
				"two\n",
				words[i]),
			3, &arena, &report);
		assert_true(text_starts_with(
			report.results[0]->message, arena_printf(&arena, "said: %s (", words[i])));
	}
}

static void lines_that_are_too_long_are_cut_and_the_next_is_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	size_t length = 1000000;
	AUTO_FREE char *text = memory_alloc(length + sizeof green);
	memset(text, 'x', length);
	text[length - 1] = '\n';
	memcpy(text + length, green, sizeof green);
	struct test_report report;
	read_result(text, (struct process_result){0}, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 1);
	memset(text, '\xc3', length - 1);
	read_result(text, (struct process_result){0}, &arena, &report);
	assert_true(report.complete);
}

static void the_output_is_kept_as_head_and_tail(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&sb, "first\n");
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&sb, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	strbuf_adds(&sb, "\nlast\n");
	struct test_report report;
	read_result(sb.text, (struct process_result){0}, &arena, &report);
	assert_true(text_starts_with(report.output, "first\n"));
	assert_true(text_ends_with(report.output, "\nlast\n"));
	assert_non_null(strstr(report.output, "bytes cut"));
	assert_null(strstr(report.output, "\xef\xbf\xbd"));
	assert_true(strlen(report.output) < 10100);
	read_result("short\033[0m\n", (struct process_result){0}, &arena, &report);
	assert_string_equal(report.output, "short\n");
}

/* --- The environment --- */

static const char *environment(
	const char *command, const char *text, int exit_code, struct arena *arena)
{
	static const char *const paths[] = {"app/core.py", "lib/Hash/Merge.pm", "lib/index.json",
		"lib/merged.h", "lib/util/index.js", "own.py", "src/Post.php", "src/deep/x.py",
		"t/Clone/own.t"};
	struct suite suite;
	struct test_report report;
	suite_from_command(command, "", arena, &suite);
	read_text(command, text, exit_code, arena, &report);
	struct lack lack;
	return suite_lacks(&suite, &report, paths, ARRAY_SIZE(paths), arena, &lack) ? lack.what : NULL;
}

static const char *collection_error(struct arena *arena, const char *message)
{
	return arena_printf(arena,
		"=== ERRORS ===\n__ ERROR collecting t.py __\nt.py:3: in <module>\nE   %s\n"
		"=== short test summary info ===\nERROR t.py\n=== 1 error in 0.1s ===\n",
		message);
}

static void a_missing_module_is_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text =
		collection_error(&arena, "ModuleNotFoundError: No module named 'requests.auth'");
	assert_string_equal(environment("pytest", text, 1, &arena),
		"the Python module 'requests.auth' is missing (t.py:3)");
	assert_string_equal(
		environment("python3 -m pytest", "/usr/bin/python3: No module named pytest\n", 1, &arena),
		"the Python module 'pytest' is missing");
	assert_string_equal(environment("node --test",
							"1..1\nnot ok 1 - t.js\n  ---\n  error: \"Cannot find module "
							"'left-pad'\"\n  ...\n",
							1, &arena),
		"the Node module 'left-pad' is missing (t.js)");
	assert_string_equal(
		environment("go test ./...",
			"a.go:3:8: no required module provides package x.org/y; to add it:\n", 1, &arena),
		"the Go module 'x.org/y' is missing");
	assert_string_equal(
		environment("cargo test", "error: no matching package named `serde` found\n", 101, &arena),
		"the Rust crate 'serde' is missing");
	assert_string_equal(environment("cargo nextest run",
							"error: no such command: `nextest`\n\nhelp: a command with a "
							"similar name exists: `test`\n",
							101, &arena),
		"the cargo command 'nextest' is missing");
	assert_string_equal(environment("cargo test",
							"error: attempting to make an HTTP request, but --offline was "
							"specified\n",
							101, &arena),
		"a Rust crate is missing");
	assert_string_equal(environment("cargo test",
							"error[E0554]: `#![feature]` may not be used on the stable release "
							"channel\n --> src/lib.rs:95:55\n\nerror: could not compile `x` (lib) "
							"due to 1 previous error\n",
							101, &arena),
		"a nightly compiler of Rust is missing (src/lib.rs:95)");
	assert_string_equal(environment("cargo test",
							"error: rustup could not choose a version of cargo to run, because one "
							"wasn't specified explicitly, and no default is configured.\nhelp: run "
							"'rustup default stable' to download the latest stable release\n",
							1, &arena),
		"a default toolchain of rustup is missing");
	assert_string_equal(
		environment("cargo test",
			"error: toolchain '1.70.0-x86_64-unknown-linux-gnu' is not installed\n", 1, &arena),
		"the toolchain '1.70.0-x86_64-unknown-linux-gnu' is missing");
	/* the tree has app/, which is no reason to hold the artifact for its own */
	assert_string_equal(environment("mvn -q -o test",
							"[ERROR] Plugin app.x:plugin:2.6 or one of its dependencies could not "
							"be resolved: Cannot access central (https://example.org/m) in "
							"offline mode and the artifact app.x:plugin:jar:2.6 has not been "
							"downloaded from it before. -> [Help 1]\n",
							1, &arena),
		"the Maven artifact 'app.x:plugin:jar:2.6' is missing");
	assert_string_equal(
		environment("mvn -o test",
			"[ERROR] Failed to execute goal on project x: Could not resolve dependencies for "
			"project a:x:jar:1: no such thing\n",
			1, &arena),
		"a Maven artifact is missing (x)");
	assert_string_equal(environment("gradle --offline test",
							"> Could not resolve app:a:4.13.\n     > No cached version of "
							"app:a:4.13 available for offline mode.\n",
							1, &arena),
		"the Gradle artifact 'app:a:4.13' is missing");
	assert_string_equal(environment("sh ./gradlew --offline test",
							"Downloading https://example.org/gradle-8.5-bin.zip\n\nException in "
							"thread \"main\" java.net.UnknownHostException: example.org\n"
							"\tat org.gradle.wrapper.Download.download(Download.java:51)\n",
							1, &arena),
		"a distribution of Gradle is missing");
}

static void what_the_command_names_is_not_there(void **state)
{
	(void)state;
	static const struct {
		const char *command, *output, *what; /* NULL: only the program's own */
	} rows[] = {
		{"node t.js", "Error: Cannot find module '/tree/t.js'\n", "there is no file '/tree/t.js'"},
		{"node t.js", "Error: Cannot find module './lib/t.js'\n", NULL},
		{"node --test t.js", "Could not find '/tree/t.js'\n", "there is no file '/tree/t.js'"},
		{"npx jest carts", "No tests found, exiting with code 1\nPattern: carts - 0 matches\n",
			"no test file's name has 'carts'"},
		{"go test ./a",
			"# ./a\nstat /tree/a: directory not found\nFAIL\t./a [setup failed]\nFAIL\n",
			"there is no directory '/tree/a'"},
		{"go test ./a/...",
			"# ./a/...\npattern ./a/...: lstat ./a/: no such file or directory\n"
			"FAIL\t./a/... [setup failed]\nFAIL\n",
			"there is no package './a/...'"},
		{"cargo test", "error: could not find `Cargo.toml` in `/tree` or any parent directory\n",
			"there is no Cargo.toml"},
		{"ruby t.rb", "ruby: No such file or directory -- t.rb (LoadError)\n",
			"there is no file 't.rb'"},
		{"perl t/a.t", "Can't open perl script \"t/a.t\": No such file or directory\n",
			"there is no file 't/a.t'"},
		{"php a.php", "Could not open input file: a.php\n", "there is no file 'a.php'"},
		{"lua5.4 t.lua", "lua5.4: cannot open t.lua: No such file or directory\n",
			"there is no file 't.lua'"},
		{"bash t.sh", "bash: t.sh: No such file or directory\n", "there is no file 't.sh'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *what = environment(rows[i].command, rows[i].output, 1, &arena);
		if (!what || !rows[i].what)
			assert_ptr_equal(what, rows[i].what);
		else
			assert_string_equal(what, rows[i].what);
	}
}

static void what_installations_lack_is_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct {
		const char *message, *problem;
	} rows[] = {
		{"fixture 'benchmark' not found",
			"the pytest plug-in pytest-benchmark is missing (t.py:3)"},
		{"importlib.metadata.PackageNotFoundError: No package metadata was found for app",
			"the Python package 'app' is missing (t.py:3)"},
		{"ModuleNotFoundError: No module named 'app._version'",
			"the generated file 'app/_version.py' is missing (t.py:3)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(
			environment("pytest", collection_error(&arena, rows[i].message), 1, &arena),
			rows[i].problem);
	assert_string_equal(
		environment("pytest",
			"=== FAILURES ===\n__ test_a __\napp/core.py:2: in f\n    import babel\n"
			"E   ModuleNotFoundError: No module named 'babel'\n\n"
			"During handling of the above exception, another exception occurred:\n"
			"t.py:3: in test_a\n    f()\napp/core.py:4: in f\n    raise ImportError('babel')\n"
			"E   ImportError: decimals need babel\n"
			"=== short test summary info ===\nFAILED t.py::test_a - ImportError: x\n"
			"=== 1 failed in 0.1s ===\n",
			1, &arena),
		"the Python module 'babel' is missing");
	assert_string_equal(environment("pytest",
							"ERROR: usage: pytest [options]\n"
							"pytest: error: unrecognized arguments: --cov=app\n",
							4, &arena),
		"the pytest plug-in pytest-cov is missing");
	assert_string_equal(environment("prove",
							"Can't locate Test/Warnings.pm in @INC (you may need to install the "
							"Test::Warnings module) (@INC contains: lib) at t/a.t line 3.\n",
							2, &arena),
		"the Perl module 'Test::Warnings' is missing");
	assert_string_equal(environment("node --test",
							"1..1\nnot ok 1 - t.js\n  ---\n  error: \"Cannot find module "
							"'../maps/legacy.json'\"\n  ...\n",
							1, &arena),
		"the file '../maps/legacy.json' is missing (t.js)");
	assert_string_equal(
		environment("npx mocha",
			"Exception during run: Error: Cannot find module '../dist/index.js'\n", 1, &arena),
		"'../dist/index.js' is missing, which a build makes");
	assert_string_equal(environment("npx mocha",
							"TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension "
							"\".ts\" for /app/test/a.ts\n",
							1, &arena),
		"a loader of TypeScript that this version of Node takes is missing");
	assert_null(
		environment("npx mocha", "Error: Cannot find module '../dits/index.js'\n", 1, &arena));
	assert_string_equal(environment("rake test",
							"a.rb:1:in `require': cannot load such file -- minitest/autorun "
							"(LoadError)\n",
							1, &arena),
		"the Ruby library 'minitest/autorun' is missing");
	assert_string_equal(environment("php test.php",
							"PHP Fatal error: Failed opening required 'vendor/autoload.php' "
							"(include_path='.')\n",
							255, &arena),
		"the PHP file 'vendor/autoload.php' is missing");
}

/* A directory of the tree may bear a part of its name; a slip of the tree's own is a bug. */
static void a_class_is_missing_by_its_last_name(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct {
		const char *command, *text, *what;
	} rows[] = {
		{"prove",
			"Can't locate Clone/Choose.pm in @INC (you may need to install the Clone::Choose "
			"module)\n",
			"the Perl module 'Clone::Choose' is missing"},
		{"prove",
			"Can't locate Hash/Mrege.pm in @INC (you may need to install the Hash::Mrege module)\n",
			NULL},
		{"phpunit", "Error: Trait \"Prophecy\\PhpUnit\\ProphecyTrait\" not found\n",
			"the PHP trait 'Prophecy\\PhpUnit\\ProphecyTrait' is missing"},
		{"phpunit", "Error: Class \"Acme\\Pots\" not found\n", NULL},
		{"phpunit", "Error: Class \"Pots\" not found\n", NULL},
		{"phpunit", "Error: Class \"Acme\\Mailer\" is abstract\n", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *what = environment(rows[i].command, rows[i].text, 2, &arena);
		assert_int_equal(!what, !rows[i].what);
		if (what)
			assert_string_equal(what, rows[i].what);
	}
}

static void a_missing_command_is_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(environment("npm test", "sh: 1: pnpm: not found\n", 127, &arena),
		"the command 'pnpm' is missing");
	assert_string_equal(
		environment("npm test",
			"    at f (/usr/lib/node_modules/corepack/dist/lib/corepack.cjs:1:2)\n", 1, &arena),
		"a package manager that corepack starts is missing");
	assert_string_equal(environment("pytest", "sh: 1: pytest: not found\n", 127, &arena),
		"the command 'pytest' is missing");
	assert_string_equal(environment("./run", "bash: line 1: jq: command not found\n", 127, &arena),
		"the command 'jq' is missing");
	assert_string_equal(
		environment("make check", "./suite: line 3: docker: command not found\n", 2, &arena),
		"the command 'docker' is missing");
	assert_null(environment("make check", "./suite: 3: sort_lnies: not found\n", 2, &arena));
	assert_string_equal(environment("make check",
							"cc -o x x.c\nmake: cc: No such file or directory\nmake: *** "
							"[x] Error 127\n",
							2, &arena),
		"the command 'cc' is missing");
}

static void what_the_tree_should_hold_is_a_bug(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const messages[] = {
		"ModuleNotFoundError: No module named 'app.cores'",
		"ModuleNotFoundError: No module named 'own'",
		"ModuleNotFoundError: No module named 'deep'",
		"ImportError: cannot import name 'x' from 'app.core' (/tmp/tree/app/core.py)",
		"ModuleNotFoundError: No module named 'onw'",
		"ModuleNotFoundError: No module named 'itertool'",
		"fixture 'customer' not found",
		"AssertionError: no such thing",
		"Error: Cannot find module './missing'",
		"Error: Cannot find module './idnex.json'",
	};
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		assert_null(environment("pytest", collection_error(&arena, messages[i]), 1, &arena));
}

static void what_a_build_needs_is_the_environment(void **state)
{
	(void)state;
	static const struct {
		const char *command, *output, *what; /* NULL: the tree's own, or a slip */
	} rows[] = {
		{"make test",
			"t.c:1:10: fatal error: cgreen/cgreen.h: No such file or directory\n"
			"compilation terminated.\n",
			"the header 'cgreen/cgreen.h' is missing"},
		{"make test", "t.c:1:10: fatal error: 'zlib.h' file not found\n1 error generated.\n",
			"the header 'zlib.h' is missing"},
		{"make test", "a.c:1:10: fatal error: mreged.h: No such file or directory\n", NULL},
		{"make test", "a.c:1:10: fatal error: stdoi.h: No such file or directory\n", NULL},
		{"make test", "/usr/bin/ld: cannot find -lcheck: No such file or directory\n",
			"the library 'check' is missing"},
		{"make test", "/usr/bin/ld: cannot find -lcheck\n", "the library 'check' is missing"},
		{"make test", "No package 'cmocka' found\n", "the pkg-config package 'cmocka' is missing"},
		{"make test", "Could NOT find GTest (missing: GTEST_LIBRARY)\n",
			"the CMake package 'GTest' is missing"},
		{"javac *.java && java T",
			"src/T.java:1: error: package org.junit does not exist\nimport org.junit.Test;\n"
			"                ^\n",
			"the Java package 'org.junit' is missing"},
		{"javac *.java && java T",
			"src/T.java:1: error: package sytem does not exist\n"
			"        sytem.out.println(1);\n             ^\n",
			NULL},
		{"javac *.java && java T",
			"src/T.java:1: error: package org.depe.x does not exist\nimport org.depe.x.Y;\n", NULL},
		{"javac *.java && java T",
			"src/T.java:1: error: package java.utl does not exist\nimport java.utl.List;\n", NULL},
		{"cargo test",
			"error[E0432]: unresolved import `rand`\n --> tests/t.rs:1:5\n  |\n1 | use rand::x;\n"
			"  |     ^^^^ use of unresolved module or unlinked crate `rand`\n  |\n"
			"  = help: if you wanted to use a crate named `rand`, use `cargo add rand`\n\n"
			"error: could not compile `x` (test \"t\") due to 1 previous error\n",
			"the Rust crate 'rand' is missing (tests/t.rs:1)"},
		{"cargo test",
			"error[E0433]: cannot find module or crate `mem` in this scope\n --> tests/t.rs:1:5\n"
			"help: consider importing this module\n  |\n2 + use std::mem;\n\n"
			"error: could not compile `x` (test \"t\") due to 1 previous error\n",
			NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *what = environment(rows[i].command, rows[i].output, 1, &arena);
		if (!what || !rows[i].what)
			assert_ptr_equal(what, rows[i].what);
		else
			assert_string_equal(what, rows[i].what);
	}
}

static void one_test_that_can_be_judged_is_enough(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	suite_from_command("pytest", "", &arena, &suite);
	read_stored("pytest", "pytest9-mixed.txt", 1, &arena, &report);
	struct lack lack;
	assert_false(suite_lacks(&suite, &report, NULL, 0, &arena, &lack));
	assert_null(environment("pytest", green, 0, &arena));
}

static const char *refused(const char *command, const char *text, struct arena *arena)
{
	struct suite suite;
	struct test_report report;
	suite_from_command(command, "", arena, &suite);
	read_text(command, text, 2, arena, &report);
	return suite_refused_option(&suite, &report, arena);
}

static void an_option_that_the_runner_refuses_is_found(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(
		refused("tap --fast t.js", "Error: invalid argument: --fast\n", &arena), "--fast");
	assert_string_equal(
		refused("node --test --fast=1", "node: bad option: --fast=1\n", &arena), "--fast");
	assert_string_equal(
		refused("jest --fast", "Unrecognized CLI Parameter:\n  Unrecognized option \"fast\".\n",
			&arena),
		"--fast");
	assert_string_equal(refused("make -Z check", "make: invalid option -- 'Z'\n", &arena), "-Z");
	assert_null(refused("tap t.js", "Error: invalid argument: --fast\n", &arena));
	assert_null(refused("make && ./tool --fast", "tool: unknown option --fast\n", &arena));
	assert_null(refused("sh t --fast", "1..1\nnot ok 1 - invalid argument: fast\n", &arena));
}

/* --- Hostile input --- */

static const char *command_of(const char *name)
{
	return text_starts_with(name, "pytest")  ? "pytest"
		: text_starts_with(name, "node")     ? "node --test"
		: text_starts_with(name, "npm")      ? "npm test"
		: text_starts_with(name, "unittest") ? "python3 -m unittest"
		: text_starts_with(name, "make")     ? "make check"
											 : "go test";
}

static void read_as_all(const char *name, const char *bytes, size_t n, struct arena *arena)
{
	struct rondo_error err = {0};
	struct process_result result = {.exit_code = 1};
	struct test_report report;
	struct suite suite;
	suite_from_command(command_of(name), "", arena, &suite);
	if (text_starts_with(name, "program"))
		assert_int_equal(suite_from_program(DATA, strstr(name, "py") ? "program.py" : "program.js",
							 NULL, arena, &suite, &err),
			0);
	read_bytes(&suite, bytes, n, &result, arena, &report);
	assert_true(report.complete || report.problem);
	struct lack lack;
	suite_lacks(&suite, &report, NULL, 0, arena, &lack);
}

static void damage(const char *name, const char *text)
{
	size_t n = strlen(text);
	uint32_t random = 1;
	AUTO_FREE char *bytes = memory_alloc(n + 1);
	for (size_t cut = 0; cut < n; cut += 97) {
		AUTO_ARENA arena = ARENA_INIT;
		read_as_all(name, text, cut, &arena);
		memcpy(bytes, text, n);
		for (int i = 0; i < 20; i++) {
			random = random * 1664525 + 1013904223;
			bytes[(random >> 8) % n] = (char)(random >> 24);
		}
		read_as_all(name, bytes, n, &arena);
	}
}

static void damaged_output_of_every_kind_is_read(void **state)
{
	(void)state;
	DIR *dir = opendir(DATA);
	assert_non_null(dir);
	size_t n = 0;
	for (struct dirent *entry; (entry = readdir(dir));) {
		AUTO_ARENA arena = ARENA_INIT;
		if (!text_ends_with(entry->d_name, ".txt"))
			continue;
		damage(entry->d_name, stored(entry->d_name, &arena));
		n++;
	}
	closedir(dir);
	assert_true(n > 40);
}

static void ids_and_places_begin_at_the_root_of_the_tree(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct suite suite;
	read_text("cd app && ./suite",
		"1..3\nnot ok 1 - a\n# Failed: lib/a.c:3\nok 2 - app/b\nnot ok 3 - /tmp/tree/app/c.t\n", 1,
		&arena, &report);
	assert_result(&report, "app/a", TEST_FAILED, NULL, "app/lib/a.c", 3);
	assert_result(&report, "app/b", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "app/c.t", TEST_FAILED, NULL, NULL, 0);
	assert_int_equal(report.n, 3);
	read_text("cd app && ./suite", "../lib/b.c:7: error: no\n", 1, &arena, &report);
	assert_result(&report, "cd app && ./suite", TEST_ERROR, NULL, "lib/b.c", 7);
	const char *const ids[] = {"app/a.py::x", "b.py::y"};
	suite_from_command("cd app && pytest", "", &arena, &suite);
	assert_string_equal(suite_targeted(&suite, ids, 2, &arena), "pytest a.py::x b.py::y");
	suite.targeted = "sh app/run {{tests}}";
	assert_string_equal(
		suite_targeted(&suite, ids, 1, &arena), "cd \"$OLDPWD\" || exit; sh app/run a.py::x");
}

static void what_a_test_prints_shows_no_other_format(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text(
		"npm test", "  a\n    ✔ b\nnot ok 1\n    ✔ c\n\n  2 passing (3ms)\n", 0, &arena, &report);
	assert_string_equal(report.format, "mocha");
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	read_text("npm test", "not ok 1\n", 0, &arena, &report);
	assert_string_equal(report.format, "tap");
	assert_string_equal(report.problem, "the TAP output ends before its plan");
}

static void a_run_may_say_how_many_tests_it_has(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t n;
	} rows[] = {
		{"== test session starts ==\ncollected 509 items\n\n1/7 x", 509},
		{"1..19\nok 1 - collected 3 items\n", 19},
		{" 3/12 Test  #3: parse ......   Passed\n 10/12 Test #10: dump\n", 12},
		{"running 4 tests\ntest a ... ok\nrunning 1 test\n", 5},
		{"13/12 of a dozen\nok\n", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
		assert_true(write(fd, rows[i].text, strlen(rows[i].text)) > 0);
		assert_int_equal(suite_announced(fd), rows[i].n);
	}
}

UNIT(suite_reading)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_cleaned),
		cmocka_unit_test(a_program_that_counts_is_not_the_end),
		cmocka_unit_test(invalid_bytes_in_names_become_text),
		cmocka_unit_test(a_run_that_was_ended_is_not_complete),
		cmocka_unit_test(a_crash_is_a_failure_of_the_command),
		cmocka_unit_test(any_command_is_one_test),
		cmocka_unit_test(a_line_that_says_why_is_kept_in_letters_of_any_case),
		cmocka_unit_test(lines_that_are_too_long_are_cut_and_the_next_is_read),
		cmocka_unit_test(the_output_is_kept_as_head_and_tail),
		cmocka_unit_test(a_missing_module_is_the_environment),
		cmocka_unit_test(what_the_command_names_is_not_there),
		cmocka_unit_test(what_installations_lack_is_the_environment),
		cmocka_unit_test(a_class_is_missing_by_its_last_name),
		cmocka_unit_test(a_missing_command_is_the_environment),
		cmocka_unit_test(what_the_tree_should_hold_is_a_bug),
		cmocka_unit_test(what_a_build_needs_is_the_environment),
		cmocka_unit_test(one_test_that_can_be_judged_is_enough),
		cmocka_unit_test(an_option_that_the_runner_refuses_is_found),
		cmocka_unit_test(ids_and_places_begin_at_the_root_of_the_tree),
		cmocka_unit_test(damaged_output_of_every_kind_is_read),
		cmocka_unit_test(a_run_may_say_how_many_tests_it_has),
		cmocka_unit_test(what_a_test_prints_shows_no_other_format),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
