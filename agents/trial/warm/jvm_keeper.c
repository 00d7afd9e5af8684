/* What starts Java virtual machines, beside the runs: nothing of a run is left when it is over, and
 * a machine must be. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/trial/warm/jvm.h"
#include "agents/trial/warm/stand_in.h"
#include "base/raw.h"

enum { READY_MS = 10000, WANTED_MOST = 4 << 20, TEXTS_MOST = 65536, WORDS = 64 };

static int keeper = -1; /* how the runs speak to it */
static pid_t machine;   /* of both; 0: none */

/* --- Starting one --- */

/* What was asked for, read. */
struct wanted {
	char *socket, *cwd;
	char **env;
};

/* By the name "started", which stays for the next one. */
static bool keeper_read_wanted(int dir, struct wanted *wanted)
{
	static char text[WANTED_MOST], *texts[TEXTS_MOST + 1];
	renameat(dir, "wanted", dir, "started");
	ssize_t n = raw_read(dir, "started", text, sizeof text);
	size_t n_texts = 0;
	for (char *at = text; at < text + n && n_texts < TEXTS_MOST; at += strlen(at) + 1)
		texts[n_texts++] = at;
	texts[n_texts] = NULL;
	*wanted = (struct wanted){texts[0], n_texts ? texts[1] : NULL, texts + 2};
	return n_texts >= 2;
}

/* Become a program with these words: its output goes there. */
static _Noreturn void keeper_become(char **words, char **env, int output)
{
	int nothing = open("/dev/null", O_RDWR);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(nothing, 0);
	dup2(output, 1);
	dup2(nothing, 2);
	execve(words[0], words, env);
	_exit(127);
}

/* Its classes, if they are not there. */
static bool keeper_compile(int dir, const char *path)
{
	static char javac[PATH_SIZE], to[PATH_SIZE + 16], sources[WORDS][PATH_SIZE + 80];
	static char c1[] = "-J-XX:TieredStopAtLevel=1", serial[] = "-J-XX:+UseSerialGC",
				no_processors[] = "-proc:none", no_lines[] = "-g:none", option[] = "-d";
	char *words[WORDS + 8] = {javac, c1, serial, no_processors, no_lines, option, to};
	char **word = words;
	int status = -1;
	snprintf(to, sizeof to, "%s/classes", path);
	if (mkdirat(dir, "classes", 0755) < 0 || !stand_in_find_other("javac", javac))
		return faccessat(dir, "classes/Resident.class", R_OK, 0) == 0;
	while (*word)
		word++;
	for (size_t i = 0; i < jvm_sources_n && i < WORDS; i++) {
		snprintf(sources[i], sizeof sources[i], "%s/%s.java", path, jvm_sources[i].name);
		FILE *file = fopen(sources[i], "we");
		if (file)
			fwrite(jvm_sources[i].text, 1, jvm_sources[i].n, file);
		if (file)
			fclose(file);
		*word++ = sources[i];
	}
	pid_t pid = fork();
	if (pid == 0)
		keeper_become(words, environ, open("/dev/null", O_WRONLY | O_CLOEXEC));
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static pid_t keeper_start_machine(int dir, const char *path, const struct wanted *wanted, int ready)
{
	static char java[PATH_SIZE], classes[PATH_SIZE + 16], at[128];
	static char c1[] = "-XX:TieredStopAtLevel=1", serial[] = "-XX:+UseSerialGC",
				no_data[] = "-XX:-UsePerfData", option[] = "-cp", class[] = "Resident";
	char *words[] = {java, c1, serial, no_data, option, classes, class, at, NULL};
	snprintf(classes, sizeof classes, "%s/classes", path);
	snprintf(at, sizeof at, "/proc/self/fd/%d/%.32s", dir, wanted->socket);
	unlinkat(dir, wanted->socket, 0);
	if (!stand_in_find_other("java", java))
		return 0;
	pid_t pid = fork();
	if (pid == 0 && chdir(wanted->cwd) == 0)
		keeper_become(words, wanted->env, ready);
	if (pid == 0)
		_exit(127);
	return pid > 0 ? pid : 0;
}

static void keeper_end_machine(void)
{
	if (!machine)
		return;
	kill(machine, SIGKILL);
	waitpid(machine, NULL, 0);
	machine = 0;
}

static void keeper_start(void)
{
	char path[PATH_SIZE], byte;
	struct wanted wanted;
	int ends[2];
	stand_in_beside("jvm", path);
	int dir = open(path, O_PATH | O_DIRECTORY); /* the machine has it, too */
	if (dir < 0 || !keeper_read_wanted(dir, &wanted) || !keeper_compile(dir, path) ||
		pipe2(ends, O_CLOEXEC) < 0) {
		if (dir >= 0)
			close(dir);
		return;
	}
	machine = keeper_start_machine(dir, path, &wanted, ends[1]);
	close(ends[1]);
	struct pollfd poll_fd = {.fd = ends[0], .events = POLLIN};
	if (machine && (poll(&poll_fd, 1, READY_MS) != 1 || read(ends[0], &byte, 1) != 1))
		keeper_end_machine();
	close(ends[0]);
	close(dir);
}

/* --- Between it and the runs --- */

/* Readable once a machine is asked for; -1: it cannot be seen. */
static int keeper_watch(const char *path)
{
	int fd = inotify_init1(IN_CLOEXEC);
	if (fd >= 0 && inotify_add_watch(fd, path, IN_MOVED_TO) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A machine for the runs, another one where the last run was stopped. False: they are over. */
static bool keeper_answer(int runs, bool is_new)
{
	bool was_stopped;
	if (read(runs, &was_stopped, sizeof was_stopped) != sizeof was_stopped)
		return false;
	if (was_stopped || !is_new) {
		keeper_end_machine();
		keeper_start();
	}
	return send(runs, &machine, sizeof machine, MSG_NOSIGNAL) == sizeof machine;
}

/* The first machine starts while the run that asked for it goes on: a build takes as long. */
static _Noreturn void keeper_live(int runs, pid_t copy, int wanted)
{
	bool is_new = false, is_over = false;
	int status = 1, nothing = open("/dev/null", O_RDWR);
	struct pollfd fds[] = {{.fd = runs, .events = POLLIN}, {.fd = wanted, .events = POLLIN}};
	for (int fd = 0; fd < 3; fd++)
		dup2(nothing, fd);
	while (!is_over && poll(fds, 2, -1) > 0) {
		if (fds[1].revents) {
			close(wanted);
			fds[1].fd = -1;
			keeper_start();
			is_new = true;
		}
		if (fds[0].revents) {
			is_over = !keeper_answer(runs, is_new);
			is_new = false;
		}
	}
	keeper_end_machine();
	waitpid(copy, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void jvm_split(void)
{
	char path[PATH_SIZE];
	int ends[2];
	stand_in_beside("jvm", path);
	mkdir(path, 0755);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	int wanted = keeper_watch(path);
	pid_t copy = fork();
	if (copy > 0) {
		close(ends[1]);
		keeper_live(ends[0], copy, wanted);
	}
	close(ends[0]);
	if (wanted >= 0)
		close(wanted);
	if (copy < 0) {
		close(ends[1]);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	keeper = ends[1];
}

/* A field of its stat; 0: there is no machine. */
static int64_t jvm_stat(int field)
{
	char path[64], stat[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)machine);
	if (!machine || raw_read(AT_FDCWD, path, stat, sizeof stat) < 0)
		return 0;
	return raw_stat_field(stat, field);
}

/* A process that has ended has no memory any more. */
static bool jvm_lives(void)
{
	enum { VSIZE = 23 };
	return jvm_stat(VSIZE) > 0;
}

bool jvm_need(bool was_stopped)
{
	char path[PATH_SIZE];
	if (keeper < 0)
		return false;
	stand_in_beside("jvm", path);
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_wanted = faccessat(dir, "wanted", F_OK, 0) == 0,
		 is_new = !machine && faccessat(dir, "started", F_OK, 0) == 0;
	if (is_wanted && !was_stopped && jvm_lives()) { /* in another place */
		unlinkat(dir, "wanted", 0);
		is_wanted = false;
	}
	close(dir);
	if (!is_wanted && !is_new && !(was_stopped && machine))
		return false;
	if (send(keeper, &was_stopped, sizeof was_stopped, MSG_NOSIGNAL) != sizeof was_stopped ||
		recv(keeper, &machine, sizeof machine, 0) != sizeof machine)
		machine = 0;
	if (!machine) {
		close(keeper);
		keeper = -1;
	}
	return machine;
}

int64_t jvm_cpu_ms(void)
{
	enum { UTIME = 14, STIME = 15 };
	return (jvm_stat(UTIME) + jvm_stat(STIME)) * 1000 / sysconf(_SC_CLK_TCK);
}
