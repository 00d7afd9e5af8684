/* Ids that are not the same in each run, and how they are known again. */
#include "tests/unit/suite_fixture.h"

#include "base/clock.h"
#include "verify/suite/ids.h"

/* A report from "id=status" lines; p, f for the statuses. */
static struct test_report report_of(struct arena *arena, const char *text)
{
	struct test_report report = {.complete = true};
	while (*text) {
		size_t n = strcspn(text, "\n"), length = n;
		while (text[length - 1] != '=')
			length--;
		test_report_add(&report, arena,
			&(struct test_result){.id = arena_strndup(arena, text, length - 1),
				.status = text[length] == 'p' ? TEST_PASSED : TEST_FAILED});
		text += n + (text[n] == '\n');
	}
	return report;
}

static const char *ids_of(const struct test_report *report, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < report->n; i++)
		strbuf_addf(&sb, "%s%s=%c", i ? "\n" : "", report->results[i]->id,
			report->results[i]->status == TEST_PASSED ? 'p' : 'f');
	return arena_strdup(arena, sb.text);
}

/* What a later run's ids become after two runs; the second run must become the first. */
static void known_again(const char *first, const char *second, const char *later, const char *same,
	const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report reports[] = {report_of(&arena, first), report_of(&arena, second)};
	struct test_report third = report_of(&arena, later);
	const struct changing *changing = changing_learn(reports, 2, clock_date_ms(), &arena);
	assert_non_null(changing);
	assert_string_equal(ids_of(&reports[0], &arena), same);
	assert_string_equal(ids_of(&reports[1], &arena), same);
	changing_apply(changing, &third, &arena);
	assert_string_equal(ids_of(&third, &arena), expected);
}

static void times_addresses_and_temporary_names(void **state)
{
	(void)state;
	static const struct {
		const char *first, *second, *later;
	} cases[] = {
		{"t.py::d[01:00:03 2026-11-23]=f", "t.py::d[01:00:04 2026-11-23]=f",
			"t.py::d[23:59:59 2027-01-01]=f"},
		{"t.py::o[<object at 0x7f3a2b10>]=p", "t.py::o[<object at 0x7fab2c40>]=p",
			"t.py::o[<object at 0x55ab2c40>]=p"},
		{"t.py::p[/tmp/tmpab3k_x9z/a]=f", "t.py::p[/tmp/tmpqqqqqqqq/a]=f",
			"t.py::p[/tmp/tmp_8c1_abc/a]=f"},
		{"seeds (seed 3fa81c)=f", "seeds (seed deadbeef)=f", "seeds (seed 12)=f"},
		{"renders in 12 ms=p", "renders in 7 ms=p", "renders in 1012 ms=p"},
		{"t.py::u[c0ffee00-1b2c-4d5e-8f90-0123456789ab]=f",
			"t.py::u[deadbeef-0b2c-4d5e-8f90-1123456789ab]=f",
			"t.py::u[c0ffee01-1b2c-4d5e-8f90-0123456789ab]=f"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		known_again(
			cases[i].first, cases[i].second, cases[i].later, cases[i].first, cases[i].first);
}

static void several_under_one_mask_pair_up_in_order(void **state)
{
	(void)state;
	known_again("t::a[1.5]=p\nt::a[2.5]=p\nt::b=f", "t::a[1.7]=p\nt::a[2.9]=p\nt::b=f",
		"t::a[3.1]=p\nt::a[0.2]=f\nt::b=f", "t::a[1.5]=p\nt::a[2.5]=p\nt::b=f",
		"t::a[1.5]=p\nt::a[2.5]=f\nt::b=f");
}

/* Nobody can say which is which, so one id stands for all, with the worst of their results. */
static void those_that_do_not_pair_up_are_one(void **state)
{
	(void)state;
	known_again("t::a[1]=p\nt::a[2]=f", "t::a[3]=f\nt::a[4]=p", "t::a[5]=p\nt::a[6]=p", "t::a[#]=f",
		"t::a[#]=p");
	known_again(
		"t::a[1]=p\nt::a[2]=p", "t::a[3]=p", "t::a[5]=p\nt::a[6]=f", "t::a[#]=p", "t::a[#]=f");
	known_again("t::a[xyz]=p\nt::b=f", "t::a[uvw]=p\nt::b=f", "t::a[rst]=f\nt::b=f",
		"t::a[*]=p\nt::b=f", "t::a[*]=f\nt::b=f");
}

static void an_id_that_every_run_has_stays(void **state)
{
	(void)state;
	known_again("t::a[1]=p\nt::a[20]=f", "t::a[1]=p\nt::a[21]=f", "t::a[22]=f\nt::a[1]=p",
		"t::a[1]=p\nt::a[20]=f", "t::a[20]=f\nt::a[1]=p");
}

static void a_new_test_is_not_taken_for_another(void **state)
{
	(void)state;
	known_again("t::a[1]=p\nt::b1=p", "t::a[2]=p\nt::b1=p", "t::a[3]=p\nt::b2=f\nt::c[3]=f",
		"t::a[1]=p\nt::b1=p", "t::a[1]=p\nt::b2=f\nt::c[3]=f");
}

static void what_only_comes_and_goes_is_not_known_again(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report reports[] = {
		report_of(&arena, "gone=p\nt::a=p"), report_of(&arena, "came=f\nt::a=p")};
	assert_null(changing_learn(reports, 2, clock_date_ms(), &arena));
	struct test_report same[] = {report_of(&arena, "a=p"), report_of(&arena, "a=f")};
	assert_null(changing_learn(same, 2, clock_date_ms(), &arena));
}

static void a_command_names_them_by_their_stem(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report reports[] = {report_of(&arena, "t.py::a[1]=f\nt.py::b=f\nadds 3=f"),
		report_of(&arena, "t.py::a[2]=f\nt.py::b=f\nadds 4=f")};
	struct suite suite;
	suite_from_command("pytest", "from a test", &arena, &suite);
	suite.changing = changing_learn(reports, 2, clock_date_ms(), &arena);
	assert_string_equal(
		suite_targeted(&suite, (const char *[]){"t.py::a[1]", "t.py::b"}, 2, &arena),
		"pytest t.py::a t.py::b");
	assert_null(suite_targeted(&suite, (const char *[]){"t.py::b", "adds 3"}, 2, &arena));
	assert_string_equal(changing_selector(NULL, "t.py::a[1]", &arena), "t.py::a[1]");
}

static void they_are_known_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = "t::a[1]=p\nt::b[x]=p\nt::c=p";
	struct test_report reports[] = {
		report_of(&arena, text), report_of(&arena, "t::a[2]=p\nt::b[y]=p\nt::c=p")};
	AUTO_JSON *json = changing_to_json(changing_learn(reports, 2, clock_date_ms(), &arena));
	const struct changing *changing = changing_from_json(json, &reports[0], &arena);
	struct test_report later = report_of(&arena, "t::a[7]=f\nt::b[z]=p\nt::c=p");
	changing_apply(changing, &later, &arena);
	assert_string_equal(ids_of(&later, &arena), "t::a[1]=f\nt::b[*]=p\nt::c=p");
	assert_null(changing_to_json(NULL));
	assert_null(changing_from_json(NULL, &reports[0], &arena));
}

/* 2026-11-23 18:50:31 UTC and five seconds later. */
static void an_id_may_tell_the_time(void **state)
{
	(void)state;
	static const int64_t since_ms = 1795459831000, until_ms = since_ms + 5000;
	static const char *const told[] = {"d[18:50:33 2026-11-23]", "d[2026-11-23T19:50:36]",
		"d[00:20:31.250]", "d[18:50]", "d[1795459833]", "d[1795459833.25]", "d[1795459833123]",
		"d[1795459833123456]", "at 1795459833123456789"};
	static const char *const others[] = {"d[18:51:33 2026-11-23]", "d[18:50:20]", "d[18:52]",
		"d[1795459833123456789012]", "d[1795459800]", "d[31]", "d[25:50:33]", "a:50:33", "d[12:x]"};
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		if (!id_tells_time(told[i], since_ms, until_ms))
			fail_msg("'%s' tells no time", told[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (id_tells_time(others[i], since_ms, until_ms))
			fail_msg("'%s' tells the time", others[i]);
}

/* Two runs side by side collect such a test in the same second. */
static void a_time_that_two_runs_share_changes(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	int64_t now_ms = clock_date_ms();
	const char *text = arena_printf(&arena, "t::a[%lld]=p\nt::b[7]=p", (long long)now_ms);
	struct test_report reports[] = {report_of(&arena, text), report_of(&arena, text)};
	struct test_report later = report_of(&arena, "t::a[1795459833123]=f\nt::b[8]=p");
	const struct changing *changing = changing_learn(reports, 2, now_ms, &arena);
	assert_non_null(changing);
	changing_apply(changing, &later, &arena);
	assert_string_equal(
		ids_of(&later, &arena), arena_printf(&arena, "t::a[%lld]=f\nt::b[8]=p", (long long)now_ms));
}

UNIT(changing)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_addresses_and_temporary_names),
		cmocka_unit_test(several_under_one_mask_pair_up_in_order),
		cmocka_unit_test(those_that_do_not_pair_up_are_one),
		cmocka_unit_test(an_id_that_every_run_has_stays),
		cmocka_unit_test(a_new_test_is_not_taken_for_another),
		cmocka_unit_test(what_only_comes_and_goes_is_not_known_again),
		cmocka_unit_test(a_command_names_them_by_their_stem),
		cmocka_unit_test(an_id_may_tell_the_time),
		cmocka_unit_test(a_time_that_two_runs_share_changes),
		cmocka_unit_test(they_are_known_from_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
