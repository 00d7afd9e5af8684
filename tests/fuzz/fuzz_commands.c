/* Blocks of the shell: whatever stands in them, their commands are read, or there is an end to it. */
#include "executors/commands.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *names[] = {"ls"};
	struct option_strings allowed = {names, 1};
	AUTO_FREE char *code = fuzz_string(data, size);
	commands_refusal(code, &allowed, &arena);
	return 0;
}
