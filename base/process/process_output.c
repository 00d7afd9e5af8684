#include "base/process/process_output.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"

/* Whole bytes of characters; for both who keeps them and who listens. */
static void hand_on(const struct process_options *options, const char *bytes, size_t n)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (!options->listener.hear || !n) {
		if (options->output)
			utf8_scrub(options->output, bytes, n);
		return;
	}
	utf8_scrub(&text, bytes, n);
	if (options->output)
		strbuf_add(options->output, text.text, text.length);
	options->listener.hear(options->listener.owner, text.text, text.length);
}

static void keep_text(struct process_output *output, const char *bytes, size_t n)
{
	const struct process_options *options = output->options;
	struct strbuf *raw = &output->raw;
	if (!options->output && !options->listener.hear)
		return;
	strbuf_add(raw, bytes, n);
	size_t take = raw->length - (n ? utf8_unfinished(raw->text, raw->length) : 0);
	hand_on(options, raw->text, take);
	memmove(raw->text, raw->text + take, raw->length - take);
	strbuf_truncate(raw, raw->length - take);
}

void process_output_take(struct process_output *output, const char *bytes, size_t n)
{
	const struct process_options *options = output->options;
	uint64_t before = output->result->output_bytes;
	output->result->output_bytes += n;
	if (before < options->log_limit) {
		size_t part = options->log_limit - before < n ? (size_t)(options->log_limit - before) : n;
		if (file_write_all(options->log_fd, bytes, part) < 0)
			output->result->log_error = errno;
	}
	keep_text(output, bytes, n);
}

void process_output_end(struct process_output *output)
{
	keep_text(output, "", 0);
	strbuf_release(&output->raw);
}

enum process_end process_reason_to_kill(const struct process_output *output, int64_t deadline_ms)
{
	const struct process_options *options = output->options;
	if (cancel_reason(options->cancel))
		return PROCESS_CANCELLED;
	if (deadline_ms && clock_now_ms() >= deadline_ms)
		return PROCESS_TIMEOUT;
	if (options->output_limit && output->result->output_bytes > options->output_limit)
		return PROCESS_OUTPUT_LIMIT;
	return PROCESS_EXITED;
}

int process_time_left(int64_t deadline_ms)
{
	if (!deadline_ms)
		return -1;
	int64_t left = deadline_ms - clock_now_ms();
	return left < 0 ? 0 : left > 1 << 30 ? 1 << 30 : (int)left;
}

void process_conclude(struct process_result *result, bool ended, int status)
{
	if (result->end == PROCESS_TIMEOUT) {
		result->exit_code = 124;
	} else if (result->end == PROCESS_CANCELLED) {
		result->exit_code = 125;
	} else if (result->end != PROCESS_EXITED || !ended || WIFSIGNALED(status)) {
		result->signal = WIFSIGNALED(status) && ended ? WTERMSIG(status) : SIGKILL;
		result->exit_code = 128 + result->signal;
		if (result->end == PROCESS_EXITED)
			result->end = PROCESS_SIGNALLED;
	} else {
		result->exit_code = WEXITSTATUS(status);
	}
}
