/* Scripts of package.json, and the tests that a line runs by them. Only text is read; nothing is
 * run. */
#pragma once
#include "base/json/json.h"
#include "verify/suite/runners/runner_call.h"

/* Whether packages are not in node_modules: yarn alone finds them (Plug'n'Play). */
bool script_has_pnp(const char *dir, struct arena *arena);

/*
 * The tests alone that a line runs: for sh, with the scripts of package.json in `dir` in place of
 * the package manager, without linters and coverage, up to the last runner. NULL: that is the line
 * itself, or it cannot be told. In the arena.
 */
const char *script_tests_of(const char *line, const char *dir, struct arena *arena);

/* Whether such a line does more before its tests than look at the tree and remove files, so that it
 * may build what they need; also where it cannot be told. */
bool script_prepares(const char *line, const char *dir, struct arena *arena);

/* The words with which the runners of a line may be given test files; in the arena. */
size_t script_files_of(const char *line, struct arena *arena, const char *const **ret_files);

/* The script of package.json that has to be run before a line whose tests load what that makes, and
 * which does not run it; NULL: none. `paths` are the files of the tree at `dir`, sorted. */
const char *script_build_before(const char *line, const struct json *package, const char *dir,
	const char *const *paths, size_t n, struct arena *arena);

/* The same line without runners that are given other test files than those with which the ids
 * begin. In the arena. */
const char *script_tests_for(
	const char *line, const char *const *ids, size_t n, struct arena *arena);

/* The one runner that such a line starts; of several, the one that is not given test files. true in
 * *ret_prepared: other commands come before it. false: there is none, or sh or a launcher has a
 * part in what it is. */
bool script_find_runner(
	const char *line, struct arena *arena, struct runner_call *ret_call, bool *ret_prepared);

/* The next command of a line, up to "&&" or ";"; NULL: the line is over. *ret_command is empty
 * where it is more than a simple command. In the arena. */
const char *script_next(const char **line, struct arena *arena, struct simple_command *ret_command);
