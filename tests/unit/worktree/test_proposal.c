/* Changes that somebody else made: commits and patches, as git and others make them. */
#include "tests/unit/git_fixture.h"

static struct object commit_of(
	struct fixture *f, struct repository *repository, const char *revision)
{
	struct object commit;
	must(f, repository_find_commit(repository, revision, &commit, &f->err));
	return commit;
}

/* Two commits: the second is what patches are made of. */
static void commit_a_change(struct fixture *f)
{
	commit_two_files(f);
	sh(f,
		"seq 30 >numbers; printf 'a\\000b' >bytes; git add .; git commit -qm one; git tag old;"
		"sed -i 's/^15$/fifteen/; s/^3$/three/' numbers; printf 'a\\000c' >bytes; chmod +x a.txt;"
		"git mv src/b.txt c.txt; echo new >new.txt; git add .; git commit -qm two; git tag new");
}

static void a_commit_is_a_base_whatever_is_checked_out(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	sh(f, "echo dirty >>numbers");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object old = commit_of(f, repository, "old");
	struct base base;
	must(f, repository_base_at(repository, &old, &f->arena, &base, &f->err));
	assert_string_equal(base.commit.hex, sh(f, "git rev-parse old"));
	assert_string_equal(base.tree.hex, sh(f, "git rev-parse old^{tree}"));
	assert_string_equal(base.branch, "main");
	assert_false(base.is_snapshot);
}

static void commits_meet_where_they_branched_off(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	sh(f,
		"git checkout -q -b side old; echo s >side.txt; git add .; git commit -qm side;"
		"git checkout -q --orphan alone; git commit -qm alone; git checkout -q main");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object main = commit_of(f, repository, "main"), found;
	struct object side = commit_of(f, repository, "side"),
				  alone = commit_of(f, repository, "alone");
	must(f, repository_merge_base(repository, &main, &side, &found, &f->err));
	assert_string_equal(found.hex, sh(f, "git rev-parse old"));
	assert_int_equal(repository_merge_base(repository, &main, &alone, &found, &f->err), -1);
	assert_non_null(strstr(f->err.message, "have no common ancestor"));
}

static int patch(struct fixture *f, struct repository *repository, struct object *ret_tree)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	struct object old = commit_of(f, repository, "old");
	struct base base;
	must(f, repository_base_at(repository, &old, &f->arena, &base, &f->err));
	assert_int_equal(file_read(at(f, "repo/../patch"), STRBUF_RECORD, &text, &err), 0);
	return repository_patch_tree(repository, &base.tree, text.text, text.length, ret_tree, &f->err);
}

static void patches_give_the_tree_that_git_gives(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const char *const makers[] = {
		"git diff --binary old new >../patch",
		"git diff --binary --no-renames -U0 old new >../patch",
		"git format-patch --binary --stdout old..new >../patch",
		"{ echo 'Some words'; git diff --binary old new; echo; echo 'more --- words'; } >../patch",
	};
	for (size_t i = 0; i < ARRAY_SIZE(makers); i++) {
		struct object tree;
		sh(f, "%s", makers[i]);
		must(f, patch(f, repository, &tree));
		assert_string_equal(tree.hex, sh(f, "git rev-parse new^{tree}"));
	}
}

static void patches_of_others_are_read(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const char *const makers[] = {
		"git diff old new -- numbers new.txt | grep -v '^diff\\|^index\\|^new file' >../patch",
		"git diff old new -- numbers new.txt | grep -v '^diff\\|^index\\|^new file' | "
		"sed 's,^\\(--- \\|+++ \\)[ab]/,\\1,' >../patch",
		"mkdir ../x ../y; git show old:numbers >../x/numbers; git show new:numbers >../y/numbers;"
		"cd ..; diff -u x/numbers y/numbers | sed 's,^\\(...\\) [xy]/,\\1 ,' >patch; cd repo; "
		"git diff old new -- new.txt >>../patch",
		"git diff old new -- numbers new.txt | sed 's/$/\\r/' >../patch",
	};
	sh(f, "git checkout -q old; git checkout -q new -- numbers new.txt; git commit -qm part");
	for (size_t i = 0; i < ARRAY_SIZE(makers); i++) {
		struct object tree;
		sh(f, "%s", makers[i]);
		must(f, patch(f, repository, &tree));
		assert_string_equal(tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
	}
}

/* Each is a tree of its own after "old", and as a patch the same tree again. */
static void names_with_blanks_and_empty_files_are_read(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	sh(f,
		"git checkout -q old; seq 9 >'x y'; printf 'a\\000b' >'b n'; : >'e m'; git add .;"
		"git commit -qm blanks; git tag -f old");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const char *const edits[] = {
		"echo new >'a b'",
		"mkdir 'd e'; echo x >'d e/f g'",
		"echo more >>'x y'",
		"rm 'x y'",
		"git mv 'x y' 'z w'",
		"git mv 'x y' 'z w'; echo more >>'z w'",
		"git mv 'x y' zw",
		"git mv numbers 'n s'",
		"chmod +x 'x y'",
		"printf 'a\\000c' >'b n'",
		"printf 'a\\000c' >'c n'; rm 'b n'",
		": >empty",
		": >'empty, too'; echo x >>numbers",
		"rm 'e m'",
		": >one; : >two",
		"mv 'e m' 'f m'",
		"echo x >'tab\tand \"quote'",
	};
	for (size_t i = 0; i < ARRAY_SIZE(edits); i++) {
		struct object tree;
		sh(f,
			"git checkout -qf old; git clean -qfd; %s; git add .; git commit -qm edit;"
			"git diff --binary -M old HEAD >../patch",
			edits[i]);
		must(f, patch(f, repository, &tree));
		assert_string_equal(tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
		sh(f, "git format-patch --binary --stdout old..HEAD >../patch");
		must(f, patch(f, repository, &tree));
		assert_string_equal(tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
	}
	struct object tree;
	sh(f,
		"git checkout -qf old; echo x >'q\"q'; git add .; git commit -qm edit;"
		"printf -- '--- /dev/null\\n+++ b/q\"q\\n@@ -0,0 +1 @@\\n+x\\n' >../patch");
	must(f, patch(f, repository, &tree));
	assert_string_equal(tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
}

static void a_base_may_have_a_patch_on_top(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object old = commit_of(f, repository, "old");
	struct base base;
	const char *text = sh(f, "git diff old new -- numbers");
	must(f, repository_base_at(repository, &old, &f->arena, &base, &f->err));
	must(f, repository_base_patch(repository, text, strlen(text), &base, &f->err));
	sh(f, "git checkout -q old; git checkout -q new -- numbers; git commit -qm numbers");
	assert_string_equal(base.tree.hex, sh(f, "git rev-parse HEAD^{tree}"));
	assert_string_equal(base.head.hex, old.hex);
	assert_string_not_equal(base.commit.hex, old.hex);
	assert_true(base.is_snapshot);
	text = "no patch";
	assert_int_equal(repository_base_patch(repository, text, strlen(text), &base, &f->err), -1);
}

static void a_patch_that_does_not_fit_names_the_file(void **state)
{
	struct fixture *f = *state;
	commit_a_change(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	static const struct {
		const char *maker, *message;
	} cases[] = {
		{"git diff old new -- numbers | sed 's/^ 14$/ 41/' >../patch",
			"the patch does not apply: 'numbers' has other lines at line "},
		{"git diff old new -- numbers | sed 's/numbers/nombres/g' >../patch",
			"the patch does not apply to 'nombres'"},
		{"echo 'no patch' >../patch", "this is no patch that can be read"},
		{"git diff --binary old new -- bytes | sed 's/^literal 3/literal 4/' >../patch",
			"the binary file at line 4 of the patch cannot be read"},
		{"git diff --binary old new -- bytes | sed '5s/.....$/~~~~~/' >../patch",
			"the binary file at line 4 of the patch cannot be read"},
		{"git diff --binary old new -- bytes | sed '5s/.....$/00000/' >../patch",
			"the binary file at line 4 of the patch cannot be read"},
		{"git diff --binary old new -- bytes | sed 5d >../patch",
			"the binary file at line 4 of the patch cannot be read"},
		{"git diff --binary old new -- bytes | sed 's/^literal 3/literal 999999999/' >../patch",
			"the patch has a binary file of more than 256 MB"},
		{": >../patch", "this is no patch: it changes no file"},
		{"git diff old new -- numbers | sed 's,b/numbers,b/../../x,' >../patch", "does not apply"},
		{"git diff old new -- new.txt | sed 's,new.txt,.git/x,g' >../patch", "does not apply"},
		{"printf 'diff --git a/n b/n\\n--- a/n\\n+++ b/n\\n@@ -1 +1 @@\\n-1\\n+a\\000b\\n' "
		 ">../patch",
			"the patch has a NUL byte in line 6"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct object tree;
		sh(f, "%s", cases[i].maker);
		assert_int_equal(patch(f, repository, &tree), -1);
		assert_non_null(strstr(f->err.message, cases[i].message));
	}
}

UNIT(proposal)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(a_commit_is_a_base_whatever_is_checked_out),
		FIXTURE_TEST(commits_meet_where_they_branched_off),
		FIXTURE_TEST(patches_give_the_tree_that_git_gives),
		FIXTURE_TEST(patches_of_others_are_read),
		FIXTURE_TEST(names_with_blanks_and_empty_files_are_read),
		FIXTURE_TEST(a_base_may_have_a_patch_on_top),
		FIXTURE_TEST(a_patch_that_does_not_fit_names_the_file),
	};
	return RUN_TESTS(tests);
}
