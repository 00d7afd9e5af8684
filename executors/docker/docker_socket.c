#include "executors/docker/docker_api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"

#define DOCKER_SOCKET "/var/run/docker.sock"
#define UNIX "unix://"
#define START_PODMAN "systemctl --user start podman.socket"

static const char *podman_socket(struct arena *arena)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	if (runtime && *runtime == '/')
		return arena_printf(arena, "%s/podman/podman.sock", runtime);
	return getuid() == 0 ? "/run/podman/podman.sock"
		: arena_printf(arena, "/run/user/%d/podman/podman.sock", (int)getuid());
}

static const char *docker_socket_from_host(const char *host, struct arena *arena,
	struct rondo_error *err)
{
	if (text_starts_with(host, UNIX "/"))
		return arena_strdup(arena, host + strlen(UNIX));
	error_set(err, RONDO_ERROR_USAGE,
		"DOCKER_HOST is '%s': rondo speaks with engines of this machine only, by unix:///PATH",
		host);
	error_help(err,
		"unset DOCKER_HOST, or set it to the socket of an engine that runs on this machine");
	return NULL;
}

static int docker_socket_no_engine(const char *podman, struct arena *arena, struct rondo_error *err)
{
	static const char programs[] = "/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin";
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no container engine: there is neither %s nor %s",
		DOCKER_SOCKET, podman);
	if (file_search(arena, programs, "dockerd"))
		return error_help(err, "sudo systemctl start docker");
	if (file_search(arena, programs, "podman"))
		return error_help(err, "%s", START_PODMAN);
	return error_help(err,
		"apt-get install docker.io, or apt-get install podman and " START_PODMAN);
}

const char *docker_socket_find(const char *named, struct arena *arena, struct rondo_error *err)
{
	const char *host = getenv("DOCKER_HOST"), *podman = podman_socket(arena);
	if (named)
		return arena_strdup(arena, text_starts_with(named, UNIX) ? named + strlen(UNIX) : named);
	if (host && *host)
		return docker_socket_from_host(host, arena, err);
	if (file_exists(DOCKER_SOCKET))
		return DOCKER_SOCKET;
	if (file_exists(podman))
		return podman;
	docker_socket_no_engine(podman, arena, err);
	return NULL;
}

static int docker_socket_refused(const char *path, int number, struct rondo_error *err)
{
	bool is_podman = strstr(path, "podman");
	errno = number;
	error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot reach a container engine at %s", path);
	if (number == ENOENT) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no container engine: there is no socket at %s",
			path);
		return error_help(err, "start the engine, or name its socket by DOCKER_HOST=unix:///PATH");
	}
	if (number == EACCES || number == EPERM) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"this user may not speak with the container engine at %s", path);
		return error_help(err,
			"sudo usermod -aG docker $USER and log in again (who is in that group is as good as "
			"root), or use rootless Docker or Podman");
	}
	if (number == ECONNREFUSED) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"nobody listens at %s: the container engine is not running", path);
		return error_help(err, "%s", is_podman ? START_PODMAN : "sudo systemctl start docker");
	}
	return -1;
}

int docker_socket_connect(const char *path, struct rondo_error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof address.sun_path)
		return error_set(err, RONDO_ERROR_USAGE,
			"the path of the socket %s is longer than the system takes", path);
	memcpy(address.sun_path, path, strlen(path));
	AUTO_CLOSE fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a socket");
	if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
		return docker_socket_refused(path, errno, err);
	return STEAL_FD(&fd);
}

int docker_socket_try(const char *path, struct rondo_error *err)
{
	AUTO_CLOSE fd = docker_socket_connect(path, err);
	return fd < 0 ? -1 : 0;
}

int docker_socket_explain(const char *path, struct rondo_error *err)
{
	struct rondo_error why;
	if (err->code == RONDO_ERROR_CANCELLED || docker_socket_try(path, &why) == 0)
		return -1;
	why.code = RONDO_ERROR_TRANSIENT; /* the engine was there before */
	*err = why;
	return -1;
}
