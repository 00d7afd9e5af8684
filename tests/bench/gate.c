/*
 * What the gate costs beside the suite's runs: a checkout, one change in it, its tree, its end; and
 * a whole gate of two fresh checkouts, the comparison of as many tests as there are files, and the
 * commit. Against what `git worktree add` and `git commit` need for one checkout. Each in a process
 * of its own, whose largest size is told.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/bench/bench.h"
#include "verify/suite/suite.h"
#include "worktree/worktree.h"

#define RUNS 5

struct repository_kind {
	const char *name;
	const char *setup; /* run in it before the first commit */
};

/* With rules that leave all content as it is, each path is still matched with them. */
static const struct repository_kind kinds[] = {
	{"plain", ":"},
	{"attributes",
		"printf '* text=auto\\n*.bat eol=crlf\\n*.png binary\\n' >.gitattributes && "
		"printf '*.o\\nbuild/\\n__pycache__/\\n' >.gitignore"},
};

/* `n` files of about 1 KB, 100 in a directory, as the one commit of a repository. */
static const char *make_repository(
	const char *dir, const struct repository_kind *kind, size_t n, struct arena *arena)
{
	struct rondo_error err;
	const char *root = arena_printf(arena, "%s/%s-%zu", dir, kind->name, n);
	for (size_t i = 0; i < n; i++) {
		const char *parent = arena_printf(arena, "%s/d%zu", root, i / 100);
		const char *text = arena_printf(arena, "%zu%01000d\n", i, 0);
		bench_must(file_make_dir(parent, 0755, &err), &err);
		FILE *file = fopen(arena_printf(arena, "%s/f%zu.txt", parent, i % 100), "w");
		if (!file || fputs(text, file) < 0 || fclose(file) != 0)
			exit(1);
	}
	bench_shell(root, kind->setup);
	bench_shell(root,
		"git init -q . && git config user.name bench && git config user.email bench@localhost && "
		"git config gc.auto 0 && git add -A && git commit -q -m base && git repack -adq");
	return root;
}

struct rondo {
	struct arena arena;
	struct repository *repository;
	struct base base;
};

static void open_repository(const char *root, struct rondo *rondo)
{
	struct rondo_error err;
	bench_must(repository_open(
				   root, arena_printf(&rondo->arena, "%s.private", root), &rondo->repository, &err),
		&err);
	bench_must(
		repository_base(rondo->repository, BASE_HEAD, &rondo->arena, &rondo->base, &err), &err);
}

static void close_repository(const char *root, struct rondo *rondo)
{
	struct rondo_error err;
	repository_close(rondo->repository);
	bench_must(file_remove_tree(arena_printf(&rondo->arena, "%s.private", root), &err), &err);
	arena_release(&rondo->arena);
}

/* The tree of a new checkout in which one file was changed. */
static struct worktree *change(const char *dir, struct rondo *rondo, struct object *ret_tree)
{
	struct rondo_error err;
	struct worktree *worktree;
	const char **refused;
	size_t n_refused;
	bench_must(worktree_new(rondo->repository, &rondo->base.tree, dir, &worktree, &err), &err);
	bench_must(
		file_write(arena_printf(&rondo->arena, "%s/d0/f0.txt", dir), "changed\n", 8, 0644, &err),
		&err);
	bench_must(
		worktree_tree(worktree, NULL, 0, &rondo->arena, ret_tree, &refused, &n_refused, &err),
		&err);
	return worktree;
}

static int64_t measure_checkout(const char *root, size_t n)
{
	(void)n;
	struct rondo rondo = {0};
	struct object tree;
	int64_t start = clock_now_us();
	open_repository(root, &rondo);
	worktree_free(change(arena_printf(&rondo.arena, "%s.rondo", root), &rondo, &tree));
	close_repository(root, &rondo);
	return clock_now_us() - start;
}

/* All tests pass but the last one, and that one too where `fixed`. */
static struct test_report report_of(size_t n, bool fixed, struct arena *arena)
{
	struct test_report report = {.complete = true, .exit_code = !fixed};
	for (size_t i = 0; i < n; i++) {
		struct test_result result = {
			.id = arena_printf(arena, "tests/test_%zu.py::test_%zu", i / 100, i)};
		result.status = fixed || i + 1 < n ? TEST_PASSED : TEST_FAILED;
		test_report_add(&report, arena, &result);
	}
	return report;
}

static void compare(size_t n, struct arena *arena)
{
	const struct test_report before = report_of(n, false, arena), after = report_of(n, true, arena);
	const struct test_report *const reports[] = {&before, &before};
	struct baseline baseline;
	struct comparison comparison;
	baseline_make(reports, 2, NULL, arena, &baseline);
	baseline_compare(&baseline, &after, arena, &comparison);
	if (!comparison.ok)
		exit(1);
}

/* By checkout. */
static int64_t measure_gate(const char *root, size_t n)
{
	struct rondo rondo = {0};
	struct rondo_error err;
	struct worktree *gates[2];
	struct object tree, commit;
	open_repository(root, &rondo);
	worktree_free(change(arena_printf(&rondo.arena, "%s.main_checkout", root), &rondo, &tree));
	int64_t start = clock_now_us();
	for (size_t i = 0; i < ARRAY_SIZE(gates); i++) {
		const char *dir = arena_printf(&rondo.arena, "%s.gate-%zu", root, i);
		bench_must(worktree_new(rondo.repository, &tree, dir, &gates[i], &err), &err);
	}
	compare(n, &rondo.arena);
	const char *branch = arena_printf(&rondo.arena, "fix-%d", (int)getpid());
	bench_must(
		repository_publish(rondo.repository, &rondo.base, &tree, branch, "fix\n", &commit, &err),
		&err);
	for (size_t i = 0; i < ARRAY_SIZE(gates); i++)
		worktree_free(gates[i]);
	int64_t took = clock_now_us() - start;
	close_repository(root, &rondo);
	return took / (int64_t)ARRAY_SIZE(gates);
}

static int64_t measure_git(const char *root, size_t n)
{
	(void)n;
	int64_t start = clock_now_us();
	bench_shell(root,
		"git worktree add -q --detach ../git HEAD && echo changed >../git/d0/f0.txt && "
		"cd ../git && git add -A && git commit -q -m change");
	int64_t took = clock_now_us() - start;
	bench_shell(root, "git worktree remove --force ../git");
	return took;
}

/* The time that it takes in a process of its own, whose size may raise `peak_kib`. */
static int64_t apart(
	int64_t (*measure)(const char *root, size_t n), const char *root, size_t n, long *peak_kib)
{
	int ends[2], status;
	int64_t took;
	struct rusage usage;
	if (pipe(ends) < 0)
		exit(1);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		took = measure(root, n);
		_exit(write(ends[1], &took, sizeof took) != sizeof took);
	}
	close(ends[1]);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0 ||
		read(ends[0], &took, sizeof took) != sizeof took)
		exit(1);
	close(ends[0]);
	*peak_kib = usage.ru_maxrss > *peak_kib ? usage.ru_maxrss : *peak_kib;
	return took;
}

static void bench(const char *dir, const struct repository_kind *kind, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	int64_t git[RUNS], checkout[RUNS], gate[RUNS];
	long peak_kib = 0, ignored = 0;
	const char *root = make_repository(dir, kind, n, &arena);
	for (size_t run = 0; run < RUNS; run++) {
		git[run] = apart(measure_git, root, n, &ignored);
		checkout[run] = apart(measure_checkout, root, n, &peak_kib);
		gate[run] = apart(measure_gate, root, n, &peak_kib);
	}
	double theirs = (double)bench_median(git, RUNS) / 1000;
	double one = (double)bench_median(checkout, RUNS) / 1000,
		   whole = (double)bench_median(gate, RUNS) / 1000;
	printf(
		"gate: %5zu files, %-11s git %4.0f ms; a checkout, its tree and end %4.0f ms: ratio %.2f; "
		"a gate, for each checkout %4.0f ms: ratio %.2f; at most %ld MiB\n",
		n, kind->name, theirs, one, one / theirs, whole, whole / theirs, peak_kib / 1024);
	bench_must(file_remove_tree(root, &err), &err);
}

int main(void)
{
	static const size_t sizes[] = {200, 2000, 20000};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *dir = bench_directory(&arena);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (size_t j = 0; j < ARRAY_SIZE(sizes); j++)
			bench(dir, &kinds[i], sizes[j]);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
