/* Getting the helper into a container, and what it prepares in a new container. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker.h"
#include "executors/tree_file.h"

#define WAIT_MS 20000
#define BLOCK ((size_t)512)

/* An unreadable file, so that no process can trace whoever executes it, in a directory that
 * programs cannot write to. */
int docker_helper_write(struct docker *docker, const struct executor *executor,
	struct rondo_error *err)
{
	struct arena *arena = docker->api.arena;
	const struct inside_program *program = &inside_programs[0];
	docker->inside = arena_printf(arena, "%s.inside", executor->cache_dir);
	const char *path = arena_printf(arena, "%s/inside", docker->inside);
	if (file_remove_tree(docker->inside, err) < 0 ||
		file_make_dir(arena_printf(arena, "%s/" DOCKER_OPEN, docker->inside), 0755, err) < 0 ||
		file_create(path, program->bytes, program->n, 0700, err) < 0)
		return -1;
	return chmod(path, 0111) < 0 ? error_errno(err, RONDO_ERROR_TRANSIENT, "'%s'", path) : 0;
}

/* A tar archive of that one file: the engine takes nothing else before a container has started. */
static void helper_add_archive(struct strbuf *archive, const struct inside_program *program,
	struct docker_user user)
{
	struct {
		char name[100], mode[8], uid[8], gid[8], size[12], modified[12], sum[8], type, target[100],
			magic[6], version[2], rest[247];
	} header = {.name = "inside", .mode = "0000111", .modified = "00000000000", .type = '0',
		.magic = "ustar", .version = "00"};
	_Static_assert(sizeof header == BLOCK, "a header is a block");
	static const char zeros[3 * BLOCK];
	unsigned sum = 0;
	snprintf(header.uid, sizeof header.uid, "%07o", user.uid);
	snprintf(header.gid, sizeof header.gid, "%07o", user.gid);
	snprintf(header.size, sizeof header.size, "%011zo", program->n);
	memset(header.sum, ' ', sizeof header.sum);
	for (size_t i = 0; i < sizeof header; i++)
		sum += ((const unsigned char *)&header)[i];
	snprintf(header.sum, sizeof header.sum - 1, "%06o", sum);
	strbuf_add(archive, &header, sizeof header);
	strbuf_add(archive, program->bytes, program->n);
	strbuf_add(archive, zeros, BLOCK - program->n % BLOCK + 2 * BLOCK);
}

int docker_helper_put(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	struct docker *docker = executor->state;
	struct docker_request request = {.method = "PUT", .archive = &archive,
		.path = arena_printf(&arena, "/containers/%s/archive?path=" DOCKER_INSIDE_DIR,
		docker->container)};
	helper_add_archive(&archive, &inside_programs[0], docker_other_user(executor));
	return docker_do(&docker->api, &request, &answer, "cannot put the helper into the container",
		ctx->cancel, err);
}

/* --- What it is asked --- */

static void helper_pass_over(void *owner, const char *bytes, size_t n)
{
	(void)owner, (void)bytes, (void)n;
}

/* Wait until the report has arrived or cannot arrive any more. */
static void helper_await_report(struct docker_exec *exec, const struct cancel *cancel)
{
	int64_t deadline_ms = clock_now_ms() + WAIT_MS;
	while (exec->fd >= 0 && !exec->report.end &&
		docker_await(exec->fd, POLLIN, cancel, deadline_ms))
		docker_exec_read(exec);
}

/* Run the helper with these words. *ret_good: it succeeded. */
static int helper_ask(struct executor *executor, const struct docker_words *words,
	struct remote_stream *stream, bool *ret_good, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct docker_exec exec = DOCKER_EXEC_INIT;
	bool gone;
	exec.take = helper_pass_over;
	memcpy(exec.container, docker->container, sizeof exec.container);
	int status = docker_exec_begin(&exec, executor, words, &gone, ctx, err);
	if (status == 0 && stream)
		status = docker_exec_send(&exec, stream, ctx->cancel, err);
	if (status == 0)
		helper_await_report(&exec, ctx->cancel);
	/* That there is no shell is said later. */
	*ret_good = exec.report.end == INSIDE_REFUSED ||
		(exec.report.end == INSIDE_ENDED && exec.report.value == 0);
	docker_exec_release(&exec);
	return status == 0 && cancel_reason(ctx->cancel) ? cancel_error(ctx->cancel, err) : status;
}

/* The engine creates volumes as root: open them to other users. */
static int helper_open_dirs(struct executor *executor, const char **dirs, size_t n,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker_words words = {.user = "0:0"};
	bool is_good;
	ARENA_PUSH(&arena, words.items, words.n, DOCKER_INSIDE);
	ARENA_PUSH(&arena, words.items, words.n, INSIDE_OPEN);
	for (size_t i = 0; i < n; i++)
		ARENA_PUSH(&arena, words.items, words.n, dirs[i]);
	if (helper_ask(executor, &words, NULL, &is_good, ctx, err) < 0)
		return -1;
	return is_good ? 0 : error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"the container's tree cannot be opened to who runs in it");
}

/* Copy a local directory into its volume. */
static int helper_fill_dir(struct executor *executor, const struct mount *mount,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct remote_stream stream;
	struct docker_user user = docker_other_user(executor);
	const char *items[] = {DOCKER_INSIDE, INSIDE_FILL, mount->target};
	struct docker_words words = {.items = items, .n = ARRAY_SIZE(items),
		.user = arena_printf(&arena, "%u:%u", user.uid, user.gid)};
	bool is_good = false;
	if (!file_is_dir(mount->source)) {
		error_set(err, RONDO_ERROR_USAGE,
			"'%s' is no directory, and only such can be sent to the container", mount->source);
		return error_help(err,
			"name its directory by executor.read_only, or choose executor.tree: mount");
	}
	int status = remote_stream_of(&stream, mount->source, &arena, err);
	if (status == 0 && user.uid)
		status = helper_open_dirs(executor, &items[2], 1, ctx, err);
	if (status == 0)
		status = helper_ask(executor, &words, &stream, &is_good, ctx, err);
	remote_stream_rewind(&stream);
	return status == 0 && !is_good ? error_set(err, RONDO_ERROR_TRANSIENT,
		"cannot send '%s' to the container", mount->source) : status;
}

int docker_helper_fill(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct world *world = executor->world;
	const char *dirs[] = {world->tree_at, docker_cache_at(executor, &arena)};
	if (docker_user_of(executor).uid && helper_open_dirs(executor, dirs, ARRAY_SIZE(dirs), ctx,
		err) < 0)
		return -1;
	for (size_t i = 0; i < world->n; i++)
		if (docker_mounts_has(world, &world->mounts[i]) &&
			helper_fill_dir(executor, &world->mounts[i], ctx, err) < 0)
			return -1;
	return 0;
}

int docker_helper_see(struct executor *executor, bool *ret_sees, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error ignored;
	const char *name = executor_cache_name(".rondo-see", &arena);
	const char *const dirs[] = {executor->tree, executor->cache_dir},
		*const at[] = {executor->world->tree_at, docker_cache_at(executor, &arena)};
	int status = 0;
	for (size_t i = 0; status == 0 && i < ARRAY_SIZE(dirs); i++) {
		status = tree_file_put(executor, dirs[i], name, "", 0, 0600, err);
		strbuf_adds(&line, i ? " && test -w " : "test -w ");
		strbuf_add_word(&line, arena_printf(&arena, "%s/%s", at[i], name));
	}
	const char *items[] = {DOCKER_INSIDE, INSIDE_RUN, "0", line.text};
	struct docker_words words = {.items = items, .n = ARRAY_SIZE(items)};
	if (status == 0)
		status = helper_ask(executor, &words, NULL, ret_sees, ctx, err);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		tree_file_remove(dirs[i], name, &ignored);
	return status;
}
