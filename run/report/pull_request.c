#include "run/report/pull_request.h"

#include <string.h>

#include "run/report/evidence.h"
#include "run/report/markdown.h"

/* Who made it, at what cost. */
static void add_origin(struct strbuf *sb, const struct run_report *report)
{
	strbuf_addf(sb, "\n---\n\nMade by rondo %s, run `%s`", rondo_version(), report->id);
	if (!report->spent.models) {
		strbuf_addf(sb, "; no model was asked.\n");
		return;
	}
	strbuf_adds(sb, "; model ");
	markdown_add_code(sb, report->spent.models);
	strbuf_addf(sb, ", %s.\n", report->spent.text ? report->spent.text : "cost unknown");
}

void pull_request_write(const struct run_report *report, const char *title, struct strbuf *sb)
{
	strbuf_addf(sb, "%s\n", title);
	evidence_add_goal(sb, report);
	evidence_add_change(sb, report);
	evidence_add_verification(sb, report);
	evidence_add_remarks(sb, report);
	evidence_add_limits(sb, report);
	add_origin(sb, report);
}
