#include "cli/live.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "base/utf8.h"

#define SAID_KEPT ((size_t)4 << 10)
#define IDLE_MS 300    /* until the phase is shown where nothing else is told */
#define LEAST_DOING 58 /* columns that the end of the line leaves for what is done */

enum { BAR = 20 }; /* columns */

void live_init(struct live *live, struct screen *screen)
{
	pthread_condattr_t attributes;
	*live = (struct live){.screen = screen,
		.started_at_ms = clock_now_ms(),
		.idle_since_ms = clock_now_ms(),
		.who = STRBUF_INIT(STRBUF_LINE),
		.doing = STRBUF_INIT(STRBUF_LINE),
		.speaker = STRBUF_INIT(STRBUF_LINE),
		.said = STRBUF_INIT(STRBUF_TEXT),
		.lock = PTHREAD_MUTEX_INITIALIZER};
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&live->over, &attributes);
	pthread_condattr_destroy(&attributes);
}

void live_release(struct live *live)
{
	live_stop(live);
	strbuf_release(&live->who);
	strbuf_release(&live->doing);
	strbuf_release(&live->speaker);
	strbuf_release(&live->said);
	pthread_cond_destroy(&live->over);
}

/* "[#####...............] " */
static void live_add_bar(const struct live *live, struct strbuf *sb)
{
	int64_t done = live->done < 0 ? 0 : live->done < live->total ? live->done : live->total;
	for (int i = 0; i < BAR; i++)
		strbuf_addf(sb, "%s%c", i ? "" : "[", (int64_t)i * live->total < BAR * done ? '#' : '.');
	strbuf_adds(sb, "] ");
}

/* "   [fixing, 29 min left]": where the run is, and how long it may take. */
static void live_add_phase(const struct live *live, int64_t now_ms, struct strbuf *sb)
{
	int64_t left_s = (live->ends_at_ms - now_ms) / 1000;
	bool is_long = left_s >= 120;
	if (!live->phase)
		return;
	strbuf_addf(sb, "   [%s", live->phase);
	if (left_s > 0)
		strbuf_addf(
			sb, ", %d %s left", (int)(is_long ? left_s / 60 : left_s), is_long ? "min" : "s");
	strbuf_addc(sb, ']');
}

/* What is said without a bar and an end goes to a pipe as well. */
static void live_compose(const struct live *live, int64_t now_ms, struct strbuf *line)
{
	AUTO_STRBUF doing = STRBUF_INIT(STRBUF_LINE), end = STRBUF_INIT(STRBUF_LINE);
	bool is_told = live->who.length, is_drawn = live->screen->terminal;
	size_t columns = live->screen->columns - 1;
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(now_ms - live->started_at_ms, time);
	strbuf_addf(line, "%-10s %s   ", is_told ? live->who.text : "rondo", time);
	if (is_drawn && is_told && live->total > 0)
		live_add_bar(live, line);
	utf8_show(&doing, is_told ? live->doing.text : "");
	if (is_drawn)
		live_add_phase(live, now_ms, &end);
	size_t taken = utf8_columns(line->text, line->length) + utf8_columns(end.text, end.length);
	size_t room = columns > taken ? columns - taken : 0;
	size_t n = utf8_fitting(doing.text, room);
	bool fits = is_drawn && (n == doing.length || room >= LEAST_DOING);
	if (fits)
		strbuf_addf(line, "%.*s%s", (int)n, doing.text, end.text + (n ? 0 : strspn(end.text, " ")));
	else
		strbuf_adds(line, doing.text);
}

static void live_draw(struct live *live)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	int64_t now_ms = clock_now_ms();
	bool is_idle = live->ticks && live->phase && now_ms - live->idle_since_ms >= IDLE_MS;
	if (!live->who.length && !is_idle)
		return;
	live_compose(live, now_ms, &line);
	screen_live(live->screen, live->said.text, line.text);
}

/* --- The clock --- */

static void live_wait(struct live *live)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += SCREEN_REDRAW_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_cond_timedwait(&live->over, &live->lock, &until);
}

static void *live_tick(void *owner)
{
	struct live *live = owner;
	pthread_mutex_lock(&live->lock);
	while (live->ticks) {
		live_draw(live);
		live_wait(live);
	}
	pthread_mutex_unlock(&live->lock);
	return NULL;
}

void live_start(struct live *live)
{
	live->ticks = live->screen->terminal;
	if (live->ticks && thread_start(&live->ticker, live_tick, live) != 0)
		live->ticks = false; /* without a clock, then */
}

void live_stop(struct live *live)
{
	pthread_mutex_lock(&live->lock);
	bool ticked = live->ticks;
	live->ticks = false;
	live_done(live);
	pthread_cond_signal(&live->over);
	pthread_mutex_unlock(&live->lock);
	if (ticked)
		pthread_join(live->ticker, NULL);
}

void live_pause(struct live *live)
{
	pthread_mutex_lock(&live->lock);
	screen_live_end(live->screen);
}

void live_resume(struct live *live)
{
	pthread_mutex_unlock(&live->lock);
}

/* --- What is done and said --- */

void live_enter(struct live *live, const char *phase)
{
	live->phase = phase;
}

void live_do(struct live *live, const char *who, const char *doing)
{
	live_do_part(live, who, doing, 0, 0);
}

void live_do_part(
	struct live *live, const char *who, const char *doing, int64_t done, int64_t total)
{
	live->done = done;
	live->total = total;
	strbuf_reset(&live->who);
	strbuf_adds(&live->who, who);
	strbuf_reset(&live->doing);
	strbuf_adds(&live->doing, doing);
	live_draw(live);
}

/* To a pipe: the lines that are whole, with who says them. */
static void live_print_lines(struct live *live)
{
	struct strbuf *said = &live->said;
	const char *line = said->text, *end;
	for (; (end = strchr(line, '\n')); line = end + 1)
		screen_line(
			live->screen, GLYPH_NONE, "%-10s | %.*s", live->speaker.text, (int)(end - line), line);
	size_t n = (size_t)(line - said->text);
	memmove(said->text, line, said->length - n);
	strbuf_truncate(said, said->length - n);
}

/* On a terminal, no more of it is seen. */
static void live_keep_end(struct strbuf *said)
{
	size_t cut = said->length > 2 * SAID_KEPT ? said->length - SAID_KEPT : 0;
	while (cut && ((unsigned char)said->text[cut] & 0xc0) == 0x80)
		cut++;
	memmove(said->text, said->text + cut, said->length - cut);
	strbuf_truncate(said, said->length - cut);
}

/* The text that came so far has ended. */
static void live_end_said(struct live *live)
{
	if (live->said.length && !live->screen->terminal) {
		strbuf_addc(&live->said, '\n');
		live_print_lines(live);
	}
	strbuf_reset(&live->said);
}

void live_hear(struct live *live, const char *speaker, const char *text, bool begins)
{
	if (!live->streams)
		return;
	if (begins)
		live_end_said(live);
	strbuf_reset(&live->speaker);
	strbuf_adds(&live->speaker, speaker);
	strbuf_adds(&live->said, text);
	if (!live->screen->terminal) {
		live_print_lines(live);
		return;
	}
	live_keep_end(&live->said);
	live_draw(live);
}

void live_done(struct live *live)
{
	live_end_said(live);
	if (live->who.length)
		live->idle_since_ms = clock_now_ms();
	strbuf_reset(&live->who);
	screen_live_end(live->screen);
}
