#include "executors/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/host.h"
#include "executors/sandbox/box.h"

static const char *const fixed_env[] = {"HOME=" WORLD_HOME, "XDG_CACHE_HOME=" WORLD_HOME "/.cache",
	"TMPDIR=/tmp", "LANG=C.UTF-8", "TERM=dumb", "CI=1", "PAGER=cat", "MANPAGER=cat", "LESS=-R",
	"PIP_PROGRESS_BAR=off", "TQDM_DISABLE=1", "GIT_TERMINAL_PROMPT=0", "PYTHONDONTWRITEBYTECODE=1",
	"npm_config_update_notifier=false"};

/* Without a network, tools shall not wait for it. */
static const char *const offline_env[] = {
	"GOPROXY=off", "CARGO_NET_OFFLINE=true", "npm_config_offline=true", "MAVEN_ARGS=-o"};

static void world_add_system(struct host *host)
{
	static const char *const dirs[] = {"/usr", "/nix/store", "/gnu/store"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (file_is_dir(dirs[i]))
			host_mount(host, dirs[i], dirs[i], MOUNT_READ_ONLY, "system");
}

/* The programs of an environment that is linked into the checkout know its real path. */
static void world_add_linked(struct host *host, const char *source, const char *root)
{
	struct rondo_error err;
	struct stat st;
	const char *real = lstat(source, &st) == 0 && S_ISLNK(st.st_mode)
		? file_real_path(host->arena, source, &err)
		: NULL;
	if (real && !file_is_below(real, root))
		host_mount(host, real, real, MOUNT_READ_ONLY, WORLD_DEPENDENCIES);
}

static void world_add_checkout(
	struct host *host, const struct world_options *options, enum mount_kind kind)
{
	const char *at = host->world->tree_at;
	for (size_t i = 0; i < options->n_dependencies; i++) {
		const char *path = options->dependencies[i];
		const char *source = arena_printf(host->arena, "%s/%s", options->root, path);
		/* only a directory can be an overlay */
		bool is_bound = kind == MOUNT_PRIVATE && !file_is_dir(source);
		host_mount(host, source, arena_printf(host->arena, "%s/%s", at, path),
			is_bound ? MOUNT_READ_ONLY : kind, WORLD_DEPENDENCIES);
		world_add_linked(host, source, options->root);
	}
	for (size_t i = 0; i < options->n_borrowed; i++) {
		const char *path = options->borrowed[i];
		host_mount(host, arena_printf(host->arena, "%s/%s", options->root, path),
			arena_printf(host->arena, "%s/%s", at, path),
			kind == MOUNT_COPIED ? MOUNT_COPIED : MOUNT_READ_ONLY, "submodules and large files");
	}
	if (options->git_dir)
		host_mount(host, options->git_dir, arena_printf(host->arena, "%s/.git", at), kind,
			"throw-away git repository");
}

/* The checkout's own programs come first, as in an activated shell. */
static void world_add_checkout_programs(struct host *host, const struct world_options *options)
{
	for (size_t i = 0; i < options->n_dependencies; i++) {
		const char *path = options->dependencies[i];
		bool node = strcmp(file_name(path), "node_modules") == 0;
		const char *bin =
			arena_printf(host->arena, "%s/%s/%s", options->root, path, node ? ".bin" : "bin");
		if (!file_is_dir(bin))
			continue;
		host_path(host,
			arena_printf(
				host->arena, "%s/%s/%s", host->world->tree_at, path, node ? ".bin" : "bin"));
		host_venv(host, arena_printf(host->arena, "%s/%s", options->root, path));
	}
}

/* An environment beside the checkout lies at its own path, as its programs expect. */
static void world_add_prefix(struct host *host, const struct world_options *options)
{
	const char *prefix = options->prefix, *at = host->world->tree_at;
	if (!prefix)
		return;
	bool in_tree = file_is_below(prefix, options->root);
	struct rondo_error ignored;
	const char *real = file_real_path(host->arena, prefix, &ignored);
	if (!real || host_is_shared_prefix(host, real) || host_is_shared_prefix(host, prefix))
		return;
	host_venv(host, prefix);
	if (!in_tree)
		host_mount(host, prefix, prefix, MOUNT_READ_ONLY, "environment");
	host_path(host,
		in_tree ? arena_printf(host->arena, "%s%s/bin", at, prefix + strlen(options->root))
				: arena_printf(host->arena, "%s/bin", prefix));
}

static void world_add_python_path(struct host *host, const struct world_options *options)
{
	const char *path = options->python_path, *at = host->world->tree_at;
	if (path)
		host_env(host,
			arena_printf(host->arena, "PYTHONPATH=%s%s%s", at, strcmp(path, ".") == 0 ? "" : "/",
				strcmp(path, ".") == 0 ? "" : path));
}

static const char *world_tree_at(const struct world_options *options, bool local)
{
	static const char *const taken[] = {
		"/", "/usr", "/etc", "/bin", "/lib", "/proc", "/dev", "/tmp", "/run", "/home"};
	if (local)
		return options->root;
	if (options->at)
		return options->at;
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (strcmp(options->root, taken[i]) == 0)
			return "/workspace";
	return file_is_below(WORLD_HOME, options->root) ? "/workspace" : options->root;
}

/* Whether the kernel allows overlays: try a box with one. */
static bool world_overlay_works(
	const struct world *world, const char *dir, const struct cancel *cancel)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct mount mount = {.source = dir, .target = dir, .kind = MOUNT_PRIVATE};
	struct box box;
	struct process_result result;
	struct rondo_error err;
	static const char *const argv[] = {"/bin/true", NULL};
	box_plan(&box, &mount, 1, world, &arena);
	struct process_options options = {
		.argv = argv, .prepare = box_enter, .payload = &box, .timeout_ms = 5000, .cancel = cancel};
	return process_run(&options, &result, &err) == 0 && result.exit_code == 0;
}

/* The id in the parent user namespace; -1: it is not mapped. */
static long long world_outside_id(uid_t id)
{
	AUTO_STRBUF map = STRBUF_INIT(4096);
	struct rondo_error err;
	unsigned long inside, outside, count;
	int n;
	if (file_read("/proc/self/uid_map", 4096, &map, &err) < 0)
		return id;
	for (const char *at = map.text; sscanf(at, "%lu %lu %lu%n", &inside, &outside, &count, &n) == 3;
		 at += n)
		if (id >= inside && id - inside < count)
			return (long long)outside + (long long)(id - inside);
	return -1;
}

/* Root of the host owns files such as /proc/sys; root of a user namespace may be anybody. */
static bool world_is_host_root(void)
{
	return getuid() == 0 && world_outside_id(0) == 0;
}

/* Root never runs a suite: the checkout's owner does, or the configured uid. */
static int world_choose_user(
	const struct world_options *options, struct world *world, struct rondo_error *err)
{
	struct stat st;
	if (!world_is_host_root() || options->sight == EXECUTOR_SEES_HOST)
		return 0;
	if (stat(options->root, &st) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "'%s'", options->root);
	world->drop = true;
	world->uid = st.st_uid ? st.st_uid : options->uid;
	world->gid = st.st_uid ? st.st_gid : (gid_t)options->uid;
	if (world_outside_id(world->uid) >= 0)
		return 0;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"no sandbox: root would run programs as uid %d, which this user namespace does not map",
		(int)world->uid);
	return error_help(
		err, "run rondo as an ordinary user; or --executor local, which isolates nothing");
}

static enum mount_kind world_private_kind(
	const struct world_options *options, const struct world *world)
{
	if (options->sight != EXECUTOR_SEES_WORLD ||
		!world_overlay_works(world, options->etc_dir, options->cancel))
		return MOUNT_COPIED;
	return MOUNT_PRIVATE;
}

/* What a suite's programs need of this machine. */
static void world_add_machine(
	struct host *host, const struct world_options *options, enum mount_kind kind)
{
	world_add_system(host);
	world_add_prefix(host, options);
	world_add_checkout_programs(host, options);
	for (const char *const *tool = options->tools; tool && *tool; tool++)
		host_tool(host, *tool);
	host_stores(host, options->tools, kind == MOUNT_COPIED ? MOUNT_READ_ONLY : kind);
}

const char *environment_value(const char *const *env, const char *name)
{
	size_t n = strlen(name);
	for (; env && *env; env++)
		if (text_starts_with(*env, name) && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

void environment_put(const char ***env, size_t *n, const char *assignment, struct arena *arena)
{
	size_t name = strcspn(assignment, "=") + 1;
	for (size_t i = 0; i < *n; i++)
		if (strncmp((*env)[i], assignment, name) == 0) {
			(*env)[i] = assignment;
			return;
		}
	ARENA_PUSH(arena, *env, *n, assignment);
}

void world_assign(struct world *world, const char *assignment, struct arena *arena)
{
	const char **env = NULL;
	size_t n = 0;
	for (const char *const *e = world->env; e && *e; e++)
		ARENA_PUSH(arena, env, n, *e);
	environment_put(&env, &n, assignment, arena);
	ARENA_PUSH(arena, env, n, NULL);
	world->env = env;
	if (text_starts_with(assignment, "PATH="))
		world->path = assignment + strlen("PATH=");
}

int world_build(const struct world_options *options, struct arena *arena, struct world *ret_world,
	struct rondo_error *err)
{
	bool local = options->sight == EXECUTOR_SEES_HOST, own = options->sight == EXECUTOR_SEES_ITSELF;
	struct world world = {
		.tree_at = world_tree_at(options, local), .home = WORLD_HOME, .user = WORLD_USER};
	struct host host = {.arena = arena,
		.world = &world,
		.home = getenv("HOME"),
		.cancel = options->cancel,
		.root = options->root};
	if (world_choose_user(options, &world, err) < 0)
		return -1;
	enum mount_kind kind = world_private_kind(options, &world);
	world.has_overlays = kind == MOUNT_PRIVATE;
	if (options->sight == EXECUTOR_SEES_WORLD &&
		etc_show(&host, options->etc_dir, options->network, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(fixed_env); i++)
		host_env(&host, fixed_env[i]);
	for (size_t i = 0; !options->network && i < ARRAY_SIZE(offline_env); i++)
		host_env(&host, offline_env[i]);
	world_add_python_path(&host, options);
	if (!own)
		world_add_machine(&host, options, kind);
	for (size_t i = 0; options->read_only && i < options->read_only->n; i++)
		host_mount(&host, options->read_only->items[i], options->read_only->items[i],
			MOUNT_READ_ONLY, "read_only");
	world_add_checkout(&host, options, kind);
	host_finish(&host, own);
	for (size_t i = 0; options->env && i < options->env->n; i++)
		world_assign(&world,
			arena_printf(arena, "%s=%s", options->env->names[i], options->env->items[i]), arena);
	*ret_world = world;
	return 0;
}

bool world_can_write(const struct world *world, const char *path)
{
	struct stat st;
	if (!world->drop)
		return true;
	if (stat(path, &st) < 0)
		return false;
	return st.st_uid == world->uid || (st.st_uid == 0 && idmap_works(path, world->uid, world->gid));
}

void world_add_mount(struct world *world, const struct mount *mount, struct arena *arena)
{
	struct mount *mounts = arena_alloc(arena, (world->n + 1) * sizeof *mounts);
	for (size_t i = 0; i < world->n; i++)
		mounts[i] = world->mounts[i];
	mounts[world->n++] = *mount;
	world->mounts = mounts;
}

void world_add_builds(const struct world *world, const char *root, const char *const *paths,
	size_t n, struct arena *arena, struct world *ret_world)
{
	*ret_world = *world;
	for (size_t i = 0; i < n && world->has_overlays; i++) {
		struct mount built = {.source = arena_printf(arena, "%s/%s", root, paths[i]),
			.target = arena_printf(arena, "%s/%s", world->tree_at, paths[i]),
			.kind = MOUNT_PRIVATE,
			.why = WORLD_BUILT};
		if (world_can_write(world, built.source))
			world_add_mount(ret_world, &built, arena);
	}
}

static bool world_is_build(const struct mount *mount)
{
	return strcmp(mount->why, WORLD_BUILT) == 0 || strcmp(mount->why, WORLD_GO_CACHE) == 0;
}

/* Their tools are not told of them, either. */
void world_leave_builds_out(struct world *world, struct arena *arena)
{
	struct mount *mounts = arena_alloc(arena, (world->n + 1) * sizeof *mounts);
	const char **env = NULL;
	size_t n = 0, n_env = 0;
	for (size_t i = 0; i < world->n; i++)
		if (!world_is_build(&world->mounts[i]))
			mounts[n++] = world->mounts[i];
	for (const char *const *e = world->env; e && *e; e++) {
		const char *value = strchr(*e, '=');
		bool is_named = false;
		for (size_t i = 0; i < world->n && value; i++)
			is_named = is_named ||
				(world_is_build(&world->mounts[i]) &&
					strcmp(world->mounts[i].target, value + 1) == 0);
		if (!is_named)
			ARENA_PUSH(arena, env, n_env, *e);
	}
	ARENA_PUSH(arena, env, n_env, NULL);
	world->mounts = mounts;
	world->n = n;
	world->env = env;
}

/* The text with each path at or below `from` moved to `to`. */
static const char *world_moved(
	const char *text, const char *from, const char *to, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	size_t n = strlen(from);
	for (const char *found; (found = strstr(text, from)); text = found + n) {
		bool whole = !found[n] || strchr("/:\"' ", found[n]);
		strbuf_add(&sb, text, (size_t)(found - text));
		strbuf_adds(&sb, whole ? to : from);
	}
	strbuf_adds(&sb, text);
	return arena_strdup(arena, sb.text);
}

/* A path, moved if it is at or below the tree or the home. */
static const char *world_moved_place(
	const char *place, const struct world *from, const struct world *to, struct arena *arena)
{
	if (file_is_below(place, from->tree_at))
		return arena_printf(arena, "%s%s", to->tree_at, place + strlen(from->tree_at));
	if (file_is_below(place, from->home))
		return arena_printf(arena, "%s%s", to->home, place + strlen(from->home));
	return place;
}

/* The same world with tree and home elsewhere. `dropped`: a variable to leave out, or NULL. */
static void world_relocate(const struct world *world, const char *at, const char *home,
	const char *dropped, struct arena *arena, struct world *ret_world)
{
	struct world to = *world;
	const char **env = NULL;
	size_t n = 0;
	to.tree_at = at;
	to.home = home;
	struct mount *mounts = arena_alloc(arena, world->n * sizeof *mounts);
	for (size_t i = 0; i < world->n; i++) {
		mounts[i] = world->mounts[i];
		mounts[i].target = world_moved_place(mounts[i].target, world, &to, arena);
	}
	for (const char *const *e = world->env; e && *e; e++)
		if (!dropped || !text_starts_with(*e, dropped))
			ARENA_PUSH(arena, env, n,
				world_moved(
					world_moved(*e, world->tree_at, at, arena), world->home, to.home, arena));
	ARENA_PUSH(arena, env, n, NULL);
	to.mounts = mounts;
	to.env = env;
	to.path = world_moved(
		world_moved(world->path, world->tree_at, at, arena), world->home, to.home, arena);
	*ret_world = to;
}

void world_move(
	const struct world *world, const char *at, struct arena *arena, struct world *ret_world)
{
	world_relocate(world, at, WORLD_OTHER_HOME, "CI=", arena, ret_world);
	ret_world->user = WORLD_OTHER_USER;
	ret_world->host_name = file_name(at);
}

void world_settle(const struct world *world, const char *at, const char *home, struct arena *arena,
	struct world *ret_world)
{
	world_relocate(world, at, home, NULL, arena, ret_world);
}

const char *const *world_paths_in_tree(const struct world *world, struct arena *arena)
{
	const char **paths = NULL;
	size_t n = 0, root = strlen(world->tree_at);
	for (size_t i = 0; i < world->n; i++) {
		const char *target = world->mounts[i].target;
		if (file_is_below(target, world->tree_at) && target[root])
			ARENA_PUSH(arena, paths, n, arena_strdup(arena, target + root + 1));
	}
	ARENA_PUSH(arena, paths, n, NULL);
	return paths;
}

void world_bare(struct world *ret_world, const char *tree, struct arena *arena)
{
	struct world world = {.tree_at = tree, .home = WORLD_HOME, .user = WORLD_USER};
	struct host host = {.arena = arena, .world = &world, .root = tree};
	if (world_is_host_root()) {
		world.drop = true;
		world.uid = world.gid = 65534;
	}
	world_add_system(&host);
	for (size_t i = 0; i < ARRAY_SIZE(fixed_env); i++)
		host_env(&host, fixed_env[i]);
	host_finish(&host, false);
	*ret_world = world;
}
