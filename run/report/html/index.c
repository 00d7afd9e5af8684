/* Many runs on one page: a table that can be sorted, plots, and a link to each one's page. */
#include "base/file.h"
#include "base/memory.h"
#include "run/batch/batch_dir.h"
#include "run/journal/paths.h"
#include "run/report/html/html.h"

struct html_index {
	struct arena *arena;
	const char *dir; /* that links are relative to, and index.html is written to */
	struct html_row *rows;
	size_t n;
	struct rondo_error *err;
	int status;
};

/* --- The table --- */

static void cell_add_number(struct strbuf *sb, double n, void (*say)(struct strbuf *sb, double n))
{
	strbuf_addf(sb, "<td class=\"number\" data-n=\"%.6f\">", n);
	say(sb, n);
	strbuf_adds(sb, "</td>");
}

/* A link is a relative path of names of tasks and runs; what a URL would take otherwise is
 * written by its code. */
static void link_add(struct strbuf *sb, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;
		bool is_plain = strchr("/-_.", c) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			(c >= 'A' && c <= 'Z');
		strbuf_addf(sb, is_plain ? "%c" : "%%%02X", c);
	}
}

static void row_add(struct strbuf *sb, const struct html_row *row)
{
	const char *class, *outcome = html_outcome(row->outcome, &class);
	strbuf_adds(sb, "<tr><th scope=\"row\">");
	if (row->link) {
		strbuf_adds(sb, "<a href=\"");
		link_add(sb, row->link);
		strbuf_adds(sb, "\">");
	}
	html_add(sb, row->name);
	strbuf_addf(sb, "%s</th><td class=\"status %s\">", row->link ? "</a>" : "", class);
	html_add(sb, outcome);
	html_element(sb, "span", "why", row->reason);
	strbuf_addf(sb, "</td><td class=\"number\" data-n=\"%zu\">%zu of %zu</td>", row->n_fixed,
		row->n_fixed, row->n_goal);
	cell_add_number(sb, (double)row->duration_ms, html_say_time);
	cell_add_number(sb, (double)row->tokens, html_say_number);
	cell_add_number(sb, row->usd, html_money);
	html_element(sb, "td", NULL, row->coder ? row->coder : "");
	html_element(sb, "td", NULL, row->ended ? row->ended : "");
	strbuf_adds(sb, "</tr>\n");
}

static void table_add(struct strbuf *sb, const struct html_row *rows, size_t n)
{
	strbuf_adds(sb,
		"<p class=\"js filter\" hidden=\"hidden\"><label>Show rows with "
		"<input type=\"search\" id=\"filter\" autocomplete=\"off\"/></label> "
		"<output id=\"filtered\"></output></p>\n"
		"<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"all runs\">"
		"<table class=\"sortable index\"><thead><tr><th scope=\"col\">name</th>"
		"<th scope=\"col\">outcome</th><th scope=\"col\">tests fixed</th>"
		"<th scope=\"col\">time</th><th scope=\"col\">tokens</th><th scope=\"col\">cost</th>"
		"<th scope=\"col\">coder</th><th scope=\"col\">ended</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		row_add(sb, &rows[i]);
	strbuf_adds(sb, "</tbody></table></div>\n");
}

static void totals_add(struct strbuf *sb, const struct html_row *rows, size_t n)
{
	int64_t ms = 0, tokens = 0;
	double usd = 0;
	size_t n_good = 0;
	bool knows_cost = true;
	for (size_t i = 0; i < n; i++) {
		const char *class;
		html_outcome(rows[i].outcome, &class);
		n_good += strcmp(class, "good") == 0;
		ms += rows[i].duration_ms;
		tokens += rows[i].tokens;
		knows_cost = knows_cost && rows[i].usd >= 0;
		usd += rows[i].usd > 0 ? rows[i].usd : 0;
	}
	strbuf_addf(sb,
		"<p class=\"counts\"><span class=\"big\">%zu of %zu</span> came to what was "
		"wanted, in ",
		n_good, n);
	html_time(sb, ms);
	strbuf_adds(sb, " of work, ");
	html_number(sb, tokens);
	strbuf_adds(sb, " tokens, ");
	strbuf_adds(sb, knows_cost ? "" : "at least ");
	html_money(sb, usd);
	strbuf_adds(sb, "</p>\n");
}

void html_add_index(struct strbuf *sb, const char *title, const struct html_row *rows, size_t n)
{
	html_page_begin(sb, title);
	strbuf_adds(sb, "<main id=\"main\">\n<div class=\"headline idle\"><h1>");
	html_add(sb, title);
	strbuf_adds(sb, "</h1>\n");
	totals_add(sb, rows, n);
	strbuf_adds(sb, "</div>\n");
	html_section(sb, "plots", "At a glance");
	html_add_plots(sb, rows, n);
	strbuf_adds(sb, "</section>\n");
	html_section(sb, "runs", "All of them");
	table_add(sb, rows, n);
	strbuf_adds(sb, "</section>\n</main>\n");
	html_page_end(sb);
}

/* --- Rows --- */

static void row_take_report(struct html_row *row, const struct json *report, struct arena *arena)
{
	const struct json *tests = json_get(report, "tests"), *fix = json_get(report, "fix");
	const char *ended = json_string(report, "ended", NULL);
	row->ended = ended ? arena_printf(arena, "%.10s %.5s", ended, ended + 11) : NULL;
	row->coder =
		arena_strdup(arena, json_string(report, "coder", json_string(report, "proposal", NULL)));
	row->outcome = arena_strdup(arena, json_string(report, "outcome", row->outcome));
	row->reason = arena_strdup(arena, json_string(report, "reason", row->reason));
	row->n_goal = json_count(json_get(tests, "goal"));
	row->n_fixed = (size_t)json_int(fix, "goal_fixed", 0);
	row->n_goal = row->n_goal ? row->n_goal : row->n_fixed;
	row->duration_ms = json_int(report, "duration_ms", 0);
	row->tokens = json_int(json_get(report, "usage"), "total_tokens", 0);
	row->usd = json_number(report, "cost_usd", -1);
}

/* Make the page of a run, which lies below the index, and link to it. A run that cannot be read has
 * a row without. */
static void index_add(struct html_index *index, struct html_row *row, const char *run_dir)
{
	struct rondo_error unreadable;
	const char *page = arena_printf(index->arena, "%s/report.html", run_dir);
	AUTO_JSON *report = run_report_read(run_dir);
	if (report)
		row_take_report(row, report, index->arena);
	if (run_write_html(run_dir, page, &unreadable) == 0)
		row->link = page + strlen(index->dir) + 1;
	ARENA_PUSH(index->arena, index->rows, index->n, *row);
}

static int row_compare(const void *a, const void *b)
{
	const struct html_row *x = a, *y = b;
	int order = strcmp(x->ended ? x->ended : "~", y->ended ? y->ended : "~");
	return order ? order : strcmp(x->name, y->name);
}

static int index_write(
	struct html_index *index, const char *title, const char **ret_file, struct rondo_error *err)
{
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD * 4);
	const char *file = arena_printf(index->arena, "%s/index.html", index->dir);
	if (index->n)
		qsort(index->rows, index->n, sizeof *index->rows, row_compare);
	html_add_index(&page, title, index->rows, index->n);
	if (file_write(file, page.text, page.length, 0600, err) < 0)
		return -1;
	*ret_file = file;
	return 0;
}

/* --- Of a batch, and of all runs --- */

static void index_take_result(
	void *owner, const struct batch_result *result, const struct batch_progress *progress)
{
	struct html_index *index = owner;
	struct arena *arena = index->arena;
	(void)progress;
	struct html_row row = {.name = arena_strdup(arena, result->name),
		.outcome = arena_strdup(arena, result->outcome),
		.reason = arena_strdup(arena, result->reason),
		.coder = arena_strdup(arena, result->coder),
		.n_goal = result->n_goal,
		.n_fixed = result->n_fixed,
		.duration_ms = result->duration_ms,
		.tokens = result->tokens,
		.usd = result->usd};
	index_add(index, &row,
		arena_printf(arena, "%s/tasks/%s/runs/%s", index->dir, row.name,
			result->run ? result->run : "none"));
}

bool run_is_batch(const char *dir)
{
	AUTO_ARENA arena = ARENA_INIT;
	return batch_dir_is(dir, &arena);
}

int run_batch_html(
	const char *dir, struct arena *arena, const char **ret_file, struct rondo_error *err)
{
	struct batch_progress progress;
	struct html_index index = {.arena = arena, .dir = file_real_path(arena, dir, err)};
	struct batch_view view = {.ended = index_take_result, .owner = &index};
	if (!index.dir || run_batch_status(dir, &view, arena, &progress, err) < 0)
		return -1;
	return index_write(&index, file_name(index.dir), ret_file, err);
}

int run_list_html(struct arena *arena, const char **ret_file, struct rondo_error *err)
{
	const char **ids;
	size_t n;
	struct html_index index = {.arena = arena, .dir = run_state_dir(arena, err)};
	if (!index.dir || run_list(arena, SIZE_MAX, &ids, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct run_summary summary;
		run_summary(ids[i], arena, &summary);
		struct html_row row = {
			.name = *summary.name ? arena_printf(arena, "%s %s", ids[i], summary.name) : ids[i],
			.outcome = summary.outcome,
			.usd = -1};
		index_add(&index, &row, arena_printf(arena, "%s/runs/%s", index.dir, ids[i]));
	}
	return index_write(&index, "All runs", ret_file, err);
}
