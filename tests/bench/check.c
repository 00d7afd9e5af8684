/* check RONDO: `rondo check` on a directory of 100 scenarios of 60 lines. */
#include "base/process/process.h"
#include "tests/bench/bench.h"

#define FILES 100
#define RUNS 30

static const char scenario[] =
	"name: bench\n"
	"task: |\n"
	"  Correct this program; its tests fail. {{trace}}\n"
	"parameters:\n"
	"  trace: {default: none, description: what it printed}\n"
	"  turns: {type: int, default: 8}\n"
	"models:\n"
	"  small: {provider: openai, model: gpt-5-mini, temperature: 0.2, timeout: 5m, retries: 3}\n"
	"  said:\n"
	"    provider: replay\n"
	"    replies:\n"
	"%s"
	"agents:\n"
	"  bug_fixer:\n"
	"    type: coder\n"
	"    model: small\n"
	"    instructions: |\n"
	"      Reply with the whole program in one fenced block.\n"
	"      Say TERMINATE when it runs.\n"
	"  second: {sequence: [repair, coder/said, openai/gpt-5]}\n"
	"  code_executor: executor\n"
	"  tester: tester\n"
	"team:\n"
	"  type: round_robin\n"
	"  participants: [bug_fixer, second, code_executor, tester]\n"
	"  termination: {or: [tests_pass, {and: [text_mention/TERMINATE, {text_mention: {text: DONE, "
	"mode: line}}]}]}\n"
	"  max_turns: '{{turns}}'\n"
	"executor: {type: sandbox, network: none, timeout: 30s, env: {GREETING: hello}}\n"
	"workspace:\n"
	"  files:\n"
	"    main.py: |\n"
	"      print('{{turns}}')\n"
	"limits: {time: 10m, cost: 1, tokens: 100000}\n"
	"protect: [\"docs/**\"]\n"
	"assert:\n"
	"  - {contains: DONE}\n"
	"  - {regex: \"^D.*E$\"}\n"
	"  - {exit_code: 0}\n"
	"  - {file_equals: {path: main.py, value: x}}\n";

static void write_files(const char *dir, struct arena *arena)
{
	struct rondo_error err;
	AUTO_STRBUF replies = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 20; i++)
		strbuf_addf(&replies,
			"      - \"reply %d: \\u00e9 and more of what a model says, with a colon\"\n", i);
	const char *text = arena_printf(arena, scenario, replies.text);
	for (int i = 0; i < FILES; i++) {
		const char *path = arena_printf(arena, "%s/%d.yaml", dir, i);
		bench_must(file_create(path, text, strlen(text), 0644, &err), &err);
	}
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct process_result result;
	int64_t times[RUNS];
	if (argc != 2) {
		fprintf(stderr, "usage: check RONDO\n");
		return 2;
	}
	const char *dir = bench_directory(&arena);
	const char *words[] = {argv[1], "check", dir, NULL};
	write_files(dir, &arena);
	for (size_t i = 0; i < RUNS; i++) {
		int64_t start = clock_now_us();
		bench_must(process_run(&(struct process_options){.argv = words,
								   .env = (const char *const *)environ},
					   &result, &err),
			&err);
		times[i] = clock_now_us() - start;
		if (result.exit_code != 0) {
			fprintf(stderr, "check: rondo check finds errors in %s\n", dir);
			return 1;
		}
	}
	printf("check: rondo check of %d scenarios %.1f ms (limit 100 ms)\n", FILES,
		(double)bench_median(times, RUNS) / 1000);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
