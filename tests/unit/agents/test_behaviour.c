/* What copies of tests with other values say of candidates, and when that counts. */
#include "tests/unit/unit.h"

#include "agents/trial/behaviour.h"

/* What a candidate's run says of a test. */
struct said {
	enum test_status status;
	const char *message;
};

enum { CANDIDATES = 2, COPIES = 2 };

/* Two candidates and two copies of a test; their words in the results. */
static void judge_two(const struct said said[CANDIDATES][COPIES], struct arena *arena,
	struct candidate_result results[CANDIDATES])
{
	const char *ids[COPIES] = {"t.py::test_f_rondo_1", "t.py::test_f_rondo_2"};
	struct splice splice = {.text = "def test_f_rondo_1():\n"
									"    assertTrue(f(1) == 4)\n\n"
									"def test_f_rondo_2():\n"
									"    assertTrue(f(23) == 4)\n"};
	struct file_edit file = {.path = "t.py", .splices = &splice, .n = 1};
	struct candidates asked = {.n = CANDIDATES,
		.inputs = {.files = &file, .n = 1},
		.input_ids = ids,
		.n_input_ids = COPIES};
	struct outcome outcomes[CANDIDATES][COPIES] = {0};
	for (size_t i = 0; i < CANDIDATES; i++) {
		struct test_report report = {.complete = true};
		for (size_t k = 0; k < COPIES; k++)
			test_report_add(&report, arena,
				&(struct test_result){
					.id = ids[k], .status = said[i][k].status, .message = said[i][k].message});
		test_report_add(
			&report, arena, &(struct test_result){.id = "t.py::test_f", .status = TEST_PASSED});
		outcomes_read(&asked, &report, outcomes[i]);
		results[i] = (struct candidate_result){.id = (int64_t)i + 1};
	}
	behaviours_judge(&asked, outcomes[0], arena, results);
}

static bool are_alike(const struct said said[CANDIDATES][COPIES])
{
	AUTO_ARENA arena = ARENA_INIT;
	struct candidate_result results[CANDIDATES];
	judge_two(said, &arena, results);
	return results[0].behaviour && results[1].behaviour &&
		strcmp(results[0].behaviour, results[1].behaviour) == 0;
}

static bool tell_nothing(const struct said said[CANDIDATES][COPIES])
{
	AUTO_ARENA arena = ARENA_INIT;
	struct candidate_result results[CANDIDATES];
	judge_two(said, &arena, results);
	return !results[0].behaviour && !results[1].behaviour;
}

static void candidates_are_told_apart_by_what_tests_say(void **state)
{
	(void)state;
	assert_true(are_alike(
		(const struct said[][COPIES]){{{TEST_FAILED, "assert 5 == 4"}, {TEST_PASSED, NULL}},
			{{TEST_FAILED, "assert 5 == 4"}, {TEST_PASSED, NULL}}}));
	const struct said differ[][COPIES] = {
		{{TEST_FAILED, "assert 5 == 4"}, {TEST_FAILED, "assert 6 == 4"}},
		{{TEST_FAILED, "assert 5 == 4"}, {TEST_FAILED, "assert 9 == 4"}}};
	assert_false(are_alike(differ) || tell_nothing(differ));
}

static void equal_values_and_addresses_are_no_difference(void **state)
{
	(void)state;
	assert_true(are_alike((const struct said[][COPIES]){
		{{TEST_FAILED, "assert True == 4"}, {TEST_FAILED, "assert 2.0 == 4, <f at 0x7f12>"}},
		{{TEST_FAILED, "assert 1 == 4"}, {TEST_FAILED, "assert 2 == 4, <f at 0x70aa>"}}}));
	assert_false(are_alike(
		(const struct said[][COPIES]){{{TEST_FAILED, "assert 'True' == 4"}, {TEST_PASSED, NULL}},
			{{TEST_FAILED, "assert '1' == 4"}, {TEST_PASSED, NULL}}}));
	assert_false(are_alike(
		(const struct said[][COPIES]){{{TEST_FAILED, "assert 1.05 == 4"}, {TEST_PASSED, NULL}},
			{{TEST_FAILED, "assert 15 == 4"}, {TEST_PASSED, NULL}}}));
	assert_false(
		are_alike((const struct said[][COPIES]){{{TEST_FAILED, "true !== 4"}, {TEST_PASSED, NULL}},
			{{TEST_FAILED, "1 !== 4"}, {TEST_PASSED, NULL}}}));
}

static void errors_with_each_candidate_tell_nothing(void **state)
{
	(void)state;
	assert_true(tell_nothing((const struct said[][COPIES]){
		{{TEST_ERROR, "fixture 'x' not found"}, {TEST_ERROR, "fixture 'y' not found"}},
		{{TEST_ERROR, "fixture 'x' not found"}, {TEST_ERROR, "fixture 'y' not found"}}}));
	assert_true(tell_nothing((const struct said[][COPIES]){
		{{TEST_FAILED, "KeyError: 'abx'"}, {TEST_FAILED, "KeyError: ''"}},
		{{TEST_FAILED, "KeyError: 'abx'"}, {TEST_FAILED, "KeyError: ''"}}}));
	const struct said one[][COPIES] = {{{TEST_FAILED, "KeyError: 'abx'"}, {TEST_PASSED, NULL}},
		{{TEST_PASSED, NULL}, {TEST_PASSED, NULL}}};
	assert_false(are_alike(one) || tell_nothing(one));
}

static void tests_that_say_the_same_whatever_they_give_tell_nothing(void **state)
{
	(void)state;
	assert_true(tell_nothing(
		(const struct said[][COPIES]){{{TEST_FAILED, "AssertionError: False is not true"},
										  {TEST_FAILED, "AssertionError: False is not true"}},
			{{TEST_FAILED, "AssertionError: False is not true"},
				{TEST_FAILED, "AssertionError: False is not true"}}}));
	assert_true(tell_nothing(
		(const struct said[][COPIES]){{{TEST_FAILED, "it fails: assertTrue(f(1) == 4)"},
										  {TEST_FAILED, "it fails: assertTrue(f(23) == 4)"}},
			{{TEST_FAILED, "it fails: assertTrue(f(1) == 4)"},
				{TEST_FAILED, "it fails: assertTrue(f(23) == 4)"}}}));
	assert_true(tell_nothing((const struct said[][COPIES]){
		{{TEST_PASSED, NULL}, {TEST_PASSED, NULL}}, {{TEST_PASSED, NULL}, {TEST_PASSED, NULL}}}));
	assert_true(
		tell_nothing((const struct said[][COPIES]){{{TEST_SKIPPED, "no"}, {TEST_SKIPPED, "yes"}},
			{{TEST_SKIPPED, "no"}, {TEST_SKIPPED, "yes"}}}));
}

static void parameters_are_a_part_of_their_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *id = "t.py::test_f_rondo_1";
	struct candidates asked = {.n = 1, .input_ids = &id, .n_input_ids = 1};
	struct test_report report = {.complete = true};
	struct outcome outcome = {0}, other = {0};
	test_report_add(&report, &arena,
		&(struct test_result){.id = "t.py::test_f_rondo_1[1-2]", .status = TEST_PASSED});
	outcomes_read(&asked, &report, &outcome);
	assert_int_equal(outcome.kind, OUTCOME_PASSED);
	test_report_add(&report, &arena,
		&(struct test_result){
			.id = "t.py::test_f_rondo_1[3-4]", .status = TEST_FAILED, .message = "x"});
	outcomes_read(&asked, &report, &other);
	assert_int_equal(other.kind, OUTCOME_FAILED);
	assert_string_not_equal(outcome.said, other.said);
	report.complete = false;
	outcomes_read(&asked, &report, &other);
	assert_int_equal(other.kind, OUTCOME_NONE);
}

UNIT(behaviour)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(candidates_are_told_apart_by_what_tests_say),
		cmocka_unit_test(equal_values_and_addresses_are_no_difference),
		cmocka_unit_test(errors_with_each_candidate_tell_nothing),
		cmocka_unit_test(tests_that_say_the_same_whatever_they_give_tell_nothing),
		cmocka_unit_test(parameters_are_a_part_of_their_test),
	};
	return RUN_TESTS(tests);
}
