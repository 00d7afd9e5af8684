/*
 * What a block costs in each executor beside what that rests on, used by itself: each round runs
 * all of them once, so that they meet the same machine, each in a process of its own, as in a run:
 * what one loads, others would pay for at each fork. executors KERNEL.PY. Docker where an engine
 * answers that has the image RONDO_TEST_IMAGE, else python:3-slim; what does not work here has no
 * row.
 */
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/process/coprocess.h"
#include "executors/docker/docker.h"
#include "executors/sandbox/box.h"
#include "executors/world.h"
#include "tests/bench/bench.h"

#define RUNS 100
#define MOST_WORDS 200

#define BESIDES 2

struct row;

struct beside {
	const char *name;
	int64_t (*run)(struct row *row); /* us; -1: cannot be had here */
};

/* What a row's process says of a round: us of a block, and of each thing beside it. */
struct round {
	int64_t ours, theirs[BESIDES];
};

struct row {
	const char *name;
	const struct executor_type *type;
	const char *in; /* jupyter's option */
	const char *language, *code;
	struct beside besides[BESIDES];
	struct executor *executor;
	struct context ctx;
	const char *argv[MOST_WORDS]; /* of bwrap, for the sandbox's box */
	int filter;                   /* bwrap's, of system calls */
	struct coprocess *client;     /* Jupyter's own, with a kernel of its own; or NULL */
	/* to the row's process, in the bench; -1: it does not work here */
	int line;
	struct round rounds[RUNS];
};

static int64_t spawn(const char *const *argv)
{
	int64_t start = clock_now_us();
	pid_t pid = fork();
	int status;
	if (pid == 0) {
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0 ? clock_now_us() - start : -1;
}

static int64_t run_sh(struct row *row)
{
	(void)row;
	return spawn((const char *const[]){"/bin/sh", "-c", "true", NULL});
}

static int64_t run_bare_bwrap(struct row *row)
{
	(void)row;
	return spawn((const char *const[]){"/usr/bin/bwrap", "--unshare-all", "--die-with-parent",
		"--ro-bind", "/", "/", "/bin/sh", "-c", "true", NULL});
}

static int filter_in_memory(struct arena *arena)
{
	struct rondo_error err;
	const void *bytes;
	size_t n;
	int fd = memfd_create("filter", 0);
	bench_must(seccomp_filter(arena, &bytes, &n, &err), &err);
	if (fd >= 0 && file_write_all(fd, bytes, n) == 0)
		return fd;
	perror("bench: a file in memory");
	exit(1);
}

/* The same namespaces, mounts, environment and filter, without a stage, a keeper and its limits. */
static void describe_box(struct row *row, struct arena *arena)
{
	struct box box;
	AUTO_STRBUF args = STRBUF_INIT(STRBUF_TEXT);
	size_t n_mounts, n = 0;
	struct command command = {.line = "true"};
	struct mount *mounts = bwrap_mounts(row->executor, false, arena, &n_mounts);
	box_plan(&box, mounts, n_mounts, row->executor->world, arena);
	box.stage = false;
	row->filter = filter_in_memory(arena);
	bwrap_add(&args, "--seccomp", arena_printf(arena, "%d", row->filter), NULL);
	bwrap_describe(&args, row->executor, &command, mounts, n_mounts, &box, arena);
	const char *words = arena_strndup(arena, args.text, args.length), *end = words + args.length;
	row->argv[n++] = "/usr/bin/bwrap";
	for (; words < end && n < MOST_WORDS - 5; words += strlen(words) + 1)
		row->argv[n++] = words;
	memcpy(row->argv + n, (const char *const[]){"--", "/bin/sh", "-c", "true", NULL},
		5 * sizeof *row->argv);
}

static int64_t run_same_box(struct row *row)
{
	lseek(row->filter, 0, SEEK_SET);
	return spawn(row->argv);
}

/* As docs of the API have it: create, start, read to the end, inspect. */
static int64_t run_api(struct row *row)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER made = {0}, ended = {0};
	struct rondo_error err;
	struct docker *docker = row->executor->state;
	char bytes[4096];
	int64_t start = clock_now_us();
	AUTO_JSON *body = json_object();
	static const char *const words[] = {"sh", "-c", "true"};
	json_add_bool(body, "AttachStdout", true);
	json_add_bool(body, "AttachStderr", true);
	json_add_strings(body, "Cmd", words, ARRAY_SIZE(words));
	struct docker_request create = {.method = "POST",
		.path = arena_printf(&arena, "/containers/%s/exec", docker->container),
		.body = body};
	bench_must(docker_do(&docker->api, &create, &made, "create", NULL, &err), &err);
	const char *id = json_string(made.json, "Id", "");
	AUTO_CLOSE fd = docker_hijack(&docker->api, arena_printf(&arena, "/exec/%s/start", id),
		"{\"Detach\":false,\"Tty\":false}", NULL, &err);
	bench_must(fd < 0 ? -1 : 0, &err);
	for (ssize_t n = 1; n;) {
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		poll(&poller, 1, -1);
		n = recv(fd, bytes, sizeof bytes, 0);
	}
	struct docker_request inspect = {
		.method = "GET", .path = arena_printf(&arena, "/exec/%s/json", id)};
	bench_must(docker_do(&docker->api, &inspect, &ended, "inspect", NULL, &err), &err);
	return clock_now_us() - start;
}

static int64_t run_docker(struct row *row)
{
	const struct docker *docker = row->executor->state;
	return spawn((const char *const[]){
		"/usr/bin/env", "docker", "exec", docker->container, "sh", "-c", "true", NULL});
}

static int64_t run_client(struct row *row)
{
	AUTO_STRBUF line = STRBUF_INIT(1000);
	struct rondo_error err;
	enum coprocess_heard heard = COPROCESS_ENDED;
	bool taken = false;
	if (!row->client || coprocess_say(row->client, "", 1000, &taken, &err) < 0 || !taken)
		return -1;
	bench_must(coprocess_hear(row->client, 20000, &line, &heard, &err), &err);
	return heard == COPROCESS_LINE ? atoll(line.text) : -1;
}

/* Its first line says that the kernel is warm. */
static void open_client(struct row *row, const char *script)
{
	AUTO_STRBUF line = STRBUF_INIT(1000);
	struct rondo_error err;
	enum coprocess_heard heard = COPROCESS_ENDED;
	const char *const argv[] = {"/usr/bin/python3", script, NULL};
	/* whose warning would stand before the figures */
	setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1", 1);
	struct process_options options = {.argv = argv, .env = (const char *const *)environ};
	bench_must(coprocess_start(&options, &row->client, &err), &err);
	bench_must(coprocess_hear(row->client, 60000, &line, &heard, &err), &err);
	if (heard == COPROCESS_LINE && atoll(line.text) > 0)
		return;
	coprocess_end(row->client);
	row->client = NULL;
}

static void set_options(const struct row *row, void *options, struct arena *arena)
{
	struct rondo_error err;
	if (row->type->options)
		option_defaults(row->type->options, options, arena);
	if (row->in)
		bench_must(option_set(option_find(row->type->options, "in", "option", &err), options, arena,
					   row->in, &err),
			&err);
	if (row->type == &docker_executor) {
		const char *image = getenv("RONDO_TEST_IMAGE");
		((struct docker *)options)->pull = "never";
		((struct docker *)options)->image = image ? image : "python:3-slim";
	}
}

static int make_executor(
	struct row *row, const char *dir, struct arena *arena, struct rondo_error *err)
{
	struct world *world = arena_alloc(arena, sizeof *world);
	const char *tree = arena_printf(arena, "%s/%s", dir, row->name),
			   *cache = arena_printf(arena, "%s.cache", tree);
	void *options = arena_alloc(arena, row->type->state_size);
	AUTO_STRBUF found = STRBUF_INIT(1000);
	set_options(row, options, arena);
	if (row->type == &jupyter_executor && row->type->probe(&found, err) < 0)
		return -1;
	bench_must(file_make_dir(tree, 0755, err), err);
	bench_must(file_make_dir(cache, 0755, err), err);
	world_bare(world, tree, arena);
	world->has_overlays = true; /* as in a run; there are none here */
	if (world->drop) {
		bench_must(file_own_tree(tree, world->uid, world->gid, err), err);
		bench_must(file_own_tree(cache, world->uid, world->gid, err), err);
	}
	const struct executor_plan plan = {
		.type = row->type, .settings = &executor_defaults, .options = options};
	return executor_new(&plan, world, tree, cache, &row->ctx, &row->executor, err);
}

static int64_t run_block(struct row *row)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct code_result result;
	struct code_block block = {
		.language = row->language, .info = "", .lead = "", .code = row->code};
	struct block_order order = {.blocks = &block, .n = 1, .timeout_ms = 60000};
	int64_t start = clock_now_us();
	bench_must(
		executor_execute_code_blocks(row->executor, &order, &arena, &result, &row->ctx, &err),
		&err);
	int64_t took = clock_now_us() - start;
	if (result.exit_code == 0)
		return took;
	fprintf(stderr, "bench: %s: exit code %d: %s\n", row->name, result.exit_code, result.output);
	exit(1);
}

/* The first block starts what is reused. */
static bool open_row(struct row *row, const char *dir, const char *script, struct arena *arena)
{
	struct rondo_error err;
	if (make_executor(row, dir, arena, &err) < 0) {
		printf("executors: %-18s not measured: %s\n", row->name, err.message);
		fflush(stdout);
		return false;
	}
	if (row->type == &sandbox_executor)
		describe_box(row, arena);
	if (row->type == &jupyter_executor)
		open_client(row, script);
	run_block(row);
	return true;
}

/* A byte in, a round out, until nobody asks. */
static void serve(struct row *row, int line, const char *dir, const char *script)
{
	AUTO_ARENA arena = ARENA_INIT;
	char byte = 1;
	bool works = open_row(row, dir, script, &arena) && send(line, &byte, 1, 0) == 1;
	while (works && recv(line, &byte, 1, 0) == 1) {
		struct round round = {.ours = run_block(row)};
		for (size_t i = 0; i < BESIDES && row->besides[i].run; i++)
			round.theirs[i] = row->besides[i].run(row);
		works = send(line, &round, sizeof round, 0) == sizeof round;
	}
	executor_free(row->executor);
	coprocess_end(row->client);
}

static void start(struct row *row, const char *dir, const char *script)
{
	int ends[2];
	char byte;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		exit(1);
	if (fork() == 0) {
		close(ends[0]);
		serve(row, ends[1], dir, script);
		exit(0);
	}
	close(ends[1]);
	row->line = recv(ends[0], &byte, 1, 0) == 1 ? ends[0] : -1;
}

static double median_ms(const struct row *row, const int64_t *first)
{
	int64_t times[RUNS];
	for (size_t i = 0; i < RUNS; i++)
		times[i] = first[(size_t)(&row->rounds[i].ours - &row->rounds[0].ours)];
	return (double)bench_median(times, RUNS) / 1000;
}

static void tell(const struct row *row)
{
	double ours = median_ms(row, &row->rounds->ours);
	printf("executors: %-18s %6.2f ms a block", row->name, ours);
	for (size_t i = 0; i < BESIDES && row->besides[i].run; i++) {
		double theirs = median_ms(row, &row->rounds->theirs[i]);
		if (theirs > 0)
			printf("; %s %.2f ms: %.2f x, %+.2f ms", row->besides[i].name, theirs, ours / theirs,
				ours - theirs);
	}
	printf("\n");
}

static struct row rows[] = {
	{.name = "local",
		.type = &local_executor,
		.language = "sh",
		.code = "true\n",
		.besides = {{.name = "fork and exec", .run = run_sh}}},
	{.name = "sandbox",
		.type = &sandbox_executor,
		.language = "sh",
		.code = "true\n",
		.besides = {{.name = "the same box by bwrap", .run = run_same_box},
			{.name = "bwrap around /", .run = run_bare_bwrap}}},
	{.name = "docker",
		.type = &docker_executor,
		.language = "sh",
		.code = "true\n",
		.besides = {{.name = "bare API calls", .run = run_api},
			{.name = "docker exec", .run = run_docker}}},
	{.name = "jupyter in local",
		.type = &jupyter_executor,
		.in = "local",
		.language = "python",
		.code = "1+1\n",
		.besides = {{.name = "jupyter_client", .run = run_client}}},
	{.name = "jupyter in sandbox",
		.type = &jupyter_executor,
		.in = "sandbox",
		.language = "python",
		.code = "1+1\n",
		.besides = {{.name = "jupyter_client", .run = run_client}}},
};

/* By its name's beginning; without names: all. */
static bool is_wanted(const struct row *row, char *const *names)
{
	bool is_named = !*names;
	for (; *names; names++)
		is_named |= strncmp(row->name, *names, strlen(*names)) == 0;
	return is_named;
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *dir = bench_directory(&arena),
			   *script = argc > 1 ? argv[1] : "tests/bench/kernel.py";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rows[i].line = -1;
		if (is_wanted(&rows[i], argc > 2 ? argv + 2 : (char *[]){NULL}))
			start(&rows[i], dir, script);
	}
	for (size_t round = 0; round < RUNS; round++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			if (rows[i].line >= 0 &&
				(send(rows[i].line, "", 1, 0) != 1 ||
					recv(rows[i].line, &rows[i].rounds[round], sizeof(struct round), 0) <= 0))
				exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].line < 0)
			continue;
		tell(&rows[i]);
		close(rows[i].line);
	}
	while (wait(NULL) > 0)
		;
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
