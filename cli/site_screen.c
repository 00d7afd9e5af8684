/* What a run begins with, in rondo's own form: the repository, its tests, what fails in them. */
#include <string.h>

#include "base/utf8.h"
#include "cli/run_screen.h"

#define SHOWN_TESTS 5
#define SLOW_MS 10000 /* of a run of the suite: then a search tries few candidates */
#define SHORT_HASH 7

static const char *site_show_state(struct screen *screen, const struct site_facts *site)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (!site->is_snapshot)
		return site->proposal ? "" : ", clean";
	if (site->n_modified)
		strbuf_addf(&text, ", %zu modified", site->n_modified);
	if (site->n_untracked)
		strbuf_addf(&text, ", %zu untracked", site->n_untracked);
	if (site->n_deleted)
		strbuf_addf(&text, ", %zu deleted", site->n_deleted);
	if (!text.length)
		strbuf_adds(&text, ", with a patch");
	return arena_printf(&screen->arena, "%s: taken as a snapshot", text.text);
}

static void site_show_suite(struct screen *screen, const struct site_facts *site)
{
	AUTO_STRBUF also = STRBUF_INIT(STRBUF_LINE);
	const char *command = screen_visible(screen, site->command);
	for (size_t i = 0; i < site->also.n; i++)
		strbuf_addf(&also, "%s%s", also.length ? ", " : "; also found: ", site->also.items[i]);
	screen_line(screen, GLYPH_NEUTRAL, "tests       %-18s  " SCREEN_DIM "%s%s",
		utf8_cut_middle(&screen->arena, command, 48), site->origin, also.text);
}

static const char *site_show_executor(struct screen *screen, const struct site_facts *site)
{
	bool network = site->network && strcmp(site->network, "none") != 0;
	if (strcmp(site->executor, "local") == 0)
		return "local: no sandbox, as you wished";
	return arena_printf(&screen->arena, "%s%s, %s", site->executor,
		strcmp(site->executor, "sandbox") == 0 ? " bubblewrap" : "",
		network ? "with this machine's network" : "no network");
}

void site_show(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	const struct site_facts *site = event->value;
	const char *name = site->name ? site->name : "?", *coder = site->coder;
	if (site->has_repository)
		screen_line(screen, GLYPH_NEUTRAL, "%-11s %s (%s at %.*s%s)",
			site->is_program ? "program" : "repository", name,
			site->branch ? site->branch : "detached", SHORT_HASH, site->head,
			site_show_state(screen, site));
	else
		screen_line(
			screen, GLYPH_NEUTRAL, "%-11s %s", site->command ? "program" : "scenario", name);
	if (site->proposal)
		screen_line(
			screen, GLYPH_NEUTRAL, "change      %s", screen_visible(screen, site->proposal));
	if (site->command)
		site_show_suite(screen, site);
	if (site->setup)
		screen_line(screen, GLYPH_NEUTRAL, "setup       %s", screen_visible(screen, site->setup));
	view->transcript |= !coder; /* a team of somebody's own is shown in full */
	if (site->executor)
		screen_line(screen, GLYPH_NEUTRAL, "%s%s%s", coder ? "coder       " : "executor    ",
			coder ? arena_printf(&screen->arena, "%s  ", coder) : "",
			site_show_executor(screen, site));
}

/* Its id, and why it failed: beside it where both fit, else below it. */
static void site_show_test(struct screen *screen, const struct run_test *test)
{
	const char *id = screen_visible(screen, test->id);
	const char *message = screen_visible(screen, test->message ? test->message : "");
	size_t room = screen_room(screen, 18), n = strcspn(message, "\n");
	if (strlen(id) + n <= room) {
		screen_line(screen, GLYPH_NONE, "            %s    %.*s", id, (int)n, message);
		return;
	}
	screen_line(
		screen, GLYPH_NONE, "            %s", utf8_cut_middle(&screen->arena, id, room + 4));
	if (!n)
		return;
	const char *end = n > room ? "..." : "";
	size_t fits = utf8_fitting(message, n > room ? room - strlen(end) : n);
	screen_line(
		screen, GLYPH_NONE, "              %.*s%s", (int)(fits < n ? fits : n), message, end);
}

static void site_show_more(struct screen *screen, size_t n, size_t shown)
{
	if (n > shown)
		screen_line(screen, GLYPH_NONE, "            and %zu more", n - shown);
}

static void site_show_flaky(struct screen *screen, const struct option_strings *flaky)
{
	size_t n = flaky->n, shown = n < SHOWN_TESTS ? n : SHOWN_TESTS;
	if (!n)
		return;
	screen_line(screen, GLYPH_LOOK,
		"flaky       %zu test%s differ from run to run: counted neither way", n, text_plural(n));
	for (size_t i = 0; i < shown; i++)
		site_show_test(screen, &(struct run_test){.id = flaky->items[i]});
	site_show_more(screen, n, shown);
}

void site_show_baseline(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	const struct baseline_facts *baseline = event->value;
	size_t n = baseline->n_goal;
	size_t shown = n < SHOWN_TESTS ? n : SHOWN_TESTS;
	/* what does not end has no duration */
	const char *time = baseline->duration_ms ? screen_time(screen, baseline->duration_ms) : "";
	screen_line(screen, n ? GLYPH_FAILED : GLYPH_DONE, "baseline    %s      " SCREEN_DIM "%s",
		event->text, time);
	for (size_t i = 0; i < shown; i++)
		site_show_test(screen, &baseline->goal[i]);
	site_show_more(screen, n, shown);
	if (n && baseline->duration_ms >= SLOW_MS)
		screen_line(screen, GLYPH_LOOK,
			"slow        %s a run; faster: --goal, --test with a subset, --executor local",
			screen_time(screen, baseline->duration_ms));
	site_show_flaky(screen, &baseline->flaky);
}
