/*
 * A suite: a test command and how its output is read. suite/ reads and compares; it never runs
 * anything. A `suite_type` is a runner (pytest, node --test, make check ...), one file each.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "chat/test_report.h"

struct suite {
	const struct suite_type *type;
	const char *command; /* a line for sh, run at the tree's root */
	const char *origin;  /* "from pyproject.toml", "from --test" */
	const char **also;   /* other suites that were found: "Makefile (make test)" */
	size_t n_also;
	const char *program; /* for a suite that is one program: its path in the tree; else NULL */
};

/* Lines of a runner's output on their way into a report. */
struct suite_reading {
	const struct suite *suite;
	struct test_report *report;
	struct arena *arena;
	void *state; /* the type's, of its state_size, zeroed */
};

struct suite_type {
	const char *name;
	const char *summary;
	size_t state_size;
	/* Whether a tree is tested by this runner: then fill in command and origin. `paths` are the tree's files,
	 * sorted; `dir` is where they can be read. NULL: never by itself. */
	bool (*detect)(const char *dir, const char *const *paths, size_t n, struct arena *arena,
		struct suite *suite);
	/* Whether a command that somebody wrote runs this runner. */
	bool (*runs)(const char *command);
	/* NAME=value ..., NULL: makes the runner print what the reader reads. */
	const char *const *env;
	/* The command as it is to be run, where the environment is not enough; NULL: as it is. */
	const char *(*structured)(const struct suite *suite, struct arena *arena);
	/* The command that runs only these tests; NULL (the member, or its answer): cannot. */
	const char *(*targeted)(const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
	/* One line without its newline, valid UTF-8; then the end. */
	void (*read_line)(struct suite_reading *reading, const char *line);
	void (*finish)(struct suite_reading *reading, const struct process_result *result);
	/* Programs that the command needs, NULL-terminated: resolved on the host and shown to the sandbox. */
	const char *const *tools;
	/* Globs of this runner's tests and configuration, NULL-terminated: protected. */
	const char *const *tests;
	const char *const *configuration;
};

/* The types in the order in which they are looked for. */
#define SUITE_TYPES(_) \
	_(pytest) _(unittest) _(npm) _(node) _(cargo) _(go) _(maven) _(ctest) _(make) _(program) _(command)
#define SUITE_DECLARE(name) extern const struct suite_type name##_suite;
SUITE_TYPES(SUITE_DECLARE)
#undef SUITE_DECLARE
extern const struct suite_type *const suite_types[];
extern const size_t suite_types_n;

/* Find the tree's suite: the first type that matches; the others are told in `also`. The error names what was
 * looked for and `--test CMD`. */
int suite_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite, struct rondo_error *err);

/* The suite of a command that somebody wrote. */
void suite_from_command(
	const char *command, const char *origin, struct arena *arena, struct suite *suite);

/* The suite of one program whose own assertions fail: Python, JavaScript, TypeScript. `runner` is the command
 * that runs TypeScript here (from the world), or NULL. */
int suite_from_program(const char *path, struct arena *arena, struct suite *suite,
	struct rondo_error *err);

/* Read a run's whole output from a file descriptor's start (bounded memory, any size) and conclude. */
int suite_read(const struct suite *suite, int log_fd, const struct process_result *result,
	struct arena *arena, struct test_report *report, struct rondo_error *err);

/* Why a suite could not judge at all, in words for the user, where its output shows that the environment is
 * broken (a module or a command is missing), or NULL; `ret_file` and `ret_line` where it was. */
const char *suite_environment_problem(
	const struct suite *suite, const struct test_report *report, struct arena *arena);

/* --- What is not to be touched --- */

struct protection {
	const struct suite *suite;
	const char *const *globs;  /* the user's `protect` */
	size_t n_globs;
	const char *const *allow;  /* --allow-edit: wins */
	size_t n_allow;
};

/* The rule that protects a path ("protected-test", "protected-configuration", "protected-ci" ...), or NULL. */
const char *protection_rule(const struct protection *protection, const char *path);

/* Whether a path matches a glob: `*` within a part, `**` over parts, `?`, `[a-z]`; a glob without a slash matches
 * the name at any depth, one that ends in a slash all below. */
bool suite_glob(const char *glob, const char *path);

/* --- A program that is its own test --- */

/* Whether every assertion statement of `old` stands in `fixed`, unchanged and in order. Else false, and the first that
 * does not in `ret_missing` (in the arena). */
bool program_keeps_assertions(const char *path, const char *old, const char *fixed,
	struct arena *arena, const char **ret_missing);

/* The text with a last statement that prints `token`, so that it is seen to reach its end; in the arena.
 * NULL where the language allows none. */
const char *program_with_token(
	const char *path, const char *text, const char *token, struct arena *arena);

/* Byte ranges of a program's assertion statements, which no edit may touch: ends[i] is behind the last byte. */
size_t program_assertions(const char *path, const char *text, struct arena *arena,
	size_t **ret_starts, size_t **ret_ends);

/* --- Baseline and comparison --- */

struct baseline {
	const struct test_report *first;
	const char **goal;  /* ids that failed in every run (or match --goal) */
	size_t n_goal;
	const char **red;   /* ids that failed in every run and are not the goal */
	size_t n_red;
	const char **green; /* ids that passed in every run */
	size_t n_green;
	const char **flaky; /* ids whose results differ between the runs, or that came and went */
	size_t n_flaky;
	size_t n_skipped;
	bool exit_was_red;  /* the runner's exit code in the first run */
};

/* From n >= 2 complete reports. `goal_pattern`: a glob or part of ids; NULL: all that fail. */
void baseline_make(const struct test_report *const *reports, size_t n, const char *goal_pattern,
	struct arena *arena, struct baseline *baseline);

struct comparison {
	const char **fixed;   /* goal ids that pass now */
	size_t n_fixed;
	const char **failing; /* goal ids that do not */
	size_t n_failing;
	const char **broken;  /* ids that passed at base and fail now */
	size_t n_broken;
	const char **missing; /* ids of the base that were not collected */
	size_t n_missing;
	const char **skipped; /* ids that passed or failed at base and are skipped or xfailed now */
	size_t n_skipped;
	const char **red_new; /* new ids that fail */
	size_t n_red_new;
	bool exit_agrees;     /* non-zero only when every failure is flaky or was failing at base outside the goal */
	bool ok;              /* DESIGN 5.5 holds: all of the above */
	const char *problem;  /* where it is not ok: the first reason in words */
};

/* How a complete report of the whole suite stands against the baseline. */
void baseline_compare(const struct baseline *baseline, const struct test_report *report,
	struct arena *arena, struct comparison *comparison);
