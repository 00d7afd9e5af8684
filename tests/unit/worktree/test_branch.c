/* What is written to the user's repository: only the branch. */
#include "tests/unit/git_fixture.h"

/* The hash of every file of .git, and of the checkout. */
static const char *fingerprint(struct fixture *f)
{
	return sh(f,
		"find . -path ./.git/objects -prune -o -type f -print0 | sort -z | xargs -0 "
		"sha256sum; find .git -type d | grep -v objects | sort");
}

static void commit_all(struct fixture *f)
{
	sh(f,
		"mkdir -p src; echo one >a.txt; echo two >src/b.txt; printf '#!/bin/sh\\n' >run.sh; "
		"chmod +x run.sh; git add .; git commit -qm first");
}

struct fix {
	struct repository *repository;
	struct worktree *worktree;
	struct base base;
	struct object tree;
};

static void fix_close(struct fix *fix)
{
	worktree_free(fix->worktree);
	repository_close(fix->repository);
}

#define AUTO_FIX __attribute__((cleanup(fix_close))) struct fix

static struct fix fix_of(struct fixture *f, enum base_mode mode, const struct edit *edit)
{
	struct fix fix = {.repository = open_repo(f, "repo")};
	fix.base = base_of(f, fix.repository, mode);
	fix.worktree = checkout_of(f, fix.repository, &fix.base.tree, "tree");
	must(f, worktree_apply(fix.worktree, edit, &f->err));
	fix.tree = scan_of(f, fix.worktree).tree;
	return fix;
}

static void publishing_writes_one_ref_and_nothing_else(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f,
		"echo stashed >>a.txt; git stash -q; git config commit.gpgsign true; git config "
		"user.signingkey nobody; echo staged >s.txt; git add s.txt; echo dirty "
		">>src/b.txt; echo untracked >u.txt; git gc -q; touch -d 2001-01-01 "
		".git/objects/pack/*; "
		"printf '#!/bin/sh\\ntouch \"%s\"\\n' >.git/hooks/post-commit; chmod +x "
		".git/hooks/post-commit; "
		"cp .git/hooks/post-commit .git/hooks/reference-transaction",
		at(f, "ran"));
	const char *before = fingerprint(f), *packs = sh(f, "stat -c '%%n %%y' .git/objects/pack/*");
	struct edit edit = edit_of(f, "src/b.txt", "fixed\n");
	AUTO_FIX fix = fix_of(f, BASE_SNAPSHOT, &edit);
	assert_string_equal(fingerprint(f), before);
	struct object commit;
	must(f,
		repository_publish(fix.repository, &fix.base, &fix.tree, "rondo/x",
			"mend b\n\nRondo: yes\n", &commit, &f->err));
	assert_string_equal(sh(f, "cat .git/refs/heads/rondo/x"), commit.hex);
	assert_string_equal(sh(f, "git log --format='%%s|%%an <%%ae>|%%G?' rondo/x"),
		"mend b|Ann <ann@example.org>|N\nsnapshot of uncommitted work|Ann "
		"<ann@example.org>|N\nfirst|Ann <ann@example.org>|N");
	assert_string_equal(sh(f, "git reflog rondo/x --format=%%gs"), "rondo: mend b");
	assert_string_equal(sh(f, "git ls-tree -r --name-only rondo/x | tr '\\n' ' '"),
		"a.txt run.sh s.txt src/b.txt u.txt ");
	assert_string_equal(sh(f, "git fsck --strict 2>&1 | grep -v dangling || true"), "");
	sh(f, "git clone -q -b rondo/x . ../clone; test \"$(cat ../clone/src/b.txt)\" = fixed");
	assert_false(file_exists(at(f, "ran")));
	assert_string_equal(sh(f, "stat -c '%%n %%y' .git/objects/pack/*"), packs);
	sh(f, "rm -r .git/refs/heads/rondo .git/logs/refs/heads/rondo");
	assert_string_equal(fingerprint(f), before);
}

static void branch_of_a_clean_base_has_head_as_parent(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, "git config --unset user.name; git config --unset user.email");
	struct edit edit = edit_of(f, "a.txt", "fixed\n");
	AUTO_FIX fix = fix_of(f, BASE_SNAPSHOT, &edit);
	struct object commit;
	must(f,
		repository_publish(fix.repository, &fix.base, &fix.tree, "fix", "f\n", &commit, &f->err));
	assert_string_equal(sh(f, "git rev-parse fix~1"), sh(f, "git rev-parse HEAD"));
	assert_string_equal(sh(f, "git log -1 --format='%%an <%%ae>' fix"), "rondo <rondo@localhost>");
}

static void linked_worktree_publishes_to_the_common_repository(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, "git worktree add -q ../linked -b side; echo l >>../linked/a.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "linked");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	struct object commit;
	must(f, repository_publish(repository, &base, &base.tree, "rondo/l", "l\n", &commit, &f->err));
	assert_string_equal(sh(f, "git rev-parse refs/heads/rondo/l"), commit.hex);
	assert_string_equal(sh(f, "git -C ../linked status --porcelain"), " M a.txt");
}

static void branch_that_cannot_be_made_is_told_before(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, "git branch taken; git branch deep/er/x; git branch rondo; git pack-refs --all");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const struct {
		const char *name, *message;
	} bad[] = {{"taken", "there is a branch"}, {"deep", "'deep/er/x' is in the way"},
		{"deep/er", "in the way"}, {"rondo/x", "a branch 'rondo' is in the way"},
		{"a..b", "not a name"}, {"-x", "not a name"}, {"x.lock", "not a name"}, {"", "not a name"}};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(repository_check_branch(repository, bad[i].name, &f->err), -1);
		assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
		assert_non_null(strstr(f->err.message, bad[i].message));
		assert_true(f->err.help[0] != '\0');
	}
	must(f, repository_check_branch(repository, "deep/other", &f->err));
	struct base base = base_of(f, repository, BASE_HEAD);
	struct object commit;
	assert_int_equal(
		repository_publish(repository, &base, &base.tree, "taken", "x\n", &commit, &f->err), -1);
}

/* What a power loss leaves of a ref: a file without a hash. */
static void branch_that_cannot_be_read_is_no_success(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, ": >.git/refs/heads/empty; echo rubbish >.git/refs/heads/rubbish");
	static const char *const names[] = {"empty", "rubbish"};
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	assert_int_equal(repository_check_branch(repository, "empty/x", &f->err), -1);
	assert_non_null(strstr(f->err.message, "a branch 'empty' is in the way of 'empty/x'"));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct object commit;
		assert_int_equal(repository_check_branch(repository, names[i], &f->err), -1);
		assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
		assert_non_null(strstr(f->err.message, "that git cannot read"));
		assert_int_equal(
			repository_publish(repository, &base, &base.tree, names[i], "x\n", &commit, &f->err),
			-1);
		char *rm = strstr(f->err.help, "rm '");
		assert_non_null(rm);
		sh(f, "%s", rm);
		must(f,
			repository_publish(repository, &base, &base.tree, names[i], "x\n", &commit, &f->err));
	}
}

/* Git makes a branch where only an empty directory of that name is. */
static void empty_directory_is_not_in_the_way(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, "mkdir -p .git/refs/heads/x/y .git/logs/refs/heads/x/y");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	struct object commit;
	must(f, repository_publish(repository, &base, &base.tree, "x", "x\n", &commit, &f->err));
	assert_string_equal(sh(f, "git rev-parse refs/heads/x"), commit.hex);
}

static void commits_bear_the_date_of_the_environment(void **state)
{
	struct fixture *f = *state;
	commit_all(f);
	sh(f, "echo dirty >>a.txt");
	const char *hashes[2];
	setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
	for (int i = 0; i < 2; i++) {
		AUTO_REPOSITORY *repository = open_repo(f, "repo");
		struct base base = base_of(f, repository, BASE_SNAPSHOT);
		struct object commit;
		must(f,
			repository_publish(repository, &base, &base.tree,
				arena_printf(&f->arena, "rondo/%d", i), "f\n", &commit, &f->err));
		hashes[i] = arena_strdup(&f->arena, commit.hex);
	}
	assert_string_equal(hashes[0], hashes[1]);
	assert_string_equal(sh(f, "git log -2 --format='%%ad %%cd' --date=raw rondo/0"),
		"1700000000 +0000 1700000000 +0000\n1700000000 +0000 1700000000 +0000");
	setenv("SOURCE_DATE_EPOCH", "tomorrow", 1);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base;
	assert_int_equal(repository_base(repository, BASE_SNAPSHOT, &f->arena, &base, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
	unsetenv("SOURCE_DATE_EPOCH");
}

UNIT(branch)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(publishing_writes_one_ref_and_nothing_else),
		FIXTURE_TEST(branch_of_a_clean_base_has_head_as_parent),
		FIXTURE_TEST(linked_worktree_publishes_to_the_common_repository),
		FIXTURE_TEST(branch_that_cannot_be_made_is_told_before),
		FIXTURE_TEST(branch_that_cannot_be_read_is_no_success),
		FIXTURE_TEST(empty_directory_is_not_in_the_way),
		FIXTURE_TEST(commits_bear_the_date_of_the_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
