/* What goes into a container that has a tree of its own: what changed here since it was last told, as an archive. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker.h"
#include "executors/docker/tar.h"
#include "executors/tree_file.h"
#include "executors/world.h"

#define SEND_MS ((int64_t)1800000)
#define MANY 100 /* files that are worth a word */

/* An archive on its way, made as it is sent. */
struct packing {
	const struct docker_shipment *shipment;
	size_t next;
	struct strbuf head; /* to be sent before anything else */
	size_t sent;        /* of it */
	int fd;             /* then so many bytes of this */
	uint64_t left;
	size_t padding;
	struct map dirs;    /* that were told */
	struct arena arena;
	bool has_extra, is_over;
};

static void add(struct packing *packing, enum tar_kind kind, const char *name, unsigned mode, const char *target)
{
	const struct docker_user *user = &packing->shipment->user;
	struct tar_entry entry = {.kind = kind, .name = name, .mode = mode, .target = target, .uid = user->uid, .gid = user->gid,
		.modified_s = clock_date_ms() / 1000};
	tar_add(&packing->head, &entry);
}

/* All directories on the way: a program may have put links in their places, and this puts them back. */
static void add_parents(struct packing *packing, const char *path)
{
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		const char *dir = arena_strndup(&packing->arena, path, (size_t)(slash - path));
		if (map_get(&packing->dirs, dir))
			continue;
		map_put(&packing->dirs, &packing->arena, dir, packing);
		add(packing, TAR_DIR, dir, 0755, NULL);
	}
}

/* One that has gone since is not sent; the next look tells. */
static void add_file(struct packing *packing, const struct mirror_entry *file)
{
	struct stat st;
	const struct docker_user *user = &packing->shipment->user;
	AUTO_CLOSE fd = tree_file_open(packing->shipment->dir, file->path);
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	struct tar_entry entry = {.kind = TAR_FILE, .name = file->path, .mode = file->is_executable ? 0755 : 0644, .uid = user->uid,
		.gid = user->gid, .size = (uint64_t)st.st_size, .modified_s = st.st_mtim.tv_sec};
	tar_add(&packing->head, &entry);
	packing->left = entry.size;
	packing->padding = tar_padding(entry.size);
	packing->fd = STEAL_FD(&fd);
}

static void add_change(struct packing *packing, const struct mirror_entry *entry)
{
	if (entry->kind == MIRROR_GONE)
		return;
	add_parents(packing, entry->path);
	if (entry->kind == MIRROR_FILE)
		add_file(packing, entry);
	else if (entry->kind == MIRROR_LINK)
		add(packing, TAR_LINK, entry->path, 0777, entry->target);
	else if (!map_get(&packing->dirs, entry->path)) {
		map_put(&packing->dirs, &packing->arena, entry->path, packing);
		add(packing, TAR_DIR, entry->path, 0755, NULL);
	}
}

static void add_extra(struct packing *packing)
{
	const struct docker_shipment *shipment = packing->shipment;
	struct tar_entry entry = {.kind = TAR_FILE, .name = shipment->extra.name, .mode = shipment->extra.mode, .uid = shipment->user.uid,
		.gid = shipment->user.gid, .size = shipment->extra.n};
	static const char zeros[TAR_BLOCK];
	tar_add(&packing->head, &entry);
	strbuf_add(&packing->head, shipment->extra.bytes, shipment->extra.n);
	strbuf_add(&packing->head, zeros, tar_padding(entry.size));
}

static void go_on(struct packing *packing)
{
	const struct docker_shipment *shipment = packing->shipment;
	strbuf_reset(&packing->head);
	packing->sent = 0;
	if (packing->next < shipment->changes.n) {
		add_change(packing, &shipment->changes.items[packing->next++]);
	} else if (shipment->extra.name && !packing->has_extra) {
		packing->has_extra = true;
		add_extra(packing);
	} else {
		packing->is_over = true;
		tar_add_end(&packing->head);
	}
}

/* Of a file as many bytes as were announced, whatever became of it. */
static ssize_t give_file(struct packing *packing, char *bytes, size_t n)
{
	static const char zeros[TAR_BLOCK];
	n = n < packing->left ? n : (size_t)packing->left;
	ssize_t got = read(packing->fd, bytes, n);
	if (got <= 0) {
		memset(bytes, 0, n);
		got = (ssize_t)n;
	}
	packing->left -= (uint64_t)got;
	if (packing->left)
		return got;
	close(packing->fd);
	packing->fd = -1;
	strbuf_reset(&packing->head);
	packing->sent = 0;
	strbuf_add(&packing->head, zeros, packing->padding);
	return got;
}

static ssize_t give(void *owner, char *bytes, size_t n)
{
	struct packing *packing = owner;
	for (;;) {
		size_t left = packing->head.length - packing->sent;
		if (left) {
			left = left < n ? left : n;
			memcpy(bytes, packing->head.text + packing->sent, left);
			packing->sent += left;
			return (ssize_t)left;
		}
		if (packing->left)
			return give_file(packing, bytes, n);
		if (packing->fd >= 0)
			close(packing->fd); /* an empty one */
		packing->fd = -1;
		if (packing->is_over)
			return 0;
		go_on(packing);
	}
}

int docker_send_files(struct executor *executor, const char *at, const struct docker_shipment *shipment, bool *ret_gone,
	const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	AUTO_DOCKER_ANSWER answer = {0};
	struct packing packing = {.shipment = shipment, .head = STRBUF_INIT(STRBUF_RECORD), .fd = -1};
	struct docker_request request = {.method = "PUT", .content_type = "application/x-tar", .give = give, .owner = &packing,
		.path = arena_printf(&packing.arena, "/containers/%s/archive?path=%s", docker->container, docker_encode(at, &packing.arena)),
		.total_ms = SEND_MS};
	int status = docker_send(&docker->api, &request, &answer, ctx->cancel, err);
	if (ret_gone)
		*ret_gone = status == 0 && (answer.status == 404 || answer.status == 409);
	if (status < 0)
		error_prefix(err, "cannot send files into the container");
	else if (answer.status >= 400)
		status = docker_refused(&docker->api, &answer, "cannot send files into the container", err);
	if (packing.fd >= 0)
		close(packing.fd);
	strbuf_release(&packing.head);
	arena_release(&packing.arena);
	return status;
}

/* --- The tree and the cache --- */

const char *docker_cache_at(const struct executor *executor, struct arena *arena)
{
	return arena_printf(arena, "%s/.cache", executor->world->home);
}

void docker_carry_forget(struct executor *executor)
{
	struct docker *docker = executor->state;
	struct docker_carry *carry = &docker->carry;
	docker_carry_release(docker);
	mirror_init(&carry->tree, executor, executor->tree, false);
	mirror_init(&carry->cache, executor, executor->cache_dir, false);
	carry->kept = world_paths_in_tree(executor->world, &carry->arena);
}

void docker_carry_release(struct docker *docker)
{
	struct docker_carry *carry = &docker->carry;
	mirror_release(&carry->tree);
	mirror_release(&carry->cache);
	arena_release(&carry->arena);
	arena_release(&carry->sent);
	*carry = (struct docker_carry){0};
}

/* "tPATH\0cPATH\0" ..., as the helper takes it. */
static void list_gone(struct strbuf *list, char root, const struct mirror_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		if (changes->items[i].kind != MIRROR_GONE)
			continue;
		strbuf_addc(list, root);
		strbuf_add(list, changes->items[i].path, strlen(changes->items[i].path) + 1);
	}
}

static int send_changes(struct executor *executor, bool *ret_gone, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct docker_carry *carry = &docker->carry;
	AUTO_STRBUF gone = STRBUF_INIT(STRBUF_RECORD);
	struct docker_user user = docker_user_of(executor);
	list_gone(&gone, 't', &carry->tree_changes);
	list_gone(&gone, 'c', &carry->cache_changes);
	carry->has_gone = gone.length > 0;
	struct docker_shipment tree = {.dir = executor->tree, .changes = carry->tree_changes, .user = user};
	struct docker_shipment cache = {.dir = executor->cache_dir, .changes = carry->cache_changes, .user = user};
	if (carry->has_gone)
		cache.extra = (struct docker_extra){INSIDE_GONE, gone.text, gone.length, 0600};
	if (tree.changes.n > MANY)
		context_progress(ctx, "docker", "sending %zu files", tree.changes.n);
	if (tree.changes.n && docker_send_files(executor, executor->world->tree_at, &tree, ret_gone, ctx, err) < 0)
		return -1;
	if (!cache.changes.n && !carry->has_gone)
		return 0;
	return docker_send_files(executor, docker_cache_at(executor, &carry->sent), &cache, ret_gone, ctx, err);
}

int docker_carry_send(struct executor *executor, bool *ret_gone, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct docker_carry *carry = &docker->carry;
	*ret_gone = false;
	arena_release(&carry->sent);
	if (mirror_scan(&carry->tree, &carry->sent, &carry->tree_changes, err) < 0 ||
		mirror_scan(&carry->cache, &carry->sent, &carry->cache_changes, err) < 0)
		return -1;
	return send_changes(executor, ret_gone, ctx, err);
}
