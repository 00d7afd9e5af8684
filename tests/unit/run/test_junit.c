/* A suite's results as JUnit XML, read by Python's own parser of XML. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/memory.h"
#include "run/report/report.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static void add(
	struct test_report *report, const char *id, enum test_status status, const char *message)
{
	struct test_result result = {.id = id,
		.status = status,
		.message = message,
		.duration_ms = status == TEST_PASSED ? 1500 : 0};
	if (status == TEST_FAILED) {
		result.file = "src/a&b.py";
		result.line = 12;
	}
	test_report_add(report, &arena, &result);
}

static const char *xml_of(const struct test_report *report)
{
	AUTO_STRBUF xml = STRBUF_INIT(STRBUF_TEXT);
	junit_write(report,
		&(struct junit_facts){
			.name = "shop & co", .stage = "before", .date_ms = INT64_C(1700000000123)},
		&xml);
	return arena_strdup(&arena, xml.text);
}

/* Whether Python's parser of XML takes it, and the lines of code find in `root` what they
 * assert. */
static void expect_python(const char *xml, const char *code)
{
	FILE *pipe = popen(arena_printf(&arena,
						   "python3 -c 'import sys, xml.etree.ElementTree as t\n"
						   "root = t.fromstring(sys.stdin.buffer.read())\n"
						   "%s'",
						   code),
		"w");
	assert_non_null(pipe);
	fputs(xml, pipe);
	assert_int_equal(pclose(pipe), 0);
}

static void each_status_has_its_element(void **state)
{
	(void)state;
	struct test_report report = {.complete = true, .format = "pytest", .duration_ms = 2250};
	add(&report, "tests/test_cart.py::TestTotal::test_a[x::y]", TEST_PASSED, NULL);
	add(&report, "tests/test_cart.py::test_b", TEST_FAILED, "assert 1 < 2");
	add(&report, "pkg.test::c", TEST_ERROR, NULL);
	add(&report, "plain name", TEST_SKIPPED, "not here");
	add(&report, "known", TEST_XFAILED, NULL);
	assert_string_equal(xml_of(&report),
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"shop &amp; co\" tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\" "
		"time=\"2.250\">\n"
		"  <testsuite name=\"before\" tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\" "
		"time=\"2.250\" timestamp=\"2023-11-14T22:13:20\">\n"
		"    <testcase classname=\"tests.test_cart.TestTotal\" name=\"test_a[x::y]\" "
		"time=\"1.500\"/>\n"
		"    <testcase classname=\"tests.test_cart\" name=\"test_b\" file=\"src/a&amp;b.py\" "
		"line=\"12\">\n"
		"      <failure message=\"assert 1 &lt; 2\"/>\n    </testcase>\n"
		"    <testcase classname=\"pkg.test\" name=\"c\">\n"
		"      <error message=\"error\"/>\n"
		"    </testcase>\n"
		"    <testcase classname=\"pytest\" name=\"plain name\">\n"
		"      <skipped message=\"not here\"/>\n"
		"    </testcase>\n"
		"    <testcase classname=\"pytest\" name=\"known\">\n"
		"      <skipped type=\"xfail\" message=\"xfailed\"/>\n"
		"    </testcase>\n"
		"  </testsuite>\n</testsuites>\n");
	expect_python(xml_of(&report),
		"assert len(root[0]) == int(root.get(\"tests\")) == 5\n"
		"assert root[0][1][0].get(\"message\") == \"assert 1 < 2\"");
}

static void hostile_texts_stay_texts(void **state)
{
	(void)state;
	struct test_report report = {.complete = true};
	add(&report, "::", TEST_PASSED, NULL);
	add(&report, "a::", TEST_PASSED, NULL);
	add(&report, "\"/><x>\x01\x1b[m\xff\xef\xbf\xbf", TEST_FAILED, "]]>\n<!-- & \x02");
	expect_python(xml_of(&report),
		"assert [c.get(\"classname\") for c in root[0]] == [\"tests\", \"a\", \"tests\"]\n"
		"assert root[0][2].get(\"name\").startswith(\"\\\"/><x>\")\n"
		"assert root[0][2][0].get(\"message\").startswith(\"]]>\\n<!-- & \")");
}

static void suite_that_broke_off_has_an_error(void **state)
{
	(void)state;
	struct test_report report = {.problem = "timed out after 60 s"};
	add(&report, "a", TEST_PASSED, NULL);
	expect_python(xml_of(&report),
		"assert root.get(\"tests\") == \"2\" and root.get(\"errors\") == \"1\"\n"
		"assert root[0][1][0].get(\"message\") == \"timed out after 60 s\"");
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

UNIT(junit)
{
	const struct CMUnitTest tests[] = {
		TEST(each_status_has_its_element),
		TEST(hostile_texts_stay_texts),
		TEST(suite_that_broke_off_has_an_error),
	};
	return RUN_TESTS(tests);
}
