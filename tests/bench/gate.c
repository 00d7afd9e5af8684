/* The gate's own cost: a checkout, one change in it, its tree, its end; against what git needs for the same. */
#include "base/process.h"
#include "tests/bench/bench.h"
#include "worktree/worktree.h"

#define RUNS 5

extern char **environ;

struct times {
	int64_t work[RUNS], removal[RUNS];
};

static void shell(const char *dir, const char *command)
{
	struct rondo_error err;
	struct process_result result;
	const char *argv[] = {"/bin/sh", "-ec", command, NULL};
	struct process_options options = {.argv = argv, .env = (const char *const *)environ, .cwd = dir};
	bench_must(process_run(&options, &result, &err), &err);
	if (result.exit_code == 0)
		return;
	fprintf(stderr, "gate: %s: exit code %d\n", command, result.exit_code);
	exit(1);
}

/* `n` files of about 1 KB, 100 in a directory, as the one commit of a repository. */
static const char *make_repository(const char *dir, size_t n, struct arena *arena)
{
	struct rondo_error err;
	const char *root = arena_printf(arena, "%s/%zu", dir, n);
	for (size_t i = 0; i < n; i++) {
		const char *parent = arena_printf(arena, "%s/d%zu", root, i / 100);
		const char *text = arena_printf(arena, "%zu%01000d\n", i, 0);
		bench_must(file_make_dir(parent, 0755, &err), &err);
		FILE *file = fopen(arena_printf(arena, "%s/f%zu.txt", parent, i % 100), "w");
		if (!file || fputs(text, file) < 0 || fclose(file) != 0)
			exit(1);
	}
	shell(root, "git init -q . && git config user.name bench && git config user.email bench@localhost && "
		    "git config gc.auto 0 && git add -A && git commit -q -m base && git repack -adq");
	return root;
}

static void run_rondo(const char *root, struct times *times, size_t run)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct base base;
	struct object tree;
	struct repository *repository;
	struct worktree *worktree;
	const char **refused;
	size_t n_refused;
	const char *checkout = arena_printf(&arena, "%s.rondo", root);
	int64_t start = clock_now_us();
	bench_must(repository_open(root, arena_printf(&arena, "%s.private", root), &repository, &err), &err);
	bench_must(repository_base(repository, BASE_HEAD, &arena, &base, &err), &err);
	bench_must(worktree_new(repository, &base.tree, checkout, &worktree, &err), &err);
	bench_must(file_write(arena_printf(&arena, "%s/d0/f0.txt", checkout), "changed\n", 8, 0644, &err), &err);
	bench_must(worktree_tree(worktree, NULL, 0, &arena, &tree, &refused, &n_refused, &err), &err);
	times->work[run] = clock_now_us() - start;
	start = clock_now_us();
	worktree_free(worktree);
	repository_close(repository);
	bench_must(file_remove_tree(arena_printf(&arena, "%s.private", root), &err), &err);
	times->removal[run] = clock_now_us() - start;
}

static void run_git(const char *root, struct times *times, size_t run)
{
	int64_t start = clock_now_us();
	shell(root, "git worktree add -q --detach ../git HEAD && echo changed >../git/d0/f0.txt && "
		    "cd ../git && git add -A && git commit -q -m change");
	times->work[run] = clock_now_us() - start;
	start = clock_now_us();
	shell(root, "git worktree remove --force ../git");
	times->removal[run] = clock_now_us() - start;
}

int main(void)
{
	static const size_t sizes[] = {200, 2000, 20000};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct times rondo, git;
	const char *dir = bench_directory(&arena);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const char *root = make_repository(dir, sizes[i], &arena);
		for (size_t run = 0; run < RUNS; run++) {
			run_git(root, &git, run);
			run_rondo(root, &rondo, run);
		}
		double ours = (double)bench_median(rondo.work, RUNS) / 1000;
		double theirs = (double)bench_median(git.work, RUNS) / 1000;
		printf("gate: %5zu files: rondo %.0f ms and %.0f ms to remove, git %.0f ms and %.0f ms: ratio %.2f\n",
			sizes[i], ours, (double)bench_median(rondo.removal, RUNS) / 1000, theirs,
			(double)bench_median(git.removal, RUNS) / 1000, ours / theirs);
	}
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
