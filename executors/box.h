/*
 * The namespaces around a sandboxed program that bubblewrap does not make: run in the new
 * process before it executes bwrap. Only sandbox.c and tests include it.
 */
#pragma once
#include "executors/executor.h"

struct box_source {
	const char *source;
	char staged[32];         /* where bwrap finds it: below /tmp of the new mount namespace */
	const char *overlay;     /* for a private mount: the options of its overlay, else NULL */
	char upper[40], work[40];
	bool is_dir;
	int fd;                  /* used in the new process */
};

struct box {
	struct box_source *sources;
	size_t n;
	bool stage;              /* false: bwrap finds the sources where they are */
	bool own_user_namespace; /* an ordinary user needs one to mount */
	uid_t uid, drop_uid;
	gid_t gid, drop_gid;
	bool drop;
};

/* Work out, before the fork, all that box_enter needs. Paths are borrowed. */
void box_plan(struct box *box, const struct mount *mounts, size_t n, const struct world *world,
	struct arena *arena);

/* What bwrap is told as the source of mount i. */
const char *box_source(const struct box *box, size_t i);

/* For process_options.prepare: `payload` is the box. Only system calls. */
int box_enter(void *payload, const char **what);
