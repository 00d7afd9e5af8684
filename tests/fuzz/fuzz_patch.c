/* reads: patches of people and models */
/* A patch that fits gives a tree, and the difference to that one, as a patch, gives the same tree;
 * nothing of it leads out of the tree. One that does not fit is refused with words. */
#include "tests/fuzz/fuzz.h"
#include "worktree/worktree.h"

enum { RUNS_MOST = 3000 }; /* until what was written goes */

static struct repository *open_files(struct base *base, struct arena *arena)
{
	static const char text[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
	struct rondo_error err;
	struct repository *repository = NULL;
	assert(file_make_dir(fuzz_path("files/src"), 0700, &err) == 0);
	fuzz_write("files/a.txt", text, sizeof text - 1);
	fuzz_write("files/src/b.txt", "a\r\nb\r\n", 6);
	fuzz_write("files/empty", "", 0);
	assert(repository_open_files(fuzz_path("files"), fuzz_path("private"), &repository, &err) == 0);
	assert(repository_base(repository, BASE_SNAPSHOT, arena, base, &err) == 0);
	return repository;
}

static void check_paths(struct repository *repository, const struct object *tree)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char **paths;
	size_t n;
	assert(repository_list(repository, tree, &arena, &paths, &n, &err) == 0);
	for (size_t i = 0; i < n; i++)
		assert(*paths[i] != '/' && !text_starts_with(paths[i], "../") &&
			!strstr(paths[i], "/../") && strncasecmp(paths[i], ".git/", 5) != 0);
}

static void check(
	struct repository *repository, const struct base *base, const char *patch, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct object tree, again;
	struct diff diff;
	if (repository_patch_tree(repository, &base->tree, patch, n, &tree, &err) < 0) {
		assert_error(&err);
		return;
	}
	check_paths(repository, &tree);
	assert(repository_diff(repository, &base->tree, &tree, &arena, &diff, &err) == 0);
	assert(!diff.n == (strcmp(base->tree.hex, tree.hex) == 0));
	if (!diff.n)
		return;
	assert(repository_patch_tree(
			   repository, &base->tree, diff.patch, diff.patch_length, &again, &err) == 0);
	assert(strcmp(tree.hex, again.hex) == 0);
}

/* libgit2 1.5 loses the bytes of a binary file that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libgit2.so\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct repository *repository;
	static struct arena arena;
	static struct base base;
	static int runs;
	struct rondo_error err;
	AUTO_FREE char *patch = memory_alloc(size + 1);
	memcpy(patch, data, size);
	if (!repository)
		repository = open_files(&base, &arena);
	check(repository, &base, patch, size);
	if (++runs % RUNS_MOST)
		return 0;
	repository_close(repository);
	arena_release(&arena);
	repository = NULL;
	assert(file_remove_tree(fuzz_path("private"), &err) == 0);
	return 0;
}
