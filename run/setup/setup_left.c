#include "run/setup/setup_left.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/file.h"
#include "base/memory.h"

static void left_add(struct setup_left *left, const char *source, const char *target)
{
	struct world_piece piece = {arena_strdup(left->arena, source), target};
	ARENA_PUSH(left->arena, left->pieces, left->n, piece);
}

static bool left_is_mounted(const struct setup_left *left, const char *target)
{
	for (size_t i = 0; i < left->world->n; i++)
		if (strcmp(left->world->mounts[i].target, target) == 0)
			return true;
	return false;
}

static bool left_is_empty(const char *dir)
{
	AUTO_DIR *open = opendir(dir);
	return !open || !file_next_name(open);
}

/* Directories into which package managers install. */
static bool left_is_packages(const char *source, struct arena *arena)
{
	static const char *const names[] = {"node_modules", "vendor", ".yarn", ".pnp.cjs",
		".pnp.loader.mjs", ".bundle", "__pypackages__", ".venv", "venv", ".tox", ".nox"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(file_name(source), names[i]) == 0)
			return true;
	return text_ends_with(source, ".egg-info") ||
		file_exists(arena_printf(arena, "%s/pyvenv.cfg", source));
}

/* A path that the overlay of the tree has: new, changed or removed. */
static void left_take_tree(struct setup_left *left, const char *upper, const char *path);

static void left_take_path(struct setup_left *left, const char *upper, const char *path)
{
	struct arena *arena = left->arena;
	struct stat st;
	const char *source = arena_printf(arena, "%s/%s", upper, path);
	const char *target = arena_printf(arena, "%s/%s", left->world->tree_at, path);
	const char *base = arena_printf(arena, "%s/%s", left->base, path);
	if (lstat(source, &st) < 0 || left_is_mounted(left, target))
		return;
	if (S_ISDIR(st.st_mode) && file_is_dir(base)) {
		left_take_tree(left, upper, path);
		return;
	}
	if (file_exists(base) || S_ISCHR(st.st_mode)) {
		left->changed = left->n_changed++ ? left->changed : path;
		return;
	}
	left->is_of_tree = left->is_of_tree || !left_is_packages(source, arena);
	left_add(left, source, target);
}

static void left_take_tree(struct setup_left *left, const char *upper, const char *path)
{
	const char *dir = *path ? arena_printf(left->arena, "%s/%s", upper, path) : upper;
	AUTO_DIR *open = opendir(dir);
	for (const char *name; open && (name = file_next_name(open));)
		left_take_path(left, upper,
			*path ? arena_printf(left->arena, "%s/%s", path, name)
				  : arena_strdup(left->arena, name));
}

/* What package managers keep for themselves. */
static void left_drop(const char *dir, const char *const *names, size_t n, struct arena *arena)
{
	struct rondo_error ignored;
	for (size_t i = 0; i < n; i++)
		file_remove_tree(arena_printf(arena, "%s/%s", dir, names[i]), &ignored);
}

static void left_take_cache(struct setup_left *left, const char *upper)
{
	static const char *const dropped[] = {SETUP_STEP, "tmp", "pip", "uv", "npm", "yarn", "pnpm",
		"node", "composer", "pypoetry/cache"};
	left_drop(upper, dropped, ARRAY_SIZE(dropped), left->arena);
	AUTO_DIR *open = opendir(upper);
	for (const char *name; open && (name = file_next_name(open));)
		left_add(left, arena_printf(left->arena, "%s/%s", upper, name),
			arena_printf(left->arena, "%s/.cache/%s", left->world->home, name));
}

static void left_take_mount(struct setup_left *left, size_t i)
{
	static const char *const dropped[] = {".npm", ".cache", ".yarn/berry/cache", ".config"};
	const struct mount *mount = &left->world->mounts[i];
	const char *dir = arena_printf(left->arena, "%s/%zu", left->written, i);
	const char *upper = arena_printf(left->arena, "%s/upper", dir);
	struct rondo_error ignored;
	if (strcmp(mount->target, left->world->home) == 0)
		left_drop(upper, dropped, ARRAY_SIZE(dropped), left->arena);
	if (!text_ends_with(mount->target, "/.git") && !left_is_empty(upper))
		left_add(left, upper, mount->target);
	else
		file_remove_tree(dir, &ignored);
}

void setup_left_take(struct setup_left *left)
{
	struct arena *arena = left->arena;
	struct rondo_error ignored;
	for (size_t i = 0; i < left->world->n; i++)
		left_take_mount(left, i);
	left_take_cache(left, arena_printf(arena, "%s/cache/upper", left->written));
	left_take_tree(left, arena_printf(arena, "%s/tree/upper", left->written), "");
	AUTO_DIR *open = opendir(left->written);
	for (const char *name; open && (name = file_next_name(open));)
		file_remove_tree(arena_printf(arena, "%s/%s/work", left->written, name), &ignored);
}
