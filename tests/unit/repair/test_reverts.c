/* What changed before is taken back: which sets are tried in which order, and how what passes is
 * reduced. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/history/undo.h"
#include "repair/history/reverts.h"
#include "repair/search.h"

enum { MOST = 100 };

struct fixture {
	struct arena arena;
	struct past_change changes[4];
	struct past_text texts[4];
	struct past past;
};

static struct fixture *make(size_t n_changes)
{
	struct fixture *f = memory_alloc(sizeof *f);
	*f = (struct fixture){
		.changes = {{NULL, NULL}, {"aaaaaaa", "newest"}, {"bbbbbbb", "older"}, {"ccccccc", "old"}}};
	f->past = (struct past){.changes = f->changes, .n_changes = n_changes, .texts = f->texts};
	return f;
}

static void release(struct fixture *f)
{
	arena_release(&f->arena);
	free(f);
}

static void add_text(struct fixture *f, const char *path, const char *text)
{
	f->texts[f->past.n_texts++] = (struct past_text){.path = path, .text = text, .n = strlen(text)};
}

static void add_hunk(struct fixture *f, size_t change, size_t first, size_t n, const char *old)
{
	struct past_text *text = &f->texts[f->past.n_texts - 1];
	ARENA_PUSH(&f->arena, text->hunks, text->n_hunks,
		(struct past_hunk){
			.change = change, .first = first, .n = n, .old = old, .n_old = strlen(old)});
}

/* The text of a file with a candidate. */
static const char *with(struct fixture *f, const struct candidate *candidate, size_t i)
{
	struct rondo_error err;
	const struct past_text *text = &f->texts[i];
	AUTO_STRBUF result = STRBUF_INIT(STRBUF_TEXT);
	for (size_t k = 0; k < candidate->edit.n; k++)
		if (strcmp(candidate->edit.files[k].path, text->path) == 0) {
			assert_int_equal(
				edit_apply(&candidate->edit.files[k], text->text, text->n, &result, &err), 0);
			return arena_strdup(&f->arena, result.text);
		}
	return text->text;
}

/* Whether a candidate passes: its texts hold all these words. */
static bool passes(struct fixture *f, const struct candidate *candidate, const char *const *words)
{
	for (; *words; words++) {
		bool found = false;
		for (size_t i = 0; i < f->past.n_texts; i++)
			found = found || strstr(with(f, candidate, i), *words);
		if (!found)
			return false;
	}
	return true;
}

/* Try until nothing is left to try; what passed last. */
static struct candidate search(
	struct fixture *f, struct reverts *reverts, const char *const *words, size_t *ret_tried)
{
	struct candidate best = {.id = 0};
	struct candidates batch;
	for (*ret_tried = 0; reverts_take(reverts, 4, &batch);) {
		int64_t passed = 0;
		for (size_t i = 0; i < batch.n && !passed; i++) {
			assert_true(batch.items[i].id < 0);
			passed = passes(f, &batch.items[i], words) ? batch.items[i].id : 0;
			best = passed ? batch.items[i] : best;
			++*ret_tried;
		}
		assert_true(*ret_tried < MOST);
		reverts_learn(reverts, passed);
	}
	assert_false(reverts_reduce(reverts));
	return best;
}

static const char three_lines[] = "def f(a, b):\n    c = a + b\n    return c - b\n";

static void what_changed_last_comes_first(void **state)
{
	(void)state;
	struct fixture *f = make(3);
	struct candidates batch;
	add_text(f, "a.py", three_lines);
	add_hunk(f, 1, 1, 1, "    c = a * b\n");
	add_hunk(f, 2, 2, 1, "    return c\n");
	add_text(f, "b.py", "x = 1\n");
	add_hunk(f, 0, 0, 1, "x = 2\n");
	struct reverts *reverts = reverts_new(&f->arena, &f->past, NULL, 0);
	assert_true(reverts_take(reverts, MOST, &batch));
	assert_int_equal(batch.n, 3);
	assert_string_equal(batch.items[0].edit.description, "b.py:1  take back 1 uncommitted line");
	assert_string_equal(
		batch.items[1].edit.description, "a.py:2  take back 1 line of aaaaaaa 'newest'");
	assert_string_equal(
		batch.items[2].edit.description, "a.py:3  take back 1 line of bbbbbbb 'older'");
	assert_string_equal(
		with(f, &batch.items[1], 0), "def f(a, b):\n    c = a * b\n    return c - b\n");
	assert_int_equal(batch.items[1].rank, CANDIDATE_REVERT);
	reverts_learn(reverts, 0);
	assert_false(reverts_take(reverts, MOST, &batch));
	release(f);
}

static void what_passes_is_reduced_to_the_least(void **state)
{
	(void)state;
	struct fixture *f = make(2);
	size_t tried;
	add_text(f, "a.py", "one = 1\ntwo = a - b + old\nthree = 3\nfour = 4\n");
	add_hunk(f, 1, 0, 2, "one = 11\ntwo = a + b + new\n");
	add_hunk(f, 1, 3, 1, "four = 44\n");
	add_text(f, "b.py", "five = 5\n");
	add_hunk(f, 1, 0, 1, "five = 55\n");
	struct reverts *reverts = reverts_new(&f->arena, &f->past, NULL, 0);
	const char *const words[] = {"a + b", "44", NULL};
	struct candidate best = search(f, reverts, words, &tried);
	assert_string_equal(with(f, &best, 0), "one = 1\ntwo = a + b + old\nthree = 3\nfour = 44\n");
	assert_string_equal(with(f, &best, 1), "five = 5\n");
	assert_string_equal(best.edit.description, "a.py:2  take back 2 lines of aaaaaaa 'newest'");
	release(f);
}

static void a_part_of_a_line_may_be_what_was_wrong(void **state)
{
	(void)state;
	struct fixture *f = make(2);
	size_t tried;
	add_text(f, "a.py", "total = price - rate * number\n");
	add_hunk(f, 1, 0, 1, "total = price + rate * count\n");
	struct reverts *reverts = reverts_new(&f->arena, &f->past, NULL, 0);
	const char *const words[] = {"+ rate * number", NULL};
	struct candidate best = search(f, reverts, words, &tried);
	assert_string_equal(with(f, &best, 0), "total = price + rate * number\n");
	assert_true(tried <= 3);
	release(f);
}

static void nothing_passes_and_the_search_ends(void **state)
{
	(void)state;
	struct fixture *f = make(2);
	size_t tried;
	add_text(f, "a.py", three_lines);
	add_hunk(f, 1, 1, 2, "    return a\n");
	const char *const words[] = {"nowhere", NULL};
	struct reverts *reverts = reverts_new(&f->arena, &f->past, NULL, 0);
	assert_int_equal(search(f, reverts, words, &tried).id, 0);
	assert_int_equal(tried, 1);
	struct past none = {.n_changes = 0};
	reverts = reverts_new(&f->arena, &none, NULL, 0);
	assert_int_equal(search(f, reverts, words, &tried).id, 0);
	assert_int_equal(tried, 0);
	release(f);
}

static void comments_and_frozen_parts_are_left_alone(void **state)
{
	(void)state;
	struct fixture *f = make(2);
	struct candidates batch;
	add_text(f, "a.py", "x = 1  # new\ny = 2\nz = 3\n");
	add_hunk(f, 1, 0, 1, "x  =  1  # old\n");
	add_hunk(f, 1, 1, 1, "y = 22\n");
	add_hunk(f, 1, 2, 1, "z = 33\n");
	size_t start = 13, end = 19;
	struct repair_file file = {
		.path = "a.py", .frozen_starts = &start, .frozen_ends = &end, .n_frozen = 1};
	struct reverts *reverts = reverts_new(&f->arena, &f->past, &file, 1);
	assert_true(reverts_take(reverts, MOST, &batch));
	assert_int_equal(batch.n, 1);
	assert_string_equal(with(f, &batch.items[0], 0), "x = 1  # new\ny = 2\nz = 33\n");
	release(f);
}

/* The undos of one hunk, which is all of a file: "OLD>NEW|OLD>NEW". */
static const char *undos_of(struct fixture *f, const char *path, const char *now, const char *old)
{
	struct undos undos = {.n = 0};
	struct words words = {.arena = &f->arena};
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	size_t lines = text_count_lines(now, strlen(now));
	f->past.n_texts = 0;
	f->texts[0] = (struct past_text){0};
	add_text(f, path, now);
	add_hunk(f, 0, 0, lines, old);
	undos_add(&undos, &f->past, 0, 0, &words, &f->arena);
	for (size_t i = 0; i < undos.n; i++) {
		const struct splice *splice = &undos.items[i].splice;
		strbuf_addf(&said, "%s%.*s>%s", i ? "|" : "", (int)splice->length, now + splice->offset,
			splice->text);
	}
	return arena_strdup(&f->arena, said.text);
}

static void undos_lie_between_tokens_that_stayed(void **state)
{
	(void)state;
	struct fixture *f = make(1);
	assert_string_equal(undos_of(f, "a.py", "f(a, b) - 1\n", "f(b, b) + 1\n"), "a>b| - > + ");
	assert_string_equal(
		undos_of(f, "a.py", "if n >= 3 + b:\n", "if count > 3 + b:\n"), "n>count|>=>>");
	assert_string_equal(undos_of(f, "a.py", "f(a)\n", "g(x, y, z)\n"), "f(a)\n>g(x, y, z)\n");
	assert_string_equal(undos_of(f, "a.py", "f(a) # 1\n", "f(a)\n"), "");
	assert_string_equal(undos_of(f, "a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
		"if a:\n    b()\nc()\n>if a:\n    b()\n    c()\n");
	assert_string_equal(undos_of(f, "a.c", "if (a)\n\tb();\n", "if (a) b();\n"), "");
	assert_string_equal(
		undos_of(f, "a.json", "{\"a\": 1}\n", "{\"a\": 2}\n"), "{\"a\": 1}\n>{\"a\": 2}\n");
	assert_string_equal(undos_of(f, "a.py", "", "x = 1\n"), ">x = 1\n");
	assert_string_equal(undos_of(f, "a.py", "x = 1\n", ""), "x = 1\n>");
	assert_string_equal(undos_of(f, "a.py", "x = 1\n", "x = '\xff'\n"), "");
	release(f);
}

static void recent_lines_are_suspected(void **state)
{
	(void)state;
	struct fixture *f = make(2);
	add_text(f, "a.py", three_lines);
	add_hunk(f, 1, 1, 1, "    c = a + a\n");
	struct test_report report = {0};
	struct repair_file file = {.path = "a.py",
		.text = three_lines,
		.n = strlen(three_lines),
		.editable = true,
		.past = &f->texts[0]};
	struct repair *repair = repair_new(&f->arena, &file, 1, &report);
	assert_true(repair->sources[0].cost[2] < repair->sources[0].cost[3]);
	assert_true(repair->sources[0].cost[3] == repair->sources[0].cost[1]);
	release(f);
}

static void an_excluded_text_is_not_proposed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char text[] = "def add(a, b):\n    return a - b\n";
	struct test_report report = {0};
	struct candidate candidate;
	struct repair_file file = {.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	struct splice line = {.offset = 15, .length = 17, .text = "    return a + b\n"};
	struct file_edit change = {.path = "a.py", .splices = &line, .n = 1};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	repair_exclude(repair, &(struct edit){.files = &change, .n = 1});
	while (repair_next(repair, &candidate))
		assert_string_not_equal(candidate.edit.description, "a.py:2  '-' to '+'");
}

UNIT(reverts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changed_last_comes_first),
		cmocka_unit_test(what_passes_is_reduced_to_the_least),
		cmocka_unit_test(a_part_of_a_line_may_be_what_was_wrong),
		cmocka_unit_test(nothing_passes_and_the_search_ends),
		cmocka_unit_test(comments_and_frozen_parts_are_left_alone),
		cmocka_unit_test(undos_lie_between_tokens_that_stayed),
		cmocka_unit_test(recent_lines_are_suspected),
		cmocka_unit_test(an_excluded_text_is_not_proposed),
	};
	return RUN_TESTS(tests);
}
