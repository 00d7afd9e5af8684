/* What was spent on models, by agent and by model. */
#include "base/memory.h"
#include "run/report/html/html.h"

static void row_add(struct strbuf *sb, const struct json *row, bool has_cost)
{
	struct run_spending spending = run_spending_read(row);
	const int64_t figures[] = {spending.calls, spending.usage.prompt_tokens,
		json_int(row, "cached_tokens", 0), spending.usage.completion_tokens};
	strbuf_adds(sb, "<tr><th scope=\"row\">");
	html_add(sb, json_key(row));
	strbuf_adds(sb, "</th>");
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
		strbuf_addf(sb, "<td class=\"number\" data-n=\"%lld\">", (long long)figures[i]);
		html_number(sb, figures[i]);
		strbuf_adds(sb, "</td>");
	}
	if (has_cost) {
		strbuf_addf(sb, "<td class=\"number\" data-n=\"%.6f\">", spending.cost_usd);
		html_money(sb, spending.cost_usd);
		strbuf_adds(sb, "</td>");
	}
	strbuf_adds(sb, "</tr>\n");
}

static void table_add(struct strbuf *sb, const char *who, const struct json *rows, bool has_cost)
{
	if (!json_first(rows))
		return;
	strbuf_addf(sb,
		"<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"spent by each %s\">"
		"<table class=\"sortable spending\"><thead><tr><th scope=\"col\">%s</th>"
		"<th scope=\"col\">calls</th><th scope=\"col\">tokens in</th>"
		"<th scope=\"col\">of these cached</th><th scope=\"col\">tokens out</th>%s"
		"</tr></thead><tbody>\n",
		who, who, has_cost ? "<th scope=\"col\">cost</th>" : "");
	for (const struct json *row = json_first(rows); row; row = json_next(row))
		row_add(sb, row, has_cost);
	strbuf_adds(sb, "</tbody></table></div>\n");
}

void html_add_spending(struct strbuf *sb, const struct html_run *run)
{
	const struct json *usage = json_get(run->report, "usage");
	if (!usage)
		return;
	html_section(sb, "cost", "Tokens and money");
	if (!json_int(usage, "calls", 0))
		strbuf_adds(sb, "<p>No model was asked: 0 tokens, 0 USD.</p>\n");
	table_add(sb, "agent", json_get(usage, "by_agent"), false);
	table_add(sb, "model", json_get(usage, "by_model"), true);
	strbuf_adds(sb, "</section>\n");
}
