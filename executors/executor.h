/*
 * Executors run commands and code blocks on a tree, in a world: what else of the host is visible.
 * One file a type. A program that fails is a result, never an error.
 */
#pragma once
#include <sys/types.h>

#include "base/coprocess.h"
#include "base/map.h"
#include "base/option.h"
#include "base/process.h"
#include "base/secrets.h"
#include "chat/code_block.h"
#include "chat/context.h"

enum mount_kind {
	MOUNT_READ_ONLY,
	MOUNT_PRIVATE,  /* writable; what is written is gone with the command, the source never changes */
	MOUNT_WRITABLE, /* rondo's own directories only */
	MOUNT_COPIED,   /* copied into each tree when its executor starts, where overlays are refused */
};

/* A file or directory of the host, and where programs see it. */
struct mount {
	const char *source, *target;
	enum mount_kind kind;
	const char *why; /* for the evidence: "interpreter prefix", "dependencies of the checkout" ... */
};

/* What programs see beside the tree. Built once a run by world_build, shared by its executors. */
struct world {
	const char *tree_at;     /* where programs see their tree: the user's own path of the checkout */
	const struct mount *mounts;
	size_t n;
	const char *const *env;  /* NAME=value ..., NULL: the whole environment */
	const char *path;        /* the value of PATH in it */
	const char *home;        /* of programs; their cache lies below it */
	unsigned user;           /* the number that they see themselves under, in a passwd that names it */
	const char *host_name;   /* NULL: the machine's own */
	bool drop;               /* started by root: programs run as uid and gid below */
	uid_t uid;
	gid_t gid;
};

/* What code blocks may do: said of an executor, and of an agent. Of what is not given all may be done. */
struct block_rules {
	struct option_strings allow; /* the languages that may run */
	struct option_strings paths; /* where files may change; agents see to it, who know the tree */
};

#define BLOCK_RULE_OPTIONS(base) \
	{.name = "allow", .kind = OPTION_STRINGS, .offset = (base) + offsetof(struct block_rules, allow), \
		.help = "the languages that may run; else all"}, \
	{.name = "paths", .kind = OPTION_STRINGS, .offset = (base) + offsetof(struct block_rules, paths), \
		.help = "where blocks may change files, as globs; what they change elsewhere is put back; else everywhere"}

/* What every executor can be told. */
struct executor_settings {
	const char *network;             /* "none" or "host" */
	int64_t timeout_ms;              /* a code block; 0: the run's limit */
	struct block_rules rules;
	const char *work_dir;            /* where blocks run and their files lie, relative to the tree; NULL: its root */
	struct option_texts languages;   /* more of them: the command that runs a file */
	struct option_texts policies;    /* of a language: run, save or ignore */
	struct option_texts env;         /* more of the environment */
	struct option_strings read_only; /* directories and files of this machine that programs may read, at their own paths */
	struct option_strings pip, npm;  /* what these install before anything runs: words of their command lines */
	int64_t install_ms;              /* for each of the two */
	int64_t uid;                     /* whom programs run as when root works on root's files */
};

/* With the defaults of the table. */
extern const struct executor_settings executor_defaults;

/* An executor as it was declared: what it takes to make one. */
struct executor_plan {
	const struct executor_type *type;
	const struct executor_settings *settings;
	const void *options; /* what the type's options filled; NULL: their defaults */
	const struct secrets *
		secrets; /* keys, for those that need one; NULL: the environment's. No program sees them */
};

struct executor {
	const struct executor_type *type;
	const struct executor_settings *settings;
	const struct world *world;
	const char *tree;      /* the checkout on the host */
	const struct secrets *secrets;
	const char *cache_dir; /* a directory that lives as long as the tree: ~/.cache of its programs */
	void *state;           /* of the type's state_size; begins as the plan's options */
	struct map programs;   /* where those lie that languages need, or "": asked once each */
	struct arena arena;
};

struct command {
	const char *line;       /* for sh */
	const char *const *words; /* the same without a shell, ends with NULL: for an executor that needs none; may be NULL */
	const char *const *env; /* NAME=value ..., NULL: added to the world's; may be NULL */
	int64_t timeout_ms;
	uint64_t output_limit;  /* killed beyond; 0: none */
	struct strbuf *output;  /* head and tail; may be NULL */
	int log_fd;             /* takes the raw output up to log_limit bytes where that is > 0 */
	uint64_t log_limit;
};

struct code_result {
	int exit_code; /* of the first block that failed, or 0 */
	const char *output;
	const char **files; /* named files that were written, relative to the tree */
	size_t n_files;
	const char **programs; /* what ran the blocks, by path, as far as it is known */
	size_t n_programs;
};

/* Blocks that shall be carried out. */
struct block_order {
	const struct code_block *blocks;
	size_t n;
	int64_t timeout_ms;            /* for each */
	const struct block_rules *rules; /* beside the executor's own; NULL: none */
	const char *const *env;        /* NAME=value ..., NULL: added to the world's; may be NULL */
};

/* What programs see of a machine. */
enum executor_sight {
	EXECUTOR_SEES_WORLD,  /* of this one what the world shows, where it says */
	EXECUTOR_SEES_HOST,   /* all of this one, as it is: tree and cache where they are */
	EXECUTOR_SEES_ITSELF, /* a system of its own: of the world only the tree, the cache, the home, the environment, and
			       * mounts that are no part of this machine's system */
};

struct executor_type {
	const char *name;
	const char *summary;
	size_t state_size;
	const struct option *options;
	enum executor_sight sees;
	bool keeps_variables; /* of Python, from block to block */
	/* Optional: the type that programs really run in, where this one only speaks with them. */
	const struct executor_type *(*inner)(const void *options);
	/* Mandatory: whether it works on this machine, by trying: in EXECUTOR_PROBE_MS or little more, without asking anybody,
	 * and for free. Appends what was found, in a line; where it does not work, what is there nevertheless. */
	int (*probe)(struct strbuf *found, struct rondo_error *err);
	/* Optional: what no table says of what it is told: -1 where that cannot be, with the option that is wrong in *ret_option.
	 * Nothing is looked up for it, and the plan's options are there. */
	int (*check)(
		const struct executor_plan *plan, const char **ret_option, struct rondo_error *err);
	/* Optional: remove what dead processes of this machine left elsewhere, and say how much that was. A missing key or
	 * service means that there is nothing to do. */
	int (*collect)(size_t *ret_n, struct rondo_error *err);
	/* Optional: make ready. */
	int (*start)(struct executor *executor, const struct context *ctx, struct rondo_error *err);
	/* Optional: run nothing (executor_run_nothing), so that what this machine refuses shows before anything was paid for. */
	int (*attempt)(struct executor *executor, const struct context *ctx, struct rondo_error *err);
	/* Mandatory. -1 only where the command could not be tried. */
	int (*run)(struct executor *executor, const struct command *command, struct process_result *result,
		const struct context *ctx, struct rondo_error *err);
	/* Optional: start a command that is spoken with. */
	int (*open)(struct executor *executor, const struct command *command, struct coprocess **ret_coprocess,
		const struct context *ctx, struct rondo_error *err);
	/* Optional: run a code block in a way of its own. False in *ret_taken: its command is run on its file, as of any; a file
	 * that it names is there already. Of the command all counts but the line; the output is appended to; files are pushed to
	 * the result's. */
	int (*execute)(struct executor *executor, const struct code_block *block, const struct command *command,
		struct arena *arena, struct code_result *result, bool *ret_taken, const struct context *ctx,
		struct rondo_error *err);
	/* Optional: end what start began. */
	void (*stop)(struct executor *executor);
};

/* How long a probe waits for an answer. */
enum { EXECUTOR_PROBE_MS = 10000 };

#define EXECUTOR_TYPES(_) _(sandbox) _(docker) _(jupyter) _(daytona) _(local)
#define EXECUTOR_DECLARE(name) extern const struct executor_type name##_executor;
EXECUTOR_TYPES(EXECUTOR_DECLARE)
#undef EXECUTOR_DECLARE
extern const struct executor_type *const executor_types[];
extern const size_t executor_types_n;
extern const struct option_family executor_family;

/* The type of that name, or NULL with err set. */
const struct executor_type *executor_type_find(const char *name, struct rondo_error *err);

/* Remove what executors of dead processes left elsewhere, of all types. Where one fails, the others are asked nevertheless. */
int executor_collect(size_t *ret_n, struct rondo_error *err);

/* What no table says of an executor's options, which are given: -1 with the one that is wrong in *ret_option (static). A start
 * fails then, too. */
int executor_check(
	const struct executor_plan *plan, const char **ret_option, struct rondo_error *err);

/* Whether code blocks can be in a language of that name. */
int executor_check_language(
	const struct executor_settings *settings, const char *name, struct rondo_error *err);

/* What programs of such an executor see. */
enum executor_sight executor_sight(const struct executor_plan *plan);

/* An executor of a tree, started. The plan and the strings are copied; what the plan points at, and the world, are borrowed. */
int executor_new(const struct executor_plan *plan, const struct world *world, const char *tree, const char *cache_dir,
	const struct context *ctx, struct executor **ret_executor, struct rondo_error *err);

/* Whether a program can be run at all, by trying. */
int executor_try(struct executor *executor, const struct context *ctx, struct rondo_error *err);

int executor_run_nothing(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* Stop and forget. NULL is fine. */
void executor_free(struct executor *executor);

/* What its programs see. */
enum executor_sight executor_sees(const struct executor *executor);

/* Where its programs see the tree; borrowed. And a file or directory of the cache, and a name for
 * one that no program knew before; in the arena. */
const char *executor_tree_at(const struct executor *executor);
const char *executor_cache_at(const struct executor *executor, const char *name, struct arena *arena);
const char *executor_cache_name(const char *prefix, struct arena *arena);

/* Whether a block in Python finds what earlier ones have set, as far as settings leave Python as it is. */
bool executor_keeps_variables(const struct executor *executor);

/* After another tree was checked out: put the files back that come by copy where overlays are refused. */
int executor_restore(struct executor *executor, struct rondo_error *err);

/* Run a line of sh at the root of the tree. */
int executor_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);

/* Start a line of sh that is spoken with; of the command, line and env count. NULL where the executor has no such thing. The
 * coprocess is the caller's to end, before the executor. */
int executor_open(struct executor *executor, const struct command *command, struct coprocess **ret_coprocess,
	const struct context *ctx, struct rondo_error *err);

/* The programs that blocks in the languages known here need, for a world; ends with NULL; static. */
const char *const *executor_programs(void);

/* Whether a block is for an executor: it runs, is written to a file, or is answered with why it does not run. What is only
 * to be read, such as an example of output, is not. */
bool executor_takes(const struct executor *executor, const struct code_block *block);

/* Run blocks one after the other, stop at the first that fails; output in the order of printing. A block that is cut off, in
 * an unknown language, or that does what it may not, is answered, not run. Results lie in the arena. */
int executor_execute_code_blocks(struct executor *executor, const struct block_order *order, struct arena *arena,
	struct code_result *result, const struct context *ctx, struct rondo_error *err);
