/* The repository that code in the sandbox sees. */
#include "tests/unit/git_fixture.h"
#include "worktree/internal.h"

static const char *const clean = "GIT_CONFIG_GLOBAL=/dev/null git -C ../tree status --porcelain";

static void throwaway_is_a_clean_repository_of_one_commit(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"mkdir -p d; echo secret >old; git add .; git commit -qm secret; git rm -q old; echo "
		"a >a.txt; head -c 200000 /dev/urandom >d/big; : >empty; ln -s a.txt l; chmod +x "
		"a.txt; "
		"git remote add origin https://token@example.org/x; git add .; git commit -qm now; "
		"echo dirty >>a.txt");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	must(f, repository_write_throwaway(repository, &base, at(f, "tree/.git"), &f->err));
	sh(f, "mv .git ../hidden; mv ../private-0 ../private-hidden");
	assert_string_equal(sh(f, "%s", clean), "");
	assert_string_equal(sh(f, "git -C ../tree fsck --strict 2>&1 | grep -v notice: || true"), "");
	assert_string_equal(
		sh(f, "git -C ../tree log --all --format='%%s %%an %%d'"), "base rondo  (HEAD -> main)");
	assert_string_equal(sh(f, "git -C ../tree rev-parse HEAD^{tree}"), base.tree.hex);
	assert_string_equal(sh(f, "grep -rl token ../tree/.git | wc -l"), "0");
	sh(f,
		"if git -C ../tree cat-file -e $(echo secret | git hash-object --stdin) 2>/dev/null; "
		"then exit 1; fi");
	sh(f,
		"cd ../tree; echo more >>a.txt; git diff --stat | grep -q a.txt; git stash -q; git "
		"stash pop -q; git commit -qam work; git gc -q; git log --oneline | wc -l | grep -q "
		"2");
	sh(f, "mv ../private-hidden ../private-0; mv ../hidden .git");
	assert_string_equal(scan_of(f, worktree).n ? "refused" : "ok", "ok");
}

static void line_ends_and_submodules_look_clean(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"git init -q -b main ../lib; cd ../lib; git config user.name A; git config "
		"user.email a@b; echo l >l.c; git add .; git commit -qm l; cd ../repo; "
		"git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >a.txt; git -c "
		"protocol.file.allow=always submodule add -q ../lib lib 2>/dev/null; git add . "
		"2>/dev/null; git commit -qm now");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_WORKTREE *worktree = checkout_of(f, repository, &base.tree, "tree");
	must(f, repository_write_throwaway(repository, &base, at(f, "tree/.git"), &f->err));
	sh(f, "cp -r lib/. ../tree/lib/; mv .git ../hidden");
	assert_string_equal(sh(f, "%s", clean), "");
	sh(f, "mv ../hidden .git");
	assert_string_equal(scan_of(f, worktree).tree.hex, base.tree.hex);
}

/* As those of more than 2 GiB are. */
static void objects_may_take_several_packs(void **state)
{
	struct fixture *f = *state;
	size_t n;
	sh(f,
		"for i in 1 2 3 4 5 6 7; do head -c 5000 /dev/urandom >$i; done; git add .; "
		"git commit -qm a; mkdir -p ../bare/objects/pack ../bare/refs; echo ref: refs/heads/x "
		">../bare/HEAD");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	AUTO_GATHERING gathering = {.store = &repository->store};
	git_oid tree;
	must(f, oid_of(&base.tree, &tree, &f->err));
	must(f, gathering_add(&gathering, &tree, NULL, &f->err));
	must(f,
		pack_write(&repository->store, gathering.ids, gathering.n, 12000,
			at(f, "bare/objects/pack"), "pack-base", &n, &f->err));
	assert_in_range(n, 2, 4);
	assert_string_equal(
		sh(f, "ls ../bare/objects/pack/*.idx | wc -l"), arena_printf(&f->arena, "%zu", n));
	assert_string_equal(
		sh(f, "git -C ../bare fsck --full --strict --no-dangling 2>&1 | grep -v notice: || true"),
		"");
	assert_string_equal(sh(f,
							"for i in ../bare/objects/pack/*.pack; do git index-pack -o ../x.idx "
							"$i; done 2>&1 | grep -c fatal || true"),
		"0");
	assert_string_equal(sh(f,
							"for i in 1 2 3 4 5 6 7; do git -C ../bare cat-file blob $(git "
							"hash-object $i) | cmp - $i; done"),
		"");
	assert_string_equal(sh(f, "git -C ../bare ls-tree %s | wc -l", base.tree.hex), "7");
}

static void throwaway_is_not_written_over_another(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"echo a >a; git add .; git commit -qm a; mkdir -p ../there; echo mine "
		">../there/HEAD");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	assert_int_equal(repository_write_throwaway(repository, &base, at(f, "there"), &f->err), -1);
	assert_string_equal(content(f, "there/HEAD"), "mine\n");
}

UNIT(throwaway)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(throwaway_is_a_clean_repository_of_one_commit),
		FIXTURE_TEST(line_ends_and_submodules_look_clean),
		FIXTURE_TEST(objects_may_take_several_packs),
		FIXTURE_TEST(throwaway_is_not_written_over_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
