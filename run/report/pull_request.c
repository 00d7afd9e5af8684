#include "run/report/pull_request.h"

#include <string.h>

#include "run/report/evidence.h"
#include "run/report/markdown.h"

/* Who made it, at what cost. */
static void add_origin(struct strbuf *sb, const struct run_result *result)
{
	strbuf_addf(sb, "\n---\n\nMade by rondo %s, run `%s`", rondo_version(), result->id);
	if (!result->models) {
		strbuf_addf(sb, "; no model was asked.\n");
		return;
	}
	strbuf_adds(sb, "; model ");
	markdown_add_code(sb, result->models);
	strbuf_addf(sb, ", %s.\n", result->spent ? result->spent : "cost unknown");
}

void pull_request_write(const struct run_result *result, const char *title, struct strbuf *sb)
{
	strbuf_addf(sb, "%s\n", title);
	evidence_add_goal(sb, result);
	evidence_add_change(sb, result);
	evidence_add_verification(sb, result);
	evidence_add_remarks(sb, result);
	evidence_add_limits(sb, result);
	add_origin(sb, result);
}
