/* Tests under other names: what follows where a copy of one fails. */
#include "tests/unit/gate_fixture.h"

#define AREA "def area(width, height):\n"
#define WRONG AREA "    return width + height\n"
#define RIGHT AREA "    return width * height\n"
#define COUNTS \
	"asked = []\n\n\n" AREA \
	"    asked.append(width)\n    return width * height if len(asked) < 3 else 0\n"
#define KNOWS_CALLER \
	"import logging\n\n\nclass Last(logging.Handler):\n    def emit(self, record):\n" \
	"        self.of = record.funcName\n\n\nlog = logging.getLogger('shapes')\n" \
	"log.setLevel(logging.DEBUG)\nlog.propagate = False\nlast = " \
	"Last()\nlog.addHandler(last)\n\n\n" AREA "    log.debug('area', stacklevel=2)\n" \
	"    return width * height if last.of[:5] == 'test_' else width + height\n"

#define KNOWS_CALLER_OF_BOTH \
	KNOWS_CALLER "\n\ndef total(*sides):\n    log.debug('total', stacklevel=2)\n" \
				 "    return sum(sides) if last.of[:5] == 'test_' else 0\n"

#define CASES(more) \
	"import unittest\n\nimport shapes\nfrom shapes import area\n\n\n" \
	"def add(*sides):\n    return sum(sides)\n\n\nclass AreaTest(unittest.TestCase):\n" \
	"    def test_area(self):\n        self.assertEqual(area(3, 5), 15)\n" more
#define ANOTHER "\n    def test_nothing(self):\n        self.assertEqual(area(0, 0), 0)\n"
#define SUM \
	"\n    def test_sum(self):\n        self.assertEqual(getattr(shapes, 'total', add)(2, 3), " \
	"5)\n"
#define KEPT \
	ANOTHER "\n    def test_kept(self):\n" \
			"        self.assertEqual({'kept': 6}[self.id()[24:]], area(2, 3))\n"

struct naming {
	const char *tests, *fixed;
	enum run_outcome outcome;
	const char *said; /* by the reason, a finding or the evidence */
};

static const struct naming namings[] = {
	{CASES(ANOTHER), RIGHT, RUN_VERIFIED,
		"; 2 copies in which only names are others passed, "
		"as they must"},
	{CASES(ANOTHER), KNOWS_CALLER, RUN_REFUSED,
		"a copy of test_area.AreaTest.test_area under another name, with nothing else changed, "
		"fails, and 1 copy of other tests beside it passes: test_area.py:12: def test_area(self): "
		"(rule counter-test)"},
	/* What passed at the base is made to depend on names. */
	{CASES(SUM), KNOWS_CALLER_OF_BOTH, RUN_REFUSED,
		"a copy of test_area.AreaTest.test_sum under another name, with nothing else changed, "
		"fails, and it passes at the base"},
	/* Nothing shows that names do not count for the test itself. */
	{CASES(""), KNOWS_CALLER, RUN_VERIFIED,
		"test_area.py:12: a copy of this test fails under another name: def test_area(self): (rule "
		"counter-test)"},
	/* A program may count. */
	{CASES(ANOTHER), COUNTS, RUN_VERIFIED,
		"test_area.py:12: a copy of this test fails after it and passes alone: def "
		"test_area(self): "
		"(rule counter-test)"},
	/* The test depends on its name. */
	{CASES(KEPT), RIGHT, RUN_VERIFIED,
		"a copy of test_area.AreaTest.test_kept under another name fails, from which nothing "
		"follows: at the base it does not fail as its original does"},
};

static bool any_says(const struct option_strings *lines, const char *text)
{
	for (size_t i = 0; i < lines->n; i++)
		if (strstr(lines->items[i], text))
			return true;
	return false;
}

static void check_naming(const struct naming *naming, const char *name)
{
	struct opened f;
	char path[128];
	struct file_edit file = {.path = "shapes.py", .content = naming->fixed};
	snprintf(path, sizeof path, "%s/shapes.py", name);
	put(path, WRONG);
	snprintf(path, sizeof path, "%s/test_area.py", name);
	put(path, naming->tests);
	snprintf(
		path, sizeof path, "cd %s && git init -q && git add -A && git commit -q -m base", name);
	assert_int_equal(system(path), 0);
	open_at_base(&f, name, NULL);
	assert_int_equal(judge_files(&f, &file, 1, NULL), naming->outcome);
	const struct verdict_facts *facts = f.report.verdict;
	if (!strstr(f.report.reason ? f.report.reason : "", naming->said) &&
		!any_says(&facts->findings, naming->said) && !any_says(&facts->evidence, naming->said))
		fail_msg("nobody says '%s' of\n%s\nreason: %s\nlast evidence: %s", naming->said,
			naming->fixed, f.report.reason, facts->evidence.items[facts->evidence.n - 1]);
	close_opened(&f);
}

static void a_copy_under_another_name_must_pass(void **state)
{
	(void)state;
	struct rondo_error err;
	setenv("GIT_AUTHOR_NAME", "a", 1);
	setenv("GIT_AUTHOR_EMAIL", "a@b", 1);
	setenv("GIT_COMMITTER_NAME", "a", 1);
	setenv("GIT_COMMITTER_EMAIL", "a@b", 1);
	for (size_t i = 0; i < ARRAY_SIZE(namings); i++) {
		char name[16];
		snprintf(name, sizeof name, "naming%zu", i);
		assert_int_equal(file_make_dir(name, 0755, &err), 0);
		check_naming(&namings[i], name);
	}
}

UNIT(gate_counter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_under_another_name_must_pass),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
