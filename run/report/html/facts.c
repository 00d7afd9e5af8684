/* What a reader may want to look up: which commit, where code ran, where all lies. */
#include "run/report/html/html.h"

static void fact_add(struct strbuf *sb, const char *name, const char *value)
{
	if (!value)
		return;
	strbuf_addf(sb, "<div><dt>%s</dt><dd>", name);
	html_element(sb, "code", NULL, value);
	strbuf_adds(sb, "</dd></div>\n");
}

void html_add_facts(struct strbuf *sb, const struct html_run *run)
{
	const struct json *report = run->report, *world = json_get(report, "world");
	html_section(sb, "facts", "About this run");
	strbuf_adds(sb, "<dl class=\"facts\">\n");
	fact_add(sb, "run", json_string(report, "run", NULL));
	fact_add(sb, "ended", json_string(report, "ended", NULL));
	fact_add(sb, "checkout", json_string(report, "root", NULL));
	fact_add(sb, "base", json_string(report, "base", NULL));
	fact_add(sb, "change", json_string(report, "proposal", NULL));
	fact_add(sb, "coder", json_string(report, "coder", NULL));
	fact_add(sb, "model", json_string(report, "model", NULL));
	fact_add(sb, "executor", json_string(report, "executor", NULL));
	fact_add(sb, "branch", json_string(json_get(report, "fix"), "branch", NULL));
	fact_add(sb, "commit", json_string(json_get(report, "fix"), "commit", NULL));
	fact_add(sb, "files of the run", run->dir);
	strbuf_adds(sb, "</dl>\n");
	if (json_first(world)) {
		strbuf_adds(
			sb, "<details><summary>what else the tests could see in the sandbox</summary><ul>\n");
		for (const struct json *text = json_first(world); text; text = json_next(text))
			html_element(sb, "li", NULL, json_text(text, NULL));
		strbuf_adds(sb, "</ul></details>\n");
	}
	strbuf_adds(sb, "</section>\n");
}
