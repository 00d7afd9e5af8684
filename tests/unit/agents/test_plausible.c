/* Which of several candidates that pass is taken. */
#include "tests/unit/unit.h"

#include "agents/plausible.h"
#include "base/memory.h"

static struct candidate candidate_of(struct arena *arena, const char *what, enum candidate_rank rank, double cost, size_t n)
{
	struct file_edit *file = arena_alloc(arena, sizeof *file);
	struct splice *splices = arena_alloc(arena, n * sizeof *splices);
	for (size_t i = 0; i < n; i++)
		splices[i] = (struct splice){.offset = 10 * i, .length = 1, .text = "x"};
	*file = (struct file_edit){.path = "a.py", .splices = splices, .n = n};
	return (struct candidate){.rank = rank, .cost = cost, .kind = "symbol", .edit = {.description = what, .files = file, .n = 1}};
}

/* Each at a place of its own. */
static void add(struct arena *arena, struct plausibles *plausibles, const char *what, enum candidate_rank rank, double cost)
{
	struct candidate candidate = candidate_of(arena, what, rank, cost, 1);
	candidate.edit.files[0].splices[0].offset = plausibles->n + 1;
	plausibles_add(plausibles, &candidate, arena);
}

static void the_likeliest_comes_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct plausibles plausibles = {.n = 0};
	add(&arena, &plausibles, "special", CANDIDATE_SPECIAL, 2);
	add(&arena, &plausibles, "literal", CANDIDATE_LITERAL, 4);
	add(&arena, &plausibles, "operator", CANDIDATE_OPERATOR, 5);
	add(&arena, &plausibles, "insertion", CANDIDATE_STRUCTURE, 8);
	add(&arena, &plausibles, "operator later", CANDIDATE_OPERATOR, 5);
	static const char *const order[] = {"operator", "operator later", "literal", "insertion", "special"};
	assert_int_equal(plausibles.n, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(plausibles.items[i].description, order[i]);
}

static void the_first_says_how_long_others_are_looked_for(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct plausibles plausibles = {.n = 0};
	add(&arena, &plausibles, "a", CANDIDATE_OPERATOR, 1);
	size_t left = plausibles.left;
	assert_true(left > 0);
	plausibles_pass(&plausibles, left - 1);
	add(&arena, &plausibles, "b", CANDIDATE_REMOVAL, 1);
	assert_int_equal(plausibles.left, 1);
	plausibles_pass(&plausibles, 7);
	assert_int_equal(plausibles.left, 0);
}

static void what_does_more_than_another_is_no_choice(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct plausibles plausibles = {.n = 0};
	struct candidate one = candidate_of(&arena, "one place", CANDIDATE_LITERAL, 9, 1);
	struct candidate two = candidate_of(&arena, "and one more", CANDIDATE_OPERATOR, 1, 2);
	plausibles_add(&plausibles, &one, &arena);
	plausibles_add(&plausibles, &two, &arena);
	assert_int_equal(plausibles.n, 1);
	assert_string_equal(plausibles.items[0].description, "one place");
}

static void no_more_are_kept_than_there_is_room_for(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct plausibles plausibles = {.n = 0};
	for (size_t i = 0; i < 3 * PLAUSIBLE_MOST; i++) {
		struct candidate candidate = candidate_of(&arena, "x", CANDIDATE_OPERATOR, 100 - (double)i, 1);
		candidate.edit.files[0].splices[0].offset = i;
		plausibles_add(&plausibles, &candidate, &arena);
	}
	assert_int_equal(plausibles.n, PLAUSIBLE_MOST);
	assert_true(plausibles.items[0].cost < 78);
	for (size_t i = 1; i < plausibles.n; i++)
		assert_true(plausibles.items[i - 1].cost < plausibles.items[i].cost);
}

/* Asked for what they do under other inputs, two say the same. */
static void what_behaves_alike_is_likelier(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct plausibles plausibles = {.n = 0};
	struct candidates asked;
	add(&arena, &plausibles, "alone", CANDIDATE_OPERATOR, 3);
	assert_int_equal(plausibles_ask(&plausibles, &arena, &asked, &err), 0);
	assert_int_equal(asked.n, 0);
	assert_int_equal(plausibles.agreement, AGREEMENT_KNOWN);
	add(&arena, &plausibles, "one of two", CANDIDATE_OPERATOR, 3.5);
	add(&arena, &plausibles, "the other", CANDIDATE_OPERATOR, 3.6);
	add(&arena, &plausibles, "silent", CANDIDATE_OPERATOR, 2.9);
	assert_int_equal(plausibles_ask(&plausibles, &arena, &asked, &err), 0);
	assert_int_equal(asked.n, 4);
	assert_int_equal(asked.items[3].id, 4);
	assert_int_equal(plausibles.agreement, AGREEMENT_ASKED);
	struct candidate_result said[] = {{.id = 2, .behaviour = "b"}, {.id = 3, .behaviour = "a"}, {.id = 4, .behaviour = "a"}};
	plausibles_agree(&plausibles, &(struct candidate_results){.progress = said, .n = ARRAY_SIZE(said)});
	static const char *const order[] = {"one of two", "the other", "silent", "alone"};
	static const size_t alike[] = {2, 2, 0, 1};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		assert_string_equal(plausibles.items[i].description, order[i]);
		assert_int_equal(plausibles.items[i].alike, alike[i]);
	}
	AUTO_JSON *json = json_object();
	plausibles_tell(&plausibles, json);
	assert_int_equal(json_int(json, "alike", 0), 2);
	assert_int_equal(json_int(json, "asked", 0), 4);
}

static void they_come_back_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct plausibles plausibles = {.n = 0}, back;
	assert_null(plausibles_save(&plausibles));
	add(&arena, &plausibles, "a", CANDIDATE_LITERAL, 2.5);
	add(&arena, &plausibles, "b", CANDIDATE_OPERATOR, 7);
	struct candidates asked;
	struct rondo_error err;
	struct candidate_result said[] = {{.id = 1, .behaviour = "x"}, {.id = 2, .behaviour = "x"}};
	assert_int_equal(plausibles_ask(&plausibles, &arena, &asked, &err), 0);
	plausibles_agree(&plausibles, &(struct candidate_results){.progress = said, .n = 2});
	AUTO_JSON *json = plausibles_save(&plausibles);
	plausibles_load(&back, json, &arena);
	assert_int_equal(back.n, 2);
	assert_int_equal(back.n_asked, 2);
	assert_int_equal(back.agreement, AGREEMENT_KNOWN);
	assert_int_equal(back.left, plausibles.left);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(back.items[i].description, plausibles.items[i].description);
		assert_string_equal(back.items[i].kind, "symbol");
		assert_string_equal(back.items[i].edit, plausibles.items[i].edit);
		assert_int_equal(back.items[i].rank, plausibles.items[i].rank);
		assert_int_equal(back.items[i].alike, 2);
		assert_true(back.items[i].cost == plausibles.items[i].cost);
	}
}

UNIT(plausible)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_likeliest_comes_first),
		cmocka_unit_test(the_first_says_how_long_others_are_looked_for),
		cmocka_unit_test(what_does_more_than_another_is_no_choice),
		cmocka_unit_test(no_more_are_kept_than_there_is_room_for),
		cmocka_unit_test(what_behaves_alike_is_likelier),
		cmocka_unit_test(they_come_back_from_json),
	};
	return RUN_TESTS(tests);
}
