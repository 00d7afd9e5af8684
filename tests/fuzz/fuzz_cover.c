/* reads: which lines single tests ran */
/* What a runner's line prints, which a program of the tree may print, too. Paths are the tree's
 * own, lines count from 1, and no line was run by more tests than there are. */
#include <sys/mman.h>

#include "tests/fuzz/fuzz.h"
#include "verify/suite/cover.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct coverage coverage;
	AUTO_CLOSE fd = memfd_create("cover", MFD_CLOEXEC);
	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (cover_read(fd, "/work", &arena, &coverage, &err) < 0) {
		assert_error(&err);
		return 0;
	}
	for (size_t i = 0; i < coverage.n; i++) {
		const struct coverage_line *line = &coverage.lines[i];
		assert_text(line->path);
		assert(*line->path && *line->path != '/' && line->line > 0);
		assert(line->goal <= coverage.n_goal && line->others <= coverage.n_others);
	}
	AUTO_JSON *json = coverage_to_json(&coverage);
	AUTO_FREE char *text = json_print(json);
	assert_text(text);
	return 0;
}
