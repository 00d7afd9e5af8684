/* How fast what a suite printed is read: 100 MB in each format, 10,000 tests among the lines that
 * programs print. The formats are not settled, so that it is read twice: for signs of them, and for
 * results. */
#include <sys/mman.h>
#include <time.h>

#include "tests/bench/bench.h"
#include "verify/suite/suite.h"

enum { TESTS = 10000, BYTES = 100000000, JSON_BYTES = 60000000 /* more is not read */ };

/* What a run prints before its tests, of each test (@ is its number), and at its end; and what
 * stands around each line that a program printed. */
static const struct sample {
	const char *format, *command, *head, *test, *tail;
	const char *before, *after;
	bool in_report; /* it is a report file, and nothing is printed */
	int bytes;
} samples[] = {
	{"pytest", "pytest", "=== test session starts ===\n", "tests/test_a.py::test_@ PASSED [ 10%]\n",
		"=== 10000 passed in 9.9s ===\n", .bytes = BYTES},
	{"unittest", "python3 -m unittest", "", "test_@ (tests.test_a.Case.test_@) ... ok\n",
		"Ran 10000 tests in 9.9s\n", .bytes = BYTES},
	{"jest", "npx jest", "PASS src/a.test.js\n", "  ✓ test @ (1 ms)\n",
		"\n"
		"Tests:       10000 passed, 10000 total\n",
		.bytes = BYTES},
	{"vitest", "npx vitest", "\n RUN  v3.2.7 /work/tree\n\n", " ✓ src/a.test.js > test @ 1ms\n",
		"\n Test Files  1 passed (1)\n      Tests  10000 passed (10000)\n", .bytes = BYTES},
	{"mocha", "npx mocha", "", "  ✔ test @\n", "\n  10000 passing (9s)\n\n", .bytes = BYTES},
	{"node", "node --test --test-reporter=spec", "", "✔ test @ (0.1ms)\n", "ℹ tests 10000\n",
		.bytes = BYTES},
	{"go", "go test ./...", "",
		"{\"Action\":\"pass\",\"Package\":\"example.com/a\",\"Test\":\"Test@\",\"Elapsed\":0}\n",
		"{\"Action\":\"pass\",\"Package\":\"example.com/a\",\"Elapsed\":9}\n",
		"{\"Time\":\"2026-11-21T23:26:28.195683931Z\",\"Action\":\"output\",\"Package\":\"example."
		"com/a\",\"Test\":\"TestA\",\"Output\":\"",
		"\\n\"}\n", .bytes = BYTES},
	{"cargo", "cargo test",
		"     Running unittests src/lib.rs (target/debug/deps/a-0cbcb27d618d0ea7)\n\n"
		"running 10000 tests\n",
		"test tests::test_@ ... ok\n",
		"\n"
		"test result: ok. 10000 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished "
		"in 9.00s\n",
		.bytes = BYTES},
	{"maven", "mvn test", "[INFO] Scanning for projects...\n",
		"[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in "
		"com.acme.Test@\n",
		"[INFO] BUILD SUCCESS\n", .bytes = BYTES},
	{"ctest", "ctest", "Test project /work/tree/b\n",
		"@/10000 Test #@: test @ ............   Passed    0.01 sec\n",
		"\n100% tests passed, 0 tests failed out of 10000\n", .bytes = BYTES},
	{"googletest", "make check", "[==========] Running 10000 tests from 1 test suite.\n",
		"[ RUN      ] Case.Test@\n[       OK ] Case.Test@ (0 ms)\n",
		"[==========] 10000 tests from 1 test suite ran. (9 ms total)\n", .bytes = BYTES},
	{"cmocka", "make check", "[==========] Running 10000 test(s).\n",
		"[ RUN      ] test_@\n"
		"[       OK ] test_@\n",
		"[==========] 10000 test(s) run.\n", .bytes = BYTES},
	{"tap", "make check", "TAP version 13\n", "ok @ - test @\n", "1..10000\n", .bytes = BYTES},
	{"junit", "make check", "<testsuites><testsuite name=\"a\">\n",
		"<testcase classname=\"tests.a\" name=\"test_@\"/>\n", "</testsuite></testsuites>\n",
		"<system-out>", "</system-out>\n", .in_report = true, .bytes = BYTES},
	{"jest", "npx jest",
		"{\"numFailedTestSuites\":0,\"testResults\":[{\"name\":\"a.test.js\",\"assertionResults\":["
		"{\"status\":\"todo\",\"failureMessages\":[\"",
		"\"]},{\"title\":\"test @\",\"status\":\"passed\",\"failureMessages\":[\"", "\"]}]}]}",
		.after = "\\n", .in_report = true, .bytes = JSON_BYTES},
	{"exit", "make check", "", "@\n", "failed\n", .bytes = BYTES},
};

/* Lines such as programs print, of all lengths up to 120 bytes. */
static void add_noise(FILE *file, const struct sample *sample, size_t n, unsigned *random)
{
	const char *before = sample->before ? sample->before : "",
			   *after = sample->after ? sample->after : "\n";
	size_t around = strlen(before) + strlen(after) - 1;
	static const char words[] = "[info] src/core/module.c:128: value (x::y) 0x7ffe is = 12.5 ms, "
								"reading /var/lib/data/a.json ... "
								"got 3 of 7 items, ok; retry - later [done] FAIL no == more";
	for (size_t length; n > 0; n -= length < n ? length : n) {
		*random = *random * 1664525 + 1013904223;
		length = 20 + (*random >> 8) % 100;
		fprintf(file, "%s%.*s%s", before, (int)length - 1, words + (*random >> 20) % 30, after);
		length += around;
	}
}

static void add_numbered(FILE *file, const char *text, int number)
{
	for (; *text; text++)
		if (*text == '@')
			fprintf(file, "%d", number);
		else
			fputc(*text, file);
}

static int make_log(const struct sample *sample)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	AUTO_FCLOSE *file = fdopen(dup(fd), "w");
	unsigned random = 1;
	fputs(sample->head, file);
	for (int i = 1; i <= TESTS; i++) {
		add_noise(file, sample, (size_t)sample->bytes / TESTS, &random);
		add_numbered(file, sample->test, i);
	}
	fputs(sample->tail, file);
	return fd;
}

/* Of this process: what else runs here has no part in it. */
static int64_t processor_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void measure(const struct sample *sample)
{
	int64_t times[3];
	AUTO_CLOSE fd = make_log(sample);
	AUTO_CLOSE empty = memfd_create("empty", MFD_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);
	struct suite_output output = {.log = sample->in_report ? empty : fd,
		.reports = &fd,
		.n_reports = sample->in_report,
		.dir = "/work/tree"};
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct rondo_error err;
		struct suite suite;
		struct test_report report;
		struct process_result result = {.exit_code = strcmp(sample->format, "exit") == 0,
			.output_bytes = sample->in_report ? 0 : (uint64_t)size};
		output.result = &result;
		suite_from_command(sample->command, "", &arena, &suite);
		int64_t start = processor_us();
		bench_must(suite_read(&suite, &output, &arena, &report, &err), &err);
		times[i] = processor_us() - start;
		bool whole = report.complete && strcmp(report.format, sample->format) == 0 &&
			(report.n >= TESTS || report.n == 1);
		if (!whole)
			printf("read: %s: read as %s, %zu results: %s\n", sample->format, report.format,
				report.n, report.problem);
	}
	double ms = (double)bench_median(times, ARRAY_SIZE(times)) / 1000;
	printf("read: %-10s %-6s %4.0f ms for %.0f MB, %.0f MB/s\n", sample->format,
		sample->in_report ? "file" : "lines", ms, (double)size / 1e6, (double)size / 1e3 / ms);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		if (argc < 2 || strcmp(argv[1], samples[i].format) == 0)
			measure(&samples[i]);
	return 0;
}
