/* What test runners print and write. The first bytes: the format (or any), the runner, its exit
 * code, and whether the rest is printed, a report file, or both. */
#include <sys/mman.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/suite.h"

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
		assert_text(report->results[i]->detail);
	}
}

static int keep(const uint8_t *data, size_t size)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return fd;
}

static size_t count_formats(void)
{
	size_t n = 0;
	while (suite_format_names[n])
		n++;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct assertion assertions[] = {{"assert f(1) == 2", "assert f(1) == 2", 9, 9},
		{"console.assert(g(), \"g\")", "console.assert(g(), \"g\")", 12, 13}};
	enum { CHOICES = 4 };
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct test_report report;
	if (size < CHOICES)
		return 0;
	size_t format = data[0] % count_formats(), place = data[3] % 3;
	AUTO_CLOSE log = keep(data + CHOICES, place == 1 ? 0 : size - CHOICES);
	AUTO_CLOSE file = keep(data + CHOICES, size - CHOICES);
	struct suite suite = {.type = suite_types[data[1] % suite_types_n],
		.command = "make check",
		.program = "program.py",
		.assertions = assertions,
		.n_assertions = ARRAY_SIZE(assertions),
		.format = format ? suite_format_names[format] : NULL};
	struct process_result result = {
		.exit_code = data[2] % 6, .output_bytes = place == 1 ? 0 : size - CHOICES};
	struct suite_output output = {
		.log = log, .reports = &file, .n_reports = place > 0, .dir = "/work", .result = &result};
	assert(suite_read(&suite, &output, &arena, &report, &err) == 0);
	assert(suite_explain(&report, log, &arena, &err) == 0);
	check(&report);
	struct lack lack;
	if (suite_lacks(&suite, &report, NULL, 0, &arena, &lack))
		assert_text(lack.what);
	for (size_t i = 0; i < report.n; i++)
		assert_text(suite_network_problem(&report, report.results[i], &arena));
	return 0;
}
