#include "run/setup/setup_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json/json.h"
#include "base/memory.h"

#define MANIFEST "setup.json" /* its time is when the layer was used last, its lock the layer's */
#define LARGEST ((size_t)1 << 20)

const char *setup_store(const char *cache, struct arena *arena)
{
	return arena_printf(arena, "%s/setup", cache);
}

/* --- One that is there --- */

static int store_open(const char *dir, int lock, struct arena *arena)
{
	const char *path = arena_printf(arena, "%s/" MANIFEST, dir);
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && flock(fd, lock | LOCK_NB) == 0 && file_is_at(fd, path) ? STEAL_FD(&fd) : -1;
}

static bool store_read(const char *dir, struct arena *arena, struct setup_layer *layer)
{
	AUTO_JSON *json = json_read(arena_printf(arena, "%s/" MANIFEST, dir), LARGEST);
	struct world_piece *pieces = NULL;
	const struct json *item = json ? json_first(json_get(json, "pieces")) : NULL;
	for (; item; item = json_next(item)) {
		struct world_piece piece = {
			arena_printf(arena, "%s/%s", dir, json_string(item, "source", "")),
			arena_strdup(arena, json_string(item, "target", ""))};
		if (!file_exists(piece.source) || *piece.target != '/')
			return false;
		ARENA_PUSH(arena, pieces, layer->n, piece);
	}
	layer->pieces = pieces;
	layer->bytes = (uint64_t)json_int(json, "bytes", 0);
	layer->made_ms = json_int(json, "made", 0);
	return json;
}

bool setup_store_find(
	const char *store, const char *name, struct arena *arena, struct setup_layer *ret_layer)
{
	struct setup_layer layer = {.dir = arena_printf(arena, "%s/%s", store, name)};
	layer.lock = store_open(layer.dir, LOCK_SH, arena);
	if (layer.lock < 0)
		return false;
	if (!store_read(layer.dir, arena, &layer)) {
		close(layer.lock);
		return false;
	}
	futimens(layer.lock, NULL);
	*ret_layer = layer;
	return true;
}

void setup_layer_release(struct setup_layer *layer)
{
	if (layer->dir)
		close(layer->lock);
	*layer = (struct setup_layer){0};
}

/* --- Another one --- */

static int store_write(
	const char *dir, const struct world_piece *pieces, size_t n, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *json = json_object();
	json_add_int(json, "bytes", (int64_t)file_tree_size(dir));
	json_add_int(json, "made", clock_date_ms());
	struct json *list = json_add_array(json, "pieces");
	for (size_t i = 0; i < n; i++) {
		struct json *item = json_add_object(list, NULL);
		json_add_string(item, "source", pieces[i].source + strlen(dir) + 1);
		json_add_string(item, "target", pieces[i].target);
	}
	AUTO_FREE char *text = json_print(json);
	return file_write(arena_printf(&arena, "%s/" MANIFEST, dir), text, strlen(text), 0600, err);
}

/* All of it is on disk before it has its name: a power failure leaves no half layer. */
static int store_sync(const char *dir, struct rondo_error *err)
{
	AUTO_CLOSE fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && syncfs(fd) == 0)
		return 0;
	return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s' to disk", dir);
}

int setup_store_keep(const char *store, const char *name, const char *dir,
	const struct world_piece *pieces, size_t n, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *to = arena_printf(&arena, "%s/%s", store, name);
	if (file_make_dir(store, 0700, err) < 0 || store_write(dir, pieces, n, err) < 0 ||
		store_sync(dir, err) < 0)
		return -1;
	if (rename(dir, to) == 0)
		return 0;
	struct setup_layer other;
	if ((errno == EEXIST || errno == ENOTEMPTY) && setup_store_find(store, name, &arena, &other)) {
		setup_layer_release(&other);
		return 0;
	}
	/* somebody has changed it: it is of no use */
	if (file_remove_tree(to, err) == 0 && rename(dir, to) == 0)
		return 0;
	return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep a setup in '%s'", to);
}

/* --- Those that go --- */

struct stored {
	const char *dir;
	int64_t used_ns;
	uint64_t bytes;
};

static int store_list(const char *store, struct arena *arena, struct stored **ret_items)
{
	struct rondo_error ignored;
	size_t n = 0;
	AUTO_DIR *open = opendir(store);
	for (const char *name; open && (name = file_next_name(open));) {
		struct stored item = {.dir = arena_printf(arena, "%s/%s", store, name)};
		struct setup_layer layer = {0};
		struct stat st;
		if (*name == '.') { /* it was being removed */
			file_remove_tree(item.dir, &ignored);
			continue;
		}
		if (stat(arena_printf(arena, "%s/" MANIFEST, item.dir), &st) < 0)
			continue;
		item.used_ns = clock_in_ns(&st.st_mtim);
		item.bytes = store_read(item.dir, arena, &layer) ? layer.bytes : file_tree_size(item.dir);
		ARENA_PUSH(arena, *ret_items, n, item);
	}
	return (int)n;
}

/* Under a name that nobody looks for first: a kill may come at any time. */
static bool store_remove(const struct stored *item, struct arena *arena)
{
	char random[9];
	struct rondo_error ignored;
	AUTO_CLOSE lock = store_open(item->dir, LOCK_EX, arena);
	int store = (int)(file_name(item->dir) - item->dir);
	hash_random(random, sizeof random - 1);
	const char *aside = arena_printf(arena, "%.*s.%s", store, item->dir, random);
	if (lock < 0 || rename(item->dir, aside) < 0)
		return false;
	file_remove_tree(aside, &ignored);
	return true;
}

static int stored_compare(const void *a, const void *b)
{
	int64_t first = ((const struct stored *)a)->used_ns,
			second = ((const struct stored *)b)->used_ns;
	return first < second ? -1 : first > second;
}

void setup_store_trim(const char *store, int64_t most, const char *but)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct stored *items = NULL;
	size_t n = (size_t)store_list(store, &arena, &items);
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += items[i].bytes;
	if (n)
		qsort(items, n, sizeof *items, stored_compare);
	for (size_t i = 0; i < n && bytes > (uint64_t)most; i++)
		if (strcmp(file_name(items[i].dir), but) != 0 && store_remove(&items[i], &arena))
			bytes -= items[i].bytes;
}

void setup_store_collect(const char *cache, int64_t age_ms, size_t *n, uint64_t *bytes)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct stored *items = NULL;
	size_t n_items = (size_t)store_list(setup_store(cache, &arena), &arena, &items);
	int64_t now = clock_date_ms();
	for (size_t i = 0; i < n_items; i++)
		if (now - items[i].used_ns / 1000000 >= age_ms && store_remove(&items[i], &arena)) {
			*n += 1;
			*bytes += items[i].bytes;
		}
}
