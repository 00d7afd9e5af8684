/*
 * A port of 127.0.0.1 in front of a unix socket, and a child that knows it (relay_port.h). One
 * thread, one poll: a direction is read only where its buffer is empty, so a peer that does not
 * read makes the other one wait, and nothing else.
 */
#include "executors/relay_port/relay_port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PAIRS = 128, BUFFER = 64 << 10, BACKLOG = 128 };

/* Bytes on their way from one end to the other. */
struct way {
	size_t start, end;
	bool is_closed; /* nothing more comes, or nobody takes it */
	char bytes[BUFFER];
};

/* A connection: ends[0] is the agent's, ends[1] the relay's; ways[i] leads from ends[i]. */
struct pair {
	int ends[2];
	struct way ways[2];
};

static struct pair *pairs[MOST_PAIRS];
static size_t n_pairs;
static struct sockaddr_un relay = {.sun_family = AF_UNIX};

static int port_fail(const char *what)
{
	fprintf(stderr, "relay_port: %s: %s\n", what, strerror(errno));
	return RELAY_PORT_FAILED;
}

/* --- Bytes --- */

/* No more of this direction: what is left is dropped, and the other end learns it. */
static void way_close(struct pair *pair, int from)
{
	struct way *way = &pair->ways[from];
	way->is_closed = true;
	way->start = way->end = 0;
	shutdown(pair->ends[!from], SHUT_WR);
}

static bool way_is_empty(const struct way *way)
{
	return way->start == way->end;
}

/* Write what is there. A peer that takes nothing any more is read on: it may have an answer. */
static void way_write(struct pair *pair, int from)
{
	struct way *way = &pair->ways[from];
	while (!way->is_closed && !way_is_empty(way)) {
		ssize_t n =
			send(pair->ends[!from], way->bytes + way->start, way->end - way->start, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			way_close(pair, from);
		else
			way->start += (size_t)n;
	}
}

static void way_read(struct pair *pair, int from)
{
	struct way *way = &pair->ways[from];
	ssize_t n = recv(pair->ends[from], way->bytes, sizeof way->bytes, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		way_close(pair, from);
		return;
	}
	way->start = 0;
	way->end = (size_t)n;
	way_write(pair, from);
}

/* --- Connections --- */

static void pair_end(size_t i)
{
	close(pairs[i]->ends[0]);
	close(pairs[i]->ends[1]);
	free(pairs[i]);
	pairs[i] = pairs[--n_pairs];
}

/* An agent's connection, and one to the relay for it. Where that is refused, the agent's ends. */
static void pair_begin(int listener)
{
	int agent = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), one = 1;
	int end = agent < 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pair *pair = end < 0 || connect(end, (struct sockaddr *)&relay, sizeof relay) < 0
		? NULL
		: malloc(sizeof *pair);
	if (!pair) {
		if (end >= 0)
			close(end);
		if (agent >= 0)
			close(agent);
		return;
	}
	setsockopt(agent, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	pair->ends[0] = agent;
	pair->ends[1] = end;
	for (int i = 0; i < 2; i++) {
		pair->ways[i].start = pair->ways[i].end = 0;
		pair->ways[i].is_closed = false;
	}
	pairs[n_pairs++] = pair;
}

/* What to wait for at an end: more of its own way, or room for the other's. */
static short pair_events(const struct pair *pair, int at)
{
	const struct way *own = &pair->ways[at], *other = &pair->ways[!at];
	short events = 0;
	if (!own->is_closed && way_is_empty(own))
		events |= POLLIN;
	if (!other->is_closed && !way_is_empty(other))
		events |= POLLOUT;
	return events;
}

/* False: it is over. An end that was lost shows as such to what is read or written there; where
 * neither is due, nobody waits for it. */
static bool pair_work(struct pair *pair, const short found[2])
{
	for (int at = 0; at < 2; at++) {
		bool is_lost = found[at] & (POLLERR | POLLHUP);
		if (found[at] & POLLOUT || (is_lost && !way_is_empty(&pair->ways[!at])))
			way_write(pair, !at);
		if (!pair->ways[at].is_closed && way_is_empty(&pair->ways[at]) &&
			(found[at] & POLLIN || is_lost))
			way_read(pair, at);
	}
	return !pair->ways[0].is_closed || !pair->ways[1].is_closed;
}

/* --- The child --- */

/* A text with the URL in place of each mark; the same text where there is none. */
static char *child_place(char *text, const char *mark, const char *url)
{
	size_t n = 0, size = strlen(mark);
	if (!size)
		return text;
	for (const char *at = text; (at = strstr(at, mark)); at += size)
		n++;
	if (!n)
		return text;
	char *placed = malloc(strlen(text) + n * strlen(url) + 1), *to = placed;
	if (!placed)
		return text;
	for (char *at; (at = strstr(text, mark)); text = at + size) {
		to = mempcpy(to, text, (size_t)(at - text));
		to = stpcpy(to, url);
	}
	stpcpy(to, text);
	return placed;
}

static void child_become(char **argv, const char *mark, const char *url, const sigset_t *signals)
{
	for (char **argument = argv + 1; *argument; argument++)
		*argument = child_place(*argument, mark, url);
	for (char **variable = environ; *variable; variable++)
		*variable = child_place(*variable, mark, url);
	setenv(RELAY_PORT_URL, url, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigprocmask(SIG_SETMASK, signals, NULL);
	execvp(argv[0], argv);
	int code = errno == ENOENT ? 127 : 126;
	port_fail(argv[0]);
	_exit(code);
}

/* Signals: the child's end, which ends all, and those that are passed on. True: *ret_code is its
 * exit code. */
static bool child_look(int signals, pid_t child, int *ret_code)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;
	while (read(signals, &info, sizeof info) == sizeof info)
		if (info.ssi_signo != SIGCHLD)
			kill(child, (int)info.ssi_signo);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == child) {
			*ret_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			return true;
		}
	return false;
}

/* --- All of it --- */

static int port_run(int listener, int signals, pid_t child)
{
	struct pollfd fds[2 + 2 * MOST_PAIRS];
	int code;
	for (;;) {
		size_t n = n_pairs;
		fds[0] = (struct pollfd){.fd = signals, .events = POLLIN};
		fds[1] = (struct pollfd){.fd = n < MOST_PAIRS ? listener : -1, .events = POLLIN};
		for (size_t i = 0; i < 2 * n; i++) {
			short events = pair_events(pairs[i / 2], i % 2);
			fds[2 + i] =
				(struct pollfd){.fd = events ? pairs[i / 2]->ends[i % 2] : -1, .events = events};
		}
		if (poll(fds, 2 + 2 * n, -1) < 0)
			continue;
		if (fds[0].revents && child_look(signals, child, &code))
			return code;
		for (size_t i = n; i-- > 0;) {
			const short found[2] = {fds[2 + 2 * i].revents, fds[3 + 2 * i].revents};
			if ((found[0] || found[1]) && !pair_work(pairs[i], found))
				pair_end(i);
		}
		if (fds[1].revents)
			pair_begin(listener);
	}
}

/* A listening socket, and its port. -1 with errno. */
static int port_listen(in_port_t *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_port = htons(*port)};
	socklen_t size = sizeof address;
	int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, BACKLOG) < 0 ||
		getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		return -1;
	*port = ntohs(address.sin_port);
	return listener;
}

/* Standard input and output are the child's: who reads its output waits for the end of it, not of
 * this program. */
static void port_give_up_streams(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	close(null);
}

/* The relay's address: of a long path through its directory, which stays open. */
static bool port_find(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (strlen(path) < sizeof relay.sun_path) {
		stpcpy(relay.sun_path, path);
		return true;
	}
	if (!slash || slash - path >= PATH_MAX)
		return false;
	*(char *)mempcpy(dir, path, (size_t)(slash - path)) = '\0';
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int n = snprintf(relay.sun_path, sizeof relay.sun_path, "/proc/self/fd/%d%s", fd, slash);
	return fd >= 0 && n < (int)sizeof relay.sun_path;
}

/* What it was told; false: that cannot be. */
static bool port_read(char **argv, in_port_t *ret_port)
{
	char *end;
	unsigned long number = strtoul(argv[2], &end, 10);
	if (!*argv[2] || *end || number > 65535 || !port_find(argv[1]))
		return false;
	*ret_port = (in_port_t)number;
	return true;
}

/* Signals as a descriptor from here on; *ret_before: as the child gets them. -1 with errno. */
static int port_hold_signals(sigset_t *ret_before)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
	sigset_t mask;
	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&mask, signals[i]);
	sigprocmask(SIG_BLOCK, &mask, ret_before);
	return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(int argc, char **argv)
{
	sigset_t before;
	char url[64];
	in_port_t port;
	if (argc < 5 || !port_read(argv, &port)) {
		fputs("usage: relay_port SOCKET PORT MARK COMMAND [ARGUMENT...]\n", stderr);
		return RELAY_PORT_FAILED;
	}
	int listener = port_listen(&port);
	if (listener < 0)
		return port_fail("cannot listen on 127.0.0.1");
	snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)port);
	int signals = port_hold_signals(&before);
	pid_t child = signals < 0 ? -1 : fork();
	if (child == 0)
		child_become(argv + 4, argv[3], url, &before);
	if (child < 0)
		return port_fail("cannot start a process");
	port_give_up_streams();
	return port_run(listener, signals, child);
}
