/* A run, from start to branch: what the command line asks for. The library's upper door: prints
 * nothing, exits nowhere. */
#pragma once
#include <stdatomic.h>

#include "base/json/json.h"
#include "chat/test_report.h"
#include "run/fix_options.h"
#include "run/run_report.h"

/* What a run may spend at most, whatever its limits say; 0: no more than these. */
struct run_most {
	int64_t tokens;
	double usd;
};

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
	bool allow_setup;                /* run the setup that the repository proposes */
	/* real paths of directories: the repository and where it keeps its data must lie below one of
	 * them; NULL: anywhere */
	const struct option_strings *within;
	struct run_most most;
	/* Set from outside: stop between two turns; NULL: nobody asks. */
	const atomic_bool *stop_requested;
};

/* Fix: base, baseline, chat, gate, branch. 0 with the report, whatever the outcome. -1 with err
 * where it could not be carried out or was stopped; what is known by then stands in the report.
 * `ctx`: emit, ask and cancel are the caller's; record is the run's own. */
int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err);

/* A change that somebody else made, and how it is judged. */
struct verify_options {
	struct fix_options fix; /* where, and how tests are run; model and coder are not asked */
	const char *change; /* a revision, the name of a patch, or "-"; NULL: the uncommitted work */
	/* the same where no file may be meant: a revision, or a patch's text; both NULL: as `change` */
	const char *revision, *patch;
	const char *base;   /* a revision; NULL: where the change branched off, or HEAD */
	struct option_strings fixed; /* tests that must fail before and pass after */
	/* Take a cached baseline that is no older, in ms since 1970; 0: only as the configuration says.
	 */
	int64_t cached_since_ms;
};

/* Judge a change as run_fix judges its own: baseline, gate, report; no coder, no branch. A change
 * that cannot be read or applied is an error. */
int run_verify(const struct verify_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err);

/* Say what the suite says at HEAD, and end: which tests fail. Nothing is changed. */
int run_baseline(const struct fix_options *options, const struct context *ctx, struct arena *arena,
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
	bool force;   /* files of the user's may be overwritten by those of the run */
	bool is_task; /* one of the file's batch; else a file with one is refused */
	struct run_most most;
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

/* Append a line for each type of model: who runs it, the variable of its key and whether that is
 * set, where it is asked. */
void run_models(struct arena *arena, struct strbuf *text);

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

/* All ids: so many of the newest, newest first, and the others behind them in no order. */
int run_list(struct arena *arena, size_t most, const char ***ret_ids, size_t *ret_n,
	struct rondo_error *err);

/* A run in a line, for people; in the arena. "" where it is not known. */
struct run_summary {
	const char *id, *name, *outcome, *tests, *duration, *coder;
};
void run_summary(const char *id, struct arena *arena, struct run_summary *summary);

/* report.json of a run's directory; NULL where it has none. The caller's to free. */
struct json *run_report_read(const char *dir);

/* Of such a report, the attempts where there are several; in the arena. */
void run_report_attempts(
	const struct json *json, struct arena *arena, struct run_report *ret_report);

/* Remove the checkouts of runs that have ended or died. Gives how many, and the bytes. */
int run_collect_garbage(size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err);

/* Remove what setups left and nobody used for `age_ms`. Gives how many, and the bytes. */
int run_collect_setups(int64_t age_ms, size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err);

/* Remove what dead runs of this machine left with services: containers, sandboxes. */
int run_collect_elsewhere(size_t *ret_n, struct rondo_error *err);

/* Remove the directories of runs, but for the newest `keep` and those younger than `age_ms` (either
 * 0: that rule alone keeps nothing), and any that is running. Gives how many, and the bytes. */
int run_remove_old(
	int64_t keep, int64_t age_ms, size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err);

/* Tell what a run recorded as it was told then. */
int run_replay(const char *dir, const struct context_emit *to, struct rondo_error *err);

/* What a run does after an event, in a word; NULL: what it did before. */
const char *run_stage(const struct rondo_event *event);

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

/* A run as one HTML page that needs nothing else and runs nothing of what it shows; appended, or
 * written to a file. */
int run_show_html(const char *dir, struct strbuf *sb, struct rondo_error *err);
int run_write_html(const char *dir, const char *file, struct rondo_error *err);

/* All tasks of a batch, or all runs, as a page with a table and plots, and a page of each run
 * beside its report: index.html in the batch's directory, or in the state directory. ret_file: its
 * path, in the arena. */
int run_batch_html(
	const char *dir, struct arena *arena, const char **ret_file, struct rondo_error *err);
int run_list_html(struct arena *arena, const char **ret_file, struct rondo_error *err);

/* Whether a directory is a batch's. */
bool run_is_batch(const char *dir);

/* What became of a test, the most telling first. */
enum run_test_change {
	RUN_TEST_FIXED,
	RUN_TEST_BROKEN,
	RUN_TEST_GONE, /* it is not run any more */
	RUN_TEST_RED,
	RUN_TEST_NEW,
	RUN_TEST_SKIPPED,
	RUN_TEST_GREEN,
	RUN_TEST_CHANGES
};

/* A test before and after; NULL: it was not run then. */
struct run_test_pair {
	const struct test_result *before, *after;
	enum run_test_change change;
};

/* What the suite said test by test, of a run that has ended. */
struct run_tests {
	struct test_report before, after;
	bool has_before, has_after;
	bool is_judged;              /* `after` is the gate's; else what a tester saw last */
	struct run_test_pair *tests; /* each once, by change */
	size_t n, counts[RUN_TEST_CHANGES];
};

/* Read it from what the run keeps; in the arena. -1: the journal cannot be read. */
int run_tests_read(
	const char *dir, struct arena *arena, struct run_tests *ret_tests, struct rondo_error *err);

enum run_span_kind {
	RUN_SPAN_CHECKOUT,
	RUN_SPAN_BASELINE,
	RUN_SPAN_CHAT,
	RUN_SPAN_TURN,
	RUN_SPAN_CALL, /* of a model */
	RUN_SPAN_SUITE,
	RUN_SPAN_SEARCH,
	RUN_SPAN_GATE,
	RUN_SPAN_RESULT,
	RUN_SPAN_RESUMED,
};

/* What was done for some time: a stage of a run, or a part of one. */
struct run_span {
	enum run_span_kind kind;
	const char *what;    /* "turn 3: coder" */
	const char *who;     /* took the turn or asked the model, "team/coder" within a team; or NULL */
	size_t depth;        /* 0: a stage; 1: within one, such as a turn; 2: within that */
	int64_t from_ms, ms; /* since the run began; how long */
	bool is_open;        /* it did not end: the run broke off */
	bool is_good;        /* of a suite: all of it passed */
};

/* All of them in the order in which they began, those of several attempts one attempt after the
 * other, from the journal; in the arena. ret_ms: how long the run took. */
int run_timeline(const char *dir, struct arena *arena, struct run_span **ret_spans, size_t *ret_n,
	int64_t *ret_ms, struct rondo_error *err);

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

/* The same of a repository: its tests, and what they need that is there or missing. Nothing is
 * run. */
int run_doctor_repository(const char *path, struct arena *arena, struct doctor_line **ret_lines,
	size_t *ret_n, struct rondo_error *err);

/* The same of a model, by its name or its key in the configuration: it is asked one short question.
 * `env_file` may be NULL. */
int run_doctor_model(const char *name, const char *env_file, const struct context *ctx,
	struct arena *arena, struct doctor_line **ret_lines, size_t *ret_n, struct rondo_error *err);

/* "libgit2 1.5.1  cJSON 1.7.15 ...": the versions of the libraries, as they run. */
const char *run_library_versions(struct arena *arena);

/* --- Other programs' agents: the Model Context Protocol --- */

/* What holds for every call, whoever calls. */
struct mcp_options {
	struct fix_options fix; /* without path, tree and a dry run */
	/* the directories that calls may name; none: those that the client names, or the repository
	 * around the current directory */
	struct option_strings roots;
	int in, out; /* descriptors that the client writes to and reads from; may be the same */
};

/* Serve one client until it closes, or the token fires: then all calls are cancelled, and it
 * returns when they have ended. SIGPIPE is to be ignored. -1 where it was cancelled, or cannot
 * begin. */
int run_mcp(
	const struct mcp_options *options, const struct cancel *cancel, struct rondo_error *err);

/* For a client in a box, where nothing can be judged: pass bytes between two descriptors and a
 * server that listens at a unix socket, until either closes. */
int run_mcp_connect(
	const char *socket, int in, int out, const struct cancel *cancel, struct rondo_error *err);

/* In the box of an external agent, where nothing can be judged: ask rondo, which listens at this
 * unix socket, to judge the agent's files as they are; as run_verify. ret_told: the same as rondo
 * mcp tells it, as JSON, in the arena. -1, too, where the answer is that nothing is judged now. */
int run_ask_verdict(const char *socket, const struct context *ctx, struct arena *arena,
	const char **ret_told, struct run_report *report, struct rondo_error *err);

/* The environment variable that says in such a box where the socket is. */
#define RUN_MCP_SOCKET "RONDO_MCP_SOCKET"

/* --- Many tasks --- */

#include "run/batch/batch.h"
