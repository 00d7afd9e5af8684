/*
 * The parts of the docker executor: one container per executor, in which a helper (inside/) runs
 * every command. Only they and tests include it.
 */
#pragma once
#include "executors/docker/docker_api.h"
#include "executors/docker/stream.h"
#include "executors/remote.h"

enum { DOCKER_ID_SIZE = 80 };

struct docker {
	/* Options. */
	const char *socket, *image, *pull, *container_name, *tree;
	struct option_texts extra_hosts;
	bool auto_remove, stop_container;
	int64_t memory, pids, tmp;
	double cpus;
	/* Set by start: */
	struct docker_api api;
	bool by_archive;         /* the tree is sent, not mounted */
	struct remote remote;    /* where it is sent */
	pthread_mutex_t lock;    /* of what follows */
	char container[DOCKER_ID_SIZE]; /* its id; "": there is none at the moment */
	/* standard input of its first process, which ends when this closes; -1: none */
	int held;
	const char *inside;      /* the helper's directory on the host */
	/* why the last container was lost, for the next output; static; NULL: it was not */
	const char *why_new;
};

/* The helper's directory in containers. */
#define DOCKER_INSIDE_DIR "/.rondo"
/* Beside the helper on the host: an empty directory that everybody may enter. */
#define DOCKER_OPEN "open"
#define DOCKER_INSIDE DOCKER_INSIDE_DIR "/inside"

/* How long a helper may take to end before its container is removed. */
enum { DOCKER_GRACE_MS = 5000, DOCKER_TELL_MS = 60000 /* between two reads of its changes */ };

/* --- Images: image.c --- */

/* Make the image available, as the option `pull` says. */
int docker_image_bring(struct docker *docker, const struct context *ctx, struct rondo_error *err);

/* --- Containers: container.c --- */

/* Create a container and start it. */
int docker_container_make(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* The id of the container, or of a new one if the last was lost. */
int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE],
	const struct context *ctx, struct rondo_error *err);

/* Remove the container of that id. `why` is static and goes into the next output. */
void docker_container_drop(struct docker *docker, const char *id, const char *why);

/* Stop or remove the container at the end, as the options say. */
void docker_container_leave(struct docker *docker);

/* --- What it is shown: mounts.c --- */

/* The user of programs in it. */
struct docker_user {
	unsigned uid, gid;
};
struct docker_user docker_user_of(const struct executor *executor);

/* The owner of files that programs may not write. */
struct docker_user docker_other_user(const struct executor *executor);

/* Whether a mount of the world is shown to containers. */
bool docker_mounts_has(const struct world *world, const struct mount *mount);

void docker_mounts_add(struct json *host, const struct executor *executor, struct arena *arena);

/* The path of the cache in the container; in the arena. */
const char *docker_cache_at(const struct executor *executor, struct arena *arena);

/* --- The helper, and what it does for rondo alone: helper.c --- */

/* Write the helper's file on the host, to be mounted. */
int docker_helper_write(struct docker *docker, const struct executor *executor,
	struct rondo_error *err);

/* Put the helper into a container that has volumes. */
int docker_helper_put(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* After such a container has started: make tree and cache writable for its user and fill read-only
 * directories. */
int docker_helper_fill(struct executor *executor, const struct context *ctx,
	struct rondo_error *err);

/* Whether programs see tree and cache and can write to them: tried with a file in each. */
int docker_helper_see(struct executor *executor, bool *ret_sees, const struct context *ctx,
	struct rondo_error *err);

/* --- Their owners: docker_owner.c --- */

#define DOCKER_LABEL "rondo"
#define DOCKER_KEPT "kept" /* its value for a container that the user keeps */

/* Add the member "Labels". */
void docker_owner_label(struct json *json, const struct docker *docker);

/* Whether the owner in these labels is known to be gone. */
bool docker_owner_is_gone(const struct json *labels);

/* Remove a container or volume. A missing one is fine. */
int docker_owner_remove(struct docker_api *api, const char *kind, const char *name,
	const struct cancel *cancel, struct rondo_error *err);

/* Remove what dead owners left, and count it. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel,
	struct rondo_error *err);

/* --- Processes in it: exec.c --- */

struct docker_exec {
	int fd; /* -1: it is over */
	struct docker_stream stream;
	/* Takes the line's output. */
	void (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	struct inside_report report; /* .end 0: not yet received */
	char head[INSIDE_REPORT_SIZE];
	uint64_t heard;            /* bytes of records */
	struct answer_file answer; /* stores them; -1: only the report is wanted */
	bool is_stuck;             /* it cannot be written any more */
	char id[DOCKER_ID_SIZE], container[DOCKER_ID_SIZE];
};

#define DOCKER_EXEC_INIT {.fd = -1, .answer = {.fd = -1}}

/* How the helper is started. */
struct docker_words {
	const char **items; /* its command line */
	size_t n;
	const char *user;       /* NULL: the container's */
	const char *const *env; /* NAME=value ..., NULL; may be NULL */
};

/* Start it in exec's container. True in *ret_gone: that container no longer exists. */
int docker_exec_begin(struct docker_exec *exec, struct executor *executor,
	const struct docker_words *words, bool *ret_gone, const struct context *ctx,
	struct rondo_error *err);

/* Start it with a line: `word` is INSIDE_RUN or INSIDE_SPEAK. If the tree is sent, local changes go
 * first. */
int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word,
	const struct command *command, const struct context *ctx, struct rondo_error *err);

/* Send it records. */
int docker_exec_send(struct docker_exec *exec, struct remote_stream *stream,
	const struct cancel *cancel, struct rondo_error *err);

/* Read what has arrived. False: the stream has ended. */
bool docker_exec_read(struct docker_exec *exec);

/* Tell the helper to kill everything; its report follows. */
void docker_exec_kill(struct docker_exec *exec);

/* Close the stream; what was read stays until the release. */
void docker_exec_close(struct docker_exec *exec);
void docker_exec_release(struct docker_exec *exec);

/* The type's run and open. */
int docker_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);
int docker_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err);
