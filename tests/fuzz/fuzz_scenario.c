/* reads: scenario files */
/* What is accepted means the same once it was written and read again; see scenario.h. */
#include "tests/fuzz/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scenario_survives(data, size);
	return 0;
}
