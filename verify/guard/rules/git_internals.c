/* What git runs or reads by itself: hooks, filters, its own folder. */
#include <string.h>

#include "base/glob.h"
#include "base/memory.h"
#include "verify/guard/code.h"

static const char *const parts[] = {".git/hooks", ".git/config", ".git/info/", ".git/objects",
	".git/index", ".git/refs", "core.hooksPath", "core.hookspath", "core.fsmonitor",
	"core.attributesFile"};

static bool git_internals_occurs(const struct code *code, uint32_t i)
{
	const char *text;
	size_t n;
	if (!code_string(code, i, &text, &n))
		return false;
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		if (n >= strlen(parts[p]) && memmem(text, n, parts[p], strlen(parts[p])))
			return true;
	return false;
}

static const char *git_internals_fault(
	const struct inspection *inspection, const struct changed_file *file)
{
	(void)inspection;
	static const char *const paths[] = {".git/", ".git", ".gitconfig"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (file->mode && glob_matches(paths[i], file->path))
			return "is git's own";
	return NULL;
}

static const struct reach reaches[] = {
	REACH(SHELL, "core . hooksPath"),
	REACH(SHELL, ". git / hooks|config"),
	REACH_END,
};

const struct guard_rule git_internals_rule = {
	.name = "git-internals",
	.summary = "git's hooks, filters and its own folder run or decide when nobody looks",
	.reaches = reaches,
	.occurs = git_internals_occurs,
	.fault = git_internals_fault,
};
