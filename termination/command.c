/*
 * A program decides. It gets {"messages":[...]}, what was said since it was last asked, and answers {"stop":true} or
 * {"stop":false}, perhaps with a "reason". It is the user's own, runs outside of the sandbox and beside the scenario,
 * and gets no keys. Whatever else it does is an error that quotes it: a condition that cannot be told must not look like
 * one that does not hold.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/secrets.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "termination/termination.h"

#define LARGEST_ANSWER ((size_t)1 << 20)
#define LONGEST_QUOTE 300

struct command {
	const char *command;
	int64_t timeout_ms;
};

static const struct option options[] = {
	{.name = "command", .kind = OPTION_STRING, .offset = offsetof(struct command, command), .required = true, .main = true,
		.help = "a line for sh: reads {\"messages\": [...]}, prints {\"stop\": true, \"reason\": \"...\"}"},
	{.name = "timeout", .kind = OPTION_DURATION, .offset = offsetof(struct command, timeout_ms), .least = 1,
		.fallback = "60s", .help = "how long it may take each time"},
	OPTION_END,
};

static int check_options(const void *options_, struct rondo_error *err)
{
	const char *line = ((const struct command *)options_)->command;
	return !line || line[strspn(line, " \t\n")] ? 0 : error_set(err, RONDO_ERROR_USAGE, "command must not be empty");
}

static char *print_messages(struct message_span delta)
{
	AUTO_JSON *json = json_object();
	struct json *messages = json_add_array(json, "messages");
	for (size_t i = 0; i < delta.n; i++)
		json_add(messages, NULL, message_to_json(delta.messages[i]));
	return json_print(json);
}

/* Complaints go into a file of their own, so that they are no part of the answer. */
static int put_errors_aside(void *payload, const char **what)
{
	*what = "set its standard error aside";
	return dup2(*(const int *)payload, STDERR_FILENO) < 0 ? -1 : 0;
}

static void read_errors(int fd, struct strbuf *sb)
{
	char bytes[4096];
	off_t at = 0;
	for (ssize_t n; at < (off_t)LARGEST_ANSWER && (n = pread(fd, bytes, sizeof bytes, at)) > 0; at += n)
		utf8_scrub(sb, bytes, (size_t)n);
}

/* What it printed is appended to the two buffers. */
static int run_program(const struct termination *termination, const char *input, struct strbuf *output,
	struct strbuf *complaints, struct process_result *result, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct command *state = termination->state;
	AUTO_CLOSE errors = memfd_create("errors", MFD_CLOEXEC);
	const char *argv[] = {"/bin/sh", "-c", state->command, NULL};
	if (errors < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in memory");
	struct process_options process = {.argv = argv, .env = secrets_free_environment(&arena), .cwd = termination->kit->dir,
		.input = input, .timeout_ms = state->timeout_ms, .output_limit = LARGEST_ANSWER, .output = output,
		.keep_fds = &errors, .n_keep_fds = 1, .prepare = put_errors_aside, .payload = &errors, .cancel = cancel};
	if (process_run(&process, result, err) < 0)
		return -1;
	read_errors(errors, complaints);
	return 0;
}

/* "'CMD' PROBLEM: what it printed"; what it complained of says more than its answer. */
static int refuse(const struct command *state, const char *problem, struct strbuf *output, struct strbuf *complaints,
	struct rondo_error *err)
{
	char quote[LONGEST_QUOTE];
	struct strbuf *printed = complaints->length ? complaints : output;
	strbuf_rtrim(printed);
	utf8_format(quote, sizeof quote, "%s", printed->text);
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "'%s' %s%s%s", state->command, problem, *quote ? ": " : "", quote);
}

static const char *describe_failure(const struct command *state, const struct process_result *result, struct arena *arena)
{
	char text[64], time[CLOCK_DATE_SIZE];
	clock_format_duration(state->timeout_ms, time);
	if (result->end == PROCESS_TIMEOUT)
		return arena_printf(arena, "did not answer within %s", time);
	return arena_printf(arena, "failed (%s)", process_describe(result, text, sizeof text));
}

static bool is_answer(const struct json *answer)
{
	return json_is_object(answer) && json_bool(answer, "stop", true) == json_bool(answer, "stop", false);
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	const struct command *state = termination->state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(LARGEST_ANSWER), complaints = STRBUF_INIT(STRBUF_LINE);
	struct process_result result = {.end = PROCESS_EXITED};
	struct rondo_error ignored;
	if (!delta.n)
		return 0;
	AUTO_FREE char *input = print_messages(delta);
	if (run_program(termination, input, &output, &complaints, &result, ctx->cancel, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (result.end != PROCESS_EXITED || result.exit_code)
		return refuse(state, describe_failure(state, &result, &arena), &output, &complaints, err);
	AUTO_JSON *answer = json_parse(output.text, output.length, &ignored);
	if (!is_answer(answer))
		return refuse(state, "must print {\"stop\": true} or {\"stop\": false}, found", &output, &complaints, err);
	const char *why = json_string(answer, "reason", "");
	reason->message = delta.messages[delta.n - 1];
	if (*why)
		utf8_format(reason->text, sizeof reason->text, "%s", arena_strndup(&arena, why, strcspn(why, "\n")));
	else
		utf8_format(reason->text, sizeof reason->text, "'%s' says stop", state->command);
	return json_bool(answer, "stop", false);
}

const struct termination_type command_termination = {
	.name = "command",
	.summary = "a program of yours, given what was said, says stop",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct command),
	.options = options,
	.check_options = check_options,
	.check = check,
};
