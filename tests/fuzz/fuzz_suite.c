/* reads: output and reports of every test runner */
/* The first bytes: the format (or any), the runner, its exit code, and whether the rest is printed,
 * a report file, or both. What is found is text, and adds up; see suite.h. */
#include "tests/fuzz/suite.h"

static size_t count_formats(void)
{
	size_t n = 0;
	while (suite_format_names[n])
		n++;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { CHOICES = 4 };
	if (size < CHOICES)
		return 0;
	size_t format = data[0] % count_formats();
	suite_read_all(suite_types[data[1] % suite_types_n], format ? suite_format_names[format] : NULL,
		data[2] % 6, data[3] % 3, data + CHOICES, size - CHOICES);
	return 0;
}
