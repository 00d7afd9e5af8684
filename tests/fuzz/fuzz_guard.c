/* reads: changed files, before and after */
/* A changed file of any language: the first byte says which, the two texts lie on both sides of the
 * middle. What is found is text, has a line of the file, and is nothing where nothing changed. */
#include "tests/fuzz/fuzz.h"
#include "verify/guard/guard.h"

static const char *const paths[] = {"a.py", "a.js", "a.ts", "a.c", "a.cc", "a.java", "a.go", "a.rs",
	"a.sh", "a.rb", "a.lua", "a.php", "a.pl", "run", "tests/test_a.py"};

static void inspect(const struct changed_file *file, const char *tests, bool same)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const test_paths[] = {"tests/run.sh", "tests/test_b.py"};
	struct inspection inspection = {.files = file,
		.n = 1,
		.test_paths = test_paths,
		.n_test_paths = ARRAY_SIZE(test_paths),
		.test_texts = &tests,
		.n_test_texts = 1,
		.arena = &arena};
	guard_inspect(&inspection);
	assert(!same || !guard_refusal(&inspection));
	for (size_t i = 0; i < inspection.n_findings; i++) {
		assert(inspection.findings[i].line >= 0 &&
			(size_t)inspection.findings[i].line <= file->n_text + 1);
		assert_text(inspection.findings[i].evidence);
		assert_text(finding_describe(&inspection.findings[i], &arena));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size ? size - 1 : 0, half = n / 2;
	AUTO_FREE char *old = memory_alloc(half + 1);
	AUTO_FREE char *text = memory_alloc(n - half + 1);
	if (n) {
		memcpy(old, data + 1, half);
		memcpy(text, data + 1 + half, n - half);
	}
	struct changed_file file = {.path = paths[size ? data[0] % ARRAY_SIZE(paths) : 0],
		.old = old,
		.text = text,
		.n_old = half,
		.n_text = n - half,
		.old_mode = 0100644,
		.mode = 0100644};
	inspect(&file, old, false);
	file.old = text;
	file.n_old = file.n_text;
	inspect(&file, old, true);
	return 0;
}
