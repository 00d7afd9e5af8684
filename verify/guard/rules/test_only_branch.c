/* Code that asks whether it is under test can be right there and wrong everywhere else. */
#include "verify/guard/code.h"

#define VARIABLES \
	" PYTEST_CURRENT_TEST PYTEST_VERSION PYTEST_XDIST_WORKER PYTEST_RUN_CONFIG JEST_WORKER_ID " \
	"VITEST VITEST_WORKER_ID VITEST_POOL_ID NODE_TEST_CONTEXT MOCHA_COLORS BATS_TEST_NAME " \
	"BATS_VERSION GTEST_FILTER GTEST_OUTPUT CMOCKA_TEST_FILTER CMOCKA_MESSAGE_OUTPUT NEXTEST " \
	"RUST_TEST_THREADS CTEST_INTERACTIVE_DEBUG_MODE PHPUNIT_COMPOSER_INSTALL __PHPUNIT_PHAR__ " \
	"TAP_VERSION HARNESS_ACTIVE HARNESS_VERSION npm_lifecycle_event npm_lifecycle_script " \
	"npm_command MAKELEVEL MAKE_TERMOUT MAKE_TERMERR "
/* What shows how the process was called, and by whom. */
#define CALLERS \
	" argv argv0 args Args arg $argv $_SERVER @ARGV $ARGV caller " \
	"stack format_stack format_exc getStackTrace Stack Backtrace force_capture findCaller " \
	"$0 $BASH_SOURCE ${0} ${BASH_SOURCE} "
#define CONDITIONS \
	" if elif while unless ? && || assert case switch and or return not [ [[ test = := "
#define RUNNERS \
	" pytest _pytest py.test unittest nose jest vitest mocha ava tap node:test --test conftest " \
	"_pytest.runner _pytest.config "

static const struct reach reaches[] = {
	{PYTHON SCRIPT NATIVE GO RUST JAVA LUA PHP PERL, "$", UNLESS_FOR_TESTS, VARIABLES},
	{PYTHON, "\"$\" in", UNLESS_FOR_TESTS, RUNNERS},
	{PYTHON, "\"$\" not in", UNLESS_FOR_TESTS, RUNNERS},
	{PYTHON, "@ ( \"$\" )", UNLESS_FOR_TESTS, " pytest _pytest py.test conftest conftest.py "},
	{PYTHON, "== \"$\"", UNLESS_FOR_TESTS, RUNNERS},
	{PYTHON, "sys . modules . $", UNLESS_FOR_TESTS, " get keys __contains__ "},
	REACH_UNLESS(PYTHON, "__debug__", UNLESS_FOR_TESTS),
	REACH_UNLESS(PYTHON, "sys . flags . optimize", UNLESS_FOR_TESTS),
	{SCRIPT, "NODE_ENV ===|== $", UNLESS_FOR_TESTS, " test testing "},
	{SCRIPT, "includes|endsWith|startsWith|indexOf ( \"$\"", UNLESS_FOR_TESTS, RUNNERS},
	{SCRIPT, "typeof $", UNLESS_FOR_TESTS, " jest vi describe expect it beforeEach "},
	REACH(SCRIPT, "import . meta . vitest"),
	{GO, "testing . $ (", UNLESS_FOR_TESTS, " Testing Short Verbose CoverMode "},
	REACH_UNLESS(GO, "flag . Lookup ( \"test.*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(GO, "os . Args [ 0 ] , \"*test*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(GO, "\".test\"|\"-test.*\"", UNLESS_FOR_TESTS),
	{NATIVE, "# $ NDEBUG", UNLESS_FOR_TESTS, " ifdef ifndef "},
	REACH_UNLESS(NATIVE, "defined ( NDEBUG", UNLESS_FOR_TESTS),
	REACH_UNLESS(NATIVE, "defined NDEBUG", UNLESS_FOR_TESTS),
	{NATIVE, "$", UNLESS_FOR_TESTS,
		" __OPTIMIZE__ __NO_INLINE__ __SANITIZE_ADDRESS__ __COVERAGE__ "},
	REACH_UNLESS(RUST, "debug_assertions", UNLESS_FOR_TESTS),
	REACH_UNLESS(RUST, "current ( ) . name ( ) ==|!=", UNLESS_FOR_TESTS),
	REACH(RUST, "cfg ! ( test )"),
	REACH(RUST, "cfg ( not ( test"),
	REACH(RUST, "cfg_attr ( test"),
	REACH_UNLESS(JAVA, "\"org.junit*\"|\"surefire*\"", UNLESS_FOR_TESTS),
	REACH_END,
};

/* A test's file or program among the arguments or the callers. */
static bool test_only_branch_asks_caller(const struct code *code, uint32_t i)
{
	static const char *const tests[] = {".test", "_test", "test_", "/test", "test/", "tests/",
		"/deps/", "spec.", "Test.java", "pytest", "unittest", "jest", "mocha", "vitest",
		"node:test", "internal/test", NULL};
	bool asks = code_in(code, i, CALLERS) || code_expands(code, i, " 0 BASH_SOURCE ");
	return asks && code_around_in(code, i, CONDITIONS) && code_around_says(code, i, tests);
}

/* A choice of what to return: `return NODE_ENV === "production" ? a : b`. */
static bool test_only_branch_chooses_by_mode(const struct code *code, uint32_t i)
{
	return code_in(code, i, " NODE_ENV BABEL_ENV ") && code_around_in(code, i, " return => ") &&
		code_around_in(code, i, " ? if ") && code_around_in(code, i, " === !== == != ");
}

static bool test_only_branch_occurs(const struct code *code, uint32_t i)
{
	if (code->for_tests)
		return false;
	return code_expands(code, i, VARIABLES) || test_only_branch_asks_caller(code, i) ||
		test_only_branch_chooses_by_mode(code, i);
}

const struct guard_rule test_only_branch_rule = {
	.name = "test-only-branch",
	.summary = "code that asks whether it is under test can behave there and nowhere else",
	.reaches = reaches,
	.occurs = test_only_branch_occurs,
};
