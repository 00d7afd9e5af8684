/* Messages of commits: subjects that say what was wrong, bodies that hide nothing, trailers that
 * git reads. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/report/report.h"
#include "tests/unit/report_fixture.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static const char *cart[] = {"cart/pricing.py:41  swap the arguments of apply_discount"};

static struct stages fixed(struct run_test *goal, size_t n)
{
	return (struct stages){.site = {.command = "pytest -q"},
		.baseline = {.n_tests = 18, .n_passed = 16, .goal = goal, .n_goal = n},
		.talk = {.what = cart[0], .edits = {cart, 1}},
		.verdict = {.has_counts = true, .n_tests = 18, .n_passed = 18},
		.change = {.stat = "cart/pricing.py | 2 +-"},
		.report = {.outcome = RUN_VERIFIED,
			.id = "20261121-101502-7c1e",
			.coder = "repair (no model)",
			.n_fixed = 2}};
}

static struct run_test two[] = {
	{.id = "tests/test_cart.py::test_total_with_discount",
		.message = "assert 90.0 == 81.0",
		.place = "tests/test_cart.py:12"},
	{.id = "tests/test_cart.py::test_two_discounts", .message = "assert 170.0 == 145.0"},
};

/* What git reads as trailers. */
static const char *trailers_of(const char *message)
{
	char path[] = "/tmp/rondo-message-XXXXXX", line[4096];
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, message, strlen(message)), 0);
	close(fd);
	FILE *pipe = popen(arena_printf(&arena, "git interpret-trailers --parse <%s", path), "r");
	while (pipe && fgets(line, sizeof line, pipe))
		strbuf_adds(&text, line);
	assert_int_equal(pclose(pipe), 0);
	file_remove_tree(path, &err);
	return arena_strdup(&arena, text.text);
}

static void subject_names_place_and_change(void **state)
{
	(void)state;
	struct stages stages = fixed(two, 2);
	assert_string_equal(commit_subject(report_of(&stages), &arena),
		"pricing: swap the arguments of apply_discount");
	stages.talk.edits.items = (const char *[]){"a/b.py:3  '<' to '<='"};
	stages.talk.what = stages.talk.edits.items[0];
	stages.change.stat = "a/b.py | 2 +-";
	stages.change.patch = "--- a/a/b.py\n"
						  "+++ b/a/b.py\n"
						  "@@ -1,3 +1,3 @@ def within(low, high):\n"
						  "-    x\n"
						  "+    y\n";
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "b: change '<' to '<=' in within");
	stages.change.patch = "--- a/a/b.py\n"
						  "+++ b/a/b.py\n"
						  "@@ -1,3 +1,3 @@\n"
						  " def within(low, high):\n"
						  "-    x\n"
						  "+    y\n";
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "b: change '<' to '<=' in within");
	stages.change.stat = "cart/__init__.py | 2 +-";
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "cart: change '<' to '<=' in within");
	stages.change.stat = "src/cart/a.py | 2 +-\nsrc/cart/sub/b.py | 2 +-";
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "cart: change '<' to '<=' in within");
	stages.change.stat = "a.py | 2 +-\nb.py | 2 +-";
	assert_string_equal(commit_subject(report_of(&stages), &arena), "change '<' to '<=' in within");
}

static void model_says_it_in_its_own_words(void **state)
{
	(void)state;
	static const struct {
		const char *said, *subject;
	} cases[] = {
		{"The arguments of `apply_discount` were **swapped**. That gave 90.\n\n"
		 "cart/pricing.py\n"
		 "```python\n",
			"pricing: the arguments of apply_discount were swapped"},
		{"## Fix\n\n"
		 "cart: apply_discount takes its arguments in the other order.\n",
			"cart: apply_discount takes its arguments in the other order"},
		{"cart/pricing.py\n```python\nx = 1\n```\n", "pricing: make 2 failing tests pass"},
		{"\x1b[31mred\x1b[0m words\there\r\n", "pricing: \\e[31mred\\e[0m words here"},
		{"HTTP codes are strings\n", "pricing: HTTP codes are strings"},
		{"", "pricing: make 2 failing tests pass"},
		{"The discount is given before the tax is added to the sum, which makes it too small by a "
		 "tenth of the tax.",
			"pricing: the discount is given before the tax is added to the sum"},
		{"fixup! x y\n", "pricing: fixup! x y"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct stages stages = fixed(two, 2);
		stages.talk.said = cases[i].said;
		assert_string_equal(commit_subject(report_of(&stages), &arena), cases[i].subject);
	}
}

static void subject_stays_within_72_columns(void **state)
{
	(void)state;
	struct stages stages = fixed(two, 2);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (int i = 0; i < 40; i++)
		strbuf_adds(&text, i % 2 ? "größe " : "größenordnung ");
	stages.talk.said = text.text;
	const char *subject = commit_subject(report_of(&stages), &arena);
	assert_true(utf8_columns(subject, strlen(subject)) <= 72);
	assert_int_equal(utf8_valid_length(subject, strlen(subject)), strlen(subject));
	assert_true(text_ends_with(subject, "..."));
}

static void several_edits_are_told_by_what_passes(void **state)
{
	(void)state;
	struct stages stages = fixed(two, 2);
	stages.talk.edits.items = (const char *[]){"a.py:1  '<' to '<='", "a.py:9  '+' to '-'"};
	stages.talk.edits.n = 2;
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "pricing: make 2 failing tests pass");
	stages.baseline.n_goal = 1;
	assert_string_equal(
		commit_subject(report_of(&stages), &arena), "pricing: make test_total_with_discount pass");
	const char *message = commit_message(report_of(&stages), &(struct commit_options){0}, &arena);
	assert_non_null(strstr(message, "\n    a.py:1 '<' to '<='\n    a.py:9 '+' to '-'\n"));
}

static void message_has_failures_change_and_trailers(void **state)
{
	(void)state;
	struct stages stages = fixed(two, 2);
	const char *author = "Ann Other <ann@example.org>";
	struct option_strings authors = {&author, 1};
	const char *message = commit_message(
		report_of(&stages), &(struct commit_options){.co_authors = &authors}, &arena);
	assert_string_equal(message,
		"pricing: swap the arguments of apply_discount\n\n"
		"2 tests failed:\n\n"
		"    tests/test_cart.py::test_total_with_discount\n        assert 90.0 == 81.0\n"
		"    tests/test_cart.py::test_two_discounts\n        assert 170.0 == 145.0\n\n"
		"What was changed:\n\n    cart/pricing.py:41 swap the arguments of apply_discount\n\n"
		"Found and verified by rondo: it ran `pytest -q` at the base and in fresh\n"
		"checkouts of this commit, with tests and their configuration as in the\n"
		"base: 18 of 18 passed (was 16).\n\n"
		"Rondo-Run: 20261121-101502-7c1e\nRondo-Tests: 18 passed, 0 failed (was 16, 2)\n"
		"Rondo-Fixed: tests/test_cart.py::test_total_with_discount\n"
		"Rondo-Fixed: tests/test_cart.py::test_two_discounts\n"
		"Rondo-Model: none (repair)\nRondo-Cost: 0\nCo-authored-by: Ann Other <ann@example.org>\n");
	assert_string_equal(trailers_of(message), strstr(message, "Rondo-Run: "));
}

static void hostile_ids_make_no_trailer(void **state)
{
	(void)state;
	struct run_test goal[] = {
		{.id = "a\n\n"
			   "Signed-off-by: nobody <n@example.org>\n"
			   "Rondo-Cost: 9",
			.message = "---\n"
					   "diff --git a/x b/x\n"
					   "# gone"},
		{.id = "Rondo-Model: gpt: \t x", .message = "\n\nCo-authored-by: M <m@example.org>"},
		{.id = "", .message = ""},
		{.id = "\x1b[2J\x01\xff", .message = "fine"},
	};
	struct stages stages = fixed(goal, 4);
	stages.baseline.flaky.items = (const char *[]){"Reviewed-by: x\n--- \n"};
	stages.baseline.flaky.n = 1;
	stages.verdict.left_out.items = (const char *[]){"pytest.ini (rule protected-file)"};
	stages.verdict.left_out.n = 1;
	const char *message =
		commit_message(report_of(&stages), &(struct commit_options){.subject = "mine"}, &arena);
	assert_string_equal(trailers_of(message),
		"Rondo-Run: 20261121-101502-7c1e\nRondo-Tests: 18 passed, 0 failed (was 16, 2)\n"
		"Rondo-Fixed: a Signed-off-by: nobody <n@example.org> Rondo-Cost: 9\n"
		"Rondo-Fixed: Rondo-Model: gpt: x\n"
		"Rondo-Fixed: \n"
		"Rondo-Fixed: \\e[2J\\x01\xef\xbf\xbd\n"
		"Rondo-Model: none (repair)\n"
		"Rondo-Cost: 0\n");
	assert_true(text_starts_with(message, "mine\n\n"));
	assert_null(strstr(message, "\n---"));
	assert_null(strstr(message, "\n#"));
	assert_non_null(strstr(message,
		"Left out of the fix:\n\n"
		"    pytest.ini (rule protected-file)\n"));
	assert_non_null(strstr(message, "counted neither way:\n\n    Reviewed-by: x ---\n"));
}

static void many_fixed_tests_are_counted(void **state)
{
	(void)state;
	struct run_test *goal = arena_alloc(&arena, 21 * sizeof *goal);
	for (int i = 0; i < 21; i++)
		goal[i].id = arena_printf(&arena, "t%d", i);
	struct stages stages = fixed(goal, 21);
	const char *message = commit_message(report_of(&stages), &(struct commit_options){0}, &arena);
	assert_non_null(strstr(message, "    and 11 more\n"));
	assert_non_null(strstr(message, "Rondo-Fixed: t19\nRondo-Fixed-Count: 21\n"));
	assert_null(strstr(message, "Rondo-Fixed: t20"));
}

static void cost_that_nobody_knows_is_unknown(void **state)
{
	(void)state;
	struct stages stages = fixed(two, 2);
	stages.report.spent.models = "openai/x, fast";
	stages.report.spent.usage = (struct rondo_usage){.prompt_tokens = 11, .completion_tokens = 7};
	stages.report.spent.cost_usd = -1;
	assert_non_null(strstr(commit_message(report_of(&stages), &(struct commit_options){0}, &arena),
		"Rondo-Model: openai/x, fast\nRondo-Cost: unknown (18 tokens)\n"));
	stages.report.spent.cost_usd = 0.0018;
	assert_non_null(strstr(commit_message(report_of(&stages), &(struct commit_options){0}, &arena),
		"Rondo-Cost: 0.0018 USD (18 tokens)\n"));
}

static void options_are_checked(void **state)
{
	(void)state;
	static const char *const authors[] = {"", "Ann", "ann@example.org", "<ann@example.org>",
		"Ann <ann>", "Ann <@x>", "Ann <a@>", "Ann <a@b> ", "Ann <a b@c>",
		"Ann\n"
		"<a@b>",
		" Ann <a@b>", "Ann<a@b>",
		"Ann <a@b>\n"
		"Signed-off-by: x <x@y>",
		"A <<a@b>"};
	static const char *const subjects[] = {"", "two\nlines", " x", "# x", "a\x1b[m"};
	struct rondo_error err;
	for (size_t i = 0; i < ARRAY_SIZE(authors); i++)
		assert_int_equal(commit_check_author(authors[i], &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		assert_int_equal(commit_check_subject(subjects[i], &err), -1);
	assert_int_equal(commit_check_author("Ann Ö. Other <ann.o@mail.example.org>", &err), 0);
	assert_int_equal(commit_check_subject("cart: größer (#12)", &err), 0);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

UNIT(commit_message)
{
	const struct CMUnitTest tests[] = {
		TEST(subject_names_place_and_change),
		TEST(model_says_it_in_its_own_words),
		TEST(subject_stays_within_72_columns),
		TEST(several_edits_are_told_by_what_passes),
		TEST(message_has_failures_change_and_trailers),
		TEST(hostile_ids_make_no_trailer),
		TEST(many_fixed_tests_are_counted),
		TEST(cost_that_nobody_knows_is_unknown),
		TEST(options_are_checked),
	};
	return RUN_TESTS(tests);
}
