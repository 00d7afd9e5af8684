/* Checkouts of so many files that all cores write them. */
#include <sched.h>
#include <sys/mount.h>

#include "tests/unit/worktree_fixture.h"

/* 800 files of a hundred bytes in 20 directories that lie within others. */
static void make_many(struct fixture *f)
{
	sh(f,
		"i=0; while [ $i -lt 20 ]; do d=d$((i %% 7))/e$((i %% 3))/g$i; mkdir -p $d; j=0; "
		"while [ $j -lt 40 ]; do printf '%%0100d\\n' $((i*40+j)) >$d/f$j.txt; j=$((j+1)); done; "
		"i=$((i+1)); done");
}

static const char *commit_all(struct fixture *f)
{
	return sh(
		f, "git -c core.safecrlf=false add -A; git commit -qm many; git rev-parse HEAD^{tree}");
}

static struct object object_named(const char *hex)
{
	struct object object;
	snprintf(object.hex, sizeof object.hex, "%s", hex);
	return object;
}

/* The error of a checkout that does not go. */
static void expect_refused(struct fixture *f, struct repository *repository, const char *hex)
{
	struct object tree = object_named(hex);
	struct worktree *worktree = NULL;
	f->err = (struct rondo_error){0};
	assert_int_equal(worktree_new(repository, &tree, at(f, "tree"), &worktree, &f->err), -1);
	assert_null(worktree);
	assert_false(file_exists(at(f, "tree")));
}

static void expect_as_git(struct fixture *f, const char *dir)
{
	assert_string_equal(
		sh(f,
			"rm -rf ../wt; git worktree prune; git worktree add -q ../wt HEAD; rm "
			"../wt/.git; diff -r --no-dereference ../wt ../%s && for d in wt %s; do (cd "
			"../$d; find . -printf '%%P %%m %%l\\n' | sort) >../$d.list; done; cmp "
			"../wt.list ../%s.list && echo same",
			dir, dir, dir),
		"same");
}

static void all_is_as_git_writes_it(struct fixture *f)
{
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	umask(077);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	umask(022);
	expect_as_git(f, "tree");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
}

static void many_files_are_as_git_writes_them(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	sh(f,
		"chmod +x d0/e0/g0/*; for d in d1 d2 d3; do ln -s ../f1.txt $d/link; ln -s / "
		"$d/root; ln -s nowhere $d/e0/dangling; done; : >empty; p=deep; i=0; while [ $i -lt "
		"60 ]; do p=$p/d; i=$((i+1)); done; mkdir -p $p; echo down >$p/down; printf "
		"'odd\\n' >\"$(printf 'a \\351\\t\\\\\"b')\"");
	commit_all(f);
	all_is_as_git_writes_it(f);
}

/* Rules of the root and of directories below it, macros, rules that take others back. */
static void many_files_have_the_line_ends_of_their_attributes(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	sh(f,
		"printf '[attr]dos text eol=crlf\\n* text=auto\\n*.bat eol=crlf\\nd2/** dos\\n*.bin "
		"-text\\n*.big filter=lfs -text\\n' >.gitattributes; printf '*.txt eol=crlf\\n' "
		">d1/e0/.gitattributes; printf '*.txt -text\\n' >d2/e1/.gitattributes; printf "
		"'a\\nb\\n' | tee a.bat d3/b.bat e.bin d1/e0/c.bat >d4/sub.txt; printf 'a\\000\\n' "
		">nul.bat; printf 'version https://git-lfs.github.com/spec/v1\\n' >x.big");
	commit_all(f);
	all_is_as_git_writes_it(f);
	assert_string_equal(sh(f, "git worktree list | wc -l"), "2");
	assert_string_equal(sh(f, "grep -rl $(printf '\\r') ../wt | wc -l"), "124");
}

static void line_ends_can_be_set_without_attributes(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	commit_all(f);
	sh(f, "git config core.autocrlf true");
	all_is_as_git_writes_it(f);
	sh(f,
		"git config --unset core.autocrlf; git config core.eol crlf; echo '*.txt text' "
		">.gitattributes");
	commit_all(f);
	all_is_as_git_writes_it(f);
	assert_string_equal(sh(f, "grep -rl $(printf '\\r') ../wt | wc -l"), "800");
}

static void many_files_are_repaired_and_changed(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	const char *first = arena_strdup(&f->arena, commit_all(f));
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object tree = object_named(first);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &tree, "tree");
	sh(f,
		"cd ../tree; find . -name '*.txt' -exec sh -c 'for i; do echo broken >$i; done' _ {} +; rm "
		"-r d3; ln -s /tmp d3; rm d4/e1/g4/f1.txt; mkdir d4/e1/g4/f1.txt; : "
		">d4/e1/g4/f1.txt/x; chmod 0 d5/e0/g12/f2.txt; touch ../before");
	must(f, worktree_checkout(worktree, &tree, &f->err));
	expect_as_git(f, "tree");
	sh(f, "find . -name 'f*.txt' -exec sed -i 's/$/./' {} +; git rm -rqf d6");
	struct object second = object_named(commit_all(f));
	must(f, worktree_checkout(worktree, &second, &f->err));
	expect_as_git(f, "tree");
	assert_string_equal(scan_of(f, worktree).tree.hex, second.hex);
	assert_string_equal(sh(f, "find ../tree -type f ! -newer ../before | wc -l"), "0");
}

static void many_files_belong_to_whom_they_were_given(void **state)
{
	struct fixture *f = *state;
	if (geteuid() != 0)
		skip();
	make_many(f);
	commit_all(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	must(f, worktree_own(worktree, 4711, 4712, &f->err));
	sh(f, "cd ../tree; rm -r d0 d1; find . -type f -exec touch {} +");
	must(f, worktree_checkout(worktree, &base.tree, &f->err));
	assert_string_equal(sh(f, "find ../tree ! -user 4711 -o ! -group 4712 | wc -l; ls -A ../tree"),
		"0\nd0\nd1\nd2\nd3\nd4\nd5\nd6");
}

/* How many files of a checkout are links to those of another one. */
static const char *links_of(struct fixture *f)
{
	return sh(f, "find ../beside -type f -links +1 | wc -l");
}

static void what_is_the_same_is_linked_and_stays_known(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	commit_all(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	sh(f, "echo other >d0/e0/g0/f0.txt; chmod +x d0/e0/g0/f1.txt");
	struct object other = object_named(commit_all(f));
	struct worktree *beside = NULL;
	must(f, worktree_new_beside(worktree, &other, at(f, "beside"), &beside, &f->err));
	expect_as_git(f, "beside");
	const char *n_files = sh(f, "find ../tree -type f | wc -l");
	assert_int_equal(atoi(links_of(f)), atoi(n_files) - 2);
	/* a change of one is none of the other, and what did not change is not written again */
	must(f, worktree_checkout(worktree, &other, &f->err));
	assert_int_equal(atoi(links_of(f)), atoi(n_files) - 2);
	worktree_free(beside);
	sh(f, "touch ../before");
	must(f, worktree_checkout(worktree, &base.tree, &f->err));
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
	assert_string_equal(sh(f, "find ../tree -type f -newer ../before | wc -l"), "2");
}

/* Whether a file has its line ends changed depends on the tree that it is in. */
static void what_attributes_change_is_not_linked(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	commit_all(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	sh(f, "echo '*.txt text eol=crlf' >.gitattributes");
	struct object other = object_named(commit_all(f));
	AUTO_WORKTREE *beside = NULL;
	must(f, worktree_new_beside(worktree, &other, at(f, "beside"), &beside, &f->err));
	assert_string_equal(links_of(f), "0");
	assert_non_null(strchr(content(f, "beside/d0/e0/g0/f0.txt"), '\r'));
	assert_null(strchr(content(f, "tree/d0/e0/g0/f0.txt"), '\r'));
}

/* Though its time is that of the look at it. */
static void a_large_file_that_stays_is_not_refused(void **state)
{
	struct fixture *f = *state;
	sh(f, "git init -q; truncate -s 65M large.bin; echo 1 >small");
	commit_all(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	must(f, worktree_own(worktree, geteuid() ? geteuid() : 4711, getegid(), &f->err));
	sh(f, "touch ../tree/large.bin");
	struct scanned same = scan_of(f, worktree);
	assert_string_equal(same.tree.hex, base.tree.hex);
	assert_int_equal(same.n, 0);
	sh(f, "printf x | dd of=../tree/large.bin conv=notrunc status=none");
	struct scanned changed = scan_of(f, worktree);
	assert_string_equal(changed.tree.hex, base.tree.hex);
	assert_true(mentions(changed.refused, changed.n, "'large.bin' is larger than 64 MiB"));
}

/* Whichever thread meets it, the first error in the order of the tree is told. */
static void first_error_is_told(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	const char *tree = arena_strdup(&f->arena, commit_all(f));
	sh(f,
		"for p in d2/e1/g16/f7.txt d2/e1/g16/f9.txt d6/e1/g13/f0.txt d6/e1/g13/f39.txt; do "
		"o=$(git rev-parse HEAD:$p); rm -f .git/objects/$(echo $o | sed 's|..|&/|'); done");
	for (int i = 0; i < 10; i++) {
		AUTO_REPOSITORY *repository = open_repo(f, "repo");
		expect_refused(f, repository, tree);
		assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
		assert_non_null(strstr(f->err.message, "d2/e1/g16/f7.txt: object "));
		assert_non_null(strstr(f->err.message, "is missing"));
		assert_non_null(strstr(f->err.help, "git fsck"));
	}
}

static void damaged_object_is_told(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	const char *tree = arena_strdup(&f->arena, commit_all(f));
	sh(f,
		"o=.git/objects/$(git rev-parse HEAD:d5/e1/g19/f3.txt | sed 's|..|&/|'); chmod +w "
		"$o; printf garbage >$o");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	expect_refused(f, repository, tree);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_non_null(strstr(f->err.message, "d5/e1/g19/f3.txt"));
	assert_string_equal(f->err.help, "git fsck");
}

/* The whole of the commit's tree with one more entry, as no git would write it. */
static const char *with_entry(struct fixture *f, const char *mode, const char *name, const char *id)
{
	return sh(f,
		"{ git cat-file tree HEAD^{tree}; printf '%s %s\\000'; echo %s | sed "
		"'s/../\\\\x&/g' | xargs -0 printf '%%b' | head -c 20; } | git hash-object -t tree "
		"--literally -w --stdin",
		mode, name, id);
}

static void hostile_tree_writes_nothing_outside(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	sh(f, "echo x >zz; mkdir zzz; echo y >zzz/y");
	commit_all(f);
	const char *blob = sh(f, "git rev-parse HEAD:zz");
	const char *dir = sh(f, "git rev-parse HEAD:zzz");
	const char *link = sh(f, "printf /tmp | git hash-object -w --stdin");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const char *const refused[] = {"..", ".", ".git", ".Git ", "a/../../b"};
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		expect_refused(f, repository, with_entry(f, "100644", refused[i], blob));
		expect_refused(f, repository, with_entry(f, "40000", refused[i], dir));
		assert_false(file_exists(at(f, "b")));
	}
	expect_refused(f, repository, with_entry(f, "100644", "zz", blob));
	assert_non_null(strstr(f->err.message, "'zz' twice"));
	expect_refused(f, repository, with_entry(f, "120000", "zzz", link));
	assert_non_null(strstr(f->err.message, "zzz"));
	expect_refused(f, repository, with_entry(f, "40000", "zz", dir));
	assert_non_null(strstr(f->err.message, "zz"));
	assert_false(file_exists("/tmp/y"));
}

static void full_disk_is_transient(void **state)
{
	struct fixture *f = *state;
	make_many(f);
	commit_all(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	sh(f, "mkdir ../small");
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("small", at(f, "small"), "tmpfs", 0, "size=1m") < 0)
		skip();
	struct worktree *worktree = NULL;
	int result = worktree_new(repository, &base.tree, at(f, "small/tree"), &worktree, &f->err);
	bool is_left = file_exists(at(f, "small/tree"));
	umount2(at(f, "small"), MNT_DETACH);
	assert_int_equal(result, -1);
	assert_false(is_left);
	assert_int_equal(f->err.code, RONDO_ERROR_TRANSIENT);
	assert_non_null(strstr(f->err.message, "/small/tree/d"));
	assert_non_null(strstr(f->err.message, "No space left"));
}

UNIT(checkout)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(many_files_are_as_git_writes_them),
		FIXTURE_TEST(many_files_have_the_line_ends_of_their_attributes),
		FIXTURE_TEST(line_ends_can_be_set_without_attributes),
		FIXTURE_TEST(many_files_are_repaired_and_changed),
		FIXTURE_TEST(many_files_belong_to_whom_they_were_given),
		FIXTURE_TEST(what_is_the_same_is_linked_and_stays_known),
		FIXTURE_TEST(what_attributes_change_is_not_linked),
		FIXTURE_TEST(a_large_file_that_stays_is_not_refused),
		FIXTURE_TEST(first_error_is_told),
		FIXTURE_TEST(damaged_object_is_told),
		FIXTURE_TEST(hostile_tree_writes_nothing_outside),
		FIXTURE_TEST(full_disk_is_transient),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
