#include "base/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* The path of its directory; the caller's to free(). */
static char *socket_dir(const char *path)
{
	size_t n = (size_t)(file_name(path) - path);
	char *dir = memory_strdup(n ? path : ".");
	dir[n ? n : 1] = '\0';
	return dir;
}

/* By the directory's descriptor. False: it is no name for a file. */
static bool socket_address(int dir, const char *name, struct sockaddr_un *ret_address)
{
	*ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
	int n = snprintf(
		ret_address->sun_path, sizeof ret_address->sun_path, "/proc/self/fd/%d/%s", dir, name);
	return *name && n < (int)sizeof ret_address->sun_path;
}

static int socket_open_dir(
	struct unix_socket *socket, const char *path, uid_t uid, gid_t gid, struct rondo_error *err)
{
	AUTO_FREE char *dir = socket_dir(path);
	bool is_new = mkdir(dir, 0700) == 0;
	if (!is_new && errno != EEXIST)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make '%s' for a socket", dir);
	if (is_new && (uid || gid) && chown(dir, uid, gid) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot give '%s' away", dir);
	socket->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (socket->dir < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot open '%s' for a socket", dir);
	return 0;
}

/* Nobody can connect before its owner and mode are right. */
int unix_socket_listen(struct unix_socket *ret_socket, const char *path, uid_t uid, gid_t gid,
	int backlog, struct rondo_error *err)
{
	struct sockaddr_un address;
	*ret_socket = UNIX_SOCKET_CLOSED;
	if (socket_open_dir(ret_socket, path, uid, gid, err) < 0)
		return -1;
	if (!socket_address(ret_socket->dir, file_name(path), &address))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is no name for a socket", path);
	ret_socket->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ret_socket->fd < 0 ||
		bind(ret_socket->fd, (const struct sockaddr *)&address, sizeof address) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot bind the socket %s", path);
	ret_socket->name = memory_strdup(file_name(path));
	if (fchmodat(ret_socket->dir, ret_socket->name, 0600, 0) < 0 ||
		((uid || gid) &&
			fchownat(ret_socket->dir, ret_socket->name, uid, gid, AT_SYMLINK_NOFOLLOW) < 0) ||
		listen(ret_socket->fd, backlog) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot listen at %s", path);
	return 0;
}

void unix_socket_close(struct unix_socket *socket)
{
	if (socket->name)
		unlinkat(socket->dir, socket->name, 0);
	if (socket->fd >= 0)
		close(socket->fd);
	if (socket->dir >= 0)
		close(socket->dir);
	free(socket->name);
	*socket = UNIX_SOCKET_CLOSED;
}

int unix_socket_connect(const char *path, struct rondo_error *err)
{
	struct sockaddr_un address;
	AUTO_FREE char *parent = socket_dir(path);
	AUTO_CLOSE dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (dir < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot connect to '%s'", path);
	if (!socket_address(dir, file_name(path), &address))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is no name for a socket", path);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a socket");
	if (connect(fd, (const struct sockaddr *)&address, sizeof address) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot connect to '%s'", path);
	return STEAL_FD(&fd);
}
