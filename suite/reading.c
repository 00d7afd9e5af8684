/*
 * A run's output, of any size, line by line into a report. The lines that a type's reader sees are
 * clean: valid UTF-8 without escape sequences, and of a line that overwrote itself with carriage
 * returns the last state. A line is cut at 64 KiB, so that memory is bounded by what the readers
 * keep.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "suite/suite.h"

enum {
	LINE_MOST = 64 << 10,
	CHUNK = 256 << 10,
	HEAD = 3000,
	TAIL = 7000,
};

struct lines {
	char *bytes; /* LINE_MOST + CHUNK, and one for a NUL */
	size_t n;
	bool skipping; /* the rest of a line that was cut */
	struct strbuf clean;
};

/* Behind the escape sequence at `at`: CSI ... letter, OSC ... BEL or ESC \, or two bytes. */
static const char *skip_escape(const char *at, const char *end)
{
	if (++at < end && *at == '[') {
		at++;
		while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x40)
			at++;
		return at < end ? at + 1 : at;
	}
	if (at < end && *at == ']') {
		while (at < end && *at != '\a' && *at != 0x1b)
			at++;
		if (at < end && *at == 0x1b)
			at++;
	}
	return at < end ? at + 1 : at;
}

/* Whether a line can be read as it is: printable ASCII and tabs. */
static bool is_plain(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)(at[i] - 0x20) >= 0x5f && at[i] != '\t')
			return false;
	return true;
}

static const char *clean_line(struct strbuf *clean, const char *at, size_t n)
{
	strbuf_reset(clean);
	const char *end = at + n;
	while (at < end) {
		const char *plain = at;
		while (at < end && *at != 0x1b && *at != '\r')
			at++;
		utf8_scrub(clean, plain, (size_t)(at - plain));
		if (at == end)
			break;
		if (*at == '\r' && at + 1 < end)
			strbuf_reset(clean);
		at = *at == '\r' ? at + 1 : skip_escape(at, end);
	}
	return clean->text;
}

/* Hand on n bytes at `at`; the byte behind them may be overwritten. */
static void take_line(struct suite_reading *reading, struct lines *lines, char *at, size_t n)
{
	if (lines->skipping)
		return;
	const char *line = at;
	if (is_plain(at, n))
		at[n] = '\0';
	else
		line = clean_line(&lines->clean, at, n);
	reading->suite->type->read_line(reading, line);
}

/* Hand on all whole lines of the buffer and keep the rest. */
static void take_lines(struct suite_reading *reading, struct lines *lines)
{
	char *at = lines->bytes, *end = at + lines->n;
	for (char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
		size_t n = (size_t)(newline - at);
		take_line(reading, lines, at, n < LINE_MOST ? n : LINE_MOST);
		lines->skipping = false;
	}
	lines->n = (size_t)(end - at);
	memmove(lines->bytes, at, lines->n);
	if (lines->n < LINE_MOST)
		return;
	take_line(reading, lines, lines->bytes, LINE_MOST);
	lines->skipping = true;
	lines->n = 0;
}

static int read_lines(struct suite_reading *reading, int fd, struct rondo_error *err)
{
	AUTO_FREE char *bytes = memory_alloc(LINE_MOST + CHUNK + 1);
	struct lines lines = {.bytes = bytes, .clean = STRBUF_INIT((size_t)2 * LINE_MOST)};
	int result = 0;
	for (off_t offset = 0;;) {
		ssize_t n = pread(fd, bytes + lines.n, CHUNK, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			result = error_errno(
				err, RONDO_ERROR_INTERNAL, "cannot read the output of the tests");
		if (n <= 0)
			break;
		offset += n;
		lines.n += (size_t)n;
		take_lines(reading, &lines);
	}
	if (lines.n && result == 0)
		take_line(reading, &lines, bytes, lines.n);
	strbuf_release(&lines.clean);
	return result;
}

/* Append the text at an offset of the log without half a character at its ends. */
static void add_excerpt(struct strbuf *sb, int fd, off_t offset, size_t size)
{
	char bytes[HEAD + TAIL];
	ssize_t n = pread(fd, bytes, size, offset);
	if (n <= 0)
		return;
	const char *at = bytes, *end = bytes + n;
	while (offset && at < end && ((unsigned char)*at & 0xc0) == 0x80)
		at++;
	for (int i = 0; i < 3 && end > at && (unsigned char)end[-1] >= 0x80; i++)
		if (utf8_valid_length(at, (size_t)(end - at)) < (size_t)(end - at))
			end--;
	while (at < end) {
		const char *plain = at;
		while (at < end && *at != 0x1b)
			at++;
		utf8_scrub(sb, plain, (size_t)(at - plain));
		if (at < end)
			at = skip_escape(at, end);
	}
}

static const char *excerpt(int fd, off_t size, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	if (size <= HEAD + TAIL) {
		add_excerpt(&sb, fd, 0, HEAD + TAIL);
	} else {
		add_excerpt(&sb, fd, 0, HEAD);
		strbuf_addf(&sb, "\n[... %lld bytes cut ...]\n", (long long)size - HEAD - TAIL);
		add_excerpt(&sb, fd, size - TAIL, TAIL);
	}
	return arena_strndup(arena, sb.text, sb.length);
}

/* Why a run was not left to come to its end, or NULL. A crash is an end: that is how a test in C
 * fails. */
static const char *interruption(
	const struct process_result *result, off_t log_size, struct arena *arena)
{
	char text[64];
	switch (result->end) {
	case PROCESS_EXITED:
		break;
	case PROCESS_SIGNALLED:
		if (result->signal == SIGSEGV || result->signal == SIGABRT ||
			result->signal == SIGBUS || result->signal == SIGFPE ||
			result->signal == SIGILL)
			break;
		return arena_strdup(arena, process_describe(result, text, sizeof text));
	case PROCESS_TIMEOUT:
		return arena_printf(arena, "timed out after %.*f s", result->duration_ms < 10000,
			(double)result->duration_ms / 1000);
	case PROCESS_OUTPUT_LIMIT:
		return arena_printf(arena, "printed too much: %llu bytes",
			(unsigned long long)result->output_bytes);
	case PROCESS_CANCELLED:
		return "cancelled";
	}
	if (result->output_bytes > (uint64_t)log_size)
		return arena_printf(arena, "printed %llu bytes, of which only %lld were kept",
			(unsigned long long)result->output_bytes, (long long)log_size);
	return NULL;
}

int suite_read(const struct suite *suite, int log_fd, const char *dir,
	const struct process_result *result, struct arena *arena, struct test_report *ret_report,
	struct rondo_error *err)
{
	struct stat st;
	if (fstat(log_fd, &st) < 0)
		return error_errno(
			err, RONDO_ERROR_INTERNAL, "cannot read the output of the tests");
	struct test_report report = {
		.exit_code = result->exit_code, .duration_ms = result->duration_ms};
	struct suite_reading reading = {
		.suite = suite,
		.dir = dir,
		.report = &report,
		.arena = arena,
		.state = arena_alloc(arena, suite->type->state_size),
	};
	/* A flood tells nothing: its lines are hundreds of millions, and the run counts not. */
	if (result->end != PROCESS_OUTPUT_LIMIT && read_lines(&reading, log_fd, err) < 0)
		return -1;
	report.problem = interruption(result, st.st_size, arena);
	if (!report.problem)
		suite->type->finish(&reading, result);
	report.output = excerpt(log_fd, st.st_size, arena);
	*ret_report = report;
	return 0;
}
