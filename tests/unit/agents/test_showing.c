/* What a coder is shown of the tree: what is chosen, in which order, exactly, and within which
 * budget. */
#include "tests/unit/worktree_fixture.h"

#include "agents/coder/showing.h"
#include "base/utf8.h"
#include "chat/message.h"

#define ROOM ((size_t)48 << 10)
#define MAP_ROOM ((size_t)8 << 10)

struct tree {
	struct fixture *f;
	struct room room;
	struct suite suite;
	struct protection protection;
	struct checkout checkout;
	struct agent_services services;
	struct test_report report;
	struct showing showing;
	struct strbuf text;
};

static void put(struct fixture *f, const char *path, const char *text)
{
	char *dir = arena_strdup(&f->arena, at(f, arena_printf(&f->arena, "repo/%s", path)));
	*strrchr(dir, '/') = '\0';
	must(f, file_make_dir(dir, 0755, &f->err));
	must(f,
		file_create(
			at(f, arena_printf(&f->arena, "repo/%s", path)), text, strlen(text), 0644, &f->err));
}

/* Of what was put so far; the test of that id fails, in a file that may be NULL. */
static void open_tree(
	struct tree *t, struct fixture *f, const char *command, const char *id, const char *file)
{
	*t = (struct tree){.f = f, .text = STRBUF_INIT(STRBUF_TEXT)};
	t->room = room_of(f);
	suite_from_command(command, "from a test", &f->arena, &t->suite);
	t->protection = suite_protection(&t->suite);
	t->checkout = (struct checkout){.worktree = t->room.worktree};
	t->services = (struct agent_services){.main_checkout = &t->checkout,
		.repository = t->room.repository,
		.base = &t->room.base,
		.suite = &t->suite,
		.protection = &t->protection};
	t->report = (struct test_report){.exit_code = 1, .complete = true, .output = ""};
	if (id)
		test_report_add(&t->report, &f->arena,
			&(struct test_result){
				.id = id, .status = TEST_FAILED, .file = file, .line = file ? 1 : 0});
	t->showing = (struct showing){
		.services = &t->services, .report = &t->report, .room = ROOM, .map_room = MAP_ROOM};
}

static const char *show(struct tree *t)
{
	strbuf_reset(&t->text);
	must(t->f, showing_add(&t->text, &t->showing, &t->f->err));
	return t->text.text;
}

static void close_tree(struct tree *t)
{
	room_close(&t->room);
	strbuf_release(&t->text);
}

#define AUTO_TREE __attribute__((cleanup(close_tree))) struct tree

static void expect_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

static void expect_not_in(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in '%s'", part, text);
}

/* Each part in the text, one after the other. */
static void expect_order(const char *text, const char *const *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *found = strstr(text, parts[i]);
		if (!found)
			fail_msg("'%s' is not, or not so late, in '%s'", parts[i], text);
		text = found ? found : "";
	}
}

/* Functions that nothing is said of, so that a file is too long to be shown whole. */
static const char *filler(struct fixture *f, const char *format, int n)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < n; i++) {
		for (const char *at = format; *at; at++)
			if (*at == '@')
				strbuf_addf(&text, "%d", i);
			else
				strbuf_addc(&text, *at);
	}
	return arena_strdup(&f->arena, text.text);
}

#define PYTHON_FILLER "\n\ndef filler_@(a, b):\n    return a * b + @\n"

/* A long program, a long test file, and one who calls the program. */
static void put_shop(struct fixture *f)
{
	const char *noise = filler(f, PYTHON_FILLER, 400);
	put(f, "shop/cart.py",
		arena_printf(&f->arena,
			"import math%s\n\nclass Cart:\n    def total(self, items):\n"
			"        return scaled(sum(items))\n%s\n\ndef scaled(value):\n    return value * 2\n",
			noise, noise));
	put(f, "shop/till.py",
		arena_printf(&f->arena,
			"from shop.cart import Cart\n\n\ndef sell(items):\n    return Cart().total(items)\n%s",
			noise));
	put(f, "tests/test_cart.py",
		arena_printf(&f->arena,
			"from shop.cart import Cart\n%s\n\ndef test_total():\n"
			"    assert Cart().total([1]) == 1\n",
			noise));
}

static void tests_come_first_then_what_they_run_then_who_calls_it(void **state)
{
	AUTO_TREE t;
	put_shop(*state);
	open_tree(&t, *state, "pytest", "tests/test_cart.py::test_total", "tests/test_cart.py");
	t.showing.room = 4096;
	static const char *const parts[] = {"\ntests/test_cart.py (protected) (line 1 of 1605)\n```py\n"
										"from shop.cart import Cart\n```\n",
		"\ntests/test_cart.py (protected) (lines 1604 to 1605 of 1605)\n```py\n"
		"def test_total():\n    assert Cart().total([1]) == 1\n```\n",
		"\nshop/cart.py (line 1 of 3209)\n```py\nimport math\n```\n",
		"\nshop/cart.py (lines 1603 to 1605 of 3209)\n```py\nclass Cart:\n"
		"    def total(self, items):\n        return scaled(sum(items))\n```\n",
		"\nshop/cart.py (lines 3208 to 3209 of 3209)\n```py\n"
		"def scaled(value):\n    return value * 2\n```\n",
		"\nshop/till.py (lines 4 to 5 of 1605)\n```py\n"
		"def sell(items):\n    return Cart().total(items)\n```\n",
		"\nFiles of the repository: "};
	expect_order(show(&t), parts, ARRAY_SIZE(parts));
}

static void small_files_are_shown_whole(void **state)
{
	AUTO_TREE t;
	put(*state, "cart.py", "def total(items):\n    return items\n\n\ndef other():\n    pass\n");
	put(*state, "test_cart.py", "import cart\n\ndef test_a():\n    cart.total([])\n");
	open_tree(&t, *state, "pytest", "test_cart.py::test_a", NULL);
	const char *text = show(&t);
	expect_in(text, "\ntest_cart.py (protected)\n```py\nimport cart\n\ndef test_a():\n");
	expect_in(text,
		"\ncart.py\n```py\ndef total(items):\n    return items\n\n\ndef other():\n    pass\n```\n");
	expect_in(text,
		"\nFiles of the repository: .gitignore a.txt cart.py link run.sh src/b.txt "
		"src/deep/c.txt test_cart.py\n");
	expect_not_in(text, "What files define");
}

/* What repair suspects, which may be what coverage says, comes before what names say. */
static void what_repair_suspects_comes_first(void **state)
{
	AUTO_TREE t;
	static const char *const places[] = {"shop/cart.py:3209", "nowhere.py:1", "shop/cart.py:99999",
		"shop/cart.py", ":", "shop/cart.py:4", "shop/cart.py:-1"};
	put_shop(*state);
	open_tree(&t, *state, "pytest", "tests/test_cart.py::test_total", "tests/test_cart.py");
	AUTO_JSON *data = json_object();
	json_add_strings(data, "parts", places, ARRAY_SIZE(places));
	AUTO_FREE char *said = json_print(data);
	const struct rondo_message plain = {.source = "user", .content = ""},
							   last = {.source = "repair", .content = "", .data = said};
	const struct rondo_message *messages[] = {
		message_copy(&t.f->arena, &last), message_copy(&t.f->arena, &plain)};
	showing_find_places(&t.showing, (struct message_span){messages, 2}, &t.f->arena);
	assert_int_equal(t.showing.n_places, ARRAY_SIZE(places));
	t.showing.room = 900;
	const char *text = show(&t);
	expect_in(text, "def scaled(value):\n    return value * 2\n");
	expect_in(text, "def filler_0(a, b):\n    return a * b + 0\n```\n");
}

static void the_budget_holds_and_pieces_are_exact(void **state)
{
	AUTO_TREE t;
	put_shop(*state);
	open_tree(&t, *state, "pytest", "tests/test_cart.py::test_total", "tests/test_cart.py");
	unsigned seed = 7;
	for (int i = 0; i < 100; i++) {
		seed = seed * 1103515245 + 12345;
		t.showing.room = (seed >> 8) % (1 << (6 + i % 12));
		t.showing.map_room = (seed >> 4) % 4096;
		size_t room = t.showing.room + t.showing.map_room;
		const char *text = show(&t);
		if (t.text.length > room)
			fail_msg("%zu bytes of %zu", t.text.length, room);
		for (const char *at = text; (at = strstr(at, "of 3209)\n```py\n"));) {
			at = strstr(at, "```py\n") + strlen("```py\n");
			const char *end = strstr(at, "\n```\n");
			assert_non_null(end);
			expect_in(content(*state, "repo/shop/cart.py"),
				arena_strndup(&t.f->arena, at, (size_t)(end + 1 - at)));
		}
	}
}

static const struct language_case {
	const char *command, *path, *head, *bug, *filler, *test_path, *test, *id;
} languages_cases[] = {
	{"pytest", "shop.py", "import math\n", "\n\ndef total(items):\n    return len(items)\n",
		PYTHON_FILLER, "test_shop.py",
		"from shop import total\n\n\ndef test_total():\n    assert total([]) == 1\n",
		"test_shop.py::test_total"},
	{"node --test", "lib/shop.js", "'use strict';\n",
		"\nfunction total(items) {\n  return items.length;\n}\n",
		"\nfunction filler_@(a, b) {\n  return a * b + @;\n}\n", "test/shop.test.js",
		"const { total } = require('../lib/shop');\ntest('adds up', () => {\n"
		"  assert.equal(total([]), 1);\n});\n",
		"adds up"},
	{"go test ./...", "shop/shop.go", "package shop\n",
		"\nfunc Total(items []int) int {\n\treturn len(items)\n}\n",
		"\nfunc filler@(a, b int) int {\n\treturn a*b + @\n}\n", "shop/shop_test.go",
		"package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n"
		"\tif Total(nil) != 1 {\n\t\tt.Fail()\n\t}\n}\n",
		"example.com/shop/TestTotal"},
	{"make check", "src/shop.c", "#include \"shop.h\"\n",
		"\nint total(int n)\n{\n\treturn n - 1;\n}\n",
		"\nint filler_@(int a, int b)\n{\n\treturn a * b + @;\n}\n", "tests/test_shop.c",
		"#include \"shop.h\"\n\nint main(void)\n{\n\treturn total(1) != 1;\n}\n", "test_shop"},
	{"cargo test", "src/lib.rs", "use std::fmt;\n",
		"\npub fn total(n: u32) -> u32 {\n    n - 1\n}\n",
		"\npub fn filler_@(a: u32, b: u32) -> u32 {\n    a * b + @\n}\n", "tests/shop.rs",
		"use shop::total;\n\n#[test]\nfn totals() {\n    assert_eq!(total(1), 1);\n}\n", "totals"},
};

static void of_a_long_file_the_function_that_a_test_runs_is_shown(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(languages_cases); i++) {
		const struct language_case *c = &languages_cases[i];
		AUTO_TREE t;
		const char *noise = filler(f, c->filler, 1000);
		put(f, c->path, arena_printf(&f->arena, "%s%s%s%s", c->head, noise, c->bug, noise));
		put(f, c->test_path, c->test);
		open_tree(&t, f, c->command, c->id, NULL);
		t.showing.room = 8192;
		const char *text = show(&t);
		expect_in(text, c->bug + strspn(c->bug, "\n"));
		expect_in(text, c->test);
		expect_in(text, arena_printf(&f->arena, "\n%s (protected)\n", c->test_path));
		expect_in(text, arena_printf(&f->arena, "\n%s (lines ", c->path));
		sh(f, "rm -rf ../tree ../private-*; git rm -rqf .; git commit -qm empty");
	}
}

/* Files of which nothing can be said, or too much. */
static void nothing_hinders_it(void **state)
{
	struct fixture *f = *state;
	AUTO_TREE t;
	put_shop(f);
	put(f, "empty.py", "");
	put(f, "latin.py", "def total():\n    return '\xe9t\xe9'\n");
	put(f, "deep.py",
		filler(f, "def a@():\n  def b():\n    def c():\n      def d(): return 1\n", 9));
	put(f, "line.py", arena_printf(&f->arena, "total = '%020000d'\n", 0));
	put(f, "lines.py", filler(f, "total_@ = @\n", 20000));
	put(f, "odd.xyz", "total\n");
	open_tree(&t, f, "pytest", "odd.xyz", "odd.xyz");
	t.report.output = "empty.py:1: latin.py:1: deep.py:3: line.py:1: lines.py:9000: odd.xyz:7: "
					  "/etc/passwd:1: ../outside.py:1: total";
	const char *text = show(&t);
	expect_in(text, "\nodd.xyz\n```xyz\ntotal\n```\n");
	expect_in(text, "total_8999 = 8999\n");
	expect_in(text, "return '\xc3\xa9t\xc3\xa9'\n");
	assert_true(t.text.length <= ROOM + MAP_ROOM);
	assert_int_equal(utf8_valid_length(t.text.text, t.text.length), t.text.length);
	t.report = (struct test_report){.exit_code = 1};
	show(&t);
	t.services.suite = NULL;
	expect_in(show(&t), "\nFiles of the repository: ");
	t.services.repository = NULL;
	assert_string_equal(show(&t), "");
}

static void a_repository_without_a_known_language_is_listed(void **state)
{
	AUTO_TREE t;
	open_tree(&t, *state, "make check", "something", NULL);
	assert_string_equal(show(&t),
		"\nFiles of the repository: .gitignore a.txt link run.sh src/b.txt src/deep/c.txt\n");
	t.showing.map_room = 0;
	assert_string_equal(show(&t), "");
}

/* Add as many paths to the base, which takes git no time; there are no such files. */
static void add_paths(struct tree *t, size_t n)
{
	sh(t->f,
		"blob=$(git rev-parse HEAD:a.txt); "
		"seq %zu | awk -v b=$blob '{ printf \"100644 %%s\\tp%%d/m%%d.py\\n\", b, $1 / 100, $1 }' | "
		"git update-index --index-info; git commit -qm many",
		n);
	t->room.base = base_of(t->f, t->room.repository, BASE_HEAD);
}

static void a_large_repository_is_a_map_of_what_is_near(void **state)
{
	struct fixture *f = *state;
	AUTO_TREE t;
	put(f, "p70/near.py", "def helper(a, b=1):\n    return a\n");
	put(f, "p70/cart.py",
		"class Cart:\n    def total(self):\n        return 2\n\n\nasync def far(a, *b):\n    "
		"pass\n");
	put(f, "p70/tests/test_cart.py",
		"from p70.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 1\n");
	open_tree(&t, f, "pytest", "p70/tests/test_cart.py::test_total", NULL);
	add_paths(&t, 20000);
	const char *text = show(&t);
	assert_true(t.text.length <= ROOM + MAP_ROOM);
	static const char *const parts[] = {"\np70/cart.py\n```py\n",
		"\nThe repository, nearest to the failing tests first:\n",
		"p70/tests/test_cart.py (protected)\np70/cart.py\np70/m7000.py\n",
		"\np70/near.py\n  def helper(a, b=1)\n", "\nand 19,"};
	expect_order(text, parts, ARRAY_SIZE(parts));
	expect_not_in(text, "p150/");
}

UNIT(showing)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(tests_come_first_then_what_they_run_then_who_calls_it),
		FIXTURE_TEST(small_files_are_shown_whole),
		FIXTURE_TEST(what_repair_suspects_comes_first),
		FIXTURE_TEST(the_budget_holds_and_pieces_are_exact),
		FIXTURE_TEST(of_a_long_file_the_function_that_a_test_runs_is_shown),
		FIXTURE_TEST(nothing_hinders_it),
		FIXTURE_TEST(a_repository_without_a_known_language_is_listed),
		FIXTURE_TEST(a_large_repository_is_a_map_of_what_is_near),
	};
	return RUN_TESTS(tests);
}
