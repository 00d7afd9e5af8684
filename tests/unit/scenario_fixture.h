/* What the tests of scenario files share: a file f.yaml in a directory of its own, and all that is
 * said of it. */
#pragma once
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/run.h"
#include "run/scenario/scenario.h"

/* A scenario with nothing wrong, of three lines; what a row of a table adds begins in the
 * fourth. */
#define WELL \
	"task: x\nagents: {a: executor, t: tester}\nteam: {type: round_robin, participants: [a, t]}\n"

/* What is said of a type that there is not. */
#define ONE_OF "; it must be one of "
#define AGENTS ONE_OF "repair, coder, command, acp, sequence, team, executor, tester, user"
#define MODELS \
	ONE_OF "openai, openai_responses, anthropic, azure, gemini, openrouter, deepseek, ollama, " \
		   "llamacpp, vllm, lmstudio, command, fallback, record, replay"
#define EXECUTORS ONE_OF "sandbox, docker, jupyter, daytona, local"
#define ASSERTIONS \
	ONE_OF "contains, not_contains, regex, exit_code, file_equals, tests_pass, stop_reason"
#define TERMINATIONS \
	ONE_OF "tests_pass, text_mention, text_message, stop_message, source_match, handoff, " \
		   "max_messages, token_usage, max_cost, timeout, no_progress, empty_message, external, " \
		   "command, and, or"

struct said {
	const char *text; /* of the file, or behind WELL */
	const char *said; /* a line each, without "f.yaml:"; "": nothing is wrong */
};

static char scenario_source[4096]; /* where the tests were started: the project */
static char scenario_top[TOP_SIZE];

/* The directory of the test is the home, and where everybody is. */
static inline int scenario_set_up(void **state)
{
	(void)state;
	if (!getcwd(scenario_source, sizeof scenario_source) || !make_top(scenario_top) ||
		chdir(scenario_top) < 0)
		return -1;
	setenv("HOME", scenario_top, 1);
	unsetenv("XDG_CONFIG_HOME");
	return 0;
}

static inline int scenario_tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(scenario_top, &err);
}

#define RUN_SCENARIO_TESTS(tests) cmocka_run_group_tests(tests, scenario_set_up, scenario_tear_down)

/* In the directory of the test, over what is there. */
static inline void put_file(const char *path, const char *text, size_t n)
{
	struct rondo_error err;
	unlink(path);
	assert_int_equal(file_create(path, text, n, 0644, &err), 0);
}

/* Each line behind "f.yaml:". */
static inline void add_expected(struct strbuf *sb, const char *said)
{
	while (*said) {
		size_t n = strcspn(said, "\n");
		strbuf_adds(sb, "f.yaml:");
		strbuf_add(sb, said, n);
		strbuf_addc(sb, '\n');
		said += n + (said[n] == '\n');
	}
}

/* What rondo check says of f.yaml, but for the line that counts. */
static inline void assert_checked(const char *said)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	AUTO_STRBUF found = STRBUF_INIT(1 << 20), expected = STRBUF_INIT(1 << 20);
	static const char *paths[] = {"f.yaml"};
	struct run_check check = {.text = &found};
	assert_int_equal(run_check(&(struct option_strings){paths, 1}, &arena, &check, &err), 0);
	add_expected(&expected, said);
	assert_string_equal(found.text, expected.text);
	assert_int_equal(check.n_wrong, *said != '\0');
}

static inline void assert_says(const char *before, const char *text, const char *said)
{
	AUTO_STRBUF file = STRBUF_INIT(1 << 20);
	strbuf_addf(&file, "%s%s\n", before, text);
	put_file("f.yaml", file.text, file.length);
	assert_checked(said);
}

static inline void assert_all(const char *before, const struct said *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_says(before, rows[i].text, rows[i].said);
}

/* Reads f.yaml as rondo run does; all that is said, line by line. */
static inline void assert_read(const struct scenario_settings *settings, struct arena *arena,
	const char *text, struct scenario *scenario, const char *said)
{
	struct problems problems = {.arena = arena};
	AUTO_STRBUF found = STRBUF_INIT(1 << 20);
	put_file("f.yaml", text, strlen(text));
	scenario_init(scenario, arena);
	scenario_read(scenario, "f.yaml", settings, &problems);
	problems_print(&problems, &found);
	assert_string_equal(found.text, said);
}
