#include "base/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process/process_keeper.h"
#include "base/process/process_lender.h"
#include "base/process/process_output.h"
#include "base/sanitizer.h"

struct run {
	struct process_output kept;
	int output, channel; /* read ends */
	struct process_report report;
	bool reported;
};

/* Read what is there. False at the end of the output, or when nothing is there just now. */
static bool read_some(struct run *run)
{
	char bytes[65536];
	ssize_t n = read(run->output, bytes, sizeof bytes);
	if (n > 0)
		process_output_take(&run->kept, bytes, (size_t)n);
	if (n == 0) {
		close(run->output);
		run->output = -1;
	}
	return n > 0;
}

static void read_report(struct run *run)
{
	struct process_report report;
	ssize_t n = recv(run->channel, &report, sizeof report, 0);
	if (n < 0 && errno == EINTR)
		return;
	if (n < 0) {
		run->report = (struct process_report){.error = errno, .what = "hear of a program's end"};
		shutdown(run->channel, SHUT_WR);
		run->reported = true;
		return;
	}
	if (n == sizeof report && !run->report.error)
		run->report = report;
	if (n != sizeof report || report.error == 0 || report.ended)
		run->reported = true;
}

/* Until the keeper says that all is over. */
static void watch(struct run *run)
{
	const struct process_options *options = run->kept.options;
	int64_t deadline = options->timeout_ms ? clock_now_ms() + options->timeout_ms : 0;
	bool killed = false;
	while (!run->reported) {
		enum process_end why =
			killed ? PROCESS_EXITED : process_reason_to_kill(&run->kept, deadline);
		if (why != PROCESS_EXITED) {
			run->kept.result->end = why;
			shutdown(run->channel, SHUT_WR);
			killed = true;
		}
		struct pollfd fds[2 + CANCEL_FDS] = {
			{.fd = run->channel, .events = POLLIN}, {.fd = run->output, .events = POLLIN}};
		size_t n = 2 + (killed ? 0 : cancel_poll(options->cancel, fds + 2));
		if (poll(fds, n, killed ? -1 : process_time_left(deadline)) < 0)
			continue;
		if (fds[1].revents)
			read_some(run);
		if (fds[0].revents)
			read_report(run);
	}
	if (run->output >= 0)
		fcntl(run->output, F_SETFL, O_NONBLOCK);
	while (run->output >= 0 && read_some(run))
		;
	process_output_end(&run->kept);
}

static int open_input(const char *text)
{
	if (!text)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	int fd = memfd_create("input", MFD_CLOEXEC);
	if (fd >= 0 && (file_write_all(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int refused(const struct process_options *options, const struct process_report *report,
	struct rondo_error *err)
{
	errno = report->error;
	if (report->what[0])
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot %s", report->what);
	return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot execute '%s'", options->argv[0]);
}

/* A copy of our memory, unless the program ends with its keeper by other means: the kernel may end
 * all processes of a memory together. The thread sanitizer keeps a record of descriptors in memory
 * that a keeper would change. */
static int start_standby(const struct process_options *options, int in, int out, int channel,
	bool awaited, struct process_launch *launch)
{
	static struct process_lives lives;
	if (awaited && options->is_box && !HAVE_TSAN) {
		launch->lender = process_lender_new(options, in, out, channel);
		launch->standby = launch->lender ? process_lender_standby(launch->lender) : -1;
	} else {
		launch->standby = fork();
	}
	if (launch->standby == 0)
		process_keep(options, in, out, channel, &lives);
	return launch->standby < 0 ? -1 : 0;
}

int process_launch(const struct process_options *options, int input, bool awaited,
	struct process_launch *ret_launch, struct rondo_error *err)
{
	int output[2], channel[2];
	struct process_launch launch = {0};
	if (pipe2(output, O_CLOEXEC) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a pipe");
	AUTO_CLOSE write_end = output[1];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0) {
		close(output[0]);
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a socket");
	}
	AUTO_CLOSE keeper_end = channel[1];
	if (start_standby(options, input, write_end, keeper_end, awaited, &launch) < 0) {
		close(output[0]);
		close(channel[0]);
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot start a process");
	}
	launch.output = output[0];
	launch.channel = channel[0];
	*ret_launch = launch;
	return 0;
}

void process_await_keeper(const struct process_launch *launch)
{
	while (waitpid(launch->standby, NULL, 0) < 0 && errno == EINTR)
		;
	process_lender_free(launch->lender);
}

int process_run(const struct process_options *options, struct process_result *ret_result,
	struct rondo_error *err)
{
	int64_t start = clock_now_us();
	struct process_launch launch = {.channel = -1};
	AUTO_CLOSE input = open_input(options->input);
	if (input < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot pass a program its input");
	if (process_launch(options, input, true, &launch, err) < 0)
		return -1;
	AUTO_CLOSE channel = launch.channel;
	struct process_result result = {.end = PROCESS_EXITED};
	struct run run = {
		.kept = PROCESS_OUTPUT_INIT(options, &result), .output = launch.output, .channel = channel};
	watch(&run);
	if (run.output >= 0)
		close(run.output);
	process_await_keeper(&launch);
	if (run.report.error)
		return refused(options, &run.report, err);
	if (result.end == PROCESS_EXITED)
		result.end = run.report.why;
	process_conclude(&result, run.report.ended, run.report.status);
	result.max_rss_bytes = run.report.max_rss_bytes;
	result.duration_ms = (clock_now_us() - start) / 1000;
	*ret_result = result;
	return 0;
}

const char *process_describe(const struct process_result *result, char *text, size_t size)
{
	switch (result->end) {
	case PROCESS_EXITED:
		snprintf(text, size, "exit code %d", result->exit_code);
		return text;
	case PROCESS_SIGNALLED:
		snprintf(text, size, "killed by SIG%s",
			sigabbrev_np(result->signal) ? sigabbrev_np(result->signal) : "?");
		return text;
	case PROCESS_TIMEOUT:
		return "timed out";
	case PROCESS_OUTPUT_LIMIT:
		return "killed because it printed too much";
	case PROCESS_CANCELLED:
		return "cancelled";
	case PROCESS_MEMORY:
		return "killed because it took too much memory";
	case PROCESS_PROCESSES:
		return "killed because it started too many processes";
	case PROCESS_DISK:
		return "killed because it wrote too much to the disk";
	}
	return "";
}
