/*
 * What a suite needs of the host to run as it does for the user, and nothing else: interpreters
 * behind their shims, package stores, the checkout's own dependency folders; never a file with
 * credentials.
 */
#pragma once
#include "executors/executor.h"

#define WORLD_HOME "/home/agent"
#define WORLD_USER 1000
#define WORLD_OTHER_USER 1001 /* "worker", of a moved world */
#define WORLD_OTHER_HOME "/home/worker"
#define WORLD_PACKAGES ".packages" /* in the home: packages that the executor installed */

struct world_options {
	const char *root;                /* the user's checkout, absolute */
	const char *const *tools;        /* programs to resolve, NULL-terminated */
	const char *const *dependencies; /* folders, relative to root: private */
	size_t n_dependencies;
	const char *const *borrowed; /* submodules and LFS files, relative to root: read-only */
	size_t n_borrowed;
	const char *prefix;             /* an installation whose bin/ is first on PATH; or NULL */
	const char *python_path;        /* PYTHONPATH, relative to root; or NULL */
	const char *git_dir;            /* the throw-away repository, or NULL */
	const char *etc_dir;            /* an empty directory for passwd and the like */
	const struct option_texts *env; /* more of the environment; may be NULL */
	const char *at;                 /* where programs see the checkout; NULL: at its own path */
	const struct option_strings *read_only; /* more that programs may read; may be NULL */
	bool network;                           /* show what is needed to resolve host names */
	enum executor_sight sight;              /* of its programs */
	uid_t uid; /* the uid of programs if the checkout belongs to root */
	const struct cancel *cancel;
};

/* Build it. Strings and mounts lie in the arena. */
int world_build(const struct world_options *options, struct arena *arena, struct world *world,
	struct rondo_error *err);

/* The same world with the checkout at another path, another user's home and another host name, and
 * without CI, so that a program cannot recognise where it runs. */
void world_move(
	const struct world *world, const char *at, struct arena *arena, struct world *ret_world);

/* Whether programs can write to an overlay of what is there. Where root starts rondo: whether it is
 * theirs, or root's and the kernel can show it as theirs. */
bool world_can_write(const struct world *world, const char *path);

/* The same world with these directories of the user's checkout, private; without them where
 * overlays are refused, since they can be large, and where programs could not write to them. */
void world_add_builds(const struct world *world, const char *root, const char *const *paths,
	size_t n, struct arena *arena, struct world *ret_world);

/* Leave out of this world what can be built again: such directories, and the user's caches of
 * builds. */
void world_leave_builds_out(struct world *world, struct arena *arena);

#define WORLD_SETUP "setup"
#define WORLD_DEPENDENCIES "dependencies of the checkout"
#define WORLD_BUILT "what the user has built"
#define WORLD_GO_CACHE "Go's build cache"
#define WORLD_MAVEN "Maven repository"

/* The value of a name among assignments, NULL-terminated or NULL; NULL: it has none. */
const char *environment_value(const char *const *env, const char *name);

/* Add "NAME=value" to n assignments, in place of one of that name. */
void environment_put(const char ***env, size_t *n, const char *assignment, struct arena *arena);

/* The same in a world's environment; that of others, who have the same texts, stays. */
void world_assign(struct world *world, const char *assignment, struct arena *arena);

/* Add a mount to this world; others that share its mounts stay as they are. */
void world_add_mount(struct world *world, const struct mount *mount, struct arena *arena);

/* Show one of the user's programs, with its interpreter and what is installed beside it, and find
 * what is said of it: a name as the user's shell finds it, or a path. `root`: the user's checkout.
 * ret_start: how it is started there, as words of sh; in the arena. A world whose programs see all
 * of this machine stays as it is. */
int world_add_program(struct world *world, const char *name, enum executor_sight sight,
	const char *root, const struct cancel *cancel, struct arena *arena, const char **ret_start,
	struct rondo_error *err);

/* Show a directory of packages (python/, node/) to programs with such a sight, and set their
 * paths. */
void world_add_packages(
	struct world *world, const char *dir, enum executor_sight sight, struct arena *arena);

/* Make a world one in which a setup runs: what it writes into the home, package stores and
 * environments can be kept. `home`: an empty directory. */
void world_open_for_setup(struct world *world, const char *home, struct arena *arena);

/* What a setup left: a directory or file of this machine, and where programs see it. */
struct world_piece {
	const char *source, *target;
};

/* Show them to programs: read-only, above what is there already, what they write goes elsewhere. */
void world_add_setup(
	struct world *world, const struct world_piece *pieces, size_t n, struct arena *arena);

/* The same world with the checkout and the home where an executor has put them. */
void world_settle(const struct world *world, const char *at, const char *home, struct arena *arena,
	struct world *ret_world);

/* The paths in the tree where something is mounted, relative to it; NULL-terminated, in the arena.
 * An executor that cannot mount copies it there, and the copy belongs to the programs. */
const char *const *world_paths_in_tree(const struct world *world, struct arena *arena);

/* A world with only the system, for a probe. */
void world_bare(struct world *world, const char *tree, struct arena *arena);

/* The program that runs TypeScript here: the first of "esbuild", "node" (22.18 or newer), "tsx" and
 * "ts-node" on the user's PATH; NULL: none. Static. */
const char *world_typescript(const struct cancel *cancel);
