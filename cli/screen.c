#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/cli.h"

#define PIPED_COLUMNS 160 /* nobody's window, but still a line */
#define LEAST_ROOM 20
#define LIVE_LINES (LIVE_LINES_MOST - 1) /* above the line that tells what is done now */

static const struct {
	const char *unicode, *ascii, *style;
} glyphs[] = {
	[GLYPH_DONE] = {"\u2713", "ok", "32"},
	[GLYPH_FAILED] = {"\u2717", "FAIL", "31"},
	[GLYPH_LOOK] = {"!", "!", "33"},
	[GLYPH_NEUTRAL] = {"\u00b7", "-", ""},
	[GLYPH_NONE] = {" ", " ", ""},
};

/* What holds for all screens of this process. */
static struct {
	const char *colour;   /* one of screen_colours; NULL: the first */
	size_t paged_columns; /* of the pager's terminal; 0: there is no pager */
} screens;

const char *const screen_colours[] = {"auto", "always", "never", NULL};

void screen_choose_colour(const char *when)
{
	screens.colour = when;
}

/* 0: it is no terminal, or does not tell. */
static size_t screen_count_columns(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static bool screen_can_draw(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

void screen_set_paged(void)
{
	size_t columns = screen_count_columns();
	screens.paged_columns = columns ? columns : PIPED_COLUMNS;
}

static bool screen_has_colour(const struct screen *screen)
{
	const char *no_colour = getenv("NO_COLOR");
	if (screens.colour && strcmp(screens.colour, "auto") != 0)
		return strcmp(screens.colour, "always") == 0;
	return screen->is_read && !(no_colour && *no_colour);
}

void screen_measure(struct screen *screen)
{
	size_t columns = screen->terminal ? screen_count_columns() : screens.paged_columns;
	if (columns)
		screen->columns = columns;
}

void screen_init(struct screen *screen)
{
	setlocale(LC_CTYPE, "");
	setvbuf(stdout, NULL, _IOLBF, 0); /* who reads along has each line at once, also by a pipe */
	*screen = (struct screen){.columns = PIPED_COLUMNS, .drawn_at_ms = clock_now_ms()};
	screen->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	screen->terminal = screen_can_draw();
	screen->is_read = screen->terminal || screens.paged_columns;
	screen->colour = screen_has_colour(screen);
	screen_measure(screen);
}

void screen_release(struct screen *screen)
{
	arena_release(&screen->arena);
}

const char *screen_visible(struct screen *screen, const char *text)
{
	AUTO_STRBUF visible = STRBUF_INIT(STRBUF_TEXT);
	utf8_show(&visible, text);
	return arena_strdup(&screen->arena, visible.text);
}

const char *screen_styled(struct screen *screen, const char *style, const char *text)
{
	const char *visible = screen_visible(screen, text);
	if (!screen->colour || !*style)
		return visible;
	return arena_printf(&screen->arena, "\033[%sm%s\033[0m", style, visible);
}

void screen_blank(struct screen *screen)
{
	screen_live_end(screen);
	puts("");
}

void screen_line(struct screen *screen, enum screen_glyph glyph, const char *format, ...)
{
	AUTO_FREE char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		return;
	char *dim = text + strcspn(text, SCREEN_DIM);
	if (*dim)
		*dim++ = '\0';
	screen_live_end(screen);
	printf("%s %s%s\n",
		screen_styled(screen, glyphs[glyph].style,
			screen->unicode ? glyphs[glyph].unicode : glyphs[glyph].ascii),
		screen_visible(screen, text), *dim ? screen_styled(screen, "2", dim) : "");
}

void screen_row(struct screen *screen, const char *label, const char *text)
{
	for (; text && *text; label = label ? "" : NULL) {
		int n = (int)strcspn(text, "\n");
		if (label)
			screen_line(screen, GLYPH_NONE, " %-8s %.*s", label, n, text);
		else
			screen_line(screen, GLYPH_NONE, " %.*s", n, text);
		text += n + (text[n] == '\n');
	}
}

const char *screen_diff_line(struct screen *screen, const char *line)
{
	return screen_styled(screen, *line == '+' ? "32" : *line == '-' ? "31" : "0", line);
}

const char *screen_speaker(struct screen *screen, const char *name)
{
	static const char *const colours[] = {"1;36", "1;35", "1;34", "1;33"};
	unsigned sum = 0;
	for (const char *at = name; *at; at++)
		sum = sum * 31 + (unsigned char)*at;
	return screen_styled(screen, colours[sum % ARRAY_SIZE(colours)], name);
}

const char *screen_time(struct screen *screen, int64_t duration_ms)
{
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(duration_ms, time);
	return arena_strdup(&screen->arena, time);
}

const char *screen_path(struct screen *screen, const char *path)
{
	char here[PATH_MAX];
	const char *home = getenv("HOME");
	if (!path)
		return NULL;
	if (getcwd(here, sizeof here) && strcmp(here, "/") != 0 && file_is_below(path, here) &&
		strlen(path) > strlen(here))
		return path + strlen(here) + 1;
	if (home && *home && strcmp(home, "/") != 0 && file_is_below(path, home))
		return arena_printf(&screen->arena, "~%s", path + strlen(home));
	return path;
}

size_t screen_room(const struct screen *screen, size_t indent)
{
	return screen->columns > indent + LEAST_ROOM ? screen->columns - indent : LEAST_ROOM;
}

size_t screen_fold(const struct screen *screen, const char *text, size_t indent)
{
	size_t line = strcspn(text, "\n");
	size_t n = utf8_fitting(text, screen_room(screen, indent));
	if (n >= line)
		return line;
	for (size_t space = n; space > n / 2; space--)
		if (text[space] == ' ')
			return space;
	return n;
}

/* How many rows the live lines take: in a window that has become narrower they wrap. */
static size_t screen_live_rows(const struct screen *screen)
{
	size_t rows = 0;
	for (size_t i = 0; i < screen->n_live; i++) {
		size_t columns = screen->live_columns[i];
		rows += columns ? (columns + screen->columns - 1) / screen->columns : 1;
	}
	return rows;
}

/* Back to where the live lines begin, all of them gone. */
static void add_live_end(struct screen *screen, struct strbuf *sb)
{
	screen_measure(screen);
	size_t rows = screen_live_rows(screen);
	strbuf_adds(sb, "\r");
	if (rows > 1)
		strbuf_addf(sb, "\033[%zuA", rows - 1);
	strbuf_adds(sb, rows > 1 ? "\033[J" : "\033[K");
	screen->n_live = 0;
}

static void add_live(struct screen *screen, struct strbuf *sb, const char *text, size_t n)
{
	strbuf_add(sb, text, n);
	screen->live_columns[screen->n_live++] = utf8_columns(text, n);
}

/* Programs draw their progress anew, too: what stands behind the last carriage return of a line. */
static void add_redrawn(struct strbuf *sb, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), end = n;
		while (end && text[end - 1] == '\r')
			end--;
		size_t begin = end;
		while (begin && text[begin - 1] != '\r')
			begin--;
		strbuf_add(sb, text + begin, end - begin);
		strbuf_addc(sb, '\n');
		text += n + (text[n] == '\n');
	}
}

/* The last rows of a text, folded so that none wraps. */
static void add_live_above(struct screen *screen, struct strbuf *sb, const char *above)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT), visible = STRBUF_INIT(STRBUF_TEXT);
	struct {
		const char *at;
		size_t n;
	} rows[LIVE_LINES];
	size_t n_rows = 0;
	add_redrawn(&text, above);
	utf8_show(&visible, text.text);
	for (const char *at = visible.text; *at; n_rows++) {
		size_t line = strcspn(at, "\n"), n = utf8_fitting(at, screen->columns - 1);
		n = n && n < line ? n : line;
		rows[n_rows % LIVE_LINES].at = at;
		rows[n_rows % LIVE_LINES].n = n;
		at += n + (at[n] == '\n');
	}
	for (size_t i = n_rows < LIVE_LINES ? 0 : n_rows - LIVE_LINES; i < n_rows; i++) {
		strbuf_adds(sb, screen->colour ? "\033[2m" : "");
		add_live(screen, sb, rows[i % LIVE_LINES].at, rows[i % LIVE_LINES].n);
		strbuf_adds(sb, screen->colour ? "\033[0m\n" : "\n");
	}
}

void screen_live(struct screen *screen, const char *above, const char *text)
{
	AUTO_STRBUF drawn = STRBUF_INIT(STRBUF_TEXT), visible = STRBUF_INIT(STRBUF_LINE);
	int64_t now = clock_now_ms();
	if (!screen_is_due(screen, now))
		return;
	screen->drawn_at_ms = now;
	if (screen->terminal) {
		add_live_end(screen, &drawn);
		add_live_above(screen, &drawn, above);
	}
	utf8_show(&visible, text);
	size_t n = utf8_fitting(visible.text, screen->columns - 1);
	if (screen->terminal)
		add_live(screen, &drawn, visible.text, n);
	else
		strbuf_addf(&drawn, "%.*s\n", (int)n, visible.text);
	fputs(drawn.text, stdout);
	fflush(stdout);
}

void screen_live_end(struct screen *screen)
{
	AUTO_STRBUF drawn = STRBUF_INIT(STRBUF_LINE);
	if (!screen->n_live)
		return;
	add_live_end(screen, &drawn);
	fputs(drawn.text, stdout);
	fflush(stdout); /* before an error is printed there */
}

void screen_error(const struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&text, err->message);
	fprintf(stderr, "rondo: %s\n", text.text);
	strbuf_reset(&text);
	utf8_show(&text, err->help);
	if (text.length)
		fprintf(stderr, "  help  %s\n", text.text);
}
