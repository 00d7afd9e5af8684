/* A world while it is being built from what the host has. Only world.c, host.c and tests include
 * it. */
#pragma once
#include "executors/executor.h"

struct host {
	struct arena *arena;
	struct world *world;
	const char *home; /* the user's, or NULL */
	const char *root; /* the user's checkout */
	const struct cancel *cancel;
	struct mount *mounts;
	const char **env;
	size_t n_env;
	const char *path; /* PATH so far */
};

/* Show a file or directory if it exists. A target that is already visible is left alone. */
void host_mount(struct host *host, const char *source, const char *target, enum mount_kind kind,
	const char *why);

/* Show a directory on top of something that is already visible. */
void host_mount_within(struct host *host, const char *source, const char *target,
	enum mount_kind kind, const char *why);

/* Add NAME=value, or a directory at the end of PATH. */
void host_env(struct host *host, const char *assignment);
void host_path(struct host *host, const char *dir);

/* Resolve a program on the user's PATH, through shims and links, and show what it needs. */
void host_tool(struct host *host, const char *name);

/* The path behind a version manager's shim; the path itself where it is none. NULL: nothing is
 * there. */
const char *host_behind_shim(struct host *host, const char *path);

/* Whether many programs share a directory with the user's secrets: never shown as a whole. */
bool host_is_shared_prefix(const struct host *host, const char *prefix);

/* Show a program and the prefix that it is installed in. */
void host_show_program(struct host *host, const char *path);

/* Where `dir` is a virtual environment: show the interpreter that it was made from. */
void host_venv(struct host *host, const char *dir);

/* Show the package stores that these tools use. */
void host_stores(struct host *host, const char *const *tools, enum mount_kind kind);

/* Store mounts, environment and PATH in the world; has_path: the programs' system has a PATH of its
 * own. */
void host_finish(struct host *host, bool has_path);

/* Write it to `dir`, an empty directory, and mount it. With `network` it can resolve host names. */
int etc_show(struct host *host, const char *dir, bool network, struct rondo_error *err);
