#include "executors/remote.h"

#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "executors/tree_file.h"
#include "executors/world.h"

#define MOST_NAMED 8 /* refused files to name in the output */

void remote_init(struct remote *remote, const struct executor *executor, const char *place,
	const char *deep)
{
	*remote = (struct remote){.place = place, .executor = executor};
	mirror_init(&remote->mirrors[0], executor, executor->tree, NULL);
	mirror_init(&remote->mirrors[1], executor, executor->cache_dir, deep);
	remote->kept = world_paths_in_tree(executor->world, &remote->arena);
}

void remote_release(struct remote *remote)
{
	for (size_t i = 0; i < RECORD_ROOTS; i++)
		mirror_release(&remote->mirrors[i]);
	arena_release(&remote->arena);
	arena_release(&remote->sent);
	*remote = (struct remote){0};
}

int remote_scan(struct remote *remote, size_t *ret_n, struct rondo_error *err)
{
	size_t n = 0;
	arena_release(&remote->sent);
	for (size_t i = 0; i < RECORD_ROOTS; i++) {
		if (mirror_scan(&remote->mirrors[i], &remote->sent, &remote->changes[i], err) < 0)
			return -1;
		n += remote->changes[i].n;
	}
	*ret_n = n;
	return 0;
}

/* --- What comes --- */

static void remote_refuse(const struct remote *remote, const struct answer_item *item,
	const char *why, size_t n, struct strbuf *output)
{
	if (output && n < MOST_NAMED)
		strbuf_addf(output, "\n[%s stays in the %s: %s]", item->path, remote->place, why);
}

int remote_take(struct remote *remote, const struct answer *answer, struct strbuf *output,
	struct rondo_error *err)
{
	const char *why;
	size_t n = 0;
	for (size_t i = 0; i < RECORD_ROOTS; i++)
		mirror_accept(&remote->mirrors[i], &remote->changes[i]);
	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_item *item = &answer->items[i];
		if (mirror_take(&remote->mirrors[item->root], item, &why, err) < 0)
			return -1;
		if (why)
			remote_refuse(remote, item, why, n++, output);
	}
	if (output && n > MOST_NAMED)
		strbuf_addf(output, "\n[and %zu more]", n - MOST_NAMED);
	if (output && n)
		strbuf_addc(output, '\n');
	return 0;
}

/* --- What goes --- */

void remote_stream_rewind(void *owner)
{
	struct remote_stream *stream = owner;
	if (stream->fd >= 0)
		close(stream->fd);
	strbuf_release(&stream->head);
	stream->root = stream->next = stream->given = 0;
	stream->head = (struct strbuf)STRBUF_INIT(STRBUF_LINE);
	stream->fd = -1;
	stream->left = 0;
	stream->is_over = false;
}

void remote_stream_init(struct remote_stream *stream, const struct remote *remote)
{
	*stream = (struct remote_stream){.fd = -1, .keeps_times = !remote->mirrors[0].n,
		.head = STRBUF_INIT(STRBUF_LINE)};
	for (size_t i = 0; i < RECORD_ROOTS; i++) {
		stream->dirs[i] = remote->mirrors[i].dir;
		stream->changes[i] = remote->changes[i];
	}
}

int remote_stream_of(struct remote_stream *stream, const char *dir, struct arena *arena,
	struct rondo_error *err)
{
	struct mirror mirror;
	mirror_init(&mirror, NULL, dir, NULL);
	*stream = (struct remote_stream){.dirs = {dir}, .fd = -1, .keeps_times = true,
		.head = STRBUF_INIT(STRBUF_LINE)};
	return mirror_scan(&mirror, arena, &stream->changes[0], err);
}

/* A file that has disappeared since is not sent; the next scan will notice. */
static void remote_stream_add(struct remote_stream *stream, const struct mirror_entry *entry)
{
	char head[RECORD_HEAD];
	struct stat st;
	struct record record = {.kind = entry->kind, .root = (unsigned)stream->root,
		.path = entry->path, .is_executable = entry->is_executable};
	if (entry->kind == RECORD_FILE) {
		stream->fd = tree_file_open(stream->dirs[stream->root], entry->path);
		if (stream->fd < 0 || fstat(stream->fd, &st) < 0)
			return;
		record.size = stream->left = (uint64_t)st.st_size;
		record.modified_ns = stream->keeps_times ? entry->modified_ns : 0;
	} else if (entry->kind == RECORD_LINK) {
		record.size = strlen(entry->target) + 1;
	}
	strbuf_add(&stream->head, head, record_write(head, &record));
	strbuf_add(&stream->head, record.path, strlen(record.path) + 1);
	if (entry->kind == RECORD_LINK)
		strbuf_add(&stream->head, entry->target, record.size);
}

static void remote_stream_go_on(struct remote_stream *stream)
{
	if (stream->fd >= 0)
		close(stream->fd);
	stream->fd = -1;
	strbuf_reset(&stream->head);
	stream->given = 0;
	while (stream->root < RECORD_ROOTS && stream->next == stream->changes[stream->root].n) {
		stream->root++;
		stream->next = 0;
	}
	if (stream->root < RECORD_ROOTS) {
		remote_stream_add(stream, &stream->changes[stream->root].items[stream->next++]);
		return;
	}
	stream->is_over = true;
	strbuf_add(&stream->head, ". 0 0 0 0 ", sizeof ". 0 0 0 0 ");
}

/* Exactly as many bytes as announced, even if the file has changed. */
static size_t remote_stream_read(struct remote_stream *stream, char *bytes, size_t n)
{
	n = n < stream->left ? n : (size_t)stream->left;
	ssize_t got = read(stream->fd, bytes, n);
	if (got <= 0)
		memset(bytes, 0, n);
	n = got > 0 ? (size_t)got : n;
	stream->left -= n;
	return n;
}

ssize_t remote_stream_give(void *owner, char *bytes, size_t n)
{
	struct remote_stream *stream = owner;
	size_t filled = 0;
	while (filled < n) {
		size_t left = stream->head.length - stream->given, room = n - filled;
		if (left) {
			left = left < room ? left : room;
			memcpy(bytes + filled, stream->head.text + stream->given, left);
			stream->given += left;
			filled += left;
		} else if (stream->left) {
			filled += remote_stream_read(stream, bytes + filled, room);
		} else if (stream->is_over) {
			break;
		} else {
			remote_stream_go_on(stream);
		}
	}
	return (ssize_t)filled;
}
