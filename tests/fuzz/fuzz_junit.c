/* reads: report files in JUnit XML */
/* The first byte is the exit code, the rest is a report file. What is found is text, and adds up:
 * see suite.h. */
#include "tests/fuzz/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		suite_read_all(&pytest_suite, "junit", data[0] % 6, 1, data + 1, size - 1);
	return 0;
}
