/* What bun's runner prints. */
#include "tests/unit/suite_fixture.h"

#define HEAD "bun test v1.2.23 (cf136713)\n\ntest/range.test.ts:\n"
#define FAILED \
	"(pass) range > has a size [0.13ms]\n" \
	"4 | \ttest(\"has its ends\", () => { expect(new Range(1, 3).has(3)).toBe(true); });\n" \
	"                                        ^\n" \
	"error: expect(received).toBe(expected)\n\nExpected: true\nReceived: false\n\n" \
	"      at <anonymous> (/tmp/tree/test/range.test.ts:4:62)\n" \
	"(fail) range > has its ends [1.20ms]\n(skip) later\n(todo) some day\n"
#define UNLOADED \
	"\ntest/broken.test.ts:\n\n# Unhandled error between tests\n" \
	"-------------------------------\n" \
	"error: Cannot find module './nothing' from '/tmp/tree/test/broken.test.ts'\n" \
	"-------------------------------\n\n"
#define TAIL "\n 1 pass\n 2 skip\n 1 fail\n 4 expect() calls\nRan 4 tests across 1 file. [6.00ms]\n"

static void bun_names_its_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("bun test", HEAD FAILED TAIL, 1, &arena, &report);
	assert_string_equal(report.format, "bun");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 2, 0));
	assert_result(&report, "test/range.test.ts > range > has its ends", TEST_FAILED,
		"expect(received).toBe(expected) Expected: true Received: false", "test/range.test.ts", 4);
	assert_result(&report, "test/range.test.ts > range > has a size", TEST_PASSED, NULL, NULL, 0);
	read_text("bun test test && bun test more",
		HEAD
		"(pass) has a size [0.13ms]\n\n 1 pass\n 0 fail\nRan 1 test across 1 file. [6.00ms]\n"
		"bun test v1.2.23 (cf136713)\n\nmore/a.test.ts:\n(pass) a\n(pass) b\n\n 2 pass\n 0 fail\n"
		"Ran 2 tests across 1 file. [6.00ms]\n",
		0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(3, 0, 0, 0, 0));
}

static void bun_tells_of_files_that_cannot_be_loaded(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("npm test", HEAD FAILED UNLOADED TAIL, 1, &arena, &report);
	assert_counts(&report, COUNTS(1, 1, 1, 2, 0));
	assert_string_equal(test_report_find(&report, "test/broken.test.ts")->message,
		"Cannot find module './nothing' from '/tmp/tree/test/broken.test.ts'");
}

static void bun_must_come_to_its_end(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("bun test", HEAD FAILED, 1, &arena, &report);
	assert_string_equal(report.problem, "the output of bun ends before its summary (exit code 1)");
	read_text("bun test", HEAD "(skip) a\n" TAIL, 1, &arena, &report);
	assert_string_equal(report.problem, "bun counts 1 tests that passed, and 0 lines say so");
	read_text("bun test", "bun test v1.2.23 (cf136713)\nNo tests found!\n", 1, &arena, &report);
	assert_string_equal(report.problem, "no tests were run");
}

UNIT(format_bun)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bun_names_its_tests),
		cmocka_unit_test(bun_tells_of_files_that_cannot_be_loaded),
		cmocka_unit_test(bun_must_come_to_its_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
