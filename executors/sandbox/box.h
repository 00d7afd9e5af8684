/*
 * The namespaces around a sandboxed program that bubblewrap does not make: run in the new
 * process before it executes bwrap. Only sandbox.c and tests include it.
 */
#pragma once
#include "executors/executor.h"
#include "executors/sandbox/watch.h"

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
	int64_t processes;       /* the most in a user namespace of its own; 0: whatever the user may have */
	struct watch watch;
};

/* Where programs write and nothing stays: rooms of one tmpfs, whose bytes and files are limited. */
enum box_room {
	BOX_TMP,
	BOX_HOME,
	BOX_RUN,
	BOX_SHM,
	BOX_ROOMS,
};

/* Work out, before the fork, all that box_enter needs. Paths are borrowed. */
void box_plan(struct box *box, const struct mount *mounts, size_t n, const struct world *world,
	struct arena *arena);

/* What bwrap is told as the source of mount i. */
const char *box_source(const struct box *box, size_t i);

/* What bwrap is told as the source of a room; NULL: there is no stage. */
const char *box_room(const struct box *box, enum box_room room);

/* Start a sandbox in a directory that goes again, and look at what it can do; a probe has a deadline. False in *ret_started: there
 * is none. */
typedef int sandbox_look(struct executor *executor, struct strbuf *found, const struct context *ctx, struct rondo_error *err);
int sandbox_probe_box(sandbox_look *look, struct strbuf *found, bool *ret_started, struct rondo_error *err);

/* For process_options.prepare: `payload` is the box. Only system calls. */
int box_enter(void *payload, const char **what);
