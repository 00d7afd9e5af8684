/*
 * Runs inside a container, for rondo outside of it (executors/docker/inside/inside.h). The engine
 * can start a process in a container, but not end it, and a process that rondo no longer listens to
 * goes on. So this one stands above each line that is run: it adopts what the line leaves behind
 * and kills all of it when the line ends, time is over, or standard input ends, which it does when
 * rondo dies.
 *
 * Nobody inside may steer it: its file cannot be read, so that the kernel lets no process of the
 * same user trace it or open its descriptors, from its first instruction on.
 */
#include "executors/docker/inside/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/orphans.h"
#include "executors/docker/inside/carry.h"

/* Descriptors that are none of the line's. */
enum { REPORT = 3 };

/* What was read of standard input and is not passed on yet. */
struct relay {
	char bytes[65536];
	size_t start, end;
	int to; /* -1: the line does not listen any more */
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void report(int end, int value, int64_t max_rss_bytes)
{
	struct inside_report said = {.end = end, .value = value, .max_rss_bytes = max_rss_bytes};
	ssize_t written = write(REPORT, &said, sizeof said);
	(void)written; /* nobody listens, and all is over anyway */
}

static void become(char *line, char **env, int input)
{
	char sh[] = "sh", c[] = "-c", *argv[] = {sh, c, line, NULL};
	signal(SIGPIPE, SIG_DFL);
	setsid();
	dup2(input, 0);
	execve("/bin/sh", argv, env);
	report(INSIDE_REFUSED, errno, 0);
	_exit(127);
}

/* Standard input that is a stream of words for the line, as far as it takes them. */
static void pass_on(struct relay *relay, short from, short to)
{
	if (from & POLLIN && relay->start == relay->end) {
		ssize_t n = read(0, relay->bytes, sizeof relay->bytes);
		relay->start = 0;
		relay->end = n > 0 ? (size_t)n : 0;
	}
	if (!to && relay->start == relay->end)
		return;
	ssize_t n = write(relay->to, relay->bytes + relay->start, relay->end - relay->start);
	if (n > 0) {
		relay->start += (size_t)n;
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		close(relay->to);
		relay->to = -1;
	}
}

/* What is said to a line that does not listen is read and forgotten: else its end would not be
 * seen. */
static void forget(short from)
{
	static char bytes[4096];
	if (from & POLLIN) {
		ssize_t n = read(0, bytes, sizeof bytes);
		(void)n;
	}
}

/* Why it is over: the line ended, or it is to be ended. */
static enum inside_end watch(int pidfd, int64_t timeout_ms, struct relay *relay)
{
	int64_t deadline_ms = timeout_ms ? now_ms() + timeout_ms : 0;
	for (;;) {
		int64_t left = deadline_ms ? deadline_ms - now_ms() : 1 << 30;
		if (left <= 0)
			return INSIDE_TIMEOUT;
		bool waits = relay->start < relay->end && relay->to >= 0;
		struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN}, {.fd = 0, .events = waits ? 0 : POLLIN},
			{.fd = waits ? relay->to : -1, .events = POLLOUT}};
		if (poll(fds, 3, left > 1 << 30 ? 1 << 30 : (int)left) <= 0)
			continue;
		if (fds[0].revents)
			return INSIDE_ENDED;
		if (fds[1].revents && !(fds[1].revents & POLLIN))
			return INSIDE_CLOSED;
		if (relay->to >= 0)
			pass_on(relay, fds[1].revents, fds[2].revents);
		else
			forget(fds[1].revents);
	}
}

static int run(int64_t timeout_ms, char *line, char **env, bool speaks)
{
	static struct relay relay;
	int feed[2];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGPIPE, SIG_IGN);
	if (pipe2(feed, O_CLOEXEC) < 0)
		return report(INSIDE_REFUSED, errno, 0), 1;
	int input = speaks ? feed[0] : open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0)
		become(line, env, input);
	int pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (pidfd < 0)
		return report(INSIDE_REFUSED, errno, 0), 1;
	close(feed[0]);
	fcntl(feed[1], F_SETFL, O_NONBLOCK);
	relay.to = speaks ? feed[1] : -1;
	enum inside_end end = watch(pidfd, timeout_ms, &relay);
	struct rusage usage = {0};
	int status = 0;
	if (end == INSIDE_ENDED)
		wait4(pid, &status, 0, &usage);
	orphans_kill(pid);
	report((int)end, status, usage.ru_maxrss * 1024);
	return 0;
}

/* The first process: what nobody waits for is gone at once, since nobody asks for it. */
static int hold(bool stays)
{
	char bytes[64];
	signal(SIGCHLD, SIG_IGN);
	while (stays || read(0, bytes, sizeof bytes) > 0)
		if (stays)
			poll(NULL, 0, -1);
	return 0;
}

static int64_t number(const char *text)
{
	int64_t value = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (*text - '0');
	return value;
}

/* Both outputs of the line are the first of ours; the other is for reports. */
static void part_outputs(void)
{
	dup3(2, REPORT, O_CLOEXEC);
	dup2(1, 2);
}

static int see(char **paths)
{
	bool all = true;
	for (; *paths; paths++) {
		int fd = open(*paths, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
		all = all && fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	report(INSIDE_ENDED, all ? 0 : 1 << 8, 0);
	return 0;
}

/* What an engine makes is root's, who needs no rights to share it. */
static int share(char **dirs)
{
	bool all = true;
	for (; *dirs; dirs++)
		all = fchmodat(AT_FDCWD, *dirs, 0777, 0) == 0 && all;
	report(INSIDE_ENDED, all ? 0 : 1 << 8, 0);
	return 0;
}

int main(int argc, char **argv, char **env)
{
	prctl(PR_SET_DUMPABLE, 0);
	if (argc == 2 && (strcmp(argv[1], INSIDE_HOLD) == 0 || strcmp(argv[1], INSIDE_STAY) == 0))
		return hold(strcmp(argv[1], INSIDE_STAY) == 0);
	part_outputs();
	if (argc >= 2 && strcmp(argv[1], INSIDE_SEE) == 0)
		return see(argv + 2);
	if (argc >= 2 && strcmp(argv[1], INSIDE_OPEN) == 0)
		return share(argv + 2);
	if (argc >= 7 && strcmp(argv[1], INSIDE_CARRY) == 0) {
		carry_look(argv[5], argv[6], strcmp(argv[4], "1") == 0, argv + 7, (size_t)argc - 7);
		int status = run(number(argv[2]), argv[3], env, false);
		carry_tell(REPORT);
		return status;
	}
	if (argc == 4 && (strcmp(argv[1], INSIDE_RUN) == 0 || strcmp(argv[1], INSIDE_SPEAK) == 0))
		return run(number(argv[2]), argv[3], env, strcmp(argv[1], INSIDE_SPEAK) == 0);
	return 2;
}
