/* The options that rondo fix, rondo verify and rondo mcp have in common, on the command line and as
 * arguments of tools. `base` is where struct fix_options, or verify_options, stands in the state
 * that they fill. Included by run/run.h. */
#pragma once
#include "base/option.h"

/* clang-format off */

/* An option for a key of the configuration, which says what it means where `help` is NULL. */
#define FIX_SETS(base, name, key_, argument_, help) \
	OPTION(name, SETTING, (base) + offsetof(struct fix_options, settings), help, \
		.key = (key_), .argument = (argument_))
#define FIX_KEY(base, name, key, argument) FIX_SETS(base, name, key, argument, NULL)

/* Which tests. */
#define FIX_TEST_OPTIONS(base) \
	FIX_KEY(base, "test", "test.command", "CMD"), \
	FIX_KEY(base, "goal", "test.goal", "PATTERN")

/* One limit by its own name. */
#define FIX_LIMIT(base, name) FIX_KEY(base, name, "limits." name, "N")

/* How a change that somebody made is judged. */
#define VERIFY_CHANGE_OPTIONS(base_) \
	OPTION("base", STRING, (base_) + offsetof(struct verify_options, base), \
		"the commit to compare with; else where the change branched off, or HEAD", \
		.argument = "REV"), \
	OPTION("fixed", STRINGS, (base_) + offsetof(struct verify_options, fixed), \
		"the id of a test that must fail at the base and pass with the change", .argument = "TEST")

/* What may be changed, what is checked, and where code runs. */
#define FIX_SITE_OPTIONS(base) \
	FIX_KEY(base, "cached-baseline", "test.cached_baseline", NULL), \
	FIX_KEY(base, "allow-edit", "allow_edit", "GLOB"), \
	FIX_KEY(base, "protect", "protect", "GLOB"), \
	FIX_KEY(base, "check", "verify.checks", "CMD"), \
	FIX_KEY(base, "mount", "workspace.mount", "PATH"), \
	FIX_SETS(base, "setup", "setup.commands", "CMD", \
		"install what the tests need: run once in the sandbox, with network, and kept"), \
	OPTION("allow-setup", BOOL, (base) + offsetof(struct fix_options, allow_setup), \
		"run the setup that the repository's rondo.yaml proposes"), \
	OPTION("executor", ENUM, (base) + offsetof(struct fix_options, executor), \
		"where code runs", .values = run_executor_types, .argument = "TYPE"), \
	OPTION("set", STRINGS, (base) + offsetof(struct fix_options, overrides), \
		"one key of the configuration, another value: executor.image=python:3.12", \
		.argument = "KEY.KEY=VALUE", .letter = 's')

/* clang-format on */
