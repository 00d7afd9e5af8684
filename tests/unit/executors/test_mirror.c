/* What executors with a tree elsewhere say that changed here, and take over of what changed
 * there. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/helper_answer.h"
#include "executors/mirror.h"

struct place {
	char top[TOP_SIZE];
	struct arena arena;
	struct world world;
	struct executor executor;
	struct mirror mirror;
	struct mirror_changes changes;
	struct strbuf records;
	struct rondo_error err;
};

static int set_up(void **state)
{
	struct place *place = *state = memory_alloc(sizeof *place);
	place->executor.world = &place->world;
	place->records = (struct strbuf)STRBUF_INIT(STRBUF_TEXT);
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
	strbuf_release(&place->records);
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
	assert_int_equal(mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
	for (size_t i = 0; i < place->changes.n; i++) {
		const struct mirror_entry *entry = &place->changes.items[i];
		strbuf_addf(&found, "%s%c%s%s", i ? " " : "", entry->kind, entry->path,
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
	assert_accepted(place, "fa");
	put(place, "a", "2");
	assert_accepted(place, "fa");
	assert_int_equal(chmod(at(place, "a"), 0755), 0);
	assert_accepted(place, "fa*");
	assert_int_equal(mkdir(at(place, "d"), 0755), 0);
	put(place, "d/b c", "3");
	assert_accepted(place, "dd fd/b c");
	assert_int_equal(symlink("b c", at(place, "d/link")), 0);
	assert_accepted(place, "ld/link");
	unlink(at(place, "a"));
	assert_accepted(place, "ga");
	mkfifo(at(place, "fifo"), 0644);
	assert_changes(place, "");
}

/* Of the same size, in the same file, within a tick of the clock, and with its old times. */
static void test_scan_sees_what_times_do_not_tell(void **state)
{
	struct place *place = *state;
	put(place, "a", "1");
	assert_accepted(place, "fa");
	for (char digit = '2'; digit < '9'; digit++) {
		FILE *file = fopen(at(place, "a"), "r+");
		assert_non_null(file);
		fputc(digit, file);
		fclose(file);
		assert_accepted(place, "fa");
	}
}

/* A record of a file, or of a link where the kind is such. */
static void add(
	struct place *place, enum record_kind kind, unsigned root, const char *path, const char *text)
{
	char head[RECORD_HEAD];
	size_t n = strlen(text) + (kind == RECORD_LINK);
	struct record record = {.kind = kind, .root = root, .size = n};
	strbuf_add(&place->records, head, record_write(head, &record));
	strbuf_add(&place->records, path, strlen(path) + 1);
	strbuf_add(&place->records, text, n);
}

/* What was added is taken over: "path: why" for each that is refused. */
static const char *take(struct place *place)
{
	AUTO_STRBUF refused = STRBUF_INIT(1000);
	struct answer answer;
	add(place, RECORD_END, 0, "", "");
	answer_read(place->records.text, place->records.length, &place->arena, &answer);
	assert_true(answer.is_whole);
	for (size_t i = 0; i < answer.n; i++) {
		const char *why;
		assert_int_equal(mirror_take(&place->mirror, &answer.items[i], &why, &place->err), 0);
		if (why)
			strbuf_addf(
				&refused, "%s%s: %s", refused.length ? "; " : "", answer.items[i].path, why);
	}
	strbuf_reset(&place->records);
	return arena_strdup(&place->arena, refused.text);
}

static const char *take_one(
	struct place *place, enum record_kind kind, const char *path, const char *text)
{
	add(place, kind, 0, path, text);
	return take(place);
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
	assert_int_equal(mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
	assert_int_equal(place->changes.n, 4);
	mirror_accept(&place->mirror, &place->changes);
	assert_changes(place, "");
	put(place, "shared-a/m/c", "2");
	unlink(at(place, "b"));
	assert_accepted(place, "gb fshared-a/m/c");
	/* What came from there may lie anywhere, and is told when it has gone. */
	assert_string_equal(take_one(place, RECORD_FILE, "report-1/a.xml", "x"), "");
	assert_changes(place, "");
	assert_int_equal(file_remove_tree(at(place, "report-1"), &place->err), 0);
	assert_int_equal(file_remove_tree(at(place, "shared-a/m"), &place->err), 0);
	assert_int_equal(mirror_scan(&place->mirror, &place->arena, &place->changes, &place->err), 0);
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
	static const char program[] = "f 0 1 3 0 d/e/a\0one";
	strbuf_add(&place->records, program, sizeof program - 1);
	add(place, RECORD_FILE, 0, "empty", "");
	add(place, RECORD_LINK, 0, "d/l", "e/a");
	add(place, RECORD_DIR, 0, "new", "");
	assert_string_equal(take(place), "");
	assert_text(place, "d/e/a", "one");
	assert_text(place, "d/l", "one");
	assert_int_equal(stat(at(place, "d/e/a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(stat(at(place, "empty"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_true(file_is_dir(at(place, "new")));
	/* What came from there does not go back. */
	assert_changes(place, "");
	add(place, RECORD_GONE, 0, "d/e/a", "");
	add(place, RECORD_GONE, 0, "d/e", "");
	add(place, RECORD_GONE, 0, "never", "");
	add(place, RECORD_FILE, 0, "d/l", "x");
	assert_string_equal(take(place), "");
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
	static const struct {
		enum record_kind kind;
		const char *path, *text, *refusal;
	} items[] = {
		{RECORD_FILE, "../a", "x", "../a: it has a strange name"},
		{RECORD_FILE, "a/../../b", "x", "a/../../b: it has a strange name"},
		{RECORD_FILE, "/etc/a", "x", "/etc/a: it has a strange name"},
		{RECORD_FILE, "a/./b", "x", "a/./b: it has a strange name"},
		{RECORD_FILE, "a//b", "x", "a//b: it has a strange name"},
		{RECORD_FILE, "..", "x", "..: it has a strange name"},
		{RECORD_FILE, ".", "x", ".: it has a strange name"},
		{RECORD_FILE, "", "x", ": it has a strange name"},
		{RECORD_DIR, "", "", ": it has a strange name"},
		{RECORD_GONE, "", "", ": it has a strange name"},
		{RECORD_FILE, ".git/hooks/pre-commit", "x", ".git/hooks/pre-commit: it has a strange name"},
		{RECORD_FILE, "sub/.GIT/config", "x", "sub/.GIT/config: it has a strange name"},
		{RECORD_FILE, "a\xff", "x", "a\xef\xbf\xbd: it has a strange name"},
		{RECORD_FILE, "out/a", "x", "out/a: something else stands in its place"},
		{RECORD_DIR, "out/d", "", "out/d: something else stands in its place"},
		{RECORD_LINK, "l", "/etc/passwd", "l: it is a link that leads out of the tree"},
		{RECORD_LINK, "l", "../l", "l: it is a link that leads out of the tree"},
		{RECORD_LINK, "d/l", "a/../../../b", "d/l: it is a link that leads out of the tree"},
		{RECORD_LINK, "l", "a/../b",
			"l: it is a link that goes up after a name, which may be a link itself"},
		{RECORD_LINK, "l", "", "l: it is a link that leads out of the tree"},
		{RECORD_REFUSED, "a", "it is large", "a: it is large"},
		{RECORD_REFUSED, "../a", "it is \xff", "../a: it is \xef\xbf\xbd"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		assert_string_equal(
			take_one(place, items[i].kind, items[i].path, items[i].text), items[i].refusal);
	assert_string_equal(take_one(place, RECORD_GONE, "out/a", ""), "");
	assert_int_equal(rmdir(outside), 0);
	/* A long name is cut between characters; found by fuzz_answer. */
	AUTO_STRBUF name = STRBUF_INIT(4000);
	for (size_t i = 0; i < 301; i++)
		strbuf_addc(&name, '\xff');
	const char *refused = take_one(place, RECORD_GONE, name.text, "");
	assert_int_equal(utf8_valid_length(refused, strlen(refused)), strlen(refused));
	/* A link that a program made is replaced, not followed. */
	assert_string_equal(take_one(place, RECORD_FILE, "out", "x"), "");
	assert_text(place, "out", "x");
}

/* What is planted on the way leads nowhere: links to a file and a directory, a directory that is
 * not empty. */
static void test_nothing_leaves_the_tree(void **state)
{
	struct place *place = *state;
	char outside[TOP_SIZE];
	assert_non_null(make_top(outside));
	const char *canary = arena_printf(&place->arena, "%s/canary", outside);
	assert_int_equal(file_write(canary, "sings", 5, 0644, &place->err), 0);
	assert_int_equal(symlink(outside, at(place, "out")), 0);
	assert_int_equal(symlink(canary, at(place, "link")), 0);
	assert_int_equal(file_make_dir(at(place, "dir/full"), 0755, &place->err), 0);
	add(place, RECORD_FILE, 0, "out/file", "through a link");
	add(place, RECORD_FILE, 0, "link", "in place of a link");
	add(place, RECORD_FILE, 0, "dir", "in place of a directory that is not empty");
	add(place, RECORD_GONE, 0, "out/canary", "");
	assert_string_equal(take(place),
		"out/file: something else stands in its place; dir: something else stands in its place");
	assert_text(place, "link", "in place of a link");
	AUTO_STRBUF text = STRBUF_INIT(100);
	assert_int_equal(file_read(canary, 100, &text, &place->err), 0);
	assert_string_equal(text.text, "sings");
	assert_int_equal(file_remove_tree(outside, &place->err), 0);
}

UNIT(mirror)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_scan_tells_what_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_scan_sees_what_times_do_not_tell, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_mirror_may_leave_out_directories, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_taking_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_leaves_the_tree, set_up, tear_down),
	};
	return RUN_TESTS(tests);
}
