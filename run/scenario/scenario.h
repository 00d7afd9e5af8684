/*
 * A scenario: what a team is and what it shall do. Read from a file, over the user's configuration;
 * or made by rondo fix from its options. Plain data: run/components.h makes the things. Inside run/
 * only.
 */
#pragma once
#include "base/json/json.h"
#include "base/secrets.h"
#include "executors/executor.h"
#include "run/scenario/parameter.h"

struct agent_type;

struct scenario_workspace {
	const char *repo;            /* a checkout; NULL: files, copy or nothing */
	struct option_texts files;   /* made in an empty directory */
	const char *copy;            /* a directory whose files are copied there, or one program */
	struct option_strings mount; /* further ignored folders that tests need */
	const char *on_dirty;        /* "snapshot", "head", "refuse" */
	const char *commit;          /* a revision to work on; NULL: what is checked out */
	const char *patch;           /* its text, put on top of that first; NULL: none */
};

struct scenario_setup {
	struct option_strings commands; /* that install what the tests need; with network */
	int64_t size;                   /* bytes that the kept results of all setups may take */
};

struct scenario_test {
	const char *command;  /* NULL: found */
	struct option_strings goal; /* patterns of ids; none: all that fail */
	const char *format;   /* "auto", or the one in which results are read */
	const char *report;   /* a glob of report files in the tree; NULL: the runner's own */
	const char *targeted; /* a command that runs {{tests}}; NULL: the runner's own */
	struct option_strings fail_output; /* regular expressions */
	int64_t repeat;                    /* runs of the baseline */
	bool cached_baseline;              /* one of an earlier run will do */
};

struct scenario_verify {
	bool all;                         /* a fix in part is none */
	int64_t repeat;                   /* runs of the gate */
	bool sentinels;                   /* the second brings tests of rondo's own */
	bool counter_tests;               /* wrong copies of tests have to fail */
	bool clean_up;                    /* drop what the fix does not need */
	struct option_strings checks;     /* commands that have to end with 0 */
	const char *hidden;               /* the command of a suite that no agent sees; NULL: none */
	struct option_texts hidden_files; /* its files */
	const char *hidden_copy;          /* or a directory of them */
};

struct scenario_limits {
	int64_t turns;
	int64_t time_ms, block_ms;
	int64_t repair_ms;  /* 0: a minute, and less before a model */
	int64_t candidates; /* 0: as many as there is time for */
	int64_t suite_ms;   /* 0: five times the baseline, at least a minute */
	int64_t silence_ms; /* 0: 20 s, a minute where compilers work, none where suite_ms is set */
	int64_t tokens;     /* 0: no limit */
	double cost_usd;
};

enum { ATTEMPTS_MOST = 64 };

struct scenario_attempts {
	int64_t n;
	int64_t parallel;   /* 0: all at once */
	const char *select; /* "first", "smallest", "agreed", "all" */
};

struct scenario_output {
	const char *branch, *patch, *files;
	const char *junit;                /* a directory */
	const char *pull_request;         /* a file */
	const char *subject;              /* of the commit; NULL: made */
	struct option_strings co_authors; /* of the commit: "Name <mail>" */
	bool apply, partial;
	const char *summary;             /* "last_message", "model" */
	struct option_ref summary_model; /* none: the one that was asked last */
};

/* The same for many tasks, by rondo batch. */
struct scenario_batch {
	int64_t jobs;              /* so many at once; 0: as many as there are cores */
	int64_t tokens;            /* of all of them; 0: no limit */
	double cost_usd;           /* of all of them; 0: no limit */
	const char *from;          /* a file of tasks, or a directory of repositories; NULL: none */
	struct option_specs tasks; /* of batch_task_family */
};

struct scenario {
	int64_t version;
	const char *name, *description, *task;
	struct option_specs parameters, models, agents;
	struct option_spec team, executor;
	struct scenario_workspace workspace;
	struct scenario_setup setup;
	struct scenario_test test;
	struct scenario_verify verify;
	struct option_strings protect, allow_edit;
	struct scenario_limits limits;
	struct scenario_attempts attempts;
	struct scenario_output output;
	struct scenario_batch batch;
	struct option_specs asserts;

	/* not from the file */
	const char *path; /* as it was given; NULL: made by rondo fix */
	const char *dir;  /* where its relative file names begin */
	const char
		*test_from;    /* what named the test command: "--test", "rondo.yaml"; NULL: it is found */
	const char *coder; /* in a word, for people: "repair" */
	const char *model; /* the user's, behind rondo fix; NULL: none */
	/* "repair", "model", "auto": the one and then the other; or one that is no part of rondo */
	const char *coder_choice;
	const char *coder_said;        /* of that one: its name or command */
	struct option_specs coders;    /* further ones by name: agents of type command */
	int64_t seed;                  /* of repair's order */
	int64_t take;                  /* which of several fixes that behave differently, from 1 */
	const char *since;             /* what this revision has is not taken back; NULL: no bound */
	bool is_component;             /* of AutoGen's, which has no task of its own; */
	bool may_lack_task;            /* and for a check needs none */
	struct option_strings notices; /* what the file says and has no effect */
	/* how many of the setup's commands come from no repository: the others follow */
	size_t n_own_setup;
	struct option_strings proposed_setup; /* a repository's own, which needs the user's consent */
	struct arena *arena;
};

extern const struct option scenario_keys[]; /* of the file; what each key means */

/* What the command line adds: "name=value" each. */
struct scenario_settings {
	struct option_strings parameters; /* -p */
	struct option_strings overrides;  /* -s a.b=v */
	const char *task;
	const char *executor; /* that takes the place of the file's; NULL: none does */
	bool may_lack_values; /* a parameter may have no value; what it would fill is not judged then */
	bool is_part;         /* more may come: what is required may be missing */
	bool is_resolved;     /* the file is what scenario_to_json made: all braces are text */
};

/* Lower the limits of what may be spent to these (0: not). */
void scenario_bound(struct scenario_limits *limits, int64_t tokens, double usd);

/* The defaults of every key; strings in the arena. */
void scenario_init(struct scenario *scenario, struct arena *arena);

/* Read a file and check it whole. What is wrong becomes problems; then the scenario must not be
 * run. */
void scenario_read(struct scenario *scenario, const char *path,
	const struct scenario_settings *settings, struct problems *problems);

/* Where its file lies, and so where relative names in it begin. */
void scenario_lies_at(struct scenario *scenario, const char *path);

/* Take up what a tree of such keys says, over what is there by now; what it lacks is not told of
 * the whole, nor is it checked whether all goes together. */
void scenario_take(struct scenario *scenario, const struct yaml_node *root,
	const struct scenario_settings *settings, struct problems *problems);

/* The scenario files that a path stands for: itself, or those in a directory, by name; appended. */
int run_scenario_files(
	const char *path, struct arena *arena, struct option_strings *files, struct rondo_error *err);

/* Names that nothing declares, things that do not go together. `root`: the file, for places in it;
 * NULL: there is none. */
void scenario_check(
	const struct scenario *scenario, const struct yaml_node *root, struct problems *problems);

/* Whether an agent may have that name. */
void scenario_check_name(
	const char *name, const struct option_place *place, struct problems *problems);

/* Of what a thing's options fill: the next member of a kind, whose option is put into `at`, which
 * is NULL at first; or the one of that name. NULL: there is none. */
const void *scenario_next_member(
	const struct option_spec *spec, enum option_kind kind, const struct option **at);
const void *scenario_member(
	const struct option_spec *spec, enum option_kind kind, const char *name);

/* The thing of that name, or NULL. */
struct option_spec *scenario_find(const struct option_specs *specs, const char *name);

/* Whether a name is that of a model: one that is declared, or PROVIDER/MODEL of a provider whose
 * models need no more than that; else -1 with err set, which says what is near and what there
 * is. */
int scenario_check_model(
	const struct scenario *scenario, const char *name, struct rondo_error *err);

/* What the team cannot do without, of enum agent_need. A suite's failing tests are a task of their
 * own. */
unsigned scenario_needs(const struct scenario *scenario);

/* Whether one of a team's agents is of that type; whether one of the scenario's executes code. */
bool scenario_has_agent(
	const struct scenario *scenario, const struct option_spec *team, const struct agent_type *type);
bool scenario_runs_code(const struct scenario *scenario);

/* Whether one of them says what it does not have from its input alone: it asks a model, or is a
 * program of others. */
bool scenario_asks_models(const struct scenario *scenario);

/* The languages that the one agent who runs code may run; none: all, or there are several such
 * agents. */
struct option_strings scenario_allowed(const struct scenario *scenario);

/* The word whose mention by a coder ends the chat, or NULL. */
const char *scenario_end_word(const struct scenario *scenario);

/* Another executor, with the settings that are there; NULL: the one that is there. */
int scenario_choose_executor(struct scenario *scenario, const char *name, struct rondo_error *err);

/* Keys: the environment's, then those of a file: the one that is named, or .env beside the
 * scenario's own file. Never of the repository under repair. */
int scenario_secrets(const struct scenario *scenario, const char *env_file, struct secrets *secrets,
	struct rondo_error *err);

/* How the agent of that name asks a human; NULL: it cannot. */
const char *scenario_human_input_mode(const struct scenario *scenario, const char *name);

/* "turns 40, time 30m, ..." for people; in the arena. */
const char *scenario_describe_limits(const struct scenario_limits *limits, struct arena *arena);

/* As a file says it, with every default written out and every parameter put in; the caller's. */
struct json *scenario_to_json(const struct scenario *scenario);
