/* reads: CMake, Meson and Automake files */
/* A build file of any kind: the first byte says which. It ends, and names are words. */
#include "tests/fuzz/fuzz.h"
#include "verify/guard/build_file.h"

static const char *const paths[] = {"CMakeLists.txt", "meson.build", "Makefile.am", "a/Makefile"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct built_programs programs = {.arena = &arena};
	if (!size)
		return 0;
	const char *text = arena_strndup(&arena, (const char *)data + 1, size - 1);
	build_file_read(paths[data[0] % ARRAY_SIZE(paths)], text, &programs);
	for (size_t i = 0; i < programs.n; i++) {
		assert(!strpbrk(programs.items[i].name, "\n"));
		for (size_t k = 0; k < programs.items[i].n; k++)
			assert(*programs.items[i].sources[k] && !strpbrk(programs.items[i].sources[k], " \n"));
	}
	return 0;
}
