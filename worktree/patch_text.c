/* A patch as libgit2 1.5 reads it, from one as git prints it, also in a mail, or as diff -u does,
 * which names files and no more. */
#include "worktree/patch_text.h"

#include <string.h>

#include "base/memory.h"

struct patch_writer {
	struct strbuf *patch;
	const char *at, *end;
	struct arena *arena;
	bool has_heading; /* a line "diff --git" that is followed by no hunk yet */
	bool is_empty;    /* a file comes or goes, and nothing was said of what is in it */
	bool has_index;
};

/* The path of a line "--- a/x.c<TAB>2026-11-27 ...", without its first directory if that is a or
 * b; in the arena. */
static const char *patch_path(const char *line, size_t n, struct arena *arena)
{
	const char *path = line + strlen("--- ");
	n -= strlen("--- ");
	const char *tab = memchr(path, '\t', n);
	n = tab ? (size_t)(tab - path) : n;
	if (n && path[n - 1] == '\r')
		n--;
	if (n > 2 && (path[0] == 'a' || path[0] == 'b') && path[1] == '/')
		path += 2, n -= 2;
	return arena_strndup(arena, path, n);
}

/* Names in quotes: libgit2 ends one without them at a blank. In quotes some bytes would need more
 * than that; git writes such names so itself. */
static bool patch_can_quote(const char *name, size_t n)
{
	return !memchr(name, '"', n) && !memchr(name, '\\', n);
}

static void patch_add_names(
	struct strbuf *patch, const char *old, size_t old_n, const char *new, size_t new_n)
{
	const char *quote = patch_can_quote(old, old_n) && patch_can_quote(new, new_n) ? "\"" : "";
	strbuf_addf(patch, "diff --git %sa/%.*s%s %sb/%.*s%s\n", quote, (int)old_n, old, quote, quote,
		(int)new_n, new, quote);
}

/* The lines that git would have put before "---" and "+++". */
static void patch_add_heading(struct strbuf *patch, const char *old, const char *new)
{
	bool is_new = strcmp(old, "/dev/null") == 0, is_gone = strcmp(new, "/dev/null") == 0;
	const char *from = is_new ? new : old, *to = is_gone ? from : new;
	patch_add_names(patch, from, strlen(from), to, strlen(to));
	if (is_new || is_gone)
		strbuf_addf(patch, "%s file mode 100644\n", is_new ? "new" : "deleted");
	strbuf_addf(patch, "--- %s%s\n+++ %s%s\n", is_new ? "" : "a/", old, is_gone ? "" : "b/", new);
}

/* Both names of "diff --git a/x b/x". Names that differ are said again below, by "rename from" and
 * "rename to". */
static bool patch_add_same(struct patch_writer *x, const char *names, size_t n)
{
	size_t half = n / 2;
	bool is_one = n % 2 && n > 5 && names[half] == ' ' && text_n_starts_with(names, n, "a/") &&
		text_n_starts_with(names + half + 1, half, "b/") &&
		memcmp(names + 2, names + half + 3, half - 2) == 0;
	if (!is_one || !patch_can_quote(names, n))
		return false;
	patch_add_names(x->patch, names + 2, half - 2, names + 2, half - 2);
	return true;
}

/* The value of the line that begins so among those of this heading. */
static const char *patch_heading_value(
	const struct patch_writer *x, const char *word, size_t *ret_n)
{
	const char *at = x->at, *line;
	for (size_t n; (line = text_next_line(&at, x->end, &n));) {
		if (text_n_starts_with(line, n, "diff --git ") || text_n_starts_with(line, n, "@@ "))
			return NULL;
		if (!text_n_starts_with(line, n, word))
			continue;
		*ret_n = n - strlen(word);
		return line + strlen(word);
	}
	return NULL;
}

static bool patch_add_renamed(struct patch_writer *x)
{
	static const char *const words[][2] = {
		{"rename from ", "rename to "}, {"copy from ", "copy to "}};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t old_n, new_n;
		const char *old = patch_heading_value(x, words[i][0], &old_n);
		const char *new = patch_heading_value(x, words[i][1], &new_n);
		if (!old || !new || memchr(old, '"', old_n) || memchr(new, '"', new_n))
			continue;
		strbuf_addf(
			x->patch, "diff --git \"a/%.*s\" \"b/%.*s\"\n", (int)old_n, old, (int)new_n, new);
		return true;
	}
	return false;
}

/* "rename from x y": as in the heading. */
static bool patch_add_quoted(struct patch_writer *x, const char *line, size_t n)
{
	static const char *const words[] = {"rename from ", "rename to ", "copy from ", "copy to "};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t word_n = strlen(words[i]);
		if (!text_n_starts_with(line, n, words[i]) || !patch_can_quote(line, n))
			continue;
		strbuf_addf(x->patch, "%s\"%.*s\"\n", words[i], (int)(n - word_n), line + word_n);
		return true;
	}
	return false;
}

/* libgit2 wants to read what is in each file that comes or goes, also if that is nothing. */
static void patch_end_heading(struct patch_writer *x, const char *line, size_t n)
{
	static const char none[] = "literal 0\nHcmV?d00001\n\n";
	if (!x->is_empty)
		return;
	if (text_n_starts_with(line, n, "index ")) {
		x->has_index = true;
		return;
	}
	x->is_empty = false;
	if (text_n_starts_with(line, n, "--- ") || text_n_starts_with(line, n, "GIT binary patch") ||
		text_n_starts_with(line, n, "Binary files "))
		return;
	if (!x->has_index)
		strbuf_adds(x->patch, "index 0000000..e69de29\n");
	strbuf_addf(x->patch, "GIT binary patch\n%s%s", none, none);
}

static void patch_add_line(struct patch_writer *x, const char *line, size_t n)
{
	bool is_new = text_n_starts_with(line, n, "new file mode ");
	patch_end_heading(x, line, n);
	if (text_n_starts_with(line, n, "diff --git ")) {
		x->has_heading = true;
		size_t word_n = strlen("diff --git ");
		if (patch_add_same(x, line + word_n, n - word_n) || patch_add_renamed(x))
			return;
	}
	if (x->has_heading && (is_new || text_n_starts_with(line, n, "deleted file mode "))) {
		x->is_empty = true;
		x->has_index = false;
	}
	if (x->has_heading && patch_add_quoted(x, line, n))
		return;
	if (text_n_starts_with(line, n, "+++ "))
		x->has_heading = false; /* that of the next file */
	strbuf_add(x->patch, line, n);
	strbuf_addc(x->patch, '\n');
}

void patch_normalize(
	struct strbuf *patch, const char *text, size_t n, bool cuts_cr, struct arena *arena)
{
	struct patch_writer x = {.patch = patch, .at = text, .end = text + n, .arena = arena};
	const char *line;
	for (size_t length; (line = text_next_line(&x.at, x.end, &length));) {
		const char *after = x.at;
		size_t next_length = 0;
		const char *next = text_next_line(&after, x.end, &next_length);
		if (!x.has_heading && next && text_n_starts_with(line, length, "--- ") &&
			text_n_starts_with(next, next_length, "+++ ")) {
			patch_add_heading(
				patch, patch_path(line, length, arena), patch_path(next, next_length, arena));
			x.at = after;
			continue;
		}
		if (cuts_cr && length && line[length - 1] == '\r')
			length--;
		patch_add_line(&x, line, length);
	}
	patch_end_heading(&x, "", 0);
}
