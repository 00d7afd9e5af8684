/*
 * A suite: a test command and how its output is read. suite/ reads and compares; it never runs
 * anything. A `suite_type` is a runner (pytest, node --test, make check ...), one file each.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "chat/test_report.h"

/* An assertion statement of a program that is its own test. */
struct assertion {
	const char *id;   /* its text on one line, with a number where it is repeated */
	const char *text; /* as it stands in the file */
	int first_line, last_line;
};

struct suite {
	const struct suite_type *type;
	const char *command; /* a line for sh, run at the tree's root */
	const char *origin;  /* "from pyproject.toml", "from --test" */
	const char **also;   /* other suites that were found: "Makefile (make test)" */
	size_t n_also;
	const char *program; /* for a suite that is one program: its path in the tree; else NULL */
	const struct assertion *assertions; /* of that program, in order */
	size_t n_assertions;
};

/* Lines of a runner's output on their way into a report. */
struct suite_reading {
	const struct suite *suite;
	const char *dir; /* the tree's root as the command saw it, or NULL */
	struct test_report *report;
	struct arena *arena;
	void *state; /* the type's, of its state_size, zeroed */
};

struct suite_type {
	const char *name;
	const char *summary;
	size_t state_size;
	/* Whether a tree is tested by this runner: then fill in command and origin. `paths` are the
	 * tree's files, sorted; `dir` is where they can be read. NULL: never by itself. */
	bool (*detect)(const char *dir, const char *const *paths, size_t n, struct arena *arena,
		struct suite *suite);
	/* Whether a command that somebody wrote runs this runner. */
	bool (*runs)(const char *command);
	/* NAME=value ..., NULL: makes the runner print what the reader reads. */
	const char *const *env;
	/* The command as it is to be run, where the environment is not enough; NULL: as it is. */
	const char *(*structured)(const struct suite *suite, struct arena *arena);
	/* The command that runs only these tests; NULL (the member, or its answer): cannot. */
	const char *(*targeted)(
		const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
	/* One line without its newline and without escape sequences, valid UTF-8; then the end,
	 * where `complete` and `problem` are concluded. Only a program that ended by itself, or
	 * crashed, comes to `finish`. */
	void (*read_line)(struct suite_reading *reading, const char *line);
	void (*finish)(struct suite_reading *reading, const struct process_result *result);
	/* Programs that the command may need, NULL-terminated: those that are there are shown to
	 * the sandbox. */
	const char *const *tools;
	/* Globs of this runner's tests and configuration, NULL-terminated: protected. */
	const char *const *tests;
	const char *const *configuration;
};

/* The types in the order in which they are looked for. */
#define SUITE_TYPES(_) \
	_(pytest) _(unittest) _(npm) _(node) _(cargo) _(go) _(maven) _(ctest) _(make) _(program) \
	_(command)
#define SUITE_DECLARE(name) extern const struct suite_type name##_suite;
SUITE_TYPES(SUITE_DECLARE)
#undef SUITE_DECLARE
extern const struct suite_type *const suite_types[];
extern const size_t suite_types_n;

/* Find the tree's suite: the first type that matches; the others are told in `also`. The error
 * names what was looked for and `--test CMD`. */
int suite_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite, struct rondo_error *err);

/* The suite of a command that somebody wrote. */
void suite_from_command(
	const char *command, const char *origin, struct arena *arena, struct suite *suite);

/* The suite of one program whose own assertions fail: Python, JavaScript, TypeScript. It is read
 * from `dir`. `runner` is the program that runs TypeScript here ("esbuild", "node", "tsx" or
 * "ts-node"), or NULL. */
int suite_from_program(const char *dir, const char *path, const char *runner, struct arena *arena,
	struct suite *suite, struct rondo_error *err);

/* Read a run's whole output from a file descriptor's start (bounded memory, any size) and conclude.
 * `dir` is the tree's root as the command saw it: absolute paths below it are told relative to it.
 * NULL: they are told as they are. */
int suite_read(const struct suite *suite, int log_fd, const char *dir,
	const struct process_result *result, struct arena *arena, struct test_report *report,
	struct rondo_error *err);

/* Why a suite could not judge at all, in words for the user with the place that shows it: what is
 * red is red because a module or a command is missing, and nothing else is red. NULL where the
 * environment is not to blame. `paths` are the tree's files: what is missing from the tree itself
 * is a bug, not the environment. */
const char *suite_environment_problem(const struct suite *suite, const struct test_report *report,
	const char *const *paths, size_t n, struct arena *arena);

/* --- What is not to be touched --- */

struct protection {
	const struct suite *suite;
	const char *const *globs; /* the user's `protect` */
	size_t n_globs;
	const char *const *allow; /* --allow-edit: wins */
	size_t n_allow;
};

/* The rule that protects a path ("protected-test", "protected-configuration", "protected-command": the
 * test command names it ...), or NULL. */
const char *protection_rule(const struct protection *protection, const char *path);

/* Whether a path matches a glob: `*` within a part, `**` over parts, `?`, `[a-z]`; a glob without a
 * slash matches the name at any depth, one that ends in a slash all below. */
bool suite_glob(const char *glob, const char *path);

/* --- A program that is its own test --- */

/* Whether every assertion statement of `old` stands in `fixed`, unchanged and in order. Else false,
 * and the first that does not in `ret_missing` (in the arena). */
bool program_keeps_assertions(const char *path, const char *old, const char *fixed,
	struct arena *arena, const char **ret_missing);

/* The text with a last statement that prints `token`, so that it is seen to reach its end; in the
 * arena. NULL where the language allows none. */
const char *program_with_token(
	const char *path, const char *text, const char *token, struct arena *arena);

/* Byte ranges of a program's assertion statements, which no edit may touch: ends[i] is behind the
 * last byte. */
size_t program_assertions(const char *path, const char *text, struct arena *arena,
	size_t **ret_starts, size_t **ret_ends);

/* --- Baseline and comparison --- */

struct baseline {
	const struct test_report *first;
	const char **goal; /* ids that failed in every run (or match --goal) */
	size_t n_goal;
	const char **red; /* ids that failed in every run and are not the goal */
	size_t n_red;
	const char **green; /* ids that passed in every run */
	size_t n_green;
	const char **flaky; /* ids whose results differ between the runs, or that came and went */
	size_t n_flaky;
	size_t n_skipped;
	bool exit_was_red; /* the runner's exit code in the first run */
};

/* From n >= 2 complete reports. `goal_pattern`: a glob or part of ids; NULL: all that fail. */
void baseline_make(const struct test_report *const *reports, size_t n, const char *goal_pattern,
	struct arena *arena, struct baseline *baseline);

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
	bool exit_agrees;    /* non-zero only by failures that are flaky, or old and not the goal */
	bool ok;             /* DESIGN 5.5 holds: all of the above */
	const char *problem; /* where it is not ok: the first reason in words */
};

/* How a complete report of the whole suite stands against the baseline. */
void baseline_compare(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *comparison);

/* How many goal tests pass in a report, which may be of those tests alone. */
size_t baseline_count_fixed(
	const struct baseline *baseline, const struct test_report *report, struct arena *arena);
