/* Where repair looked: the lines that it suspects, in their order, beside a strip of the file. The
 * strip has all of them, the table those where it took candidates, and the likeliest. */
#include "run/report/html/html.h"

enum {
	STRIP_HEIGHT = 240,
	STRIP_WIDTH = 26,
	LEAST_MARK = 3,
	HEATS = 5,
	MOST_FILES = 12,
	ALWAYS_SHOWN = 10
};

/* 5: the likeliest fifth of the places ... 1 */
static int heat_of(size_t rank, size_t n)
{
	return (int)(HEATS - (rank - 1) * HEATS / (n ? n : 1));
}

static void strip_add(struct strbuf *sb, const struct json *places, const char *path, int64_t lines)
{
	size_t n = json_count(places), rank = 0;
	int64_t most = lines > 0 ? lines : 1;
	strbuf_addf(sb,
		"<svg class=\"strip\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"where in the file "
		"these lines are\"><rect class=\"file\" x=\"0\" y=\"0\" width=\"%d\" height=\"%d\"/>\n",
		STRIP_WIDTH, STRIP_HEIGHT, STRIP_WIDTH, STRIP_HEIGHT);
	for (const struct json *at = json_first(places); at; at = json_next(at)) {
		int64_t line = json_int(at, "line", 1);
		rank++;
		if (strcmp(json_string(at, "path", ""), path) != 0 || line < 1 || line > most)
			continue;
		double height = (double)STRIP_HEIGHT / (double)most;
		height = height < LEAST_MARK ? LEAST_MARK : height;
		double y = (double)(STRIP_HEIGHT - height) * (double)(line - 1) /
			(double)(most > 1 ? most - 1 : 1);
		strbuf_addf(sb, "<rect class=\"h%d\" x=\"0\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n",
			heat_of(rank, n), y, STRIP_WIDTH, height);
	}
	strbuf_adds(sb, "</svg>\n");
}

static void row_add(
	struct strbuf *sb, const struct json *at, size_t rank, size_t n, struct arena *arena)
{
	struct html_code code;
	const char *text = json_string(at, "text", "");
	html_code_read(&code, language_of(json_string(at, "path", "")), text, strlen(text), arena);
	strbuf_addf(sb,
		"<tr><td class=\"number h%d\" data-n=\"%zu\">%zu</td><td class=\"number\">%d</td>"
		"<td class=\"code\">",
		heat_of(rank, n), rank, rank, (int)json_int(at, "line", 0));
	html_code_add(sb, &code, 0, code.n);
	strbuf_addf(sb, "</td><td class=\"number\">%d</td></tr>\n", (int)json_int(at, "tried", 0));
}

static void file_add(struct strbuf *sb, const struct json *places, const char *path, int64_t lines,
	struct arena *arena)
{
	size_t rank = 0, n = json_count(places);
	strbuf_adds(sb, "<div class=\"places\">\n");
	strip_add(sb, places, path, lines);
	strbuf_adds(sb, "<div class=\"grow\"><h3><code>");
	html_add(sb, path);
	strbuf_addf(sb, "</code>, %d lines</h3>\n", (int)lines);
	strbuf_adds(sb,
		"<table class=\"sortable ranks\"><thead><tr><th scope=\"col\">rank</th>"
		"<th scope=\"col\">line</th><th scope=\"col\">text</th><th scope=\"col\">edits</th>"
		"</tr></thead><tbody>\n");
	for (const struct json *at = json_first(places); at; at = json_next(at)) {
		rank++;
		bool matters = rank <= ALWAYS_SHOWN || json_int(at, "tried", 0);
		if (matters && strcmp(json_string(at, "path", ""), path) == 0)
			row_add(sb, at, rank, n, arena);
	}
	strbuf_adds(sb, "</tbody></table></div></div>\n");
}

static void search_add(struct strbuf *sb, const struct html_run *run, const struct json *record)
{
	const struct json *data = json_get(record, "data"), *places = json_get(data, "places");
	size_t n = 0;
	html_element(sb, "p", NULL, json_string(record, "text", NULL));
	const struct json *file = json_first(json_get(data, "files"));
	for (; file && n < MOST_FILES; file = json_next(file), n++)
		file_add(sb, places, json_key(file), json_integer(file, 1), run->arena);
}

void html_add_places(struct strbuf *sb, const struct html_run *run)
{
	const struct json *shown = NULL;
	for (size_t i = 0; i < run->n_records; i++) {
		const struct json *record = run->records[i];
		if (html_is(record, "search") && json_first(json_get(json_get(record, "data"), "places")))
			shown = record;
	}
	if (!shown)
		return;
	html_section(sb, "places", "Where repair looked");
	strbuf_adds(sb,
		"<p><em>repair</em>, the coder without a model, first changes the lines that the failing "
		"tests make most suspicious. Rank 1 is the likeliest line of all files; lines where it "
		"changed nothing are left out. <em>edits</em>: how many it began there.</p>\n");
	search_add(sb, run, shown);
	strbuf_adds(sb, "</section>\n");
}
