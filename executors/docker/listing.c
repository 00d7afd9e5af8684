#include "executors/docker/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/beneath.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/docker/inside/inside.h"

#define MOST_RECORDS 400000
#define HEAD 6 /* "f t 1 " */

struct records {
	const char *at, *end;
	struct arena *arena;
};

/* The next text that ends with a NUL; NULL: there is no whole one. */
static const char *take_text(struct records *records)
{
	const char *text = records->at, *nul = memchr(text, '\0', (size_t)(records->end - text));
	if (nul)
		records->at = nul + 1;
	return nul ? text : NULL;
}

static const char *reason_of(char kind)
{
	switch (kind) {
	case INSIDE_SPECIAL:
		return "it is no file, directory or link";
	case INSIDE_LARGE:
		return "it is larger than 64 MiB";
	case INSIDE_MANY:
		return "there is too much of it";
	case INSIDE_DEEP:
		return "it lies too deep";
	default:
		return "it cannot be read";
	}
}

static bool read_kind(char kind, struct answer_item *item)
{
	static const char kinds[] = {INSIDE_FILE, INSIDE_DIR, INSIDE_LINK, INSIDE_IS_GONE, '\0'};
	static const enum answer_kind means[] = {ANSWER_FILE, ANSWER_DIR, ANSWER_LINK, ANSWER_GONE};
	static const char stays[] = {INSIDE_SPECIAL, INSIDE_LARGE, INSIDE_MANY, INSIDE_UNREADABLE, INSIDE_DEEP, '\0'};
	const char *found = strchr(kinds, kind);
	item->kind = found ? means[found - kinds] : ANSWER_REFUSED;
	item->why = found ? NULL : reason_of(kind);
	return found || strchr(stays, kind);
}

static void refuse(struct answer_item *item, const char *path, const char *why, struct arena *arena)
{
	char shown[256];
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&clean, path, strlen(path));
	utf8_format(shown, sizeof shown, "%s", clean.text);
	item->kind = ANSWER_REFUSED;
	item->path = arena_strdup(arena, shown);
	item->why = item->why ? item->why : why;
}

/* "KIND ROOT EXECUTABLE NUMBER PATH". False: it is none. */
static bool read_record(struct records *records, const char *text, struct answer_item *item)
{
	char *behind;
	bool has_head = strlen(text) > HEAD && text[1] == ' ' && strchr("tc", text[2]) && text[3] == ' ' && text[5] == ' ';
	if (!has_head || !read_kind(text[0], item) || text[HEAD] < '0' || text[HEAD] > '9')
		return false;
	item->in_cache = text[2] == 'c';
	item->is_executable = text[4] == '1';
	item->n = strtoul(text + HEAD, &behind, 10);
	item->bytes = item->kind == ANSWER_LINK ? take_text(records) : NULL;
	if (*behind != ' ' || item->n >= INSIDE_MOST_FILES || (item->kind == ANSWER_LINK && !item->bytes))
		return false;
	const char *path = behind + 1, *fault = NULL;
	item->path = arena_strdup(records->arena, path);
	item->bytes = arena_strdup(records->arena, item->bytes);
	if (!mirror_allows_path(path))
		refuse(item, path, "it has a strange name", records->arena);
	else if (item->kind == ANSWER_LINK && (fault = beneath_link_fault(path, item->bytes)))
		refuse(item, path, arena_printf(records->arena, "it is a link that %s", fault),
			records->arena);
	return true;
}

void docker_listing_read(const char *bytes, size_t n, struct arena *arena, struct docker_listing *ret_listing)
{
	struct records records = {bytes, bytes + n, arena};
	struct docker_listing listing = {0};
	for (const char *text; (text = take_text(&records));) {
		struct answer_item item = {0};
		listing.is_whole = strcmp(text, ".") == 0 && records.at == records.end;
		if (listing.is_whole || listing.n == MOST_RECORDS || !read_record(&records, text, &item))
			break;
		ARENA_PUSH(arena, listing.items, listing.n, item);
	}
	*ret_listing = listing;
}
