/* What a run keeps of its repository comes back byte for byte when all else is gone. */
#include "tests/unit/worktree_fixture.h"

static const char *packs_of(struct fixture *f)
{
	return arena_printf(&f->arena, "%s/packs", f->dir);
}

/* Files of all kinds, changed at the main checkout. */
static struct object change_desk(struct fixture *f, struct room *room)
{
	sh(f,
		"cd ../tree; printf 'a\\0b\\n' >binary; chmod +x a.txt; rm link; ln -s a.txt link; rm -r "
		"src/deep; mkdir new; "
		"printf 'no end of line' >new/x; : >empty");
	return scan_of(f, room->worktree).tree;
}

static void objects_come_back_into_another_repository(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct object tree = change_desk(f, &room);
	assert_int_equal(
		repository_keep(room.repository, &tree, &room.base.tree, NULL, packs_of(f), &f->err), 0);
	assert_int_equal(
		repository_keep(room.repository, &tree, &room.base.tree, NULL, packs_of(f), &f->err), 0);
	AUTO_REPOSITORY *other = open_repo(f, "repo");
	assert_int_equal(repository_take(other, packs_of(f), &f->err), 0);
	AUTO_WORKTREE *again = checkout_of(f, other, &tree, "again");
	assert_string_equal(scan_of(f, again).tree.hex, tree.hex);
	sh(f, "diff -r --no-dereference ../tree ../again; test -x ../again/a.txt");
}

static void a_snapshot_is_the_same_commit_again(void **state)
{
	struct fixture *f = *state;
	commit_tree(f);
	sh(f, "echo mine >>a.txt; echo new >untracked");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_int_equal(repository_keep_base(repository, &base, packs_of(f), &f->err), 0);
	sh(f, "git stash -qu");
	AUTO_REPOSITORY *other = open_repo(f, "repo");
	assert_int_equal(repository_has_commit(other, &base.commit, &f->err), -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_int_equal(repository_take(other, packs_of(f), &f->err), 0);
	assert_int_equal(repository_has_commit(other, &base.commit, &f->err), 0);
	AUTO_WORKTREE *again = checkout_of(f, other, &base.tree, "again");
	sh(f, "grep mine ../again/a.txt; grep new ../again/untracked");
}

static void of_a_clean_checkout_nothing_is_kept(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	assert_int_equal(repository_keep_base(room.repository, &room.base, packs_of(f), &f->err), 0);
	assert_false(file_exists(packs_of(f)));
}

/* A pack has its name when it is whole: what a kill left has another one, and is passed over. */
static void what_a_kill_left_is_no_pack(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct object tree = change_desk(f, &room);
	sh(f, "mkdir ../packs; echo torn >../packs/new-0.pack; echo torn >../packs/pack-%s.pack",
		tree.hex);
	assert_int_equal(repository_keep(room.repository, &tree, NULL, NULL, packs_of(f), &f->err), 0);
	AUTO_REPOSITORY *other = open_repo(f, "repo");
	assert_int_equal(repository_take(other, packs_of(f), &f->err), 0);
	AUTO_WORKTREE *again = checkout_of(f, other, &tree, "again");
	assert_string_equal(scan_of(f, again).tree.hex, tree.hex);
}

static void a_branch_tells_of_which_run_it_is(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct object tree = change_desk(f, &room), commit, found;
	sh(f, "mkdir -p .git/refs/heads/rondo; : >.git/refs/heads/rondo/1.lock");
	assert_int_equal(repository_publish(room.repository, &room.base, &tree, "rondo/1",
						 "Fix\n\n"
						 "Rondo-Run: 1\n",
						 &commit, &f->err),
		-1);
	repository_unlock_branch(room.repository, "rondo/1", NULL);
	assert_false(repository_branch_says(room.repository, "rondo/1", "Rondo-Run: 1\n", &found));
	assert_int_equal(repository_publish(room.repository, &room.base, &tree, "rondo/1",
						 "Fix\n\n"
						 "Rondo-Run: 1\n",
						 &commit, &f->err),
		0);
	assert_true(repository_branch_says(room.repository, "rondo/1", "Rondo-Run: 1\n", &found));
	assert_string_equal(found.hex, commit.hex);
	assert_false(repository_branch_says(room.repository, "rondo/1", "Rondo-Run: 2\n", &found));
}

/* That of a name which others may use, too. */
static void a_lock_goes_only_where_its_run_is_dead(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	sh(f,
		"git commit -q --allow-empty -m 'Fix' -m 'Rondo-Run: 1'; "
		"git rev-parse HEAD >.git/refs/heads/mine.lock; "
		"git rev-parse HEAD~ >.git/refs/heads/foreign.lock; echo x >.git/refs/heads/odd.lock; "
		": >.git/refs/heads/empty.lock; mkdir .git/refs/heads/dir.lock");
	static const char *const names[] = {"mine", "foreign", "odd", "empty", "dir", "none"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		repository_unlock_branch(room.repository, names[i], "Rondo-Run: 1\n");
	assert_string_equal(sh(f, "cd .git/refs/heads; echo *.lock"), "dir.lock foreign.lock odd.lock");
}

UNIT(keep)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(objects_come_back_into_another_repository),
		FIXTURE_TEST(a_snapshot_is_the_same_commit_again),
		FIXTURE_TEST(of_a_clean_checkout_nothing_is_kept),
		FIXTURE_TEST(what_a_kill_left_is_no_pack),
		FIXTURE_TEST(a_branch_tells_of_which_run_it_is),
		FIXTURE_TEST(a_lock_goes_only_where_its_run_is_dead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
