/*
 * A run, from start to branch: what the command line (and later a scenario) asks for, and what
 * came of it. The library's upper door: prints nothing, exits nowhere.
 */
#pragma once
#include <stdatomic.h>

#include "base/json.h"
#include "base/option.h"
#include "base/strbuf.h"
#include "chat/context.h"

/* What to fix and how. Of what sets keys of the configuration, `settings` count most, then
 * `overrides`, `tree`, and the files. Strings are borrowed for the run; what is zero is not
 * said. */
struct fix_options {
	const char *path;     /* a directory within a repository, or one program; NULL: "." */
	const char *executor; /* its type */
	const char *env_file; /* keys; NULL: the environment's alone */
	struct option_settings settings; /* a list gets one more */
	struct option_strings overrides; /* "executor.image=python:3.12": any key */
	const struct yaml_node *tree;    /* as a file of the configuration has them; NULL: none */
	bool dry_run;                    /* only say what would be done */
	/* Set from outside: stop between two turns; NULL: nobody asks. */
	const atomic_bool *stop_requested;
};

/* What came of a run; each has a word and an exit code. */
enum run_outcome {
	RUN_VERIFIED,
	RUN_NOTHING_FAILS,
	RUN_DRY_RUN,
	RUN_NOT_FIXED,
	RUN_REFUSED,
	RUN_ENVIRONMENT_BROKEN,
	RUN_SUITE_BROKEN,
	RUN_ONLY_FLAKY,
	RUN_DONE,          /* a scenario without a suite: a success condition stopped it */
	RUN_STOPPED,       /* ... a limit or a stall did */
	RUN_ASSERT_FAILED, /* it ended, but not as its assertions say */
	RUN_OUTCOMES,
};

#define RUN_ERROR_WORD "error" /* what stands there for a run that could not be carried out */

const char *run_outcome_word(enum run_outcome outcome);
int run_outcome_exit_code(enum run_outcome outcome);

/* The exit code of an error: 2, 3, 75, 130 and so on; `cancel` names the signal. */
int run_error_exit_code(const struct rondo_error *err, const struct cancel *cancel);

struct run_test {
	const char *id;
	const char *message; /* why it failed; may be NULL */
	const char *place;   /* "file:line", or NULL */
};

/* What one agent spent on models, or what was spent on one model. */
struct run_spending {
	const char *name;
	int64_t calls;
	int64_t unknown_calls;    /* of these, whose tokens nobody knows */
	struct rondo_usage usage; /* of the others */
	double cost_usd;          /* of a model; below 0: not known */
};

/* "3 calls, 1234 tokens in, 56 out", with ", 0.02 USD" or ", cost unknown"; appended. */
void run_spending_describe(const struct run_spending *spending, bool with_cost, struct strbuf *sb);

/* Of what was proposed last, where a limit or the scenario left it undone. */
#define RUN_LEFT_UNEXECUTED "the last proposed code was not run"

/* --- What each stage of a run found --- */

/* Who takes part in a chat. */
struct run_participant {
	const char *name;
	const char *human_input_mode; /* "ALWAYS", "TERMINATE", "NEVER"; NULL: it cannot ask a human */
};

/* What is worked on. The journal has it, and rondo show reads it back. */
struct site_facts {
	const char *name; /* of the repository, program or scenario */
	/* of the checkout; NULL: the team only talks, and what follows is not there either */
	const char *root;
	bool has_repository; /* false: files outside any; then there is no branch */
	const char *branch;  /* the checkout's own; NULL: HEAD is detached */
	/* hashes: HEAD; the commit that the run begins with, and its tree */
	const char *head, *base, *tree;
	bool is_snapshot;                          /* the base is a snapshot of uncommitted work */
	size_t n_modified, n_untracked, n_deleted; /* files in it */
	struct option_strings borrowed; /* folders of the checkout that are shown and not copied */
	const char *command;            /* the suite's; NULL: no suite judges */
	const char *origin, *runner;    /* where the command comes from; its type */
	struct option_strings also;     /* other suites that were found */
	const char *coder; /* in a word: "repair (no model)"; NULL: the scenario's own team */
	const char *executor, *network;       /* where code runs; "none" or "host" */
	struct run_participant *participants; /* of the team, in the order in which they speak */
	size_t n_participants;
	/* what the tests see of the host, a line each; known when the site is ready */
	struct option_strings world;
};

/* What the suite says of the base. */
struct baseline_facts {
	size_t n_tests, n_passed, n_skipped; /* n_tests: without the skipped */
	const char *format;                  /* in which results are read: "pytest", "tap+jest" */
	struct run_test *goal;               /* the failing tests that are to pass */
	size_t n_goal;
	struct option_strings flaky;           /* tests that differ from run to run */
	struct option_strings order_dependent; /* goal tests that pass where they are run alone */
	int64_t duration_ms;                   /* of the first run */
};

/* What the coder without a model did. */
struct run_search {
	size_t n_tried;  /* candidates; 0: it did nothing */
	int64_t ms;      /* in which they were tried */
	bool warm;       /* by tests that were kept loaded */
	const char *end; /* why it gave up: "exhausted", "time", "candidates"; NULL: it did not */
	/* of the edit that was taken, "symbol"; NULL: it was not chosen among candidates that passed */
	const char *kind;
	/* how likely such an edit is right: "operator", "structure", "literal", "special case",
	 * "removal" */
	const char *rank;
	/* "high"; "medium": others passed that behave otherwise, or may; "low": it may only silence the
	 * tests; NULL as kind */
	const char *confidence;
	/* of those that passed: how many were given further inputs, how many then did what this one
	 * does */
	size_t n_asked, n_alike;
	struct option_strings others; /* that passed all tests too, the likeliest first */
};

/* Why a chat stopped, exactly. */
struct run_stop {
	/* its type, or such as "max_turns"; NULL: the chat came to no end of its own */
	const char *condition;
	enum rondo_stop_kind stop_kind;
	int64_t message;    /* that made it stop, by its number from 1; 0: none did */
	const char *source; /* who said that */
	size_t n_messages, n_rounds;
	bool left_unexecuted; /* the code that was proposed last was not run */
	/* all this in words: "by text_mention at message 5 of coder, after 6 messages" */
	const char *text;
};

/* What the team said. */
struct talk_facts {
	/* what was wrong, in a line: the last change that was proposed; NULL: none was */
	const char *what;
	struct option_strings edits; /* each that was proposed, in a line */
	/* what a model said with the last of them; NULL: no model proposed it */
	const char *said;
	struct run_search search;
	size_t n_fixed;          /* of the goal, in the best state that a tester saw */
	const char *stop_reason; /* in words */
	struct run_stop stop;
	int turns;           /* as max_turns counts them */
	const char *summary; /* NULL: nobody said anything */
};

/* What was spent on models. */
struct run_spent {
	const char *models; /* that were asked: "openai/x, fast"; NULL: none was */
	int64_t calls;
	struct rondo_usage usage;
	double cost_usd;  /* below 0: not wholly known */
	const char *text; /* "1234 tokens, cost unknown"; NULL: nothing was */
	/* those that asked a model, and those that were asked */
	const struct run_spending *by_agent, *by_model;
	size_t n_by_agent, n_by_model;
};

/* What the gate observed. */
struct verdict_facts {
	bool has_counts;                /* the suite ran in the gate; else the next two are not known */
	size_t n_tests, n_passed;       /* n_tests: without the skipped; new ones may have come */
	size_t n_fixed;                 /* of the goal */
	struct option_strings evidence; /* what was run, a line each */
	/* of the guard: "cart.py:3: import atexit (rule runner-internals)" */
	struct option_strings findings;
	/* changes of what is protected, with their rule: judged as in the base */
	struct option_strings left_out;
	struct option_strings dropped; /* what the fix did not need: "repro.py (a scratch file)" */
	bool sentinels_held;           /* the gate's own tests were reported as they came out */
};

/* The difference between the base and what was judged, or kept without a judgement. */
struct run_change {
	const char *stat;  /* "cart/pricing.py | 2 +-", a line a file */
	const char *patch; /* as git apply takes it */
	size_t patch_length;
	const char *path; /* where it is kept */
};

/* How a fix left the run; what was not asked for is NULL. */
struct publication {
	const char *branch, *commit; /* commit NULL: there is no branch */
	size_t n_commits;
	const char *files;        /* what a run outside a repository wrote: a directory */
	const char *patch_copy;   /* where the patch was written to as well */
	const char *applied_to;   /* the user's checkout, with --apply */
	const char *pull_request; /* the file of a pull request's text */
};

/* What a run came to. Strings and stages lie in the arena given to run_fix; a stage that was not
 * reached is NULL. */
struct run_report {
	enum run_outcome outcome;
	const char *reason;   /* in words, where it is not verified */
	const char *help;     /* what the user can do */
	const char *id, *dir; /* of the run */
	const char *name;     /* of the repository, program or scenario; NULL: it came not so far */
	const char *coder;    /* as site_facts has it */
	const struct site_facts *site;
	const struct baseline_facts *baseline;
	const struct talk_facts *talk;
	const struct verdict_facts *verdict;
	const struct run_change *change;
	const struct publication *publication;
	struct run_spent spent;
	size_t n_fixed;    /* of the goal, in the best state seen */
	const char *junit; /* the directory where JUnit files were written to as well */
	size_t n_asserts;
	const char *failed_asserts; /* a line each; NULL: all hold */
	struct option_strings notices;
	const char *limits, *team; /* as text, for a dry run */
	int64_t duration_ms;
};

/* Fix: base, baseline, chat, gate, branch. 0 with the report, whatever the outcome. -1 with err
 * where it could not be carried out or was stopped; what is known by then stands in the report.
 * `ctx`: emit, ask and cancel are the caller's; record is the run's own. */
int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err);

/* Go on with a run that broke off (NULL or "last": the newest), as run_fix does: after a crash at
 * any instant, a signal, or a fault that has passed. An error where it has ended, runs
 * elsewhere, or left a journal that cannot be trusted. `stop_requested`: as of fix_options. */
int run_resume(const char *prefix, const atomic_bool *stop_requested, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct rondo_error *err);

/* A report as one line of JSON without its newline; the caller's to free(). `failure`: why the run
 * could not be carried out (`cancel` names the signal); NULL: it was. */
char *run_report_json(const struct run_report *report, const struct rondo_error *failure,
	const struct cancel *cancel);

/* --- Scenario files --- */

/* What to run, over what the file says. Strings are borrowed for the run. */
struct scenario_options {
	const char *path;
	const char *task;                 /* in place of the file's */
	struct option_strings parameters; /* "name=value" */
	struct option_strings overrides;  /* "team.max_turns=8": any key of the file */
	const char *executor;             /* NULL: the file's, else sandbox */
	/* a directory for the files of a run outside a repository; NULL: in the run's */
	const char *out;
	const char *env_file; /* keys; NULL: .env beside the file, where there is one */
	bool dry_run;
	const atomic_bool *stop_requested; /* as of fix_options */
};

/* Read the file and run it, as run_fix does. Where it is no scenario, -1 with what is wrong
 * appended to `problems`, a line each, and the number of them in err. */
int run_scenario(const struct scenario_options *options, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct strbuf *problems,
	struct rondo_error *err);

/* The registries of what a scenario can name: agents, models, executors ..., and of what rondo list
 * names beside them (`only_named`). The last one's plural is NULL. */
struct run_family {
	const char *plural, *summary;
	const struct option_family *family;
};
extern const struct run_family run_families[];

/* The names of executors' types, as values of an option. */
extern const char *const run_executor_types[];

/* A rule of what a fix must not do (or, where it `marks`, is told of), by its index; false after
 * the last. */
bool run_rule(size_t i, const char **ret_name, const char **ret_summary, bool *ret_marks);

/* Write a commented rondo.yaml for the repository around `path`; an error where there is one
 * already. ret_file: its path. */
int run_init(const char *path, const struct context *ctx, struct arena *arena,
	const char **ret_file, struct rondo_error *err);

/* The configuration as it is in force for work at `path`: a line a setting, with its value and
 * where that comes from. */
int run_config(const char *path, struct arena *arena, struct strbuf *sb, struct rondo_error *err);

/* The keys of a scenario file. */
extern const struct option *const run_scenario_keys;

/* The key of the configuration that an option of the command line stands for, by its `key`. */
const struct option *run_config_key(const char *key);

/* What models are told: the i-th text and its name, which are static; false after the last. */
bool run_prompt(size_t i, const char **ret_name, const char **ret_text);

/* JSON Schema of scenario files; the caller's to free(). */
char *run_schema(void);

/* JSON Schema of report.json and of the last line of --json; the caller's to free(). */
char *run_report_schema(void);

/* The page rondo-scenario(5), as scdoc reads it; appended. */
void run_manual(struct strbuf *sb);

/* One scenario among many. */
struct run_case {
	const char *path;
	struct arena arena; /* holds its report */
	struct run_report report;
	const char *why; /* where it did not pass; lines */
	int exit_code;
	int64_t duration_ms;
	bool ran; /* else it was cancelled before its turn */
};

struct run_scenarios {
	int64_t jobs;                                           /* 0: as many as there are cores */
	void (*done)(void *owner, const struct run_case *item); /* told of each, one at a time */
	void *owner;
	struct run_case *cases;
	size_t n;
};

/* Run the scenarios of files and directories, several at once. -1 where a path holds none. */
int run_scenarios(struct run_scenarios *tests, const struct option_strings *paths,
	const struct context *ctx, struct arena *arena, struct rondo_error *err);
void run_scenarios_release(struct run_scenarios *tests);

/* Write what came of them to a file as JUnit XML. */
int run_scenarios_junit(
	const struct run_scenarios *tests, const char *path, struct rondo_error *err);

struct run_check {
	struct strbuf *text; /* takes a line an error: "FILE:LINE:COLUMN: what" */
	size_t n_files, n_wrong, n_problems;
};

/* Read and check files, and those of directories, without running anything. -1 where one cannot be
 * looked at. */
int run_check(const struct option_strings *paths, struct arena *arena, struct run_check *check,
	struct rondo_error *err);

/* --- Runs on disk --- */

/* ${RONDO_STATE_DIR:-${XDG_STATE_HOME:-~/.local/state}/rondo} and
 * ${XDG_CACHE_HOME:-~/.cache}/rondo; in the arena, or NULL with err set. */
const char *run_state_dir(struct arena *arena, struct rondo_error *err);
const char *run_cache_dir(struct arena *arena, struct rondo_error *err);

/* The directory of the run whose id begins with `prefix`; NULL or "last": the newest. */
const char *run_find(struct arena *arena, const char *prefix, struct rondo_error *err);

/* All ids, newest first. */
int run_list(struct arena *arena, const char ***ret_ids, size_t *ret_n, struct rondo_error *err);

/* A run in a line, for people; in the arena. "" where it is not known. */
struct run_summary {
	const char *id, *name, *outcome, *tests, *duration, *coder;
};
void run_summary(const char *id, struct arena *arena, struct run_summary *summary);

/* report.json of a run's directory; NULL where it has none. The caller's to free. */
struct json *run_report_read(const char *dir);

/* Remove the checkouts of runs that have ended or died. Gives how many, and the bytes. */
int run_collect_garbage(size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err);

/* Remove what dead runs of this machine left with services: containers, sandboxes. */
int run_collect_elsewhere(size_t *ret_n, struct rondo_error *err);

/* Remove the directories of runs, but for the newest `keep` and those younger than `age_ms` (either
 * 0: that rule alone keeps nothing), and any that is running. Gives how many, and the bytes. */
int run_remove_old(
	int64_t keep, int64_t age_ms, size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err);

/* Tell what a run recorded as it was told then. */
int run_replay(const char *dir, const struct context_emit *to, struct rondo_error *err);

/* Whether an event only tells again what was told before: to a team within, or of one. */
bool run_tells_again(const struct rondo_event *event);

/* The languages of the code blocks in a message, as their fences name them; in the arena. ret_n 0:
 * there are none. */
const char **run_code_languages(const char *content, struct arena *arena, size_t *ret_n);

/* The records as JSON Lines, the report last; appended. */
int run_show_json(const char *dir, struct strbuf *sb, struct rondo_error *err);

/* What two runs that are equal have in common: what was said, without times, ids and searches;
 * appended. */
int run_show_normal(const char *dir, struct strbuf *sb, struct rondo_error *err);

/* --- What works on this machine --- */

/* An executor, the languages or the state directory: what was found, and where it does not work
 * also why, and what mends it. */
struct doctor_line {
	const char *name;
	const char *found;      /* where it does not work: what is there nevertheless, or "" */
	const char *why, *help; /* NULL: it works; help may be "" */
	bool works, needed;     /* needed: by every run that says nothing else */
};

/* Probe executors, languages and the state directory, side by side, each for so long at most; in
 * the arena. */
void run_doctor(struct arena *arena, struct doctor_line **ret_lines, size_t *ret_n);

/* "libgit2 1.5.1  cJSON 1.7.15 ...": the versions of the libraries, as they run. */
const char *run_library_versions(struct arena *arena);
