/* reads: test files, copied with other expectations */
/* A test file of any language: the first byte says which, the second how many bytes are the test's
 * id. Copies have a line of the file and text to show; without them the file is as it was. */
#include "tests/fuzz/fuzz.h"
#include "verify/counter/counter.h"

static const struct {
	const struct counter_type *type;
	const char *path, *before; /* the id begins so */
} families[] = {
	{&pytest_counter, "test_a.py", "test_a.py::"},
	{&unittest_counter, "test_a.py", "test_a."},
	{&script_counter, "a.test.js", ""},
	{&script_counter, "a.test.ts", "a.test.ts > "},
	{&shell_counter, "tests/a.sh", ""},
	{&go_counter, "a_test.go", "a::"},
	{&cargo_counter, "tests/a.rs", "tests/a.rs::"},
};

static void check_copies(const struct counter_plan *plan, size_t n)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct counter_copy *copy = &plan->copies[i];
		assert_text(copy->shown);
		assert(copy->shown && copy->run && copy->file < plan->n_files);
		assert(copy->line > 0 && (size_t)copy->line <= n + 1);
		assert(copy->round <= plan->n_rounds);
	}
	for (size_t round = 0; plan->n_files && round <= plan->n_rounds; round++) {
		const char *text = counter_text(plan, plan->files[0], round);
		assert(!text || strlen(text) >= 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	size_t family = size ? data[0] % ARRAY_SIZE(families) : 0, n_id = size > 1 ? data[1] : 0;
	size_t n = size > 2 ? size - 2 : 0;
	bool has_test;
	n_id = n_id < n ? n_id : n;
	AUTO_FREE char *own = fuzz_text(data + 2, n_id);
	AUTO_FREE char *text = memory_alloc(n - n_id + 1);
	if (n > n_id)
		memcpy(text, data + 2 + n_id, n - n_id);
	const char *id = arena_printf(&arena, "%s%s", families[family].before, own);
	struct counter_test test = {
		.id = id, .most = 12, .only_same = n_id == 2, .is_suite = n_id == 1};
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	if (!families[family].type->may_hold(id, families[family].path))
		return 0;
	counter_add(
		&plan, families[family].type, families[family].path, text, n - n_id, &test, &has_test);
	check_copies(&plan, n - n_id);
	return 0;
}
