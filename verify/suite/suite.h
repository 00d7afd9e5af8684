/*
 * A suite: a test command and how its output is read. suite/ reads and compares; it never runs
 * anything. A `suite_type` is a runner (pytest, node --test, make check ...), one file each; a
 * `format` (suite/format.h) is what runners print.
 */
#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/process/process.h"
#include "base/registry.h"
#include "chat/test_report.h"
#include "verify/suite/cover.h"

/* An assertion statement of a program that is its own test. */
struct assertion {
	const char *id;   /* its text on one line, with a number if it is repeated */
	const char *text; /* as in the file */
	int first_line, last_line;
};

struct suite {
	const struct suite_type *type;
	const char *command; /* a line for sh */
	const char *dir;     /* where it is run, relative to the tree's root; NULL: there */
	const char *shown;   /* as a person would type it at the root; NULL: the command */
	const char *origin;  /* "from pyproject.toml", "from --test" */
	const char **also;   /* other suites that were found: "Makefile (make test)" */
	size_t n_also;
	/* Suites that are run one after the other and judged as one; then the command is for people. */
	struct suite *parts;
	size_t n_parts;
	const char *program; /* for a suite that is one program: its path in the tree; else NULL */
	bool is_alone;       /* no other file may change */
	bool runs_unittest;  /* the program calls unittest.main, which names its tests by -v alone */
	/* Programs that hold tests of their own: paths, NULL-terminated. They are protected by these
	 * tests, not as files. NULL: there are none. */
	const char *const *own_tests;
	const struct assertion *assertions; /* of that program, in order */
	size_t n_assertions;
	/* Formats that are read, "pytest" or "tap+jest"; NULL: those that are recognized. */
	const char *format;
	const char *report; /* the user's glob of report files in the tree; NULL: none */
	/* The user's command that runs some tests, {{tests}} in their place; NULL: the type's. */
	const char *targeted;
	/* For sh: the tests of a command that does more, such as lint, by themselves; NULL: the
	 * command. */
	const char *tests_alone;
	/* For sh, in the command's place: its tests, where only other parts of it are red at the base;
	 * NULL: the command. */
	const char *runs;
	const char *const *fail_output; /* regular expressions: a line that matches makes a run red */
	size_t n_fail_output;
	const struct changing *changing; /* its ids that change from run to run; NULL: none is known */
	const char *const *hung;         /* tests that do not end at the base */
	size_t n_hung;
	int64_t silence_ms; /* how long a test may print nothing; 0: nobody knows yet */
};

/* A test file that the gate adds to what it judges, with one test that must pass and one that must
 * fail. */
struct sentinel {
	const char *passing, *failing; /* words in the ids of these two tests and in no other */
	const char *path, *text;
};

/* How a program that tries one change after the other (warm/) keeps the tests of a suite loaded. */
struct warm_plan {
	const char *runner;     /* which program: "python", "node" */
	const char *kind;       /* the suite's kind for that program: "pytest", "program" ... */
	const char *start;      /* a line for sh up to the program: assignments and the interpreter */
	const char **arguments; /* of the suite's command after the runner's name */
	size_t n_arguments;
	bool is_prepared; /* other commands run before, whose products the tests must not need */
};

struct suite_type {
	const char *name;
	const char *summary;
	/* What it may print, in the order in which that is looked for, NULL-terminated; NULL: any
	 * format. */
	const struct format *const *formats;
	/* The command of a tree that is tested by this runner, and files at the root that show that it
	 * is, NULL-terminated. */
	const char *command;
	const char *const *markers;
	/* The file that shows that the tree is tested by this runner, or NULL; may set another command.
	 * `paths` are the tree's files, sorted; `dir` is where they can be read. NULL: by markers. */
	const char *(*detect)(const char *dir, const char *const *paths, size_t n, struct arena *arena,
		struct suite *suite);
	/* The directory above `from` in the tree at `root` whose project has what was found at `from`
	 * as a part, "" the root; sets the command that tests this part there. NULL (the member, or
	 * its answer): `from` is no part of another project, or can be tested where it is. */
	const char *(*whole)(
		const char *root, const char *from, struct arena *arena, struct suite *suite);
	/* Whether a simple command, of at least one word, starts this runner. */
	bool (*runs)(const char *const *words, size_t n);
	/* Look in the tree at what the suite's command comes to, and set its
	 * `tests_alone`. NULL: it says everything itself. */
	void (*resolve)(struct suite *suite, const char *dir, struct arena *arena);
	/* NAME=value ..., NULL: makes the runner print what the reader reads. */
	const char *const *env;
	/* NAME=value that lets it run one test at a time and say at once which; NULL: it says so. */
	const char *serial;
	/* The command to run, if the environment is not enough; NULL: as it is. `report` is a path that
	 * only this run knows, for a report file or a directory of such files. Also called for the
	 * command of `targeted`. */
	const char *(*structured)(const struct suite *suite, const char *report, struct arena *arena);
	/* A line that `structured` or `targeted` gave, for where all is built and nothing has changed
	 * since; NULL: the line itself. */
	const char *(*rerun)(const char *line, struct arena *arena);
	/* A line that `structured` or `targeted` gave, which has every test program started by `note`,
	 * a program's name, instead of by itself, so that all of them can be started again without the
	 * runner: "NOTE KIND PROGRAM ARGUMENT...". Compilers report all errors. NULL (the member, or
	 * its answer): it cannot. */
	const char *(*noted)(const char *line, const char *note, struct arena *arena);
	/* A glob of the report files that the runner writes into the tree by itself, which begins with
	 * two stars and a slash; NULL: none. */
	const char *report;
	/* The command that runs only these tests; NULL (the member, or its answer): cannot. */
	const char *(*targeted)(
		const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
	/* The command that runs all but these tests; NULL (the member, or its answer): cannot. */
	const char *(*without)(
		const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
	/* A line that runs some tests, or all, and prints which lines they run (suite/cover.h). There
	 * are no ids where the runner does not know one. NULL (the member, or its answer): it cannot.
	 */
	const char *(*cover)(
		const struct suite *suite, const struct cover_tests *tests, struct arena *arena);
	/* Set path and text of a sentinel beside the test file at `beside`, whose text may show what it
	 * needs, from its two words; false: this runner has no place for one. */
	bool (*sentinel)(const struct suite *suite, const char *beside, const char *text,
		struct arena *arena, struct sentinel *sentinel);
	/* Whether the suite's tests can be kept loaded, and how; NULL: they cannot. Strings lie in the
	 * arena. */
	bool (*warm)(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan);
	/* Programs that the command may need, NULL-terminated: those that are there are shown to
	 * the sandbox. */
	const char *const *tools;
	/* Compilers may run before the tests, and print nothing for long. */
	bool may_build;
	/* Names of directories in which it builds, beside the sources, NULL-terminated: where git
	 * ignores them, runs begin with what the user has there. */
	const char *const *builds;
	/* The same, of small directories beside all sources: the first run begins with copies. */
	const char *const *bytecode;
	/* Globs of files that an installation writes beside the sources, NULL-terminated: those that
	 * git ignores are shown. NULL: none. */
	const char *const *generated;
	/* Globs of this runner's tests and configuration, NULL-terminated: protected. */
	const char *const *tests;
	const char *const *configuration;
};

/* The types in the order in which they are looked for. */
#define SUITE_SYMBOL(name) name##_suite
#define SUITE_TYPES(_) \
	_(pytest), _(unittest), _(npm), _(jest), _(vitest), _(mocha), _(ava), _(tap), _(tape), _(uvu), \
		_(bun), _(node), _(cargo), _(nextest), _(go), _(maven), _(gradle), _(rspec), _(minitest), \
		_(phpunit), _(prove), _(busted), _(bats), _(ctest), _(meson), _(autotools), _(make), \
		_(program), _(command)
REGISTRY_DECLARE(struct suite_type, suite_types, SUITE_TYPES(SUITE_SYMBOL));

/* Find a suite: the first type that matches at `from` (a directory of the tree, "" its root), else
 * in the nearest directory above; `also` names the others that are there. `paths` are the tree's
 * files, sorted; `dir` is where they can be read. */
int suite_detect(const char *dir, const char *const *paths, size_t n, const char *from,
	struct arena *arena, struct suite *suite, struct rondo_error *err);

/* The suites of the projects below the root to which some of the tree's files belong, such as those
 * that were worked on last. Gives how many there are; up to `most` are in *ret_suites, in the
 * arena. */
size_t suite_detect_projects(const char *dir, const char *const *paths, size_t n,
	const char *const *touched, size_t n_touched, size_t most, struct arena *arena,
	struct suite **ret_suites);

/* Several suites, each with a directory of its own, as one. */
void suite_join(const struct suite *parts, size_t n, const char *origin, struct arena *arena,
	struct suite *ret_suite);

/* Of the ids of such a suite's tests, those of a part; in the arena. */
const char **suite_part_ids(const struct suite *suite, const struct suite *part,
	const char *const *ids, size_t n, struct arena *arena, size_t *ret_n);

/* The suite of a command that somebody wrote; "cd DIR && COMMAND" is a command in a directory. */
void suite_from_command(
	const char *command, const char *origin, struct arena *arena, struct suite *suite);

/* Find out what the suite's command runs in its tree, which can be read at `dir`. */
void suite_resolve(struct suite *suite, const char *dir, struct arena *arena);

/* If the command runs one program alone that holds tests of its own, these are the suite's tests.
 * */
void suite_take_program(struct suite *suite, const char *dir, struct arena *arena);

/* The suite of one program whose own assertions fail: Python, JavaScript, TypeScript. It is read
 * from `dir`. `runner` is the program that runs TypeScript here ("esbuild", "node", "tsx" or
 * "ts-node"), or NULL. */
int suite_from_program(const char *dir, const char *path, const char *runner, struct arena *arena,
	struct suite *suite, struct rondo_error *err);

/* Its command as a person would type it at the tree's root; borrowed. */
const char *suite_shown(const struct suite *suite);

/* A line for sh that runs another one in the suite's directory, in the arena; an id as the runner
 * there knows it, without that directory. */
const char *suite_line_in_dir(const struct suite *suite, const char *line, struct arena *arena);
const char *suite_runner_id(const struct suite *suite, const char *id);

/* "auto", and the names of the formats; NULL-terminated. */
extern const char *const suite_format_names[];

/* `tests_alone` as a line that can be run in the command's place; and the part of the command that
 * ended a run last, as a package manager prints it: "posttest (npm run lint)", or the command. */
const char *suite_tests_line(const struct suite *suite, struct arena *arena);
const char *suite_last_part(
	const struct suite *suite, const struct test_report *report, struct arena *arena);

/* The command as it is to be run at the tree's root, and the suite's command for some tests alone
 * (NULL: it cannot); in the arena. `report`: see suite_type; NULL: there is no place for one. */
const char *suite_command(const struct suite *suite, const char *report, struct arena *arena);
const char *suite_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);

/* The command for all but some tests; NULL: it cannot leave them out. */
const char *suite_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);

/* Such a line, for a run where all is built and nothing has changed since. */
const char *suite_rerun(const struct suite *suite, const char *line, struct arena *arena);

/* A line after which the files that the runner writes into the tree, and only those of this run,
 * are in the report's directory, too; the line itself where it writes none. */
const char *suite_line_with_reports(
	const struct suite *suite, const char *line, const char *report, struct arena *arena);

/* Such a line, with its test programs started by `note`; NULL: it cannot. */
const char *suite_noted(
	const struct suite *suite, const char *line, const char *note, struct arena *arena);

/* Whether an id stands for the whole suite: its tests are not known. */
bool suite_is_id(const struct suite *suite, const char *id);

/* What one run of a suite left. */
struct suite_output {
	int log; /* what was printed, from the descriptor's start: any size, read in bounded memory */
	const int *reports; /* report files, opened */
	size_t n_reports;
	/* The tree's root as the command saw it: absolute paths below it are made relative; or NULL. */
	const char *dir;
	const struct process_result *result;
	int64_t silent_ms;       /* how long nothing was printed before its end; 0: unknown */
	bool is_silence_its_end; /* it was stopped for that */
};

/* Read it and conclude. The report says in which formats it was read. */
int suite_read(const struct suite *suite, const struct suite_output *output, struct arena *arena,
	struct test_report *report, struct rondo_error *err);

/* How many tests the output so far says that the run has; 0: it does not say. */
size_t suite_announced(int log);

/* Give the first failing tests without a detail one: what the whole log has about each. */
int suite_explain(
	struct test_report *report, int log, struct arena *arena, struct rondo_error *err);

/* Whether a report knows the suite by its exit code alone; and whether the suite came to its end,
 * and named its tests. */
bool suite_is_one_test(const struct suite *suite, const struct test_report *report);
bool suite_names_tests(const struct suite *suite, const struct test_report *report);

/* The option of the test command that its program does not know, or NULL; in the arena. */
const char *suite_refused_option(
	const struct suite *suite, const struct test_report *report, struct arena *arena);

/* What a test or a whole suite needs and this machine does not have. */
struct lack {
	const char *what;   /* "the Python module 'x' is missing (t.py:3)" */
	const char *mend;   /* the command that gets it, or NULL */
	const char *advice; /* what else to do, where no command gets it; or NULL */
	bool is_python;
	const char *python; /* the Python package to install; NULL: the project itself */
};

/* Whether the test command names what is not there, by what was printed: a file, a directory, a
 * rule of make, a script of npm. */
bool suite_lacks_named(
	const char *command, const char *output, struct arena *arena, struct lack *ret_lack);

/* Whether a suite could not judge at all: all that is red is red because a module, plug-in or
 * command is missing. `paths` are the tree's files: what is missing from the tree itself, or only
 * misspelt, is a bug, not the environment. And the same of one red result of a report. */
bool suite_lacks(const struct suite *suite, const struct test_report *report,
	const char *const *paths, size_t n, struct arena *arena, struct lack *ret_lack);
bool suite_result_lacks(const struct test_report *report, const struct test_result *result,
	const char *const *paths, size_t n, struct arena *arena, struct lack *ret_lack);

/* What a red result lacks where it runs: "the network: Name or service not known", "a display:
 * ...", "a terminal: ...", "a database: ...", "Docker: ...". These may also be a bug: "a service:
 * Connection refused", of a server of the tree's own that does not start; "an answer on stdin,
 * ...", of a program that reads too much. NULL: none of these. */
const char *suite_network_problem(
	const struct test_report *report, const struct test_result *result, struct arena *arena);

/* --- A program that is its own test --- */

/* How the message of a result begins whose test the program did not reach. */
#define PROGRAM_NOT_REACHED "not reached"

enum program_part_kind {
	PART_ASSERTION, /* a statement or a call that fails by itself */
	PART_EXAMPLE,   /* of doctest */
	PART_TEST,      /* a function or class of tests, or what runs one */
};

/* A part of a program's text that tests it. No fix may change it. */
struct program_part {
	enum program_part_kind kind;
	size_t start, end;               /* in bytes; end is after the last */
	size_t frozen_start, frozen_end; /* the same; of an example, its whole string */
	const char *context;             /* what is around it: "def main if" */
	uint32_t block;                  /* equal for parts in one block */
};

/* The parts of a program in Python, JavaScript or TypeScript, in the order of their starts; one may
 * lie within another. Gives how many; in the arena. */
size_t program_parts(
	const char *path, const char *text, struct arena *arena, struct program_part **ret_parts);

/* Whether a program in Python has tests or examples, and what it does when it is started runs none
 * of them; then `ret_runner` is the module of Python that does. In doubt it runs them. */
bool program_only_defines_tests(
	const char *path, const char *text, const char **ret_runner, struct arena *arena);

/* Whether the tests in a program test that program, and no other file of the tree: they call what
 * it defines. `paths` are the tree's files, sorted; `dir` is where they can be read. */
bool program_tests_itself(
	const char *dir, const char *const *paths, size_t n, const char *path, struct arena *arena);

/* Whether every part of `old` is in `fixed`, unchanged, in order and in the same context. Else
 * false, and the first line of the first that does not in `ret_missing` (in the arena). */
bool program_keeps_parts(const char *path, const char *old, const char *fixed, struct arena *arena,
	const char **ret_missing);

/* The fixed text, where each part of `old` that is run prints `token` and its number: "TOKEN.3r"
 * when it is reached, "TOKEN.3p" when it has passed; and the end of the program "TOKEN.end". Lines
 * stay where they are. `marks`: else only the end. In the arena. NULL where the language allows
 * none, or a part is missing. */
const char *program_seal_text(const char *path, const char *old, const char *fixed,
	const char *token, bool marks, struct arena *arena);

/* The fixed text with one more test, which fails and says `word`, after the `part`-th of `old`. In
 * the arena. NULL: there is no place for one. */
const char *program_counter_text(const char *path, const char *old, const char *fixed, size_t part,
	const char *word, struct arena *arena);

/* What a sealed fix has to print. */
struct program_duty {
	const char *mark; /* after the token: ".3p" */
	const char *text; /* of the part, its first line */
};

/* These, going by what the sealed base printed: of the parts that were reached there, and of those
 * that follow in the same block. */
size_t program_duties(const char *path, const char *old, const char *output, const char *token,
	struct arena *arena, struct program_duty **ret_duties);

/* --- Ids that change from run to run --- */

struct changing;

/* Learn from n reports of one tree, made since a date in milliseconds since 1970, which ids change,
 * and give all reports the ids of the first. NULL: none changes, or none is known again. */
const struct changing *changing_learn(
	struct test_report *reports, size_t n, int64_t since_ms, struct arena *arena);

/* Give a later report the ids of the first. NULL changes nothing. */
void changing_apply(
	const struct changing *changing, struct test_report *report, struct arena *arena);

/* What a command that runs tests by their ids is given for this one: itself, or for one that
 * changes what stands before its parameters. NULL: nothing names it. `changing` may be NULL. */
const char *changing_selector(const struct changing *changing, const char *id, struct arena *arena);

/* As JSON, NULL of NULL; and back, with the first report as it was kept. */
struct json *changing_to_json(const struct changing *changing);
const struct changing *changing_from_json(
	const struct json *from, const struct test_report *first, struct arena *arena);

/* --- Baseline and comparison --- */

/* Tests of the goal that fail alike, and so probably for one cause. */
struct goal_group {
	const char **ids;
	size_t n;
	/* "TypeError at shop/cart.py:45", "failures in tests/test_cart.py, new" */
	const char *cause;
	bool is_new;    /* its tests are among the baseline's fresh ones, which others are not */
	bool has_place; /* the cause names a line of the product */
};

struct baseline {
	const struct test_report *first;
	const char **goal; /* ids that failed in every run (or match --goal) */
	size_t n_goal;
	struct goal_group *groups; /* of the goal, each of its ids in one; NULL: it is not divided */
	size_t n_groups;
	const char **fresh; /* of the goal: those that did not fail a few commits earlier */
	size_t n_fresh;
	const char **held; /* ids that failed at base, pass by now, and must not fail again */
	size_t n_held;
	const char **red; /* ids that failed in every run and are not the goal */
	size_t n_red;
	const char **green; /* ids that passed in every run */
	size_t n_green;
	const char **flaky; /* ids whose results differ between the runs, or that came and went */
	size_t n_flaky;
	size_t n_skipped;
	bool exit_was_red; /* the runner's exit code in the first run */
};

/* Whether a failing test is the goal: one of the patterns is its id; or a glob or a part of it, and
 * no other test's id. NULL, or none: all are. */
bool baseline_is_goal(
	const struct option_strings *patterns, const char *id, const struct test_report *report);

/* From n >= 2 complete reports. `goal`: patterns of ids, as above. */
void baseline_make(const struct test_report *const *reports, size_t n,
	const struct option_strings *goal, struct arena *arena, struct baseline *baseline);

/* Divide the goal into groups, in the order of their first tests. Where some of the goal's tests
 * are fresh, none of these is in a group with others. `is_product` says whether a fix
 * may change a line of a file. */
void baseline_group(struct baseline *baseline,
	bool (*is_product)(void *owner, const char *path, int line), void *owner, struct arena *arena);

/* Put the goal into the order of its groups. */
void baseline_sort_goal(struct baseline *baseline);

/* The same baseline with these tests of its goal alone. Others that are among the fixed ones are to
 * be held; the rest is at the end of what is red. Not divided. */
void baseline_narrow(const struct baseline *baseline, const char *const *ids, size_t n,
	const char *const *fixed, size_t n_fixed, struct arena *arena, struct baseline *ret_baseline);

/* How many groups have all of their tests among n_fixed ids, and these tests; in the arena. */
size_t baseline_fixed_groups(const struct baseline *baseline, const char *const *fixed,
	size_t n_fixed, struct arena *arena, const char ***ret_ids, size_t *ret_n);

struct comparison {
	const char **fixed; /* goal ids that pass now */
	size_t n_fixed;
	const char **failing; /* goal ids that do not */
	size_t n_failing;
	const char **broken; /* ids that passed at base and fail now */
	size_t n_broken;
	const char **missing; /* ids of the base that were not collected */
	size_t n_missing;
	const char **skipped; /* ids that passed or failed at base and are skipped or xfailed now */
	size_t n_skipped;
	const char **red_new; /* new ids that fail */
	size_t n_red_new;
	size_t n_also;       /* ids that failed at base, are not the goal, and pass now */
	bool ok;             /* the goal passes, nothing is worse, and the exit code agrees */
	const char *problem; /* if it is not ok: the first reason */
};

/* How a complete report of the whole suite compares with the baseline. */
void baseline_compare(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *comparison);

/* The same of a report of the goal's tests alone: nothing is missing, and it is never ok. */
void baseline_compare_goal(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *comparison);

/* Whether a test of the goal gave a result; with `red`: whether one failed. */
bool baseline_saw_goal(const struct baseline *baseline, const struct test_report *report, bool red);

/* Put what fails to the front of a report, but for what failed at the base and is not the goal:
 * that is no news. */
void baseline_put_first(
	const struct baseline *baseline, struct test_report *report, struct arena *arena);

/* How many tests it made worse: that broke, are missing or skipped, or are new and fail. */
size_t comparison_regressions(const struct comparison *comparison);

/* How many goal tests pass in a report, which may be of those tests alone. A command that crashed
 * at the base does not where new tests fail. */
size_t baseline_count_fixed(
	const struct baseline *baseline, const struct test_report *report, struct arena *arena);
