/* What a process writes into its environment reaches every process that it starts, and what scripts
 * export those after them. */
#include "verify/guard/code.h"

#define STEERING \
	" PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP " \
	"PYTHONHOME PYTHONOPTIMIZE PYTHONBREAKPOINT PYTHONWARNINGS PYTEST_ADDOPTS PYTEST_PLUGINS " \
	"NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB PERL5OPT PERL5LIB GOFLAGS GOROOT RUSTFLAGS " \
	"RUSTC_WRAPPER RUSTC CARGO_BUILD_RUSTFLAGS JAVA_TOOL_OPTIONS _JAVA_OPTIONS " \
	"JDK_JAVA_OPTIONS MAVEN_OPTS CLASSPATH BASH_ENV MAKEFLAGS MAKEFILES "

static const struct reach reaches[] = {
	{PYTHON, "environ [ $ ] =|+=", UNLESS_FOR_TESTS, STEERING},
	{PYTHON, "environ . $ ( $", UNLESS_FOR_TESTS, " setdefault pop __setitem__ " STEERING},
	{PYTHON, "putenv ( $", UNLESS_FOR_TESTS, STEERING},
	{PYTHON, "environ . update ( $ =", UNLESS_FOR_TESTS, STEERING},
	{PYTHON, "environ . update ( { $", UNLESS_FOR_TESTS, STEERING},
	{SCRIPT, "env . $ =|+=", UNLESS_FOR_TESTS, STEERING},
	{SCRIPT, "env [ $ ] =", UNLESS_FOR_TESTS, STEERING},
	{NATIVE, "$ ( $", UNLESS_FOR_TESTS, " setenv unsetenv " STEERING},
	REACH(NATIVE, "putenv ( \"PATH=*\"|\"LD_*\"|\"PYTHON*\""),
	{GO, "os . Setenv ( $", UNLESS_FOR_TESTS, STEERING},
	{RUST, "set_var ( $", UNLESS_FOR_TESTS, STEERING},
	REACH_UNLESS(PHP, "putenv ( \"PATH=*\"|\"PHP*\"", UNLESS_FOR_TESTS),
	{PERL, "$ENV { $ } =", UNLESS_FOR_TESTS, STEERING},
	{SHELL, "^ $ =", UNLESS_PROGRAM, STEERING},
	{SHELL, "^ export $ =", UNLESS_PROGRAM, STEERING},
	{PYTHON SCRIPT NATIVE GO RUST JAVA SHELL LUA PHP PERL, "$", 0,
		" LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV "},
	REACH_END,
};

const struct guard_rule environment_rule = {
	.name = "environment",
	.summary = "a search path or an interpreter's option that is set from within decides what "
			   "other programs run",
	.reaches = reaches,
};
