/* Which of several candidates that pass is taken. */
#include "tests/unit/unit.h"

#include "agents/repair/passing.h"
#include "base/memory.h"

static struct candidate candidate_of(
	struct arena *arena, const char *what, enum candidate_rank rank, double cost, size_t n)
{
	struct file_edit *file = arena_alloc(arena, sizeof *file);
	struct splice *splices = arena_alloc(arena, n * sizeof *splices);
	for (size_t i = 0; i < n; i++)
		splices[i] = (struct splice){.offset = 10 * i, .length = 1, .text = "x"};
	*file = (struct file_edit){.path = "a.py", .splices = splices, .n = n};
	return (struct candidate){.rank = rank,
		.cost = cost,
		.kind = "symbol",
		.edit = {.description = what, .files = file, .n = 1}};
}

/* Each at a place of its own. */
static void add(struct arena *arena, struct passing *passing, const char *what,
	enum candidate_rank rank, double cost)
{
	struct candidate candidate = candidate_of(arena, what, rank, cost, 1);
	candidate.edit.files[0].splices[0].offset = passing->n + 1;
	passing_add(passing, &candidate, 0, 0);
}

static void the_likeliest_comes_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	add(&arena, &passing, "special", CANDIDATE_SPECIAL, 2);
	add(&arena, &passing, "equality", CANDIDATE_EQUALITY, 3.1);
	add(&arena, &passing, "literal", CANDIDATE_LITERAL, 4);
	add(&arena, &passing, "operator", CANDIDATE_OPERATOR, 5);
	add(&arena, &passing, "insertion", CANDIDATE_STRUCTURE, 8);
	add(&arena, &passing, "operator later", CANDIDATE_OPERATOR, 5);
	static const char *const order[] = {
		"operator", "operator later", "literal", "insertion", "equality", "special"};
	assert_int_equal(passing.n, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(passing.items[i].candidate.edit.description, order[i]);
}

static void the_first_says_how_long_others_are_looked_for(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	add(&arena, &passing, "a", CANDIDATE_OPERATOR, 1);
	size_t left = passing.left;
	assert_true(left > 0);
	passing_count(&passing, left - 1);
	add(&arena, &passing, "b", CANDIDATE_REMOVAL, 1);
	assert_int_equal(passing.left, 1);
	passing_count(&passing, 7);
	assert_int_equal(passing.left, 0);
}

static void what_does_more_than_another_is_no_choice(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	struct candidate one = candidate_of(&arena, "one place", CANDIDATE_LITERAL, 9, 1);
	struct candidate two = candidate_of(&arena, "and one more", CANDIDATE_OPERATOR, 1, 2);
	passing_add(&passing, &one, 0, 0);
	passing_add(&passing, &two, 0, 0);
	assert_int_equal(passing.n, 1);
	assert_string_equal(passing.items[0].candidate.edit.description, "one place");
}

static void no_more_are_kept_than_there_is_room_for(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	for (size_t i = 0; i < 3 * PASSING_MOST; i++) {
		struct candidate candidate =
			candidate_of(&arena, "x", CANDIDATE_OPERATOR, 100 - (double)i, 1);
		candidate.edit.files[0].splices[0].offset = i;
		passing_add(&passing, &candidate, 0, 0);
	}
	assert_int_equal(passing.n, PASSING_MOST);
	assert_true(passing.items[0].cost < 78);
	for (size_t i = 1; i < passing.n; i++)
		assert_true(passing.items[i - 1].cost < passing.items[i].cost);
}

/* Asked for what they do under other inputs, two say the same. */
static void what_behaves_alike_is_likelier(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	struct candidates asked;
	add(&arena, &passing, "alone", CANDIDATE_OPERATOR, 3);
	add(&arena, &passing, "one of two", CANDIDATE_OPERATOR, 3.5);
	add(&arena, &passing, "the other", CANDIDATE_OPERATOR, 3.6);
	add(&arena, &passing, "silent", CANDIDATE_OPERATOR, 2.9);
	passing_ask(&passing, &arena, &asked);
	assert_int_equal(asked.n, 4);
	assert_int_equal(asked.items[3].id, 4);
	struct candidate_result said[] = {
		{.id = 2, .behaviour = "b"}, {.id = 3, .behaviour = "a"}, {.id = 4, .behaviour = "a"}};
	passing_agree(
		&passing, &asked, &(struct candidate_results){.progress = said, .n = ARRAY_SIZE(said)});
	static const char *const order[] = {"one of two", "the other", "silent", "alone"};
	static const size_t alike[] = {2, 2, 0, 1};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		assert_string_equal(passing.items[i].candidate.edit.description, order[i]);
		assert_int_equal(passing.items[i].alike, alike[i]);
	}
	AUTO_JSON *json = json_object();
	passing_describe(&passing, json);
	assert_int_equal(json_int(json, "alike", 0), 2);
	assert_int_equal(json_int(json, "asked", 0), 4);
}

/* "x % 1 + 1" may become "x % 1 * 1" or "x % 1", which is what was meant. */
static void of_two_alike_the_one_that_only_removes_leads(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	struct candidates asked;
	static const char *const whats[] = {"another sign", "without", "far"};
	static const double costs[] = {3, 4.5, 6};
	for (size_t i = 0; i < 3; i++) {
		struct candidate candidate =
			candidate_of(&arena, whats[i], CANDIDATE_OPERATOR, costs[i], 1);
		candidate.edit.files[0].splices[0] = (struct splice){i, 1, i ? "" : "*"};
		passing_add(&passing, &candidate, 0, 0);
	}
	assert_string_equal(passing.items[0].candidate.edit.description, "another sign");
	passing_ask(&passing, &arena, &asked);
	struct candidate_result said[] = {
		{.id = 1, .behaviour = "a"}, {.id = 2, .behaviour = "a"}, {.id = 3, .behaviour = "a"}};
	passing_agree(
		&passing, &asked, &(struct candidate_results){.progress = said, .n = ARRAY_SIZE(said)});
	static const char *const order[] = {"without", "another sign", "far"};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(passing.items[i].candidate.edit.description, order[i]);
}

/* Where all passes without a statement, no test asks for a condition. */
static void no_condition_goes_before_a_removal(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	static const struct {
		const char *what;
		enum candidate_rank rank;
		double cost;
		struct splice splice;
	} rows[] = {
		{"a condition elsewhere", CANDIDATE_CONDITION, 5, {90, 2, "x"}},
		{"only if a", CANDIDATE_CONDITION, 6, {40, 0, "if a: "}},
		{"only if b", CANDIDATE_CONDITION, 7, {40, 0, "if b: "}},
		{"without it", CANDIDATE_REMOVAL, 6.5, {36, 20, ""}},
		{"without another one", CANDIDATE_REMOVAL, 6.5, {100, 20, ""}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct candidate candidate =
			candidate_of(&arena, rows[i].what, rows[i].rank, rows[i].cost, 1);
		candidate.edit.files[0].splices[0] = rows[i].splice;
		passing_add(&passing, &candidate, 0, 0);
	}
	static const char *const order[] = {
		"a condition elsewhere", "without it", "only if a", "only if b", "without another one"};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(passing.items[i].candidate.edit.description, order[i]);
}

static const char *other(const struct json *choice, size_t i)
{
	const struct json *item = json_first(json_get(choice, "others"));
	for (; i && item; i--)
		item = json_next(item);
	return json_text(item, "");
}

/* Three that behave in two ways, and one that nobody could ask. */
static void what_behaves_otherwise_is_another_choice(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	struct candidates asked;
	const char *notes[] = {"test_a with 1 for 0", "test_b with 5 for 4", "test_c with 7 for 6"};
	const char *alike[] = {"3 != 4", "passes", NULL}, *apart[] = {"3 != 4", "14 != 13", NULL};
	add(&arena, &passing, "first", CANDIDATE_OPERATOR, 3);
	add(&arena, &passing, "like the first", CANDIDATE_OPERATOR, 3.5);
	add(&arena, &passing, "otherwise", CANDIDATE_OPERATOR, 3.6);
	add(&arena, &passing, "silent", CANDIDATE_OPERATOR, 9);
	passing_ask(&passing, &arena, &asked);
	asked.input_notes = notes;
	asked.n_input_ids = ARRAY_SIZE(notes);
	struct candidate_result said[] = {{.id = 1, .behaviour = "a", .said = alike},
		{.id = 2, .behaviour = "a", .said = alike}, {.id = 3, .behaviour = "b", .said = apart}};
	passing_agree(
		&passing, &asked, &(struct candidate_results){.progress = said, .n = ARRAY_SIZE(said)});
	assert_int_equal(passing_choices(&passing), 3);
	AUTO_JSON *json = json_object();
	passing_describe(&passing, json);
	assert_int_equal(json_int(json, "choice", 0), 1);
	/* 2^-3 + 2^-3.5 beside 2^-3.6 and 2^-9 */
	assert_int_equal(json_int(json, "share", 0), 71);
	assert_int_equal(json_count(json_get(json, "others")), 2);
	assert_string_equal(
		other(json, 0), "otherwise; test_b with 5 for 4: 14 != 13, this one: passes");
	assert_string_equal(other(json, 1), "silent");

	assert_false(passing_choose(&passing, 4));
	assert_true(passing_choose(&passing, 2));
	AUTO_JSON *second = json_object();
	passing_describe(&passing, second);
	assert_int_equal(json_int(second, "choice", 0), 2);
	assert_int_equal(json_int(second, "alike", 0), 1);
	assert_string_equal(other(second, 0), "first; test_b with 5 for 4: passes, this one: 14 != 13");
	static const char *const order[] = {"otherwise", "first", "like the first", "silent"};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(passing_take(&passing).edit.description, order[i]);
}

static void the_likeliest_is_taken_out(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct passing passing = {.n = 0};
	add(&arena, &passing, "a", CANDIDATE_LITERAL, 2.5);
	add(&arena, &passing, "b", CANDIDATE_OPERATOR, 1);
	assert_string_equal(passing_take(&passing).edit.description, "b");
	assert_string_equal(passing_take(&passing).edit.description, "a");
	assert_int_equal(passing.n, 0);
}

UNIT(passing)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_likeliest_comes_first),
		cmocka_unit_test(the_first_says_how_long_others_are_looked_for),
		cmocka_unit_test(what_does_more_than_another_is_no_choice),
		cmocka_unit_test(no_more_are_kept_than_there_is_room_for),
		cmocka_unit_test(what_behaves_alike_is_likelier),
		cmocka_unit_test(no_condition_goes_before_a_removal),
		cmocka_unit_test(of_two_alike_the_one_that_only_removes_leads),
		cmocka_unit_test(what_behaves_otherwise_is_another_choice),
		cmocka_unit_test(the_likeliest_is_taken_out),
	};
	return RUN_TESTS(tests);
}
