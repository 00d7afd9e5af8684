/* start RONDO: `RONDO --version`, a scenario in which an agent says two things, and `RONDO mcp` up
 * to its answer to initialize, against a program that does nothing, linked to the same libraries:
 * this one, empty. */
#include "base/process/process.h"
#include "tests/bench/bench.h"

#define RUNS 100

static const char scenario[] = "task: Say two things\n"
							   "models: {said: {provider: replay, replies: [one, TERMINATE]}}\n"
							   "agents: {speaker: {type: coder, model: said, edit_format: none}}\n"
							   "team: {participants: [speaker], termination: text_mention}\n";

static const char initialize[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
								 "\"params\":{\"protocolVersion\":\"2025-11-25\"}}\n";

static int64_t run_with(const char *const argv[], const char *input, int64_t *ret_rss_bytes)
{
	struct rondo_error err;
	struct process_result result;
	int64_t start = clock_now_us();
	bench_must(process_run(
				   &(struct process_options){
					   .argv = argv, .env = (const char *const *)environ, .input = input},
				   &result, &err),
		&err);
	*ret_rss_bytes = result.max_rss_bytes;
	if (result.exit_code == 0)
		return clock_now_us() - start;
	fprintf(stderr, "start: %s %s does not run\n", argv[0], argv[1]);
	exit(1);
}

static int64_t run(const char *const argv[])
{
	int64_t rss_bytes;
	return run_with(argv, NULL, &rss_bytes);
}

static void tell(const char *what, const int64_t *times, int64_t empty)
{
	int64_t sorted[RUNS];
	memcpy(sorted, times, sizeof sorted);
	int64_t ours = bench_median(sorted, RUNS);
	printf("start: %s %.2f ms, an empty program %.2f ms: %.2f ms more\n", what, (double)ours / 1000,
		(double)empty / 1000, (double)(ours - empty) / 1000);
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	int64_t version[RUNS], two_turns[RUNS], served[RUNS], nothing[RUNS], rss_bytes = 0;
	if (argc == 2 && strcmp(argv[1], "--nothing") == 0)
		return 0;
	if (argc != 2) {
		fprintf(stderr, "usage: start RONDO\n");
		return 2;
	}
	const char *dir = bench_directory(&arena), *file = arena_printf(&arena, "%s/two.yaml", dir);
	setenv("XDG_STATE_HOME", dir, 1);
	setenv("XDG_CACHE_HOME", dir, 1);
	setenv("XDG_CONFIG_HOME", dir, 1);
	bench_must(file_create(file, scenario, strlen(scenario), 0644, &err), &err);
	for (size_t i = 0; i < RUNS; i++) {
		nothing[i] = run((const char *[]){argv[0], "--nothing", NULL});
		version[i] = run((const char *[]){argv[1], "--version", NULL});
		two_turns[i] = run((const char *[]){argv[1], "run", file, "--quiet", NULL});
		served[i] = run_with((const char *[]){argv[1], "mcp", NULL}, initialize, &rss_bytes);
	}
	int64_t empty = bench_median(nothing, RUNS);
	tell("rondo --version", version, empty);
	tell("two turns of a scenario", two_turns, empty);
	tell("rondo mcp, one answer", served, empty);
	printf("start: rondo mcp %.1f MB\n", (double)rss_bytes / (1 << 20));
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
