/* What the helper does for rondo alone, when a container is new: open its volumes to the user, and look whether what is mounted is there. */
#include <string.h>

#include "base/clock.h"
#include "base/process_output.h"
#include "executors/docker/docker.h"
#include "executors/tree_file.h"

#define WAIT_MS 20000

static void pass_over(void *owner, const char *bytes, size_t n)
{
	(void)owner, (void)bytes, (void)n;
}

/* Until its report is there, or will not come. */
static bool await_report(struct docker_exec *exec, const struct cancel *cancel)
{
	int64_t deadline_ms = clock_now_ms() + WAIT_MS;
	while (exec->fd >= 0 && !docker_exec_has_report(exec)) {
		struct pollfd fds[1 + CANCEL_FDS] = {{.fd = exec->fd, .events = POLLIN}};
		size_t n = 1 + cancel_poll(cancel, fds + 1);
		int64_t left_ms = deadline_ms - clock_now_ms();
		if (left_ms <= 0 || cancel_reason(cancel))
			return false;
		if (poll(fds, n, (int)left_ms) > 0 && fds[0].revents)
			docker_exec_read(exec);
	}
	return docker_exec_has_report(exec);
}

/* In *ret_good whether it came to a good end. */
static int do_inside(struct executor *executor, const char *word, const char *name, bool *ret_good, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct docker_exec exec = {.fd = -1, .take = pass_over};
	struct command command = {.line = name};
	bool gone;
	memcpy(exec.container, docker->container, sizeof exec.container);
	if (docker_exec_begin(&exec, executor, word, &command, &gone, ctx, err) < 0)
		return -1;
	*ret_good = await_report(&exec, ctx->cancel) && exec.report.value == 0;
	docker_exec_release(&exec);
	return cancel_reason(ctx->cancel) ? cancel_error(ctx->cancel, err) : 0;
}

int docker_open_tree(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	bool is_good;
	if (!docker->by_archive || !docker_user_of(executor).uid)
		return 0;
	if (do_inside(executor, INSIDE_OPEN, "", &is_good, ctx, err) < 0)
		return -1;
	return is_good ? 0 : error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the container's tree cannot be opened to who runs in it");
}

int docker_see(struct executor *executor, bool *ret_sees, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	const char *name = executor_cache_name(".rondo-see", &arena);
	int status = tree_file_put(executor, executor->tree, name, "", 0, 0600, err);
	if (status == 0)
		status = tree_file_put(executor, executor->cache_dir, name, "", 0, 0600, err);
	if (status == 0)
		status = do_inside(executor, INSIDE_SEE, name, ret_sees, ctx, err);
	tree_file_remove(executor->tree, name, &ignored);
	tree_file_remove(executor->cache_dir, name, &ignored);
	return status;
}
