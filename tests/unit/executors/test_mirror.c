/* What executors with a tree elsewhere hand over and take over: the mirror, and the answer that remote.sh writes. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/daytona/answer.h"
#include "executors/mirror.h"

struct place {
	char top[TOP_SIZE];
	struct arena arena;
	struct world world;
	struct executor executor;
	struct mirror mirror;
	struct mirror_changes changes;
	struct rondo_error err;
};

static int set_up(void **state)
{
	struct place *place = *state = memory_alloc(sizeof *place);
	place->executor.world = &place->world;
	if (!make_top(place->top))
		return -1;
	mirror_init(&place->mirror, &place->executor, place->top, NULL);
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;
	mirror_release(&place->mirror);
	file_remove_tree(place->top, &place->err);
	arena_release(&place->arena);
	free(place);
	return 0;
}

static const char *at(struct place *place, const char *name)
{
	return arena_printf(&place->arena, "%s/%s", place->top, name);
}

static void put(struct place *place, const char *name, const char *text)
{
	assert_int_equal(file_write(at(place, name), text, strlen(text), 0644, &place->err), 0);
}

/* What changed, as "+a -b", sorted as it comes. */
static void assert_changes(struct place *place, const char *expected)
{
	AUTO_STRBUF found = STRBUF_INIT(1000);
	assert_int_equal(
		mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
	for (size_t i = 0; i < place->changes.n; i++) {
		const struct mirror_entry *entry = &place->changes.items[i];
		static const char kinds[] = {[MIRROR_GONE] = '-',
			[MIRROR_DIR] = '/',
			[MIRROR_FILE] = '+',
			[MIRROR_LINK] = '>'};
		strbuf_addf(&found, "%s%c%s%s", i ? " " : "", kinds[entry->kind], entry->path,
			entry->is_executable ? "*" : "");
	}
	assert_string_equal(found.text, expected);
}

static void assert_accepted(struct place *place, const char *expected)
{
	assert_changes(place, expected);
	mirror_accept(&place->mirror, &place->changes);
	assert_changes(place, "");
}

static void test_scan_tells_what_changed(void **state)
{
	struct place *place = *state;
	assert_changes(place, "");
	put(place, "a", "1");
	assert_accepted(place, "+a");
	put(place, "a", "2");
	assert_accepted(place, "+a");
	assert_int_equal(chmod(at(place, "a"), 0755), 0);
	assert_accepted(place, "+a*");
	assert_int_equal(mkdir(at(place, "d"), 0755), 0);
	put(place, "d/b c", "3");
	assert_accepted(place, "/d +d/b c");
	assert_int_equal(symlink("b c", at(place, "d/link")), 0);
	assert_accepted(place, ">d/link");
	unlink(at(place, "a"));
	assert_accepted(place, "-a");
	mkfifo(at(place, "fifo"), 0644);
	assert_changes(place, "");
}

/* Of the same size, in the same file, within a tick of the clock, and with its old times. */
static void test_scan_sees_what_times_do_not_tell(void **state)
{
	struct place *place = *state;
	put(place, "a", "1");
	assert_accepted(place, "+a");
	for (char digit = '2'; digit < '9'; digit++) {
		FILE *file = fopen(at(place, "a"), "r+");
		assert_non_null(file);
		fputc(digit, file);
		fclose(file);
		assert_accepted(place, "+a");
	}
}

/* An answer without output and with these items, taken over; "path: why" for each that is refused. */
static const char *take(struct place *place, const char *items)
{
	AUTO_STRBUF refused = STRBUF_INIT(1000);
	const char *text = arena_printf(&place->arena, "rondo 1 0 yes 0\n%send\n", items);
	struct answer answer;
	assert_int_equal(answer_read(text, strlen(text), &place->arena, &answer, &place->err), 0);
	for (size_t i = 0; i < answer.n; i++) {
		const char *why;
		assert_int_equal(
			mirror_take(&place->mirror, &answer.items[i], &why, &place->err), 0);
		if (why)
			strbuf_addf(&refused, "%s%s: %s", refused.length ? "; " : "",
				answer.items[i].path, why);
	}
	return arena_strdup(&place->arena, refused.text);
}

/* Of a cache files go, and folders with that beginning; what programs have there besides stays. */
static void test_a_mirror_may_leave_out_directories(void **state)
{
	struct place *place = *state;
	static const char *const dirs[] = {"site", "shared", "shared-a", "shared-a/m"};
	place->mirror.deep = "shared-";
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		assert_int_equal(mkdir(at(place, dirs[i]), 0755), 0);
	put(place, "site/a", "1");
	put(place, "shared/a", "1");
	put(place, "b", "1");
	put(place, "shared-a/m/c", "1");
	assert_int_equal(symlink("/etc/passwd", at(place, "l")), 0);
	assert_int_equal(symlink("/etc/passwd", at(place, "shared-a/l")), 0);
	assert_int_equal(symlink("site", at(place, "shared-s")), 0);
	assert_int_equal(
		mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
	assert_int_equal(place->changes.n, 4);
	mirror_accept(&place->mirror, &place->changes);
	assert_changes(place, "");
	put(place, "shared-a/m/c", "2");
	unlink(at(place, "b"));
	assert_accepted(place, "-b +shared-a/m/c");
	/* What came from there may lie anywhere, and is told when it has gone. */
	assert_string_equal(take(place, "f c 81a4 1 ./report-1/a.xml\nx"), "");
	assert_changes(place, "");
	assert_int_equal(file_remove_tree(at(place, "report-1"), &place->err), 0);
	assert_int_equal(file_remove_tree(at(place, "shared-a/m"), &place->err), 0);
	assert_int_equal(
		mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
	assert_int_equal(place->changes.n, 4);
}

static void assert_text(struct place *place, const char *name, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	assert_int_equal(file_read(at(place, name), 1000, &text, &place->err), 0);
	assert_string_equal(text.text, expected);
}

static void test_taking_over(void **state)
{
	struct place *place = *state;
	struct stat st;
	assert_string_equal(take(place, "f t 8fff 3 ./d/e/a\none"
					"f t 81a4 0 ./empty\n"
					"l t ./d/l\ne/a\n"
					"d t ./new\n"),
		"");
	assert_text(place, "d/e/a", "one");
	assert_text(place, "d/l", "one");
	assert_int_equal(stat(at(place, "d/e/a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(stat(at(place, "empty"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_true(file_is_dir(at(place, "new")));
	/* What came from there does not go back. */
	assert_changes(place, "");
	assert_string_equal(
		take(place, "g t ./d/e/a\ng t ./d/e\ng t ./never\nf t 81a4 1 ./d/l\nx"), "");
	assert_false(file_exists(at(place, "d/e")));
	assert_text(place, "d/l", "x");
	assert_changes(place, "");
}

static void test_hostile_names(void **state)
{
	struct place *place = *state;
	char outside[TOP_SIZE];
	assert_non_null(make_top(outside));
	assert_int_equal(symlink(outside, at(place, "out")), 0);
	static const char *const items[][2] = {
		{"f t 81a4 1 ./../a\nx", "./../a: it has a strange name"},
		{"f t 81a4 1 /etc/a\nx", "/etc/a: it has a strange name"},
		{"f t 81a4 1 ./a/./b\nx", "./a/./b: it has a strange name"},
		{"f t 81a4 1 ./a//b\nx", "./a//b: it has a strange name"},
		{"f t 81a4 1 ./.git/hooks/pre-commit\nx",
			"./.git/hooks/pre-commit: it has a strange name"},
		{"f t 81a4 1 ./sub/.GIT/config\nx", "./sub/.GIT/config: it has a strange name"},
		{"f t 81a4 1 ./a\xff\nx", "./a\xef\xbf\xbd: it has a strange name"},
		{"f t 81a4 1 .\nx", ".: it has a strange name"},
		{"f t 81a4 1 ./out/a\nx", "out/a: something else stands in its place"},
		{"d t ./out/d\n", "out/d: something else stands in its place"},
		{"l t ./l\n/etc/passwd\n", "./l: it is a link that leads out of the tree"},
		{"l t ./l\n../l\n", "./l: it is a link that leads out of the tree"},
		{"l t ./d/l\na/../../../b\n", "./d/l: it is a link that leads out of the tree"},
		{"l t ./l\na/../b\n",
			"./l: it is a link that goes up after a name, which may be a link itself"},
		{"l t ./l\n\n", "./l: it is a link that leads out of the tree"},
		{"x t large ./a\n", "a: it is too large"},
		{"x t special ./a\n", "a: it is no file, directory or link"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		assert_string_equal(take(place, items[i][0]), items[i][1]);
	assert_string_equal(take(place, "g t ./out/a\n"), "");
	assert_int_equal(rmdir(outside), 0);
	/* A long name is cut between characters; found by fuzz_answer. */
	AUTO_STRBUF name = STRBUF_INIT(4000);
	for (size_t i = 0; i < 301; i++)
		strbuf_addc(&name, '\xff');
	const char *refused = take(place, arena_printf(&place->arena, "g t x%s\n", name.text));
	assert_int_equal(utf8_valid_length(refused, strlen(refused)), strlen(refused));
	/* A link that a program made is replaced, not followed. */
	assert_string_equal(take(place, "f t 81a4 1 ./out\nx"), "");
	assert_text(place, "out", "x");
}

static void test_answers_that_are_none(void **state)
{
	struct place *place = *state;
	struct answer answer;
	static const char *const texts[] = {"", "rondo", "rondo 1 0 yes 0\n",
		"rondo 2 0 yes 0\nend\n", "rondo 1 0 yes 9\nend\n", "rondo 1 0 yes -1\nend\n",
		"rondo 1 0 yes 0x\nend\n", "rondo 1 0 yes 0\nf t 81a4 9 ./a\nend\n",
		"rondo 1 0 yes 0\nf t 81a4 99999999999999999999 ./a\nend\n",
		"rondo 1 0 yes 0\nf t zz 1 ./a\nxend\n", "rondo 1 0 yes 0\nq t ./a\nend\n",
		"rondo 1 0 yes 0\ng z ./a\nend\n", "rondo 1 0 yes 0\ng t\nend\n",
		"rondo 1 0 yes 0\nl t ./a\n", "rondo 1 0 yes 0\nx t\nend\n", "<html>\n"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(answer_read(texts[i], strlen(texts[i]), &place->arena, &answer,
					 &place->err),
			-1);
	static const char cut[] = "rondo 1 - no 3\nabcend\n";
	assert_int_equal(answer_read(cut, strlen(cut), &place->arena, &answer, &place->err), 0);
	assert_int_equal(answer.exit_code, -1);
	assert_false(answer.is_applied);
	assert_int_equal(answer.n_output, 3);
}

UNIT(mirror)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_scan_tells_what_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_scan_sees_what_times_do_not_tell, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_a_mirror_may_leave_out_directories, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_taking_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_answers_that_are_none, set_up, tear_down),
	};
	return RUN_TESTS(tests);
}
