/* What lines were before: hunks of commits and of uncommitted work, as they stand in a text now. */
#include "tests/unit/git_fixture.h"

enum { MOST = 20 };

static void commit(struct fixture *f, const char *change, const char *subject)
{
	sh(f, "%s; git add -A; git commit -qm '%s'", change, subject);
}

struct given {
	const char *path, *text;
};

static bool read_given(void *owner, const char *path, struct past_text *text)
{
	const struct given *given = owner;
	text->text = given->text;
	text->n = strlen(given->text);
	return strcmp(path, given->path) == 0;
}

/* The hunks of one file, whose text is `text` or as it lies there, a line each: "CHANGE
 * FIRST+N<OLD". */
static const char *past_of(
	struct fixture *f, const char *path, const char *text, const char *since, size_t most)
{
	struct object commit;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	struct base base = base_of(f, repository, BASE_SNAPSHOT);
	if (!text)
		text = content(f, arena_printf(&f->arena, "repo/%s", path));
	struct given given = {path, text};
	struct past past;
	if (since)
		must(f, repository_find_commit(repository, since, &commit, &f->err));
	repository_past(
		repository, &base, since ? &commit : NULL, most, read_given, &given, &f->arena, &past);
	assert_true(past.n_texts <= 1);
	for (size_t i = 0; past.n_texts && i < past.texts[0].n_hunks; i++) {
		const struct past_hunk *hunk = &past.texts[0].hunks[i];
		const char *subject = past.changes[hunk->change].subject;
		assert_int_equal(strlen(hunk->old), hunk->n_old);
		strbuf_addf(&said, "%s %zu+%zu<%s", subject ? subject : "now", hunk->first, hunk->n,
			hunk->n_old ? hunk->old : "\n");
	}
	return arena_strdup(&f->arena, said.text);
}

static void each_change_says_what_stood_there(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	commit(f, "sed -i 's/^2$/two/; 5d' a", "two");
	sh(f, "sed -i '1i zero' a; sed -i 's/^6$/six/' a");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "now 0+1<\nnow 5+1<6\ntwo 2+1<2\n");
	commit(f, "true", "three");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "three 0+1<\nthree 5+1<6\ntwo 2+1<2\n");
}

static void removed_lines_have_their_place_between_others(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	commit(f, "sed -i 1d a", "first");
	commit(f, "sed -i '$d' a", "last");
	commit(f, "sed -i 2d a", "middle");
	assert_string_equal(
		past_of(f, "a", NULL, NULL, MOST), "middle 1+0<3\nlast 3+0<6\nfirst 0+0<1\n");
	commit(f, "sed -i '1a between' a", "filled");
	assert_string_equal(
		past_of(f, "a", NULL, NULL, MOST), "filled 1+1<\nlast 4+0<6\nfirst 0+0<1\n");
}

static void what_was_changed_again_is_left_out(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	commit(f, "sed -i 's/[345]/x&/' a", "two");
	commit(f, "sed -i 's/^x4/y/' a", "three");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "three 3+1<x4\n");
}

static void lines_are_those_of_the_given_text(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	commit(f, "sed -i 's/^2$/two/; s/^5$/five/' a", "two");
	assert_string_equal(past_of(f, "a", "new\n1\ntwo\n3\n4\nmine\n6\n", NULL, MOST), "two 2+1<2\n");
}

static void ways_end_where_they_are_told_to(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	for (int i = 1; i <= 4; i++)
		commit(f, arena_printf(&f->arena, "sed -i 's/^%d$/x/' a", i),
			arena_printf(&f->arena, "change %d", i));
	assert_string_equal(past_of(f, "a", NULL, NULL, 2), "change 4 3+1<4\nchange 3 2+1<3\n");
	assert_string_equal(past_of(f, "a", NULL, "HEAD~1", MOST), "change 4 3+1<4\n");
	assert_string_equal(past_of(f, "a", NULL, "HEAD", MOST), "");
	sh(f, "git rm -q a; git commit -qm gone; seq 1 6 >a; git add a; git commit -qm back");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "");
}

static void a_merge_is_one_change(void **state)
{
	struct fixture *f = *state;
	commit(f, "seq 1 6 >a", "one");
	sh(f, "git checkout -qb side");
	commit(f, "sed -i 's/^2$/two/' a", "side 1");
	commit(f, "sed -i 's/^5$/five/' a", "side 2");
	sh(f,
		"git checkout -q -; echo b >b; git add b; git commit -qm b; "
		"git merge -q --no-ff -m merged side");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "merged 1+1<2\nmerged 4+1<5\n");
}

static void a_repository_without_commits_or_revisions_says_so(void **state)
{
	struct fixture *f = *state;
	struct object found;
	commit(f, "seq 1 6 >a", "one");
	assert_string_equal(past_of(f, "a", NULL, NULL, MOST), "");
	AUTO_REPOSITORY *repository = open_repo(f, "repo");
	assert_int_equal(repository_find_commit(repository, "v1.0", &found, &f->err), -1);
	assert_string_equal(f->err.message, "'v1.0' names no commit");
	must(f, repository_find_commit(repository, "HEAD", &found, &f->err));
	assert_string_equal(found.hex, sh(f, "git rev-parse HEAD"));
}

UNIT(past)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(each_change_says_what_stood_there),
		FIXTURE_TEST(removed_lines_have_their_place_between_others),
		FIXTURE_TEST(what_was_changed_again_is_left_out),
		FIXTURE_TEST(lines_are_those_of_the_given_text),
		FIXTURE_TEST(ways_end_where_they_are_told_to),
		FIXTURE_TEST(a_merge_is_one_change),
		FIXTURE_TEST(a_repository_without_commits_or_revisions_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
