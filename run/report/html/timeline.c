/* When what was done: a lane for each kind of work, as SVG, and the same as a table. */
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

struct bar {
	const char *lane, *class, *what;
	int64_t from_ms, to_ms;
};

struct timeline {
	const struct html_run *run;
	struct bar *bars;
	size_t n;
	const char **lanes;
	size_t n_lanes;
	int64_t turn_ms, call_ms; /* when the open one began */
	int64_t stop_ms;          /* when the chat ended */
};

static size_t lane_of(struct timeline *timeline, const char *name)
{
	size_t i = 0;
	while (i < timeline->n_lanes && strcmp(timeline->lanes[i], name) != 0)
		i++;
	if (i == timeline->n_lanes)
		ARENA_PUSH(timeline->run->arena, timeline->lanes, timeline->n_lanes, name);
	return i;
}

static void bar_put(struct timeline *timeline, const char *lane, const char *class,
	const char *what, int64_t from_ms, int64_t to_ms)
{
	if (timeline->n == MOST_BARS)
		return;
	int64_t end = timeline->run->ms;
	to_ms = to_ms > end ? end : to_ms < 0 ? 0 : to_ms;
	from_ms = from_ms > to_ms ? to_ms : from_ms < 0 ? 0 : from_ms;
	lane_of(timeline, lane);
	ARENA_PUSH(timeline->run->arena, timeline->bars, timeline->n,
		(struct bar){lane, class, what, from_ms, to_ms});
}

/* A message with test results: the suite ran just before. */
static void suite_put(struct timeline *timeline, const struct json *record, int64_t ms)
{
	const struct json *message = json_get(record, "message"), *data = json_get(message, "data");
	int64_t took_ms = json_int(data, "duration_ms", 0);
	bool is_report = strcmp(json_string(message, "type", ""), "test_report") == 0;
	if (is_report && took_ms)
		bar_put(timeline, "test suite", json_bool(data, "ok", false) ? "good" : "bad",
			arena_strndup(timeline->run->arena, json_string(message, "content", ""),
				strcspn(json_string(message, "content", ""), "\n")),
			ms - took_ms, ms);
}

static void turn_put(struct timeline *timeline, const struct json *record, int64_t ms)
{
	const struct html_run *run = timeline->run;
	const char *speaker = html_speaker(run, record);
	bar_put(timeline, speaker,
		arena_printf(run->arena, "a%zu", html_speaker_number(run, speaker) % COLOURS),
		arena_printf(run->arena, "turn %d of %s", (int)json_int(record, "turn", 0), speaker),
		timeline->turn_ms, ms);
}

static void record_take(struct timeline *timeline, const struct json *record)
{
	int64_t ms = json_int(record, "ms", 0);
	const char *text = json_string(record, "text", "");
	const struct json *data = json_get(record, "data");
	if (html_is(record, "baseline"))
		bar_put(timeline, "test suite", "bad",
			arena_printf(timeline->run->arena, "before the change: %s", text), 0, ms);
	else if (html_is(record, "turn.start") && !json_get(record, "team"))
		timeline->turn_ms = ms;
	else if (html_is(record, "turn.end") && !json_get(record, "team"))
		turn_put(timeline, record, ms);
	else if (html_is(record, "model.request"))
		timeline->call_ms = ms;
	else if (html_is(record, "model.reply"))
		bar_put(timeline, "model calls", "model", json_string(record, "source", "?"),
			timeline->call_ms, ms);
	else if (html_is(record, "search"))
		bar_put(timeline, "candidates", "search", text, ms - json_int(data, "ms", 0), ms);
	else if (html_is(record, "stop"))
		timeline->stop_ms = ms;
	else if (html_is(record, "verdict"))
		bar_put(timeline, "final check", "gate", text, timeline->stop_ms, ms);
	if (html_is(record, "baseline") && !timeline->stop_ms)
		timeline->stop_ms = ms; /* of a run without a chat */
	suite_put(timeline, record, ms);
}

static double place_of(const struct timeline *timeline, int64_t ms)
{
	int64_t all = timeline->run->ms > 0 ? timeline->run->ms : 1;
	return LABEL + (double)(WIDTH - LABEL - 10) * (double)ms / (double)all;
}

static void ticks_add(struct strbuf *sb, const struct timeline *timeline, int height)
{
	for (int i = 0; i <= TICKS; i++) {
		int64_t ms = timeline->run->ms * i / TICKS;
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

static void bar_add(struct strbuf *sb, struct timeline *timeline, const struct bar *bar)
{
	double from = place_of(timeline, bar->from_ms), to = place_of(timeline, bar->to_ms);
	size_t y = lane_of(timeline, bar->lane) * LANE + (LANE - BAR) / 2;
	double width = to - from < LEAST_WIDTH ? LEAST_WIDTH : to - from;
	strbuf_addf(sb,
		"<rect class=\"%s\" x=\"%.1f\" y=\"%zu\" width=\"%.1f\" height=\"%d\" rx=\"3\"><title>",
		bar->class, from, y, width, BAR);
	html_add(sb, bar->what);
	strbuf_adds(sb, ", ");
	html_time(sb, bar->to_ms - bar->from_ms);
	strbuf_adds(sb, "</title></rect>\n");
}

static void picture_add(struct strbuf *sb, struct timeline *timeline)
{
	int height = (int)timeline->n_lanes * LANE;
	strbuf_addf(sb,
		"<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"picture of the time line\">"
		"<svg class=\"timeline\" viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"when each part of the run was done\">\n",
		WIDTH, height + 24);
	ticks_add(sb, timeline, height);
	for (size_t i = 0; i < timeline->n_lanes; i++) {
		strbuf_addf(sb, "<text class=\"lane\" x=\"0\" y=\"%zu\">", i * LANE + LANE / 2 + 4);
		html_add_n(sb, timeline->lanes[i],
			strlen(timeline->lanes[i]) > 18 ? 18 : strlen(timeline->lanes[i]));
		strbuf_adds(sb, "</text>\n");
	}
	for (size_t i = 0; i < timeline->n; i++)
		bar_add(sb, timeline, &timeline->bars[i]);
	strbuf_adds(sb, "</svg></div>\n");
}

static void table_add(struct strbuf *sb, const struct timeline *timeline)
{
	strbuf_adds(sb,
		"<details><summary>the same as a table</summary><table class=\"sortable\"><thead><tr>"
		"<th scope=\"col\">who</th><th scope=\"col\">what</th><th scope=\"col\">from</th>"
		"<th scope=\"col\">took</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < timeline->n; i++) {
		const struct bar *bar = &timeline->bars[i];
		strbuf_adds(sb, "<tr>");
		html_element(sb, "td", NULL, bar->lane);
		html_element(sb, "td", NULL, bar->what);
		strbuf_addf(sb, "<td data-n=\"%lld\">", (long long)bar->from_ms);
		html_time(sb, bar->from_ms);
		strbuf_addf(sb, "</td><td data-n=\"%lld\">", (long long)(bar->to_ms - bar->from_ms));
		html_time(sb, bar->to_ms - bar->from_ms);
		strbuf_adds(sb, "</td></tr>\n");
	}
	strbuf_adds(sb, "</tbody></table></details>\n");
}

void html_add_timeline(struct strbuf *sb, const struct html_run *run)
{
	struct timeline timeline = {.run = run};
	for (size_t i = 0; i < run->n_records; i++)
		record_take(&timeline, run->records[i]);
	if (!timeline.n)
		return;
	html_section(sb, "time", "Time line");
	picture_add(sb, &timeline);
	table_add(sb, &timeline);
	strbuf_adds(sb, "</section>\n");
}
