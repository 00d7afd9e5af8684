/* What some models think aloud at the beginning of a reply, where nobody has taken it out. */
#include <string.h>

#include "base/memory.h"
#include "chat/edit_form.h"

static const char *const tags[] = {"think", "thinking", "thought", "reasoning"};

/* Behind the last word of thoughts that a tag has opened; NULL: they do not end. */
static const char *thoughts_end(const char *at, const char *name)
{
	size_t length = strlen(name);
	while ((at = strstr(at, "</")))
		if (strncmp(at += 2, name, length) == 0 && at[length] == '>')
			return at + length + 1;
	return NULL;
}

/* The tag alone on a line and in no fence: what opened the thoughts was in the prompt. */
static const char *thoughts_end_alone(const char *reply)
{
	bool in_fence = false;
	size_t n;
	for (const char *line; (line = edit_next_line(&reply, &n));) {
		if (n >= 3 && (memcmp(line, "```", 3) == 0 || memcmp(line, "~~~", 3) == 0))
			in_fence = !in_fence;
		if (!in_fence && n == strlen("</think>") && memcmp(line, "</think>", n) == 0)
			return reply;
	}
	return NULL;
}

/* Which of the tags stands there; NULL: none. */
static const char *thoughts_tag(const char *at)
{
	for (size_t i = 0; *at == '<' && i < ARRAY_SIZE(tags); i++) {
		size_t n = strlen(tags[i]);
		if (strncmp(at + 1, tags[i], n) == 0 && at[1 + n] == '>')
			return tags[i];
	}
	return NULL;
}

const char *reply_without_thoughts(const char *reply)
{
	const char *start = reply + strspn(reply, " \t\r\n"), *tag = thoughts_tag(start);
	const char *end = tag ? thoughts_end(start, tag) : thoughts_end_alone(reply);
	return end ? end + strspn(end, "\r\n") : reply;
}
