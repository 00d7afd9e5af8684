/*
 * The parts of the docker executor: a container for each executor, made when it starts, in which every command is run by a
 * helper of ours (inside/). Only they and tests include it.
 */
#pragma once
#include "executors/docker/api.h"
#include "executors/docker/stream.h"
#include "executors/executor.h"
#include "executors/mirror.h"
#include "executors/docker/inside/inside.h"

enum { DOCKER_ID_SIZE = 80 };

/* Of a container that has tree and cache for itself: what it knows of those here. */
struct docker_carry {
	struct mirror tree, cache;
	const char *const *kept; /* paths in the tree that are the programs' own; NULL-terminated */
	struct arena arena;
	/* What went with the last command; nobody knows whether it took it, until it says so: */
	struct mirror_changes tree_changes, cache_changes;
	bool has_gone;
	struct arena sent;
};

struct docker {
	/* Options. */
	const char *socket, *image, *pull, *container_name, *tree;
	bool auto_remove, stop_container;
	int64_t memory, pids, tmp;
	double cpus;
	/* What start made. */
	struct docker_api api;
	bool by_archive;         /* the tree is sent, not mounted */
	struct docker_carry carry;
	pthread_mutex_t lock;    /* of what follows */
	char container[DOCKER_ID_SIZE]; /* its id; "": there is none just now */
	int held;                /* our end of its first process's input, which ends it when we do; -1: none */
	const char *inside;      /* the directory that has the helper */
	const char *why_new;     /* why the last one was lost, as the next output has to tell; static; NULL: none was */
};

/* Where containers have the helper. */
#define DOCKER_INSIDE_DIR "/.rondo"
#define DOCKER_OPEN "open" /* beside the helper on the host: an empty directory that all may enter */
#define DOCKER_INSIDE DOCKER_INSIDE_DIR "/inside"

/* How long what was told to end may take, before harder means are taken. */
enum { DOCKER_GRACE_MS = 5000, DOCKER_LIST_MS = 60000 /* with the list of what changed */ };

/* --- Images: image.c --- */

/* Have the image there, as the option `pull` says. */
int docker_image_bring(struct docker *docker, const struct context *ctx, struct rondo_error *err);

/* --- Containers: container.c --- */

/* Make one and start it. */
int docker_container_make(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* The id of the one that is there, or of a new one where the last was lost. */
int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE], const struct context *ctx, struct rondo_error *err);

/* Kill the one of that id with all that is in it. `why` is static, and told with the next output. */
void docker_container_drop(struct docker *docker, const char *id, const char *why);

/* The end of the executor: as the options say. */
void docker_container_leave(struct docker *docker);

/* --- What it is shown: mounts.c --- */

/* Who programs are in there. */
struct docker_user {
	unsigned uid, gid;
};
struct docker_user docker_user_of(const struct executor *executor);

void docker_mounts_add(struct json *host, const struct executor *executor, struct arena *arena);

/* Fill the volumes of one that is not started yet, where it has such. */
int docker_mounts_fill(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* --- What is sent to it: send.c --- */

/* A file that is none of this machine's. */
struct docker_extra {
	const char *name, *bytes;
	size_t n;
	unsigned mode;
};

struct docker_shipment {
	const char *dir; /* that files are read in */
	struct mirror_changes changes;
	struct docker_extra extra; /* .name NULL: none */
	struct docker_user user;   /* whose all of it is to be */
};

/* Put it into a directory that is a volume. True in *ret_gone, which may be NULL: there is no such container any more. */
int docker_send_files(struct executor *executor, const char *at, const struct docker_shipment *shipment, bool *ret_gone,
	const struct context *ctx, struct rondo_error *err);

/* Where programs have the cache; in the arena. */
const char *docker_cache_at(const struct executor *executor, struct arena *arena);

/* Send what changed here. */
int docker_carry_send(struct executor *executor, bool *ret_gone, const struct context *ctx, struct rondo_error *err);

/* A new container knows nothing. */
void docker_carry_forget(struct executor *executor);
void docker_carry_release(struct docker *docker);

/* --- Their owners: owner.c --- */

#define DOCKER_LABEL "rondo"
#define DOCKER_KEPT "kept" /* its value where the user wants to have the container */

/* Add the member "Labels". */
void docker_owner_label(struct json *json, const struct docker *docker);

/* Whether who made a thing with such labels is known to be gone. */
bool docker_owner_is_gone(const struct json *labels);

/* Remove what dead owners left; gives how many things. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel, struct rondo_error *err);

/* --- Processes in it: exec.c --- */

struct docker_exec {
	int fd; /* -1: it is over */
	struct docker_stream stream;
	/* What the line printed. */
	void (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	struct inside_report report;
	size_t n_report; /* bytes of it that came; all: it is there */
	struct strbuf listing; /* what comes behind it */
	char id[DOCKER_ID_SIZE], container[DOCKER_ID_SIZE];
};

/* Start the helper with a line: `word` is one of inside/inside.h; of INSIDE_SEE and INSIDE_OPEN the line is a name in tree and cache,
 * or "". A line that is run is carried where the container has a tree of its own. */
int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command,
	const struct context *ctx, struct rondo_error *err);

/* The same in the container that exec names. True in *ret_gone: it is gone by now. */
int docker_exec_begin(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command, bool *ret_gone,
	const struct context *ctx, struct rondo_error *err);

/* Take what came. False: it is over. */
bool docker_exec_read(struct docker_exec *exec);
bool docker_exec_has_report(const struct docker_exec *exec);

/* Tell the helper to kill all; its report comes next. */
void docker_exec_kill(struct docker_exec *exec);

/* Listen no more; what came is there until it is released. */
void docker_exec_close(struct docker_exec *exec);
void docker_exec_release(struct docker_exec *exec);

/* Take over what the line changed in a container that has a tree of its own; what stays there is said in the output, which may be
 * NULL: fetch.c. Where that fails, the container is dropped. */
int docker_carry_fetch(struct executor *executor, const struct docker_exec *exec, struct strbuf *output, const struct cancel *cancel,
	struct rondo_error *err);

/* Let the user of a new container write to its tree and cache, where these are volumes. */
int docker_open_tree(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* Whether programs see tree and cache, and can write to them: by a file in each, looked at from inside. */
int docker_see(struct executor *executor, bool *ret_sees, const struct context *ctx, struct rondo_error *err);

/* Run one, and speak with one: members of the type. */
int docker_run(struct executor *executor, const struct command *command, struct process_result *result, const struct context *ctx,
	struct rondo_error *err);
int docker_open(struct executor *executor, const struct command *command, struct coprocess **ret_coprocess,
	const struct context *ctx, struct rondo_error *err);
