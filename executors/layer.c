/*
 * A layer is a directory with an entry for each place where a command writes: "tree", "cache", and
 * the number of each private mount of the world. Each has "upper", which is what the command wrote,
 * and "work", which the kernel needs beside it. When a layer becomes what later commands find, it
 * lies beneath the tree and the cache, so that files of the tree hide those that the command wrote
 * in their place, and on top of the mounts.
 */
#include "executors/layer.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "executors/world.h"

static const char *layer_upper(const char *dir, const char *name, struct arena *arena)
{
	const char *path = arena_printf(arena, "%s/%s/upper", dir, name);
	return file_is_dir(path) ? path : NULL;
}

static bool layer_is_private(const struct mount *mount)
{
	return mount->kind == MOUNT_PRIVATE && file_is_dir(mount->source);
}

/* A command may be run while there is a coprocess. */
const char *layer_written(const struct executor *executor, bool is_coprocess, struct arena *arena)
{
	return executor->written
		? arena_printf(arena, "%s%s", executor->written, is_coprocess ? ".coprocess" : "")
		: NULL;
}

static const char *layer_name(size_t i, struct arena *arena)
{
	return arena_printf(arena, "%zu", i);
}

struct mount layer_mount(
	const struct executor *executor, size_t i, bool is_coprocess, struct arena *arena)
{
	struct mount mount = executor->world->mounts[i];
	const char *name = layer_name(i, arena);
	const char *layer = executor->layer && layer_is_private(&mount)
		? layer_upper(executor->layer, name, arena)
		: NULL;
	if (layer) {
		mount.lowest = mount.beneath;
		mount.beneath = mount.source;
		mount.source = layer;
	}
	if (executor->written && layer_is_private(&executor->world->mounts[i]))
		mount.written =
			arena_printf(arena, "%s/%s", layer_written(executor, is_coprocess, arena), name);
	return mount;
}

struct mount layer_own(const struct executor *executor, const char *name, const char *source,
	const char *target, bool is_coprocess, struct arena *arena)
{
	struct mount mount = {.source = source, .target = target, .kind = MOUNT_WRITABLE, .why = name};
	if (!executor->written)
		return mount;
	mount.kind = MOUNT_PRIVATE;
	mount.beneath = executor->layer ? layer_upper(executor->layer, name, arena) : NULL;
	mount.written =
		arena_printf(arena, "%s/%s", layer_written(executor, is_coprocess, arena), name);
	return mount;
}

/* Make the two directories of a place, with the mode of what lies beneath. */
static int layer_make_place(const struct executor *executor, const char *written, const char *name,
	const char *source, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct world *world = executor->world;
	const char *upper = arena_printf(&arena, "%s/%s/upper", written, name);
	struct stat st;
	if (stat(source, &st) < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "'%s'", source);
	if (file_make_dir(upper, 0755, err) < 0 ||
		file_make_dir(arena_printf(&arena, "%s/%s/work", written, name), 0755, err) < 0)
		return -1;
	if (chmod(upper, st.st_mode & 0777) < 0 ||
		(world->drop && chown(upper, world->uid, world->gid) < 0))
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "'%s'", upper);
	return 0;
}

/* Where one cannot be copied, the command makes its own. */
static int layer_begin(
	const struct executor *executor, const char *written, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct world *world = executor->world;
	const char *upper = arena_printf(&arena, "%s/tree/upper", written);
	struct rondo_error ignored;
	for (size_t i = 0; i < executor->n_begin_with; i++) {
		const char *path = executor->begin_with[i];
		const char *to = arena_printf(&arena, "%s/%s", upper, path);
		size_t n = (size_t)(file_name(path) - path);
		if (file_make_dir(arena_printf(&arena, "%s/%.*s", upper, (int)n, path), 0755, err) < 0)
			return -1;
		if (file_copy_tree(
				arena_printf(&arena, "%s/%s", executor->begin_root, path), to, &ignored) < 0 &&
			file_remove_tree(to, err) < 0)
			return -1;
	}
	bool has_some = executor->n_begin_with;
	return has_some && world->drop ? file_own_tree(upper, world->uid, world->gid, err) : 0;
}

void executor_begin_with(
	struct executor *executor, const char *root, const char *const *paths, size_t n)
{
	executor->begin_root = root;
	executor->begin_with = paths;
	executor->n_begin_with = n;
}

int layer_empty(const struct executor *executor, bool is_coprocess, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct world *world = executor->world;
	if (!executor->written)
		return 0;
	const char *written = layer_written(executor, is_coprocess, &arena);
	if (file_remove_tree(written, err) < 0 ||
		layer_make_place(executor, written, "tree", executor->tree, err) < 0 ||
		layer_make_place(executor, written, "cache", executor->cache_dir, err) < 0)
		return -1;
	for (size_t i = 0; i < world->n; i++)
		if (layer_is_private(&world->mounts[i]) &&
			layer_make_place(
				executor, written, layer_name(i, &arena), world->mounts[i].source, err) < 0)
			return -1;
	return is_coprocess ? 0 : layer_begin(executor, written, err);
}

int executor_layer(struct executor *executor, const char *layer, const char *written,
	const struct context *ctx, bool *ret_is_layered, struct rondo_error *err)
{
	const char *old_layer = executor->layer, *old_written = executor->written;
	struct rondo_error refusal;
	bool is_known = !ret_is_layered, ignored;
	ret_is_layered = is_known ? &ignored : ret_is_layered;
	*ret_is_layered = false;
	if (!executor->type->has_layers)
		return 0;
	executor_begin_with(executor, NULL, NULL, 0);
	executor->layer = arena_strdup(&executor->arena, layer);
	executor->written = arena_strdup(&executor->arena, written);
	if (is_known || executor_run_nothing(executor, ctx, &refusal) == 0) {
		*ret_is_layered = true;
		return 0;
	}
	executor->layer = old_layer;
	executor->written = old_written;
	if (refusal.code == RONDO_ERROR_CANCELLED) {
		*err = refusal;
		return -1;
	}
	log_line(LOG_INFO, "layers", "none here: %s", refusal.message);
	return 0;
}

const char *executor_shared_at(
	const struct executor *executor, const char *name, struct arena *arena)
{
	return executor->written ? arena_printf(arena, "%s/.shared/%s", executor->world->home, name)
							 : executor_cache_at(executor, name, arena);
}

/* --- A layer for others --- */

/* Directories in which programs keep what they can make again. */
static bool layer_is_cache(const char *name)
{
	return strcmp(name, "__pycache__") == 0 || strcmp(name, ".cache") == 0 ||
		strcmp(name, ".vite") == 0;
}

/* Whether a directory takes the place of the one below it, instead of adding to it. */
static bool layer_replaces(const char *dir)
{
	char value;
	return lgetxattr(dir, "trusted.overlay.opaque", &value, 1) > 0 ||
		lgetxattr(dir, "user.overlay.opaque", &value, 1) > 0;
}

/* Remove what a command wrote over `below` (or `lower` beneath that), but for caches. A directory
 * has its old mode again. */
static void layer_prune_dir(const char *dir, const char *below, const char *lower)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	struct stat st, was;
	if (stat(below, &was) < 0 && (!lower || stat(lower, &was) < 0))
		was.st_mode = 0;
	if (!S_ISDIR(was.st_mode) || layer_replaces(dir)) {
		file_remove_tree(dir, &ignored);
		return;
	}
	chmod(dir, was.st_mode & 07777);
	AUTO_DIR *open = opendir(dir);
	for (const char *name; open && (name = file_next_name(open));) {
		const char *path = arena_printf(&arena, "%s/%s", dir, name);
		bool is_dir = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
		if (!is_dir)
			unlink(path);
		else if (!layer_is_cache(name) || layer_replaces(path))
			layer_prune_dir(path, arena_printf(&arena, "%s/%s", below, name),
				lower ? arena_printf(&arena, "%s/%s", lower, name) : NULL);
		if (is_dir)
			rmdir(path);
	}
}

void executor_prune_layer(const struct executor *executor, const char *layer)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < executor->world->n; i++) {
		const struct mount *mount = &executor->world->mounts[i];
		const char *upper = layer_upper(layer, layer_name(i, &arena), &arena);
		bool is_package =
			strcmp(mount->why, WORLD_SETUP) == 0 || strcmp(mount->why, WORLD_DEPENDENCIES) == 0;
		if (upper && is_package && layer_is_private(mount))
			layer_prune_dir(upper, mount->source, mount->beneath);
	}
}

struct executor_place layer_place(
	const struct executor *executor, bool is_coprocess, struct arena *arena)
{
	if (!executor->written)
		return (struct executor_place){executor->tree, executor->cache_dir};
	const char *written = layer_written(executor, is_coprocess, arena);
	return (struct executor_place){arena_printf(arena, "%s/tree/upper", written),
		arena_printf(arena, "%s/cache/upper", written)};
}

struct executor_place executor_wrote(const struct executor *executor, struct arena *arena)
{
	return layer_place(executor, false, arena);
}

void layer_remove(const struct executor *executor)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	for (int is_coprocess = 0; executor->written && is_coprocess < 2; is_coprocess++)
		file_remove_tree(layer_written(executor, is_coprocess, &arena), &ignored);
}
