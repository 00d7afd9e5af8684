/* rondo list: runs, the types that a scenario can name, the rules for a fix. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "cli/browser.h"

#define SHOWN_RUNS 20

struct list_command {
	bool all, html, open;
};

#define AT(member) offsetof(struct list_command, member)

static const struct option options[] = {
	OPTION("all", BOOL, AT(all), "all runs, not only the newest 20"),
	OPTION("html", BOOL, AT(html), "write all runs as HTML: a table, plots and a page a run"),
	OPTION("open", BOOL, AT(open), "so, and open it in $BROWSER or by xdg-open"),
	OPTION_END,
};

/* The date in a run's id, as people say it: "today 10:15", "yesterday", "2026-11-19". */
static const char *list_when(const char *id, struct arena *arena)
{
	if (strspn(id, "0123456789-") < strlen("YYYYMMDD-HHMMSS"))
		return "";
	for (int ago = 0; ago < 2; ago++) {
		char day[16];
		struct tm tm;
		time_t then = time(NULL) - (time_t)ago * 86400;
		strftime(day, sizeof day, "%Y%m%d", localtime_r(&then, &tm));
		if (text_starts_with(id, day))
			return ago ? "yesterday" : arena_printf(arena, "today %.2s:%.2s", id + 9, id + 11);
	}
	return arena_printf(arena, "%.4s-%.2s-%.2s", id, id + 4, id + 6);
}

static int list_runs(bool all, struct arena *arena, struct rondo_error *err)
{
	const char **ids;
	size_t n;
	if (run_list(arena, all ? SIZE_MAX : SHOWN_RUNS, &ids, &n, err) < 0)
		return -1;
	size_t shown = all || n < SHOWN_RUNS ? n : SHOWN_RUNS;
	AUTO_SCREEN screen;
	screen_init(&screen);
	for (size_t i = 0; i < shown; i++) {
		struct run_summary run;
		run_summary(ids[i], arena, &run);
		printf("%-22s  %-12s  %-16s  %-14s  %-22s  %-8s  ", run.id, list_when(ids[i], arena),
			screen_visible(&screen, run.name), run.outcome, run.tests, run.duration);
		puts(screen_visible(&screen, run.coder));
	}
	if (shown < n)
		printf("and %zu more: rondo list runs --all\n", n - shown);
	return 0;
}

static int list_config(bool all, struct arena *arena, struct rondo_error *err)
{
	(void)all;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (run_config(".", arena, &text, err) < 0)
		return -1;
	fputs(text.text, stdout);
	return 0;
}

static int list_rules(bool all, struct arena *arena, struct rondo_error *err)
{
	(void)all, (void)arena, (void)err;
	const char *name, *summary;
	bool marks;
	for (size_t i = 0; run_rule(i, &name, &summary, &marks); i++)
		printf("%-18s %-8s %s\n", name, marks ? "marks:" : "refuses:", summary);
	return 0;
}

static int list_models(bool all, struct arena *arena, struct rondo_error *err)
{
	(void)all, (void)err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	run_models(arena, &text);
	fputs(text.text, stdout);
	return 0;
}

static const struct {
	const char *name;
	int (*list)(bool all, struct arena *arena, struct rondo_error *err);
} lists[] = {
	{"runs", list_runs}, {"config", list_config}, {"rules", list_rules}, {"models", list_models}};

static void list_words(struct strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		strbuf_addf(sb, " %s", lists[i].name);
	for (const struct run_family *row = run_families; row->plural; row++)
		if (strcmp(row->plural, "models") != 0)
			strbuf_addf(sb, " %s", row->plural);
}

static int list_html(bool opens, struct arena *arena, struct rondo_error *err)
{
	const char *file;
	return run_list_html(arena, &file, err) < 0 ? -1 : browser_show(file, opens, err);
}

CLI_RUN(list)
{
	const struct list_command *command = state;
	const char *what = operands->items[0], **names = NULL;
	size_t n = 0;
	if ((command->html || command->open) && strcmp(what, "runs") == 0)
		return list_html(command->open, arena, err);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (strcmp(lists[i].name, what) == 0)
			return lists[i].list(command->all, arena, err);
		ARENA_PUSH(arena, names, n, lists[i].name);
	}
	for (const struct run_family *row = run_families; row->plural; row++) {
		struct option_type type;
		bool is_meant = strcmp(row->plural, what) == 0;
		for (size_t i = 0; is_meant && (type = row->family->type(i)).name; i++)
			printf("%-16s %s\n", type.name, type.summary);
		if (is_meant)
			return 0;
		ARENA_PUSH(arena, names, n, row->plural);
	}
	error_unknown(err, "nothing to list is called", what, names, n);
	return error_help(err, "rondo list --help");
}

const struct cli_command list_command = {
	.name = "list",
	.summary = "list runs, the types that a scenario can name, or the rules for a fix",
	.details = "  rondo list                 the newest runs\n"
			   "  rondo list config          each setting, and where it comes from\n"
			   "  rondo list rules           what a fix must not do\n"
			   "  rondo list models          who runs models, whose keys are set, where they are\n"
			   "  rondo list terminations    when a chat can stop\n"
			   "  rondo help text_mention    the options of one of them\n",
	.state_size = sizeof(struct list_command),
	.options = options,
	.fallback = "runs",
	.most_operands = 1,
	.words = list_words,
	.run = list_run,
};
