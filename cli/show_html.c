/* rondo show --html: a run, or the runs of a batch, as pages for a browser. */
#include <stdio.h>
#include <string.h>

#include "cli/browser.h"
#include "cli/show.h"
#include "run/run.h"

/* "show --html FILE": an only operand that is named so is a file to write. */
static bool show_is_page(const char *operand)
{
	return strcmp(operand, "-") == 0 || text_ends_with(operand, ".html");
}

static int show_print_page(const char *dir, struct rondo_error *err)
{
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD * 4);
	if (run_show_html(dir, &page, err) < 0)
		return -1;
	fputs(page.text, stdout);
	return 0;
}

int show_html(const struct option_strings *operands, bool opens, struct arena *arena,
	struct rondo_error *err)
{
	const char *what = operands->items[0], *file = operands->n > 1 ? operands->items[1] : NULL;
	if (!file && show_is_page(what)) {
		file = what;
		what = "last";
	}
	if (run_is_batch(what)) {
		if (file)
			return error_set(err, RONDO_ERROR_USAGE,
				"the pages of a batch lie in its directory, not in '%s'", file);
		return run_batch_html(what, arena, &file, err) < 0 ? -1 : browser_show(file, opens, err);
	}
	const char *dir = run_find(arena, what, err);
	if (!dir)
		return -1;
	if (file && strcmp(file, "-") == 0)
		return show_print_page(dir, err);
	file = file ? file : arena_printf(arena, "%s/report.html", dir);
	return run_write_html(dir, file, err) < 0 ? -1 : browser_show(file, opens, err);
}
