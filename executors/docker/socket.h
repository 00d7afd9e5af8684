/* The socket that a container engine listens at. Only the docker executor and tests include it. */
#pragma once
#include "base/arena.h"
#include "base/error.h"

/* Where it is: as the user says, else as DOCKER_HOST says, else where engines have it; in the
 * arena. NULL with err set. */
const char *docker_socket_find(const char *named, struct arena *arena, struct rondo_error *err);

/* A connection to it; or -1 with err set, which says why there is none and what mends it. */
int docker_socket_connect(const char *path, struct rondo_error *err);

/* Whether there can be one. */
int docker_socket_try(const char *path, struct rondo_error *err);

/* Where a request failed since there is no connection any more, say that instead. Returns -1. */
int docker_socket_explain(const char *path, struct rondo_error *err);
