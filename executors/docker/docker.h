/*
 * The parts of the docker executor: a container for each executor, made when it starts, in which
 * every command is run by a helper of ours (inside/). Only they and tests include it.
 */
#pragma once
#include "executors/docker/api.h"
#include "executors/docker/stream.h"
#include "executors/remote.h"

enum { DOCKER_ID_SIZE = 80 };

struct docker {
	/* Options. */
	const char *socket, *image, *pull, *container_name, *tree;
	bool auto_remove, stop_container;
	int64_t memory, pids, tmp;
	double cpus;
	/* What start made. */
	struct docker_api api;
	bool by_archive;         /* the tree is sent, not mounted */
	struct remote remote;    /* where it is sent */
	pthread_mutex_t lock;    /* of what follows */
	char container[DOCKER_ID_SIZE]; /* its id; "": there is none just now */
	/* our end of its first process's input, which ends it when we do; -1: none */
	int held;
	const char *inside;      /* the directory that has the helper */
	/* why the last one was lost, as the next output has to tell; static; NULL: none was */
	const char *why_new;
};

/* Where containers have the helper. */
#define DOCKER_INSIDE_DIR "/.rondo"
#define DOCKER_OPEN "open" /* beside the helper on the host: an empty directory that all may enter */
#define DOCKER_INSIDE DOCKER_INSIDE_DIR "/inside"

/* How long what was told to end may take, before harder means are taken. */
enum { DOCKER_GRACE_MS = 5000, DOCKER_TELL_MS = 60000 /* until it tells more of what changed */ };

/* --- Images: image.c --- */

/* Have the image there, as the option `pull` says. */
int docker_image_bring(struct docker *docker, const struct context *ctx, struct rondo_error *err);

/* --- Containers: container.c --- */

/* Make one and start it. */
int docker_container_make(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* The id of the one that is there, or of a new one where the last was lost. */
int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE],
	const struct context *ctx, struct rondo_error *err);

/* Kill the one of that id with all that is in it. `why` is static, and told with the next
 * output. */
void docker_container_drop(struct docker *docker, const char *id, const char *why);

/* The end of the executor: as the options say. */
void docker_container_leave(struct docker *docker);

/* --- What it is shown: mounts.c --- */

/* Who programs are in there. */
struct docker_user {
	unsigned uid, gid;
};
struct docker_user docker_user_of(const struct executor *executor);

/* Whom belongs what programs may not write. */
struct docker_user docker_other_user(const struct executor *executor);

/* Whether a directory of this machine is shown to containers. */
bool docker_mounts_has(const struct world *world, const struct mount *mount);

void docker_mounts_add(struct json *host, const struct executor *executor, struct arena *arena);

/* Where programs have the cache; in the arena. */
const char *docker_cache_at(const struct executor *executor, struct arena *arena);

/* --- The helper, and what it does for rondo alone: helper.c --- */

/* Write its file, to be mounted. */
int docker_helper_write(struct docker *docker, const struct executor *executor,
	struct rondo_error *err);

/* Put it into a container that has volumes. */
int docker_helper_put(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* Once such a container has started: let its user write to tree and cache, and fill what programs
 * only read. */
int docker_helper_fill(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* Whether programs see tree and cache, and can write to them: by a file in each, looked at from
 * inside. */
int docker_helper_see(struct executor *executor, bool *ret_sees, const struct context *ctx,
	struct rondo_error *err);

/* --- Their owners: owner.c --- */

#define DOCKER_LABEL "rondo"
#define DOCKER_KEPT "kept" /* its value where the user wants to have the container */

/* Add the member "Labels". */
void docker_owner_label(struct json *json, const struct docker *docker);

/* Whether who made a thing with such labels is known to be gone. */
bool docker_owner_is_gone(const struct json *labels);

/* Remove a container or volume, with all that it has. One that is gone is fine. */
int docker_owner_remove(struct docker_api *api, const char *kind, const char *name, const struct cancel *cancel,
	struct rondo_error *err);

/* Remove what dead owners left; gives how many things. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel,
	struct rondo_error *err);

/* --- Processes in it: exec.c --- */

struct docker_exec {
	int fd; /* -1: it is over */
	struct docker_stream stream;
	/* What the line printed. */
	void (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	struct inside_report report; /* .end 0: it has not come */
	char head[INSIDE_REPORT_SIZE];
	uint64_t heard;            /* bytes of records */
	struct answer_file answer; /* takes them; -1: nothing but the report is wanted */
	bool is_stuck;             /* and takes no more */
	char id[DOCKER_ID_SIZE], container[DOCKER_ID_SIZE];
};

#define DOCKER_EXEC_INIT {.fd = -1, .answer = {.fd = -1}}

/* What the helper is started with. */
struct docker_words {
	const char **items; /* its command line */
	size_t n;
	const char *user;       /* NULL: the container's */
	const char *const *env; /* NAME=value ..., NULL; may be NULL */
};

/* Start it in the container that exec names. True in *ret_gone: there is none any more. */
int docker_exec_begin(struct docker_exec *exec, struct executor *executor,
	const struct docker_words *words, bool *ret_gone, const struct context *ctx,
	struct rondo_error *err);

/* Start it with a line: `word` is INSIDE_RUN or INSIDE_SPEAK. What changed here goes before it
 * where the tree is sent. */
int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word,
	const struct command *command, const struct context *ctx, struct rondo_error *err);

/* Send it records. */
int docker_exec_send(struct docker_exec *exec, struct remote_stream *stream,
	const struct cancel *cancel, struct rondo_error *err);

/* Take what came. False: it is over. */
bool docker_exec_read(struct docker_exec *exec);

/* Tell the helper to kill all; its report comes next. */
void docker_exec_kill(struct docker_exec *exec);

/* Listen no more; what came is there until it is released. */
void docker_exec_close(struct docker_exec *exec);
void docker_exec_release(struct docker_exec *exec);

/* Run one, and speak with one: members of the type. */
int docker_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);
int docker_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err);
