/* A fix brought into the user's checkout: all of it or nothing, and never a byte of the user's
 * lost. */
#include "tests/unit/git_fixture.h"

/* One file of each kind of change that a fix can make. */
static void commit_kinds(struct fixture *f)
{
	sh(f,
		"mkdir -p src old; printf '*.dos text eol=crlf\\n' >.gitattributes; echo one >a.txt; echo "
		"two >src/b.txt; echo away >gone; "
		"printf '#!/bin/sh\\n' >run.sh; ln -s a.txt link; printf 'a\\0b' >bin; printf 'x\\ny\\n' "
		">t.dos; seq 20 >old/moved; "
		"echo three >kind; git add . 2>/dev/null; git commit -qm first; rm t.dos; git checkout -q "
		"t.dos");
}

#define FIX \
	"cd ../tree; echo fixed >a.txt; echo new >src/n; mkdir deep; echo d >deep/d; rm gone; chmod " \
	"+x run.sh; ln -sf src/b.txt link; " \
	"printf 'a\\0c' >bin; printf 'x\\r\\nz\\r\\n' >t.dos; mkdir sub; mv old/moved sub/moved; " \
	"rmdir old; rm kind; ln -s bin kind"

static const char *const changed[] = {"a.txt", "src/n", "deep/d", "gone", "run.sh", "link", "bin",
	"t.dos", "old/moved", "sub/moved", "kind"};

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

static struct fix fix_of(struct fixture *f)
{
	commit_kinds(f);
	struct fix fix = {.repository = open_repo(f, "repo")};
	fix.base = base_of(f, fix.repository, BASE_SNAPSHOT);
	fix.worktree = checkout_of(f, fix.repository, &fix.base.tree, "tree");
	sh(f, FIX);
	fix.tree = scan_of(f, fix.worktree).tree;
	sh(f, "cp -a . ../kept");
	return fix;
}

static int bring(struct fixture *f, struct fix *fix)
{
	return repository_apply(fix->repository, &fix->base, &fix->tree, &f->err);
}

/* All of a directory but .git: names, kinds, modes, bytes, targets. */
static const char *state_of(struct fixture *f, const char *dir)
{
	return sh(f,
		"cd ../%s; find . -path ./.git -prune -o -type l -printf '%%p > %%l\\n' -o -printf '%%p "
		"%%m\\n' | sort; "
		"find . -path ./.git -prune -o -type f -print | sort | xargs sha256sum",
		dir);
}

static void reset(struct fixture *f)
{
	sh(f, "cd ..; rm -rf repo; cp -a kept repo");
}

static void expect_fixed(struct fixture *f)
{
	sh(f,
		"diff -r --no-dereference -x .git . ../tree; test -x run.sh; "
		"test $(readlink link) = src/b.txt; test -z \"$(find . -name '.rondo-*')\"; test ! -e old");
}

static void every_kind_of_change_is_brought(void **state)
{
	struct fixture *f = *state;
	AUTO_FIX fix = fix_of(f);
	sh(f,
		"chmod 600 a.txt; chmod 444 bin; echo mine >other; echo mine >>src/b.txt; cp src/b.txt "
		"../tree/src/b.txt; cp other ../tree");
	const char *index = sh(f, "sha256sum .git/index .git/HEAD");
	must(f, bring(f, &fix));
	expect_fixed(f);
	assert_string_equal(sh(f, "stat -c %%a a.txt bin run.sh | tr '\\n' ' '"), "600 444 755 ");
	assert_string_equal(sh(f, "sha256sum .git/index .git/HEAD"), index);
	must(f, bring(f, &fix)); /* a second time there is nothing to be done */
	expect_fixed(f);
}

/* What a user can do to a path in the meantime. */
static const char *const doings[] = {"echo mine >>\"$p\"",
	"rm -rf \"$p\"; mkdir \"$p\"; echo mine >\"$p/mine\"",
	"rm -rf \"$p\"; ln -s /etc/passwd \"$p\"", "rm -rf \"$p\"; mkfifo \"$p\"",
	"rm -rf \"$p\"; echo other >\"$p\""};

static void long_file_that_is_in_the_way_is_named_and_nothing_changes(void **state)
{
	struct fixture *f = *state;
	AUTO_FIX fix = fix_of(f);
	for (size_t i = 0; i < ARRAY_SIZE(changed); i++)
		for (size_t j = 0; j < ARRAY_SIZE(doings); j++) {
			const char *path = changed[i];
			if (j == 0 && (strcmp(path, "link") == 0))
				continue; /* that would be the change of another file */
			sh(f, "mkdir -p deep sub; p='%s'; %s", path, doings[j]);
			const char *before = state_of(f, "repo");
			assert_int_equal(bring(f, &fix), -1);
			assert_int_equal(f->err.code, RONDO_ERROR_USAGE);
			assert_non_null(strstr(f->err.message, path));
			assert_non_null(strstr(f->err.message, "left as they are"));
			assert_non_null(strstr(f->err.help, "git apply"));
			assert_string_equal(state_of(f, "repo"), before);
			reset(f);
		}
}

static void all_that_is_in_the_way_is_named(void **state)
{
	struct fixture *f = *state;
	AUTO_FIX fix = fix_of(f);
	sh(f,
		"rm a.txt; echo mine >src/n; echo mine >>bin; echo mine >deep; rm -r src; echo mine >src");
	assert_int_equal(bring(f, &fix), -1);
	assert_string_equal(f->err.message,
		"your files were left as they are: 'a.txt' is not there any more; 'bin' has changed since "
		"the run "
		"began; 'deep/d' lies below what is no directory any more; 'src/n' lies below what is no "
		"directory any more");
}

/* Killed at any point: some files are in place, beside one lies what its writer had by then, or
 * what it replaced. */
static void what_a_kill_left_is_completed(void **state)
{
	struct fixture *f = *state;
	AUTO_FIX fix = fix_of(f);
	for (size_t done = 0; done <= ARRAY_SIZE(changed); done++) {
		for (size_t i = 0; i < done; i++)
			sh(f,
				"p='%s'; rm -f \"$p\"; test -e \"../tree/$p\" -o -L \"../tree/$p\" || exit 0; "
				"mkdir -p \"$(dirname \"$p\")\"; "
				"cp -P \"../tree/$p\" \"$p\"",
				changed[i]);
		must(f, bring(f, &fix));
		sh(f, "rmdir old 2>/dev/null || true"); /* git knows no empty directories */
		expect_fixed(f);
		reset(f);
	}
	const char *beside = sh(f, "echo .rondo-$(printf a.txt | sha256sum | cut -c1-12)");
	static const char *const left[] = {"echo fixed", "printf fix", "true", "echo one"};
	for (size_t i = 0; i < ARRAY_SIZE(left); i++) {
		sh(f, "%s >%s", left[i], beside);
		must(f, bring(f, &fix));
		expect_fixed(f);
		sh(f, "%s >%s", left[i], beside);
		must(f, bring(f, &fix));
		expect_fixed(f);
		reset(f);
	}
	sh(f, "echo mine >%s", beside);
	const char *before = state_of(f, "repo");
	assert_int_equal(bring(f, &fix), -1);
	assert_non_null(strstr(f->err.message, beside));
	assert_string_equal(state_of(f, "repo"), before);
}

/* A fault behind the first renames: the last file cannot be replaced. */
static void failed_change_is_rolled_back(void **state)
{
	struct fixture *f = *state;
	sh(f,
		"touch ../immutable; chattr +i ../immutable 2>/dev/null && touch ../can; chattr -i "
		"../immutable 2>/dev/null || true");
	if (!file_exists(at(f, "can")))
		skip(); /* not root, or a file system without this attribute */
	AUTO_FIX fix = fix_of(f);
	static const char *const last[] = {"t.dos", "run.sh", "gone", "bin"};
	for (size_t i = 0; i < ARRAY_SIZE(last); i++) {
		const char *before = state_of(f, "repo"),
				   *inodes = sh(
					   f, "find . -path ./.git -prune -o -type f -printf '%%p %%i %%t\\n' | sort");
		sh(f, "chattr +i %s", last[i]);
		int result = bring(f, &fix);
		sh(f, "chattr -i %s", last[i]);
		assert_int_equal(result, -1);
		assert_non_null(strstr(f->err.message, last[i]));
		assert_string_equal(state_of(f, "repo"), before);
		assert_string_equal(
			sh(f, "find . -path ./.git -prune -o -type f -printf '%%p %%i %%t\\n' | sort"), inodes);
	}
	must(f, bring(f, &fix));
	expect_fixed(f);
}

/* Whoever comes last wins, and the user's editor, which replaces the file once at any moment, is
 * never the one who loses. */
static void long_what_is_saved_at_the_same_time_stays(void **state)
{
	enum { ROUNDS = 40 };
	struct fixture *f = *state;
	AUTO_FIX fix = fix_of(f);
	const char *from = at(f, "repo/.mine"), *to = at(f, "repo/a.txt");
	for (int i = 0; i < ROUNDS; i++) {
		assert_int_equal(file_write(from, "mine\n", 5, 0644, &f->err), 0);
		pid_t editor = fork();
		if (editor == 0) {
			for (volatile int spin = 0; spin < i * 60000; spin++)
				continue;
			_exit(rename(from, to) < 0);
		}
		int status, result = bring(f, &fix);
		assert_int_equal(waitpid(editor, &status, 0), editor);
		assert_int_equal(status, 0);
		assert_string_equal(content(f, "repo/a.txt"), "mine\n");
		assert_int_equal(file_exists(at(f, "repo/deep/d")), result == 0);
		assert_string_equal(sh(f, "find . -name '.rondo-*'"), "");
		sh(f,
			"rm -rf deep sub src/n; find ../kept -mindepth 1 -maxdepth 1 ! -name .git -exec cp -a "
			"{} . ';'");
	}
}

UNIT(bring)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_kind_of_change_is_brought),
		FIXTURE_TEST(long_file_that_is_in_the_way_is_named_and_nothing_changes),
		FIXTURE_TEST(all_that_is_in_the_way_is_named),
		FIXTURE_TEST(what_a_kill_left_is_completed),
		FIXTURE_TEST(failed_change_is_rolled_back),
		FIXTURE_TEST(long_what_is_saved_at_the_same_time_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
