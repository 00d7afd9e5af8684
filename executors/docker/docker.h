/*
 * The parts of the docker executor: a container for each executor, made when it starts, in which every command is run by a
 * helper of ours (inside/). Only they and tests include it.
 */
#pragma once
#include "executors/docker/api.h"
#include "executors/docker/stream.h"
#include "executors/executor.h"
#include "inside/inside.h"

enum { DOCKER_ID_SIZE = 80 };

struct docker {
	/* Options. */
	const char *socket, *image, *pull, *container_name;
	bool auto_remove, stop_container;
	int64_t memory, pids, tmp;
	double cpus;
	/* What start made. */
	struct docker_api api;
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
enum { DOCKER_GRACE_MS = 5000 };

/* --- Images: docker_image.c --- */

/* Have the image there, as the option `pull` says. */
int docker_image_bring(struct docker *docker, const struct context *ctx, struct rondo_error *err);

/* --- Containers: docker_container.c --- */

/* Make one and start it. */
int docker_container_make(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* The id of the one that is there, or of a new one where the last was lost. */
int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE], const struct context *ctx, struct rondo_error *err);

/* Kill the one of that id with all that is in it. `why` is static, and told with the next output. */
void docker_container_drop(struct docker *docker, const char *id, const char *why);

/* The end of the executor: as the options say. */
void docker_container_leave(struct docker *docker);

/* --- Their owners: docker_owner.c --- */

#define DOCKER_LABEL "rondo"

/* Remove what dead owners left; gives how many things. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel, struct rondo_error *err);

/* --- Processes in it: docker_exec.c --- */

struct docker_exec {
	int fd; /* -1: it is over */
	struct docker_stream stream;
	/* What the line printed. */
	void (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	struct inside_report report;
	size_t n_report; /* bytes of it that came; all: it is there */
	char id[DOCKER_ID_SIZE], container[DOCKER_ID_SIZE];
};

/* Start the helper with a line: `word` is one of inside/inside.h. */
int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command,
	const struct context *ctx, struct rondo_error *err);

/* Take what came. False: it is over. */
bool docker_exec_read(struct docker_exec *exec);
bool docker_exec_has_report(const struct docker_exec *exec);

/* Tell the helper to kill all; its report comes next. */
void docker_exec_kill(struct docker_exec *exec);
void docker_exec_release(struct docker_exec *exec);

/* Run one, and speak with one: members of the type. */
int docker_run(struct executor *executor, const struct command *command, struct process_result *result, const struct context *ctx,
	struct rondo_error *err);
int docker_open(struct executor *executor, const struct command *command, struct coprocess **ret_coprocess,
	const struct context *ctx, struct rondo_error *err);
