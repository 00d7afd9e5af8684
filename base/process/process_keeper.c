/*
 * The keeper: made for one program, it adopts whatever that program leaves behind (it is a child
 * subreaper) and kills it. Between it and rondo is a standby, which adopts and kills if the keeper
 * is killed; the keeper does so if the standby is. If both are killed, the kernel kills the program
 * itself, and nobody what it left. They run in a copy of a process that may have had threads, so
 * only system calls are allowed here: no malloc, no stdio, no locks.
 */
#include "base/process/process_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process/orphans.h"
#include "base/raw.h"

/* Between two looks at a program: a fast one takes a few hundred megabytes meanwhile. */
#define INSPECT_MS 50

#define PREPARE_STACK (1 << 17)

/* What the standby, the keeper and the program's own process share. */
struct keeper {
	const struct process_options *options;
	int channel;
	pid_t standby, keeper;
	volatile pid_t program; /* 0: none */
	struct process_lives *lives;
};

/* In the same memory, with an errno that is the same, too. `life`: its number while it is there. */
static pid_t clone_beside(
	int (*live)(void *keeper), char *stack, int flags, struct keeper *keeper, pid_t *life)
{
	flags |= RAW_IN_PLACE | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
	return raw_clone(live, stack, flags, keeper, life, NULL, life);
}

/* Wait until the program ended (true) or is to be ended: rondo closed its end of the channel or
 * spoke, the standby is gone, or *ret_why. */
static bool wait_for_end(
	const struct keeper *keeper, int program, int standby, enum process_end *ret_why)
{
	const struct process_options *options = keeper->options;
	struct pollfd fds[] = {{.fd = program, .events = POLLIN},
		{.fd = keeper->channel, .events = POLLIN}, {.fd = standby, .events = POLLIN}};
	for (;;) {
		int n = poll(fds, ARRAY_SIZE(fds), options->inspect ? INSPECT_MS : -1);
		if (n > 0 && fds[0].revents)
			return true;
		if (n > 0)
			return false;
		if (n == 0 && options->inspect)
			*ret_why = options->inspect(options->payload, keeper->program);
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

/* What the program's own process does before it is the program. Its memory is the keeper's, which
 * waits for that. */
static int become(void *argument)
{
	const struct keeper *keeper = argument;
	const struct process_options *options = keeper->options;
	const char *what = "set up";
	for (size_t i = 0; i < ARRAY_SIZE(reset); i++)
		signal(reset[i], SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper->keeper)
		_exit(127);
	if (options->prepare && options->prepare(options->payload, &what) < 0)
		fail(keeper->channel, what);
	execve(options->argv[0], (char *const *)(uintptr_t)options->argv,
		(char *const *)(uintptr_t)(options->env ? options->env : nothing));
	fail(keeper->channel, "");
	return 127;
}

/* A copy of our memory would cost half a millisecond, and more in a large process. */
static pid_t start(struct keeper *keeper, char *stack)
{
	const struct process_options *options = keeper->options;
	for (size_t i = 0; i < options->n_keep_fds; i++)
		fcntl(options->keep_fds[i], F_SETFD, 0);
	if (options->cwd && chdir(options->cwd) < 0)
		fail(keeper->channel, "enter its directory");
	keeper->keeper = getpid();
	pid_t pid =
		clone_beside(become, stack + PREPARE_STACK, CLONE_VFORK, keeper, &keeper->lives->program);
	if (pid < 0)
		fail(keeper->channel, "start a process");
	keeper->program = pid;
	return pid;
}

/* Sanitizers take note of names, under a lock that another thread may hold; so past them. */
static void name(const char *text)
{
	syscall(SYS_prctl, PR_SET_NAME, text);
}

/* The keeper's life. A group of its own, so that one signal does not reach the standby, too. */
static int keep(void *argument)
{
	/* used once: what the address sanitizer notes of frames there stays */
	_Alignas(16) char stack[PREPARE_STACK];
	struct keeper *keeper = argument;
	struct process_report report = {.status = SIGKILL};
	struct rusage usage = {0};
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	name("rondo-keeper");
	int standby = (int)syscall(SYS_pidfd_open, keeper->standby, 0);
	if (standby < 0 || getppid() != keeper->standby)
		fail(keeper->channel, "watch over a program");
	pid_t pid = start(keeper, stack);
	int program = (int)syscall(SYS_pidfd_open, pid, 0), number = errno;
	syscall(SYS_close_range, 0, 2, 0);
	if (program < 0) {
		orphans_kill(pid);
		errno = number;
		fail(keeper->channel, "watch a program");
	}
	bool ended = wait_for_end(keeper, program, standby, &report.why);
	if (ended && wait4(pid, &report.status, 0, &usage) == pid) {
		keeper->program = 0;
		report.ended = true;
		report.max_rss_bytes = usage.ru_maxrss * 1024;
	}
	orphans_kill(pid);
	_exit(tell(keeper->channel, &report) ? 0 : 1);
}

/* The standby's: wait for the keeper, which has the same memory, errno, too. So nothing here may
 * fail before it is gone. */
static void stand_by(const struct keeper *keeper, pid_t pid) __attribute__((noreturn));
static void stand_by(const struct keeper *keeper, pid_t pid)
{
	int status = 0;
	syscall(SYS_close_range, 0, 2, 0);
	if (syscall(SYS_wait4, pid, &status, 0, NULL) == pid && WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	orphans_kill(keeper->program);
	struct process_report report = {.status = SIGKILL};
	_exit(tell(keeper->channel, &report) ? 0 : 1);
}

void process_keep(const struct process_options *options, int in, int out, int channel,
	struct process_lives *lives)
{
	_Alignas(16) char stack[PROCESS_KEEPER_STACK];
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* where it is ignored, the kernel reaps, and nobody is told how a program ended */
	signal(SIGCHLD, SIG_DFL);
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	name("rondo-standby");
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		fail(channel, "pass a program its streams");
	fcntl(channel, F_SETFD, FD_CLOEXEC);
	close_others(channel, options);
	struct keeper keeper = {
		.options = options, .channel = channel, .standby = getpid(), .lives = lives};
	pid_t pid = clone_beside(keep, stack + sizeof stack, 0, &keeper, &lives->keeper);
	if (pid < 0)
		fail(channel, "start a process");
	stand_by(&keeper, pid);
}
