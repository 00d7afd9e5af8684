/* reads: programs that are their own tests */
/* A program that is its own test; its assertions are statements in order. The first byte: the
 * language. */
#include "base/strbuf.h"
#include "tests/fuzz/fuzz.h"
#include "verify/suite/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = {"a.py", "a.js", "a.ts", "a.rb"};
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *text = size ? fuzz_string(data + 1, size - 1) : memory_strdup("");
	const char *path = paths[size ? data[0] % ARRAY_SIZE(paths) : 0], *missing;
	struct program_part *parts;
	size_t n = program_parts(path, text, &arena, &parts);
	for (size_t i = 0; i < n; i++)
		assert((!i || parts[i].start >= parts[i - 1].start) && parts[i].end > parts[i].start &&
			parts[i].end <= strlen(text));
	assert(program_keeps_parts(path, text, text, &arena, &missing));
	assert(!n || !program_keeps_parts(path, text, "", &arena, &missing));
	struct program_duty *duties;
	const char *sealed = program_seal_text(path, text, text, "0123456789abcdef", true, &arena);
	size_t lines = text_count_lines(text, strlen(text));
	assert(!sealed || text_count_lines(sealed, strlen(sealed)) == lines + 2);
	program_duties(path, text, text, "0123456789abcdef", &arena, &duties);
	return 0;
}
