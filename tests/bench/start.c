/* start RONDO: `RONDO --version` against a program that does nothing, linked to the same libraries: this one, empty. */
#include "base/process.h"
#include "tests/bench/bench.h"

#define RUNS 200

extern char **environ;

static int64_t run(const char *program, const char *argument)
{
	struct rondo_error err;
	struct process_result result;
	const char *argv[] = {program, argument, NULL};
	int64_t start = clock_now_us();
	bench_must(process_run(&(struct process_options){.argv = argv, .env = (const char *const *)environ},
			   &result, &err),
		&err);
	if (result.exit_code == 0)
		return clock_now_us() - start;
	fprintf(stderr, "start: %s %s does not run\n", program, argument);
	exit(1);
}

int main(int argc, char **argv)
{
	int64_t rondo[RUNS], nothing[RUNS];
	if (argc == 2 && strcmp(argv[1], "--nothing") == 0)
		return 0;
	if (argc != 2) {
		fprintf(stderr, "usage: start RONDO\n");
		return 2;
	}
	for (size_t i = 0; i < RUNS; i++) {
		nothing[i] = run(argv[0], "--nothing");
		rondo[i] = run(argv[1], "--version");
	}
	int64_t ours = bench_median(rondo, RUNS), empty = bench_median(nothing, RUNS);
	printf("start: rondo --version %.2f ms, an empty program %.2f ms: %.2f ms more\n",
		(double)ours / 1000, (double)empty / 1000, (double)(ours - empty) / 1000);
	return 0;
}
