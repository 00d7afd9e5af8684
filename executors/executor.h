/*
 * Executors run commands and code blocks on a tree, in a world: whatever else of the host is
 * visible. One file per type. A program that fails is a result, never an error.
 */
#pragma once
#include <sys/types.h>

#include "base/map.h"
#include "base/option.h"
#include "base/process/coprocess.h"
#include "base/process/process.h"
#include "base/secrets.h"
#include "chat/code_block.h"
#include "chat/context.h"

enum mount_kind {
	MOUNT_READ_ONLY,
	/* writable, but the source never changes: writes are lost when the command ends */
	MOUNT_PRIVATE,
	MOUNT_WRITABLE, /* rondo's own directories only */
	MOUNT_COPIED,   /* copied into each tree when its executor starts, where overlays are refused */
};

/* A file or directory of the host, and where programs see it. */
struct mount {
	const char *source, *target;
	enum mount_kind kind;
	/* for the evidence: "interpreter prefix", "dependencies of the checkout" ... */
	const char *why;
	/* of a private directory: one that lies beneath the source, one beneath that, and an empty one
	 * for what is written; NULL: none, and it is lost */
	const char *beneath, *lowest, *written;
};

/* What programs see besides the tree. Built once per run by world_build and shared by its
 * executors. */
struct world {
	const char *tree_at; /* where programs see their tree: the path of the user's checkout */
	const struct mount *mounts;
	size_t n;
	const char *const *env; /* NAME=value ..., NULL: the whole environment */
	const char *path;       /* the value of PATH in it */
	const char *home;       /* of programs; their cache lies below it */
	unsigned user;          /* the uid that they see themselves as; passwd names it */
	const char *host_name;  /* NULL: the machine's own */
	bool has_overlays;      /* private mounts are overlays; else they are copied */
	bool drop;              /* started by root: programs run as uid and gid below */
	uid_t uid;
	gid_t gid;
};

/* What code blocks may do, set for an executor or an agent. An empty list allows everything. */
struct block_rules {
	struct option_strings allow; /* the languages that may run */
	struct option_strings paths; /* where files may change; agents see to it */
};

#define BLOCK_RULE_OPTIONS(base) \
	{.name = "allow", \
		.kind = OPTION_STRINGS, \
		.offset = (base) + offsetof(struct block_rules, allow), \
		.help = "the languages that may run; else all"}, \
	{ \
		.name = "paths", .kind = OPTION_STRINGS, \
		.offset = (base) + offsetof(struct block_rules, paths), \
		.help = "where blocks may change files, as globs; what they change elsewhere is put " \
				"back; else everywhere" \
	}

/* Settings that all executors have. */
struct executor_settings {
	const char *network; /* "none" or "host" */
	int64_t timeout_ms;  /* a code block; 0: the run's limit */
	struct block_rules rules;
	/* where blocks run and their files lie, relative to the tree; NULL: its root */
	const char *work_dir;
	bool keep_code;                /* code files that no block names stay, too */
	struct option_texts languages; /* additional ones, with the command that runs a file */
	struct option_texts policies;  /* by language: run, save or ignore */
	struct option_texts env;       /* more of the environment */
	/* directories and files of this machine that programs may read, at their own paths */
	struct option_strings read_only;
	/* packages to install before anything runs, as words of their command lines */
	struct option_strings pip, npm;
	int64_t install_ms; /* limit for each of the two */
	int64_t uid;        /* the uid of programs if root works on root's files */
	int64_t room;       /* bytes that a command may write whatever the type's own limit; 0: none */
};

/* The defaults of the option table. */
extern const struct executor_settings executor_defaults;

/* What stands behind "./" in a work_dir that begins so, else NULL. */
static inline const char *executor_dir_beside(const char *work_dir)
{
	return work_dir && text_starts_with(work_dir, "./") ? work_dir + strlen("./") : NULL;
}

/* What is needed to create an executor. */
struct executor_plan {
	const struct executor_type *type;
	const struct executor_settings *settings;
	const void *options;           /* the type's options; NULL: their defaults */
	const struct secrets *secrets; /* keys; NULL: the environment's. Programs never see them */
};

struct executor {
	const struct executor_type *type;
	const struct executor_settings *settings;
	const struct world *world;
	const char *tree; /* the checkout on the host */
	const struct secrets *secrets;
	const char *cache_dir; /* ~/.cache of its programs; lives as long as the tree */
	/* executor_layer's: what commands find, and what the last one wrote; NULL: no such thing */
	const char *layer, *written;
	/* executor_begin_with's */
	const char *begin_root, *const *begin_with;
	size_t n_begin_with;
	void *state; /* of the type's state_size; begins as the plan's options */
	/* paths of the programs that languages need, or ""; looked up once each */
	struct map programs;
	struct arena arena;
};

struct command {
	const char *line; /* for sh */
	/* the same without a shell, NULL-terminated; used if the executor needs none; may be NULL */
	const char *const *words;
	const char *const *env; /* NAME=value ..., NULL: added to the world's; may be NULL */
	/* its standard input, where programs run on this machine; NULL: /dev/null */
	const char *input;
	int64_t timeout_ms;
	uint64_t output_limit; /* killed beyond; 0: none */
	struct strbuf *output; /* head and tail; may be NULL */
	/* an executor whose programs are far away may have nothing to hear before they end */
	struct process_listener listener;
	int log_fd;            /* takes the raw output up to log_limit bytes where that is > 0 */
	uint64_t log_limit;
};

/* What a process needs of a command; the rest is the executor's. */
static inline struct process_options command_options(
	const struct command *command, const struct cancel *cancel)
{
	return (struct process_options){.input = command->input,
		.timeout_ms = command->timeout_ms,
		.output_limit = command->output_limit,
		.output = command->output,
		.listener = command->listener,
		.log_fd = command->log_fd,
		.log_limit = command->log_limit,
		.cancel = cancel};
}

struct code_result {
	int exit_code; /* of the first block that failed, or 0 */
	bool is_cut;   /* it was cancelled, and not by a deadline */
	const char *output;
	const char **files; /* named files that were written, relative to the tree */
	size_t n_files;
	const char **logs; /* of what was cut: names in the order's log_dir */
	size_t n_logs;
	const char **programs; /* what ran the blocks, by path, as far as it is known */
	size_t n_programs;
};

/* Blocks to run. */
struct block_order {
	const struct code_block *blocks;
	size_t n;
	int64_t timeout_ms;              /* for each */
	const struct block_rules *rules; /* beside the executor's own; NULL: none */
	const char *const *env;          /* NAME=value ..., NULL: added to the world's; may be NULL */
	const char *source; /* who hears of it as it comes: whose chunks they are; NULL: nobody */
	/* where all that a block printed is kept if the result has not all of it; NULL: nowhere */
	const char *log_dir;
};

/* What programs see of the machine. */
enum executor_sight {
	EXECUTOR_SEES_WORLD, /* this machine, as far as the world shows it */
	EXECUTOR_SEES_HOST,  /* all of this machine; tree and cache at their own paths */
	/* another system; of the world only the tree, the cache, the home, the environment and mounts
	 * that are no part of this machine's system */
	EXECUTOR_SEES_ITSELF,
};

struct executor_type {
	const char *name;
	const char *summary;
	bool has_layers; /* can keep apart what a command writes */
	size_t state_size;
	const struct option *options;
	enum executor_sight sees;
	bool keeps_variables; /* of Python, between blocks */
	/* Optional: the type that programs really run in, if this one only talks to them. */
	const struct executor_type *(*inner)(const void *options);
	/* Mandatory: try whether it works on this machine, within about EXECUTOR_PROBE_MS, without
	 * asking anybody and without cost. Appends what was found, on one line, also if it does not
	 * work. */
	int (*probe)(struct strbuf *found, struct rondo_error *err);
	/* Optional: check options beyond what the table can. -1 with the wrong option in *ret_option.
	 * Pure; the plan's options are set. */
	int (*check)(
		const struct executor_plan *plan, const char **ret_option, struct rondo_error *err);
	/* Optional: remove what dead processes of this machine left elsewhere, and count it. Without a
	 * key or service there is nothing to do. */
	int (*collect)(size_t *ret_n, struct rondo_error *err);
	/* Optional: get ready. */
	int (*start)(struct executor *executor, const struct context *ctx, struct rondo_error *err);
	/* Optional: run a command that does nothing (executor_run_nothing), so that refusals show
	 * before anything was paid for. */
	int (*attempt)(struct executor *executor, const struct context *ctx, struct rondo_error *err);
	/* Mandatory. -1 only where the command could not be tried. */
	int (*run)(struct executor *executor, const struct command *command,
		struct process_result *result, const struct context *ctx, struct rondo_error *err);
	/* Optional: start a command and keep talking to it. */
	int (*open)(struct executor *executor, const struct command *command,
		struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err);
	/* Optional: run a code block in its own way. False in *ret_taken: the language's command is to
	 * be run on the file instead. A file that the block names has been written. The command's line
	 * is unused; output is appended, files are added to the result's. */
	int (*execute)(struct executor *executor, const struct code_block *block,
		const struct command *command, struct arena *arena, struct code_result *result,
		bool *ret_taken, const struct context *ctx, struct rondo_error *err);
	/* Optional: end what start began. */
	void (*stop)(struct executor *executor);
};

/* How long a probe waits for an answer. */
enum { EXECUTOR_PROBE_MS = 10000 };

#define EXECUTOR_SYMBOL(name) name##_executor
#define EXECUTOR_TYPES(_) _(sandbox), _(docker), _(jupyter), _(daytona), _(local)
REGISTRY_DECLARE(struct executor_type, executor_types, EXECUTOR_TYPES(EXECUTOR_SYMBOL));
extern const struct option_family executor_family;

/* Append the languages of code blocks that run, or that are only saved, each with its other tags:
 * "python (py, python3), sh (shell)". */
void executor_list_languages(bool run, struct strbuf *sb);

/* Remove what executors of dead processes left elsewhere, for all types. If one type fails, the
 * others are still asked. */
int executor_collect(size_t *ret_n, struct rondo_error *err);

/* Check an executor's options beyond what the table can. -1 with the wrong one in *ret_option
 * (static); a start would fail, too. */
int executor_check(
	const struct executor_plan *plan, const char **ret_option, struct rondo_error *err);

/* Check that there is a language of that name. */
int executor_check_language(
	const struct executor_settings *settings, const char *name, struct rondo_error *err);

/* What programs of such an executor see. */
enum executor_sight executor_sight(const struct executor_plan *plan);

/* Create and start an executor for a tree. The plan and the strings are copied; what the plan
 * points at and the world are borrowed. */
int executor_new(const struct executor_plan *plan, const struct world *world, const char *tree,
	const char *cache_dir, const struct context *ctx, struct executor **ret_executor,
	struct rondo_error *err);

/* Whether a program can be run at all, by trying. */
int executor_try(struct executor *executor, const struct context *ctx, struct rondo_error *err);

int executor_run_nothing(
	struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* Stop and forget. NULL is fine. */
void executor_free(struct executor *executor);

/* What its programs see. */
enum executor_sight executor_sees(const struct executor *executor);

/* Whether they reach what this machine reaches. */
bool executor_has_network(const struct executor *executor);

/* Where its programs see the tree; borrowed. Where they see a file of the cache; an unpredictable
 * name for one; both in the arena. */
const char *executor_tree_at(const struct executor *executor);
const char *executor_cache_at(
	const struct executor *executor, const char *name, struct arena *arena);
const char *executor_cache_name(const char *prefix, struct arena *arena);

/* Whether Python blocks see the variables of earlier ones with these settings. */
bool executor_keeps_variables(const struct executor *executor);

/* From now on the tree and the cache stay as they are: what a command writes there and into private
 * mounts goes into the directory `written`, which is emptied before the next command. `layer` is
 * such a directory of an earlier command, which is not used any more: all find what it wrote, and
 * never change it; NULL: there is none. Both are copied. The same holds for a coprocess, which has
 * a directory of its own for what it writes, as long as it lives; the tree must not change then.
 * False in *ret_is_layered: this executor cannot, or this machine refuses; then all is as it
 * was. NULL: another such executor could. */
int executor_layer(struct executor *executor, const char *layer, const char *written,
	const struct context *ctx, bool *ret_is_layered, struct rondo_error *err);

/* Before others find such a layer: of what the command wrote into dependencies and what a setup
 * left, remove all but caches, so that they stay as they were installed. */
void executor_prune_layer(const struct executor *executor, const char *layer);

/* Until the next call of executor_layer, each command begins with copies of these directories of
 * `root`, relative to it and to the tree, as if it had written them. All are borrowed. */
void executor_begin_with(
	struct executor *executor, const char *root, const char *const *paths, size_t n);

/* Where a coprocess sees a file of cache_dir, which both sides can change meanwhile; in the
 * arena. */
const char *executor_shared_at(
	const struct executor *executor, const char *name, struct arena *arena);

/* Where on the host the last command has written what it wrote in the tree and in the cache. */
struct executor_place {
	const char *tree, *cache;
};
struct executor_place executor_wrote(const struct executor *executor, struct arena *arena);

/* After another checkout: restore the files that are copied where overlays are refused. */
int executor_restore(struct executor *executor, struct rondo_error *err);

/* Run a line of sh at the root of the tree. */
int executor_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);

/* Start a line of sh and talk to it; only the command's line and env are used. NULL in
 * *ret_coprocess: this executor cannot. The caller ends the coprocess before the executor. */
int executor_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err);

/* The programs that the known languages need; NULL-terminated, static. */
const char *const *executor_programs(void);

/* The name of the language that a block runs as, whatever its tag; its tag where that is none. */
const char *executor_language(
	const struct executor *executor, const struct code_block *block, struct arena *arena);

/* Whether a block concerns an executor: it is run, saved, or refused with a reason. A block that is
 * only to be read, such as sample output, does not. */
bool executor_takes(const struct executor *executor, const struct code_block *block);

/* Run blocks in order and stop at the first that fails; output in the order of printing. A block
 * that is cut off, in an unknown language or not allowed is answered instead of run. Results lie in
 * the arena. */
int executor_execute_code_blocks(struct executor *executor, const struct block_order *order,
	struct arena *arena, struct code_result *result, const struct context *ctx,
	struct rondo_error *err);
