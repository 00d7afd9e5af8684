#include "cli/batch_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/utf8.h"

enum { NAME_COLUMNS = 28, TIME_COLUMNS = 12 };

/* "12 verified, 3 not fixed, 1 error" */
static const char *progress_counts(struct arena *arena, const struct batch_progress *progress)
{
	return arena_printf(arena, "%zu verified, %zu not fixed, %zu error%s", progress->n_verified,
		progress->n_failed, progress->n_errors, text_plural(progress->n_errors));
}

static void batch_show_begin(void *owner, const struct batch_progress *progress)
{
	struct batch_screen *view = owner;
	struct screen *screen = &view->screen;
	if (view->json || view->quiet)
		return;
	screen_line(screen, GLYPH_NEUTRAL, "batch       %s: %zu task%s%s",
		screen_path(screen, progress->dir), progress->n, text_plural(progress->n),
		progress->n_skipped
			? arena_printf(&screen->arena, ", %zu of them ended before", progress->n_skipped)
			: "");
}

/* What happens to jobs is said at once, also in a pipe. */
static void batch_show_told(void *owner, const char *text)
{
	struct batch_screen *view = owner;
	if (view->json || view->quiet)
		return;
	screen_line(&view->screen, GLYPH_NEUTRAL, "slurm       %s", text);
	fflush(stdout);
}

/* --- A task --- */

static const char *result_words(struct screen *screen, const struct batch_result *result)
{
	char *words = arena_strdup(&screen->arena, result->outcome);
	for (char *at = words; *at; at++)
		if (*at == '_')
			*at = ' ';
	if (result->exit_code == 0 && result->n_goal)
		return arena_printf(&screen->arena, "%s: %zu of %zu failing test%s pass%s", words,
			result->n_fixed, result->n_goal, text_plural(result->n_goal),
			result->n_goal == 1 ? "es" : "");
	if (!result->reason)
		return words;
	const char *reason =
		arena_strndup(&screen->arena, result->reason, strcspn(result->reason, "\n"));
	if (screen->terminal) /* one line a task */
		reason = utf8_cut_middle(&screen->arena, reason,
			screen_room(screen, NAME_COLUMNS + TIME_COLUMNS + strlen(words)));
	return arena_printf(&screen->arena, "%s: %s", words, reason);
}

static void batch_show_result(struct screen *screen, const struct batch_result *result)
{
	enum screen_glyph glyph = result->exit_code == 0 ? GLYPH_DONE
		: result->exit_code == 1                     ? GLYPH_FAILED
													 : GLYPH_LOOK;
	screen_line(screen, glyph, "%-*s  %s   " SCREEN_DIM "%s", NAME_COLUMNS,
		screen_visible(screen, result->name), result_words(screen, result),
		screen_time(screen, result->duration_ms));
}

static void batch_print_json(const struct batch_result *result)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "name", result->name);
	json_add_string(json, "outcome", result->outcome);
	json_add_int(json, "exit_code", result->exit_code);
	json_add_string(json, "reason", result->reason);
	json_add_string(json, "run", result->run);
	json_add_string(json, "branch", result->branch);
	AUTO_FREE char *line = json_print(json);
	puts(line);
	fflush(stdout);
}

static void batch_show_end(
	void *owner, const struct batch_result *result, const struct batch_progress *progress)
{
	struct batch_screen *view = owner;
	(void)progress;
	if (view->json)
		batch_print_json(result);
	else if (!view->quiet)
		batch_show_result(&view->screen, result);
	if (!view->json)
		screen_release(&view->screen);
	fflush(stdout);
}

/* --- What runs now --- */

static void batch_show_tick(void *owner, const struct batch_progress *progress)
{
	struct batch_screen *view = owner;
	struct screen *screen = &view->screen;
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF above = STRBUF_INIT(STRBUF_TEXT);
	char left[CLOCK_DATE_SIZE] = "";
	int64_t now_ms = clock_now_ms();
	if (!screen_is_due(screen, now_ms))
		return;
	for (size_t i = 0; i < progress->n_running; i++) {
		const struct batch_running *running = &progress->running[i];
		char time[CLOCK_DATE_SIZE];
		clock_format_duration(now_ms - running->started_at_ms, time);
		strbuf_addf(&above, "  %-*s  %8s  %s\n", NAME_COLUMNS, running->name, time, running->doing);
	}
	if (progress->left_ms >= 0)
		clock_format_duration(progress->left_ms, left);
	screen_live(screen, above.text,
		arena_printf(&scratch, "  %zu of %zu ended: %s%s%s%s%s", batch_ended(progress), progress->n,
			progress_counts(&scratch, progress), *progress->spent ? ", " : "", progress->spent,
			*left ? ", about " : "", *left ? arena_printf(&scratch, "%s left", left) : ""));
}

struct batch_view batch_screen_view(struct batch_screen *view)
{
	screen_init(&view->screen);
	bool is_live = view->screen.terminal && !view->json && !view->quiet;
	return (struct batch_view){.begun = batch_show_begin,
		.ended = batch_show_end,
		.tick = is_live ? batch_show_tick : NULL,
		.told = batch_show_told,
		.owner = view};
}

/* --- Its end --- */

/* "2 running, 3 not started: the budget of tokens is used up" */
static const char *progress_left(struct arena *arena, const struct batch_progress *progress)
{
	size_t n_left = progress->n - batch_ended(progress) - progress->n_running;
	const char *running = progress->n_running
		? arena_printf(arena, "%zu running%s", progress->n_running, n_left ? ", " : "")
		: "";
	if (!n_left)
		return running;
	return arena_printf(arena, "%s%zu not started%s%s", running, n_left,
		progress->stopped ? ": " : "", progress->stopped ? progress->stopped : "");
}

static void batch_print_json_end(const struct batch_progress *progress)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "type", "batch");
	json_add_string(json, "dir", progress->dir);
	json_add_int(json, "tasks", (int64_t)progress->n);
	json_add_int(json, "verified", (int64_t)progress->n_verified);
	json_add_int(json, "not_fixed", (int64_t)progress->n_failed);
	json_add_int(json, "errors", (int64_t)progress->n_errors);
	json_add_int(json, "not_started", (int64_t)(progress->n - batch_ended(progress)));
	json_add_string(json, "stopped", progress->stopped);
	json_add_string(json, "slurm", progress->slurm);
	json_add_int(json, "total_tokens", progress->tokens);
	json_add_number(json, "cost_usd", progress->usd);
	json_add_int(json, "duration_ms", progress->elapsed_ms);
	AUTO_FREE char *line = json_print(json);
	puts(line);
}

void batch_screen_end(struct batch_screen *view, const struct batch_progress *progress)
{
	struct screen *screen = &view->screen;
	const char *dir = screen_path(screen, progress->dir);
	size_t n_left = progress->n - batch_ended(progress);
	if (view->json) {
		batch_print_json_end(progress);
		return;
	}
	if (!view->quiet)
		screen_blank(screen);
	screen_line(screen, progress->n_verified == progress->n ? GLYPH_DONE : GLYPH_LOOK,
		"%s of %zu%s%s%s", progress_counts(&screen->arena, progress), progress->n,
		*progress->spent ? ", " : "", progress->spent,
		progress->elapsed_ms
			? arena_printf(&screen->arena, "   %s", screen_time(screen, progress->elapsed_ms))
			: "");
	if (n_left)
		screen_row(screen, "left", progress_left(&screen->arena, progress));
	screen_row(screen, "slurm", progress->slurm);
	screen_row(screen, "results", arena_printf(&screen->arena, "%s/results.jsonl", dir));
	if (n_left)
		screen_row(screen, "go on",
			arena_printf(
				&screen->arena, "rondo batch %s%s", dir, progress->slurm ? " --slurm" : ""));
	screen_release(screen);
}

void batch_screen_detach(struct batch_screen *view, const struct batch_progress *progress)
{
	struct screen *screen = &view->screen;
	const char *dir = screen_path(screen, progress->dir);
	if (view->json) {
		batch_print_json_end(progress);
		return;
	}
	screen_row(screen, "status", arena_printf(&screen->arena, "rondo batch --status %s", dir));
	screen_row(screen, "collect", arena_printf(&screen->arena, "rondo batch --collect %s", dir));
	screen_release(screen);
}
