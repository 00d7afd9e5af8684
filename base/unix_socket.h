/* Unix sockets by a path, which may be longer than an address takes. */
#pragma once
#include <sys/types.h>

#include "base/error.h"

struct unix_socket {
	int fd;     /* listens, and never blocks; -1: closed */
	int dir;    /* where it lies */
	char *name; /* there; NULL: what is there is somebody else's */
};

#define UNIX_SOCKET_CLOSED \
	(struct unix_socket) \
	{ \
		.fd = -1, .dir = -1 \
	}

/* Listen at a path where there is no file. The directory is made where it is missing, for its owner
 * alone. Whose the socket is, and the directory if it was made: uid and gid; both 0: this
 * process's. On failure close it, too. */
int unix_socket_listen(struct unix_socket *socket, const char *path, uid_t uid, gid_t gid,
	int backlog, struct rondo_error *err);

/* Remove and close it. */
void unix_socket_close(struct unix_socket *socket);

/* A descriptor that is connected to the socket at a path; the caller's. */
int unix_socket_connect(const char *path, struct rondo_error *err);
