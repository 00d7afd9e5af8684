/*
 * Whether what is red is due to the environment: a missing module, package or command. Each red
 * test must be; a test that fails for another reason can be judged. If the tree itself should have
 * the module, its absence is a bug.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/lines.h"
#include "verify/suite/location.h"
#include "verify/suite/suite.h"

enum { NAME = 256 };

/* How a runner says that something is missing: the words before its name. */
static const struct sign {
	const char *start;
	const char *what; /* the word for it, before the name */
} signs[] = {
	{"ModuleNotFoundError: No module named '", "the Python module"},
	{"ImportError: No module named '", "the Python module"},
	{"python3: No module named ", "the Python module"},
	{"python: No module named ", "the Python module"},
	{"Cannot find module '", "the Node module"},
	{"Cannot find package '", "the Node module"},
	{"Failed to resolve import \"", "the Node module"},
	{"Failed to load url ", "the Node module"},
	{"no required module provides package ", "the Go module"},
	{"cannot find module providing package ", "the Go module"},
	{"no matching package named `", "the Rust crate"},
	{"failed to get `", "the Rust crate"},
	{"failed to download `", "the Rust crate"},
	{"Cannot access central", "a Maven artifact"},
	{"Could not resolve dependencies", "a Maven artifact"},
};

/* "sh: 1: foo: not found", "bash: line 1: foo: command not found", "env: 'foo': No such file or
 * directory", "make: foo: No such file or directory". */
static bool environment_find_command(const char *text, char name[NAME])
{
	static const char *const ends[] = {": not found", ": command not found",
		"': No such file or directory", ": No such file or directory"};
	static const char *const starts[] = {"sh: *", "/bin/sh: *", "bash: *", "/bin/bash: *", "env: *",
		"/usr/bin/env: *", "make: *", "make[*", NULL};
	bool known = line_matches_any(text, starts);
	for (size_t i = 0; i < ARRAY_SIZE(ends) && known; i++) {
		const char *end = strstr(text, ends[i]), *start = end;
		while (start && start > text && !isspace((unsigned char)start[-1]) &&
			!strchr("'\"", start[-1]))
			start--;
		if (!end || start == end || end[strlen(ends[i])])
			continue;
		size_t n = (size_t)(end - start);
		text_copy(name, n + 1 < NAME ? n + 1 : NAME, start);
		return true;
	}
	return false;
}

static const struct sign *environment_find_module(const char *text, char name[NAME])
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		const char *at = strstr(text, signs[i].start);
		if (!at)
			continue;
		at += strlen(signs[i].start);
		size_t n = strcspn(at, "'`\";, ");
		text_copy(name, n + 1 < NAME ? n + 1 : NAME, at);
		return &signs[i];
	}
	return NULL;
}

/* Whether some part of a path, without its suffix, is a name: then the tree has that module. */
static bool environment_has_part(const char *path, const char *name, size_t n)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (strncmp(part, name, n) == 0 && (part[n] == '/' || text_starts_with(part + n, ".py")))
			return true;
	}
	return false;
}

/* Whether a module is the tree's own, so that its absence is a bug. */
static bool environment_is_own(const char *name, const char *const *paths, size_t n)
{
	if (strchr("./", *name))
		return true;
	const char *scoped = *name == '@' && strchr(name, '/') ? strchr(name, '/') + 1 : name;
	size_t length = strcspn(scoped, "./");
	for (size_t i = 0; i < n; i++)
		if (environment_has_part(paths[i], scoped, length))
			return true;
	return false;
}

/* What a text says is missing, in words, or NULL. */
static const char *environment_missing_in(
	const char *text, const char *const *paths, size_t n, struct arena *arena)
{
	char name[NAME];
	const struct sign *sign = environment_find_module(text, name);
	if (!sign)
		return environment_find_command(text, name)
			? arena_printf(arena, "the command '%s' is missing", name)
			: NULL;
	bool dotted = text_starts_with(sign->what, "the Go");
	if (!dotted && environment_is_own(name, paths, n))
		return NULL;
	return text_starts_with(sign->what, "a ")
		? arena_printf(arena, "%s is missing", sign->what)
		: arena_printf(arena, "%s '%s' is missing", sign->what, name);
}

/* The first line of the output that says so, for a run without results of its own. */
static const char *environment_missing_in_output(
	const char *output, const char *const *paths, size_t n, struct arena *arena)
{
	const char *found = NULL;
	AUTO_ARENA scratch = ARENA_INIT;
	for (const char *at = output; *at && !found;) {
		size_t length = strcspn(at, "\n");
		found = environment_missing_in(arena_strndup(&scratch, at, length), paths, n, arena);
		at += length + (at[length] == '\n');
	}
	return found;
}

const char *suite_environment_problem(const struct suite *suite, const struct test_report *report,
	const char *const *paths, size_t n, struct arena *arena)
{
	const char *output = report->output ? report->output : "";
	bool by_exit_code = report->n == 1 && strcmp(report->results[0]->id, suite->command) == 0;
	if (report->exit_code == 0)
		return NULL;
	if (!report->complete || by_exit_code)
		return environment_missing_in_output(output, paths, n, arena);
	const char *problem = NULL;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		const char *message = result->message ? result->message : "";
		const char *missing = environment_missing_in(message, paths, n, arena);
		if (!missing)
			return NULL;
		if (!problem && result->file)
			missing = arena_printf(arena, "%s (%s:%d)", missing, result->file, result->line);
		if (!problem)
			problem = missing;
	}
	return problem;
}
