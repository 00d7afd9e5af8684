/*
 * What a coder is shown of repositories of 20 and of 20,000 source files, where one test fails: how
 * many bytes, and what it takes to choose them; and to read all files, as repair does. Modules
 * import others, so that much can be reached from the test.
 */
#include "agents/coder/showing.h"
#include "tests/bench/bench.h"

#define RUNS 5
#define ROOM ((size_t)48 << 10) /* the defaults of `context` and `map` */
#define MAP_ROOM ((size_t)8 << 10)

static void put(const char *root, const char *folder, const char *name, const char *text)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *dir = arena_printf(&arena, "%s/%s", root, folder);
	bench_must(file_make_dir(dir, 0755, &err), &err);
	bench_must(
		file_create(arena_printf(&arena, "%s/%s", dir, name), text, strlen(text), 0644, &err),
		&err);
}

/* Module i imports the next one, and one far away. */
static const char *module_text(size_t i, size_t n, struct arena *arena)
{
	size_t next = (i + 1) % n, far = (i * 7 + 3) % n;
	return arena_printf(arena,
		"from p%zu.m%zu import total_%zu\nfrom p%zu.m%zu import price_%zu\n\n\n"
		"class Cart%zu:\n    def __init__(self, items):\n        self.items = items\n\n"
		"    def add(self, item, count=1):\n        self.items.append((item, count))\n\n\n"
		"def price_%zu(item, rate=%zu):\n    if item is None:\n        return 0\n"
		"    return item * rate\n\n\n"
		"def total_%zu(items):\n    result = 0\n    for item in items:\n"
		"        result += price_%zu(item)\n    return result + total_%zu([]) + price_%zu(None)\n",
		next / 100, next, next, far / 100, far, far, i, i, i, i, i, next, far);
}

static const char *make_repository(const char *dir, size_t n, struct arena *arena)
{
	const char *root = arena_printf(arena, "%s/%zu", dir, n);
	for (size_t i = 0; i < n; i++)
		put(root, arena_printf(arena, "p%zu", i / 100), arena_printf(arena, "m%zu.py", i),
			module_text(i, n, arena));
	put(root, "tests", "test_m7.py",
		"from p0.m7 import total_7\n\n\ndef test_total():\n    assert total_7([1]) == 7\n");
	bench_shell(root,
		"git init -q . && git config user.name bench && git config user.email bench@localhost && "
		"git config gc.auto 0 && git add -A && git commit -q -m base");
	return root;
}

struct tree {
	struct arena arena;
	struct repository *repository;
	struct base base;
	struct suite suite;
	struct protection protection;
	struct checkout checkout;
	struct agent_services services;
	struct test_report report;
};

static void tree_open(struct tree *tree, const char *root)
{
	struct rondo_error err;
	struct arena *arena = &tree->arena;
	*tree = (struct tree){.report = {.exit_code = 1, .complete = true, .output = "1 failed"}};
	bench_must(
		repository_open(root, arena_printf(arena, "%s.private", root), &tree->repository, &err),
		&err);
	bench_must(repository_base(tree->repository, BASE_HEAD, arena, &tree->base, &err), &err);
	bench_must(worktree_new(tree->repository, &tree->base.tree,
				   arena_printf(arena, "%s.tree", root), &tree->checkout.worktree, &err),
		&err);
	suite_from_command("pytest", "from a bench", arena, &tree->suite);
	tree->protection = suite_protection(&tree->suite);
	tree->services = (struct agent_services){.main_checkout = &tree->checkout,
		.repository = tree->repository,
		.base = &tree->base,
		.suite = &tree->suite,
		.protection = &tree->protection};
	test_report_add(&tree->report, arena,
		&(struct test_result){.id = "tests/test_m7.py::test_total",
			.status = TEST_FAILED,
			.message = "assert 9 == 7",
			.file = "tests/test_m7.py",
			.line = 5});
}

static void tree_close(struct tree *tree)
{
	worktree_free(tree->checkout.worktree);
	repository_close(tree->repository);
	arena_release(&tree->arena);
}

static int64_t time_showing(struct tree *tree, size_t *ret_bytes)
{
	int64_t times[RUNS];
	struct rondo_error err;
	const struct showing showing = {
		.services = &tree->services, .report = &tree->report, .room = ROOM, .map_room = MAP_ROOM};
	for (size_t i = 0; i < RUNS; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		int64_t begun = clock_now_us();
		bench_must(showing_add(&text, &showing, &err), &err);
		times[i] = clock_now_us() - begun;
		*ret_bytes = text.length;
		if (!strstr(text.text, "def total_7(items):\n    result = 0\n") ||
			text.length > ROOM + MAP_ROOM)
			exit(1);
	}
	return bench_median(times, RUNS);
}

static int64_t time_all(struct tree *tree)
{
	int64_t times[RUNS];
	struct rondo_error err;
	for (size_t i = 0; i < RUNS; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct repair_file *files;
		size_t n;
		int64_t begun = clock_now_us();
		bench_must(sources_load(&tree->services, &arena, &files, &n, &err), &err);
		repair_new(&arena, files, n, &tree->report);
		times[i] = clock_now_us() - begun;
	}
	return bench_median(times, RUNS);
}

int main(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *dir = bench_directory(&arena);
	static const size_t sizes[] = {20, 200, 2000, 20000};
	int64_t first_us = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct tree tree;
		size_t bytes;
		tree_open(&tree, make_repository(dir, sizes[i], &arena));
		int64_t own_us = time_showing(&tree, &bytes), all_us = time_all(&tree);
		first_us = first_us ? first_us : own_us;
		printf("context: %5zu files: %6zu bytes, %7.1f ms, %5.1f times that of %zu files; all "
			   "files %7.1f ms\n",
			sizes[i], bytes, (double)own_us / 1e3, (double)own_us / (double)first_us, sizes[0],
			(double)all_us / 1e3);
		tree_close(&tree);
	}
	bench_must(file_remove_tree(dir, &err), &err);
}
