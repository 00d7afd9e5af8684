/* Bytes between a client in a box and the server outside of it. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "base/unix_socket.h"
#include "run/run.h"

/* One direction: what was read and is not written yet. */
struct connect_way {
	int from, to;
	char bytes[65536];
	size_t n, written;
	bool has_ended; /* nothing comes any more */
};

static bool way_is_empty(const struct connect_way *way)
{
	return way->written == way->n;
}

static void way_read(struct connect_way *way)
{
	ssize_t n = read(way->from, way->bytes, sizeof way->bytes);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		way->has_ended = true;
	way->written = 0;
	way->n = n > 0 ? (size_t)n : 0;
}

/* Not more than fits without waiting. */
static void way_write(struct connect_way *way)
{
	size_t left = way->n - way->written;
	ssize_t n = write(way->to, way->bytes + way->written, left < PIPE_BUF ? left : PIPE_BUF);
	if (n > 0)
		way->written += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		*way = (struct connect_way){.from = way->from, .to = way->to, .has_ended = true};
}

/* When the client closes, the server is told, and may say its last words; when the server closes,
 * all is over. */
static int connect_pass(struct connect_way *up, struct connect_way *down,
	const struct cancel *cancel, struct rondo_error *err)
{
	bool told = false;
	while (!(down->has_ended && way_is_empty(down))) {
		struct connect_way *ways[] = {up, down};
		struct pollfd fds[4 + CANCEL_FDS];
		for (size_t i = 0; i < 2; i++) {
			bool reads = way_is_empty(ways[i]) && !ways[i]->has_ended;
			fds[2 * i] = (struct pollfd){.fd = reads ? ways[i]->from : -1, .events = POLLIN};
			fds[2 * i + 1] =
				(struct pollfd){.fd = way_is_empty(ways[i]) ? -1 : ways[i]->to, .events = POLLOUT};
		}
		poll(fds, 4 + cancel_poll(cancel, fds + 4), -1);
		if (cancel_reason(cancel))
			return cancel_error(cancel, err);
		for (size_t i = 0; i < 2; i++) {
			if (fds[2 * i + 1].revents)
				way_write(ways[i]);
			if (fds[2 * i].revents)
				way_read(ways[i]);
		}
		if (up->has_ended && way_is_empty(up) && !told)
			told = shutdown(up->to, SHUT_WR) == 0 || true;
	}
	return 0;
}

int run_mcp_connect(
	const char *socket, int in, int out, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_CLOSE fd = unix_socket_connect(socket, err);
	if (fd < 0)
		return -1;
	struct connect_way up = {.from = in, .to = fd}, down = {.from = fd, .to = out};
	return connect_pass(&up, &down, cancel, err);
}
