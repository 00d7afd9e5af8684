/* Plots of many runs, as SVG: how many were verified over time, and cost and duration of each. */
#include "run/report/html/html.h"

enum { WIDTH = 480, HEIGHT = 200, LEFT = 76, BOTTOM = 26, TOP = 10, RIGHT = 10, MOST_BARS = 400 };

struct plot {
	struct strbuf *sb;
	const struct html_row *rows;
	size_t n;
};

static double plot_x(size_t i, size_t n)
{
	return LEFT + (double)(WIDTH - LEFT - RIGHT) * (double)i / (double)(n ? n : 1);
}

static double plot_y(double value, double most)
{
	return HEIGHT - BOTTOM - (double)(HEIGHT - BOTTOM - TOP) * value / (most > 0 ? most : 1);
}

static void plot_begin(const struct plot *plot, const char *title)
{
	strbuf_addf(plot->sb,
		"<figure><figcaption>%s</figcaption><svg class=\"plot\" viewBox=\"0 0 %d %d\" "
		"role=\"img\" aria-label=\"%s\">\n<path class=\"axis\" d=\"M%d %d V%d H%d\"/>\n",
		title, WIDTH, HEIGHT, title, LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

static void plot_label(
	const struct plot *plot, double x, double y, const char *anchor, const char *text)
{
	strbuf_addf(
		plot->sb, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	html_add(plot->sb, text);
	strbuf_adds(plot->sb, "</text>\n");
}

/* The two ends of the axis on the left. */
static void plot_scale(const struct plot *plot, const char *most)
{
	plot_label(plot, LEFT - 6, TOP + 10, "end", most);
	plot_label(plot, LEFT - 6, HEIGHT - BOTTOM, "end", "0");
}

static bool row_is_verified(const struct html_row *row)
{
	const char *class;
	html_outcome(row->outcome, &class);
	return strcmp(class, "good") == 0;
}

static void plot_verified(const struct plot *plot)
{
	AUTO_STRBUF most = STRBUF_INIT(STRBUF_LINE);
	size_t n = 0;
	plot_begin(plot, "verified, of those that ended by then");
	for (int line = 0; line < 2; line++) {
		n = 0;
		strbuf_addf(plot->sb, "<path class=\"%s\" d=\"M%d %d", line ? "line good" : "line idle",
			LEFT, HEIGHT - BOTTOM);
		for (size_t i = 0; i < plot->n; i++) {
			n += line ? row_is_verified(&plot->rows[i]) : true;
			strbuf_addf(plot->sb, " H%.1f V%.1f", plot_x(i + 1, plot->n),
				plot_y((double)n, (double)plot->n));
		}
		strbuf_adds(plot->sb, "\"/>\n");
	}
	strbuf_addf(&most, "%zu", plot->n);
	plot_scale(plot, most.text);
	size_t last = plot->n;
	while (last && !plot->rows[last - 1].ended)
		last--;
	if (last) {
		plot_label(plot, LEFT, HEIGHT - 8, "start", plot->rows[0].ended);
		if (strcmp(plot->rows[0].ended, plot->rows[last - 1].ended) != 0)
			plot_label(plot, WIDTH - RIGHT, HEIGHT - 8, "end", plot->rows[last - 1].ended);
	}
	strbuf_adds(plot->sb, "</svg></figure>\n");
}

static double duration_of(const struct html_row *row)
{
	return (double)row->duration_ms;
}

static double cost_of(const struct html_row *row)
{
	return row->usd > 0 ? row->usd : 0;
}

static double tokens_of(const struct html_row *row)
{
	return (double)row->tokens;
}

static void plot_bars(const struct plot *plot, const char *title,
	double (*value)(const struct html_row *row), void (*say)(struct strbuf *sb, double value))
{
	double most = 0;
	size_t n = plot->n < MOST_BARS ? plot->n : MOST_BARS;
	AUTO_STRBUF scale = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < n; i++)
		most = value(&plot->rows[i]) > most ? value(&plot->rows[i]) : most;
	if (most <= 0)
		return;
	plot_begin(plot, title);
	for (size_t i = 0; i < n; i++) {
		const char *class;
		double y = plot_y(value(&plot->rows[i]), most), x = plot_x(i, n);
		double gap = n < 100 ? 2 : 0, width = plot_x(1, n) - LEFT - gap;
		html_outcome(plot->rows[i].outcome, &class);
		strbuf_addf(plot->sb,
			"<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
			class, x + gap / 2, y, width > 60 ? 60 : width, HEIGHT - BOTTOM - y);
		html_add(plot->sb, plot->rows[i].name);
		strbuf_adds(plot->sb, ", ");
		say(plot->sb, value(&plot->rows[i]));
		strbuf_adds(plot->sb, "</title></rect>\n");
	}
	say(&scale, most);
	plot_scale(plot, scale.text);
	strbuf_adds(plot->sb, "</svg></figure>\n");
}

void html_add_plots(struct strbuf *sb, const struct html_row *rows, size_t n)
{
	struct plot plot = {.sb = sb, .rows = rows, .n = n};
	if (!n)
		return;
	strbuf_adds(sb, "<div class=\"plots\">\n");
	plot_verified(&plot);
	plot_bars(&plot, "duration of each", duration_of, html_say_time);
	plot_bars(&plot, "cost of each", cost_of, html_money);
	plot_bars(&plot, "tokens of each", tokens_of, html_say_number);
	strbuf_adds(sb, "</div>\n");
}
