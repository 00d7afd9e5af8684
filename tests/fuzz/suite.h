/* What test runners print and write: it is read to the end, what is found is text, each test is
 * found by its id, and the counts are those of the tests. */
#pragma once
#include <sys/mman.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/suite.h"

static inline void suite_check(const struct test_report *report)
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
		assert_text(report->results[i]->detail);
	}
}

static inline int suite_keep(const uint8_t *data, size_t size)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return fd;
}

/* Read the bytes as what a run printed (places 0 and 2) or as a report file (1 and 2). `format`:
 * NULL: whatever fits. */
static inline void suite_read_all(const struct suite_type *type, const char *format, int exit_code,
	size_t place, const uint8_t *data, size_t size)
{
	static const struct assertion assertions[] = {{"assert f(1) == 2", "assert f(1) == 2", 9, 9},
		{"console.assert(g(), \"g\")", "console.assert(g(), \"g\")", 12, 13}};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct test_report report;
	size_t n_printed = place == 1 ? 0 : size;
	AUTO_CLOSE log = suite_keep(data, n_printed);
	AUTO_CLOSE file = suite_keep(data, size);
	struct suite suite = {.type = type,
		.command = "make check",
		.program = "program.py",
		.assertions = assertions,
		.n_assertions = ARRAY_SIZE(assertions),
		.format = format};
	struct process_result result = {.exit_code = exit_code, .output_bytes = n_printed};
	struct suite_output output = {
		.log = log, .reports = &file, .n_reports = place > 0, .dir = "/work", .result = &result};
	assert(suite_read(&suite, &output, &arena, &report, &err) == 0);
	assert(suite_explain(&report, log, &arena, &err) == 0);
	suite_check(&report);
	struct lack lack;
	if (suite_lacks(&suite, &report, NULL, 0, &arena, &lack))
		assert_text(lack.what);
	for (size_t i = 0; i < report.n; i++)
		assert_text(suite_network_problem(&report, report.results[i], &arena));
}
