/* When what was done: a lane for each kind of work, as SVG, and the same as a table. */
#include "run/report/timeline.h"
#include "base/memory.h"
#include "run/report/html/html.h"

enum {
	WIDTH = 1000,
	LABEL = 130, /* of this, for a lane's name */
	LANE = 30,
	BAR = 18,
	TICKS = 5,
	MOST_BARS = 2000,
	COLOURS = 6,
	LEAST_WIDTH = 3,
};

struct picture {
	const struct html_run *run;
	const struct run_span **bars; /* that are drawn */
	size_t n;
	const char **lanes;
	size_t n_lanes;
	int64_t ms; /* all of it */
};

/* NULL: it is not drawn. A turn of a team within lies in the turn of that team. */
static const char *lane_of(const struct run_span *span)
{
	static const char *const lanes[] = {[RUN_SPAN_BASELINE] = "test suite",
		[RUN_SPAN_SUITE] = "test suite",
		[RUN_SPAN_CALL] = "model calls",
		[RUN_SPAN_SEARCH] = "candidates",
		[RUN_SPAN_GATE] = "final check"};
	if (span->kind == RUN_SPAN_TURN)
		return span->depth == 1 ? span->who : NULL;
	return span->kind < ARRAY_SIZE(lanes) ? lanes[span->kind] : NULL;
}

static const char *class_of(const struct picture *picture, const struct run_span *span)
{
	static const char *const classes[] = {[RUN_SPAN_BASELINE] = "bad",
		[RUN_SPAN_CALL] = "model",
		[RUN_SPAN_SEARCH] = "search",
		[RUN_SPAN_GATE] = "gate"};
	if (span->kind == RUN_SPAN_SUITE)
		return span->is_good ? "good" : "bad";
	if (span->kind == RUN_SPAN_TURN)
		return arena_printf(
			picture->run->arena, "a%zu", html_speaker_number(picture->run, span->who) % COLOURS);
	return classes[span->kind];
}

static size_t lane_number(struct picture *picture, const char *name)
{
	size_t i = 0;
	while (i < picture->n_lanes && strcmp(picture->lanes[i], name) != 0)
		i++;
	if (i == picture->n_lanes)
		ARENA_PUSH(picture->run->arena, picture->lanes, picture->n_lanes, name);
	return i;
}

static void picture_take(struct picture *picture, const struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n && picture->n < MOST_BARS; i++) {
		const struct run_span *span = &timeline->spans[i];
		if (!lane_of(span))
			continue;
		lane_number(picture, lane_of(span));
		ARENA_PUSH(picture->run->arena, picture->bars, picture->n, span);
	}
}

static double place_of(const struct picture *picture, int64_t ms)
{
	int64_t all = picture->ms > 0 ? picture->ms : 1;
	return LABEL + (double)(WIDTH - LABEL - 10) * (double)ms / (double)all;
}

static void ticks_add(struct strbuf *sb, const struct picture *picture, int height)
{
	for (int i = 0; i <= TICKS; i++) {
		int64_t ms = picture->ms * i / TICKS;
		double x = LABEL + (double)(WIDTH - LABEL - 10) * i / TICKS; /* equal runs: equal places */
		strbuf_addf(
			sb, "<line class=\"tick\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", x, x, height);
		strbuf_addf(sb, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x,
			height + 16,
			i == TICKS ? "end"
				: i    ? "middle"
					   : "start");
		html_time(sb, ms);
		strbuf_adds(sb, "</text>\n");
	}
}

static void bar_add(struct strbuf *sb, struct picture *picture, const struct run_span *span)
{
	double from = place_of(picture, span->from_ms),
		   to = place_of(picture, span->from_ms + span->ms);
	size_t y = lane_number(picture, lane_of(span)) * LANE + (LANE - BAR) / 2;
	double width = to - from < LEAST_WIDTH ? LEAST_WIDTH : to - from;
	strbuf_addf(sb,
		"<rect class=\"%s\" x=\"%.1f\" y=\"%zu\" width=\"%.1f\" height=\"%d\" rx=\"3\"><title>",
		class_of(picture, span), from, y, width, BAR);
	html_add(sb, span->what);
	strbuf_adds(sb, ", ");
	html_time(sb, span->ms);
	strbuf_adds(sb, "</title></rect>\n");
}

static void picture_add(struct strbuf *sb, struct picture *picture)
{
	int height = (int)picture->n_lanes * LANE;
	strbuf_addf(sb,
		"<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"picture of the time line\">"
		"<svg class=\"timeline\" viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"when each part of the run was done\">\n",
		WIDTH, height + 24);
	ticks_add(sb, picture, height);
	for (size_t i = 0; i < picture->n_lanes; i++) {
		strbuf_addf(sb, "<text class=\"lane\" x=\"0\" y=\"%zu\">", i * LANE + LANE / 2 + 4);
		html_add_n(
			sb, picture->lanes[i], strlen(picture->lanes[i]) > 18 ? 18 : strlen(picture->lanes[i]));
		strbuf_adds(sb, "</text>\n");
	}
	for (size_t i = 0; i < picture->n; i++)
		bar_add(sb, picture, picture->bars[i]);
	strbuf_adds(sb, "</svg></div>\n");
}

static void table_add(struct strbuf *sb, const struct picture *picture)
{
	strbuf_adds(sb,
		"<details><summary>the same as a table</summary><table class=\"sortable\"><thead><tr>"
		"<th scope=\"col\">who</th><th scope=\"col\">what</th><th scope=\"col\">from</th>"
		"<th scope=\"col\">took</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < picture->n; i++) {
		const struct run_span *span = picture->bars[i];
		strbuf_adds(sb, "<tr>");
		html_element(sb, "td", NULL, lane_of(span));
		html_element(sb, "td", NULL, span->what);
		strbuf_addf(sb, "<td data-n=\"%lld\">", (long long)span->from_ms);
		html_time(sb, span->from_ms);
		strbuf_addf(sb, "</td><td data-n=\"%lld\">", (long long)span->ms);
		html_time(sb, span->ms);
		strbuf_adds(sb, "</td></tr>\n");
	}
	strbuf_adds(sb, "</tbody></table></details>\n");
}

void html_add_timeline(struct strbuf *sb, const struct html_run *run)
{
	struct timeline timeline = {.arena = run->arena};
	struct picture picture = {.run = run, .ms = run->ms};
	for (size_t i = 0; i < run->n_records; i++)
		timeline_take(&timeline, run->records[i]);
	timeline_end(&timeline);
	if (timeline.ms > picture.ms)
		picture.ms = timeline.ms;
	picture_take(&picture, &timeline);
	if (!picture.n)
		return;
	html_section(sb, "time", "Time line");
	picture_add(sb, &picture);
	table_add(sb, &picture);
	strbuf_adds(sb, "</section>\n");
}
