/*
 * Runs a suite many times on one build, in one sandbox. Rondo puts this program into the sandbox as
 * a file. Its arguments:
 *
 *	VARIABLE  the environment variable that chooses the candidate in a build of several
 *	OUTPUT    the file for what a run prints
 *	LINE...   lines for sh; the first one is for a new text
 *
 * It reads lines "ID LINE NUMBER CPU_MS WALL_MS" from its standard input, runs that LINE with the
 * variable set to NUMBER, and answers "ID END VALUE MS CPU_MS": how the run ended (exit, signal,
 * timeout), with which exit code or signal, and how long it took. A limit of processor time counts
 * all processes of the run. Nothing of a run is left when it is answered.
 *
 * Where a suite's command compiles each time, the compiler is not asked again for what it has made:
 * this program comes first in PATH under the names of compilers (compilers.c). Where it starts test
 * programs, these can be started without it (replay.c). The first line forgets what was made.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agents/trial/warm/compilers.h"
#include "agents/trial/warm/jvm.h"
#include "agents/trial/warm/replay.h"
#include "agents/trial/warm/stand_in.h"
#include "base/process/orphans.h"
#include "base/raw.h"

enum {
	LARGEST_FILE = 64 << 20,
	FIRST_RUNS = 2,      /* of a machine that stays: those that count take as long as one another */
	FIRST_RUN_MS = 2000, /* slower ones would not be much faster the next time */
};

static int64_t rerun_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct job {
	long long id, line, number, cpu_ms, wall_ms;
};

struct run {
	pid_t pid; /* also its session */
	int64_t start_ms, took_ms, cpu_ms, machine_before_ms;
	bool timeout;
	int status;
};

static int64_t rerun_reaped_cpu_ms(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

/* The processor time of a process of the session, with that of its children that are gone; 0 for
 * others. */
static int64_t rerun_process_cpu_ms(const char *pid, pid_t session)
{
	enum { SESSION = 6, UTIME = 14, CSTIME = 17 }; /* between them stime and cutime */
	char path[64], stat[1024];
	int64_t ticks = 0;
	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	if (raw_read(AT_FDCWD, path, stat, sizeof stat) < 0 || raw_stat_field(stat, SESSION) != session)
		return 0;
	for (int field = UTIME; field <= CSTIME; field++)
		ticks += raw_stat_field(stat, field);
	return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

static int64_t rerun_session_cpu_ms(pid_t session)
{
	int64_t sum = 0;
	DIR *dir = opendir("/proc");
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (*entry->d_name >= '1' && *entry->d_name <= '9')
			sum += rerun_process_cpu_ms(entry->d_name, session);
	if (dir)
		closedir(dir);
	return sum;
}

/* What a machine that stays did for a run; it may be gone since. */
static int64_t rerun_machine_cpu_ms(const struct run *run)
{
	int64_t spent_ms = jvm_cpu_ms() - run->machine_before_ms;
	return spent_ms > 0 ? spent_ms : 0;
}

static void rerun_become_line(const struct job *job, char **argv)
{
	const char *output = argv[2];
	char text[32];
	setsid();
	unlink(output);
	int fd = open(output, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
	if (fd < 0)
		_exit(126);
	dup2(fd, 1);
	dup2(fd, 2);
	close(fd);
	snprintf(text, sizeof text, "%lld", job->number);
	setenv(argv[1], text, 1);
	if (job->line)
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){LARGEST_FILE, LARGEST_FILE});
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	execl("/bin/sh", "sh", "-c", argv[3 + job->line], (char *)NULL);
	_exit(127);
}

/* Whether a limit went by; else how long the next look may wait. */
static bool rerun_is_over(const struct run *run, const struct job *job, int64_t *ret_wait_ms)
{
	int64_t spent_ms = rerun_now_ms() - run->start_ms, left_ms = job->wall_ms - spent_ms;
	if (left_ms <= 0)
		return true;
	int64_t cpu_left_ms = job->cpu_ms - spent_ms; /* where nothing runs beside it */
	if (cpu_left_ms <= 0)
		cpu_left_ms = job->cpu_ms - rerun_session_cpu_ms(run->pid) - rerun_machine_cpu_ms(run);
	if (cpu_left_ms <= 0)
		return true;
	*ret_wait_ms = cpu_left_ms < left_ms ? cpu_left_ms : left_ms;
	return false;
}

static void rerun_wait_for(struct run *run, const struct job *job)
{
	int64_t wait_ms = 0;
	int fd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	while (waitpid(run->pid, &run->status, WNOHANG) == 0) {
		run->timeout = rerun_is_over(run, job, &wait_ms);
		if (run->timeout)
			break;
		poll(&poll_fd, 1, fd >= 0 ? (int)(wait_ms < 1000 ? wait_ms : 1000) : 1);
	}
	if (fd >= 0)
		close(fd);
}

static struct run rerun_run(const struct job *job, char **argv)
{
	struct run run = {.start_ms = rerun_now_ms(), .machine_before_ms = jvm_cpu_ms()};
	int64_t cpu_before_ms = rerun_reaped_cpu_ms();
	run.pid = fork();
	if (run.pid < 0)
		exit(1);
	if (run.pid == 0)
		rerun_become_line(job, argv);
	rerun_wait_for(&run, job);
	run.took_ms = rerun_now_ms() - run.start_ms;
	orphans_kill(run.pid);
	run.cpu_ms = rerun_reaped_cpu_ms() - cpu_before_ms + rerun_machine_cpu_ms(&run);
	return run;
}

/* Where a machine is new, first as often as it takes until it is fast, if it can be. */
static void rerun_need_machine(bool was_stopped, char **argv)
{
	static bool is_new, is_slow;
	struct job first = {.line = 1, .cpu_ms = FIRST_RUN_MS, .wall_ms = FIRST_RUN_MS};
	is_new = jvm_need(was_stopped) || is_new;
	if (!is_new || replay_is_unready("goal"))
		return;
	is_new = false;
	for (int i = 0; i < FIRST_RUNS && !is_slow; i++) {
		is_slow = rerun_run(&first, argv).timeout;
		if (is_slow)
			jvm_need(true); /* what hangs at the base would go on */
	}
}

/* True: it was stopped at a limit. Of a build nobody knows then what is compiled. */
static bool rerun_answer(const struct job *job, char **argv, FILE *answers)
{
	if (job->line == 0)
		compilers_forget();
	struct run run = rerun_run(job, argv);
	if (job->line == 0 && run.timeout)
		replay_forget();
	bool signalled = WIFSIGNALED(run.status);
	fprintf(answers, "%lld %s %d %lld %lld\n", job->id,
		run.timeout     ? "timeout"
			: signalled ? "signal"
						: "exit",
		signalled ? WTERMSIG(run.status) : WEXITSTATUS(run.status), (long long)run.took_ms,
		(long long)run.cpu_ms);
	fflush(answers);
	return run.timeout;
}

/* Where no program of a run meets it by accident. */
static FILE *rerun_move_away(int fd, const char *mode)
{
	int away = fcntl(fd, F_DUPFD_CLOEXEC, 100);
	return away < 0 ? NULL : fdopen(away, mode);
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	if (stand_in_find() < 0)
		return 1;
	if (compilers_are(name))
		return compilers_be(name, argv);
	if (replay_is(name))
		return replay_be(name, argv);
	if (jvm_is(name))
		return jvm_be(name, argv);
	jvm_split();
	FILE *jobs = rerun_move_away(0, "r"), *answers = rerun_move_away(1, "w");
	int nothing = open("/dev/null", O_RDWR);
	if (argc < 4 || !jobs || !answers || nothing < 0)
		return 1;
	for (int fd = 0; fd < 3; fd++)
		dup2(nothing, fd);
	if (nothing > 2)
		close(nothing);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	stand_in_begin(argv[1], argv[2]);
	compilers_stand_in();
	replay_stand_in();
	jvm_stand_in();
	bool was_stopped = false;
	char line[256];
	while (fgets(line, sizeof line, jobs)) {
		struct job job;
		if (sscanf(line, "%lld %lld %lld %lld %lld", &job.id, &job.line, &job.number, &job.cpu_ms,
				&job.wall_ms) != 5 ||
			job.line < 0 || job.line >= argc - 3)
			return 1;
		rerun_need_machine(was_stopped, argv);
		was_stopped = rerun_answer(&job, argv, answers);
	}
	return 0;
}
