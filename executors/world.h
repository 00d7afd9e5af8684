/*
 * The world of the tests: what of the host a suite needs to run as it does in the
 * user's hands, and nothing else: interpreters behind their shims, package stores, the checkout's
 * own dependency folders; never a file with credentials.
 */
#pragma once
#include "executors/executor.h"

#define WORLD_HOME "/home/agent"
#define WORLD_USER 1000
#define WORLD_OTHER_USER 1001 /* "worker", of a moved world */
#define WORLD_OTHER_HOME "/home/worker"
#define WORLD_PACKAGES ".packages" /* in the home: what the executor was told to install */

struct world_options {
	const char *root;                /* the user's checkout, absolute */
	const char *const *tools;        /* programs to resolve, NULL-terminated */
	const char *const *dependencies; /* folders, relative to root: private */
	size_t n_dependencies;
	const char *const *borrowed;     /* submodules and LFS files, relative to root: read-only */
	size_t n_borrowed;
	const char *git_dir;             /* the throw-away repository, or NULL */
	const char *etc_dir;             /* an empty directory of rondo's, for passwd and the like */
	const struct option_texts *env;  /* more of the environment; may be NULL */
	const char *at;                  /* where programs see the checkout; NULL: at its own path */
	const struct option_strings *read_only; /* more that programs may read; may be NULL */
	bool network;                    /* what names of the network need is shown, too */
	enum executor_sight sight;       /* of those that run in it */
	uid_t uid;                       /* whom programs run as where the checkout belongs to root */
	const struct cancel *cancel;
};

/* Build it. Strings and mounts lie in the arena. */
int world_build(const struct world_options *options, struct arena *arena, struct world *world,
	struct rondo_error *err);

/* The same world, but with the checkout at another path, and the home of another user on another host, where CI is not set: what
 * names the one names the other. So a program that knows where it runs does not know it there. */
void world_move(const struct world *world, const char *at, struct arena *arena, struct world *ret_world);

/* Show a folder of packages (python/, node/) to those with such a sight, and name it to their programs. */
void world_add_packages(struct world *world, const char *dir, enum executor_sight sight, struct arena *arena);

/* The same world with the checkout and the home where an executor has found room for them. */
void world_settle(const struct world *world, const char *at, const char *home, struct arena *arena,
	struct world *ret_world);

/* The paths in the tree where something is mounted, relative to it; NULL-terminated, in the arena.
 * An executor that cannot mount copies it there, and the copy is the programs' own. */
const char *const *world_paths_in_tree(const struct world *world, struct arena *arena);

/* A world with the system and nothing of the user's, for a probe. */
void world_bare(struct world *world, const char *tree, struct arena *arena);

/* The program that runs TypeScript here: "esbuild", "node" (from 22.18), "tsx" or "ts-node", the first that is on
 * the user's PATH; NULL: none. Static. */
const char *world_typescript(const struct cancel *cancel);
