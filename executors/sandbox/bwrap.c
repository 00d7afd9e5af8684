#include "executors/sandbox/box.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/layer.h"

#define TMP_SIZE "1073741824"
#define SMALL_SIZE "67108864"

void bwrap_add(struct strbuf *args, const char *a, const char *b, const char *c)
{
	const char *words[] = {a, b, c};
	for (size_t i = 0; i < 3 && words[i]; i++)
		strbuf_add(args, words[i], strlen(words[i]) + 1);
}

static void bwrap_add_system(struct strbuf *args)
{
	static const char *const dirs[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char target[64];
		ssize_t n = readlink(dirs[i], target, sizeof target - 1);
		if (n > 0) {
			target[n] = '\0';
			bwrap_add(args, "--symlink", target, dirs[i]);
		} else if (file_is_dir(dirs[i])) {
			bwrap_add(args, "--ro-bind", dirs[i], dirs[i]);
		}
	}
}

static void bwrap_add_isolation(struct strbuf *args, const struct executor *executor,
	struct arena *arena)
{
	const struct world *world = executor->world;
	const char *user = arena_printf(arena, "%u", world->user);
	static const char *const flags[] = {"--unshare-all", "--unshare-user", "--disable-userns",
		"--die-with-parent", "--new-session"};
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		bwrap_add(args, flags[i], NULL, NULL);
	if (strcmp(executor->settings->network, "host") == 0)
		bwrap_add(args, "--share-net", NULL, NULL);
	bwrap_add(args, "--cap-drop", "ALL", NULL);
	bwrap_add(args, "--uid", user, NULL);
	bwrap_add(args, "--gid", user, NULL);
	if (world->host_name)
		bwrap_add(args, "--hostname", world->host_name, NULL);
}

static void bwrap_add_scratch(
	struct strbuf *args, const char *mode, const char *size, const char *target)
{
	bwrap_add(args, "--perms", mode, NULL);
	bwrap_add(args, "--size", size, NULL);
	bwrap_add(args, "--tmpfs", target, NULL);
}

/* The same as box_root_make, where there is no stage. */
static void bwrap_add_root(struct strbuf *args, const struct world *world)
{
	bwrap_add(args, "--tmpfs", "/", NULL);
	bwrap_add(args, "--dev", "/dev", NULL);
	bwrap_add_scratch(args, "1777", SMALL_SIZE, "/dev/shm");
	bwrap_add(args, "--remount-ro", "/dev", NULL);
	bwrap_add_scratch(args, "1777", TMP_SIZE, "/tmp");
	bwrap_add_scratch(args, "755", TMP_SIZE, world->home);
	bwrap_add_scratch(args, "755", SMALL_SIZE, "/run");
}

static void bwrap_add_directories(struct strbuf *args, const struct world *world,
	const struct box *box)
{
	if (box->stage)
		bwrap_add(args, "--dev-bind", BOX_ROOT, "/");
	else
		bwrap_add_root(args, world);
	bwrap_add_system(args);
	bwrap_add(args, "--proc", "/proc", NULL);
	bwrap_add(args, "--ro-bind", "/proc/sys", "/proc/sys");
	/* It lists keys of others; system calls that read them are refused. */
	if (file_exists("/proc/keys"))
		bwrap_add(args, "--ro-bind", "/dev/null", "/proc/keys");
	/* Of bwrap, the first process: its memory could be written. */
	bwrap_add(args, "--tmpfs", "/proc/1", NULL);
	bwrap_add(args, "--remount-ro", "/proc/1", NULL);
}

static void bwrap_add_environment(struct strbuf *args, const char *const *env, struct arena *arena)
{
	for (; env && *env; env++) {
		const char *equals = strchr(*env, '=');
		bwrap_add(args, "--setenv", arena_strndup(arena, *env, (size_t)(equals - *env)),
			equals + 1);
	}
}

/* What lies in another mount comes after it. */
enum bwrap_part {
	BWRAP_HOME,
	BWRAP_MACHINE,
	BWRAP_TREE,
};

static enum bwrap_part bwrap_part_of(const struct world *world, size_t i)
{
	const char *target = world->mounts[i].target;
	if (strcmp(target, world->home) == 0)
		return BWRAP_HOME;
	return file_is_below(target, world->tree_at) ? BWRAP_TREE : BWRAP_MACHINE;
}

static void bwrap_add_part(const struct executor *executor, enum bwrap_part part, bool is_coprocess,
	struct arena *arena, struct mount *mounts, size_t *n)
{
	const struct world *world = executor->world;
	for (size_t i = 0; i < world->n; i++)
		if (bwrap_part_of(world, i) == part &&
			(part != BWRAP_TREE || world->mounts[i].kind != MOUNT_COPIED))
			mounts[(*n)++] = layer_mount(executor, i, is_coprocess, arena);
}

struct mount *bwrap_mounts(
	const struct executor *executor, bool is_coprocess, struct arena *arena, size_t *ret_n)
{
	const struct world *world = executor->world;
	size_t n = 0;
	struct mount *mounts = arena_alloc(arena, (world->n + 3) * sizeof *mounts);
	bwrap_add_part(executor, BWRAP_HOME, is_coprocess, arena, mounts, &n);
	mounts[n++] = layer_own(executor, "cache", executor->cache_dir,
		arena_printf(arena, "%s/.cache", world->home), is_coprocess, arena);
	bwrap_add_part(executor, BWRAP_MACHINE, is_coprocess, arena, mounts, &n);
	mounts[n++] = layer_own(executor, "tree", executor->tree, world->tree_at, is_coprocess, arena);
	bwrap_add_part(executor, BWRAP_TREE, is_coprocess, arena, mounts, &n);
	if (is_coprocess && executor->written)
		mounts[n++] = (struct mount){.source = executor->cache_dir,
			.target = executor_shared_at(executor, ".", arena),
			.kind = MOUNT_WRITABLE};
	*ret_n = n;
	return mounts;
}

void bwrap_describe(struct strbuf *args, const struct executor *executor,
	const struct command *command, const struct mount *mounts, size_t n, const struct box *box,
	struct arena *arena)
{
	bwrap_add_isolation(args, executor, arena);
	bwrap_add_directories(args, executor->world, box);
	for (size_t i = 0; i < n; i++)
		bwrap_add(args, mounts[i].kind == MOUNT_READ_ONLY ? "--ro-bind" : "--bind",
			box_source(box, i), mounts[i].target);
	bwrap_add(args, "--remount-ro", "/", NULL);
	bwrap_add_environment(args, executor->world->env, arena);
	bwrap_add_environment(args, command->env, arena);
	bwrap_add(args, "--chdir", executor->world->tree_at, NULL);
}
