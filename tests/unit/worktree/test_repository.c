/* Opening repositories, usable and not, and what is found in them. */
#include "tests/unit/git_fixture.h"

#include <pthread.h>

static void expect_refusal(
	struct fixture *f, const char *path, const char *message, const char *help)
{
	struct repository *repository = NULL;
	assert_int_equal(repository_open(at(f, path), private_dir(f), &repository, &f->err), -1);
	assert_null(repository);
	assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
	assert_non_null(strstr(f->err.message, message));
	assert_non_null(strstr(f->err.help, help));
}

static void clean_repository_is_its_head(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo/src");
	assert_string_equal(repository_root(repository), at(f, "repo"));
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_string_equal(base.commit.hex, sh(f, "git rev-parse HEAD"));
	assert_string_equal(base.tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
	assert_string_equal(base.branch, "main");
	assert_int_equal(base.n_notes, 0);
	assert_string_equal(paths_of(f, repository, &base.tree), "a.txt src/b.txt");
	assert_string_equal(file_of(f, repository, &base.tree, "src/b.txt"), "two\n");
	must(f, repository_base(repository, BASE_REFUSE, &f->arena, &base, &f->err));
}

static void unusable_repositories_are_refused_with_help(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir ../plain; git init -q --bare ../bare.git; git init -q --object-format=sha256 "
		"../sha256");
	expect_refusal(f, "plain", "not in a git repository", "git init");
	expect_refusal(f, "bare.git", "bare", "git clone");
	expect_refusal(f, "sha256", "SHA-256", "sha1");
	expect_refusal(f, "absent", "absent", "");
}

static void foreign_owner_is_refused_with_help(void **state)
{
	struct fixture *f = *state;
	if (geteuid() != 0)
		skip();
	commit_two_files(f);
	sh(f, "chown -R 1234:1234 .");
	expect_refusal(f, "repo", "belongs to another user", "safe.directory");
	sh(f, "git config --global safe.directory '*'");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	sh(f, "rm \"$HOME/.gitconfig\"");
	assert_string_equal(base_of(f, repository, BASE_HEAD).branch, "main");
}

static void repository_without_commit_has_no_base(void **state)
{
	struct fixture *f = *state;
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base;
	assert_int_equal(repository_base(repository, BASE_SNAPSHOT, &f->arena, &base, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
	assert_non_null(strstr(f->err.message, "no commit yet on main"));
	assert_non_null(strstr(f->err.help, "git commit"));
}

static void states_of_a_checkout_work(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"echo 2 >>a.txt; git commit -qam second; git clone -q --depth 1 \"file://$PWD\" "
		"../shallow; git worktree add -q ../linked HEAD~1");
	sh(f, "git -C ../linked checkout -q -b side; echo linked >../linked/l.txt");
	struct {
		const char *path, *branch;
	} cases[] = {{"shallow", "main"}, {"linked", "side"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_REPOSITORY *repository = open_repo(f, cases[i].path);
		struct base base = base_of(f, repository, BASE_SNAPSHOT);
		assert_string_equal(base.branch, cases[i].branch);
		assert_string_equal(base.head.hex, sh(f, "git -C ../%s rev-parse HEAD", cases[i].path));
		assert_int_equal(base.n_untracked, i);
	}
	sh(f, "git checkout -q --detach; : >.git/index.lock");
	AUTO_REPOSITORY *detached = open_repo(f, "repo");
	assert_null(base_of(f, detached, BASE_SNAPSHOT).branch);
}

/* As git 2.48 makes it; this git may not know the extension. */
static void a_linked_checkout_may_have_relative_paths(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	const char *head = sh(f,
		"git worktree add -q ../linked -b side; "
		"echo gitdir: ../repo/.git/worktrees/linked >../linked/.git; "
		"echo ../../../../linked/.git >.git/worktrees/linked/gitdir; git rev-parse HEAD; "
		"git config core.repositoryformatversion 1; "
		"git config extensions.relativeWorktrees true");
	AUTO_REPOSITORY *repository = open_repo(f, "linked");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(base.branch, "side");
	assert_string_equal(base.head.hex, head);
}

static void missing_object_of_a_partial_clone_names_git_fetch(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"git config uploadpack.allowFilter true; git clone -q --filter=blob:none "
		"--no-checkout \"file://$PWD\" ../partial; "
		"cd ../partial; git sparse-checkout set --no-cone /a.txt; git checkout -q main");
	AUTO_REPOSITORY *repository = open_repo(f, "partial");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	struct worktree *worktree = NULL;
	assert_int_equal(worktree_new(repository, &base.tree, at(f, "tree"), &worktree, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_non_null(strstr(f->err.message, "src/b.txt"));
	assert_non_null(strstr(f->err.help, "git fetch --refetch --no-filter"));
	assert_false(file_exists(at(f, "tree")));
	sh(f, "cd ../partial; git fetch -q --refetch --no-filter");
	AUTO_REPOSITORY *mended = open_repo(f, "partial");
	AUTO_WORKTREE *whole = checkout_of(f, mended, &base.tree, "whole");
	assert_string_equal(worktree_dir(whole), at(f, "whole"));
	assert_string_equal(content(f, "whole/src/b.txt"), "two\n");
}

static void damaged_object_cannot_be_judged(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"o=$(git rev-parse HEAD:a.txt); p=.git/objects/$(echo $o | cut -c1-2)/$(echo $o | "
		"cut -c3-); chmod u+w $p; echo damage >$p");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	struct worktree *worktree = NULL;
	assert_int_equal(worktree_new(repository, &base.tree, at(f, "tree"), &worktree, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_string_equal(f->err.help, "git fsck");
}

static void one_file_outside_git_has_a_base(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir ../loose; echo 'print(1)' >../loose/p.py; echo other >../loose/other; chmod "
		"+x ../loose/p.py");
	struct repository *opened = NULL;
	must(f, repository_open_files(at(f, "loose/p.py"), private_dir(f), &opened, &f->err));
	AUTO_REPOSITORY *repository = opened;
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(repository_root(repository), at(f, "loose"));
	assert_string_equal(paths_of(f, repository, &base.tree), "p.py");
	assert_false(base.is_snapshot);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	struct edit edit = edit_of(f, "p.py", "print(2)\n");
	must(f, worktree_apply(worktree, &edit, &f->err));
	struct scanned fixed = scan_of(f, worktree);
	must(f, repository_apply(repository, &base, &fixed.tree, &f->err));
	assert_string_equal(content(f, "loose/p.py"), "print(2)\n");
	assert_string_equal(sh(f, "stat -c %%a ../loose/p.py"), "755");
	struct object commit;
	assert_int_equal(
		repository_publish(repository, &base, &fixed.tree, "x", "x\n", &commit, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
}

static void directory_outside_git_has_a_base(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir -p ../loose/sub; echo 1 >../loose/a; echo 2 >../loose/sub/b; echo 'c' "
		">../loose/.gitignore; echo 3 >../loose/c");
	struct repository *opened = NULL;
	must(f, repository_open_files(at(f, "loose"), private_dir(f), &opened, &f->err));
	AUTO_REPOSITORY *repository = opened;
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(paths_of(f, repository, &base.tree), ".gitignore a sub/b");
}

static void dependencies_are_found_beside_tracked_files(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"printf 'node_modules\\n' >.gitignore; git add .; git commit -qm i; mkdir -p "
		"node_modules/x src/node_modules other/node_modules .venv/bin plain/vendor; "
		"echo '*' >.venv/.gitignore; touch .venv/pyvenv.cfg; mkdir vendor; touch vendor/f; "
		"ln -s /etc out; mkdir mine");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	const char *names[] = {"node_modules", ".venv", "vendor"}, *extra[] = {"mine/"};
	const char **paths = NULL;
	size_t n = 0;
	must(f,
		repository_dependencies(
			repository, &base, names, 3, extra, 1, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 4);
	assert_true(mentions(paths, n, ".venv"));
	assert_true(mentions(paths, n, "src/node_modules"));
	assert_string_equal(paths[3], "mine");
	assert_false(mentions(paths, n, "vendor"));
	static const char *const bad[] = {"out", "../repo", "/etc", "absent", "src/../mine"};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(repository_dependencies(repository, &base, names, 3, &bad[i], 1, &f->arena,
							 &paths, &n, &f->err),
			-1);
		assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
		assert_non_null(strstr(f->err.message, "mount"));
	}
}

static void dependencies_are_found_by_rules_that_ignore_themselves(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"printf '/.gitignore\\n.venv/\\n' >.gitignore; mkdir .venv vendor; touch .venv/pyvenv.cfg "
		"vendor/f");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_null(strstr(paths_of(f, repository, &base.tree), ".gitignore"));
	const char *names[] = {".venv", "vendor"}, **paths = NULL;
	size_t n = 0;
	must(f,
		repository_dependencies(
			repository, &base, names, 2, NULL, 0, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 1);
	assert_string_equal(paths[0], ".venv");
}

static void environments_are_dependencies_whatever_git_says(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"mkdir -p .venv/lib other/bin src/node_modules/x .conda/conda-meta mine; "
		"touch .venv/pyvenv.cfg .venv/lib/a.py other/pyvenv.cfg other/b.py src/node_modules/x/i.js "
		".conda/conda-meta/history mine/c.py");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_int_equal(base.n_untracked, 1);
	assert_non_null(strstr(paths_of(f, repository, &base.tree), "mine/c.py"));
	const char *names[] = {"node_modules", "*/pyvenv.cfg"}, **paths = NULL;
	size_t n = 0;
	must(f,
		repository_dependencies(
			repository, &base, names, 2, NULL, 0, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 4);
	assert_true(mentions(paths, n, ".venv"));
	assert_true(mentions(paths, n, "other"));
	assert_true(mentions(paths, n, ".conda"));
	assert_true(mentions(paths, n, "src/node_modules"));
}

/* A .gitignore line such as ".venv/" does not match a link. */
static void linked_environments_and_named_files_are_dependencies(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"printf '.pnp.*\n.venv/\n/vendor\n' >.gitignore; git add .; git commit -qm i; "
		"mkdir -p ../env ../other; touch ../env/pyvenv.cfg .pnp.cjs src/.pnp.cjs; "
		"ln -s ../env .venv; ln -s ../other vendor; ln -s ../env linked; ln -s nowhere venv");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(
		paths_of(f, repository, &base.tree), ".gitignore a.txt src/b.txt venv");
	const char *names[] = {".venv", "venv", "vendor", ".pnp.cjs", "*/pyvenv.cfg"}, **paths = NULL;
	size_t n = 0;
	must(f,
		repository_dependencies(
			repository, &base, names, 5, NULL, 0, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 4);
	assert_true(mentions(paths, n, ".venv"));
	assert_true(mentions(paths, n, "linked"));
	assert_true(mentions(paths, n, "src/.pnp.cjs"));
	assert_false(mentions(paths, n, "vendor"));
}

static void ignored_files_are_found_by_globs(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"printf '_version.py\n*.json\n' >.gitignore; git add .; git commit -qm i; "
		"touch src/_version.py src/data.json src/secrets.json src/new.py .hidden.json");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	const char *names[] = {"*.py", "*.json"}, *extra[] = {"a.txt"}, **paths = NULL;
	size_t n = 0;
	must(f,
		repository_dependencies(
			repository, &base, names, 2, extra, 1, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 3);
	assert_true(mentions(paths, n, "src/_version.py"));
	assert_true(mentions(paths, n, "src/data.json"));
	assert_string_equal(paths[2], "a.txt");
}

/* --- Two handles --- */

enum { ROUNDS = 10 };

struct handle {
	struct fixture *f;
	struct repository *repository;
	const struct base *base;
	const char *dir[ROUNDS];
	struct object tree; /* of the last round */
	struct rondo_error err;
	int status;
};

/* A checkout in which a file is changed, read back, again and again. */
static void *use_handle(void *owner)
{
	struct handle *handle = owner;
	struct rondo_error *err = &handle->err;
	for (int i = 0; i < ROUNDS && handle->status == 0; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		AUTO_WORKTREE *worktree = NULL;
		const char **refused;
		size_t n;
		const char *file = arena_printf(&arena, "%s/a.txt", handle->dir[i]);
		handle->status =
			worktree_new(handle->repository, &handle->base->tree, handle->dir[i], &worktree, err);
		if (handle->status == 0)
			handle->status = file_write(file, handle->dir[i], strlen(handle->dir[i]), 0644, err);
		if (handle->status == 0)
			handle->status =
				worktree_tree(worktree, NULL, 0, &arena, &handle->tree, &refused, &n, err);
	}
	return NULL;
}

static void two_handles_are_used_at_the_same_time(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	AUTO_REPOSITORY *first = open_repo(f, "repo");
	AUTO_REPOSITORY *second = NULL;
	struct base base = base_of(f, first, BASE_SNAPSHOT);
	must(f, repository_open_beside(first, 1, &second, &f->err));
	assert_string_equal(repository_root(second), repository_root(first));
	struct handle handles[] = {{.f = f, .repository = first}, {.f = f, .repository = second}};
	pthread_t thread;
	for (int i = 0; i < 2; i++) {
		handles[i].base = &base;
		for (int k = 0; k < ROUNDS; k++)
			handles[i].dir[k] = arena_printf(&f->arena, "%s/handle-%d-%d", f->dir, i, k);
	}
	assert_int_equal(pthread_create(&thread, NULL, use_handle, &handles[1]), 0);
	use_handle(&handles[0]);
	pthread_join(thread, NULL);
	for (int i = 0; i < 2; i++) {
		if (handles[i].status < 0)
			fail_msg("%s", handles[i].err.message);
		/* what one has written the other one finds */
		assert_string_equal(file_of(f, handles[1 - i].repository, &handles[i].tree, "a.txt"),
			handles[i].dir[ROUNDS - 1]);
	}
}

UNIT(repository)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(clean_repository_is_its_head),
		FIXTURE_TEST(unusable_repositories_are_refused_with_help),
		FIXTURE_TEST(foreign_owner_is_refused_with_help),
		FIXTURE_TEST(repository_without_commit_has_no_base),
		FIXTURE_TEST(states_of_a_checkout_work),
		FIXTURE_TEST(a_linked_checkout_may_have_relative_paths),
		FIXTURE_TEST(missing_object_of_a_partial_clone_names_git_fetch),
		FIXTURE_TEST(damaged_object_cannot_be_judged),
		FIXTURE_TEST(one_file_outside_git_has_a_base),
		FIXTURE_TEST(directory_outside_git_has_a_base),
		FIXTURE_TEST(dependencies_are_found_beside_tracked_files),
		FIXTURE_TEST(dependencies_are_found_by_rules_that_ignore_themselves),
		FIXTURE_TEST(environments_are_dependencies_whatever_git_says),
		FIXTURE_TEST(linked_environments_and_named_files_are_dependencies),
		FIXTURE_TEST(ignored_files_are_found_by_globs),
		FIXTURE_TEST(two_handles_are_used_at_the_same_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
