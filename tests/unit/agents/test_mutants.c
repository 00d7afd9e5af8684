/* Mutants of a fix: the fix and one more small edit beside it. */
#include "tests/unit/unit.h"

#include "agents/repair/mutants.h"
#include "base/memory.h"

#define BASE \
	"def far(a):\n    return a + 1\n\n\n" \
	"def price(rate, count):\n    # \xc3\xbc\n    return rate - count\n\n\n" \
	"def after(b):\n    return b * 2\n"

static struct candidates mutants_of(
	struct arena *arena, struct repair_file *file, const char *old, const char *new)
{
	struct candidates mutants;
	size_t offset = (size_t)(strstr(file->text, old) - file->text);
	struct splice splice = {.offset = offset, .length = strlen(old), .text = new};
	struct file_edit change = {.path = "a.py", .splices = &splice, .n = 1};
	struct candidate fix = {.edit = {.files = &change, .n = 1}};
	mutants_make(file, 1, &fix, arena, &mutants);
	return mutants;
}

static void each_is_the_fix_and_one_more_edit_beside_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct repair_file file = {.path = "a.py", .text = BASE, .n = strlen(BASE), .editable = true};
	struct candidates mutants = mutants_of(&arena, &file, "rate - count", "rate + count");
	bool has_product = false;
	assert_true(mutants.n > 3 && mutants.n <= MUTANTS_MOST);
	assert_true(mutants.wants_all);
	for (size_t i = 0; i < mutants.n; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		const struct file_edit *edit = &mutants.items[i].edit.files[0];
		assert_int_equal(edit_apply(edit, BASE, strlen(BASE), &text, &err), 0);
		assert_string_not_equal(text.text, BASE);
		assert_null(strstr(text.text, "return rate + count\n"));
		assert_non_null(strstr(text.text, "return a + 1\n"));
		assert_non_null(strstr(text.text, "return b * 2\n"));
		has_product = has_product || strstr(text.text, "return rate * count\n");
	}
	assert_true(has_product);
}

static void characters_are_not_cut(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char text[] = "name = '\xc3\xa4' + x\nother = 1 + x\n";
	struct repair_file file = {.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	struct candidates mutants = mutants_of(&arena, &file, "\xc3\xa4", "\xc3\xbc");
	assert_true(mutants.n > 0);
	for (size_t i = 0; i < mutants.n; i++) {
		const struct splice *splice = &mutants.items[i].edit.files[0].splices[0];
		assert_true(((unsigned char)text[splice->offset] & 0xc0) != 0x80);
		assert_true(((unsigned char)text[splice->offset + splice->length] & 0xc0) != 0x80);
	}
}

static void there_are_none_where_tests_stand_in_the_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	size_t start = 0, end = 3;
	struct repair_file file = {.path = "a.py",
		.text = BASE,
		.n = strlen(BASE),
		.editable = true,
		.frozen_starts = &start,
		.frozen_ends = &end,
		.n_frozen = 1};
	assert_int_equal(mutants_of(&arena, &file, "rate - count", "rate + count").n, 0);
}

UNIT(mutants)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_the_fix_and_one_more_edit_beside_it),
		cmocka_unit_test(characters_are_not_cut),
		cmocka_unit_test(there_are_none_where_tests_stand_in_the_file),
	};
	return RUN_TESTS(tests);
}
