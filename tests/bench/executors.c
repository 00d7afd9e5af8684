/*
 * What an executor costs beside what it rests on, by a block that does nothing: each round runs all of them once, so that they
 * meet the same machine. Docker where an engine answers that has the image RONDO_TEST_IMAGE, else python:3-slim.
 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "executors/docker/docker.h"
#include "executors/world.h"
#include "tests/bench/bench.h"

#define RUNS 100

struct row {
	const char *name, *beside;
	const struct executor_type *type;
	int64_t (*run_beside)(struct row *row); /* us */
	struct executor *executor;
	struct context ctx;
	int64_t ours[RUNS], theirs[RUNS];
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
	return clock_now_us() - start;
}

static int64_t run_sh(struct row *row)
{
	(void)row;
	return spawn((const char *const[]){"/bin/sh", "-c", "true", NULL});
}

static int64_t run_bwrap(struct row *row)
{
	(void)row;
	return spawn((const char *const[]){"/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "/bin/sh", "-c",
		"true", NULL});
}

/* As docs of the API have it: create, start, read to the end, inspect. */
static int64_t run_exec(struct row *row)
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
	struct docker_request create = {
		.method = "POST", .path = arena_printf(&arena, "/containers/%s/exec", docker->container), .body = body};
	bench_must(docker_do(&docker->api, &create, &made, "create", NULL, &err), &err);
	const char *id = json_string(made.json, "Id", "");
	AUTO_CLOSE fd = docker_hijack(&docker->api, arena_printf(&arena, "/exec/%s/start", id), "{\"Detach\":false,\"Tty\":false}", NULL, &err);
	bench_must(fd < 0 ? -1 : 0, &err);
	for (ssize_t n = 1; n;) {
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		poll(&poller, 1, -1);
		n = recv(fd, bytes, sizeof bytes, 0);
	}
	struct docker_request inspect = {.method = "GET", .path = arena_printf(&arena, "/exec/%s/json", id)};
	bench_must(docker_do(&docker->api, &inspect, &ended, "inspect", NULL, &err), &err);
	return clock_now_us() - start;
}

/* One that does not work here has no row. */
static bool open_row(struct row *row, const char *dir, struct arena *arena)
{
	struct rondo_error err;
	struct world *world = arena_alloc(arena, sizeof *world);
	const char *tree = arena_printf(arena, "%s/%s", dir, row->name), *cache = arena_printf(arena, "%s.cache", tree);
	void *options = arena_alloc(arena, row->type->state_size);
	if (row->type->options)
		option_defaults(row->type->options, options, arena);
	if (row->type == &docker_executor) {
		const char *image = getenv("RONDO_TEST_IMAGE");
		((struct docker *)options)->pull = "never";
		((struct docker *)options)->image = image ? image : "python:3-slim";
	}
	bench_must(file_make_dir(tree, 0755, &err), &err);
	bench_must(file_make_dir(cache, 0755, &err), &err);
	world_bare(world, tree, arena);
	if (world->drop) {
		bench_must(file_own_tree(tree, world->uid, world->gid, &err), &err);
		bench_must(file_own_tree(cache, world->uid, world->gid, &err), &err);
	}
	const struct executor_plan plan = {.type = row->type, .settings = &executor_defaults, .options = options};
	if (executor_new(&plan, world, tree, cache, &row->ctx, &row->executor, &err) == 0)
		return true;
	printf("executors: %-8s not measured: %s\n", row->name, err.message);
	return false;
}

static int64_t run_block(struct row *row)
{
	AUTO_STRBUF output = STRBUF_INIT(1000);
	struct rondo_error err;
	struct process_result result;
	int64_t start = clock_now_us();
	struct command command = {.line = "true", .timeout_ms = 60000, .output = &output};
	bench_must(executor_run(row->executor, &command, &result, &row->ctx, &err), &err);
	int64_t took = clock_now_us() - start;
	if (result.exit_code != 0) {
		fprintf(stderr, "bench: %s: exit code %d: %s\n", row->name, result.exit_code, output.text);
		exit(1);
	}
	return took;
}

static void tell(struct row *row)
{
	double ours = (double)bench_median(row->ours, RUNS) / 1000, theirs = (double)bench_median(row->theirs, RUNS) / 1000;
	printf("executors: %-8s %6.2f ms a block; %s %.2f ms: ratio %.2f, own share %.2f ms\n", row->name, ours, row->beside, theirs,
		ours / theirs, ours - theirs);
	executor_free(row->executor);
}

int main(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	static struct row rows[] = {
		{.name = "local", .beside = "fork and exec", .type = &local_executor, .run_beside = run_sh},
		{.name = "sandbox", .beside = "bare bwrap", .type = &sandbox_executor, .run_beside = run_bwrap},
		{.name = "docker", .beside = "bare API calls", .type = &docker_executor, .run_beside = run_exec},
	};
	const char *dir = bench_directory(&arena);
	bool works[ARRAY_SIZE(rows)];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		works[i] = open_row(&rows[i], dir, &arena);
	for (size_t round = 0; round < RUNS; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			if (!works[i])
				continue;
			rows[i].ours[round] = run_block(&rows[i]);
			rows[i].theirs[round] = rows[i].run_beside(&rows[i]);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (works[i])
			tell(&rows[i]);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
