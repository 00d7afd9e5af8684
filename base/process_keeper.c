/*
 * The keeper: forked off rondo for one program, it adopts whatever that program leaves behind
 * (it is a child subreaper) and kills it. It runs in a copy of a process that may have had
 * threads, so only system calls are allowed here: no malloc, no stdio, no locks.
 */
#include "base/process_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/orphans.h"

/* Between two looks at a program: a fast one takes a few hundred megabytes meanwhile. */
#define INSPECT_MS 50

/* Wait until the program ended (true) or is to be ended: rondo closed its end of the channel or
 * spoke, or *ret_why. */
static bool wait_for_end(const struct process_options *options, pid_t pid, int pidfd, int channel,
	enum process_end *ret_why)
{
	struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN}, {.fd = channel, .events = POLLIN}};
	for (;;) {
		int n = poll(fds, 2, options->inspect ? INSPECT_MS : -1);
		if (n > 0 && fds[0].revents)
			return true;
		if (n > 0 && fds[1].revents)
			return false;
		if (n == 0 && options->inspect)
			*ret_why = options->inspect(options->payload, pid);
		if (*ret_why != PROCESS_EXITED)
			return false;
	}
}

static void close_others(int channel, const struct process_options *options)
{
	int from = 3;
	for (;;) {
		int next = channel >= from ? channel : -1;
		for (size_t i = 0; i < options->n_keep_fds; i++)
			if (options->keep_fds[i] >= from && (next < 0 || options->keep_fds[i] < next))
				next = options->keep_fds[i];
		if (next < 0)
			break;
		if (next > from)
			syscall(SYS_close_range, from, next - 1, 0);
		from = next + 1;
	}
	syscall(SYS_close_range, from, ~0U, 0);
}

/* Whether rondo was told; if not, it died. */
static bool tell(int channel, const struct process_report *report)
{
	ssize_t written;
	do
		written = write(channel, report, sizeof *report);
	while (written < 0 && errno == EINTR);
	return written == sizeof *report;
}

static void fail(int channel, const char *what)
{
	struct process_report report = {.error = errno};
	size_t n = strlen(what);
	memcpy(report.what, what, n < sizeof report.what ? n : sizeof report.what - 1);
	tell(channel, &report);
	_exit(127);
}

static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT, SIGUSR1, SIGUSR2};
static const char *const nothing[] = {NULL};

/* What the program's own process does before it is the program. */
static void become(const struct process_options *options, int channel)
{
	const char *what = "set up";
	for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
		signal(reset[i], SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	if (options->prepare(options->payload, &what) < 0)
		fail(channel, what);
	execve(options->argv[0], (char *const *)(uintptr_t)options->argv,
		(char *const *)(uintptr_t)(options->env ? options->env : nothing));
	fail(channel, "");
}

/* The same without a preparation, which needs no copy of our memory: half a millisecond less. */
static pid_t spawn(const struct process_options *options, int channel)
{
	posix_spawnattr_t how;
	sigset_t none, defaults;
	pid_t pid;
	sigemptyset(&none);
	sigemptyset(&defaults);
	for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
		sigaddset(&defaults, reset[i]);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(
		&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &defaults);
	errno = posix_spawn(&pid, options->argv[0], NULL, &how, (char *const *)(uintptr_t)options->argv,
		(char *const *)(uintptr_t)(options->env ? options->env : nothing));
	if (errno)
		fail(channel, "");
	return pid;
}

static pid_t start(const struct process_options *options, int channel)
{
	for (size_t i = 0; i < options->n_keep_fds; i++)
		fcntl(options->keep_fds[i], F_SETFD, 0);
	if (options->cwd && chdir(options->cwd) < 0)
		fail(channel, "enter its directory");
	if (!options->prepare)
		return spawn(options, channel);
	pid_t pid = fork();
	if (pid == 0)
		become(options, channel);
	if (pid < 0)
		fail(channel, "start a process");
	return pid;
}

void process_keep(const struct process_options *options, int in, int out, int channel)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* where it is ignored, the kernel reaps, and nobody is told how a program ended */
	signal(SIGCHLD, SIG_DFL);
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* of which sanitizers take note, under a lock that another thread may hold */
	syscall(SYS_prctl, PR_SET_NAME, "rondo-keeper");
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		fail(channel, "pass a program its streams");
	fcntl(channel, F_SETFD, FD_CLOEXEC);
	close_others(channel, options);
	pid_t pid = start(options, channel);
	struct process_report report = {0};
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0), number = errno;
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (pidfd < 0) {
		orphans_kill(pid);
		errno = number;
		fail(channel, "watch a program");
	}
	bool ended = wait_for_end(options, pid, pidfd, channel, &report.why);
	struct rusage usage = {0};
	if (ended && wait4(pid, &report.status, 0, &usage) == pid) {
		report.ended = true;
		report.max_rss_bytes = usage.ru_maxrss * 1024;
	}
	orphans_kill(pid);
	_exit(tell(channel, &report) ? 0 : 1);
}
