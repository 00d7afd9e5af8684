/*
 * The guard: what a fix must not touch (protection, by whole files) and must not do (rules, one
 * file a kind). Pure: paths, texts and reports in, findings out; it reads and runs nothing. What it
 * finds is evidence for people: a rule's name, a place, and the line itself.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/registry.h"

/* --- What is not to be touched --- */

/* Sources that the test command compiles into a program, each list ended by NULL; both are NULL
 * where only one would have an entry. */
struct compiled_sources {
	const char *const *products; /* neither test anything nor hold main() */
	const char *const *programs; /* hold main() */
};

/* What decides whether a fix is one. Lists that are not counted end with NULL, and may be NULL. */
struct protection {
	const char *command;              /* the test command: what it names */
	const char *const *own_tests;     /* programs that are protected by the tests in them */
	const char *const *tests;         /* globs of the runner's tests */
	const char *const *built_tests;   /* paths of what only a build file calls tests */
	const char *const *test_scripts;  /* the same of scripts that it runs */
	const char *const *configuration; /* and of its configuration */
	struct compiled_sources compiled; /* of the command */
	const char *const *globs;         /* the user's `protect` */
	size_t n_globs;
	const char *const *allow; /* --allow-edit: wins */
	size_t n_allow;
};

/* Sources in C and C++ of programs that a build file runs as tests; the files, sorted by path, lie
 * in `dir`. A list that a NULL ends, in the arena; NULL: there are none. */
const char *const *built_tests_find(
	const char *dir, const char *const *paths, size_t n, struct arena *arena);

/* Scripts that build files run as tests: a recipe of a target that the command makes, package.json,
 * CMake, Meson, Automake. As above. */
const char *const *test_scripts_find(
	const char *dir, const char *command, const char *const *paths, size_t n, struct arena *arena);

/* Find what the command compiles. Paths as above; strings of the result are theirs. */
void compiled_sources_find(const char *dir, const char *command, const char *const *paths, size_t n,
	struct arena *arena, struct compiled_sources *ret);

#define PROTECTED_COMMAND "protected-command"     /* the rule for what the test command names */
#define PROTECTED_ASSERTION "protected-assertion" /* and for tests within a program */
#define PROTECTED_CI "protected-ci"               /* and for what a CI service does */

/* Whether a change of a build file of make, CMake or Meson does no more than name sources in C or
 * C++ that come with it. Such a change may be believed. */
bool build_file_only_names(
	const char *path, const char *old, const char *text, const char *const *added, size_t n);

/* The rule that protects a path ("protected-test", "protected-configuration", "protected-command"
 * ...), or NULL. Static. */
const char *protection_rule(const struct protection *protection, const char *path);

/* Whether the user lets a path change. */
bool protection_allows(const struct protection *protection, const char *path);

/* Whether that rule is the one for tests, with their data and helpers. */
bool protection_is_test(const struct protection *protection, const char *path);

/* Whether a protected path that the base does not have may come with a fix: a plain test file,
 * which then must pass; never what affects other tests (conftest.py, set-up, helpers,
 * configuration). */
bool protection_allows_new(const struct protection *protection, const char *path);

/* A stretch of a text, in bytes; `end` is after the last. */
struct text_range {
	size_t start, end;
};

/* The tests that stand in a text of the program, as rule inline-tests knows them, in their order
 * and apart from each other. Gives how many; in the arena. */
size_t guard_inline_tests(const char *path, const char *text, size_t n, struct arena *arena,
	struct text_range **ret_ranges);

/* --- What is not to be done --- */

struct code;
struct reach;

/* A file that a fix changes. A renamed one is two: one goes, one comes. */
struct changed_file {
	const char *path;
	/* its bytes at the base and in the fix, a NUL after them; NULL: not there, or a submodule */
	const char *old, *text;
	size_t n_old, n_text;
	/* as git writes them: 0100644, 0100755, 0120000, 0160000; 0: not there */
	unsigned old_mode, mode;
	bool is_test; /* protection says so: of these only new ones come this far */
	bool runs_examples; /* the suite runs the examples in its text by doctest */
};

struct finding {
	const struct guard_rule *rule;
	const char *path;
	int line;             /* 0: the whole file */
	const char *evidence; /* the line, or what the file is, in words */
};

struct inspection {
	const struct changed_file *files;
	size_t n;
	const char *const *base_paths; /* all files of the base, sorted */
	size_t n_base_paths;
	const char *const *test_paths; /* those of the base's files that are tests, or belong to them */
	size_t n_test_paths;
	/* what the goal's test files say: for literals that come again in the fix */
	const char *const *test_texts;
	size_t n_test_texts;
	/* all that the files of the goal's tests say; none: there is no goal, or they are not known */
	const char *const *goal_texts;
	size_t n_goal_texts;
	struct arena *arena;
	struct finding *findings; /* those in code first */
	size_t n_findings;
	/* for rules, made by guard_inspect: each file as code, see guard/code.h */
	struct code *before, *after;
};

/*
 * What counts is what a change adds: occurrences in the fix less those at the base, over all its
 * files together. So what is moved, renamed or indented is never found, and code that did such a
 * thing at the base may still do it.
 */
struct guard_rule {
	const char *name;
	const char *summary; /* what such a change could do, in a line */
	bool marks;          /* it is reported, not refused */
	/* Any of these: what code comes to reach, up to a row without a pattern; whether a token of
	 * code begins such a thing; what is wrong with a changed file, in words, or NULL; or anything
	 * that has to look at files by itself. */
	const struct reach *reaches;
	bool (*occurs)(const struct code *code, uint32_t token);
	/* the words (or whole strings) that `occurs` is asked about, enclosed by spaces; NULL: all */
	const char *occurs_at;
	const char *(*fault)(const struct inspection *inspection, const struct changed_file *file);
	void (*inspect)(struct inspection *inspection, const struct guard_rule *rule);
};

#define RULE_SYMBOL(name) name##_rule
#define RULES(_) \
	_(runner_internals), _(early_exit), _(interpreter), _(computed_code), _(plugin), \
		_(equals_everything), _(test_only_branch), _(results_printed), _(environment), \
		_(depends_on_place), _(depends_on_time), _(depends_on_count), _(reads_tests), \
		_(leaves_process), _(disguised_name), _(shadowing_module), _(link), _(git_internals), \
		_(compiled_artefact), _(inline_tests), _(swallowed_failure), _(special_cased), \
		_(comparison_changed), _(redefined), _(silenced), _(suspicious)
REGISTRY_DECLARE(struct guard_rule, guard_rules, RULES(RULE_SYMBOL));

/* Ask every rule. Findings lie in the inspection's arena. */
void guard_inspect(struct inspection *inspection);

/* The first finding whose rule refuses, or NULL. */
const struct finding *guard_refusal(const struct inspection *inspection);

/* "shapes.py:3: import atexit (rule early-exit)"; in the arena. */
const char *finding_describe(const struct finding *finding, struct arena *arena);

/* For rules: add a finding of a file. The evidence may be any bytes. */
void guard_find(struct inspection *inspection, const struct guard_rule *rule,
	const struct changed_file *file, int line, const char *evidence);

/* For rules: whether the base has a file of that path. */
bool guard_was_there(const struct inspection *inspection, const char *path);
