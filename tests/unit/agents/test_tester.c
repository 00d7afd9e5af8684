/* What the tester says of a tree: the main checkout is edited by hand, the suite is a real one. */
#include "tests/unit/run_fixture.h"

#define CALC(add, mul, neg) \
	"def add(a, b): return " add "\ndef mul(a, b): return " mul "\ndef neg(a): return " neg "\n"
#define TESTS \
	"import sys\nfrom calc import add, mul, neg\n" \
	"tests = {'adds': lambda: add(2, 3) == 5, 'multiplies': lambda: mul(2, 3) == 6, 'negates': " \
	"lambda: neg(2) == -2}\n" \
	"wanted = sys.argv[1:] or list(tests)\nresults = [tests[name]() for name in wanted]\n" \
	"for i, name in enumerate(wanted): print('ok' if results[i] else 'not ok', i + 1, '-', " \
	"name)\n" \
	"print(f'1..{len(wanted)}')\nsys.exit(not all(results))\n"
#define MAKEFILE "check:\n\t@PYTHONPATH=. python3 -S tests/run.py\n"
#define TARGETED "PYTHONPATH=. python3 -S tests/run.py {{tests}}"

static void put_base(void)
{
	put("shop/calc.py", CALC("a - b", "a + b", "-a"));
	put("shop/tests/run.py", TESTS);
	put("shop/Makefile", MAKEFILE);
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

struct fixture {
	struct opened opened;
	struct agent *tester;
	struct response said;
	struct json *data; /* of what it said */
};

static void open_run(struct fixture *f, const char *targeted)
{
	*f = (struct fixture){0};
	open_at_base(&f->opened, "shop", targeted);
	f->tester = agent_new(&tester_agent, "tester", NULL, &f->opened.run.services);
}

static void close_run(struct fixture *f)
{
	agent_free(f->tester);
	json_free(f->data);
	close_opened(&f->opened);
}

/* What the tester says of the main checkout. */
static const char *judged(struct fixture *f)
{
	struct rondo_error err;
	struct message_span nothing = {0};
	if (agent_on_messages(f->tester, nothing, &f->opened.arena, &f->said, &f->opened.ctx, &err) < 0)
		fail_msg("%s", err.message);
	json_free(f->data);
	f->data = NULL;
	if (f->said.pass)
		return NULL;
	f->data = json_parse(f->said.message.data, strlen(f->said.message.data), &err);
	return arena_strndup(
		&f->opened.arena, f->said.message.content, strcspn(f->said.message.content, "`"));
}

static const char *edited(struct fixture *f, const char *path, const char *text)
{
	struct rondo_error err;
	struct file_edit file = {.path = path, .content = text};
	assert_int_equal(worktree_apply(f->opened.run.site->main.worktree,
						 &(struct edit){.files = &file, .n = 1}, &err),
		0);
	return judged(f);
}

static void expect_start(const char *text, const char *start)
{
	if (strncmp(text, start, strlen(start)) != 0)
		fail_msg("'%s' is not how this begins: %s", start, text);
}

static void expect_state(const struct fixture *f, int fixed, int regressions, bool part)
{
	struct object tree;
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	const char **refused;
	size_t n;
	const struct json *state = json_get(f->data, "state");
	assert_int_equal(worktree_tree(f->opened.run.site->main.worktree, NULL, 0, &arena, &tree,
						 &refused, &n, &err),
		0);
	assert_string_equal(json_string(state, "tree", ""), tree.hex);
	assert_int_equal(json_int(state, "fixed", -1), fixed);
	assert_int_equal(json_int(state, "regressions", -1), regressions);
	assert_int_equal(json_bool(f->data, "part", !part), part);
}

static void a_report_says_what_changed(void **state)
{
	(void)state;
	struct fixture f;
	open_run(&f, NULL);
	assert_null(judged(&f));
	expect_start(edited(&f, "calc.py", CALC("a + b", "a + b", "a")),
		"1 of 3 passed: 1 of 2 tests of the goal does not pass: multiplies\n"
		"fixed: adds\n"
		"still failing: multiplies\n"
		"newly broken: negates\n\nThe test command exited with code 2 and printed");
	expect_state(&f, 1, 1, false);
	assert_non_null(strstr(f.said.message.content, "\n\nfull log: /"));
	assert_null(judged(&f));
	assert_string_equal(
		edited(&f, "calc.py", CALC("a + b", "a * b", "-a")), "TESTS PASS  3 of 3 passed");
	expect_state(&f, 2, 0, false);
	close_run(&f);
}

static void the_failing_tests_come_first_then_all(void **state)
{
	(void)state;
	struct fixture f;
	open_run(&f, TARGETED);
	expect_start(edited(&f, "calc.py", CALC("a + b", "a + b", "a")),
		"1 of 2 tests of the goal does not pass: multiplies; the whole suite was not run\n"
		"fixed: adds\nstill failing: multiplies\n\nThe test command");
	expect_state(&f, 1, 0, true);
	assert_false(json_bool(f.data, "ok", true));
	expect_start(edited(&f, "calc.py", CALC("a + b", "a * b", "a")),
		"2 of 3 passed: 1 test that passed fails: negates\n"
		"fixed: adds, multiplies\n"
		"newly broken: negates\n\n");
	expect_state(&f, 2, 1, false);
	close_run(&f);
}

static void a_suite_that_depends_on_its_order_runs_whole(void **state)
{
	(void)state;
	struct fixture f;
	open_run(&f, TARGETED);
	f.opened.run.services.judges_whole = true;
	expect_start(edited(&f, "calc.py", CALC("a + b", "a + b", "-a")),
		"2 of 3 passed: 1 of 2 tests of the goal");
	close_run(&f);
}

static void what_got_worse_is_said_also_by_one_that_goes_on(void **state)
{
	(void)state;
	struct fixture f;
	struct rondo_error err;
	open_run(&f, NULL);
	expect_start(edited(&f, "calc.py", CALC("a + b", "a + b", "-a")), "2 of 3 passed");
	AUTO_JSON *saved = agent_save(f.tester, true);
	agent_reset(f.tester);
	assert_int_equal(agent_load(f.tester, saved, NULL, &err), 0);
	const char *text = edited(&f, "calc.py", CALC("a + b", "a + b", "a"));
	assert_non_null(strstr(text, "\nworse than before: 0 broken then, 1 now\n\n"));
	text = edited(&f, "calc.py", CALC("a", "a + b", "-a"));
	assert_non_null(strstr(text, "\nworse than before: 1 fixed then, 0 now\n\n"));
	close_run(&f);
}

/* The gate has to see the change that it leaves out. */
static void a_protected_change_is_in_the_state_and_not_judged(void **state)
{
	(void)state;
	struct fixture f;
	open_run(&f, NULL);
	const char *text = edited(
		&f, "tests/run.py", "print('ok 1 - adds\\nok 2 - multiplies\\nok 3 - negates\\n1..3')\n");
	expect_start(text,
		"1 of 3 passed: 2 of 2 tests of the goal do not pass, first adds\n"
		"still failing: adds, multiplies\n"
		"tests/run.py is protected: judged without its change\n\n");
	expect_state(&f, 0, 0, false);
	close_run(&f);
}

/* Else a chat with such a change would never fall silent. */
static void a_protected_change_is_judged_once(void **state)
{
	(void)state;
	struct fixture f;
	struct rondo_error err;
	open_run(&f, NULL);
	assert_non_null(edited(&f, "tests/run.py", "print('ok 1 - adds\n1..1')\n"));
	assert_null(judged(&f));
	AUTO_JSON *saved = agent_save(f.tester, true);
	agent_reset(f.tester);
	assert_int_equal(agent_load(f.tester, saved, NULL, &err), 0);
	assert_null(judged(&f));
	expect_start(edited(&f, "calc.py", CALC("a + b", "a + b", "-a")), "2 of 3 passed");
	assert_null(judged(&f));
	close_run(&f);
}

static void a_run_that_does_not_end_says_so_once(void **state)
{
	(void)state;
	struct fixture f;
	open_run(&f, NULL);
	f.opened.run.services.suite_timeout_ms = 500;
	const char *text = edited(&f, "calc.py", "while True: pass\n");
	expect_start(text, "timed out after ");
	expect_start(strchr(text, '\n'), "\nstill failing: adds, multiplies\n\nThe test command");
	close_run(&f);
}

UNIT(tester)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_says_what_changed),
		cmocka_unit_test(the_failing_tests_come_first_then_all),
		cmocka_unit_test(a_suite_that_depends_on_its_order_runs_whole),
		cmocka_unit_test(what_got_worse_is_said_also_by_one_that_goes_on),
		cmocka_unit_test(a_protected_change_is_in_the_state_and_not_judged),
		cmocka_unit_test(a_protected_change_is_judged_once),
		cmocka_unit_test(a_run_that_does_not_end_says_so_once),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
