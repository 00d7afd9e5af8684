/* What may be told, or removed, only after what it rests on has reached the disk. */
#include "tests/unit/git_fixture.h"
#include "tests/unit/sync_fixture.h"

#include "run/run.h"

/* The step that makes the ref; all objects are on disk before it, in directories that are. */
static size_t expect_objects_and_ref(struct fixture *f, const char *ref)
{
	const char *objects = at(f, "repo/.git/objects/"), *heads = at(f, "repo/.git/refs/heads");
	size_t made = sync_find(0, SYNC_NAMED, arena_printf(&f->arena, "%s/%s", heads, ref)), n = 0;
	assert_true(made < sync_n);
	for (size_t i = 0; (i = sync_find(i, SYNC_NAMED, objects)) < sync_n; i++, n++) {
		assert_true(i < made);
		sync_expect_named(i, made);
	}
	assert_true(n >= 3); /* a blob, a tree and a commit at least */
	sync_expect_forced(0, made, at(f, "repo/.git/objects"));
	sync_expect_named(made, sync_n);
	return made;
}

static void branch_is_on_disk_when_it_is_published(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "echo mine >>a.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	struct object commit;
	must(f, repository_check_branch(repository, "deep/er/x", &f->err));
	sync_reset();
	must(
		f, repository_publish(repository, &base, &base.tree, "deep/er/x", "x\n", &commit, &f->err));
	size_t made = expect_objects_and_ref(f, "deep/er/x");
	sync_expect_forced(made, sync_n, at(f, "repo/.git/refs/heads/deep"));
	sync_expect_forced(made, sync_n, at(f, "repo/.git/refs/heads"));
	sync_reset();
}

/* What lies in the cache is gone after a crash in any case. */
static void own_objects_are_not_waited_for(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	sh(f, "echo mine >>a.txt");
	for (int i = 0; i < 2; i++) {
		AUTO_REPOSITORY *repository = open_repo(f, "repo");
		sync_reset();
		struct base base = base_of(f, repository, BASE_SNAPSHOT);
		assert_int_equal(sync_find(0, SYNC_FORCED, f->dir), sync_n);
		struct object commit;
		must(f,
			repository_publish(
				repository, &base, &base.tree, i ? "y" : "x", "x\n", &commit, &f->err));
	}
	sync_reset();
}

static void kept_pack_is_on_disk(void **state)
{
	struct fixture *f = *state;
	commit_two_files(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	sync_reset();
	must(f, repository_keep(repository, &base.tree, NULL, NULL, at(f, "packs"), &f->err));
	size_t pack = sync_find(0, SYNC_NAMED, at(f, "packs")),
		   index = sync_find(pack + 1, SYNC_NAMED, at(f, "packs"));
	assert_true(index < sync_n);
	sync_expect_named(pack, sync_n);
	sync_expect_named(index, sync_n);
	sync_reset();
}

static void exported_files_are_on_disk(void **state)
{
	struct fixture *f = *state;
	size_t n;
	commit_two_files(f);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_HEAD);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	sh(f, "cd ../tree; mkdir -p new/er; echo x >new/er/x; echo y >>a.txt");
	struct object tree = scan_of(f, worktree).tree;
	sync_reset();
	must(f, repository_export(repository, &base.tree, &tree, NULL, at(f, "out"), &n, &f->err));
	assert_int_equal(n, 2);
	static const char *const paths[] = {"out/a.txt", "out/new/er/x"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		size_t named = sync_find(0, SYNC_NAMED, at(f, paths[i]));
		assert_true(named < sync_n);
		sync_expect_named(named, sync_n);
	}
	sync_expect_forced(0, sync_n, at(f, "out/new"));
	sync_expect_forced(0, sync_n, at(f, "out"));
	sync_expect_forced(0, sync_n, f->dir);
	sync_reset();
}

/* --- A whole run --- */

static void commit_red_project(struct fixture *f)
{
	sh(f,
		"printf 'def area(a, b):\\n    return a + b\\n' >shapes.py; "
		"printf 'from shapes import area\\nprint(\"1..1\")\\n"
		"print(\"ok 1\" if area(3, 5) == 15 else \"not ok 1\")\\n' >tests.py; "
		"printf 'check:\\n\\t@python3 tests.py\\n' >Makefile; git add .; git commit -qm base; "
		"echo '# mine' >>shapes.py");
}

struct watch {
	size_t said; /* the step after which the end of the run was told */
};

static void note_end(void *owner, const struct rondo_event *event)
{
	struct watch *watch = owner;
	if (event->type == RONDO_EVENT_RUN_END)
		watch->said = sync_n;
}

static void kept_objects_go_after_the_branch_is_on_disk(void **state)
{
	struct fixture *f = *state;
	struct run_report report;
	struct watch watch = {0};
	struct fix_options options = {0};
	struct cancel cancel;
	commit_red_project(f);
	setenv("XDG_STATE_HOME", at(f, "state"), 1);
	setenv("XDG_CACHE_HOME", at(f, "cache"), 1);
	options.path = at(f, "repo");
	options.executor = "local";
	options.settings =
		(struct option_settings){&(struct option_setting){"test", "test.command", "make check"}, 1};
	must(f, cancel_init(&cancel, NULL, 0, &f->err));
	struct context ctx = {.emit = {note_end, &watch}, .cancel = &cancel};
	sync_reset();
	must(f, run_fix(&options, &ctx, &f->arena, &report, &f->err));
	cancel_release(&cancel);
	assert_int_equal(report.outcome, RUN_VERIFIED);
	size_t made = expect_objects_and_ref(f, report.publication->branch);
	const char *dir = at(f, "state/rondo/runs");
	const char *kept = arena_printf(&f->arena, "%s/%s/blobs/pack/pack-", dir, report.id),
			   *attempt = arena_printf(&f->arena, "%s/%s/attempts/1", dir, report.id);
	size_t first = sync_find(0, SYNC_NAMED, kept), gone = sync_find(0, SYNC_GONE, kept);
	assert_true(first < made && made < gone && gone < sync_n);
	assert_true(made < watch.said && watch.said <= gone);
	sync_expect_forced(made, gone, at(f, "repo/.git/refs/heads"));
	sync_expect_forced(made, watch.said, arena_printf(&f->arena, "%s/journal.jsonl", attempt));
	/* that the run is there at all, with all that it takes to go on */
	sync_expect_forced(0, first, attempt);
	sync_expect_forced(0, first, arena_printf(&f->arena, "%s/%s/attempts", dir, report.id));
	sync_expect_forced(0, first, arena_printf(&f->arena, "%s/%s/blobs", dir, report.id));
	sync_expect_forced(0, first, arena_printf(&f->arena, "%s/%s", dir, report.id));
	sync_expect_forced(0, first, dir);
	sync_reset();
}

UNIT(durable)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(branch_is_on_disk_when_it_is_published),
		FIXTURE_TEST(own_objects_are_not_waited_for),
		FIXTURE_TEST(kept_pack_is_on_disk),
		FIXTURE_TEST(exported_files_are_on_disk),
		FIXTURE_TEST(kept_objects_go_after_the_branch_is_on_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
