#include "executors/helper_answer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/beneath.h"
#include "base/memory.h"
#include "base/utf8.h"

#define MOST_ITEMS 800000
#define SHOWN 256

/* Untrusted bytes as a message may show them. */
static const char *answer_show(const char *bytes, size_t n, struct arena *arena)
{
	char shown[SHOWN];
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&clean, bytes, n < STRBUF_LINE / 4 ? n : STRBUF_LINE / 4);
	utf8_format(shown, sizeof shown, "%s", clean.text);
	return arena_strdup(arena, shown);
}

/* Why a link may not be taken over: "a link that FAULT", or NULL. */
static const char *answer_link_fault(const struct answer_item *item)
{
	if (!item->n || memchr(item->bytes, '\0', item->n) != item->bytes + item->n - 1)
		return "leads nowhere";
	return beneath_link_fault(item->path, item->bytes);
}

/* A program may have made links and names that mean something else on this machine. */
static struct answer_item answer_item(const struct record *record, const char *bytes,
	struct arena *arena)
{
	const char *fault;
	struct answer_item item = {.kind = record->kind, .root = record->root, .path = record->path,
		.is_executable = record->is_executable, .bytes = bytes, .n = record->size};
	if (item.kind == RECORD_REFUSED)
		item.why = answer_show(bytes, item.n, arena);
	else if (!mirror_allows_path(item.path))
		item.why = "it has a strange name";
	else if (item.kind == RECORD_LINK && (fault = answer_link_fault(&item)))
		item.why = arena_printf(arena, "it is a link that %s", fault);
	if (!item.why)
		return item;
	item.kind = RECORD_REFUSED;
	item.path = answer_show(item.path, strlen(item.path), arena);
	return item;
}

static void answer_take(struct answer *answer, const struct record *record, const char *bytes,
	struct arena *arena)
{
	if (record->kind == RECORD_OUTPUT) {
		answer->output = bytes;
		answer->n_output = record->size;
	} else if (record->kind == RECORD_REPORT) {
		if (!answer->report.end && record->size == sizeof answer->report)
			memcpy(&answer->report, bytes, sizeof answer->report);
	} else {
		struct answer_item item = answer_item(record, bytes, arena);
		ARENA_PUSH(arena, answer->items, answer->n, item);
	}
}

void answer_read(const char *bytes, size_t n, struct arena *arena, struct answer *ret_answer)
{
	bytes = n ? bytes : "";
	const char *end = bytes + n;
	struct answer answer = {.output = ""};
	struct record record;
	while (!answer.is_whole && answer.n < MOST_ITEMS) {
		size_t left = (size_t)(end - bytes), most = RECORD_HEAD + RECORD_LONGEST_PATH;
		const char *nul = left ? memchr(bytes, '\0', left < most ? left : most) : NULL;
		if (!nul || !record_read(bytes, &record) || record.size > (size_t)(end - nul - 1))
			break;
		bytes = nul + 1 + record.size;
		answer.is_whole = record.kind == RECORD_END && bytes == end;
		if (record.kind == RECORD_END)
			break;
		answer_take(&answer, &record, nul + 1, arena);
	}
	*ret_answer = answer;
}

int answer_file_open(struct answer_file *file, const char *dir, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	*file = (struct answer_file){.fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
	if (file->fd >= 0)
		return 0;
	char *path = arena_printf(&arena, "%s/.answer-XXXXXX", dir);
	file->fd = mkostemp(path, O_CLOEXEC);
	if (file->fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in '%s'", dir);
	unlink(path);
	return 0;
}

int answer_file_map(struct answer_file *file, struct rondo_error *err)
{
	struct stat st;
	if (fstat(file->fd, &st) < 0 || st.st_size == 0)
		return 0;
	void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, file->fd, 0);
	if (bytes == MAP_FAILED)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot read what the helper told");
	file->bytes = bytes;
	file->n = (size_t)st.st_size;
	return 0;
}

void answer_file_release(struct answer_file *file)
{
	if (file->n)
		munmap(file->bytes, file->n);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct answer_file){.fd = -1};
}
