#include "verify/suite/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

enum {
	LINE_MOST = 64 << 10,
	CHUNK = 256 << 10,
	HEAD = 3000,
	TAIL = 7000,
};

struct lines {
	struct listener listener;
	char *bytes; /* LINE_MOST + CHUNK, and one for a NUL */
	size_t n;
	bool skipping; /* the rest of a line that was cut */
	struct strbuf clean;
};

/* The end of the escape sequence at `at`: CSI ... letter, OSC ... BEL or ESC \, or two bytes. */
static const char *lines_skip_escape(const char *at, const char *end)
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
static bool lines_is_plain(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)(at[i] - 0x20) >= 0x5f && at[i] != '\t')
			return false;
	return true;
}

const char *lines_clean(struct strbuf *clean, const char *at, size_t n)
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
		at = *at == '\r' ? at + 1 : lines_skip_escape(at, end);
	}
	return clean->text;
}

/* Pass on n bytes at `at`; the byte after them may be overwritten. */
static void lines_take_one(struct lines *lines, char *at, size_t n)
{
	if (lines->skipping)
		return;
	const char *line = at;
	if (lines_is_plain(at, n))
		at[n] = '\0';
	else
		line = lines_clean(&lines->clean, at, n);
	lines->listener.hear(lines->listener.owner, line);
}

/* Pass on all whole lines of the buffer and keep the rest. */
static void lines_take_all(struct lines *lines)
{
	char *at = lines->bytes, *end = at + lines->n;
	for (char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
		size_t n = (size_t)(newline - at);
		lines_take_one(lines, at, n < LINE_MOST ? n : LINE_MOST);
		lines->skipping = false;
	}
	lines->n = (size_t)(end - at);
	memmove(lines->bytes, at, lines->n);
	if (lines->n < LINE_MOST)
		return;
	lines_take_one(lines, lines->bytes, LINE_MOST);
	lines->skipping = true;
	lines->n = 0;
}

int lines_read(int fd, struct listener listener, struct rondo_error *err)
{
	AUTO_FREE char *bytes = memory_alloc(LINE_MOST + CHUNK + 1);
	struct lines lines = {
		.listener = listener, .bytes = bytes, .clean = STRBUF_INIT((size_t)2 * LINE_MOST)};
	int result = 0;
	for (off_t offset = 0;;) {
		ssize_t n = pread(fd, bytes + lines.n, CHUNK, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			result = error_errno(err, RONDO_ERROR_INTERNAL, "cannot read the output of the tests");
		if (n <= 0)
			break;
		offset += n;
		lines.n += (size_t)n;
		lines_take_all(&lines);
	}
	if (lines.n && result == 0)
		lines_take_one(&lines, bytes, lines.n);
	strbuf_release(&lines.clean);
	return result;
}

bool descriptor_read(int fd, struct strbuf *sb)
{
	AUTO_FREE char *bytes = memory_alloc(CHUNK);
	for (off_t offset = 0;;) {
		ssize_t n = pread(fd, bytes, CHUNK, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 && sb->length && !sb->cut;
		offset += n;
		strbuf_add(sb, bytes, (size_t)n);
		if (sb->cut)
			return false;
	}
}

/* Where what follows a '*' may begin, from a place of the line on. */
static const char *line_find_start(const char *line, const char *pattern)
{
	return *pattern == '#' ? line : strchrnul(line, *pattern);
}

const char *line_match(const char *line, const char *pattern, size_t *ret_numbers)
{
	const char *star = NULL, *from = NULL;
	for (size_t n, found = 0, at_star = 0; *pattern || *line;) {
		if (*pattern == *line && *line != '#' && *line != '*') {
			line++;
			pattern++;
		} else if (*pattern == '*') {
			if (!*++pattern)
				return line;
			star = pattern;
			line = from = line_find_start(line, star);
			at_star = found;
		} else if (*pattern == '#' && (n = strspn(line, "0123456789"))) {
			if (ret_numbers)
				ret_numbers[found++] = strtoul(line, NULL, 10);
			line += n;
			pattern++;
		} else if (star && *from) {
			pattern = star;
			line = from = line_find_start(from + 1, star);
			found = at_star;
		} else {
			return NULL;
		}
	}
	return line;
}

bool line_matches_any(const char *line, const char *const *patterns)
{
	for (; *patterns; patterns++)
		if ((**patterns == *line || **patterns == '*' || **patterns == '#') &&
			line_match(line, *patterns, NULL))
			return true;
	return false;
}

/* Append the text at an offset of the log without half a character at its ends. */
static void lines_add_excerpt(struct strbuf *sb, int fd, off_t offset, size_t size)
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
			at = lines_skip_escape(at, end);
	}
}

const char *lines_excerpt(int fd, off_t size, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	if (size <= HEAD + TAIL) {
		lines_add_excerpt(&sb, fd, 0, HEAD + TAIL);
	} else {
		lines_add_excerpt(&sb, fd, 0, HEAD);
		strbuf_addf(&sb, "\n[... %lld bytes cut ...]\n", (long long)size - HEAD - TAIL);
		lines_add_excerpt(&sb, fd, size - TAIL, TAIL);
	}
	return arena_strndup(arena, sb.text, sb.length);
}
