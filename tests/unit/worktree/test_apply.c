/* Edits applied to worktrees and taken back, also by several threads at a time. */
#include <pthread.h>

#include "tests/unit/worktree_fixture.h"

static void edit_is_applied_and_reverted(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct splice splice = {.offset = 0, .length = 3, .text = "uno"};
	struct file_edit files[] = {
		{.path = "a.txt", .splices = &splice, .n = 1},
		{.path = "new/dir/file.py", .content = "x = 1\n"},
		{.path = "src/deep/c.txt", .remove = true},
		{.path = "run.sh", .content = "#!/bin/bash\n"},
	};
	struct edit edit = {.files = files, .n = ARRAY_SIZE(files)};
	must(f, worktree_apply(room.worktree, &edit, &f->err));
	assert_string_equal(content(f, "tree/a.txt"), "uno\n");
	assert_string_equal(content(f, "tree/new/dir/file.py"), "x = 1\n");
	assert_false(file_exists(at(f, "tree/src/deep")));
	assert_string_equal(
		sh(f, "cd ../tree; stat -c %%a run.sh new new/dir/file.py | tr '\\n' ' '"), "755 755 644 ");
	struct scanned s = scan_of(f, room.worktree);
	assert_string_equal(paths_of(f, room.repository, &s.tree),
		".gitignore a.txt link new/dir/file.py run.sh src/b.txt");
	must(f, worktree_revert(room.worktree, &edit, &f->err));
	assert_false(file_exists(at(f, "tree/new")));
	expect_same_tree(f, &room);
	must(f, worktree_checkout(room.worktree, &s.tree, &f->err));
	assert_string_equal(scan_of(f, room.worktree).tree.hex, s.tree.hex);
	must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	assert_false(file_exists(at(f, "tree/new")));
	expect_same_tree(f, &room);
}

/* Changes in quick succession are dated ahead; a build that is made behind them must be newer than
 * they are. */
static void files_are_dated_now(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct file_edit file = {.path = "a.txt", .content = "more\n"};
	struct edit edit = {.files = &file, .n = 1};
	for (int i = 0; i < 60; i++) /* far enough, however long the shell takes */
		must(f, worktree_apply(room.worktree, &edit, &f->err));
	sh(f,
		"touch -d '1 hour' ../tree/run.sh; touch -d '1 hour ago' ../tree/src/b.txt; ln -s /nowhere "
		"../tree/x");
	assert_string_equal(sh(f,
							"cd ../tree; find . -newermt now | sort | tr '\n"
							"' ' '"),
		"./a.txt ./run.sh ");
	must(f, worktree_date_now(room.worktree, &edit, &f->err));
	assert_string_equal(sh(f, "cd ../tree; find . -newermt now | sort | tr '\n' ' '"), "./run.sh ");
	must(f, worktree_date_now(room.worktree, NULL, &f->err));
	assert_string_equal(sh(f, "cd ../tree; find . -newermt now"), "");
	assert_string_equal(
		sh(f, "cd ../tree; find . -type f ! -newermt '30 minutes ago'"), "./src/b.txt");
	must(f, worktree_revert(room.worktree, &edit, &f->err));
	assert_string_equal(content(f, "tree/a.txt"), "one\n");
}

static void file_is_read_as_it_is_now(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	const char *bytes = "untouched";
	size_t n = 7;
	sh(f, "cd ../tree; printf 'a\\0b' >src/b.txt; ln -s .. src/up");
	assert_int_equal(worktree_file(room.worktree, "link", &f->arena, &bytes, &n, &f->err), -1);
	assert_string_equal(f->err.message, "'link' is a link, not a file");
	assert_int_equal(worktree_file(room.worktree, "src", &f->arena, &bytes, &n, &f->err), -1);
	assert_string_equal(f->err.message, "'src' is a directory, not a file");
	assert_int_equal(
		worktree_file(room.worktree, "src/up/repo/a.txt", &f->arena, &bytes, &n, &f->err), -1);
	assert_int_equal(
		worktree_file(room.worktree, "../repo/a.txt", &f->arena, &bytes, &n, &f->err), -1);
	assert_string_equal(bytes, "untouched");
	must(f, worktree_file(room.worktree, "src/b.txt", &f->arena, &bytes, &n, &f->err));
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "a\0b", 4);
	must(f, worktree_file(room.worktree, "no/such.txt", &f->arena, &bytes, &n, &f->err));
	assert_null(bytes);
	assert_int_equal(n, 0);
}

static void edit_that_cannot_be_applied_changes_nothing(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f, "ln -s ../home ../tree/away; mkdir ../home; mkdir ../tree/dir; mkfifo ../tree/pipe");
	const char *before =
		sh(f, "cd ../tree; find . | sort | md5sum; md5sum a.txt; stat -c %%y a.txt");
	static const char *const bad[] = {"away/x", "../x", "/etc/x", ".git/config", "src/.GIT/x",
		"a.txt/x", "link", "dir", "src", "", "pipe", "src//x"};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct file_edit files[] = {{.path = "a.txt", .content = "changed"},
			{.path = "fresh/er", .content = "n"}, {.path = bad[i], .content = "bad"}};
		struct edit edit = {.files = files, .n = ARRAY_SIZE(files)};
		assert_int_equal(worktree_apply(room.worktree, &edit, &f->err), -1);
		assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
	}
	struct file_edit stale[] = {{.path = "a.txt", .base_hash = "0", .content = "x"}};
	struct file_edit absent[] = {{.path = "absent", .remove = true}};
	struct file_edit twice[] = {
		{.path = "a.txt", .content = "x"}, {.path = "a.txt", .content = "y"}};
	struct edit edits[] = {
		{.files = stale, .n = 1}, {.files = absent, .n = 1}, {.files = twice, .n = 2}};
	for (size_t i = 0; i < ARRAY_SIZE(edits); i++)
		assert_int_equal(worktree_apply(room.worktree, &edits[i], &f->err), -1);
	assert_string_equal(
		sh(f, "cd ../tree; find . | sort | md5sum; md5sum a.txt; stat -c %%y a.txt"), before);
	assert_string_equal(sh(f, "ls ../home | wc -l"), "0");
}

/* A fault in the middle of the renames: the last file can be read but not replaced. */
static void failed_edit_is_rolled_back(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"touch ../immutable; chattr +i ../immutable 2>/dev/null && touch ../can; chattr -i "
		"../immutable 2>/dev/null || true");
	if (!file_exists(at(f, "can")))
		skip(); /* not root, or a file system without this attribute */
	AUTO_ROOM room = room_of(f);
	sh(f, "chattr +i ../tree/src/b.txt");
	struct file_edit files[] = {{.path = "a.txt", .content = "changed"},
		{.path = "new/n", .content = "n"}, {.path = "src/b.txt", .content = "changed"}};
	struct edit edit = {.files = files, .n = ARRAY_SIZE(files)};
	int result = worktree_apply(room.worktree, &edit, &f->err);
	sh(f, "chattr -i ../tree/src/b.txt");
	assert_int_equal(result, -1);
	assert_non_null(strstr(f->err.message, "src/b.txt"));
	assert_string_equal(content(f, "tree/a.txt"), "one\n");
	assert_false(file_exists(at(f, "tree/new")));
	assert_string_equal(sh(f, "find ../tree -name '.rondo-*' | wc -l"), "0");
	expect_same_tree(f, &room);
}

static void times_of_changed_files_rise(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct stat st;
	assert_int_equal(stat(at(f, "tree/a.txt"), &st), 0);
	time_t last = st.st_mtime;
	for (int i = 0; i < 4; i++) {
		struct edit edit = edit_of(f, "a.txt", i % 2 ? "abc\n" : "xyz\n");
		must(f, worktree_apply(room.worktree, &edit, &f->err));
		assert_int_equal(stat(at(f, "tree/a.txt"), &st), 0);
		assert_true(st.st_mtime > last);
		last = st.st_mtime;
	}
	struct edit edit = edit_of(f, "a.txt", "");
	must(f, worktree_revert(room.worktree, &edit, &f->err));
	assert_int_equal(stat(at(f, "tree/a.txt"), &st), 0);
	assert_true(st.st_mtime > last);
	assert_string_equal(content(f, "tree/a.txt"), "one\n");
}

static void python_sees_each_edit_of_one_size(void **state)
{
	struct fixture *f = *state;
	sh(f, "echo 'V = 0' >v.py; git add .; git commit -qm v");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	for (int i = 0; i < 5; i++) {
		struct edit edit = edit_of(f, "v.py", arena_printf(&f->arena, "V = %d\n", i));
		must(f, worktree_apply(worktree, &edit, &f->err));
		assert_string_equal(sh(f,
								"cd ../tree; unset PYTHONDONTWRITEBYTECODE; python3 -c "
								"'import v; print(v.V)'"),
			arena_printf(&f->arena, "%d", i));
	}
}

static time_t time_of(struct fixture *f, const char *path)
{
	struct stat st;
	assert_int_equal(stat(at(f, path), &st), 0);
	return st.st_mtime;
}

static void changed_files_of_a_fresh_checkout_are_newer_than_the_users(void **state)
{
	struct fixture *f = *state;
	sh(f, "echo 'V = 0' >v.py; git add .; git commit -qm v; touch -d '+100 seconds' v.py");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	struct edit edit = edit_of(f, "v.py", "V = 1\n");
	must(f, worktree_apply(worktree, &edit, &f->err));
	struct scanned s = scan_of(f, worktree);
	AUTO_WORKTREE *fresh = checkout_of(f, repository, &s.tree, "fresh");
	assert_non_null(fresh);
	assert_true(time_of(f, "fresh/v.py") > time_of(f, "repo/v.py"));
}

static void fresh_checkouts_agree_on_times(void **state)
{
	struct fixture *f = *state;
	sh(f, "echo 'V = 0' >v.py; git add .; git commit -qm v; echo 'V = 9' >v.py");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *first = checkout_of(f, repository, &base.tree, "first");
	AUTO_WORKTREE *second = checkout_of(f, repository, &base.tree, "second");
	assert_int_equal(time_of(f, "first/v.py"), time_of(f, "second/v.py"));
	struct edit edit = edit_of(f, "v.py", "V = 1\n");
	must(f, worktree_apply(first, &edit, &f->err));
	struct scanned s = scan_of(f, first);
	AUTO_WORKTREE *changed = checkout_of(f, repository, &s.tree, "changed");
	assert_true(time_of(f, "changed/v.py") > time_of(f, "second/v.py"));
}

static void owner_is_given_and_kept(void **state)
{
	struct fixture *f = *state;
	if (geteuid() != 0)
		skip();
	AUTO_ROOM room = room_of(f);
	must(f, worktree_own(room.worktree, 65534, 65534, &f->err));
	struct edit edit = edit_of(f, "made/new.txt", "x");
	must(f, worktree_apply(room.worktree, &edit, &f->err));
	edit = edit_of(f, "a.txt", "x");
	must(f, worktree_apply(room.worktree, &edit, &f->err));
	struct scanned s = scan_of(f, room.worktree);
	must(f, worktree_checkout(room.worktree, &room.base.tree, &f->err));
	must(f, worktree_checkout(room.worktree, &s.tree, &f->err));
	assert_string_equal(sh(f, "find ../tree ! -uid 65534 -o ! -gid 65534 | wc -l"), "0");
}

static void line_ends_are_kept_through_an_edit(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"printf '* text=auto eol=crlf\\n' >.gitattributes; printf 'a\\nb\\n' >t.txt; git add "
		". 2>/dev/null; git commit -qm crlf; rm t.txt; git checkout -q t.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	assert_string_equal(content(f, "tree/t.txt"), "a\r\nb\r\n");
	struct edit edit = edit_of(f, "t.txt", "a\r\nc\r\n");
	must(f, worktree_apply(worktree, &edit, &f->err));
	struct scanned s = scan_of(f, worktree);
	sh(f, "cp ../tree/t.txt t.txt; git add . 2>/dev/null");
	assert_string_equal(s.tree.hex, sh(f, "git write-tree"));
	must(f, worktree_revert(worktree, &edit, &f->err));
	assert_string_equal(content(f, "tree/t.txt"), "a\r\nb\r\n");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
}

/* What one thread does with a repository and worktrees of its own. */
struct worker {
	struct fixture *f;
	const char *private_dir, *dirs[2], *branch;
	bool ok;
};

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	struct repository *opened = NULL;
	struct base base;
	struct object tree, commit;
	if (repository_open(at(worker->f, "repo"), worker->private_dir, &opened, &err) < 0)
		return NULL;
	AUTO_REPOSITORY *repository = opened;
	if (repository_base(repository, BASE_SNAPSHOT, &arena, &base, &err) < 0)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		struct worktree *made = NULL;
		if (worktree_new(repository, &base.tree, worker->dirs[i], &made, &err) < 0)
			return NULL;
		AUTO_WORKTREE *worktree = made;
		struct file_edit file = {.path = "a.txt", .content = "thread"};
		struct edit edit = {.files = &file, .n = 1};
		const char **refused;
		size_t n;
		for (int round = 0; round < 10; round++)
			if (worktree_apply(worktree, &edit, &err) < 0 ||
				worktree_tree(worktree, NULL, 0, &arena, &tree, &refused, &n, &err) < 0 ||
				strcmp(tree.hex, base.tree.hex) == 0 || worktree_revert(worktree, &edit, &err) < 0)
				return NULL;
	}
	worker->ok =
		repository_publish(repository, &base, &tree, worker->branch, "fix\n", &commit, &err) == 0;
	return NULL;
}

static void two_runs_in_two_threads_do_not_meet(void **state)
{
	struct fixture *f = *state;
	commit_tree(f);
	sh(f, "echo dirty >>a.txt");
	struct worker workers[2];
	pthread_t threads[2];
	for (size_t i = 0; i < 2; i++) {
		workers[i] = (struct worker){
			.f = f, .private_dir = private_dir(f), .branch = i ? "rondo/b" : "rondo/a"};
		for (size_t j = 0; j < 2; j++)
			workers[i].dirs[j] = arena_printf(&f->arena, "%s/tree-%zu-%zu", f->dir, i, j);
	}
	at(f, "repo");
	struct fixture own[2] = {*f, *f};
	for (size_t i = 0; i < 2; i++) {
		own[i].arena = (struct arena)ARENA_INIT;
		workers[i].f = &own[i];
		assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	}
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < 2; i++) {
		arena_release(&own[i].arena);
		assert_true(workers[i].ok);
	}
	assert_string_equal(
		sh(f, "git rev-parse rondo/a^{tree}"), sh(f, "git rev-parse rondo/b^{tree}"));
	assert_string_equal(sh(f, "git show rondo/a:a.txt"), "thread");
}

/* Two worktrees of one repository, each in a thread. */
static void *use_worktree(void *argument)
{
	struct worktree *worktree = argument;
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	struct object tree;
	const char **refused;
	size_t n;
	struct file_edit file = {.path = "src/b.txt", .content = "thread"};
	struct edit edit = {.files = &file, .n = 1};
	for (int round = 0; round < 20; round++)
		if (worktree_apply(worktree, &edit, &err) < 0 ||
			worktree_tree(worktree, NULL, 0, &arena, &tree, &refused, &n, &err) < 0 ||
			worktree_revert(worktree, &edit, &err) < 0)
			return NULL;
	return worktree;
}

static void worktrees_of_one_repository_work_in_threads(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	AUTO_WORKTREE *other = checkout_of(f, room.repository, &room.base.tree, "other");
	struct worktree *worktrees[] = {room.worktree, other};
	pthread_t threads[2];
	void *results[2];
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use_worktree, worktrees[i]), 0);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], &results[i]);
	assert_ptr_equal(results[0], worktrees[0]);
	assert_ptr_equal(results[1], worktrees[1]);
}

UNIT(apply)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(edit_is_applied_and_reverted),
		FIXTURE_TEST(files_are_dated_now),
		FIXTURE_TEST(file_is_read_as_it_is_now),
		FIXTURE_TEST(edit_that_cannot_be_applied_changes_nothing),
		FIXTURE_TEST(failed_edit_is_rolled_back),
		FIXTURE_TEST(times_of_changed_files_rise),
		FIXTURE_TEST(python_sees_each_edit_of_one_size),
		FIXTURE_TEST(changed_files_of_a_fresh_checkout_are_newer_than_the_users),
		FIXTURE_TEST(fresh_checkouts_agree_on_times),
		FIXTURE_TEST(owner_is_given_and_kept),
		FIXTURE_TEST(line_ends_are_kept_through_an_edit),
		FIXTURE_TEST(two_runs_in_two_threads_do_not_meet),
		FIXTURE_TEST(worktrees_of_one_repository_work_in_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
