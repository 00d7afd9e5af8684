/*
 * The Engine API, as Docker and Podman speak it over a socket of this machine: one request at a
 * time for each handle, whoever asks. Only the docker executor and tests include it.
 */
#pragma once
#include <pthread.h>

#include "base/http.h"
#include "base/json.h"
#include "base/strbuf.h"

struct docker_api {
	const char *socket;
	const char *name;    /* "Docker 20.10.24", "Podman 4.3.1" */
	const char *version; /* of the API, as it is spoken */
	bool is_podman;
	bool is_rootless;    /* its user 0 is whoever started it */
	/* to others than those of this machine, where a container does not say otherwise */
	bool maps_users;
	struct http *http;
	pthread_mutex_t lock; /* a line that is spoken with and one that is run may be two threads' */
	struct arena *arena;
};

/* Find the engine and agree with it on a version. `socket`: what the user names, or NULL. Errors
 * say which of the ways failed, and the command that mends it. What is found lies in the arena. */
int docker_api_open(struct docker_api *ret_api, const char *socket, struct arena *arena,
	const struct cancel *cancel, struct rondo_error *err);
void docker_api_close(struct docker_api *api);

struct docker_request {
	const char *method, *path; /* below the version; its query is encoded */
	const struct json *body;   /* NULL: none */
	const struct strbuf *archive; /* another one, a tar archive; NULL: none */
	/* of an answer that is no error; NULL: it is read as JSON */
	enum http_taken (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
	int64_t total_ms; /* 0: DOCKER_CALL_MS */
};

enum { DOCKER_CALL_MS = 120000, DOCKER_END_MS = 20000 };

struct docker_answer {
	int status;
	struct json *json; /* NULL: none came, or it was taken */
	char message[512]; /* of an error; "": there is none */
};

/* -1 only where no answer came. `answer` is to be released in any case. */
int docker_send(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const struct cancel *cancel, struct rondo_error *err);
void docker_answer_release(struct docker_answer *answer);
#define AUTO_DOCKER_ANSWER __attribute__((cleanup(docker_answer_release))) struct docker_answer

/* The same, where any status but those of success is an error. `what` failed: "cannot start the
 * container". */
int docker_do(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const char *what, const struct cancel *cancel,
	struct rondo_error *err);

#define DOCKER_MAKE_ROOM "docker system df shows what fills the disk, docker system prune makes room"

/* An answer that is an error, as one of ours. Returns -1. */
int docker_refused(const struct docker_api *api, const struct docker_answer *answer,
	const char *what, struct rondo_error *err);

/* Wait for a descriptor. False: it was cancelled, or time is over. */
bool docker_await(int fd, short events, const struct cancel *cancel, int64_t deadline_ms);

/* A connection that becomes a stream between rondo and a process. Its descriptor, which does not
 * wait; or -1. */
int docker_hijack(struct docker_api *api, const char *path, const char *body,
	const struct cancel *cancel, struct rondo_error *err);
