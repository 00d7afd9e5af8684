/* rondo show: what was said and done in a run. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/pager.h"
#include "cli/run_screen.h"
#include "cli/show.h"

enum { PROMPT_LINES = 6 };

struct show_command {
	bool normal, diff, json, prompts, tests, timeline, html, open, no_pager;
	const char *style;
};

#define AT(member) offsetof(struct show_command, member)

static const struct option options[] = {
	OPTION("diff", BOOL, AT(diff), "only its change, as git apply takes it"),
	OPTION("html", BOOL, AT(html),
		"write it as one HTML page: FILE, or report.html beside its report; - prints it"),
	OPTION("json", BOOL, AT(json), "its records as JSON Lines, the report last"),
	OPTION("normal", BOOL, AT(normal),
		"without times, ids and searches: the same for two runs that are equal"),
	OPTION("no-pager", BOOL, AT(no_pager), "all at once: no $RONDO_PAGER, $PAGER or less"),
	OPTION("open", BOOL, AT(open), "write that page, and open it in $BROWSER or by xdg-open"),
	OPTION("prompts", BOOL, AT(prompts), "what a model was sent beside the chat, in full"),
	OPTION("tests", BOOL, AT(tests), "each test before and after, what differs first"),
	OPTION("timeline", BOOL, AT(timeline), "when what was done, and how long it took"),
	RUN_SCREEN_STYLE(AT(style)),
	OPTION_END,
};

/* "run 20261121-101502-7c1e   shop, 3.1 s, repair, verified, branch rondo/..." */
static void show_head(struct screen *screen, const struct json *report, const char *dir)
{
	const char *branch = json_string(json_get(report, "fix"), "branch", NULL);
	const char *reason = json_string(report, "reason", NULL);
	if (!report) {
		printf("run %s   ended without a report: it was killed, or is still running\n",
			file_name(dir));
		return;
	}
	printf("run %s   %s, %s, %s, %s%s%s\n",
		screen_styled(screen, "1", json_string(report, "run", "?")),
		screen_visible(screen, json_string(report, "name", "?")),
		screen_time(screen, json_int(report, "duration_ms", 0)),
		json_string(report, "coder", json_string(report, "proposal", "?")),
		json_string(report, "outcome", "?"), branch ? ", branch " : "", branch ? branch : "");
	if (reason)
		puts(screen_visible(screen, reason));
	putchar('\n');
}

/* A line for each that asked a model, or was asked. */
static void show_spending(
	struct screen *screen, const char *what, const struct json *rows, bool with_cost)
{
	for (const struct json *row = json_first(rows); row; row = json_next(row)) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		struct run_spending spending = run_spending_read(row);
		run_spending_describe(&spending, with_cost, &text);
		printf("%s %s: %s\n", what, screen_visible(screen, json_key(row)), text.text);
	}
}

static void show_stop(struct screen *screen, const struct json *report)
{
	const char *reason = json_string(report, "stopped_by", NULL);
	const struct json *stop = json_get(report, "stop"), *usage = json_get(report, "usage");
	if (!reason)
		return;
	printf("\nstopped %s: %s; %s\n", json_string(stop, "text", "before the chat came to an end"),
		screen_visible(screen, reason), json_string(report, "spent", "0 tokens"));
	if (json_bool(stop, "left_unexecuted", false))
		puts(RUN_LEFT_UNEXECUTED);
	show_spending(screen, "agent", json_get(usage, "by_agent"), false);
	show_spending(screen, "model", json_get(usage, "by_model"), true);
}

/* The table of several attempts, as report.json has it. */
static void show_attempts(struct screen *screen, const struct json *report)
{
	struct run_report read = {0};
	run_report_attempts(report, &screen->arena, &read);
	if (read.n_attempts)
		putchar('\n');
	attempts_screen_result(screen, &read);
}

static void show_text(struct screen *screen, const char *word, const char *text)
{
	if (text)
		printf("%s: %s\n", word, screen_visible(screen, text));
}

static void show_texts(struct screen *screen, const char *word, const struct json *texts)
{
	for (const struct json *text = json_first(texts); text; text = json_next(text))
		show_text(screen, word, json_text(text, ""));
}

static void show_path(
	struct screen *screen, const char *word, const struct json *fix, const char *key)
{
	show_text(screen, word, screen_path(screen, json_string(fix, key, NULL)));
}

/* What else passed all tests, by the numbers that fix --take takes. */
static void show_choices(struct screen *screen, const struct json *search)
{
	size_t choice = (size_t)json_int(search, "choice", 1), i = 0;
	const struct json *other = json_first(json_get(search, "others"));
	for (; other; other = json_next(other))
		printf("also passes: %zu  %s\n", run_choice_number(choice, i++),
			screen_visible(screen, json_text(other, "")));
}

/* What was run to judge the fix, what was found by that, what went; and where all lies. */
static void show_foot(struct screen *screen, const struct json *report, const char *dir)
{
	const struct json *gate = json_get(report, "gate"), *fix = json_get(report, "fix");
	const char *summary = json_string(report, "summary", NULL);
	show_stop(screen, report);
	show_attempts(screen, report);
	if (summary && !json_get(report, "coder"))
		printf("\nsummary: %s\n\n", screen_visible(screen, summary));
	show_choices(screen, json_get(report, "search"));
	show_texts(screen, "gate", json_get(gate, "evidence"));
	show_texts(screen, "look at", json_get(gate, "findings"));
	show_texts(screen, "dropped", json_get(gate, "dropped"));
	show_texts(screen, "left out", json_get(gate, "left_out"));
	show_path(screen, "patch", fix, "patch");
	show_path(screen, "patch, too", fix, "patch_copy");
	show_path(screen, "junit", fix, "junit");
	show_path(screen, "pull request", fix, "pull_request");
	show_path(screen, "applied to", fix, "applied_to");
	show_text(screen, "files", screen_path(screen, dir));
}

static int show_transcript(
	const char *dir, const struct show_command *command, struct rondo_error *err)
{
	struct run_screen view;
	AUTO_JSON *report = run_report_read(dir);
	run_screen_init(&view, command->style);
	view.transcript = view.reports = true;
	view.prompt_lines = command->prompts ? SIZE_MAX : PROMPT_LINES;
	show_head(&view.screen, report, dir);
	int status = run_replay(dir, &(struct context_emit){run_screen_emit, &view}, err);
	if (status == 0)
		show_foot(&view.screen, report, dir);
	run_screen_release(&view);
	return status;
}

static int show_diff(const char *dir, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF patch = STRBUF_INIT(STRBUF_RECORD);
	AUTO_SCREEN screen;
	const char *path = arena_printf(arena, "%s/patch.diff", dir);
	screen_init(&screen);
	if (!file_exists(path))
		return error_set(err, RONDO_ERROR_USAGE, "run %s changed nothing", file_name(dir));
	if (file_read(path, STRBUF_RECORD, &patch, err) < 0)
		return -1;
	bool is_shown = screen.is_read || screen.colour;
	if (!is_shown)
		fwrite(patch.text, 1, patch.length, stdout);
	const char *at = is_shown ? patch.text : "";
	for (size_t n; n = strcspn(at, "\n"), *at; at += n + (at[n] == '\n'))
		puts(screen_diff_line(&screen, arena_strndup(arena, at, n)));
	return 0;
}

static int show_what(const struct show_command *command, const char *dir, struct arena *arena,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (command->diff)
		return show_diff(dir, arena, err);
	if (command->tests)
		return show_tests(dir, arena, err);
	if (command->timeline)
		return show_timeline(dir, arena, err);
	if (!command->json && !command->normal)
		return show_transcript(dir, command, err);
	int status = (command->json ? run_show_json : run_show_normal)(dir, &text, err);
	fputs(text.text, stdout);
	return status;
}

/* Each of these prints something else; of two, one would be passed over. */
static int show_check_options(const struct show_command *command, struct rondo_error *err)
{
	const struct {
		bool is_asked;
		const char *name;
	} views[] = {
		{command->diff, "--diff"},
		{command->html, "--html"},
		{command->json, "--json"},
		{command->normal, "--normal"},
		{command->open && !command->html, "--open"},
		{command->prompts, "--prompts"},
		{command->tests, "--tests"},
		{command->timeline, "--timeline"},
	};
	const char *first = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(views); i++) {
		if (first && views[i].is_asked)
			return error_set(
				err, RONDO_ERROR_USAGE, "%s and %s cannot stand together", first, views[i].name);
		if (views[i].is_asked)
			first = views[i].name;
	}
	return 0;
}

CLI_RUN(show)
{
	const struct show_command *command = state;
	struct pager pager;
	if (show_check_options(command, err) < 0)
		return -1;
	if (command->html || command->open)
		return show_html(operands, command->open, arena, err);
	if (operands->n > 1)
		return error_set(err, RONDO_ERROR_USAGE, "a second operand, '%s', is a file for --html",
			operands->items[1]);
	const char *dir = run_find(arena, operands->items[0], err);
	if (!dir)
		return -1;
	pager_begin(&pager, !command->no_pager);
	int status = show_what(command, dir, arena, err);
	pager_end(&pager);
	return status;
}

const struct cli_command show_command = {
	.name = "show",
	.summary = "what was said and done in a run",
	.usage = "[RUN|DIR] [FILE] [options]",
	.details = "RUN is the beginning of a run's id, or last (the default). DIR is a batch's, for\n"
			   "--html: a page with a table and plots, and a page of each run.\n"
			   "\n"
			   "  rondo show --diff | git apply\n"
			   "  rondo show --open            look at the last run in a browser\n",
	.state_size = sizeof(struct show_command),
	.options = options,
	.fallback = "last",
	.most_operands = 2,
	.takes_run = true,
	.run = show_run,
};
