/* The base of a run, from checkouts in every state that users have them in. */
#include "tests/unit/git_fixture.h"

/* What `git add -A && git write-tree` would make, asked from git with an index of its own. */
static const char *tree_by_git(struct fixture *f)
{
	return sh(f,
		"cp .git/index ../index 2>/dev/null || true; GIT_INDEX_FILE=../index git -c "
		"core.safecrlf=false add -A 2>/dev/null; "
		"GIT_INDEX_FILE=../index git write-tree");
}

static void snapshot_holds_the_uncommitted_work(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"echo gone >gone.txt; echo run >run.sh; ln -s a.txt link; printf "
		"'*.log\\n/build/\\n' >.gitignore; git add .; git commit -qm more");
	sh(f,
		"echo changed >a.txt; git add a.txt; echo again >>a.txt; rm gone.txt; chmod +x "
		"run.sh; ln -sf src/b.txt link");
	sh(f,
		"mkdir -p build deep/er; echo x >build/out; echo x >x.log; printf 'a\\0b' "
		">deep/er/binary; echo new >new.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_true(base.is_snapshot);
	assert_string_equal(base.tree.hex, tree_by_git(f));
	assert_int_equal(base.n_modified, 3);
	assert_int_equal(base.n_untracked, 2);
	assert_int_equal(base.n_deleted, 1);
	const char *counted =
		"git ls-files -z -co --exclude-standard | xargs -0 stat -c %s 2>/dev/null";
	assert_int_equal(
		base.n_bytes, atoi(sh(f, "{ %s || true; } | awk '{ n += $1 } END { print n }'", counted)));
	assert_string_equal(base.head.hex, sh(f, "git rev-parse HEAD"));
	struct base head = base_of(f, repository, BASE_HEAD);
	assert_string_equal(head.tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
	assert_false(head.is_snapshot);
	assert_int_equal(repository_base(repository, BASE_REFUSE, &f->arena, &head, &f->err), -1);
	assert_non_null(strstr(f->err.message, "3 modified, 2 untracked and 1 deleted"));
}

static void forced_ignored_file_counts_when_it_is_staged(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "printf 'build/\\n*.o\\n' >.gitignore; git add .; git commit -qm ignore");
	sh(f,
		"mkdir build; echo 1 >build/in; echo 2 >build/out; echo 3 >x.o; git add -f build/in "
		"x.o");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(base.tree.hex, tree_by_git(f));
	assert_string_equal(
		paths_of(f, repository, &base.tree), ".gitignore a.txt build/in src/b.txt x.o");
}

static void ignore_rules_are_those_of_git(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"printf '*.tmp\\n!keep.tmp\\n/only-root\\nout/**/gen\\nlogs/\\n' >.gitignore; printf "
		"'local\\n' >src/.gitignore; echo excluded >>.git/info/exclude");
	sh(f,
		"mkdir -p sub/only-root out/x/y/gen logs src/deep; echo global >../ignore; git "
		"config core.excludesFile '%s'",
		at(f, "ignore"));
	sh(f,
		"touch x.tmp keep.tmp only-root sub/only-root/f out/x/y/gen/f out/x/y/f logs/l "
		"src/local src/deep/local local excluded global 'with space' ./-dash");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(base.tree.hex, tree_by_git(f));
}

static void odd_names_survive(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"touch \"$(printf 'new\\nline')\" 'a b' -- -rf '\xc3\xbc.txt' \"$(printf "
		"'bad\\377')\" '..x' '\"q\"'; touch \"$(head -c 200 /dev/zero | tr '\\0' n)\"");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(base.tree.hex, tree_by_git(f));
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	assert_string_equal(
		sh(f, "rm -rf .git/x; diff -r --exclude=.git . ../tree && echo same"), "same");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
}

static void line_ends_make_no_change(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"printf '* text=auto eol=crlf\\n*.bin binary\\n' >.gitattributes; printf "
		"'a\\r\\nb\\r\\n' >a.txt; printf 'x\\r\\ny\\n\\0' >x.bin; git add .; git commit -qm "
		"first");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_string_equal(
		sh(f, "git cat-file blob HEAD:a.txt | od -c | head -1"), "0000000   a  \\n   b  \\n");
	assert_string_equal(file_of(f, repository, &base.tree, "a.txt"), "a\r\nb\r\n");
	sh(f,
		"touch -d 2001-01-01 a.txt; git rm -q --cached x.bin; git reset -q; printf "
		"'a\\r\\nc\\r\\n' >a.txt");
	base = base_of(f, repository, BASE_SNAPSHOT);
	assert_int_equal(base.n_modified, 1);
	assert_string_equal(base.tree.hex, tree_by_git(f));
}

static void autocrlf_of_the_configuration_counts(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >a.txt; git add .; git "
		"commit -qm first 2>/dev/null");
	sh(f,
		"git config core.autocrlf false; printf 'c\\r\\n' >kept.txt; git add kept.txt; git "
		"commit -qm crlf; git config core.autocrlf true; rm .git/index; git reset -q");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	assert_string_equal(content(f, "tree/a.txt"), "a\r\nb\r\n");
	assert_string_equal(content(f, "tree/kept.txt"), "c\r\n");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
}

static void split_index_works(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "git update-index --split-index; echo new >n.txt; rm a.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(paths_of(f, repository, &base.tree), "n.txt src/b.txt");
	assert_int_equal(base.n_deleted, 1);
	assert_true(mentions(base.notes, base.n_notes, "index cannot be read"));
}

/* 30 bytes that count 1.2 thousand million entries; and a FIFO, which nobody writes to. */
static void index_of_a_hostile_repository_costs_nothing(void **state)
{
	struct fixture *f = *state;
	static const char *const makes[] = {
		"printf 'DIRC\\000\\000\\000\\002Input/output error' >.git/index",
		"rm .git/index; mkfifo .git/index"};
	commit_two_files(f);
	sh(f, "echo new >n.txt");
	for (size_t i = 0; i < ARRAY_SIZE(makes); i++) {
		sh(f, "%s", makes[i]);
		AUTO_REPOSITORY *repository = open_repo(f, "repo");
		struct base base = base_of(f, repository, BASE_SNAPSHOT);
		assert_string_equal(paths_of(f, repository, &base.tree), "a.txt n.txt src/b.txt");
		assert_true(mentions(base.notes, base.n_notes, "as many entries as it says"));
	}
}

static void sparse_checkout_deletes_nothing(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir -p in out; echo 1 >in/a; echo 2 >out/b; echo '*.log' >out/.gitignore; echo 3 "
		">top; git add .; git commit -qm first; git sparse-checkout set in");
	AUTO_REPOSITORY *plain = open_repo(f, "repo");
	struct base base = base_of(f, plain, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_true(mentions(base.notes, base.n_notes, "sparse"));
	sh(f, "echo changed >in/a; rm top; mkdir -p out; echo x >out/x.log");
	base = base_of(f, plain, BASE_SNAPSHOT);
	assert_string_equal(paths_of(f, plain, &base.tree), "in/a out/.gitignore out/b");
	sh(f, "rm -r out; echo 3 >top; git sparse-checkout set --sparse-index in");
	AUTO_REPOSITORY *sparse = open_repo(f, "repo");
	base = base_of(f, sparse, BASE_SNAPSHOT);
	assert_string_equal(paths_of(f, sparse, &base.tree), "in/a out/.gitignore out/b top");
	assert_int_equal(base.n_modified, 1);
}

static void file_that_is_marked_unchanged_stays(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "git update-index --skip-worktree a.txt; echo secret >a.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	assert_false(base_of(f, repository, BASE_SNAPSHOT).is_snapshot);
}

static void submodule_stays_a_link_and_is_borrowed(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"git init -q -b main ../lib; cd ../lib; git config user.name A; git config "
		"user.email a@b; echo l >l.c; git add .; git commit -qm l; "
		"cd ../repo; git -c protocol.file.allow=always submodule add -q ../lib lib "
		"2>/dev/null; git commit -qm lib; echo changed >lib/l.c");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_int_equal(base.n_borrowed, 1);
	assert_string_equal(base.borrowed[0], "lib");
	assert_true(mentions(base.notes, base.n_notes, "submodule"));
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	assert_true(file_is_dir(at(f, "tree/lib")));
	sh(f, "echo mounted >../tree/lib/l.c");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
	struct edit edit = edit_of(f, "lib/l.c", "mine");
	assert_int_equal(worktree_apply(worktree, &edit, &f->err), -1);
	assert_non_null(strstr(f->err.message, "submodule"));
	sh(f, "rm -r ../tree/lib lib");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
	assert_string_equal(base_of(f, repository, BASE_SNAPSHOT).tree.hex, base.tree.hex);
	sh(f, "git rm -qrf lib");
	assert_true(base_of(f, repository, BASE_SNAPSHOT).is_snapshot);
}

static void large_file_storage_is_borrowed(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"echo '*.big filter=lfs diff=lfs merge=lfs -text' >.gitattributes; printf 'version "
		"https://git-lfs.github.com/spec/v1\\noid sha256:12\\nsize 5\\n' >a.big; cp a.big "
		"b.big; git add .; git commit -qm first; "
		"git config filter.lfs.smudge 'printf large'; git config filter.lfs.clean 'cat "
		">/dev/null; git cat-file blob HEAD:a.big'; rm a.big; git checkout -q a.big");
	assert_string_equal(content(f, "repo/a.big"), "large");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_int_equal(base.n_borrowed, 1);
	assert_string_equal(base.borrowed[0], "a.big");
	assert_true(mentions(base.notes, base.n_notes, "such as 'lfs'"));
}

static void an_encoding_of_the_checkout_is_borrowed(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"printf '*.rc working-tree-encoding=UTF-16\\n*.txt working-tree-encoding=utf-8\\n' "
		">.gitattributes; printf 'a\\n' | iconv -t UTF-16 >a.rc; echo b >b.txt; "
		"git add .; git commit -qm first; rm a.rc; git checkout -q a.rc");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_int_equal(base.n_borrowed, 1);
	assert_string_equal(base.borrowed[0], "a.rc");
	assert_true(mentions(base.notes, base.n_notes, "such as 'working-tree-encoding=UTF-16'"));
}

static void nested_repository_is_left_out_and_told(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "git init -q inner; echo x >inner/x; git init -q --bare inner.git; mkfifo pipe");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_false(base.is_snapshot);
	assert_true(mentions(base.notes, base.n_notes, "'inner' is a repository"));
	assert_true(mentions(base.notes, base.n_notes, "'inner.git' is a repository"));
	assert_true(mentions(base.notes, base.n_notes, "'pipe' is neither"));
}

static void large_file_is_streamed(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "head -c 40000000 /dev/zero >zero; : >empty");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_string_equal(base.tree.hex, tree_by_git(f));
}

static void merge_in_progress_is_told(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f,
		"git checkout -q -b side; echo side >a.txt; git commit -qam side; git checkout -q "
		"main; echo main >a.txt; git commit -qam main; git merge side >/dev/null 2>&1 || "
		"true");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_true(base.is_snapshot);
	assert_true(mentions(base.notes, base.n_notes, "a merge is in progress"));
}

UNIT(snapshot)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(snapshot_holds_the_uncommitted_work),
		FIXTURE_TEST(forced_ignored_file_counts_when_it_is_staged),
		FIXTURE_TEST(ignore_rules_are_those_of_git),
		FIXTURE_TEST(odd_names_survive),
		FIXTURE_TEST(line_ends_make_no_change),
		FIXTURE_TEST(autocrlf_of_the_configuration_counts),
		FIXTURE_TEST(split_index_works),
		FIXTURE_TEST(index_of_a_hostile_repository_costs_nothing),
		FIXTURE_TEST(sparse_checkout_deletes_nothing),
		FIXTURE_TEST(file_that_is_marked_unchanged_stays),
		FIXTURE_TEST(submodule_stays_a_link_and_is_borrowed),
		FIXTURE_TEST(large_file_storage_is_borrowed),
		FIXTURE_TEST(an_encoding_of_the_checkout_is_borrowed),
		FIXTURE_TEST(nested_repository_is_left_out_and_told),
		FIXTURE_TEST(large_file_is_streamed),
		FIXTURE_TEST(merge_in_progress_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
