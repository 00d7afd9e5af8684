/*
 * Python in a Jupyter kernel: variables last from block to block, and what a block shows is saved
 * as files. The kernel runs in another executor, as do suites and blocks in other languages. It
 * starts with the first block and lives as long as this executor; its sockets lie in the cache, so
 * that it needs no network.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "chat/edit.h"
#include "executors/block_language.h"
#include "executors/jupyter/jupyter.h"
#include "executors/jupyter/jupyter_socket.h"
#include "executors/sandbox/box.h"
#include "executors/tree_file.h"
#include "executors/world.h"

#define SAID ((size_t)4 << 10)

struct jupyter {
	const char *in, *kernel_name, *output_dir, *image, *socket;
	struct executor *inner;
	struct jupyter_launch launch; /* .kernel NULL: not found yet */
	struct jupyter_kernel *kernel;
	struct jupyter_files kept;
};

#define AT(member) offsetof(struct jupyter, member)

static const char *const places[] = {"sandbox", "docker", "local", NULL};

static const struct option options[] = {
	{.name = "in",
		.kind = OPTION_ENUM,
		.offset = AT(in),
		.values = places,
		.fallback = "sandbox",
		.help = "the executor that the kernel and all other programs run in"},
	{.name = "image",
		.kind = OPTION_STRING,
		.offset = AT(image),
		.argument = "NAME",
		.help = "in: docker: the image, which has ipykernel; else docker's own default"},
	{.name = "socket",
		.kind = OPTION_STRING,
		.offset = AT(socket),
		.argument = "PATH",
		.help = "in: docker: where the engine listens, as docker's own option says it"},
	{.name = "kernel",
		.kind = OPTION_STRING,
		.offset = AT(kernel_name),
		.fallback = "python3",
		.argument = "NAME",
		.help = "the kernel of Python's to start"},
	{.name = "output_dir",
		.kind = OPTION_STRING,
		.offset = AT(output_dir),
		.fallback = ".",
		.argument = "DIR",
		.help = "where pictures, HTML and JSON that blocks show are kept, in the tree"},
	OPTION_END,
};

static const struct executor_type *jupyter_inner_type(const void *state)
{
	const struct jupyter *jupyter = state;
	struct rondo_error ignored;
	return jupyter ? option_type_find(&executor_family, jupyter->in, &ignored).self
		: &sandbox_executor;
}

/* --- Programs --- */

static int jupyter_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	return executor_run(jupyter->inner, command, result, ctx, err);
}

static int jupyter_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	return executor_open(jupyter->inner, command, ret_coprocess, ctx, err);
}

/* --- The kernel --- */

static int jupyter_find_kernel(
	struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	if (jupyter->launch.kernel)
		return 0;
	return jupyter_launch_find(
		jupyter->inner, jupyter->kernel_name, &executor->arena, &jupyter->launch, ctx, err);
}

static void jupyter_end_kernel(struct jupyter *jupyter)
{
	jupyter_kernel_free(jupyter->kernel);
	jupyter->kernel = NULL;
}

/* Start the kernel if needed. False in *ret_ready: it did not start, and the cell says so. */
static int jupyter_need_kernel(struct executor *executor, const struct command *command,
	struct jupyter_cell *cell, bool *ret_ready, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	AUTO_STRBUF said = STRBUF_INIT(SAID);
	if (jupyter->kernel && !jupyter_kernel_is_ready(jupyter->kernel, ctx->cancel)) {
		bool ended = jupyter->kernel->ended;
		jupyter_end_kernel(jupyter);
		jupyter_cell_say(cell, "The kernel %s and was restarted: variables are lost.",
			ended ? "had ended since the last block" : "did not stop after it was cancelled");
	}
	if (!jupyter->kernel) {
		context_progress(ctx, "jupyter", "kernel %s starts", jupyter->kernel_name);
		if (jupyter_find_kernel(executor, ctx, err) < 0)
			return -1;
		jupyter->launch.block_env = command->env;
		if (jupyter_kernel_start(
				jupyter->inner, &jupyter->launch, &said, &jupyter->kernel, ctx, err) < 0)
			return -1;
		if (jupyter->kernel)
			context_progress(ctx, "jupyter", "kernel %s runs", jupyter->kernel_name);
	}
	*ret_ready = jupyter->kernel;
	if (*ret_ready)
		return 0;
	strbuf_rtrim(&said);
	jupyter_cell_say(cell, "The kernel %s did not start.%s%s", jupyter->kernel_name,
		said.length ? "\n" : "", said.text);
	cell->exit_code = 1;
	return 0;
}

/* Say how a block ended if not by itself, and set its exit code. */
static void jupyter_tell_end(
	struct jupyter *jupyter, struct jupyter_cell *cell, enum jupyter_end end)
{
	static const char *const words[] = {
		[JUPYTER_DONE] = "The block ended the kernel",
		[JUPYTER_INTERRUPTED] = "\nTimeout\nThe block was interrupted",
		[JUPYTER_FLOODED] = "The block printed more than is allowed and was interrupted",
		[JUPYTER_BROKEN] = ("The kernel's messages broke off, as they do where one is larger than "
							"32 MiB, and it was killed"),
		[JUPYTER_DIED] = "The kernel ended with exit code",
	};
	static const int codes[] = {[JUPYTER_INTERRUPTED] = 124,
		[JUPYTER_FLOODED] = 137,
		[JUPYTER_BROKEN] = 1,
		[JUPYTER_CANCELLED] = 125};
	bool was_interrupted = end == JUPYTER_INTERRUPTED || end == JUPYTER_FLOODED;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	if (end == JUPYTER_CANCELLED || was_interrupted || end == JUPYTER_BROKEN)
		cell->exit_code = codes[end];
	if (end == JUPYTER_CANCELLED || (end == JUPYTER_DONE && !jupyter->kernel->lost))
		return;
	strbuf_adds(&line, words[end]);
	if (end == JUPYTER_DIED) {
		int code = jupyter_kernel_exit_code(jupyter->kernel);
		strbuf_addf(&line, " %d", code);
		cell->exit_code = code ? code : 1;
	}
	if (was_interrupted)
		strbuf_adds(&line,
			jupyter->kernel->lost ? " without effect: the kernel was killed"
								  : "; the kernel has kept its variables.");
	if (jupyter->kernel->lost)
		strbuf_adds(&line, ". The next block has a new one: variables are lost.");
	jupyter_cell_say(cell, "%s", line.text);
}

/* --- Blocks --- */

static int jupyter_run_cell(struct executor *executor, const char *code,
	const struct command *command, struct jupyter_cell *cell, const struct context *ctx,
	struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	bool ready;
	if (jupyter_need_kernel(executor, command, cell, &ready, ctx, err) < 0)
		return -1;
	if (!ready)
		return 0;
	jupyter_tell_end(jupyter, cell,
		jupyter_kernel_run(
			jupyter->kernel, code, command->timeout_ms, command->output_limit, cell, ctx->cancel));
	if (jupyter->kernel->lost)
		jupyter_end_kernel(jupyter);
	return 0;
}

/* Shown items have no newline at the end; the output of the next block begins a new line. */
static void jupyter_end_line(struct strbuf *output)
{
	if (output->length && output->text[output->length - 1] != '\n')
		strbuf_addc(output, '\n');
}

static int jupyter_execute(struct executor *executor, const struct code_block *block,
	const struct command *command, struct arena *arena, struct code_result *result, bool *ret_taken,
	const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	struct jupyter_cell cell = {.output = command->output,
		.listener = command->listener,
		.kept = &jupyter->kept,
		.arena = arena,
		.result = result};
	*ret_taken = language_is_python(executor, block, arena);
	if (!*ret_taken) {
		jupyter_end_line(command->output);
		return 0;
	}
	int status = jupyter_run_cell(executor, block->code, command, &cell, ctx, err);
	result->exit_code = cell.exit_code;
	jupyter_cell_release(&cell);
	return status;
}

/* --- Beginning and end --- */

static int jupyter_make_output_dir(
	const struct executor *executor, const char *dir, struct rondo_error *err)
{
	if (strcmp(dir, ".") == 0 || tree_file_is_dir(executor->tree, dir))
		return 0;
	return tree_file_make_dir(executor, executor->tree, dir, err);
}

static int jupyter_check(
	const struct executor_plan *plan, const char **ret_option, struct rondo_error *err)
{
	const struct jupyter *jupyter = plan->options;
	const char *const of_docker[][2] = {{"image", jupyter->image}, {"socket", jupyter->socket}};
	for (size_t i = 0; i < ARRAY_SIZE(of_docker) && strcmp(jupyter->in, "docker") != 0; i++) {
		*ret_option = of_docker[i][0];
		if (of_docker[i][1])
			return error_set(err, RONDO_ERROR_USAGE,
				"%s '%s' means nothing in: %s, only in: docker", of_docker[i][0], of_docker[i][1],
				jupyter->in);
	}
	*ret_option = "output_dir";
	return strcmp(jupyter->output_dir, ".") == 0 ? 0 : edit_check_path(jupyter->output_dir, err);
}

static int jupyter_set_inner(
	const char *name, const char *value, void *state, struct arena *arena, struct rondo_error *err)
{
	const struct option *option =
		value ? option_find(docker_executor.options, name, "option", err) : NULL;
	if (!value)
		return 0;
	return option ? option_set(option, state, arena, value, err) : -1;
}

/* The options of the inner executor. A kernel's sockets lie in the cache, so the tree must be
 * mounted. */
static int jupyter_inner_options(struct executor *executor, const struct executor_type *type,
	const void **ret_options, struct rondo_error *err)
{
	const struct jupyter *jupyter = executor->state;
	struct arena *arena = &executor->arena;
	*ret_options = NULL;
	if (type != &docker_executor)
		return 0;
	void *state = arena_alloc(arena, type->state_size);
	option_defaults(type->options, state, arena);
	if (jupyter_set_inner("image", jupyter->image, state, arena, err) < 0 ||
		jupyter_set_inner("socket", jupyter->socket, state, arena, err) < 0 ||
		jupyter_set_inner("tree", "mount", state, arena, err) < 0)
		return -1;
	*ret_options = state;
	return 0;
}

static int jupyter_start_inner(struct executor *executor, const struct executor_plan *plan,
	const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	if (executor_new(plan, executor->world, executor->tree, executor->cache_dir, ctx,
			&jupyter->inner, err) == 0)
		return 0;
	if (plan->type == &docker_executor && strstr(err->help, "executor.tree"))
		error_help(err,
			"a kernel in docker needs an engine that sees the files of this machine; "
			"choose in: sandbox");
	return -1;
}

static int jupyter_start(
	struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	const struct executor_type *type = option_type_find(&executor_family, jupyter->in, err).self;
	if (!type || jupyter_make_output_dir(executor, jupyter->output_dir, err) < 0)
		return -1;
	jupyter->kept = (struct jupyter_files){.executor = executor, .dir = jupyter->output_dir};
	struct executor_plan plan = {
		.type = type, .settings = executor->settings, .secrets = executor->secrets};
	if (jupyter_inner_options(executor, type, &plan.options, err) < 0)
		return -1;
	return jupyter_start_inner(executor, &plan, ctx, err);
}

static int jupyter_attempt(
	struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct jupyter *jupyter = executor->state;
	AUTO_STRBUF found = STRBUF_INIT(100);
	if (jupyter_sockets_probe(&found, err) < 0 || executor_try(jupyter->inner, ctx, err) < 0)
		return -1;
	return jupyter_find_kernel(executor, ctx, err);
}

static void jupyter_stop(struct executor *executor)
{
	struct jupyter *jupyter = executor->state;
	jupyter_end_kernel(jupyter);
	executor_free(jupyter->inner);
}

/* --- Whether it works here --- */

static int jupyter_no_sandbox(struct rondo_error *err)
{
	error_set(
		err, RONDO_ERROR_CANNOT_JUDGE, "kernels run in the sandbox, which does not work here");
	return error_help(
		err, "mend the sandbox, or let them run elsewhere: executor: {type: jupyter, in: docker}");
}

/* Look for everything that a kernel needs. None is started, because that takes most of a second. */
static int jupyter_look(struct executor *executor, struct strbuf *found, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct jupyter_launch launch;
	if (executor_try(executor, ctx, err) < 0)
		return jupyter_no_sandbox(err);
	if (jupyter_launch_find(executor, "python3", &arena, &launch, ctx, err) < 0)
		return err->code == RONDO_ERROR_CANCELLED
			? error_set(err, RONDO_ERROR_TRANSIENT, "python3 does not say whether it has ipykernel")
			: -1;
	if (launch.python)
		strbuf_addf(found, "ipykernel %s of %s in the sandbox", launch.version, launch.python);
	else
		strbuf_adds(found, "a kernel.json for python3 in the sandbox");
	return 0;
}

static int jupyter_probe(struct strbuf *found, struct rondo_error *err)
{
	AUTO_STRBUF library = STRBUF_INIT(STRBUF_LINE);
	bool is_started;
	if (sandbox_probe_box(jupyter_look, found, &is_started, err) < 0)
		return is_started ? -1 : jupyter_no_sandbox(err);
	if (jupyter_sockets_probe(&library, err) < 0)
		return -1;
	strbuf_addf(found, ", %s", library.text);
	return 0;
}

const struct executor_type jupyter_executor = {
	.name = "jupyter",
	.summary = "Python in a Jupyter kernel that keeps its variables; pictures become files",
	.state_size = sizeof(struct jupyter),
	.options = options,
	.keeps_variables = true,
	.inner = jupyter_inner_type,
	.check = jupyter_check,
	.probe = jupyter_probe,
	.start = jupyter_start,
	.attempt = jupyter_attempt,
	.run = jupyter_run,
	.open = jupyter_open,
	.execute = jupyter_execute,
	.stop = jupyter_stop,
};
