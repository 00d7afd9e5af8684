/* Test programs that are started again without the runner that started them first. */
#include "tests/unit/unit.h"

#include "agents/trial/trial_engine.h"
#include "base/file.h"
#include "base/process/process.h"
#include "base/strbuf.h"

struct played {
	struct arena arena;
	char top[TOP_SIZE];
};

static void played_put(struct played *played, const char *name, const char *text, size_t n)
{
	struct rondo_error err;
	const char *path = arena_printf(&played->arena, "%s/%s", played->top, name);
	assert_int_equal(file_create(path, text, n, 0755, &err), 0);
}

/* A program that says which candidate it has, and fails for the third. */
static void played_begin(struct played *played)
{
	static const char tests[] = "#!/bin/sh\n"
								"echo \"$0 $1 $CHOICE in ${PWD##*/} $OTHER\"\n"
								"[ \"$CHOICE\" != 3 ]\n";
	const struct warm_program *program = trial_program("rerun");
	*played = (struct played){.top = ""};
	assert_non_null(make_top(played->top));
	played_put(played, "rerun", program->text, program->n);
	played_put(played, "tests", tests, strlen(tests));
}

static void played_end(struct played *played)
{
	struct rondo_error err;
	assert_int_equal(file_remove_tree(played->top, &err), 0);
	arena_release(&played->arena);
}

/* Run lines by their questions. What the last one printed, and what was answered, up to the time
 * that it took. */
static const char *played_run(
	struct played *played, const char *line, const char *questions, const char **ret_answers)
{
	struct arena *arena = &played->arena;
	struct process_result result;
	struct rondo_error err;
	AUTO_STRBUF answers = STRBUF_INIT(STRBUF_TEXT);
	const char *text = arena_printf(arena,
		"cd %s && mkdir -p sub && printf '%s' | "
		"./rerun CHOICE \"$PWD/printed\" \"$LINE\" \"$LINE\" | cut -d' ' -f1-3",
		played->top, questions);
	const char *const argv[] = {"/bin/sh", "-c", text, NULL};
	const char *const env[] = {"PATH=/usr/bin:/bin", arena_printf(arena, "LINE=%s", line), NULL};
	struct process_options options = {
		.argv = argv, .env = env, .timeout_ms = 60000, .output = &answers};
	assert_int_equal(process_run(&options, &result, &err), 0);
	*ret_answers = arena_strdup(arena, answers.text);
	AUTO_STRBUF printed = STRBUF_INIT(STRBUF_TEXT);
	const char *path = arena_printf(arena, "%s/printed", played->top);
	assert_int_equal(file_read(path, 1 << 20, &printed, &err), 0);
	return arena_strdup(arena, printed.text);
}

static void what_cargo_started_is_started_again(void **state)
{
	(void)state;
	struct played played;
	const char *answers, *printed;
	played_begin(&played);
	static const char line[] =
		"rondo-replay goal 'echo built; echo \"     Running tests/a.rs (target/a-1)\"; cd sub; "
		"OTHER=x rondo-note cargo ../tests one; echo error: this and that'";
	printed = played_run(&played, line, "1 0 0 9000 9000\\n", &answers);
	assert_string_equal(answers, "1 exit 0\n");
	assert_string_equal(printed,
		"built\n     Running tests/a.rs (target/a-1)\n../tests one 0 in sub x\n"
		"error: this and that\n");
	printed = played_run(&played, line, "1 0 0 9000 9000\\n2 1 3 9000 9000\\n", &answers);
	assert_string_equal(answers, "1 exit 0\n2 exit 1\n");
	assert_string_equal(printed, "     Running tests/a.rs (target/a-1)\n../tests one 3 in sub x\n");
	played_end(&played);
}

/* Each is a program of its own, which is not there any more; together they are one section. */
static void doc_tests_are_started_again(void **state)
{
	(void)state;
	struct played played;
	const char *answers;
	played_begin(&played);
	static const char line[] =
		"rondo-replay goal 'printf \"   Doc-tests acme\\n\\nrunning 2 tests\\n\"; "
		"for i in 1 2; do mkdir rustdoctest$i; cp tests rustdoctest$i/rust_out; "
		"printf \"test a.rs - f (line $i) ... \"; "
		"rondo-note cargo $PWD/rustdoctest$i/rust_out | cat; "
		"rm -r rustdoctest$i; echo ok; done'";
	const char *printed =
		played_run(&played, line, "1 0 0 9000 9000\\n2 1 2 9000 9000\\n", &answers);
	assert_string_equal(answers, "1 exit 0\n2 exit 0\n");
	assert_non_null(strstr(printed, "   Doc-tests acme\n\nrunning 1000 tests\n"));
	assert_non_null(strstr(printed, "\ntest a.rs - f (line 1) ... ok\n"));
	assert_non_null(strstr(printed, "\ntest a.rs - f (line 2) ... ok\n"));
	assert_non_null(strstr(printed, "\ntest result: ok. 2 passed; 0 failed; 0 ignored;"));
	played_end(&played);
}

/* Go's test programs hold the path of their package; what else is started in its place does not. */
static void what_go_started_is_started_again(void **state)
{
	(void)state;
	struct played played;
	const char *answers, *printed;
	played_begin(&played);
	static const char line[] =
		"rondo-replay goal 'printf \"\\n#\\377 Go buildinf:..path\\tm/a.test\\n\" >>tests; "
		"cp tests a.test; rondo-note go ./a.test; rm a.test'";
	printed = played_run(&played, line, "1 0 0 9000 9000\\n2 1 3 9000 9000\\n", &answers);
	assert_string_equal(answers, "1 exit 0\n2 exit 1\n");
	assert_true(text_ends_with(printed, "FAIL\tm/a\t0.000s\n"));
	assert_non_null(strstr(printed, "/0.program  3 in "));
	played_end(&played);
	played_begin(&played);
	printed = played_run(&played, "rondo-replay goal 'rondo-note go ./tests; echo all'",
		"1 0 0 9000 9000\\n2 1 2 9000 9000\\n", &answers);
	assert_true(text_ends_with(printed, "all\n"));
	played_end(&played);
}

UNIT(replay)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cargo_started_is_started_again),
		cmocka_unit_test(doc_tests_are_started_again),
		cmocka_unit_test(what_go_started_is_started_again),
	};
	return RUN_TESTS(tests);
}
