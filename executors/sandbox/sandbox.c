/*
 * Programs in bubblewrap: their own root with a read-only system, a private home and /tmp, no
 * network but loopback, no view of other processes, no rights to gain. They end with rondo.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/layer.h"
#include "executors/sandbox/box.h"
#include "executors/world.h"

struct sandbox {
	struct watch_limits limits;
	const char *bwrap;
	const void *filter; /* of system calls */
	size_t filter_size;
};

static const char *sandbox_find_bwrap(struct arena *arena, struct rondo_error *err)
{
	const char *bwrap = file_search(arena, "/usr/bin:/bin:/usr/local/bin", "bwrap");
	if (!bwrap) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "bubblewrap (bwrap) is not installed");
		error_help(err, "apt-get install bubblewrap; or --executor local, which isolates nothing");
	}
	return bwrap;
}

static int sandbox_file_in_memory(const char *name, const void *bytes, size_t n,
	struct rondo_error *err)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0 && file_write_all(fd, bytes, n) == 0 && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in memory for bwrap");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* bwrap reports the exit code of what it ran, and none if it did not get that far. */
static bool sandbox_box_failed(int status_fd, const struct process_result *result)
{
	char status[1024];
	if (result->end != PROCESS_EXITED || result->exit_code == 0)
		return false;
	ssize_t n = pread(status_fd, status, sizeof status, 0);
	return n >= 0 && !memmem(status, (size_t)n, "\"exit-code\"", strlen("\"exit-code\""));
}

/* A command as it is started: bwrap and its arguments. It must not be moved: the options point into
 * it. */
struct boxed {
	struct arena arena;
	struct box box;
	int fds[3]; /* bwrap's arguments, its status, and the seccomp filter */
	const char **argv;
	struct process_options options;
};

static void sandbox_boxed_release(struct boxed *boxed)
{
	for (size_t i = 0; i < ARRAY_SIZE(boxed->fds); i++)
		if (boxed->fds[i] >= 0)
			close(boxed->fds[i]);
	arena_release(&boxed->arena);
}

#define AUTO_BOXED __attribute__((cleanup(sandbox_boxed_release))) struct boxed

/* The kernel's limit is above the watch's, which can tell why: a fork bomb seldom gets that far. */
static int64_t sandbox_most_processes(const struct watch_limits *limits)
{
	return limits->processes + limits->processes / 8 + 16;
}

/* Processes are counted per user namespace. If bwrap's is the first, the limit can only be set
 * inside, by a shell. */
static void sandbox_add_command(struct boxed *boxed, const struct command *command, size_t n)
{
	struct arena *arena = &boxed->arena;
	const char *line = command->line;
	long long most = boxed->box.processes;
	if (!boxed->box.stage)
		line = arena_printf(
			arena, "ulimit -p %lld 2>/dev/null || ulimit -u %lld; %s", most, most, line);
	const char *const by_shell[] = {"/bin/sh", "-c", line, NULL};
	const char *const *word = command->words && boxed->box.stage ? command->words : by_shell;
	for (; *word; word++)
		ARENA_PUSH(arena, boxed->argv, n, *word);
	ARENA_PUSH(arena, boxed->argv, n, NULL);
}

/* A file takes a block of the disk at least. */
static struct watch_limits sandbox_limits(const struct executor *executor)
{
	const struct sandbox *sandbox = executor->state;
	struct watch_limits limits = sandbox->limits;
	int64_t room = executor->settings->room;
	limits.disk = room > limits.disk ? room : limits.disk;
	limits.files = room / 4096 > limits.files ? room / 4096 : limits.files;
	return limits;
}

/* For process_options.inspect. */
static enum process_end sandbox_inspect(void *payload, pid_t pid)
{
	struct box *box = payload;
	return watch_inspect(&box->watch, pid);
}

static int sandbox_boxed_make(struct boxed *boxed, const struct executor *executor,
	const struct command *command, bool is_coprocess, const struct context *ctx,
	struct rondo_error *err)
{
	const struct sandbox *sandbox = executor->state;
	struct arena *arena = &boxed->arena;
	AUTO_STRBUF args = STRBUF_INIT(STRBUF_TEXT);
	size_t n;
	if (layer_empty(executor, is_coprocess, err) < 0)
		return -1;
	struct mount *mounts = bwrap_mounts(executor, is_coprocess, arena, &n);
	struct executor_place place = layer_place(executor, is_coprocess, arena);
	box_plan(&boxed->box, mounts, n, executor->world, arena);
	struct watch_limits limits = sandbox_limits(executor);
	watch_plan(&boxed->box.watch, &limits, place.tree, place.cache,
		layer_written(executor, is_coprocess, arena));
	boxed->box.processes = sandbox_most_processes(&boxed->box.watch.limits);
	boxed->fds[1] = sandbox_file_in_memory("bwrap-status", "", 0, err);
	boxed->fds[2] = sandbox_file_in_memory("bwrap-filter", sandbox->filter, sandbox->filter_size,
		err);
	bwrap_add(&args, "--json-status-fd", arena_printf(arena, "%d", boxed->fds[1]), NULL);
	bwrap_add(&args, "--seccomp", arena_printf(arena, "%d", boxed->fds[2]), NULL);
	bwrap_describe(&args, executor, command, mounts, n, &boxed->box, arena);
	/* A run's bytecode is thrown away with it, so none is of another text; a coprocess sees many
	 * texts. */
	if (executor->written && !is_coprocess)
		bwrap_add(&args, "--unsetenv", "PYTHONDONTWRITEBYTECODE", NULL);
	boxed->fds[0] = sandbox_file_in_memory("bwrap-args", args.text, args.length, err);
	if (boxed->fds[0] < 0 || boxed->fds[1] < 0 || boxed->fds[2] < 0)
		return -1;
	size_t n_words = 0;
	ARENA_PUSH(arena, boxed->argv, n_words, sandbox->bwrap);
	ARENA_PUSH(arena, boxed->argv, n_words, "--args");
	ARENA_PUSH(arena, boxed->argv, n_words, arena_printf(arena, "%d", boxed->fds[0]));
	ARENA_PUSH(arena, boxed->argv, n_words, "--");
	sandbox_add_command(boxed, command, n_words);
	boxed->options = command_options(command, ctx->cancel);
	boxed->options.argv = boxed->argv;
	boxed->options.cwd = "/";
	boxed->options.keep_fds = boxed->fds;
	boxed->options.n_keep_fds = ARRAY_SIZE(boxed->fds);
	boxed->options.prepare = box_enter;
	boxed->options.inspect = sandbox_inspect;
	boxed->options.payload = &boxed->box;
	boxed->options.is_box = true;
	return 0;
}

static int sandbox_run_boxed(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	AUTO_BOXED boxed = {.fds = {-1, -1, -1}};
	AUTO_STRBUF said = STRBUF_INIT(1024);
	struct rondo_error refusal;
	if (sandbox_boxed_make(&boxed, executor, command, false, ctx, err) < 0)
		return -1;
	struct strbuf *output = command->output ? command->output : &said;
	size_t before = output->length; /* earlier commands have printed that */
	boxed.options.output = output;
	if (process_run(&boxed.options, result, &refusal) < 0)
		return refusal_explain(refusal.message, err);
	if (!sandbox_box_failed(boxed.fds[1], result))
		return 0;
	strbuf_rtrim(output);
	return refusal_explain(
		output->length > before ? output->text + before : "bwrap failed without a word", err);
}

static int sandbox_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	if (sandbox_run_boxed(executor, command, result, ctx, err) == 0)
		return 0;
	error_prefix(err, "no sandbox");
	return -1;
}

static int sandbox_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err)
{
	AUTO_BOXED boxed = {.fds = {-1, -1, -1}};
	if (sandbox_boxed_make(&boxed, executor, command, true, ctx, err) < 0)
		return -1;
	return coprocess_start(&boxed.options, ret_coprocess, err);
}

static int sandbox_start(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	(void)ctx;
	struct sandbox *sandbox = executor->state;
	sandbox->bwrap = sandbox_find_bwrap(&executor->arena, err);
	if (!sandbox->bwrap)
		return error_prefix(err, "no sandbox");
	return seccomp_filter(&executor->arena, &sandbox->filter, &sandbox->filter_size, err);
}

/* --- Whether it works here --- */

static int sandbox_bwrap_version(const char *bwrap, struct strbuf *found, struct rondo_error *err)
{
	struct process_result result;
	AUTO_STRBUF said = STRBUF_INIT(256);
	const char *const argv[] = {bwrap, "--version", NULL};
	struct process_options options = {.argv = argv, .output = &said,
		.timeout_ms = EXECUTOR_PROBE_MS};
	char text[64];
	if (process_run(&options, &result, err) < 0)
		return -1;
	strbuf_rtrim(&said);
	strbuf_adds(found, result.exit_code == 0 ? said.text : bwrap);
	return result.exit_code == 0 ? 0
				     : error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s --version: %s%s%s", bwrap,
					       process_describe(&result, text, sizeof text), said.length ? ": " : "",
					said.text);
}

static int sandbox_check_block(const struct process_result *result, const struct strbuf *said,
	struct rondo_error *err)
{
	char text[64];
	if (result->exit_code == 0)
		return 0;
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a block that does nothing: %s%s%s",
		process_describe(result, text, sizeof text), said->length ? ": " : "", said->text);
}

/* Run a block, and one that exceeds a limit, which shows whether the box can be inspected from
 * outside. */
static int sandbox_try_blocks(struct executor *executor, struct strbuf *found,
	const struct context *ctx, struct rondo_error *err)
{
	struct sandbox *sandbox = executor->state;
	struct process_result result, over;
	AUTO_STRBUF said = STRBUF_INIT(256);
	struct command command = {.line = "true", .timeout_ms = EXECUTOR_PROBE_MS, .output = &said};
	if (sandbox_run_boxed(executor, &command, &result, ctx, err) < 0 ||
		sandbox_check_block(&result, &said, err) < 0)
		return -1;
	sandbox->limits.memory = 1;
	command.line = "exec sleep 1";
	if (sandbox_run_boxed(executor, &command, &over, ctx, err) < 0)
		return -1;
	strbuf_addf(found,
		" in user namespaces: no network, system calls filtered, %s (a block ran in %d ms)",
		over.end == PROCESS_MEMORY ? "memory, processes and disk limited"
		: "but memory and processes are not limited: the /proc of a box cannot be opened",
		(int)result.duration_ms);
	return 0;
}

static int sandbox_probe_in(const char *tree, sandbox_look *look, struct strbuf *found,
	bool *ret_started, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct world world;
	struct executor *executor = NULL;
	struct cancel deadline;
	struct context ctx = {.cancel = &deadline};
	const struct executor_plan plan = {.type = &sandbox_executor, .settings = &executor_defaults};
	world_bare(&world, tree, &arena);
	if (world.drop && file_own_tree(tree, world.uid, world.gid, err) < 0)
		return -1;
	if (cancel_init(&deadline, NULL, EXECUTOR_PROBE_MS, err) < 0)
		return -1;
	int status = executor_new(&plan, &world, tree, tree, &ctx, &executor, err);
	*ret_started = status == 0;
	if (status == 0)
		status = look(executor, found, &ctx, err);
	executor_free(executor);
	cancel_release(&deadline);
	return status;
}

int sandbox_probe_box(sandbox_look *look, struct strbuf *found, bool *ret_started,
	struct rondo_error *err)
{
	char tree[] = "/tmp/rondo-probe-XXXXXX";
	struct rondo_error ignored;
	*ret_started = true; /* else it is not the sandbox that fails */
	if (!mkdtemp(tree))
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a directory in /tmp");
	int status = sandbox_probe_in(tree, look, found, ret_started, err);
	file_remove_tree(tree, &ignored);
	return status;
}

static int sandbox_probe(struct strbuf *found, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *bwrap = sandbox_find_bwrap(&arena, err);
	bool is_started;
	return !bwrap || sandbox_bwrap_version(bwrap, found, err) < 0 ? -1
		: sandbox_probe_box(sandbox_try_blocks, found, &is_started, err);
}

#define AT(member) offsetof(struct sandbox, limits.member)

static const struct option options[] = {
	{.name = "memory",
		.kind = OPTION_BYTES,
		.offset = AT(memory),
		.help = "what the programs of a command may take together; else half of the machine's"},
	{.name = "processes",
		.kind = OPTION_INT,
		.offset = AT(processes),
		.least = 32,
		.most = 1000000,
		.help =
			"how many processes and threads there may be; else 256, and 128 for each processor"},
	{.name = "disk",
		.kind = OPTION_BYTES,
		.offset = AT(disk),
		.least = 1,
		.most = 1e15,
		.fallback = "4G",
		.help = "what a command may write to the disk: into its tree, its cache, and over what it "
				"finds"},
	{.name = "files",
		.kind = OPTION_INT,
		.offset = AT(files),
		.least = 1,
		.most = 1e9,
		.fallback = "500000",
		.help = "how many files a command may make there"},
	OPTION_END,
};

const struct executor_type sandbox_executor = {
	.name = "sandbox",
	.summary = "bubblewrap: no network, read-only system, private home and /tmp (default)",
	.has_layers = true,
	.state_size = sizeof(struct sandbox),
	.options = options,
	.probe = sandbox_probe,
	.start = sandbox_start,
	.attempt = executor_run_nothing,
	.run = sandbox_run,
	.open = sandbox_open,
};
