/* What a runner picks up by itself: hooks, plugins, fixtures for every test. */
#include "verify/guard/code.h"

static const struct reach reaches[] = {
	REACH(PYTHON, "pytest_plugins|\"pytest11\"|hookimpl|\"pytest_plugins\""),
	REACH(PYTHON, "def pytest_*"),
	REACH_UNLESS(PYTHON, "autouse = True", UNLESS_FOR_TESTS),
	{PYTHON, "def $ (", UNLESS_FOR_TESTS,
		" setup_module teardown_module setUpModule tearDownModule load_tests "},
	REACH(PYTHON, "def load_tests ("),
	REACH(SCRIPT, "register ( \"*hooks*\""),
	{SCRIPT, "jest . $ (", UNLESS_FOR_TESTS, " mock unmock setMock spyOn replaceProperty "},
	{SCRIPT, "vi . $ (", UNLESS_FOR_TESTS, " mock spyOn stubGlobal stubEnv "},
	{JAVA, "implements $", UNLESS_FOR_TESTS,
		" TestExecutionListener TestExecutionExceptionHandler BeforeAllCallback "
		"AfterAllCallback TestWatcher InvocationInterceptor ExecutionCondition "
		"LauncherSessionListener "},
	REACH_END,
};

const struct guard_rule plugin_rule = {
	.name = "plugin",
	.summary =
		"a hook, plugin or fixture that the runner picks up by itself stands above every test",
	.reaches = reaches,
};
