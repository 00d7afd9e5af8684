/* What is forced shows where a condition is missing. */
#include "tests/unit/unit.h"

#include <string.h>

#include "repair/probe.h"

static const char text[] = "def first(xs, limit):\n"
						   "    if limit > 3:\n"
						   "        limit = 3\n"
						   "    total = xs[0]\n"
						   "    return total + limit\n\n\n"
						   "def rest(xs):\n"
						   "    if len(xs) < 2:\n"
						   "        return 0\n"
						   "    return xs[1:]\n";

struct fixture {
	struct arena arena;
	struct repair_file file;
	struct test_report report;
};

static struct repair *begin(struct fixture *fixture)
{
	*fixture = (struct fixture){.arena = ARENA_INIT};
	fixture->file =
		(struct repair_file){.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	return repair_new(&fixture->arena, &fixture->file, 1, &fixture->report);
}

/* The place of the first candidate whose description begins so, from 1, within `most`; 0: none
 * does. */
static size_t place(
	struct repair *repair, const char *description, size_t most, struct candidate *ret_candidate)
{
	for (size_t i = 1; i <= most && repair_next(repair, ret_candidate); i++)
		if (strncmp(ret_candidate->edit.description, description, strlen(description)) == 0)
			return i;
	return 0;
}

static const char leave[] = "a.py:4  insert 'return 0'";
static const char guard[] = "a.py:4  insert 'if not xs: return 0'";
static const char elsewhere[] = "a.py:4  insert 'if len(xs) < 2: return 0'";

static void a_way_out_that_helps_is_followed_by_conditions(void **state)
{
	(void)state;
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, leave, 2000, &candidate) > 0);
	assert_int_equal(candidate.rank, CANDIDATE_REMOVAL);
	repair_helps(repair, candidate.id);
	repair_helps(repair, candidate.id); /* once is enough */
	assert_int_equal(repair->n_hits, 1);
	size_t at = place(repair, elsewhere, 60, &candidate);
	assert_true(at > 0);
	assert_int_equal(candidate.rank, CANDIDATE_CONDITION);
	assert_string_equal(candidate.kind, "guard");
	arena_release(&fixture.arena);
}

/* Without it they come much later, and the one of another function never. */
static void without_an_answer_they_wait(void **state)
{
	(void)state;
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, leave, 2000, &candidate) > 0);
	assert_int_equal(place(repair, elsewhere, 60, &candidate), 0);
	arena_release(&fixture.arena);
}

static size_t place_after(void (*tell)(struct repair *, int64_t), const char *description)
{
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, leave, 2000, &candidate) > 0);
	if (tell)
		tell(repair, candidate.id);
	repair_judged(repair, candidate.id);
	size_t found = place(repair, description, 5000, &candidate);
	arena_release(&fixture.arena);
	return found;
}

static void what_did_not_help_makes_its_conditions_later(void **state)
{
	(void)state;
	size_t refuted = place_after(NULL, guard), moved = place_after(repair_moves, guard),
		   helped = place_after(repair_helps, guard);
	assert_true(helped > 0 && moved > 0 && refuted > 0);
	assert_true(helped < moved);
	assert_true(moved < refuted);
}

static void a_condition_that_is_forced_is_extended(void **state)
{
	(void)state;
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, "a.py:2  'limit > 3' to 'True'", 2000, &candidate) > 0);
	repair_helps(repair, candidate.id);
	assert_true(place(repair, "a.py:2  'limit > 3' to 'limit > 3 or ", 30, &candidate) > 0);
	arena_release(&fixture.arena);
}

static void statements_that_are_left_out_get_one_condition(void **state)
{
	(void)state;
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, "a.py:3  remove 'limit = 3'", 2000, &candidate) > 0);
	repair_helps(repair, candidate.id);
	assert_true(place(repair, "a.py:3  only if limit > 3: limit = 3", 30, &candidate) > 0);
	arena_release(&fixture.arena);
}

static void what_is_no_probe_is_not_followed(void **state)
{
	(void)state;
	struct fixture fixture;
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, "a.py:5  '+' to '-'", 2000, &candidate) > 0);
	repair_helps(repair, candidate.id);
	repair_moves(repair, candidate.id);
	repair_helps(repair, 123456);
	assert_int_equal(repair->n_hits, 0);
	arena_release(&fixture.arena);
}

UNIT(probe)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_way_out_that_helps_is_followed_by_conditions),
		cmocka_unit_test(without_an_answer_they_wait),
		cmocka_unit_test(what_did_not_help_makes_its_conditions_later),
		cmocka_unit_test(a_condition_that_is_forced_is_extended),
		cmocka_unit_test(statements_that_are_left_out_get_one_condition),
		cmocka_unit_test(what_is_no_probe_is_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
