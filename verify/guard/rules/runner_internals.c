/* A test runner runs in the same process as what it tests: whoever reaches into it decides what it
 * says. */
#include "verify/guard/code.h"

#define SCRIPT_GLOBALS \
	" expect assert it test describe before after beforeEach afterEach beforeAll afterAll " \
	"suite jest vi chai should "
#define SCRIPT_ASSERTIONS \
	" ok equal notEqual strictEqual notStrictEqual deepEqual deepStrictEqual " \
	"notDeepStrictEqual throws rejects fail match AssertionError toBe toEqual extend "
#define SCRIPT_RUNNERS \
	" node:test node:test/reporters test/reporters vitest @jest/globals @jest/core jest-circus " \
	"jest-runner expect mocha chai ava tap tape jasmine uvu @japa/runner @playwright/test "
#define ASSERTION_MODULES " assert node:assert assert/strict node:assert/strict "
#define C_ASSERTIONS \
	" assert assert_true assert_false assert_int_equal assert_int_not_equal " \
	"assert_string_equal assert_memory_equal assert_null assert_non_null assert_ptr_equal " \
	"assert_in_range assert_float_equal fail_msg cmocka_unit_test cmocka_run_group_tests TEST " \
	"TEST_F TEST_P TEST_CASE CHECK REQUIRE SUBCASE START_TEST ASSERT_EQ ASSERT_NE ASSERT_LT " \
	"ASSERT_LE ASSERT_GT ASSERT_GE ASSERT_TRUE ASSERT_FALSE ASSERT_STREQ ASSERT_THAT " \
	"ASSERT_NEAR END_TEST ck_assert RUN_TEST UNITY_BEGIN UNITY_END NDEBUG main exit abort " \
	"return if while for else int bool strcmp strncmp memcmp strcasecmp printf fprintf puts " \
	"fputs "
#define C_RUNTIME \
	" __assert_fail __assert_rtn __assert __assert_perror_fail _assert_true _assert_int_equal " \
	"_assert_int_not_equal _assert_string_equal _assert_memory_equal _assert_return_code _fail " \
	"_cmocka_run_group_tests cmocka_set_message_output cmocka_set_test_filter " \
	"cmocka_set_skip_filter __libc_start_main __cxa_throw __stack_chk_fail UnityFail UnityEnd " \
	"UnityConcludeTest UnityAssertEqualNumber "
#define C_FUNCTIONS \
	" exit _exit _Exit abort strcmp strncmp memcmp strcasecmp printf vprintf fprintf puts fputs " \
	"atexit "

#define LUA_BASIS \
	" assert error pcall xpcall type tostring rawequal ipairs pairs next select print "
#define LUA_RUNNERS " luaunit busted busted.core luassert lust telescope lunit u-test "

static const struct reach reaches[] = {
	REACH(PYTHON, "_pytest|pluggy|TestResult|TextTestResult|TextTestRunner"),
	REACH_UNLESS(PYTHON, "open|Path ( \"test*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "writeFileSync ( \"test*\"|\"./test*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "import|from pytest|unittest|nose", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "from mock import", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "import mock", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "SkipTest|\"SkipTest\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "doctest . unittest", UNLESS_FOR_TESTS),
	REACH(PYTHON, "pytest|unittest|TestCase|doctest . @ ="),
	REACH(PYTHON, "pytest|unittest . @ . @ ="),
	REACH(PYTHON, "unittest . @ . @ . @ ="),
	{PYTHON, "unittest . $", 0, " result runner case loader suite "},
	{PYTHON, "from unittest . $", 0, " result runner case loader suite "},
	{PYTHON, "setattr ( $ ,", 0, " pytest unittest TestCase AssertionError "},
	REACH(PYTHON, "setattr ( unittest . @ ,"),
	REACH(PYTHON, "class AssertionError"),
	REACH(PYTHON, "AssertionError ="),
	{SCRIPT, "require|import ( \"$\" )", UNLESS_FOR_TESTS, SCRIPT_RUNNERS},
	{SCRIPT, "from|import \"$\"", UNLESS_FOR_TESTS, SCRIPT_RUNNERS},
	{SCRIPT, "globalThis|global|window . $ =", 0, SCRIPT_GLOBALS},
	{SCRIPT, "globalThis|global [ $ ] =", 0, SCRIPT_GLOBALS},
	{SCRIPT, "assert|strict|default . $ =", 0, SCRIPT_ASSERTIONS},
	{SCRIPT, "assert . strict . $ =", 0, SCRIPT_ASSERTIONS},
	REACH(SCRIPT, "assert [ ... ] ="),
	REACH_UNLESS(SCRIPT, "expect . extend (", UNLESS_FOR_TESTS),
	{SCRIPT, "$ ( assert ,", 0, " assign defineProperty defineProperties setPrototypeOf set "},
	{SCRIPT, "$ ( require ( \"assert*\"|\"node:assert*\" )", 0,
		" assign defineProperty defineProperties setPrototypeOf set Proxy "},
	{SCRIPT, "$ !assert = require ( \"$\" )", UNLESS_FOR_TESTS,
		" const let var " ASSERTION_MODULES},
	{SCRIPT, "import !assert from \"$\"", UNLESS_FOR_TESTS, ASSERTION_MODULES},
	{SCRIPT, "* as @ from \"$\"", UNLESS_FOR_TESTS, ASSERTION_MODULES},
	REACH(SCRIPT, "AssertionError . @ ="),
	{SCRIPT, "Object . assign ( $ ,", 0, " expect jest vi chai "},
	REACH(SCRIPT, "require ( \"assert*\"|\"node:assert*\" ) . @ ="),
	REACH(SCRIPT, "Assertion . prototype|overwrite*"),
	REACH_UNLESS(SCRIPT, "Assertion . addMethod", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "\"jest-*\"|\"@vitest/*\"", UNLESS_FOR_TESTS),
	{NATIVE, "# define|undef $", 0, C_ASSERTIONS},
	REACH(NATIVE, "# define EXPECT_*|REQUIRE_*|TEST_ASSERT*"),
	REACH_UNLESS(NATIVE, "# include < cmocka . h >", UNLESS_FOR_TESTS),
	REACH_UNLESS(NATIVE, "# include < gtest|catch2 /", UNLESS_FOR_TESTS),
	{NATIVE, "$", 0, C_RUNTIME},
	REACH(NATIVE, "__wrap_*|__real_*"),
	{" c ", "void|int $ (", 0, C_FUNCTIONS},
	REACH(NATIVE, "testing :: internal|UnitTest"),
	REACH(NATIVE, "namespace testing|Catch|doctest"),
	REACH_UNLESS(GO, "^ \"testing\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(GO, "import \"testing\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(GO, "\"testing/*\"|\"github.com/stretchr/testify*\"", UNLESS_FOR_TESTS),
	REACH(GO, "testing . MainStart"),
	REACH(GO, "testing . Main|Init ("),
	REACH(GO, "func TestMain"),
	REACH(GO, "flag . Set ( \"test.*\""),
	{GO, "flag . CommandLine . $ (", UNLESS_PROGRAM, " Lookup Set Visit VisitAll "},
	{RUST, "macro_rules ! $", 0, " assert assert_eq assert_ne debug_assert panic "},
	REACH(RUST, "extern crate test"),
	REACH(RUST, "feature ( test|custom_test_frameworks )"),
	REACH_UNLESS(JAVA, "org . junit|testng|hamcrest", UNLESS_FOR_TESTS),
	REACH(JAVA, "org . junit . platform"),
	REACH(JAVA, "org . junit . runner . notification"),
	REACH(JAVA, "package org . junit"),
	REACH(JAVA, "package junit"),
	{SHELL, "^ $ ( )", 0,
		" exit return test diff cmp grep expr cat sed awk echo printf true false set trap command "
		"builtin eval source "},
	{SHELL, "function $", 0,
		" exit return test diff cmp grep expr cat sed awk echo printf true false set trap command "
		"builtin eval source "},
	{SHELL, "^ alias $", 0,
		" exit return test diff cmp grep echo printf true false set trap [ if while eval . "
		"source "},
	REACH(SHELL, "^ alias [*"),
	REACH(SHELL, "^ alias \"[*\"|\"test=*\""),
	REACH(SHELL, "^ trap ? DEBUG"),
	REACH_UNLESS(SHELL, "^ assert* ( )", UNLESS_FOR_TESTS),
	REACH(SHELL, "^ enable - n"),
	REACH_UNLESS(PHP, "function assert* (", UNLESS_FOR_TESTS),
	REACH_UNLESS(PHP, "PHPUnit|Pest \\", UNLESS_FOR_TESTS),
	REACH(PHP, "namespace PHPUnit"),
	{PHP, "$ (", 0, " assert_options uopz_set_return runkit7_function_redefine "},
	{PHP, "ini_set ( $", 0,
		" assert.active assert.exception assert.callback zend.assertions auto_prepend_file "
		"auto_append_file "},
	REACH_UNLESS(PERL, "use|require Test ::", UNLESS_FOR_TESTS),
	REACH(PERL, "Test :: Builder"),
	REACH(PERL, "Test2 ::"),
	REACH(PERL, "* Test ::"),
	REACH(PERL, "package|sub Test ::"),
	{PERL, "* main :: $", 0, " ok is isnt like unlike is_deeply cmp_ok fail pass done_testing "},
	{PERL, "sub main :: $", 0, " ok is isnt like unlike is_deeply cmp_ok fail pass done_testing "},
	{LUA, "function $ (", 0, LUA_BASIS},
	{LUA, "^ $ =", 0, LUA_BASIS},
	{LUA, "_G|_ENV . $ =", 0, LUA_BASIS},
	{LUA, "rawset ( $ ,", 0, " _G _ENV "},
	{LUA, "setmetatable ( $ ,", 0, " _G _ENV string os io "},
	{LUA, "require ( \"$\"", UNLESS_FOR_TESTS, LUA_RUNNERS},
	{LUA, "require \"$\"", UNLESS_FOR_TESTS, LUA_RUNNERS},
	REACH_END,
};

const struct guard_rule runner_internals_rule = {
	.name = "runner-internals",
	.summary = "code that reaches into the test runner or its assertions can decide what they say",
	.reaches = reaches,
};
