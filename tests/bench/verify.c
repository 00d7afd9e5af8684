/*
 * What `rondo verify` of a one-line change costs beside the suite's own runs, of which each prints
 * when it began and ended. In the sandbox, uncommitted work against HEAD: of a base whose test
 * fails, and of one where nothing does.
 */
#include <inttypes.h>

#include "tests/bench/bench.h"

enum { ROUNDS = 7, RUNS_MOST = 64 };

static const char suite[] = "import sys, time\n"
							"sys.path.insert(0, \".\")\n"
							"from shapes import area, double\n"
							"time.sleep(0.5)\n"
							"print(\"1..2\")\n"
							"print(\"ok\" if area(3, 5) == 15 else \"not ok\", \"1 - area\")\n"
							"print(\"ok\" if double(4) == 8 else \"not ok\", \"2 - double\")\n"
							"sys.exit(area(3, 5) != 15)\n";
static const char command[] = "begun=$(date +%s%N); python3 -S tests/run.py; code=$?; "
							  "echo \"# from $begun to $(date +%s%N)\"; exit $code";

static void make_repository(const char *dir, const char *before, const char *after)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	bench_shell(dir, "mkdir -p repo/tests");
	const char *path = arena_printf(&arena, "%s/repo/tests/run.py", dir);
	bench_must(file_create(path, suite, strlen(suite), 0644, &err), &err);
	bench_shell(dir,
		arena_printf(&arena,
			"cd repo; git init -q; git config user.name bench; git config user.email "
			"bench@localhost; printf 'def area(width, height):\\n    return %s\\n\\n\\ndef "
			"double(x):\\n    return "
			"x * 2\\n' >shapes.py; git add .; git commit -qm base; sed -i '2s/return.*/return "
			"%s/' shapes.py",
			before, after));
}

/* Microseconds in which at least one run of the suite was under way. */
static int64_t suite_us(const char *dir, int *ret_n)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	struct process_result result;
	const char *words[] = {"/bin/sh", "-c",
		"cat $(find state -name '*.log') | sed -n 's/^# from \\(.*\\) to/\\1/p' | sort -n", NULL};
	struct process_options options = {
		.argv = words, .env = (const char *const *)environ, .cwd = dir, .output = &said};
	bench_must(process_run(&options, &result, &err), &err);
	int64_t sum_ns = 0, until_ns = 0;
	*ret_n = 0;
	for (const char *at = said.text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		int64_t begun_ns, ended_ns;
		if (sscanf(at, "%" SCNd64 " %" SCNd64, &begun_ns, &ended_ns) != 2)
			continue;
		begun_ns = begun_ns > until_ns ? begun_ns : until_ns;
		sum_ns += ended_ns > begun_ns ? ended_ns - begun_ns : 0;
		until_ns = ended_ns > until_ns ? ended_ns : until_ns;
		++*ret_n;
	}
	return sum_ns / 1000;
}

/* Microseconds beside the suite's. */
static int64_t verify_us(const char *rondo, const char *dir, int *ret_runs, int64_t *ret_suite_us)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct process_result result;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	const char *words[] = {rondo, "verify", "--executor", "sandbox", "--test", command, NULL};
	const char *repo = arena_printf(&arena, "%s/repo", dir);
	bench_shell(dir, "rm -rf state cache");
	struct process_options options = {
		.argv = words, .env = (const char *const *)environ, .cwd = repo, .output = &said};
	setenv("XDG_STATE_HOME", arena_printf(&arena, "%s/state", dir), 1);
	setenv("XDG_CACHE_HOME", arena_printf(&arena, "%s/cache", dir), 1);
	int64_t start_us = clock_now_us();
	bench_must(process_run(&options, &result, &err), &err);
	int64_t spent_us = clock_now_us() - start_us;
	if (result.exit_code != 0) {
		fprintf(stderr, "verify: exit code %d:\n%s\n", result.exit_code, said.text);
		exit(1);
	}
	*ret_suite_us = suite_us(dir, ret_runs);
	return spent_us - *ret_suite_us;
}

static void measure(const char *rondo, const char *what, const char *before, const char *after)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	int64_t beside_us[ROUNDS], of_suite_us = 0;
	int n_runs = 0;
	const char *dir = bench_directory(&arena);
	make_repository(dir, before, after);
	for (size_t i = 0; i < ROUNDS; i++)
		beside_us[i] = verify_us(rondo, dir, &n_runs, &of_suite_us);
	bench_must(file_remove_tree(dir, &err), &err);
	int64_t median_us = bench_median(beside_us, ROUNDS);
	printf("verify: %s: %.2f s beside the %.2f s of %d runs of the suite (limit 0.3 s), %.2f x\n",
		what, (double)median_us / 1e6, (double)of_suite_us / 1e6, n_runs,
		(double)(median_us + of_suite_us) / (double)of_suite_us);
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	if (argc != 2) {
		fprintf(stderr, "usage: verify RONDO\n");
		return 2;
	}
	const char *rondo = file_real_path(&arena, argv[1], &err);
	bench_must(rondo ? 0 : -1, &err);
	measure(rondo, "a line that mends a test", "width + height", "width * height");
	measure(rondo, "a line where all tests pass", "width * height", "height * width");
	return 0;
}
