/* What test runners print. The first byte: which runner; the second: its exit code. */
#include <sys/mman.h>

#include "suite/suite.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct test_report *report)
{
	size_t sum = 0;
	for (size_t i = 0; i < TEST_STATUSES; i++)
		sum += report->count[i];
	assert(sum == report->n && (report->complete || report->problem));
	assert_text(report->output);
	assert_text(report->problem);
	for (size_t i = 0; i < report->n; i++) {
		assert(test_report_find(report, report->results[i]->id) == report->results[i]);
		assert_text(report->results[i]->id);
		assert_text(report->results[i]->message);
		assert_text(report->results[i]->file);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct assertion assertions[] = {{"assert f(1) == 2", "assert f(1) == 2", 9, 9},
		{"console.assert(g(), \"g\")", "console.assert(g(), \"g\")", 12, 13}};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct test_report report;
	AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
	if (size < 2 || write(fd, data + 2, size - 2) < 0)
		return 0;
	struct suite suite = {.type = suite_types[data[0] % suite_types_n], .command = "make check",
		.program = "program.py", .assertions = assertions, .n_assertions = ARRAY_SIZE(assertions)};
	struct process_result result = {.exit_code = data[1] % 6, .output_bytes = size - 2};
	assert(suite_read(&suite, fd, "/work", &result, &arena, &report, &err) == 0);
	check(&report);
	assert_text(suite_environment_problem(&suite, &report, NULL, 0, &arena));
	return 0;
}
