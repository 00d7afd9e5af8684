/* A program that is its own test; its assertions are statements in order. The first byte: the language. */
#include "suite/suite.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = {"a.py", "a.js", "a.ts", "a.rb"};
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *text = size ? fuzz_string(data + 1, size - 1) : memory_strdup("");
	const char *path = paths[size ? data[0] % ARRAY_SIZE(paths) : 0], *missing;
	size_t *starts, *ends, at = 0, n = program_assertions(path, text, &arena, &starts, &ends);
	for (size_t i = 0; i < n; at = ends[i++])
		assert(starts[i] >= at && ends[i] > starts[i] && ends[i] <= strlen(text));
	assert(program_keeps_assertions(path, text, text, &arena, &missing));
	assert(!n || !program_keeps_assertions(path, text, "", &arena, &missing));
	return 0;
}
