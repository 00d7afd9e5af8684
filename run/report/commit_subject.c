/*
 * The subject of a fix: "pricing: swap the arguments of apply_discount". The place is the file that
 * was changed; the words are the ones of whoever proposed the change, repair's of its last edit or
 * the first sentence of a model. Where nobody's words say it all, it is told what passes now.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/report/report.h"

enum {
	WIDEST = 72,   /* columns of a subject */
	SHORTEST = 24, /* of what is left of a sentence that is cut at a comma */
};

/* --- Where --- */

/* A name that says nothing without its directory's. */
static bool is_common(const char *name, size_t n)
{
	static const char *const names[] = {"__init__", "index", "init", "lib", "main", "mod"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
			return true;
	return false;
}

/* "pricing" of "cart/pricing.py", "cart" of "cart/__init__.py". */
static const char *area_of(const char *path, size_t n, struct arena *arena)
{
	const char *whole = arena_strndup(arena, path, n), *name = file_name(whole);
	size_t length = *name ? 1 + strcspn(name + 1, ".") : 0;
	if (name - whole > 1 && is_common(name, length))
		return area_of(whole, (size_t)(name - whole) - 1, arena);
	return arena_strndup(arena, name, length);
}

/* Of the files in the result's stat: the one, or the directory that all of them lie in; "" where
 * there is none. */
static const char *changed_area(const char *stat, struct arena *arena)
{
	const char *bar = stat ? strstr(stat, " | ") : NULL, *first = stat;
	if (!bar)
		return "";
	size_t n = (size_t)(bar - first);
	if (!strchr(bar, '\n'))
		return area_of(first, n, arena);
	for (const char *line = strchr(first, '\n'); line; line = strchr(line + 1, '\n')) {
		size_t same = 0;
		while (same < n && line[1 + same] == first[same])
			same++;
		while (same && first[same - 1] != '/')
			same--;
		n = same;
	}
	return n > 1 ? area_of(first, n - 1, arena) : "";
}

/* --- What --- */

/* The text as one line without marks of Markdown, control characters and a full stop; in the
 * arena. */
static const char *cleaned(const char *text, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE), shown = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&line, text, n);
	for (char *at = line.text; *at; at++)
		if (isspace((unsigned char)*at))
			*at = ' ';
	const char *from = line.text + strspn(line.text, " #>*-+");
	for (const char *at = from; *at; at++)
		if (*at != '`' && !(*at == '*' && (at[1] == '*' || (at > from && at[-1] == '*'))) &&
			!(*at == ' ' && at[1] == ' '))
			strbuf_addc(&shown, *at);
	strbuf_rtrim(&shown);
	while (shown.length && strchr(".:;,!", shown.text[shown.length - 1]))
		strbuf_truncate(&shown, shown.length - 1);
	strbuf_reset(&line);
	utf8_show(&line, shown.text);
	return arena_strdup(arena, line.text);
}

/* Up to the end of the first sentence. */
static size_t sentence_length(const char *text)
{
	size_t n = strcspn(text, "\n");
	for (size_t i = 2; i + 2 < n; i++)
		if (text[i] == '.' && text[i + 1] == ' ' && !islower((unsigned char)text[i + 2]) &&
			text[i - 2] != '.')
			return i;
	return n;
}

/* A line in words: neither a heading or fence nor a path. */
static bool is_prose(const char *line, size_t n)
{
	return n && *line != '#' && *line != '<' && strncmp(line, "```", 3) != 0 &&
		strncmp(line, "~~~", 3) != 0 && memchr(line, ' ', n) != NULL;
}

/* The first sentence that a model said before its edits; "" where it said nothing. */
static const char *said(const char *reply, struct arena *arena)
{
	for (const char *line = reply; line && *line;
		 line += strcspn(line, "\n"), line += *line == '\n') {
		line += strspn(line, " \t\r\n");
		if (strncmp(line, "```", 3) == 0 || *line == '<')
			return "";
		if (is_prose(line, strcspn(line, "\r\n")))
			return cleaned(line, sentence_length(line), arena);
	}
	return "";
}

/* "apply_discount" of "def apply_discount(rate):"; in the arena. NULL: the line is none that begins
 * a definition. */
static const char *defined(const char *line, struct arena *arena)
{
	const char *open = line + strcspn(line, "(\n"), *from = open;
	if (*open != '(' || isspace((unsigned char)*line))
		return NULL;
	while (from > line && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
		from--;
	return from == open ? NULL : arena_strndup(arena, from, (size_t)(open - from));
}

/* What the change lies in: the nearest definition above it, in the hunk or, as git found it, in its
 * header. NULL: none is seen, or there are several hunks. */
static const char *changed_definition(const char *patch, struct arena *arena)
{
	const char *hunk = patch ? strstr(patch, "\n@@ ") : NULL;
	if (!hunk || strstr(hunk + 1, "\n@@ "))
		return NULL;
	const char *header = strstr(hunk + 4, " @@"), *name = NULL;
	if (header && header[3] == ' ')
		name = defined(header + 4, arena);
	for (const char *line = strchr(hunk + 1, '\n'); line && line[1] == ' ';
		 line = strchr(line + 1, '\n')) {
		const char *nearer = defined(line + 2, arena);
		name = nearer ? nearer : name;
	}
	return name;
}

/* "swap 'a' and 'b'" stays; "'<' to '<='" is changed. Behind it, where in the file that was. */
static const char *repaired(const struct run_report *report, struct arena *arena)
{
	const char *gap = strstr(report->talk->what, "  ");
	const char *what =
		cleaned(gap ? gap : report->talk->what, strlen(gap ? gap : report->talk->what), arena);
	const char *in = changed_definition(report->change->patch, arena);
	bool is_verb =
		islower((unsigned char)*what) && !strstr(what, "' to '") && text_starts_with(what, "swap ");
	what = arena_printf(arena, "%s%s", is_verb ? "" : "change ", what);
	if (!in || text_has_word(what, in) ||
		utf8_columns(what, strlen(what)) + strlen(in) > WIDEST - 24)
		return what;
	return arena_printf(arena, "%s in %s", what, in);
}

/* What passes now, by the name of the test where there is one. */
static const char *passing(const struct run_report *report, struct arena *arena)
{
	const struct run_test *goal = report->baseline->goal;
	if (report_count_fixed(report) != 1)
		return arena_printf(arena, "make %zu failing tests pass", report_count_fixed(report));
	while (!report_is_fixed(report, goal))
		goal++;
	const char *id = goal->id, *name = id;
	for (const char *at = id; (at = strstr(at, "::")) && at < id + strcspn(id, "["); at += 2)
		name = at + 2;
	return arena_printf(arena, "make %s pass", cleaned(name, strlen(name), arena));
}

/* A sentence begins small after a colon, unless its first word is a name. */
static const char *continued(const char *what, struct arena *arena)
{
	size_t n = strcspn(what, " ");
	bool is_word = n > 1 || what[n] == ' ';
	for (size_t i = 1; i < n; i++)
		is_word = is_word && islower((unsigned char)what[i]);
	if (!is_word || !isupper((unsigned char)*what) || (*what == 'I' && n == 1))
		return what;
	return arena_printf(arena, "%c%s", (tolower)((unsigned char)*what), what + 1);
}

/* --- In 72 columns --- */

/* As many bytes as fit, up to the end of a word. */
static size_t fitting(const char *text, size_t columns)
{
	size_t n = utf8_fitting(text, columns), end = n;
	while (text[n] && end && text[end] != ' ')
		end--;
	return end ? end : n;
}

/* A long sentence ends at a comma, else in dots. */
static const char *shortened(const char *text, struct arena *arena)
{
	if (utf8_columns(text, strlen(text)) <= WIDEST)
		return text;
	size_t n = fitting(text, WIDEST);
	for (size_t i = n; i > SHORTEST; i--)
		if ((text[i - 1] == ',' || text[i - 1] == ';') && text[i] == ' ')
			return arena_strndup(arena, text, i - 1);
	return arena_printf(arena, "%.*s...", (int)fitting(text, WIDEST - 3), text);
}

/* "cart: ..." begins with a place of its own. */
static bool has_area(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || (text[n] && strchr("_-./", text[n])))
		n++;
	return n && text[n] == ':' && text[n + 1] == ' ';
}

const char *commit_subject(const struct run_report *report, struct arena *arena)
{
	const char *what = said(report->talk->said, arena),
			   *area = changed_area(report->change->stat, arena);
	if (!*what && !report->talk->said && report->talk->what && report->talk->edits.n <= 1)
		what = repaired(report, arena);
	if (!*what)
		what = passing(report, arena);
	area = cleaned(area, strlen(area), arena);
	if (!*area || has_area(what))
		return shortened(what, arena);
	return shortened(arena_printf(arena, "%s: %s", area, continued(what, arena)), arena);
}
