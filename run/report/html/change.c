/* The section of the diff. */
#include "base/file.h"
#include "run/report/html/html.h"

void html_add_change(struct strbuf *sb, const struct html_run *run)
{
	struct rondo_error ignored;
	AUTO_STRBUF patch = STRBUF_INIT(STRBUF_RECORD);
	const char *path = arena_printf(run->arena, "%s/patch.diff", run->dir);
	if (!file_exists(path) || file_read(path, STRBUF_RECORD, &patch, &ignored) < 0)
		return;
	const struct json *fix = json_get(run->report, "fix");
	html_section(sb, "change", "The change");
	html_element(sb, "p", NULL, json_string(fix, "what", NULL));
	html_add_diff(sb, patch.text, patch.length, run->arena);
	strbuf_adds(sb, "</section>\n");
}
