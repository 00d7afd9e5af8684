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

/* What became of a test, in the order in which they are shown. */
enum tests_group {
	TESTS_FIXED,
	TESTS_BROKEN,
	TESTS_GONE,
	TESTS_RED,
	TESTS_NEW,
	TESTS_SKIPPED,
	TESTS_GREEN,
	TESTS_GROUPS
};

static const struct {
	const char *words;
	enum screen_glyph glyph;
} groups[TESTS_GROUPS] = {
	[TESTS_FIXED] = {"failed before and pass", GLYPH_DONE},
	[TESTS_BROKEN] = {"passed before and fail", GLYPH_FAILED},
	[TESTS_GONE] = {"not run any more", GLYPH_LOOK},
	[TESTS_RED] = {"fail", GLYPH_FAILED},
	[TESTS_NEW] = {"new", GLYPH_DONE},
	[TESTS_SKIPPED] = {"skipped", GLYPH_NEUTRAL},
	[TESTS_GREEN] = {"pass as before", GLYPH_DONE},
};

/* Either may be NULL, but not both. */
struct tests_pair {
	const struct test_result *before, *after;
};

/* Of a run that judged nothing, what fails before still does. */
static enum tests_group tests_group_of(const struct tests_pair *pair, bool has_after)
{
	const struct test_result *now = has_after ? pair->after : pair->before;
	bool was_red = pair->before && test_status_is_red(pair->before->status);
	if (!now)
		return TESTS_GONE;
	if (test_status_is_red(now->status))
		return was_red || !pair->before ? TESTS_RED : TESTS_BROKEN;
	if (now->status == TEST_SKIPPED)
		return TESTS_SKIPPED;
	if (!pair->before)
		return TESTS_NEW;
	return was_red ? TESTS_FIXED : TESTS_GREEN;
}

static struct tests_pair *tests_pairs(
	const struct run_tests *tests, struct arena *arena, size_t *ret_n)
{
	struct tests_pair *pairs = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < tests->before.n; i++) {
		const struct test_result *before = tests->before.results[i];
		struct tests_pair pair = {before, test_report_find(&tests->after, before->id)};
		ARENA_PUSH(arena, pairs, *ret_n, pair);
	}
	for (size_t i = 0; i < tests->after.n; i++) {
		struct tests_pair pair = {.after = tests->after.results[i]};
		if (!test_report_find(&tests->before, pair.after->id))
			ARENA_PUSH(arena, pairs, *ret_n, pair);
	}
	return pairs;
}

static const char *tests_word(const struct test_result *result)
{
	return result ? test_status_name(result->status) : "-";
}

static void tests_show_pair(
	struct screen *screen, const struct tests_pair *pair, enum tests_group group, bool has_after)
{
	const struct test_result *now = has_after ? pair->after : pair->before;
	const struct test_result *said = now ? now : pair->before;
	const char *time = said->duration_ms >= SHOWN_MS ? screen_time(screen, said->duration_ms) : "";
	const char *after = has_after
		? arena_printf(&screen->arena, "  %-*s", WORD_COLUMNS, tests_word(pair->after))
		: "";
	screen_line(screen, groups[group].glyph, "%-*s%s  %s" SCREEN_DIM "%s%s", WORD_COLUMNS,
		tests_word(pair->before), after, screen_visible(screen, said->id), *time ? "   " : "",
		time);
	if (now && now->message && test_status_is_red(now->status))
		screen_line(screen, GLYPH_NONE, SCREEN_DIM "%*s%s",
			has_after ? 2 * WORD_COLUMNS + 6 : WORD_COLUMNS + 4, "",
			screen_visible(screen, now->message));
}

static void tests_show_group(struct screen *screen, const struct tests_pair *pairs, size_t n,
	enum tests_group group, bool has_after)
{
	for (size_t i = 0; i < n; i++) {
		if (tests_group_of(&pairs[i], has_after) == group)
			tests_show_pair(screen, &pairs[i], group, has_after);
		screen_release(screen);
	}
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

static void tests_show_counts(
	struct screen *screen, const struct tests_pair *pairs, size_t n, bool has_after)
{
	size_t counts[TESTS_GROUPS] = {0};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < n; i++)
		counts[tests_group_of(&pairs[i], has_after)]++;
	for (size_t i = 0; i < TESTS_GROUPS; i++)
		if (counts[i])
			strbuf_addf(&text, "%s%zu %s", text.length ? ", " : "", counts[i], groups[i].words);
	printf("\n%s\n", screen_visible(screen, text.text));
}

int show_tests(const char *dir, struct arena *arena, struct rondo_error *err)
{
	AUTO_SCREEN screen;
	struct run_tests tests;
	size_t n;
	screen_init(&screen);
	if (run_tests_read(dir, arena, &tests, err) < 0)
		return -1;
	if (!tests.has_before)
		return error_set(err, RONDO_ERROR_USAGE, "run %s kept no results of tests", file_name(dir));
	struct tests_pair *pairs = tests_pairs(&tests, arena, &n);
	tests_show_head(&screen, &tests);
	putchar('\n');
	for (size_t group = 0; group < TESTS_GROUPS; group++)
		tests_show_group(&screen, pairs, n, (enum tests_group)group, tests.has_after);
	tests_show_counts(&screen, pairs, n, tests.has_after);
	return 0;
}
