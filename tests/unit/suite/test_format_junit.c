/* JUnit XML as pytest, node, go-junit-report, Surefire and CTest wrote it; and the formats that
 * read it beside lines. */
#include "tests/unit/suite_fixture.h"

static void read_file(const char *name, struct arena *arena, struct test_report *report)
{
	read_run("./test.sh", "", 1, REPORTS(name), arena, report);
	assert_string_equal(report->format, "junit");
}

static void pytest_tells_files_or_only_modules(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_file("junit-pytest-xunit1.xml", &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(7, 1, 2, 1, 1));
	assert_result(&report, "tests/test_a.py::test_red", TEST_FAILED, "AssertionError: no sum",
		"tests/test_a.py", 9);
	assert_result(
		&report, "tests/test_a.py::TestGroup::test_odd[x::y/z]", TEST_PASSED, NULL, NULL, 0);
	assert_result(
		&report, "tests/test_b.py", TEST_ERROR, "collection failure", "tests/test_b.py", 1);
	assert_result(&report, "tests/test_a.py::test_xfailed", TEST_XFAILED, NULL, NULL, 0);
	read_file("junit-pytest-xunit2.xml", &arena, &report);
	assert_counts(&report, COUNTS(7, 1, 2, 1, 1));
	assert_result(&report, "tests.test_a.TestGroup::test_odd[<b>]", TEST_PASSED, NULL, NULL, 0);
}

static void nested_suites_and_names_that_come_again(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_file("junit-node.xml", &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(3, 1, 0, 1, 0));
	assert_result(&report, "green", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "outer > inner > &quot;q&quot;::red", TEST_FAILED,
		"Expected values to be strictly equal:1 !== 2", "a.test.js", 7);
	assert_result(&report, "outer > inner > &quot;q&quot;::twice (2)", TEST_PASSED, NULL, NULL, 0);
}

static void a_case_without_a_name_is_its_class(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_file("junit-go.xml", &arena, &report);
	assert_result(&report, "example.com/acme/broken", TEST_ERROR, "Build error", "broken/b.go", 3);
	assert_result(&report, "example.com/acme/calc::TestTable/a_>_b", TEST_PASSED, NULL, NULL, 0);
}

/* --- Hostile bytes --- */

static void read_xml(const char *xml, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	struct rondo_error err = {0};
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	AUTO_CLOSE file = memfd_create("report", MFD_CLOEXEC);
	assert_int_equal(write(file, xml, strlen(xml)), strlen(xml));
	suite_from_command("./test.sh", "from a test", arena, &suite);
	suite.format = "junit";
	struct process_result result = {0};
	struct suite_output output = {.log = log, .reports = &file, .n_reports = 1, .result = &result};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
}

static void assert_damage(const char *xml, const char *what)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_xml(xml, &arena, &report);
	assert_false(report.complete);
	if (!strstr(report.problem, what))
		fail_msg("'%s' says no '%s'", report.problem, what);
}

static void damage_is_a_problem(void **state)
{
	(void)state;
	assert_damage("<testsuite><testcase name='a'/>", "no element found");
	assert_damage("<testsuite><testcase name='a'></testsuite>", "line 1: mismatched tag");
	assert_damage("<html/>", "no JUnit XML");
	assert_damage("", "damaged");
	assert_damage("<!DOCTYPE t [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><testsuite><testcase "
				  "name='&b;'/></testsuite>",
		"document type");
}

static void depth_is_bounded(void **state)
{
	(void)state;
	AUTO_STRBUF xml = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&xml, "<testsuite name='s'>");
	assert_damage(xml.text, "too deeply");
}

static void names_and_texts_are_cut_between_characters(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	AUTO_STRBUF xml = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&xml, "<testsuite><testcase name='a");
	for (int i = 0; i < 50000; i++)
		strbuf_adds(&xml, "ü");
	strbuf_adds(&xml, "'/></testsuite>");
	read_xml(xml.text, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(utf8_valid_length(report.results[0]->id, strlen(report.results[0]->id)),
		strlen(report.results[0]->id));
	assert_true(strlen(report.results[0]->id) < 5000);
}

static void of_several_outcomes_the_gravest_counts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_xml("<testsuite><testcase name='a' time='0.5'><failure message='one'/><error "
			 "message='two'/><skipped/></testcase>"
			 "<testcase name='b'><flakyFailure "
			 "message='once'/><system-out>boo</system-out></testcase></testsuite>",
		&arena, &report);
	assert_result(&report, "a", TEST_ERROR, "two", NULL, 0);
	assert_int_equal(report.results[0]->duration_ms, 500);
	assert_result(&report, "b", TEST_PASSED, NULL, NULL, 0);
}

/* --- Maven --- */

static void surefire_is_read_by_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("mvn -o test", stored("maven-red.txt", &arena), 1,
		REPORTS("surefire-junit5-inner.xml", "surefire-junit5.xml"), &arena, &report);
	assert_string_equal(report.format, "maven");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(8, 1, 1, 1, 0));
	assert_result(&report, "com.acme.CalcTest::adds", TEST_FAILED, "expected: <5> but was: <-1>",
		"src/test/java/com/acme/CalcTest.java", 11);
	assert_result(&report, "com.acme.CalcTest::dividesByZero", TEST_ERROR, NULL,
		"src/test/java/com/acme/CalcTest.java", 22);
	assert_result(&report, "com.acme.CalcTest$Inner::shown", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "com.acme.CalcTest::odd(String)[6]", TEST_PASSED, NULL, NULL, 0);
}

static void fewer_failures_in_the_files_than_printed_are_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("mvn -o test", "[ERROR] Tests run: 4, Failures: 2, Errors: 1, Skipped: 1\n", 1,
		REPORTS("surefire-junit4.xml"), &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: Maven prints 3 failures, its files have 2");
}

#define MODULES REPORTS("surefire-root.xml", "surefire-app.xml", "surefire-core.xml")
#define IGNORED "[ERROR] There are test failures.\n"

static void ids_name_the_module(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("mvn -q test", IGNORED, 0, MODULES, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
	assert_result(&report, "com.acme.CalcTest::adds", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "app/com.acme.CalcTest::adds", TEST_FAILED, NULL, NULL, 0);
	assert_result(&report, "libs/core/com.acme.CalcTest::adds", TEST_PASSED, NULL, NULL, 0);
}

/* Maven ends with 0, because it was told to go on with the other modules. */
static void failures_that_maven_ignores_count(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("mvn -q test", IGNORED, 0, MODULES, &arena, &report);
	assert_int_equal(report.exit_code, 1);
	/* Of tests that end by an exception, Surefire says nothing but their number. */
	read_run("mvn test", "[ERROR] Tests run: 11, Failures: 0, Errors: 1, Skipped: 0\n", 0, MODULES,
		&arena, &report);
	assert_int_equal(report.exit_code, 1);
	read_run("mvn test", IGNORED, 0, REPORTS("surefire-junit5.xml"), &arena, &report);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: Maven says that tests failed, its files have none");
}

static void without_files_a_class_is_a_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("mvn test", "maven-red.txt", 1, &arena, &report);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
	assert_result(&report, "com.acme.CalcTest$Inner", TEST_FAILED, NULL, NULL, 0);
}

static void a_module_that_does_not_compile_is_a_result(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("mvn -q -o test", "maven-compile.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(0, 0, 1, 0, 0));
	assert_result(&report, "calc", TEST_ERROR, "illegal start of expression",
		"src/main/java/com/acme/Calc.java", 5);
}

/* --- CTest --- */

static void ctest_is_read_from_its_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("ctest --test-dir b", stored("ctest-plain.txt", &arena), 8, REPORTS("ctest.xml"),
		&arena, &report);
	assert_string_equal(report.format, "ctest");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 3, 2, 2, 0));
	assert_result(&report, "crash", TEST_FAILED, "Subprocess aborted", NULL, 0);
	assert_result(&report, "missing", TEST_ERROR, "Unable to find executable", NULL, 0);
	assert_result(&report, "skip", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "off", TEST_SKIPPED, NULL, NULL, 0);
}

/* The red test prints "1/9 Test #2: red ....   Passed    0.00 sec". */
static void a_line_that_the_file_contradicts_is_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("ctest --test-dir b", stored("ctest-lines.txt", &arena), 8, REPORTS("ctest.xml"),
		&arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: a line says that red passed, the file does not");
	assert_result(&report, "red", TEST_FAILED, "unit.c:12: got -1, want 5", "unit.c", 12);
}

static void lines_alone_tell_the_same(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *text = stored("ctest-plain.txt", &arena);
	read_text("ctest --test-dir b", text, 8, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 3, 2, 2, 0));
	assert_result(&report, "slow", TEST_FAILED, "Timeout", NULL, 0);
	read_text("ctest --test-dir b",
		arena_strndup(&arena, text, (size_t)(strstr(text, "3/8") - text)), 8, &arena, &report);
	assert_string_equal(report.problem, "ctest did not come to its end");
}

/* Unity prints a place for each test. */
static void the_place_of_a_test_that_passes_is_no_failure(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("ctest",
		"Test project /tmp/tree/b\n    Start 1: shop\n1/1 Test #1: shop ...***Failed    0.00 sec\n"
		"a.c:7:one:PASS\na.c:3:two:FAIL: Expected 1\n"
		"0% tests passed, 1 tests failed out of 1\n",
		8, &arena, &report);
	assert_result(&report, "shop", TEST_FAILED, "a.c:3:two:FAIL: Expected 1", "a.c", 3);
}

static void what_a_test_prints_says_why_it_failed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("ctest",
		"Test project /tmp/tree/b\n    Start 1: shop\n1/4 Test #1: shop ...***Failed    0.00 sec\n"
		"Cannot connect to the Docker daemon at unix:///var/run/docker.sock.\n"
		"    Start 2: till\n2/4 Test #2: till ...***Failed    0.00 sec\n7\n"
		"    Start 3: cart\nerror: an odd one\n3/4 Test #3: cart ...   Passed    0.00 sec\n"
		"    Start 4: rack\n4/4 Test #4: rack ...***Timeout   1.00 sec\nerror: waiting\n"
		"25% tests passed, 3 tests failed out of 4\n",
		8, &arena, &report);
	assert_result(&report, "shop", TEST_FAILED,
		"Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", NULL, 0);
	assert_result(&report, "till", TEST_FAILED, "Failed", NULL, 0);
	assert_result(&report, "cart", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "rack", TEST_FAILED, "Timeout", NULL, 0);
}

static void no_tests_are_no_problem(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("ctest", "Test project /tmp/tree/b\nNo tests were found!!!\n", 0, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 0);
}

/* --- Commands --- */

static const char *targeted(const char *line, const char *id, struct arena *arena)
{
	struct suite suite;
	suite_from_command(line, "from a test", arena, &suite);
	return suite_targeted(&suite, &id, 1, arena);
}

static void commands_ask_for_files_and_for_some_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("cmake --build b && ctest --test-dir b", "from a test", &arena, &suite);
	assert_string_equal(suite_command(&suite, "/c/my report", &arena),
		"cmake --build b && ctest --output-junit '/c/my report' --test-dir b");
	assert_string_equal(targeted("ctest --test-dir b", "a's [x]+", &arena),
		"ctest -R '^(a'\\''s \\[x\\]\\+)$' --test-dir b");
	assert_null(targeted("ctest -R unit", "a", &arena));
	assert_null(targeted("ctest", "a (2)", &arena));
	suite_from_command("./mvnw -q test", "from a test", &arena, &suite);
	assert_string_equal(
		suite_command(&suite, NULL, &arena), "./mvnw -fae -Dmaven.test.failure.ignore -q test");
	const char *line = suite_command(&suite, "/r", &arena);
	assert_non_null(strstr(line,
		"(./mvnw -fae -Dmaven.test.failure.ignore -q test\n); status=$?; mkdir -p /r; find ."));
	assert_non_null(strstr(line, "-type f -path '*/target/*-reports/TEST-*.xml' -print | while"));
	assert_string_equal(targeted("mvn test", "com.acme.CalcTest$Inner::shown", &arena),
		"mvn -fae -Dmaven.test.failure.ignore test '-Dtest=com.acme.CalcTest*' "
		"-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false");
	assert_null(targeted("mvn test", "calc", &arena));
	assert_string_equal(targeted("mvn -ff test", "libs/core/com.acme.CalcTest::adds", &arena),
		"mvn -ff test -am -pl libs/core '-Dtest=com.acme.CalcTest*' "
		"-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false");
	assert_string_equal(targeted("mvn -ff -pl app test", "app/com.acme.CalcTest::adds", &arena),
		"mvn -ff -pl app test '-Dtest=com.acme.CalcTest*' "
		"-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false");
}

static void a_sentinel_is_a_class_of_its_neighbours_framework(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct sentinel sentinel = {.passing = "a1", .failing = "b2"};
	const char *beside = "src/test/java/com/acme/CalcTest.java";
	assert_true(maven_suite.sentinel(NULL, beside,
		"package com.acme;\n\n"
		"import org.junit.jupiter.api.*;\n",
		&arena, &sentinel));
	assert_string_equal(sentinel.path, "src/test/java/com/acme/Ta1Test.java");
	assert_true(text_starts_with(sentinel.text,
		"package com.acme;\n\n"
		"import static org.junit.jupiter.api.Assertions.assertEquals;"));
	assert_non_null(strstr(sentinel.text, "\tvoid tb2()"));
	assert_true(maven_suite.sentinel(NULL, beside, "import org.junit.Test;\n", &arena, &sentinel));
	assert_true(text_starts_with(sentinel.text, "import static org.junit.Assert.assertEquals;"));
	assert_false(maven_suite.sentinel(NULL, beside, "class CalcTest {}\n", &arena, &sentinel));
}

static void what_cannot_be_configured_is_no_failure(void **state)
{
	(void)state;
	static const struct {
		const char *output, *why;
	} cases[] = {
		{"-- Found x\nCMake Error at CMakeLists.txt:150 (add_library):\n  Cannot find source "
		 "file:\n\n    contrib/a.c\n\n\n-- Configuring incomplete, errors occurred!\nSee also\n",
			"CMake Error at CMakeLists.txt:150 (add_library): Cannot find source file: "
			"contrib/a.c"},
		{"../meson.build:3:6: ERROR: Dependency \"x\" not found\n\nA full log\n",
			"../meson.build:3:6: ERROR: Dependency \"x\" not found"},
		{"checking for gcc... no\nconfigure: error: no acceptable C compiler\nSee `config.log'\n",
			"configure: error: no acceptable C compiler"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("sh build.sh", cases[i].output, 1, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem,
			arena_printf(&arena, "the build cannot be configured: %s", cases[i].why));
		read_text("sh build.sh", arena_printf(&arena, "%s1..1\nnot ok 1 - x\n", cases[i].output), 1,
			&arena, &report);
		assert_true(report.complete);
		read_text("sh build.sh", cases[i].output, 0, &arena, &report);
		assert_true(report.complete);
	}
}

UNIT(format_junit)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pytest_tells_files_or_only_modules),
		cmocka_unit_test(nested_suites_and_names_that_come_again),
		cmocka_unit_test(a_case_without_a_name_is_its_class),
		cmocka_unit_test(damage_is_a_problem),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(names_and_texts_are_cut_between_characters),
		cmocka_unit_test(of_several_outcomes_the_gravest_counts),
		cmocka_unit_test(surefire_is_read_by_test),
		cmocka_unit_test(ids_name_the_module),
		cmocka_unit_test(failures_that_maven_ignores_count),
		cmocka_unit_test(fewer_failures_in_the_files_than_printed_are_refused),
		cmocka_unit_test(without_files_a_class_is_a_test),
		cmocka_unit_test(a_module_that_does_not_compile_is_a_result),
		cmocka_unit_test(ctest_is_read_from_its_file),
		cmocka_unit_test(what_cannot_be_configured_is_no_failure),
		cmocka_unit_test(a_line_that_the_file_contradicts_is_refused),
		cmocka_unit_test(lines_alone_tell_the_same),
		cmocka_unit_test(the_place_of_a_test_that_passes_is_no_failure),
		cmocka_unit_test(what_a_test_prints_says_why_it_failed),
		cmocka_unit_test(no_tests_are_no_problem),
		cmocka_unit_test(commands_ask_for_files_and_for_some_tests),
		cmocka_unit_test(a_sentinel_is_a_class_of_its_neighbours_framework),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
