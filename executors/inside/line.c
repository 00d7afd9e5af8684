#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process/orphans.h"
#include "executors/inside/parts.h"

/* Our ends of the line's pipes; -1: it has none. */
struct pipes {
	int input, output;
	char bytes[65536]; /* read from `control`, for `input` */
	size_t start, end;
	uint64_t printed;
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- The line's own process --- */

static void line_become(const struct line *line, int input, int output, int fault)
{
	char sh[] = "sh", c[] = "-c", *argv[] = {sh, c, line->text, NULL};
	signal(SIGPIPE, SIG_DFL);
	setsid();
	dup2(input, 0);
	if (output >= 0) {
		dup2(output, 1);
		dup2(output, 2);
	}
	execve("/bin/sh", argv, line->env);
	ssize_t written = write(fault, &errno, sizeof errno);
	(void)written; /* then the exit code must do */
	_exit(127);
}

/* The line's parent if the helper must survive: a line can kill its parent. Exits with a shell's
 * code. */
static void line_guard(const struct line *line, int input, int output, int fault)
{
	int status = 127 << 8;
	pid_t pid = fork();
	if (pid == 0)
		line_become(line, input, output, fault);
	close(fault);
	close(output);
	close(line->control); /* open only while the helper lives */
	waitpid(pid, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Its process; -1 with errno. */
static pid_t line_start(const struct line *line, struct pipes *pipes)
{
	int in[2], out[2] = {-1, -1}, fault[2], number;
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(fault, O_CLOEXEC) < 0 ||
		(line->output >= 0 && pipe2(out, O_CLOEXEC) < 0))
		return -1;
	int input = line->speaks ? in[0] : open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0 && line->output >= 0)
		line_guard(line, input, out[1], fault[1]);
	if (pid == 0)
		line_become(line, input, -1, fault[1]);
	close(in[0]);
	close(fault[1]);
	close(out[1]);
	pipes->input = line->speaks ? in[1] : -1;
	pipes->output = out[0];
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	if (pid > 0 && read(fault[0], &number, sizeof number) == sizeof number) {
		errno = number;
		pid = -1;
	}
	close(fault[0]);
	return pid;
}

/* --- What it is told, and what it prints --- */

/* Pass input on. If the line does not read any more, drop it, to notice its end. */
static void line_tell(const struct line *line, struct pipes *pipes, short from)
{
	if (from & POLLIN && (pipes->start == pipes->end || pipes->input < 0)) {
		ssize_t n = read(line->control, pipes->bytes, sizeof pipes->bytes);
		pipes->start = 0;
		pipes->end = n > 0 ? (size_t)n : 0;
	}
	if (pipes->input < 0 || pipes->start == pipes->end)
		return;
	ssize_t n = write(pipes->input, pipes->bytes + pipes->start, pipes->end - pipes->start);
	if (n > 0) {
		pipes->start += (size_t)n;
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		close(pipes->input);
		pipes->input = -1;
	}
}

/* Take output. False: it printed too much. What a full disk does not take is lost. */
static bool line_hear(const struct line *line, struct pipes *pipes)
{
	static char bytes[65536];
	ssize_t n;
	while (pipes->output >= 0 && (n = read(pipes->output, bytes, sizeof bytes)) > 0) {
		uint64_t room = line->most_output - pipes->printed;
		ssize_t taken = write(line->output, bytes, (uint64_t)n < room ? (size_t)n : (size_t)room);
		pipes->printed += taken > 0 ? (uint64_t)taken : 0;
		if ((uint64_t)n > room)
			return false;
	}
	return true;
}

/* --- Its end --- */

/* Take what has arrived. True: it is over, as *ret_end says. */
static bool line_look(const struct line *line, struct pipes *pipes, const struct pollfd fds[4],
	enum inside_end *ret_end)
{
	*ret_end = INSIDE_ENDED;
	if (fds[0].revents)
		return true;
	*ret_end = INSIDE_CLOSED;
	if (fds[1].revents && !(line->speaks && fds[1].revents & POLLIN))
		return true;
	*ret_end = INSIDE_OVERFLOW;
	if (fds[3].revents && !line_hear(line, pipes))
		return true;
	if (fds[3].revents & POLLHUP && !(fds[3].revents & POLLIN)) {
		/* the line has closed its outputs */
		close(pipes->output);
		pipes->output = -1;
	}
	line_tell(line, pipes, fds[1].revents);
	return false;
}

static enum inside_end line_watch(const struct line *line, struct pipes *pipes, int pidfd)
{
	int64_t deadline_ms = line->timeout_ms ? now_ms() + line->timeout_ms : 0;
	enum inside_end end = INSIDE_ENDED;
	for (bool is_over = false; !is_over;) {
		int64_t left = deadline_ms ? deadline_ms - now_ms() : 1 << 30;
		if (left <= 0)
			return INSIDE_TIMEOUT;
		bool waits = pipes->start < pipes->end && pipes->input >= 0;
		struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN},
			{.fd = line->control, .events = waits ? 0 : POLLIN},
			{.fd = waits ? pipes->input : -1, .events = POLLOUT},
			{.fd = pipes->output, .events = POLLIN}};
		is_over = poll(fds, 4, left > 1 << 30 ? 1 << 30 : (int)left) > 0 &&
			line_look(line, pipes, fds, &end);
	}
	return end;
}

struct inside_report line_run(const struct line *line, uint64_t *ret_printed)
{
	static struct pipes pipes;
	struct rusage usage = {0};
	int status = 0;
	*ret_printed = 0;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGPIPE, SIG_IGN);
	pid_t pid = line_start(line, &pipes);
	int pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (pidfd < 0)
		return (struct inside_report){.end = INSIDE_REFUSED, .value = errno};
	enum inside_end end = line_watch(line, &pipes, pidfd);
	if (end == INSIDE_ENDED)
		wait4(pid, &status, 0, &usage);
	orphans_kill(pid);
	if (end != INSIDE_OVERFLOW && !line_hear(line, &pipes))
		end = INSIDE_OVERFLOW;
	*ret_printed = pipes.printed;
	return (struct inside_report){
		.end = end, .value = status, .max_rss_bytes = usage.ru_maxrss * 1024};
}

FILE *record_open(int fd, const char *mode)
{
	static char buffers[4][1 << 16]; /* musl's own are small */
	static size_t n;
	FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
	if (file && n < sizeof buffers / sizeof *buffers)
		setvbuf(file, buffers[n++], _IOFBF, sizeof *buffers);
	return file;
}

void record_put(FILE *to, const struct record *record, const void *bytes)
{
	char head[RECORD_HEAD];
	fwrite(head, 1, record_write(head, record), to);
	fwrite(record->path, 1, strlen(record->path) + 1, to);
	if (bytes)
		fwrite(bytes, 1, (size_t)record->size, to);
}

void report_put(FILE *to, const struct inside_report *report)
{
	record_put(to, &(struct record){.kind = RECORD_REPORT, .size = sizeof *report, .path = ""},
		report);
	fflush(to);
}
