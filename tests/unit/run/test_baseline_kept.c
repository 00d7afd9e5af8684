/* A baseline on disk, right and spoiled. */
#include "tests/unit/top_fixture.h"

#include "run/baseline/baseline.h"

#define REPORT(results) \
	"{\"counts\":{},\"exit_code\":0,\"complete\":true,\"duration_ms\":7,\"format\":\"pytest\"," \
	"\"output\":\"\",\"results\":[" results "]}"
#define PASSED "{\"id\":\"t.py::a\",\"status\":\"passed\"}"

/* What is read in part is released with the rest: ASan sees it. */
static void what_is_recalled_in_part_is_closed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int result;
	} rows[] = {
		{"{\"reports\":[" REPORT(PASSED) "," REPORT(PASSED) "]}", 0},
		{"{\"reports\":[" REPORT(PASSED) "," REPORT(PASSED ",{\"id\":3}") "]}", -1},
		{"{\"reports\":[" REPORT(PASSED) "]}", -1},
		{"{\"reports\":", -1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct rondo_error err;
		struct arena arenas[2] = {ARENA_INIT, ARENA_INIT};
		struct test_report reports[2] = {0};
		const struct run_env env = {.arena = &arena};
		struct baseline_stage baseline = {
			.arenas = arenas, .reports = reports, .suite = {.type = &pytest_suite}};
		const char *path = arena_printf(&arena, "%s/baseline.json", top);
		assert_int_equal(file_write(path, rows[i].text, strlen(rows[i].text), 0600, &err), 0);
		assert_int_equal(baseline_recall(&baseline, &env, path, 2, &err), rows[i].result);
		baseline_close(&baseline);
	}
}

UNIT(baseline_kept)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_recalled_in_part_is_closed),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
