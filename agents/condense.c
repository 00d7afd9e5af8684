/*
 * Output that is too long to be shown whole: of a test run the end says most, the beginning says
 * what was run, and between them lie the lines that report a failure.
 */
#include <string.h>

#include "agents/briefing.h"
#include "base/memory.h"

enum {
	/* bytes that are shown as they are: what a report keeps of an output among them */
	WHOLE_MOST = 10200,
	HEAD = 3000,
	TAIL = 5000,
	FAILURES = 2000, /* of the part between */
	AROUND = 400,    /* before a line that reports a failure, and as much after it */
};

/* The first byte of the line that holds `at`, or of the next one. */
static const char *condense_line_start(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static const char *condense_line_after(const char *at)
{
	return at + strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
}

/* Cuts fall between lines; in a line of thousands of bytes, between characters. */
static const char *condense_cut(const char *text, const char *at)
{
	const char *start = condense_line_start(text, at);
	if (at - start <= AROUND)
		return start;
	while (at > text && ((unsigned char)*at & 0xc0) == 0x80)
		at--;
	return at;
}

static const char *condense_find_failure(const char *at, const char *end)
{
	static const char *const words[] = {
		"FAIL", "not ok", "Error", "error:", "panicked", "Traceback", "Assertion", "assert "};
	const char *first = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *found =
			memmem(at, (size_t)((first ? first : end) - at), words[i], strlen(words[i]));
		first = found ? found : first;
	}
	return first;
}

static void condense_add_gap(struct strbuf *sb, const char *from, const char *to)
{
	const char *newline = sb->length && sb->text[sb->length - 1] != '\n' ? "\n" : "";
	if (to > from)
		strbuf_addf(sb, "%s[... %zu bytes left out ...]\n", newline, (size_t)(to - from));
}

void condense(struct strbuf *sb, const char *output)
{
	size_t n = strlen(output);
	if (n <= WHOLE_MOST) {
		strbuf_add(sb, output, n);
		return;
	}
	const char *at = condense_cut(output, output + HEAD),
			   *tail = condense_cut(output, output + n - TAIL);
	size_t left = FAILURES;
	strbuf_add(sb, output, (size_t)(at - output));
	for (const char *found; left && (found = condense_find_failure(at, tail));) {
		const char *from = found - at > AROUND ? condense_cut(output, found - AROUND) : at;
		const char *to = tail - found > AROUND
			? condense_cut(output, condense_line_after(found + AROUND))
			: tail;
		from = from < at ? at : from;
		to = to > tail ? tail : to; /* the tail may begin within a long line */
		if ((size_t)(to - from) > left || to <= from)
			break;
		condense_add_gap(sb, at, from);
		strbuf_add(sb, from, (size_t)(to - from));
		left -= (size_t)(to - from);
		at = to;
	}
	condense_add_gap(sb, at, tail);
	strbuf_adds(sb, tail);
}

void add_fenced(struct strbuf *sb, const char *language, const char *text, size_t n)
{
	size_t longest = 2, run = 0;
	for (size_t i = 0; i < n; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	const char *end = n && text[n - 1] == '\n' ? "" : "\n";
	char fence[64];
	size_t length = longest + 1 < sizeof fence ? longest + 1 : sizeof fence - 1;
	memset(fence, '`', length);
	fence[length] = '\0';
	strbuf_addf(sb, "%s%s\n", fence, language);
	strbuf_add(sb, text, n);
	strbuf_addf(sb, "%s%s\n", end, fence);
}
