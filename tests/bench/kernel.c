/* kernel: a block in a warm Jupyter kernel, `1+1`, in the sandbox and on the machine as it is, and the same by Jupyter's own
 * client (kernel.py). Says why where there is no kernel. */
#include "base/process.h"
#include "executors/world.h"
#include "tests/bench/bench.h"

#define BLOCKS 200

extern char **environ;

/* The median of a block, in microseconds. The first one starts the kernel. */
static int64_t block(const char *where, const char *dir, const struct world *world)
{
	struct rondo_error err;
	struct context ctx = {0};
	struct executor *executor = NULL;
	int64_t times[BLOCKS];
	AUTO_ARENA options_arena = ARENA_INIT;
	void *options = arena_alloc(&options_arena, jupyter_executor.state_size);
	option_defaults(jupyter_executor.options, options, &options_arena);
	const struct option *in = option_find(jupyter_executor.options, "in", "option", &err);
	bench_must(option_set(in, options, &options_arena, where, &err), &err);
	struct executor_plan plan = {.type = &jupyter_executor, .settings = &executor_defaults, .options = options};
	bench_must(executor_new(&plan, world, dir, dir, &ctx, &executor, &err), &err);
	for (int i = -1; i < BLOCKS; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct code_result result;
		struct code_block one = {.language = "python", .info = "", .lead = "", .code = "1+1\n"};
		int64_t start = clock_now_us();
		struct block_order order = {.blocks = &one, .n = 1, .timeout_ms = 10000};
		bench_must(executor_execute_code_blocks(executor, &order, &arena, &result, &ctx, &err), &err);
		if (i >= 0)
			times[i] = clock_now_us() - start;
		if (strcmp(result.output, "2") != 0)
			fprintf(stderr, "kernel: 1+1 is %s\n", result.output);
	}
	executor_free(executor);
	return bench_median(times, BLOCKS);
}

/* What tests/bench/kernel.py says, in microseconds; 0: there is no jupyter_client. */
static int64_t by_client(const char *script)
{
	setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1", 1); /* whose warning would stand before the figure */
	AUTO_STRBUF output = STRBUF_INIT(1000);
	struct rondo_error err;
	struct process_result result;
	char blocks[16];
	snprintf(blocks, sizeof blocks, "%d", BLOCKS);
	const char *const argv[] = {"/usr/bin/python3", script, blocks, NULL};
	struct process_options options = {
		.argv = argv, .env = (const char *const *)environ, .output = &output, .timeout_ms = 120000};
	return process_run(&options, &result, &err) == 0 && result.exit_code == 0 ? atoll(output.text) : 0;
}

static void tell(const char *what, int64_t ours, int64_t theirs)
{
	printf("kernel: 1+1 %s %.2f ms", what, (double)ours / 1000);
	if (theirs)
		printf(", by jupyter_client %.2f ms: %.2f x", (double)theirs / 1000, (double)ours / (double)theirs);
	printf("\n");
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	struct rondo_error err;
	struct world world;
	if (jupyter_executor.probe(&found, &err) < 0) {
		printf("kernel: not measured: %s\n", err.message);
		return 0;
	}
	const char *dir = bench_directory(&arena);
	world_bare(&world, dir, &arena);
	if (world.drop)
		bench_must(file_own_tree(dir, world.uid, world.gid, &err), &err);
	int64_t theirs = by_client(argc > 1 ? argv[1] : "tests/bench/kernel.py");
	tell("in the sandbox", block("sandbox", dir, &world), theirs);
	tell("on the machine as it is", block("local", dir, &world), theirs);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
