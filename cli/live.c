#include "cli/live.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "base/utf8.h"

#define SAID_KEPT ((size_t)4 << 10)

void live_init(struct live *live, struct screen *screen)
{
	pthread_condattr_t attributes;
	*live = (struct live){.screen = screen,
		.started_at_ms = clock_now_ms(),
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

static void live_draw(struct live *live)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	char time[CLOCK_DATE_SIZE];
	if (!live->who.length || live->is_paused)
		return;
	clock_format_duration(clock_now_ms() - live->started_at_ms, time);
	strbuf_addf(&line, "%-10s %s   %s", live->who.text, time, live->doing.text);
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
	live->is_paused = true;
	screen_live_end(live->screen);
	pthread_mutex_unlock(&live->lock);
}

void live_resume(struct live *live)
{
	pthread_mutex_lock(&live->lock);
	live->is_paused = false;
	pthread_mutex_unlock(&live->lock);
}

/* --- What is done and said --- */

void live_do(struct live *live, const char *who, const char *doing)
{
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
	strbuf_reset(&live->who);
	screen_live_end(live->screen);
}
