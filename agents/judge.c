/* The only place that runs a suite. Tester, baseline and gate come here. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "agents/agent.h"
#include "base/memory.h"

#define LARGEST_LOG ((uint64_t)256 << 20)

/* Raw output goes to a file and is read from there as a stream, however large it is. */
static int open_log(const char *path, struct rondo_error *err)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
		      : memfd_create("suite-output", MFD_CLOEXEC);
	if (fd < 0)
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep the suite's output in '%s'",
			path ? path : "memory");
	return fd;
}

/* The command for the wanted tests alone, or NULL. */
static const char *targeted_line(
	const struct suite *suite, const struct judge_options *options, struct arena *arena)
{
	if (!options->ids || !suite->type->targeted)
		return NULL;
	return suite->type->targeted(suite, options->ids, options->n_ids, arena);
}

bool judge_can_target(
	const struct suite *suite, const struct judge_options *options, struct arena *arena)
{
	return targeted_line(suite, options, arena) != NULL;
}

static const char *command_line(
	const struct suite *suite, const struct judge_options *options, struct arena *arena)
{
	const char *targeted = targeted_line(suite, options, arena);
	if (targeted)
		return targeted;
	return suite->type->structured ? suite->type->structured(suite, arena) : suite->command;
}

int judge(const struct workplace *workplace, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_CLOSE log = open_log(options->log, err);
	if (log < 0)
		return -1;
	struct process_result result;
	struct command command = {.line = command_line(suite, options, arena), .env = suite->type->env,
		.timeout_ms = options->timeout_ms, .output_limit = LARGEST_LOG, .log_fd = log,
		.log_limit = LARGEST_LOG};
	if (executor_run(workplace->executor, &command, &result, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	const char *dir = workplace->executor->world->tree_at;
	if (workplace->executor->type == &local_executor)
		dir = workplace->executor->tree;
	if (suite_read(suite, log, dir, &result, arena, report, err) < 0)
		return -1;
	report->log = arena_strdup(arena, options->log);
	return 0;
}

struct keeping {
	const struct protection *protection;
	struct arena *arena;
	const char **paths;
	size_t n;
};

static bool keep_protected(void *owner, const char *path)
{
	struct keeping *keeping = owner;
	if (!keeping->protection || !protection_rule(keeping->protection, path))
		return false;
	ARENA_PUSH(keeping->arena, keeping->paths, keeping->n, arena_strdup(keeping->arena, path));
	return true;
}

int judge_prepare(const struct agent_kit *kit, struct workplace *workplace, struct arena *arena,
	struct object *ret_tree, const char ***ret_left_out, size_t *ret_n, struct rondo_error *err)
{
	struct object tree, judged;
	const char **refused;
	size_t n_refused;
	struct keeping keeping = {.protection = kit->protection, .arena = arena};
	if (worktree_tree(kit->desk->worktree, kit->leave_out, kit->n_leave_out, arena, &tree, &refused,
		    &n_refused, err) < 0)
		return -1;
	if (repository_merge_tree(
		    kit->repository, &kit->base->tree, &tree, keep_protected, &keeping, &judged, err) < 0)
		return -1;
	if (worktree_checkout(workplace->worktree, &judged, err) < 0 ||
		executor_restore(workplace->executor, err) < 0)
		return -1;
	*ret_tree = judged;
	*ret_left_out = keeping.paths;
	*ret_n = keeping.n;
	return 0;
}
