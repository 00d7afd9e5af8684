#include "cli/run_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"

#define SHOWN_TESTS 5
#define SHOWN_DIFF_LINES 4
#define SHORT_HASH 7

void run_screen_init(struct run_screen *view)
{
	*view = (struct run_screen){.started_at_ms = clock_now_ms()};
	screen_init(&view->screen);
}

static const char *visible(struct arena *arena, const char *text)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	utf8_show(&sb, text);
	return arena_strdup(arena, sb.text);
}

/* Cut in the middle, never at the end that tells tests apart. */
static const char *middle_cut(struct arena *arena, const char *text, size_t most)
{
	size_t n = strlen(text), head = most / 3;
	if (n <= most)
		return text;
	while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
		head--;
	const char *tail = text + n - (most - head - 3);
	while (((unsigned char)*tail & 0xc0) == 0x80)
		tail++;
	return arena_printf(arena, "%.*s...%s", (int)head, text, tail);
}

static const char *work_state(const struct json *base, struct arena *arena)
{
	int modified = (int)json_int(base, "modified", 0), untracked = (int)json_int(base, "untracked", 0);
	int deleted = (int)json_int(base, "deleted", 0);
	AUTO_STRBUF text = STRBUF_INIT(256);
	if (modified)
		strbuf_addf(&text, ", %d modified", modified);
	if (untracked)
		strbuf_addf(&text, ", %d untracked", untracked);
	if (deleted)
		strbuf_addf(&text, ", %d deleted", deleted);
	if (!json_bool(base, "snapshot", false))
		return ", clean";
	return arena_printf(arena, "%s: taken as a snapshot", text.text);
}

static void show_suite(struct run_screen *view, const struct json *base, struct arena *arena)
{
	AUTO_STRBUF also = STRBUF_INIT(STRBUF_LINE);
	const struct json *other = json_first(json_get(base, "also"));
	for (; other; other = json_next(other))
		strbuf_addf(&also, "%s%s", also.length ? ", " : "; also found: ", json_text(other, ""));
	screen_line(&view->screen, GLYPH_NEUTRAL, "tests       %-18s  %s",
		middle_cut(arena, visible(arena, json_string(base, "command", "?")), 48),
		screen_dim(&view->screen, arena,
			arena_printf(arena, "%s%s", json_string(base, "origin", ""), also.text)));
}

static const char *describe_executor(const struct json *base, const char *executor)
{
	if (strcmp(executor, "sandbox") != 0)
		return "local: no sandbox, as you wished";
	bool network = strcmp(json_string(base, "network", "none"), "none") != 0;
	return network ? "sandbox bubblewrap, with this machine's network" : "sandbox bubblewrap, no network";
}

static void show_base(struct run_screen *view, const char *data, struct arena *arena)
{
	struct rondo_error err;
	AUTO_JSON *base = json_parse(data, strlen(data), &err);
	const char *name = visible(arena, json_string(base, "name", "?"));
	const char *branch = json_string(base, "branch", NULL);
	if (json_bool(base, "repository", false))
		screen_line(&view->screen, GLYPH_NEUTRAL, "repository  %s (%s %.*s%s)", name,
			branch ? arena_printf(arena, "%s at", visible(arena, branch)) : "detached at", SHORT_HASH,
			json_string(base, "head", ""), work_state(base, arena));
	else
		screen_line(&view->screen, GLYPH_NEUTRAL, "%s%s", json_get(base, "command") ? "program     " : "scenario    ", name);
	if (json_get(base, "command"))
		show_suite(view, base, arena);
	const char *coder = json_string(base, "coder", NULL), *executor = json_string(base, "executor", NULL);
	if (!executor)
		return;
	const char *what = describe_executor(base, executor);
	if (coder)
		screen_line(&view->screen, GLYPH_NEUTRAL, "coder       %s  %s", coder, what);
	else
		screen_line(&view->screen, GLYPH_NEUTRAL, "executor    %s", what);
}

/* Its id, and beside it as much of why it failed as a third of the line holds. */
static void show_test(struct run_screen *view, const char *id, const char *message, struct arena *arena)
{
	size_t room = view->screen.columns - 18, n = strlen(message);
	size_t message_room = n < room / 3 ? n : room / 3;
	const char *end = n > message_room ? "..." : "";
	screen_line(&view->screen, GLYPH_NONE, "            %s    %.*s%s",
		middle_cut(arena, id, room - message_room),
		(int)screen_fitting(message, message_room - strlen(end)), message, end);
}

static void show_baseline(struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	struct rondo_error err;
	char time[CLOCK_DATE_SIZE];
	AUTO_JSON *baseline = json_parse(event->data, strlen(event->data), &err);
	const struct json *goal = json_get(baseline, "goal");
	size_t n = json_count(goal), n_flaky = json_count(json_get(baseline, "flaky")), shown = 0;
	clock_format_duration(json_int(baseline, "duration_ms", 0), time);
	screen_line(&view->screen, n ? GLYPH_FAILED : GLYPH_DONE, "baseline    %s      %s", event->text,
		screen_dim(&view->screen, arena, time));
	for (const struct json *test = json_first(goal); test && shown < SHOWN_TESTS; test = json_next(test), shown++)
		show_test(view, visible(arena, json_string(test, "id", "?")),
			visible(arena, json_string(test, "message", "")), arena);
	if (n > shown)
		screen_line(&view->screen, GLYPH_NONE, "            and %zu more", n - shown);
	if (n_flaky)
		screen_line(&view->screen, GLYPH_LOOK, "flaky       %zu test%s differ from run to run: counted neither way",
			n_flaky, n_flaky == 1 ? "" : "s");
}

/* The whole of what was said, under who said it; what is changed in it in the colours of a diff. */
static void show_in_full(struct run_screen *view, const struct rondo_message *message, struct arena *arena)
{
	bool diff = false;
	screen_live_end(&view->screen);
	printf("---------- %s ----------\n", screen_speaker(&view->screen, arena, message->source));
	for (const char *at = message->content; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const char *line = arena_strndup(arena, at, strcspn(at, "\n"));
		if (strncmp(line, "```", 3) == 0)
			diff = strcmp(line, "```diff") == 0 || strcmp(line, "```patch") == 0;
		puts(diff ? screen_diff_line(&view->screen, arena, line) : visible(arena, line));
	}
	putchar('\n');
	fflush(stdout);
}

static void show_message(struct run_screen *view, const struct rondo_message *message, struct arena *arena)
{
	if (view->transcript) {
		show_in_full(view, message, arena);
		view->in_chat = true;
		return;
	}
	if (strcmp(message->source, "user") == 0)
		return;
	if (!view->in_chat)
		screen_line(&view->screen, GLYPH_NONE, "%s", "");
	view->in_chat = true;
	const char *name = screen_bold(&view->screen, arena, message->source);
	int pad = (int)strlen(message->source) < 10 ? 10 - (int)strlen(message->source) : 0;
	const char *text = visible(arena, message->content);
	for (size_t n; *text; text += n + (text[n] == '\n' || text[n] == ' ')) {
		n = screen_fold(&view->screen, text, 11);
		screen_live_end(&view->screen);
		printf("%s%*s %.*s\n", name, pad, "", (int)n, text);
		name = "";
		pad = 10;
	}
	fflush(stdout);
}

static void show_progress(struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(clock_now_ms() - view->started_at_ms, time);
	screen_live(&view->screen,
		arena_printf(arena, "%-10s %s   %s", event->source ? event->source : "", time, event->text));
}

void run_screen_emit(void *owner, const struct rondo_event *event)
{
	struct run_screen *view = owner;
	AUTO_ARENA arena = ARENA_INIT;
	switch (event->type) {
	case RONDO_EVENT_BASE:
		show_base(view, event->data, &arena);
		break;
	case RONDO_EVENT_BASELINE:
		show_baseline(view, event, &arena);
		break;
	case RONDO_EVENT_NOTICE:
		screen_line(&view->screen, GLYPH_LOOK, "%s", visible(&arena, event->text));
		break;
	case RONDO_EVENT_MESSAGE:
		show_message(view, event->message, &arena);
		break;
	case RONDO_EVENT_PROGRESS:
		show_progress(view, event, &arena);
		break;
	case RONDO_EVENT_RUN_START:
	case RONDO_EVENT_TURN_START:
	case RONDO_EVENT_TURN_END:
	case RONDO_EVENT_VERDICT:
	case RONDO_EVENT_RUN_END:
		break;
	}
}

/* The changed lines of a small diff; a large one is looked at by the command below. */
static void show_diff(struct run_screen *view, const char *patch, struct arena *arena)
{
	const char *lines[SHOWN_DIFF_LINES + 1];
	size_t n = 0;
	for (const char *at = patch; *at && n <= SHOWN_DIFF_LINES; at += strcspn(at, "\n"), at += *at == '\n')
		if ((*at == '+' && strncmp(at, "+++ ", 4) != 0) || (*at == '-' && strncmp(at, "--- ", 4) != 0))
			lines[n++] = arena_strndup(arena, at, strcspn(at, "\r\n"));
	if (!n || n > SHOWN_DIFF_LINES)
		return;
	screen_line(&view->screen, GLYPH_NONE, "%s", "");
	for (size_t i = 0; i < n; i++)
		screen_line(&view->screen, GLYPH_NONE, "   %s", screen_diff_line(&view->screen, arena, lines[i]));
	screen_line(&view->screen, GLYPH_NONE, "%s", "");
}

static void show_change(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	const char *stat = visible(arena, result->stat);
	for (const char *label = "change"; *stat; label = "") {
		int n = (int)strcspn(stat, "\n");
		screen_line(&view->screen, GLYPH_NONE, " %-8s %.*s", label, n, stat);
		stat += n + (stat[n] == '\n');
	}
	show_diff(view, result->patch, arena);
}

static void show_verified(struct run_screen *view, const struct run_result *result, const char *take,
	struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	clock_format_duration(result->duration_ms, time);
	screen_line(screen, GLYPH_DONE,
		"verified in a fresh checkout: %zu of %zu passed (was %zu), nothing newly skipped",
		result->n_passed_after, result->n_tests, result->n_passed_before);
	const char *on = result->branch_at ? result->branch_at : "HEAD";
	if (result->commit)
		screen_line(screen, GLYPH_NONE, " branch   %s    %zu commit%s on %s, %s in all", result->branch,
			result->n_commits, result->n_commits == 1 ? "" : "s", on, time);
	show_change(view, result, arena);
	if (result->models)
		screen_line(screen, GLYPH_NONE, " model    %s, %s", visible(arena, result->models), result->spent);
	if (result->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", result->n_asserts, result->n_asserts);
	if (result->applied_to)
		screen_line(screen, GLYPH_NONE, " applied  to %s", screen_path(arena, result->applied_to));
	if (result->patch_copy)
		screen_line(screen, GLYPH_NONE, " patch    %s", result->patch_copy);
	if (result->commit) {
		screen_line(screen, GLYPH_NONE, " look     git diff %s...%s", on, result->branch);
		screen_line(screen, GLYPH_NONE, " take it  git merge %s", result->branch);
		screen_line(screen, GLYPH_NONE, " drop it  git branch -D %s        more  rondo show", result->branch);
	} else {
		screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, result->files));
		screen_line(screen, GLYPH_NONE, " patch    %s", screen_path(arena, result->patch_path));
		if (!result->applied_to && take)
			screen_line(screen, GLYPH_NONE, " take it  %s        more  rondo show", take);
	}
}

static void show_not_fixed(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	clock_format_duration(result->duration_ms, time);
	screen_line(screen, GLYPH_FAILED, "not fixed: %zu of %zu goal test%s still fail%s   %s in all",
		result->n_goal - result->n_fixed, result->n_goal, result->n_goal == 1 ? "" : "s",
		result->n_goal == 1 ? "s" : "", time);
	if (result->stop_reason)
		screen_line(screen, GLYPH_NONE, " why      %s", visible(arena, result->stop_reason));
	if (result->models)
		screen_line(screen, GLYPH_NONE, " model    %s, %s", visible(arena, result->models), result->spent);
	if (result->patch_path)
		screen_line(screen, GLYPH_NONE, " best     %s   kept as %s",
			result->what ? visible(arena, result->what) : "", screen_path(arena, result->patch_path));
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

/* "! cannot judge: why" or "FAIL refused: why", and what helps. */
static void show_reason(struct run_screen *view, enum screen_glyph glyph, const char *what,
	const struct run_result *result, struct arena *arena)
{
	screen_line(&view->screen, glyph, "%s: %s", what, visible(arena, result->reason ? result->reason : ""));
	if (result->help)
		screen_line(&view->screen, GLYPH_NONE, " help     %s", visible(arena, result->help));
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

/* A chat that is no fix: why it stopped, what it wrote, what it cost. */
static void show_done(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	bool done = result->outcome == RUN_DONE;
	clock_format_duration(result->duration_ms, time);
	screen_line(screen, done ? GLYPH_DONE : GLYPH_FAILED, "%s: %s   %d turn%s, %s, %s",
		done ? "done" : "stopped", visible(arena, result->reason ? result->reason : ""), result->turns,
		result->turns == 1 ? "" : "s", result->spent ? result->spent : "0 tokens", time);
	if (result->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", result->n_asserts, result->n_asserts);
	if (result->files)
		screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, result->files));
	if (result->stat)
		show_change(view, result, arena);
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

static void show_asserts(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	screen_line(&view->screen, GLYPH_FAILED, "%s", result->reason);
	for (const char *at = visible(arena, result->failed_asserts); *at; at += strcspn(at, "\n"), at += *at == '\n')
		screen_line(&view->screen, GLYPH_NONE, " %.*s", (int)strcspn(at, "\n"), at);
	screen_line(&view->screen, GLYPH_NONE, " stopped  %s", visible(arena, result->stop_reason ? result->stop_reason : ""));
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

void run_screen_result(struct run_screen *view, const struct run_result *result, const char *take,
	struct arena *arena)
{
	if (view->in_chat && !view->transcript)
		screen_line(&view->screen, GLYPH_NONE, "%s", "");
	switch (result->outcome) {
	case RUN_VERIFIED:
		show_verified(view, result, take, arena);
		break;
	case RUN_NOTHING_FAILS:
		screen_line(&view->screen, GLYPH_DONE, "%s: %zu of %zu passed, twice",
			visible(arena, result->reason), result->n_passed_before, result->n_tests);
		break;
	case RUN_DRY_RUN:
		screen_line(&view->screen, GLYPH_NEUTRAL, "limits      %s", result->limits);
		screen_line(&view->screen, GLYPH_NEUTRAL, "dry run     nothing was run or written");
		break;
	case RUN_NOT_FIXED:
		show_not_fixed(view, result, arena);
		break;
	case RUN_REFUSED:
		show_reason(view, GLYPH_FAILED, "refused", result, arena);
		break;
	case RUN_ENVIRONMENT_BROKEN:
	case RUN_SUITE_BROKEN:
	case RUN_ONLY_FLAKY:
		show_reason(view, GLYPH_LOOK, "cannot judge", result, arena);
		break;
	case RUN_DONE:
	case RUN_STOPPED:
		show_done(view, result, arena);
		break;
	case RUN_ASSERT_FAILED:
		show_asserts(view, result, arena);
		break;
	case RUN_OUTCOMES:
		break;
	}
}
