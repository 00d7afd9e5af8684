/* rondo show --tests: each test before and after, what differs first. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "run/run.h"

#define WORD_COLUMNS 7 /* "skipped" */
#define SHOWN_MS 50    /* of a test: less is no time to speak of */

static const struct {
	const char *words;
	enum screen_glyph glyph;
} changes[RUN_TEST_CHANGES] = {
	[RUN_TEST_FIXED] = {"failed before and pass", GLYPH_DONE},
	[RUN_TEST_BROKEN] = {"passed before and fail", GLYPH_FAILED},
	[RUN_TEST_GONE] = {"not run any more", GLYPH_LOOK},
	[RUN_TEST_RED] = {"fail", GLYPH_FAILED},
	[RUN_TEST_NEW] = {"new", GLYPH_DONE},
	[RUN_TEST_SKIPPED] = {"skipped", GLYPH_NEUTRAL},
	[RUN_TEST_GREEN] = {"pass as before", GLYPH_DONE},
};

static const char *tests_word(const struct test_result *result)
{
	return result ? test_status_name(result->status) : "-";
}

static void tests_show_one(struct screen *screen, const struct run_test_pair *test, bool has_after)
{
	const struct test_result *now = has_after ? test->after : test->before;
	const struct test_result *said = test->after ? test->after : test->before;
	const char *time = said->duration_ms >= SHOWN_MS ? screen_time(screen, said->duration_ms) : "";
	const char *after = has_after
		? arena_printf(&screen->arena, "  %-*s", WORD_COLUMNS, tests_word(test->after))
		: "";
	screen_line(screen, changes[test->change].glyph, "%-*s%s  %s" SCREEN_DIM "%s%s", WORD_COLUMNS,
		tests_word(test->before), after, screen_visible(screen, said->id), *time ? "   " : "",
		time);
	if (now && now->message && test_status_is_red(now->status))
		screen_line(screen, GLYPH_NONE, SCREEN_DIM "%*s%s",
			has_after ? 2 * WORD_COLUMNS + 6 : WORD_COLUMNS + 4, "",
			screen_visible(screen, now->message));
}

/* "19 of 21 passed before, 21 of 21 passed in a fresh checkout" */
static void tests_show_head(struct screen *screen, const struct run_tests *tests)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	test_report_describe(&tests->before, &text);
	strbuf_adds(&text, " before");
	if (tests->has_after) {
		strbuf_adds(&text, "; ");
		test_report_describe(&tests->after, &text);
		strbuf_adds(
			&text, tests->is_judged ? " in the fresh checkout" : " when a tester saw it last");
	}
	puts(screen_visible(screen, text.text));
}

static void tests_show_counts(struct screen *screen, const struct run_tests *tests)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < RUN_TEST_CHANGES; i++)
		if (tests->counts[i])
			strbuf_addf(
				&text, "%s%zu %s", text.length ? ", " : "", tests->counts[i], changes[i].words);
	printf("\n%s\n", screen_visible(screen, text.text));
}

int show_tests(const char *dir, struct arena *arena, struct rondo_error *err)
{
	AUTO_SCREEN screen;
	struct run_tests tests;
	screen_init(&screen);
	if (run_tests_read(dir, arena, &tests, err) < 0)
		return -1;
	if (!tests.has_before)
		return error_set(err, RONDO_ERROR_USAGE, "run %s kept no results of tests", file_name(dir));
	tests_show_head(&screen, &tests);
	putchar('\n');
	for (size_t i = 0; i < tests.n; i++) {
		tests_show_one(&screen, &tests.tests[i], tests.has_after);
		screen_release(&screen);
	}
	tests_show_counts(&screen, &tests);
	return 0;
}
