/* rondo show: what was said and done in a run. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/run_screen.h"

struct show_command {
	bool normal, diff, json;
	const char *style;
};

#define AT(member) offsetof(struct show_command, member)

static const struct option options[] = {
	{.name = "diff", .kind = OPTION_BOOL, .offset = AT(diff), .help = "only its change, as git apply takes it"},
	{.name = "json", .kind = OPTION_BOOL, .offset = AT(json), .help = "its records as JSON Lines, the report last"},
	{.name = "normal", .kind = OPTION_BOOL, .offset = AT(normal),
		.help = "without times, ids and searches: the same for two runs that are equal"},
	RUN_SCREEN_STYLE(AT(style)),
	OPTION_END,
};

/* "run 20261121-101502-7c1e   shop, 3.1 s, repair, verified, branch rondo/..." */
static void show_head(struct screen *screen, const struct json *report, const char *dir, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	const char *branch = json_string(json_get(report, "fix"), "branch", NULL);
	const char *reason = json_string(report, "reason", NULL);
	if (!report) {
		printf("run %s   ended without a report: it was killed, or still goes on\n", file_name(dir));
		return;
	}
	clock_format_duration(json_int(report, "duration_ms", 0), time);
	AUTO_STRBUF name = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&name, json_string(report, "name", "?"));
	printf("run %s   %s, %s, %s, %s%s%s\n", screen_bold(screen, arena, json_string(report, "run", "?")), name.text,
		time, json_string(report, "coder", "?"), json_string(report, "outcome", "?"), branch ? ", branch " : "",
		branch ? branch : "");
	if (reason) {
		strbuf_reset(&name);
		utf8_show(&name, reason);
		puts(name.text);
	}
	putchar('\n');
}

/* A line for each that asked a model, or was asked. */
static void show_spending(const char *what, const struct json *rows, bool with_cost)
{
	for (const struct json *row = json_first(rows); row; row = json_next(row)) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		struct run_spending spending = {.calls = json_int(row, "calls", 0),
			.unknown_calls = json_int(row, "calls_of_unknown_usage", 0),
			.usage = {json_int(row, "prompt_tokens", 0), json_int(row, "completion_tokens", 0)},
			.cost_usd = json_number(row, "cost", -1)};
		utf8_show(&text, json_key(row));
		strbuf_adds(&text, ": ");
		run_spending_describe(&spending, with_cost, &text);
		printf("%s %s\n", what, text.text);
	}
}

static void show_stop(const struct json *report, struct arena *arena)
{
	const char *reason = json_string(report, "stopped_by", NULL);
	const struct json *stop = json_get(report, "stop"), *usage = json_get(report, "usage");
	if (!reason)
		return;
	printf("\nstopped %s: %s; %s\n", json_string(stop, "text", "before the chat came to an end"),
		screen_visible(arena, reason), json_string(report, "spent", "0 tokens"));
	if (json_bool(stop, "left_unexecuted", false))
		puts(RUN_LEFT_UNEXECUTED);
	show_spending("agent", json_get(usage, "by_agent"), false);
	show_spending("model", json_get(usage, "by_model"), true);
}

/* What was run to judge the fix, what was found by that, and what went. */
static void show_gate(const struct json *gate, struct arena *arena)
{
	static const struct {
		const char *key, *word;
	} lists[] = {{"evidence", "gate"}, {"findings", "look at"}, {"dropped", "dropped"}, {"left_out", "left out"}};
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct json *item = json_first(json_get(gate, lists[i].key)); item; item = json_next(item))
			printf("%s: %s\n", lists[i].word, screen_visible(arena, json_text(item, "")));
}

/* What was written beside the run's directory, by wish. */
static void show_copies(const struct json *fix, struct arena *arena)
{
	static const struct {
		const char *key, *word;
	} copies[] = {{"patch_copy", "patch, too"}, {"junit", "junit"}, {"pull_request", "pull request"}, {"applied_to", "applied to"}};
	for (size_t i = 0; i < ARRAY_SIZE(copies); i++) {
		const char *path = json_string(fix, copies[i].key, NULL);
		if (path)
			printf("%s: %s\n", copies[i].word, screen_path(arena, path));
	}
}

static void show_foot(const struct json *report, const char *dir, struct arena *arena)
{
	const char *patch = json_string(json_get(report, "fix"), "patch", NULL);
	const char *summary = json_string(report, "summary", NULL);
	show_stop(report, arena);
	if (summary && !json_get(report, "coder"))
		printf("\nsummary: %s\n\n", screen_visible(arena, summary));
	show_gate(json_get(report, "gate"), arena);
	if (patch)
		printf("patch: %s\n", screen_path(arena, patch));
	show_copies(json_get(report, "fix"), arena);
	printf("files: %s\n", screen_path(arena, dir));
}

static int show_transcript(const char *dir, const char *style, struct arena *arena, struct rondo_error *err)
{
	struct run_screen view;
	struct context_emit emit = {run_screen_emit, &view};
	AUTO_JSON *report = run_report_read(dir);
	run_screen_init(&view, style);
	view.transcript = view.reports = true;
	show_head(&view.screen, report, dir, arena);
	int status = run_replay(dir, &emit, err);
	run_screen_release(&view);
	if (status < 0)
		return -1;
	show_foot(report, dir, arena);
	return 0;
}

static int show_diff(const char *dir, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF patch = STRBUF_INIT(STRBUF_RECORD);
	struct screen screen;
	const char *path = arena_printf(arena, "%s/patch.diff", dir);
	if (!file_exists(path))
		return error_set(err, RONDO_ERROR_USAGE, "run %s changed nothing", file_name(dir));
	if (file_read(path, STRBUF_RECORD, &patch, err) < 0)
		return -1;
	screen_init(&screen);
	if (!screen.terminal)
		fwrite(patch.text, 1, patch.length, stdout);
	else
		screen_diff(&screen, patch.text);
	return 0;
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	const struct show_command *command = state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	const char *dir = run_find(arena, operands->n ? operands->items[0] : NULL, err);
	if (!dir)
		return -1;
	if (command->diff)
		return show_diff(dir, arena, err);
	if (!command->json && !command->normal)
		return show_transcript(dir, command->style, arena, err);
	int status = (command->json ? run_show_json : run_show_normal)(dir, &text, err);
	fputs(text.text, stdout);
	return status;
}

const struct cli_command show_command = {
	.name = "show",
	.summary = "what was said and done in a run",
	.usage = "[RUN] [--diff|--json|--normal|--style STYLE]",
	.details = "RUN is the beginning of a run's id, or last (the default).\n"
		   "\n"
		   "  rondo show --diff | git apply\n",
	.state_size = sizeof(struct show_command),
	.options = options,
	.most_operands = 1,
	.run = run,
};
