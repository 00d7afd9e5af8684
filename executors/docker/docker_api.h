/*
 * The Engine API of Docker and Podman over a local socket: one request at a time per handle, from
 * any thread. Only the docker executor and tests include it.
 */
#pragma once
#include <pthread.h>

#include "base/http/http.h"
#include "base/json/json.h"
#include "base/strbuf.h"

struct docker_api {
	const char *socket;
	const char *name;    /* "Docker 20.10.24", "Podman 4.3.1" */
	const char *version; /* the negotiated version of the API */
	bool is_podman;
	bool is_rootless;    /* its user 0 is the user who started it */
	/* to other uids, unless a container asks for the host's */
	bool maps_users;
	struct http *http;
	pthread_mutex_t lock; /* a coprocess and a command may belong to two threads */
	struct arena *arena;
};

/* Find the engine and negotiate a version. `socket`: the user's option, or NULL. Errors say what
 * failed and how to mend it. Strings lie in the arena. */
int docker_api_open(struct docker_api *ret_api, const char *socket, struct arena *arena,
	const struct cancel *cancel, struct rondo_error *err);
void docker_api_close(struct docker_api *api);

struct docker_request {
	const char *method, *path; /* after the version; with an encoded query */
	const struct json *body;   /* NULL: none */
	const struct strbuf *archive; /* a tar archive as the body; NULL: none */
	/* takes the body of a success; NULL: it is read as JSON */
	enum http_taken (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	int64_t total_ms; /* 0: DOCKER_CALL_MS */
};

enum { DOCKER_CALL_MS = 120000, DOCKER_END_MS = 20000 };

struct docker_answer {
	int status;
	struct json *json; /* NULL: there was none, or `take` had it */
	char message[512]; /* of an error; "": none */
};

/* Send a request. -1 only if no answer came. `answer` must be released in any case. */
int docker_send(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const struct cancel *cancel, struct rondo_error *err);
void docker_answer_release(struct docker_answer *answer);
#define AUTO_DOCKER_ANSWER __attribute__((cleanup(docker_answer_release))) struct docker_answer

/* The same; a status of 400 or more is an error, too. `what` failed: "cannot start the
 * container". */
int docker_do(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const char *what, const struct cancel *cancel,
	struct rondo_error *err);

#define DOCKER_MAKE_ROOM \
	"docker system df shows what fills the disk, docker system prune makes room"

/* Turn an answer into an error. Returns -1. */
int docker_refused(const struct docker_api *api, const struct docker_answer *answer,
	const char *what, struct rondo_error *err);

/* Wait for a descriptor. False: cancelled, or the deadline has passed. */
bool docker_await(int fd, short events, const struct cancel *cancel, int64_t deadline_ms);

/* Make a request that turns the connection into a stream to a process. A non-blocking descriptor,
 * or -1. */
int docker_hijack(struct docker_api *api, const char *path, const char *body,
	const struct cancel *cancel, struct rondo_error *err);

/* --- Its socket: docker_socket.c --- */

/* Its path: the user's, else DOCKER_HOST's, else the usual ones; in the arena. NULL with err
 * set. */
const char *docker_socket_find(const char *named, struct arena *arena, struct rondo_error *err);

/* Connect. -1 with err set, which explains and helps. */
int docker_socket_connect(const char *path, struct rondo_error *err);

/* Whether a connection is possible. */
int docker_socket_try(const char *path, struct rondo_error *err);

/* If a request failed because the engine has gone, say that instead. Returns -1. */
int docker_socket_explain(const char *path, struct rondo_error *err);
