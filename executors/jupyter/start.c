/* Starting a kernel: its directory, its sockets, its first answers. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "executors/jupyter/jupyter.h"
#include "executors/jupyter/jupyter_socket.h"
#include "executors/tree_file.h"

#define START_MS 60000
#define LOOK_MS 5        /* between two looks for its sockets */
#define ASK_MS 100       /* for an answer to the first requests */
#define LONGEST_PLACE 90 /* a socket's path has at most 107 bytes */

/* Create its directory in the cache, with an unpredictable name. */
static int start_make_dir(struct jupyter_kernel *kernel, struct rondo_error *err)
{
	const struct executor *executor = kernel->executor;
	const struct world *world = executor->world;
	const char *path = arena_printf(&kernel->arena, "%s/%s", executor->cache_dir, kernel->name);
	if (mkdir(path, 0700) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make '%s'", path);
	kernel->dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (kernel->dir < 0 || (world->drop && fchown(kernel->dir, world->uid, world->gid) < 0))
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot use '%s'", path);
	return 0;
}

/* The path of its directory as the kernel sees it; if it is too long, descriptor 9 stands for
 * it. */
static const char *start_socket_place(struct jupyter_kernel *kernel)
{
	const char *place = executor_cache_at(kernel->executor, kernel->name, &kernel->arena);
	return strlen(place) > LONGEST_PLACE ? "/proc/self/fd/9" : place;
}

static int start_write_connection(struct jupyter_kernel *kernel, struct rondo_error *err)
{
	static const char *const ports[] = {"shell_port", "iopub_port", "control_port", "stdin_port",
		"hb_port"};
	AUTO_JSON *json = json_object();
	json_add_string(json, "transport", "ipc");
	json_add_string(json, "ip", arena_printf(&kernel->arena, "%s/s", start_socket_place(kernel)));
	for (size_t i = 0; i < ARRAY_SIZE(ports); i++)
		json_add_int(json, ports[i], (int64_t)i + 1);
	json_add_string(json, "key", kernel->key);
	json_add_string(json, "signature_scheme", "hmac-sha256");
	json_add_string(json, "kernel_name", "");
	AUTO_FREE char *text = json_print(json);
	const char *name = arena_printf(&kernel->arena, "%s/connection.json", kernel->name);
	return tree_file_write(kernel->executor, kernel->executor->cache_dir, name, text, err);
}

/* Jupyter and IPython keep their files in the kernel's directory and find no user's files. */
static const char *const *start_environment(struct jupyter_kernel *kernel,
	const struct jupyter_launch *launch)
{
	static const char *const places[] = {"JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR",
		"JUPYTER_DATA_DIR", "IPYTHONDIR"};
	struct arena *arena = &kernel->arena;
	const char *dir = executor_cache_at(kernel->executor, kernel->name, arena), **env = NULL;
	size_t n = 0;
	for (size_t i = 0; i < launch->n_env; i++)
		ARENA_PUSH(arena, env, n, arena_strdup(arena, launch->env[i]));
	for (const char *const *e = launch->block_env; e && *e; e++)
		ARENA_PUSH(arena, env, n, arena_strdup(arena, *e));
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		ARENA_PUSH(arena, env, n, arena_printf(arena, "%s=%s", places[i], dir));
	ARENA_PUSH(arena, env, n, "PYDEVD_DISABLE_FILE_VALIDATION=1");
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

/* Run the line in the working directory, which is created if missing. */
static const char *start_in_work_dir(const struct executor *executor, const char *line,
	struct arena *arena)
{
	AUTO_STRBUF word = STRBUF_INIT(STRBUF_LINE);
	if (!executor->settings->work_dir)
		return line;
	strbuf_add_word(&word, executor->settings->work_dir);
	return arena_printf(arena, "mkdir -p %s && cd %s || exit\n%s", word.text, word.text, line);
}

/* It outlives the turn that starts it, so that turn's cancel token is not used. */
static int start_open_process(struct jupyter_kernel *kernel, const struct jupyter_launch *launch,
	struct rondo_error *err)
{
	struct arena *arena = &kernel->arena;
	struct context lasting = {0};
	const char *file = arena_printf(arena, "%s/connection.json",
		executor_cache_at(kernel->executor, kernel->name, arena));
	const char *line = jupyter_launch_line(launch, file, arena);
	bool is_far = strcmp(start_socket_place(kernel), "/proc/self/fd/9") == 0;
	if (is_far)
		line = arena_printf(arena, "exec 9<\"$IPYTHONDIR\"\n%s", line);
	struct command command = {.line = start_in_work_dir(kernel->executor, line, arena),
		.env = start_environment(kernel, launch)};
	if (executor_open(kernel->executor, &command, &kernel->process, &lasting, err) < 0)
		return -1;
	if (kernel->process)
		return 0;
	return error_set(
		err, RONDO_ERROR_CANNOT_JUDGE, "executor %s starts no program that is spoken with",
		kernel->executor->type->name);
}

/* Whether all sockets exist and are no links, which could lead to the user's. */
static bool start_has_sockets(const struct jupyter_kernel *kernel)
{
	for (char name[] = "s-1"; name[2] <= '5'; name[2]++) {
		struct stat st;
		if (fstatat(kernel->dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISSOCK(st.st_mode))
			return false;
	}
	return true;
}

/* False: it ended, or took too long. */
static bool start_await_sockets(struct jupyter_kernel *kernel, int64_t deadline_ms,
	struct strbuf *said, const struct cancel *cancel)
{
	while (!start_has_sockets(kernel)) {
		struct pollfd fds[1 + CANCEL_FDS] =
			{{.fd = coprocess_fd(kernel->process), .events = POLLIN}};
		size_t n = 1 + cancel_poll(cancel, fds + 1);
		if (poll(fds, n, LOOK_MS) > 0 && !coprocess_take(kernel->process, said))
			return false;
		if (cancel_reason(cancel) || clock_now_ms() >= deadline_ms)
			return false;
	}
	return true;
}

/* Ask until a complete answer arrives: outputs of the first requests come before the
 * subscription. */
static bool start_await_answer(struct jupyter_kernel *kernel, int64_t deadline_ms,
	struct strbuf *said, const struct cancel *cancel)
{
	AUTO_ARENA arena = ARENA_INIT;
	enum jupyter_end end = JUPYTER_INTERRUPTED;
	while (end == JUPYTER_INTERRUPTED && clock_now_ms() < deadline_ms) {
		struct jupyter_cell cell = {.output = said, .arena = &arena};
		end = jupyter_kernel_ask(kernel, "kernel_info_request", &cell, ASK_MS, cancel);
		jupyter_cell_release(&cell);
	}
	return end == JUPYTER_DONE;
}

static int start(struct jupyter_kernel *kernel, const struct jupyter_launch *launch,
	struct strbuf *said, bool *ret_answers, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_STRBUF probe = STRBUF_INIT(100);
	int64_t deadline_ms = clock_now_ms() + START_MS;
	if (jupyter_sockets_probe(&probe, err) < 0 || start_make_dir(kernel, err) < 0 ||
		start_write_connection(kernel, err) < 0 || start_open_process(kernel, launch, err) < 0)
		return -1;
	bool answers = start_await_sockets(kernel, deadline_ms, said, cancel);
	const char *dir = arena_printf(&kernel->arena, "/proc/self/fd/%d", kernel->dir);
	if (answers && jupyter_sockets_new(dir, &kernel->sockets, err) < 0)
		return -1;
	*ret_answers = answers && start_await_answer(kernel, deadline_ms, said, cancel);
	return cancel_reason(cancel) ? cancel_error(cancel, err) : 0;
}

int jupyter_kernel_start(struct executor *executor, const struct jupyter_launch *launch,
	struct strbuf *said, struct jupyter_kernel **ret_kernel, const struct context *ctx,
	struct rondo_error *err)
{
	struct jupyter_kernel *kernel = memory_alloc(sizeof *kernel);
	bool answers = false;
	int64_t begin = clock_now_ms();
	*kernel = (struct jupyter_kernel){.executor = executor, .dir = -1,
		.between = STRBUF_INIT(4096)};
	kernel->name = executor_cache_name("jupyter", &kernel->arena);
	hash_random(kernel->key, sizeof kernel->key - 1);
	hash_random(kernel->session, sizeof kernel->session - 1);
	int status = start(kernel, launch, said, &answers, ctx->cancel, err);
	if (status < 0 || !answers) {
		jupyter_kernel_free(kernel);
		kernel = NULL;
	}
	if (status < 0)
		return -1;
	log_line(LOG_DEBUG, "jupyter", "kernel %s %s after %d ms", launch->kernel, kernel ? "answers"
		: "does not answer", (int)(clock_now_ms() - begin));
	*ret_kernel = kernel;
	return 0;
}

void jupyter_kernel_free(struct jupyter_kernel *kernel)
{
	if (!kernel)
		return;
	struct rondo_error ignored;
	jupyter_sockets_free(kernel->sockets);
	coprocess_end(kernel->process);
	if (kernel->dir >= 0)
		close(kernel->dir);
	file_remove_tree(arena_printf(&kernel->arena, "%s/%s", kernel->executor->cache_dir,
		kernel->name), &ignored);
	strbuf_release(&kernel->between);
	arena_release(&kernel->arena);
	free(kernel);
}
