/* What a block costs in the sandbox, against fork and exec of the same program and a bare bwrap around it, round-robin. */
#include "base/process.h"
#include "tests/bench/bench.h"
#include "tests/lib/box.h"

#define RUNS 100

static int64_t run_bare(const char *const argv[])
{
	struct rondo_error err;
	struct process_result result;
	int64_t start = clock_now_us();
	bench_must(process_run(&(struct process_options){.argv = argv}, &result, &err), &err);
	return clock_now_us() - start;
}

static int64_t run_block(struct box_of_tests *box, const char *line)
{
	struct rondo_error err;
	struct process_result result;
	int64_t start = clock_now_us();
	struct command command = {.line = line, .timeout_ms = 10000};
	bench_must(executor_run(box->executor, &command, &result, &box->ctx, &err), &err);
	return clock_now_us() - start;
}

int main(void)
{
	static const char *const bare[] = {"/bin/true", NULL};
	static const char *const bwrap[] = {"/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/", "/", "/bin/true", NULL};
	static const char *const names[] = {"fork and exec", "bare bwrap", "a block", "a block of python"};
	int64_t times[ARRAY_SIZE(names)][RUNS];
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct box_of_tests box = {.executor = NULL};
	const char *dir = bench_directory(&arena);
	box_open(&box, dir, NULL, 0);
	for (size_t i = 0; i < RUNS; i++) {
		times[0][i] = run_bare(bare);
		times[1][i] = run_bare(bwrap);
		times[2][i] = run_block(&box, "true");
		times[3][i] = run_block(&box, "/usr/bin/python3 -I -S -c pass");
	}
	int64_t floor = bench_median(times[0], RUNS);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		printf("sandbox: %-17s %6.2f ms, %4.1f x fork and exec\n", names[i], (double)bench_median(times[i], RUNS) / 1000,
			(double)bench_median(times[i], RUNS) / (double)floor);
	box_close(&box);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
