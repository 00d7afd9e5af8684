#include "base/process/coprocess.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process/process_keeper.h"

struct coprocess {
	struct coprocess_line line;
	const struct cancel *cancel;
	struct strbuf heard; /* printed, and not taken yet */
	size_t taken;
	bool ended;
};

struct coprocess *coprocess_on(const struct coprocess_line *line, const struct cancel *cancel)
{
	struct coprocess *coprocess = memory_alloc(sizeof *coprocess);
	*coprocess =
		(struct coprocess){.line = *line, .cancel = cancel, .heard = STRBUF_INIT(STRBUF_TEXT)};
	return coprocess;
}

/* --- A child of rondo's --- */

struct child {
	struct process_launch launch;
	int input; /* our end of its standard input */
};

static bool child_read(void *owner, struct strbuf *heard)
{
	const struct child *child = owner;
	char bytes[65536];
	ssize_t n = read(child->launch.output, bytes, sizeof bytes);
	if (n > 0)
		strbuf_add(heard, bytes, (size_t)n);
	return n != 0;
}

static ssize_t child_write(void *owner, const char *bytes, size_t n)
{
	return send(((struct child *)owner)->input, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* One that only closed its output lives on, until it is killed; where the keeper was killed, it
 * was, too. */
static int child_exit_code(void *owner)
{
	const struct child *child = owner;
	struct process_report report = {0};
	struct pollfd channel = {.fd = child->launch.channel, .events = POLLIN};
	if (poll(&channel, 1, 1000) <= 0)
		return 128 + SIGKILL;
	ssize_t n = recv(channel.fd, &report, sizeof report, MSG_DONTWAIT);
	if (n != sizeof report || report.error)
		return n == 0 ? 128 + SIGKILL : 127;
	return WIFSIGNALED(report.status) ? 128 + WTERMSIG(report.status) : WEXITSTATUS(report.status);
}

/* The keeper closes the channel when all are gone. */
static void child_end(void *owner)
{
	struct child *child = owner;
	char report[sizeof(struct process_report)];
	shutdown(child->launch.channel, SHUT_WR);
	close(child->input);
	while (recv(child->launch.channel, report, sizeof report, 0) < 0 && errno == EINTR)
		;
	process_await_keeper(&child->launch);
	close(child->launch.channel);
	close(child->launch.output);
	free(child);
}

static void child_end_input(void *owner)
{
	shutdown(((struct child *)owner)->input, SHUT_WR);
}

int coprocess_start(const struct process_options *options, struct coprocess **ret_coprocess,
	struct rondo_error *err)
{
	int input[2];
	struct process_launch launch;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a socket");
	AUTO_CLOSE program_end = input[1];
	if (process_launch(options, program_end, false, &launch, err) < 0) {
		close(input[0]);
		return -1;
	}
	struct child *child = memory_alloc(sizeof *child);
	*child = (struct child){.launch = launch, .input = input[0]};
	struct coprocess_line line = {launch.output, input[0], child_read, child_write, child_exit_code,
		child_end, child, child_end_input};
	*ret_coprocess = coprocess_on(&line, options->cancel);
	return 0;
}

/* --- What is said and heard --- */

/* Wait until it may be written to (`writes`), or has printed something, which is taken; at most up
 * to the deadline. Whether it may be written to. */
static bool wait_for(struct coprocess *coprocess, bool writes, int64_t deadline_ms)
{
	struct pollfd fds[2 + CANCEL_FDS] = {
		{.fd = coprocess->ended ? -1 : coprocess->line.in, .events = POLLIN},
		{.fd = writes ? coprocess->line.out : -1, .events = POLLOUT}};
	size_t n = 2 + cancel_poll(coprocess->cancel, fds + 2);
	int64_t left = deadline_ms - clock_now_ms();
	if (poll(fds, n, left < 0 ? 0 : left > 1 << 30 ? 1 << 30 : (int)left) <= 0)
		return false;
	if (fds[0].revents)
		coprocess->ended =
			!coprocess->line.read(coprocess->line.owner, &coprocess->heard) || coprocess->heard.cut;
	return fds[1].revents;
}

int coprocess_say(struct coprocess *coprocess, const char *line, int64_t timeout_ms,
	bool *ret_taken, struct rondo_error *err)
{
	int64_t deadline_ms = clock_now_ms() + timeout_ms;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	strbuf_addf(&text, "%s\n", line);
	*ret_taken = false;
	for (size_t sent = 0; sent < text.length;) {
		if (cancel_reason(coprocess->cancel))
			return cancel_error(coprocess->cancel, err);
		if (coprocess->ended || clock_now_ms() >= deadline_ms)
			return 0;
		if (!wait_for(coprocess, true, deadline_ms))
			continue;
		ssize_t n =
			coprocess->line.write(coprocess->line.owner, text.text + sent, text.length - sent);
		if (n > 0)
			sent += (size_t)n;
		else if (errno != EAGAIN && errno != EINTR)
			coprocess->ended = true;
	}
	*ret_taken = true;
	return 0;
}

/* Whether a whole line was there. */
static bool take_line(struct coprocess *coprocess, struct strbuf *line)
{
	struct strbuf *heard = &coprocess->heard;
	const char *start = heard->text + coprocess->taken;
	const char *newline = memchr(start, '\n', heard->length - coprocess->taken);
	if (!newline) {
		memmove(heard->text, start, heard->length - coprocess->taken);
		strbuf_truncate(heard, heard->length - coprocess->taken);
		coprocess->taken = 0;
		return false;
	}
	strbuf_reset(line);
	strbuf_add(line, start, (size_t)(newline - start));
	coprocess->taken += (size_t)(newline - start) + 1;
	return true;
}

int coprocess_hear(struct coprocess *coprocess, int64_t timeout_ms, struct strbuf *line,
	enum coprocess_heard *ret_heard, struct rondo_error *err)
{
	int64_t deadline_ms = clock_now_ms() + timeout_ms;
	for (;;) {
		if (cancel_reason(coprocess->cancel))
			return cancel_error(coprocess->cancel, err);
		bool has_line = take_line(coprocess, line);
		if (has_line || coprocess->ended || clock_now_ms() >= deadline_ms) {
			*ret_heard = has_line  ? COPROCESS_LINE
				: coprocess->ended ? COPROCESS_ENDED
								   : COPROCESS_SILENT;
			return 0;
		}
		wait_for(coprocess, false, deadline_ms);
	}
}

int coprocess_hear_answer(struct coprocess *coprocess, int64_t timeout_ms,
	bool (*accepts)(void *owner, const struct strbuf *line), void *owner, struct strbuf *line,
	enum coprocess_heard *ret_heard, struct rondo_error *err)
{
	int64_t deadline_ms = clock_now_ms() + timeout_ms;
	do {
		int64_t left_ms = deadline_ms - clock_now_ms();
		if (coprocess_hear(coprocess, left_ms, line, ret_heard, err) < 0)
			return -1;
	} while (*ret_heard == COPROCESS_LINE && !accepts(owner, line));
	return 0;
}

int coprocess_fd(const struct coprocess *coprocess)
{
	return coprocess->ended ? -1 : coprocess->line.in;
}

bool coprocess_is_ready(const struct coprocess *coprocess)
{
	return coprocess->ended || coprocess->heard.length > coprocess->taken;
}

bool coprocess_take(struct coprocess *coprocess, struct strbuf *text)
{
	struct strbuf *heard = &coprocess->heard;
	if (!coprocess->ended)
		wait_for(coprocess, false, clock_now_ms());
	strbuf_add(text, heard->text + coprocess->taken, heard->length - coprocess->taken);
	strbuf_reset(heard);
	coprocess->taken = 0;
	return !coprocess->ended;
}

int coprocess_exit_code(struct coprocess *coprocess)
{
	return coprocess->line.exit_code(coprocess->line.owner);
}

void coprocess_end_input(struct coprocess *coprocess)
{
	if (coprocess->line.end_input)
		coprocess->line.end_input(coprocess->line.owner);
}

void coprocess_end(struct coprocess *coprocess)
{
	if (!coprocess)
		return;
	coprocess->line.end(coprocess->line.owner);
	strbuf_release(&coprocess->heard);
	free(coprocess);
}
