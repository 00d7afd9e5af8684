/* Trees compared and merged; the patch is what `git apply` makes of it. */
#include "tests/unit/git_fixture.h"

static struct object tree_of_rev(struct fixture *f, const char *rev)
{
	struct object object;
	snprintf(object.hex, sizeof object.hex, "%s", sh(f, "git rev-parse '%s^{tree}'", rev));
	return object;
}

static const struct change *change_of(const struct diff *diff, const char *path)
{
	for (size_t i = 0; i < diff->n; i++)
		if (strcmp(diff->changes[i].path, path) == 0)
			return &diff->changes[i];
	fail_msg("no change of %s", path);
	return NULL;
}

static void make_two_commits(struct fixture *f)
{
	sh(f,
		"seq 1 40 >long.txt; echo x >mode; printf 'a\\0b' >bin; echo gone >gone; echo f "
		">swap; printf 'crlf\\r\\nx\\r\\n' >crlf; printf 'no newline' >end; mkdir d; echo k "
		">d/keep; git add .; git commit -qm one");
	sh(f,
		"git mv long.txt moved.txt; sed -i 's/^20$/twenty/' moved.txt; chmod +x mode; head "
		"-c 5000 /dev/urandom >bin; git rm -q gone; rm swap; ln -s mode swap; printf "
		"'crlf\\r\\ny\\r\\n' >crlf; "
		"printf 'still none' >end; mkdir -p 'sp ace'; echo n >'sp ace/n\xc3\xbc'; echo q "
		">'qu\"ote'; git add -A; git commit -qm two");
}

static void patch_is_taken_by_git_apply(void **state)
{
	struct fixture *f = *state;
	make_two_commits(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object from = tree_of_rev(f, "HEAD~1"), to = tree_of_rev(f, "HEAD");
	struct diff diff;
	must(f, repository_diff(repository, &from, &to, &f->arena, &diff, &f->err));
	must(f, file_write(at(f, "patch"), diff.patch, diff.patch_length, 0600, &f->err));
	sh(f, "git checkout -q HEAD~1; git apply --index ../patch");
	assert_string_equal(sh(f, "git write-tree"), to.hex);
	sh(f, "git apply -R --index ../patch");
	assert_string_equal(sh(f, "git write-tree"), from.hex);
}

static void changes_say_what_happened(void **state)
{
	struct fixture *f = *state;
	make_two_commits(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object from = tree_of_rev(f, "HEAD~1"), to = tree_of_rev(f, "HEAD");
	struct diff diff;
	must(f, repository_diff(repository, &from, &to, &f->arena, &diff, &f->err));
	const struct change *moved = change_of(&diff, "moved.txt");
	assert_int_equal(moved->status, CHANGE_RENAMED);
	assert_string_equal(moved->old_path, "long.txt");
	assert_int_equal(moved->added, 1);
	assert_int_equal(moved->removed, 1);
	assert_int_equal(change_of(&diff, "mode")->status, CHANGE_MODE);
	assert_int_equal(change_of(&diff, "gone")->status, CHANGE_DELETED);
	assert_int_equal(change_of(&diff, "qu\"ote")->status, CHANGE_ADDED);
	assert_int_equal(change_of(&diff, "crlf")->status, CHANGE_MODIFIED);
	assert_true(change_of(&diff, "bin")->binary);
	assert_false(change_of(&diff, "crlf")->binary);
	must(f, repository_diff(repository, &to, &to, &f->arena, &diff, &f->err));
	assert_int_equal(diff.n, 0);
	assert_string_equal(diff.patch, "");
}

static bool is_kept(void *owner, const char *path)
{
	const char *const *kept = owner;
	for (; *kept; kept++)
		if (strcmp(*kept, path) == 0)
			return true;
	return false;
}

static void expect_merge(struct fixture *f, struct repository *repository,
	const struct object *from, const struct object *to, const char **kept, const char *tree)
{
	struct object merged;
	must(f, repository_merge_tree(repository, from, to, is_kept, kept, &merged, &f->err));
	assert_string_equal(sh(f,
							"git --git-dir='%s/private-0' --work-tree=. cat-file -t %s "
							"2>/dev/null || echo tree",
							f->dir, merged.hex),
		"tree");
	assert_string_equal(paths_of(f, repository, &merged), tree);
}

static void merge_keeps_what_is_protected(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir -p t/only; echo 1 >t/test_a; echo 2 >src; echo 3 >conf; echo 4 >t/only/x; git "
		"add .; git commit -qm one");
	sh(f,
		"echo changed >t/test_a; echo new >t/test_b; rm conf; mkdir conf; echo c >conf/c; "
		"echo fixed >src; rm -r t/only; git add -A; git commit -qm two");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object from = tree_of_rev(f, "HEAD~1"), to = tree_of_rev(f, "HEAD");
	const char *none[] = {NULL}, *tests[] = {"t/test_a", "t/test_b", "t/only/x", NULL},
			   *conf[] = {"conf", NULL}, *inside[] = {"conf/c", NULL};
	expect_merge(f, repository, &from, &to, none, "conf/c src t/test_a t/test_b");
	expect_merge(f, repository, &from, &to, tests, "conf/c src t/only/x t/test_a");
	expect_merge(f, repository, &from, &to, conf, "conf src t/test_a t/test_b");
	expect_merge(f, repository, &from, &to, inside, "src t/test_a t/test_b");
	struct object merged;
	must(f, repository_merge_tree(repository, &from, &to, is_kept, tests, &merged, &f->err));
	assert_string_equal(file_of(f, repository, &merged, "t/test_a"), "1\n");
	assert_string_equal(file_of(f, repository, &merged, "src"), "fixed\n");
	must(f, repository_merge_tree(repository, &from, &to, is_kept, none, &merged, &f->err));
	assert_string_equal(merged.hex, to.hex);
}

static void list_is_sorted_by_path(void **state)
{
	struct fixture *f = *state;
	sh(f, "mkdir a a-b; touch a/x a-b/y a.c b 'a b'; ln -s b l; git add .; git commit -qm one");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object tree = tree_of_rev(f, "HEAD");
	const char **paths = NULL;
	size_t n = 0;
	must(f, repository_list(repository, &tree, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 6);
	for (size_t i = 1; i < n; i++)
		assert_true(strcmp(paths[i - 1], paths[i]) < 0);
}

static void file_that_is_not_there_is_told(void **state)
{
	struct fixture *f = *state;
	sh(f, "touch a; git add .; git commit -qm one");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object tree = tree_of_rev(f, "HEAD"),
				  absent = {.hex = "0123456789012345678901234567890123456789"},
				  bad = {.hex = "HEAD"};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	assert_int_equal(repository_file(repository, &tree, "b", &text, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
	assert_int_equal(repository_file(repository, &absent, "a", &text, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_int_equal(repository_file(repository, &bad, "a", &text, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_INTERNAL);
}

static void a_commit_is_traced_to_its_first_parent(void **state)
{
	struct fixture *f = *state;
	make_two_commits(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	struct object parent, tree;
	bool found = false;
	must(f, repository_parent(repository, &base.commit, &parent, &tree, &found, &f->err));
	assert_true(found);
	assert_string_equal(parent.hex, sh(f, "git rev-parse HEAD^"));
	assert_string_equal(tree.hex, tree_of_rev(f, "HEAD^").hex);
	must(f, repository_parent(repository, &parent, &parent, &tree, &found, &f->err));
	assert_false(found);
}

static void a_shallow_repository_has_no_parent(void **state)
{
	struct fixture *f = *state;
	make_two_commits(f);
	sh(f, "git clone -q --depth 1 file://\"$PWD\" ../shallow");
	AUTO_REPOSITORY *repository = open_repo(f, "shallow");
	struct base base = base_of(f, repository, BASE_HEAD);
	struct object parent, tree;
	bool found = true;
	must(f, repository_parent(repository, &base.commit, &parent, &tree, &found, &f->err));
	assert_false(found);
}

static void changed_paths_are_sorted(void **state)
{
	struct fixture *f = *state;
	const char **paths;
	size_t n;
	make_two_commits(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object from = tree_of_rev(f, "HEAD^"), to = tree_of_rev(f, "HEAD");
	must(f, repository_changed_paths(repository, &from, &to, &f->arena, &paths, &n, &f->err));
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", paths[i]);
	assert_string_equal(
		list.text, "bin,crlf,end,gone,long.txt,mode,moved.txt,qu\"ote,sp ace/n\xc3\xbc,swap");
	must(f, repository_changed_paths(repository, &to, &to, &f->arena, &paths, &n, &f->err));
	assert_int_equal(n, 0);
}

UNIT(tree_diff)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(patch_is_taken_by_git_apply),
		FIXTURE_TEST(changes_say_what_happened),
		FIXTURE_TEST(merge_keeps_what_is_protected),
		FIXTURE_TEST(list_is_sorted_by_path),
		FIXTURE_TEST(file_that_is_not_there_is_told),
		FIXTURE_TEST(a_commit_is_traced_to_its_first_parent),
		FIXTURE_TEST(a_shallow_repository_has_no_parent),
		FIXTURE_TEST(changed_paths_are_sorted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
