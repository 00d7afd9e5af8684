/* What comes out of a container: files to their places, and what the helper tells. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/listing.h"
#include "executors/docker/unpack.h"

static void add_file(struct strbuf *archive, const char *name, const char *text)
{
	static const char zeros[TAR_BLOCK];
	tar_add(archive,
		&(struct tar_entry){
			.kind = TAR_FILE, .name = name, .mode = 0644, .size = strlen(text)});
	strbuf_adds(archive, text);
	strbuf_add(archive, zeros, tar_padding(strlen(text)));
}

/* --- Where files go --- */

struct place {
	char top[TOP_SIZE];
	struct arena arena;
	struct world world;
	struct executor executor;
	struct mirror mirror;
	struct strbuf said;
	struct rondo_error err;
};

static int set_up(void **state)
{
	struct place *place = *state = memory_alloc(sizeof *place);
	place->executor.world = &place->world;
	place->said = (struct strbuf)STRBUF_INIT(STRBUF_TEXT);
	if (!make_top(place->top))
		return -1;
	const char *tree = arena_printf(&place->arena, "%s/tree", place->top);
	mirror_init(&place->mirror, &place->executor, tree, false);
	return mkdir(tree, 0755);
}

static int tear_down(void **state)
{
	struct place *place = *state;
	mirror_release(&place->mirror);
	file_remove_tree(place->top, &place->err);
	strbuf_release(&place->said);
	arena_release(&place->arena);
	free(place);
	return 0;
}

static void refuse(void *owner, const char *name, const char *why)
{
	strbuf_addf(&((struct place *)owner)->said, "%s: %s;", name, why);
}

/* The files of that names are wanted, under the numbers of their order. */
static int unpack(struct place *place, struct strbuf *archive, const char *const *names, size_t n)
{
	struct unpack unpack;
	struct answer_item items[8] = {0}, *wanted[8];
	for (size_t i = 0; i < n; i++) {
		items[i] = (struct answer_item){.kind = ANSWER_FILE, .path = names[i], .n = i};
		wanted[i] = names[i] ? &items[i] : NULL;
	}
	tar_add_end(archive);
	unpack_init(&unpack, &place->mirror, wanted, n, refuse, place);
	int status = unpack_feed(&unpack, archive->text, archive->length, &place->err);
	if (status == 0)
		status = unpack_finish(&unpack, &place->err);
	unpack_release(&unpack);
	return status;
}

static void assert_holds(struct place *place, const char *name, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	assert_int_equal(file_read(arena_printf(&place->arena, "%s/%s", place->top, name), 1000,
				 &text, &place->err),
		0);
	assert_string_equal(text.text, expected);
}

static void files_go_where_they_are_wanted(void **state)
{
	struct place *place = *state;
	static const char *const names[] = {"a/b", "c", "again", "missing", NULL};
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	tar_add(&archive, &(struct tar_entry){.kind = TAR_DIR, .name = "h/"});
	add_file(&archive, "h/0", "one");
	add_file(&archive, "h/1", "two");
	tar_add(&archive,
		&(struct tar_entry){.kind = TAR_HARD_LINK, .name = "h/2", .target = "h/0"});
	add_file(&archive, "h/4", "a strange name");
	add_file(&archive, "h/0", "other");
	add_file(&archive, "h/5", "more");
	assert_int_equal(unpack(place, &archive, names, 5), 0);
	assert_holds(place, "tree/a/b", "one");
	assert_holds(place, "tree/c", "two");
	assert_holds(place, "tree/again", "one");
	assert_string_equal(place->said.text,
		"h/0: nobody has asked for it;h/5: nobody has asked for it;missing: it could not be fetched;");
}

/* Sandbox.md, row 82. */
static void nothing_leaves_the_tree(void **state)
{
	struct place *place = *state;
	static const char *const names[] = {"out/file", "link", "dir"};
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	const char *outside = arena_printf(&place->arena, "%s/outside", place->top),
		   *tree = place->mirror.dir;
	assert_int_equal(mkdir(outside, 0755), 0);
	assert_int_equal(file_write(arena_printf(&place->arena, "%s/canary", outside), "sings", 5,
				 0644, &place->err),
		0);
	assert_int_equal(symlink(outside, arena_printf(&place->arena, "%s/out", tree)), 0);
	assert_int_equal(symlink(arena_printf(&place->arena, "%s/canary", outside),
				 arena_printf(&place->arena, "%s/link", tree)),
		0);
	assert_int_equal(
		file_make_dir(arena_printf(&place->arena, "%s/dir/full", tree), 0755, &place->err),
		0);
	add_file(&archive, "h/0", "through a link");
	add_file(&archive, "h/1", "in place of a link");
	add_file(&archive, "h/2", "in place of a directory that is not empty");
	add_file(&archive, "../../outside/0", "by its name");
	add_file(&archive, "/etc/1", "by its name");
	tar_add(&archive, &(struct tar_entry){.kind = TAR_LINK, .name = "h/1", .target = outside});
	tar_add(&archive,
		&(struct tar_entry){.kind = TAR_HARD_LINK, .name = "h/0", .target = "/etc/passwd"});
	assert_int_equal(unpack(place, &archive, names, 3), 0);
	assert_holds(place, "outside/canary", "sings");
	assert_holds(place, "tree/link", "in place of a link");
	assert_false(file_exists(arena_printf(&place->arena, "%s/file", outside)));
	assert_false(file_exists(arena_printf(&place->arena, "%s/0", outside)));
	assert_string_equal(place->said.text,
		"out/file: something else stands in its place;dir: something else stands in its place;"
		"../../outside/0: its name leads out of the tree;etc/1: its name is absolute;h/1: nobody has asked for it;"
		"h/0: nobody has asked for it;");
}

/* --- What the helper tells --- */

#define LISTING(text) text, sizeof(text) - 1

static void assert_listing(const char *bytes, size_t n, bool is_whole, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct docker_listing listing;
	docker_listing_read(bytes, n, &arena, &listing);
	for (size_t i = 0; i < listing.n; i++) {
		const struct answer_item *item = &listing.items[i];
		strbuf_addf(&said, "%c%c%d %s%s%s;", "gdflx"[item->kind],
			item -> in_cache ? 'c' : 't', item->is_executable, item->path,
			item->why ? ": " : "", item->why ? item->why : "");
	}
	assert_string_equal(said.text, expected);
	assert_int_equal(listing.is_whole, is_whole);
}

static void a_listing_is_read_as_far_as_it_goes(void **state)
{
	(void)state;
	assert_listing(
		LISTING("f t 1 0 a b\0d c 0 0 d\0l t 0 0 d/l\0../x\0g t 0 0 y\0s t 0 0 p\0.\0"),
		true, "ft1 a b;dc0 d;lt0 d/l;gt0 y;xt0 p: it is no file, directory or link;");
	assert_listing(
		LISTING("l t 0 0 l\0/etc\0f t 0 0 ../x\0f t 0 0 \xff\0f t 0 0 a/.git/b\0.\0"), true,
		"xt0 l: it is a link that leads out of the tree;xt0 ../x: it has a strange name;"
		"xt0 \xef\xbf\xbd: it has a strange name;xt0 a/.git/b: it has a strange name;");
	assert_listing(LISTING("f t 0 0 a\0!\0"), false, "ft0 a;");
	assert_listing(LISTING("f t 0 0 a\0.\0f t 0 0 b\0"), false, "ft0 a;");
	assert_listing(LISTING("f t 0 0 a\0f t 0 0 b"), false, "ft0 a;");
	assert_listing(LISTING("f t 0 99999999 a\0.\0"), false, "");
	assert_listing(LISTING("q t 0 0 a\0.\0"), false, "");
	assert_listing(LISTING(""), false, "");
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

UNIT(unpack)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(files_go_where_they_are_wanted),
		IN_PLACE(nothing_leaves_the_tree),
		cmocka_unit_test(a_listing_is_read_as_far_as_it_goes),
	};
	return RUN_TESTS(tests);
}
