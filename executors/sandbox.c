/*
 * Programs in bubblewrap: a root of their own with the system read-only, a private home and /tmp,
 * no network but loopback, no other processes to see, no rights to gain, gone with rondo.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/box.h"
#include "executors/executor.h"
#include "executors/world.h"

/* Programs are counted by namespace, so this holds for the box and not for the user's others. */
#define MOST_PROCESSES "1024"
#define TMP_SIZE "1073741824"

struct sandbox {
	const char *bwrap;
};

static const char *find_bwrap(struct arena *arena, struct rondo_error *err)
{
	const char *bwrap = file_search(arena, "/usr/bin:/bin:/usr/local/bin", "bwrap");
	if (!bwrap) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no sandbox: bubblewrap (bwrap) is not installed");
		error_help(err, "apt install bubblewrap, or rondo fix --executor local (no isolation)");
	}
	return bwrap;
}

/* bwrap's arguments, each with its NUL. */
static void add(struct strbuf *args, const char *a, const char *b, const char *c)
{
	const char *words[] = {a, b, c};
	for (size_t i = 0; i < 3 && words[i]; i++)
		strbuf_add(args, words[i], strlen(words[i]) + 1);
}

static void add_system(struct strbuf *args)
{
	static const char *const dirs[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char target[64];
		ssize_t n = readlink(dirs[i], target, sizeof target - 1);
		if (n > 0) {
			target[n] = '\0';
			add(args, "--symlink", target, dirs[i]);
		} else if (file_is_dir(dirs[i])) {
			add(args, "--ro-bind", dirs[i], dirs[i]);
		}
	}
}

static void add_isolation(struct strbuf *args, const struct executor_settings *settings)
{
	static const char *const flags[] = {"--unshare-all", "--unshare-user", "--disable-userns",
		"--die-with-parent", "--new-session"};
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		add(args, flags[i], NULL, NULL);
	if (strcmp(settings->network, "host") == 0)
		add(args, "--share-net", NULL, NULL);
	add(args, "--cap-drop", "ALL", NULL);
	add(args, "--uid", "1000", NULL);
	add(args, "--gid", "1000", NULL);
}

static void add_directories(struct strbuf *args)
{
	add(args, "--tmpfs", "/", NULL);
	add_system(args);
	add(args, "--proc", "/proc", NULL);
	add(args, "--ro-bind", "/proc/sys", "/proc/sys");
	add(args, "--dev", "/dev", NULL);
	add(args, "--perms", "1777", NULL);
	add(args, "--size", TMP_SIZE, NULL);
	add(args, "--tmpfs", "/tmp", NULL);
	add(args, "--size", TMP_SIZE, NULL);
	add(args, "--tmpfs", WORLD_HOME, NULL);
	add(args, "--tmpfs", "/run", NULL);
}

static void add_environment(struct strbuf *args, const char *const *env, struct arena *arena)
{
	for (; env && *env; env++) {
		const char *equals = strchr(*env, '=');
		add(args, "--setenv", arena_strndup(arena, *env, (size_t)(equals - *env)), equals + 1);
	}
}

static bool is_in_tree(const struct world *world, size_t i)
{
	return file_is_below(world->mounts[i].target, world->tree_at);
}

/* The world's mounts, then the tree, so that what lies within the tree comes on top of it. */
static struct mount *all_mounts(const struct executor *executor, struct arena *arena, size_t *ret_n)
{
	const struct world *world = executor->world;
	size_t n = 0;
	struct mount *mounts = arena_alloc(arena, (world->n + 2) * sizeof *mounts);
	for (size_t i = 0; i < world->n; i++)
		if (!is_in_tree(world, i))
			mounts[n++] = world->mounts[i];
	mounts[n++] = (struct mount){executor->tree, world->tree_at, MOUNT_WRITABLE, "tree"};
	for (size_t i = 0; i < world->n; i++)
		if (is_in_tree(world, i) && world->mounts[i].kind != MOUNT_COPIED)
			mounts[n++] = world->mounts[i];
	mounts[n++] =
		(struct mount){executor->cache_dir, WORLD_HOME "/.cache", MOUNT_WRITABLE, "cache"};
	*ret_n = n;
	return mounts;
}

static int args_to_fd(const struct strbuf *args, struct rondo_error *err)
{
	int fd = memfd_create("bwrap-args", MFD_CLOEXEC);
	if (fd < 0 || file_write_all(fd, args->text, args->length) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot pass arguments to bwrap");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

static int run_in_box(struct executor *executor, const struct command *command,
	struct process_result *result, const struct cancel *cancel, struct rondo_error *err)
{
	const struct sandbox *sandbox = executor->state;
	AUTO_ARENA arena = ARENA_INIT;
	size_t n;
	struct mount *mounts = all_mounts(executor, &arena, &n);
	struct box box;
	box_plan(&box, mounts, n, executor->world, &arena);
	AUTO_STRBUF args = STRBUF_INIT(STRBUF_TEXT);
	add_isolation(&args, executor->settings);
	add_directories(&args);
	for (size_t i = 0; i < n; i++)
		add(&args, mounts[i].kind == MOUNT_READ_ONLY ? "--ro-bind" : "--bind",
			box_source(&box, i), mounts[i].target);
	add(&args, "--remount-ro", "/", NULL);
	add_environment(&args, executor->world->env, &arena);
	add_environment(&args, command->env, &arena);
	add(&args, "--chdir", executor->world->tree_at, NULL);
	AUTO_CLOSE fd = args_to_fd(&args, err);
	if (fd < 0)
		return -1;
	const char *const argv[] = {sandbox->bwrap, "--args", arena_printf(&arena, "%d", fd), "--",
		"/bin/sh", "-c",
		"ulimit -p " MOST_PROCESSES " 2>/dev/null || ulimit -u " MOST_PROCESSES "; exec /bin/sh -c \"$0\"",
		command->line, NULL};
	struct process_options options = {.argv = argv, .cwd = "/", .timeout_ms = command->timeout_ms,
		.output_limit = command->output_limit, .output = command->output, .log_fd = command->log_fd,
		.log_limit = command->log_limit, .keep_fds = &fd, .n_keep_fds = 1, .prepare = box_enter,
		.payload = &box, .cancel = cancel};
	return process_run(&options, result, err);
}

static int read_number(const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(64);
	struct rondo_error err;
	return file_read(path, 64, &text, &err) < 0 ? -1 : atoi(text.text);
}

/* What is missing here, exactly, and how to get it. */
static int explain(const char *said, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no sandbox: %s", said);
	if (read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
		return error_help(err, "sudo sysctl -w kernel.unprivileged_userns_clone=1");
	if (read_number("/proc/sys/user/max_user_namespaces") == 0)
		return error_help(err, "sudo sysctl -w user.max_user_namespaces=15000");
	if (read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
		return error_help(err, "sudo apt install bubblewrap apparmor-profiles, or sudo sysctl -w "
				       "kernel.apparmor_restrict_unprivileged_userns=0");
	return error_help(err, "in a container: start it with --security-opt seccomp=unconfined "
			       "--security-opt systempaths=unconfined; or: rondo fix --executor local (no isolation)");
}

/* Try it, so that what fails later is the program and not the box. */
static int sandbox_start(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct sandbox *sandbox = executor->state;
	sandbox->bwrap = find_bwrap(&executor->arena, err);
	if (!sandbox->bwrap)
		return -1;
	AUTO_STRBUF output = STRBUF_INIT(1024);
	struct process_result result;
	struct command command = {.line = "true", .timeout_ms = 10000, .output = &output};
	struct rondo_error refusal;
	if (run_in_box(executor, &command, &result, ctx->cancel, &refusal) < 0)
		return explain(refusal.message, err);
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (result.exit_code == 0)
		return 0;
	strbuf_rtrim(&output);
	return explain(output.length ? output.text : "bwrap failed without a word", err);
}

static int sandbox_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	return run_in_box(executor, command, result, ctx->cancel, err);
}

static int bwrap_version(const char *bwrap, struct strbuf *found, struct rondo_error *err)
{
	struct process_result result;
	const char *const argv[] = {bwrap, "--version", NULL};
	struct process_options options = {.argv = argv, .output = found, .timeout_ms = 5000};
	if (process_run(&options, &result, err) < 0)
		return -1;
	strbuf_rtrim(found);
	return 0;
}

static int sandbox_probe(struct strbuf *found, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	char tree[] = "/tmp/rondo-probe-XXXXXX";
	const char *bwrap = find_bwrap(&arena, err);
	if (!bwrap || bwrap_version(bwrap, found, err) < 0)
		return -1;
	if (!mkdtemp(tree))
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a directory in /tmp");
	struct world world;
	struct context ctx = {0};
	struct executor *executor = NULL;
	struct process_result result;
	world_bare(&world, tree, &arena);
	int status = world.drop ? file_own_tree(tree, world.uid, world.gid, err) : 0;
	if (status == 0)
		status = executor_new(
			&sandbox_executor, &executor_defaults, &world, tree, tree, &ctx, &executor, err);
	if (status == 0)
		status = executor_run(executor, &(struct command){.line = "true"}, &result, &ctx, err);
	if (status == 0)
		strbuf_addf(found, ", user namespaces, no network inside (tried: a block ran in %d ms)",
			(int)result.duration_ms);
	executor_free(executor);
	struct rondo_error ignored;
	file_remove_tree(tree, &ignored);
	return status;
}

const struct executor_type sandbox_executor = {
	.name = "sandbox",
	.summary = "bubblewrap: no network, read-only system, private home and /tmp (default)",
	.state_size = sizeof(struct sandbox),
	.probe = sandbox_probe,
	.start = sandbox_start,
	.run = sandbox_run,
};
