/*
 * Somebody outside asks for an orderly stop: by a signal or through the API, or by a file that
 * appears, whose first line is the reason. It is looked for between turns and interrupts none. A
 * request is answered once: what was asked before a reset does not stop the next run, while a file
 * stops every run until it is removed.
 */
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "termination/termination.h"

#define LONGEST_REASON 200

struct external {
	const char *file;
	bool answered; /* the request that still stands */
};

static const struct option options[] = {
	OPTION("file", STRING, offsetof(struct external, file),
		"also when this file appears, beside the scenario; its first line is the reason",
		.main = true),
	OPTION_END,
};

static int external_check_options(const void *options_, struct rondo_error *err)
{
	const struct external *state = options_;
	return !state->file || *state->file
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "file must not be empty");
}

static bool external_is_requested(const struct termination *termination)
{
	const atomic_bool *requested = termination->services->stop_requested;
	return requested && atomic_load(requested);
}

/* Whether the control file is there; its first line is appended, as far as it can be read. */
static bool external_file_appeared(const struct termination *termination, struct strbuf *line)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	const char *file = ((const struct external *)termination->state)->file,
			   *dir = termination->services->dir;
	if (!file)
		return false;
	const char *path = *file == '/' ? file : arena_printf(&arena, "%s/%s", dir ? dir : ".", file);
	if (!file_exists(path))
		return false;
	if (file_read(path, STRBUF_LINE, &text, &ignored) == 0)
		utf8_scrub(line, text.text, strcspn(text.text, "\r\n"));
	return true;
}

static void external_start(struct termination *termination)
{
	struct external *state = termination->state;
	state->answered = state->answered && external_is_requested(termination);
}

static int external_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)delta, (void)ctx, (void)err;
	const struct external *state = termination->state;
	AUTO_STRBUF line = STRBUF_INIT(LONGEST_REASON);
	if (!(external_is_requested(termination) && !state->answered) &&
		!external_file_appeared(termination, &line))
		return 0;
	utf8_format(reason->text, sizeof reason->text, "External termination requested%s%s",
		line.length ? ": " : "", line.text);
	return 1;
}

static void external_reset(struct termination *termination)
{
	((struct external *)termination->state)->answered = external_is_requested(termination);
}

const struct termination_type external_termination = {
	.name = "external",
	.summary =
		"a stop is asked for from outside: SIGUSR1, a file that appears, or a call of the API",
	.stop_kind = RONDO_STOP_STOPPED,
	.state_size = sizeof(struct external),
	.options = options,
	.check_options = external_check_options,
	.start = external_start,
	.check = external_check,
	.reset = external_reset,
};
