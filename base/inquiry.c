#include "base/inquiry.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/secrets.h"
#include "base/utf8.h"

#define LARGEST_ANSWER ((size_t)1 << 20)
#define LONGEST_QUOTE 300

/* Complaints go into a file of their own. */
static int put_errors_aside(void *payload, const char **what)
{
	*what = "set its standard error aside";
	return dup2(*(const int *)payload, STDERR_FILENO) < 0 ? -1 : 0;
}

static void read_errors(int fd, struct strbuf *sb)
{
	char bytes[4096];
	off_t at = 0;
	for (ssize_t n; at < (off_t)LARGEST_ANSWER && (n = pread(fd, bytes, sizeof bytes, at)) > 0;
		 at += n)
		utf8_scrub(sb, bytes, (size_t)n);
}

/* What it printed is appended to the two buffers. */
static int run(const struct inquiry *inquiry, struct strbuf *output, struct strbuf *complaints,
	struct process_result *result, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_CLOSE errors = memfd_create("errors", MFD_CLOEXEC);
	const char *argv[] = {"/bin/sh", "-c", inquiry->command, NULL};
	if (errors < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in memory");
	struct process_options process = {.argv = argv,
		.env = secrets_free_environment(&arena),
		.cwd = inquiry->dir,
		.input = inquiry->question,
		.timeout_ms = inquiry->timeout_ms,
		.output_limit = output->limit,
		.output = output,
		.keep_fds = &errors,
		.n_keep_fds = 1,
		.prepare = put_errors_aside,
		.payload = &errors,
		.cancel = inquiry->cancel};
	if (process_run(&process, result, err) < 0)
		return -1;
	read_errors(errors, complaints);
	return 0;
}

/* "'CMD' PROBLEM: what it printed"; what it complained of says more than its answer. */
static void refuse(const struct inquiry *inquiry, const char *problem, struct strbuf *output,
	struct strbuf *complaints, struct rondo_error *err)
{
	char quote[LONGEST_QUOTE];
	struct strbuf *printed = complaints->length ? complaints : output;
	strbuf_rtrim(printed);
	utf8_format(quote, sizeof quote, "%s", printed->text);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "'%s' %s%s%s", inquiry->command, problem,
		*quote ? ": " : "", quote);
}

static const char *describe_failure(
	const struct inquiry *inquiry, const struct process_result *result, struct arena *arena)
{
	char text[64], time[CLOCK_DATE_SIZE];
	clock_format_duration(inquiry->timeout_ms, time);
	if (result->end == PROCESS_TIMEOUT)
		return arena_printf(arena, "did not answer within %s", time);
	return arena_printf(arena, "failed (%s)", process_describe(result, text, sizeof text));
}

static bool is_answer(const struct inquiry *inquiry, const struct json *answer)
{
	return json_is_object(answer) &&
		json_bool(answer, inquiry->member, true) == json_bool(answer, inquiry->member, false);
}

static int run_to_its_end(const struct inquiry *inquiry, struct strbuf *output,
	struct strbuf *complaints, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct process_result result = {.end = PROCESS_EXITED};
	if (run(inquiry, output, complaints, &result, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(inquiry->cancel, err);
	if (result.end == PROCESS_EXITED && !result.exit_code)
		return 0;
	refuse(inquiry, describe_failure(inquiry, &result, &arena), output, complaints, err);
	return -1;
}

int inquire_text(const struct inquiry *inquiry, struct strbuf *answer, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(answer->limit), complaints = STRBUF_INIT(STRBUF_LINE);
	if (run_to_its_end(inquiry, &output, &complaints, err) < 0)
		return -1;
	strbuf_add(answer, output.text, output.length);
	return 0;
}

struct json *inquire(const struct inquiry *inquiry, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(LARGEST_ANSWER), complaints = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error ignored;
	if (run_to_its_end(inquiry, &output, &complaints, err) < 0)
		return NULL;
	AUTO_JSON *answer = json_parse(output.text, output.length, &ignored);
	if (is_answer(inquiry, answer))
		return STEAL(&answer);
	refuse(inquiry,
		arena_printf(&arena, "must print {\"%s\": true} or {\"%s\": false}, found", inquiry->member,
			inquiry->member),
		&output, &complaints, err);
	return NULL;
}
