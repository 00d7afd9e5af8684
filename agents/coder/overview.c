/*
 * A map of the tree: paths, and what files define, a line each, the nearest first. Where the tree
 * is small all paths stand together, and only files that are not shown whole are opened. Where it
 * is large, those that do not fit are counted.
 */
#include <string.h>

#include "agents/coder/showing.h"
#include "base/utf8.h"

enum {
	PATHS_MOST = 200,   /* of a small tree */
	HEADING_SIZE = 104, /* bytes of a heading's line */
	FILE_SHARE = 4,     /* no file takes more than such a part */
	COUNT_MOST = 40,    /* bytes of a line that counts the rest */
	RESERVED = 80,      /* for such lines, whatever else there is */
};

struct overview {
	const struct exhibits *exhibits;
	const struct nearby *nearby;
	struct strbuf *sb;
	size_t end; /* how long the text may become */
	bool is_small, is_begun;
};

static bool overview_is_small(const struct nearby *nearby, size_t room)
{
	size_t length = 0;
	for (size_t i = 0; i < nearby->n && i <= PATHS_MOST; i++)
		length += strlen(nearby->paths[i]) + 1;
	return nearby->n <= PATHS_MOST && length <= room / 2;
}

static void overview_list_paths(const struct overview *overview)
{
	const char **paths = overview->nearby->paths;
	AUTO_ARENA scratch = ARENA_INIT;
	size_t n = overview->nearby->n;
	const char **sorted = arena_memdup(&scratch, paths, n * sizeof *sorted);
	text_sort(sorted, n);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(overview->sb, "%s%s", i ? " " : "\nFiles of the repository: ", sorted[i]);
	strbuf_adds(overview->sb, n ? "\n" : "");
}

/* What a file defines, as far as `most` bytes go. */
static void overview_add_headings(
	const struct overview *overview, const char *path, size_t most, struct strbuf *block)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const struct agent_services *services = overview->exhibits->services;
	char line[HEADING_SIZE];
	struct heading *headings;
	const char *why, *text = source_text(services, path, &scratch, &why);
	if (!text)
		return;
	const struct repair_file file = {.path = path, .text = text, .n = strlen(text)};
	size_t n = repair_headings(&scratch, &file, &headings);
	for (size_t i = 0; i < n; i++) {
		utf8_format(
			line, sizeof line, "%*s%s", 2 * (int)(headings[i].depth + 1), "", headings[i].text);
		if (block->length + strlen(line) + COUNT_MOST > most) {
			strbuf_addf(block, "  ... and %zu more\n", n - i);
			return;
		}
		strbuf_addf(block, "%s\n", line);
	}
}

/* False where there is no room left. */
static bool overview_add_file(struct overview *overview, const char *path, size_t room)
{
	AUTO_STRBUF block = STRBUF_INIT(STRBUF_TEXT);
	size_t left = overview->end - overview->sb->length, most = room / FILE_SHARE;
	const char *mark = showing_mark(overview->exhibits->services, path);
	strbuf_addf(&block, "%s%s\n", path, mark);
	size_t bare = block.length;
	if (repair_knows(path) && !*mark && !exhibits_have_whole(overview->exhibits, path))
		overview_add_headings(overview, path, left < most ? left : most, &block);
	if (overview->is_small && block.length == bare)
		return true;
	if (block.length > left)
		return false;
	if (!overview->is_begun)
		strbuf_adds(overview->sb,
			overview->is_small ? "\nWhat files define that are not shown whole, nearest to the "
								 "failing tests first:\n"
							   : "\nThe repository, nearest to the failing tests first:\n");
	overview->is_begun = true;
	strbuf_adds(overview->sb, block.text);
	return true;
}

static void overview_count_rest(const struct overview *overview, size_t n)
{
	if (n >= 1000)
		strbuf_addf(overview->sb, "and %zu,%03zu more files\n", n / 1000, n % 1000);
	else if (n)
		strbuf_addf(overview->sb, "and %zu more file%s\n", n, text_plural(n));
}

void overview_add(
	const struct exhibits *exhibits, const struct nearby *nearby, size_t room, struct strbuf *sb)
{
	struct overview overview = {.exhibits = exhibits, .nearby = nearby, .sb = sb};
	size_t at = 0;
	if (room < RESERVED)
		return;
	overview.end = sb->length + room - RESERVED;
	overview.is_small = overview_is_small(nearby, room);
	if (overview.is_small)
		overview_list_paths(&overview);
	while (at < nearby->n && sb->length < overview.end &&
		overview_add_file(&overview, nearby->paths[at], room))
		at++;
	if (!overview.is_small)
		overview_count_rest(&overview, nearby->n - at);
}
