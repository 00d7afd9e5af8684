/* rondo's own checkouts: written, and read back after hostile code was at work in them. */
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/unit/worktree_fixture.h"

static void checkout_is_what_git_writes(void **state)
{
	struct fixture *f = *state;
	umask(077);
	AUTO_ROOM room = room_of(f);
	umask(022);
	assert_string_equal(sh(f,
							"rm -rf ../wt; git worktree add -q ../wt HEAD; rm ../wt/.git; "
							"diff -r --no-dereference ../wt ../tree && echo same"),
		"same");
	assert_string_equal(
		sh(f, "cd ../tree; stat -c %%a . src src/b.txt run.sh | tr '\\n' ' '"), "755 755 644 755 ");
	assert_false(file_exists(at(f, "tree/.git")));
	expect_same_tree(f, &room);
	struct worktree *again = NULL;
	assert_int_equal(
		worktree_new(room.repository, &room.base.tree, at(f, "tree"), &again, &f->err), -1);
	assert_true(file_exists(at(f, "tree/a.txt")));
	worktree_free(STEAL(&room.worktree));
	assert_false(file_exists(at(f, "tree")));
}

/* What was built of a file in the user's checkout, or in another one of rondo's, is not older. */
static void files_as_the_user_has_them_keep_their_times(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"echo one >same; echo two >dirty; git add .; git commit -qm first; echo three >dirty; "
		"touch -d @1000000000 same; touch -d @1100000000 dirty; git update-index -q --refresh || "
		":");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base snapshot = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &snapshot.tree, "tree");
	assert_string_equal(sh(f, "cd ../tree; stat -c %%Y same dirty"), "1000000000\n1100000000");
	AUTO_REPOSITORY *again = open_repo(f, "repo");
	struct base head = base_of(f, again, BASE_HEAD);
	AUTO_WORKTREE *other = checkout_of(f, again, &head.tree, "other");
	assert_string_equal(sh(f, "cd ../other; stat -c %%Y same; test dirty -nt ../repo && cat dirty"),
		"1000000000\ntwo");
}

static void scan_sees_every_change(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; printf 'ONE\\n' >a.txt; chmod -x run.sh; rm -r src/deep; rm link; ln -s "
		"a.txt link; mkdir -p new/dir; echo n >new/dir/n; echo l >x.log; mkdir cache; echo c "
		">cache/c");
	struct scanned s = scan_of(f, room.worktree);
	assert_int_equal(s.n, 0);
	assert_string_equal(
		paths_of(f, room.repository, &s.tree), ".gitignore a.txt link new/dir/n run.sh src/b.txt");
	assert_string_equal(s.tree.hex, sh(f, "git --work-tree=../tree add -A; git write-tree"));
	assert_string_equal(scan_of(f, room.worktree).tree.hex, s.tree.hex);
}

/* Same size, same time, same inode: only the ctime tells. */
static void scan_is_not_deceived_by_times(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	for (int i = 0; i < 20; i++) {
		expect_same_tree(f, &room);
		sh(f,
			"cd ../tree; touch -r a.txt ../stamp; printf 'ONE\\n' >a.txt; touch -r "
			"../stamp a.txt");
		assert_string_not_equal(scan_of(f, room.worktree).tree.hex, room.base.tree.hex);
		must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	}
}

static void left_out_paths_do_not_count(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f, "cd ../tree; mkdir node_modules; echo x >node_modules/x; echo changed >a.txt");
	const char *leave_out[] = {"node_modules", "a.txt"};
	struct scanned s;
	must(f,
		worktree_tree(room.worktree, leave_out, 2, &f->arena, &s.tree, &s.refused, &s.n, &f->err));
	assert_string_equal(s.tree.hex, room.base.tree.hex);
}

static void rules_of_the_scanned_tree_count(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; echo '*.new' >.gitignore; echo 1 >a.new; echo 2 >b.log; echo 'b.txt' "
		">src/.gitignore; echo tracked >src/b.txt");
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(paths_of(f, room.repository, &s.tree),
		".gitignore a.txt b.log link run.sh src/.gitignore src/b.txt src/deep/c.txt");
	assert_string_equal(file_of(f, room.repository, &s.tree, "src/b.txt"), "tracked\n");
	sh(f, "cd ../tree; rm .gitignore src/.gitignore");
	s = scan_of(f, room.worktree);
	assert_string_equal(paths_of(f, room.repository, &s.tree),
		"a.new a.txt b.log link run.sh src/b.txt src/deep/c.txt");
}

static void hostile_content_is_refused(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; mkfifo pipe .gitattributes src/.gitignore; ln -s /etc/passwd abs; ln -s "
		"../../x src/out; ln -s ../a.txt src/in; echo '[submodule]' >.gitmodules; "
		"mkdir .GIT 'git~1' inner bare; echo x >.GIT/config; : >\"$(printf "
		"'.g\\342\\200\\214it')\"; : >'.git '; git init -q inner; git init -q --bare bare; "
		"printf 'esc\\033[31m' | xargs -I@ touch @; rm a.txt; mkfifo a.txt; mkdir .git; echo "
		"x >.git/x");
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	snprintf(name.sun_path, sizeof name.sun_path, "%s", at(f, "tree/socket"));
	AUTO_CLOSE fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(paths_of(f, room.repository, &s.tree),
		".gitignore a.txt esc\033[31m link run.sh src/b.txt src/deep/c.txt src/in");
	static const char *const told[] = {"'pipe'", "'socket'", "'abs' is a link",
		"'src/out' is a link", "'.gitmodules'", "'.GIT'", "'git~1'", "'inner' is a repository",
		"'bare' is a repository", "'.git '", "'a.txt' is neither", "'src/.gitignore'"};
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		assert_true(mentions(s.refused, s.n, told[i]));
	assert_false(mentions(s.refused, s.n, "'src/in'"));
	assert_string_equal(file_of(f, room.repository, &s.tree, "a.txt"), "one\n");
	must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	assert_false(file_exists(at(f, "tree/src/in")));
	assert_true(file_exists(at(f, "tree/abs")));
}

/* Each of the two links stays in the tree as text. */
static void link_that_leads_out_by_way_of_another_is_refused(void **state)
{
	struct fixture *f = *state;
	sh(f, "ln -s /etc data");
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; ln -s .. src/up; ln -s src/up/../../secret out; ln -s data/passwd base; "
		"ln -s src/up/a.txt in");
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(paths_of(f, room.repository, &s.tree),
		".gitignore a.txt data in link run.sh src/b.txt src/deep/c.txt src/up");
	assert_true(mentions(s.refused, s.n, "'out' is a link that goes up after a name"));
	assert_true(mentions(s.refused, s.n, "'base' is a link that leads out of the tree"));
}

static void deep_directories_are_refused_and_removed(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; deep=$(printf 'd/%%.0s' $(seq 1500)); mkdir -p $deep; cd -P $deep; echo x >x");
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(s.tree.hex, room.base.tree.hex);
	assert_true(mentions(s.refused, s.n, "too deep"));
}

static void hard_link_is_content_only(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f, "echo canary >../canary; ln ../canary ../tree/hard");
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(file_of(f, room.repository, &s.tree, "hard"), "canary\n");
	struct edit edit = edit_of(f, "hard", "mine\n");
	must(f, worktree_apply(room.worktree, &edit, &f->err));
	assert_string_equal(content(f, "canary"), "canary\n");
}

static void checkout_repairs_whatever_happened(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"cd ../tree; rm -r src; ln -s /tmp src; rm a.txt; mkdir -p a.txt/b/c; touch "
		"a.txt/b/c/d; rm link; echo x >link; chmod 0 run.sh; echo kept >kept.log");
	must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	assert_string_equal(sh(f,
							"rm -rf ../wt; git worktree add -q ../wt HEAD; rm ../wt/.git; diff -r "
							"--no-dereference -x kept.log ../wt ../tree && echo same"),
		"same");
	assert_string_equal(content(f, "tree/kept.log"), "kept\n");
	assert_string_equal(sh(f, "stat -c %%a ../tree/run.sh"), "755");
	struct edit edit = edit_of(f, "a.txt", "x");
	must(f, worktree_apply(room.worktree, &edit, &f->err));
	sh(f, "rm ../tree/a.txt; mkdir ../tree/a.txt");
	must(f, worktree_revert(room.worktree, &edit, &f->err));
	expect_same_tree(f, &room);
}

static void file_becomes_directory_and_back(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"git rm -q a.txt; mkdir a.txt; echo in >a.txt/in; git rm -rq src; echo f >src; git "
		"add .; git commit -qm second");
	struct base second = base_of(f, room.repository, BASE_HEAD);
	must(f, worktree_checkout(room.worktree, &second.tree, &f->err));
	assert_string_equal(content(f, "tree/a.txt/in"), "in\n");
	assert_string_equal(scan_of(f, room.worktree).tree.hex, second.tree.hex);
	must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	expect_same_tree(f, &room);
}

static void tree_with_a_refused_name_is_not_checked_out(void **state)
{
	struct fixture *f = *state;
	commit_tree(f);
	const char *tree = sh(f,
		"b=$(git rev-parse HEAD:a.txt); t=$(printf \"100644 blob $b\\tconfig\\n\" | "
		"git mktree); printf \"040000 tree $t\\t.GIT\\n\" | git mktree");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct object object;
	snprintf(object.hex, sizeof object.hex, "%s", tree);
	struct worktree *worktree = NULL;
	assert_int_equal(worktree_new(repository, &object, at(f, "tree"), &worktree, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_non_null(strstr(f->err.message, ".GIT"));
}

UNIT(worktree)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(checkout_is_what_git_writes),
		FIXTURE_TEST(files_as_the_user_has_them_keep_their_times),
		FIXTURE_TEST(scan_sees_every_change),
		FIXTURE_TEST(scan_is_not_deceived_by_times),
		FIXTURE_TEST(left_out_paths_do_not_count),
		FIXTURE_TEST(rules_of_the_scanned_tree_count),
		FIXTURE_TEST(hostile_content_is_refused),
		FIXTURE_TEST(deep_directories_are_refused_and_removed),
		FIXTURE_TEST(link_that_leads_out_by_way_of_another_is_refused),
		FIXTURE_TEST(hard_link_is_content_only),
		FIXTURE_TEST(checkout_repairs_whatever_happened),
		FIXTURE_TEST(file_becomes_directory_and_back),
		FIXTURE_TEST(tree_with_a_refused_name_is_not_checked_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
