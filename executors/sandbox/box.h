/*
 * The parts of the sandbox. box.c does what bubblewrap does not, in the new process before it
 * executes bwrap. Only executors/ and tests include it.
 */
#pragma once
#include "executors/executor.h"
#include "executors/sandbox/watch.h"

/* Directories of an overlay, and the source of any other mount. */
enum box_part {
	BOX_SOURCE,
	BOX_BENEATH,
	BOX_LOWEST,
	BOX_UPPER,
	BOX_WORK,
	BOX_PARTS,
};

struct box_source {
	const char *paths[BOX_PARTS]; /* on the host; no upper one: it is made in the stage */
	int fds[BOX_PARTS];           /* used in the new process */
	char staged[32];              /* its path for bwrap: below /tmp of the new mount namespace */
	char upper[40], work[40];     /* in the stage */
	char mapped[BOX_UPPER][40];   /* in the stage: what is root's on the host */
	bool is_dir, is_overlay;
};

struct box {
	struct box_source *sources;
	size_t n;
	bool stage; /* false: bwrap uses the sources' own paths, and makes root and namespaces alone */
	uid_t uid, drop_uid;
	gid_t gid, drop_gid;
	bool drop;         /* root: give it up */
	const char *home;  /* in the box */
	int64_t processes; /* limit in the stage's user namespace; 0: the user's */
	struct watch watch;
};

/* Prepare, before the new process, everything that box_enter needs. Paths are borrowed. */
void box_plan(struct box *box, const struct mount *mounts, size_t n, const struct world *world,
	struct arena *arena);

/* The source of mount i for bwrap. */
const char *box_source(const struct box *box, size_t i);

/* The stage: a tmpfs over /tmp in the new mount namespace. */
#define BOX_STAGE "/tmp"

/* --- The box's root, as bwrap finds it in the stage: box_root.c --- */

#define BOX_ROOT BOX_STAGE "/root"

/* Make it with devices, terminals and scratch directories: bwrap would take two milliseconds for
 * that. Only system calls. */
int box_root_make(const struct box *box);

/* Start a sandbox in a temporary directory and call `look` with a deadline. False in *ret_started:
 * it did not start. */
typedef int sandbox_look(struct executor *executor, struct strbuf *found, const struct context *ctx,
	struct rondo_error *err);
int sandbox_probe_box(sandbox_look *look, struct strbuf *found, bool *ret_started,
	struct rondo_error *err);

/* For process_options.prepare: `payload` is the box. Only system calls. If root started rondo, its
 * memory cannot be dumped from then on. */
int box_enter(void *payload, const char **what);

/* --- Files of root as another user's: idmap.c --- */

/* A user namespace for the next two. A descriptor; -1: refused. Only system calls. */
int idmap_open(uid_t uid, gid_t gid);

/* Mount a directory at a path that does not exist yet. What is root's there is that user's. A
 * descriptor of the path; -1: the kernel or the file system refuses. Only system calls. */
int idmap_show(int dir, int users, const char *at);

bool idmap_works(const char *path, uid_t uid, gid_t gid);

/* --- bubblewrap's arguments: bwrap.c --- */

/* Append words, each with its NUL; b and c may be NULL. */
void bwrap_add(struct strbuf *args, const char *a, const char *b, const char *c);

/* The world's mounts and the tree, ordered so that mounts within the tree come after it. */
struct mount *bwrap_mounts(
	const struct executor *executor, bool is_coprocess, struct arena *arena, size_t *ret_n);

/* Append the arguments of a box around a command. */
void bwrap_describe(struct strbuf *args, const struct executor *executor,
	const struct command *command, const struct mount *mounts, size_t n, const struct box *box,
	struct arena *arena);

/* --- The filter of system calls: seccomp.c --- */

/* The filter for this machine in the format of bwrap --seccomp; in the arena. */
int seccomp_filter(struct arena *arena, const void **ret_bytes, size_t *ret_n,
	struct rondo_error *err);

/* --- Why there is no sandbox here: refusal.c --- */

/* Explain exactly what is missing on this machine and how to get it; `said`: the message of bwrap
 * or of the stage. Returns -1. */
int refusal_explain(const char *said, struct rondo_error *err);
