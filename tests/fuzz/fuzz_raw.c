/* reads: texts of /proc */
/* A process's stat, in which a hostile program chose its name, and numbers behind labels. */
#include "base/raw.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = fuzz_string(data, size);
	for (int field = 3; field < 60; field++)
		assert(raw_stat_field(text, field) >= -1);
	assert(raw_number_behind(text, "") >= -1);
	assert(raw_number_behind(text, "\nPss:") >= -1);
	return 0;
}
