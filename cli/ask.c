/*
 * A question at the terminal: libedit edits the line and remembers those before, also of earlier
 * runs. It reads through wait_for_input, so that a signal, the deadline and a terminal that was
 * closed end the wait at once; each way out leaves the terminal as it was.
 */
#include "cli/ask.h"

#include <errno.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"

#define LINES_REMEMBERED 500
#define LONGEST_ANSWER ((size_t)1 << 20)

#define N_LINE_SIGNALS 3

struct ask {
	struct cancel *cancel;
	struct screen *screen;
	struct arena arena;
	EditLine *line;
	History *history;
	const char *history_path; /* NULL: it is not kept */
	const char *prompt;
	int64_t deadline_ms;
	struct rondo_error *err; /* why there is no line */
	sigset_t outside;        /* signals that were blocked before the question */
	struct sigaction before[N_LINE_SIGNALS];
};

/* For handlers of signals. */
static struct termios terminal_before;
static volatile sig_atomic_t at_prompt, line_is_stale;

void ask_restore_terminal(void)
{
	if (at_prompt)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

/* --- Signals that only concern the line: Ctrl-Z, going on, another size of the window --- */

static const int line_signals[N_LINE_SIGNALS] = {SIGTSTP, SIGCONT, SIGWINCH};

static void on_line_signal(int number)
{
	line_is_stale = 1;
	if (number != SIGTSTP)
		return;
	ask_restore_terminal();
	raise(SIGSTOP);
}

/* They are let through only while the wait lasts, so that none is missed and none comes amid
 * drawing. */
static void catch_line_signals(struct ask *ask)
{
	struct sigaction action = {.sa_handler = on_line_signal};
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < N_LINE_SIGNALS; i++)
		sigaddset(&ours, line_signals[i]);
	pthread_sigmask(SIG_BLOCK, &ours, &ask->outside);
	for (size_t i = 0; i < N_LINE_SIGNALS; i++)
		sigaction(line_signals[i], &action, &ask->before[i]);
}

static void leave_line_signals(const struct ask *ask)
{
	for (size_t i = 0; i < N_LINE_SIGNALS; i++)
		sigaction(line_signals[i], &ask->before[i], NULL);
	pthread_sigmask(SIG_SETMASK, &ask->outside, NULL);
}

static void draw_anew(const struct ask *ask)
{
	line_is_stale = 0;
	el_set(ask->line, EL_PREP_TERM, 0);
	el_set(ask->line, EL_PREP_TERM, 1);
	el_resize(ask->line);
	el_set(ask->line, EL_REFRESH);
}

/* --- Reading --- */

/* False, with the error set, where none is to come. */
static bool wait_for_input(const struct ask *ask)
{
	struct pollfd fds[CANCEL_FDS + 1];
	size_t n = cancel_poll(ask->cancel, fds);
	fds[n] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	for (;;) {
		int64_t left_ms = ask->deadline_ms ? ask->deadline_ms - clock_now_ms() : 0;
		struct timespec time = {left_ms / 1000, left_ms % 1000 * 1000000};
		if (cancel_reason(ask->cancel))
			return cancel_error(ask->cancel, ask->err) == 0;
		if (ask->deadline_ms && left_ms <= 0)
			return error_set(ask->err, RONDO_ERROR_TRANSIENT, "nobody answered in time") == 0;
		int ready = ppoll(fds, n + 1, ask->deadline_ms ? &time : NULL, &ask->outside);
		if (line_is_stale)
			draw_anew(ask);
		if (ready > 0 && fds[n].revents)
			return true;
		if (ready < 0 && errno != EINTR)
			return true; /* where it cannot be waited for, reading tells why */
	}
}

/* libedit's reader of one character: 1, or -1 for none. */
static int read_character(EditLine *line, wchar_t *ret_character)
{
	struct ask *ask;
	mbstate_t state = {0};
	char byte;
	el_get(line, EL_CLIENTDATA, &ask);
	while (wait_for_input(ask)) {
		ssize_t n = read(STDIN_FILENO, &byte, 1);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) { /* the terminal is gone: Ctrl-D is a character here */
			cancel_fire(ask->cancel, SIGHUP);
			return cancel_error(ask->cancel, ask->err);
		}
		size_t used = mbrtowc(ret_character, &byte, 1, &state);
		if (used == (size_t)-2 || !byte) /* a NUL is a Ctrl-D that was typed before the question */
			continue;
		if (used == (size_t)-1)
			*ret_character = L'?';
		return 1;
	}
	return -1;
}

static char *prompt_of(EditLine *line)
{
	struct ask *ask;
	el_get(line, EL_CLIENTDATA, &ask);
	return (char *)(uintptr_t)ask->prompt;
}

/* --- A question --- */

/* With what was answered before. */
static void open_line(struct ask *ask)
{
	struct rondo_error ignored;
	HistEvent event;
	const char *dir = run_state_dir(&ask->arena, &ignored);
	ask->history_path = dir ? arena_printf(&ask->arena, "%s/history", dir) : NULL;
	ask->line = el_init("rondo", stdin, stdout, stderr);
	ask->history = history_init();
	if (!ask->line || !ask->history)
		abort(); /* there is no memory */
	el_set(ask->line, EL_CLIENTDATA, ask);
	el_set(ask->line, EL_EDITOR, "emacs");
	el_set(ask->line, EL_PROMPT, prompt_of);
	el_set(ask->line, EL_HIST, history, ask->history);
	el_set(ask->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_set(ask->line, EL_GETCFN, read_character);
	el_source(ask->line, NULL);
	history(ask->history, &event, H_SETSIZE, LINES_REMEMBERED);
	history(ask->history, &event, H_SETUNIQUE, 1);
	if (ask->history_path && file_exists(ask->history_path))
		history(ask->history, &event, H_LOAD, ask->history_path);
}

/* An answer that cannot be kept is no reason to stop a run. */
static void remember(const struct ask *ask, const char *answer)
{
	HistEvent event;
	if (!*answer)
		return;
	history(ask->history, &event, H_ENTER, answer);
	if (ask->history_path) /* for its owner's eyes only: libedit sees to it */
		history(ask->history, &event, H_SAVE, ask->history_path);
}

/* The line without its end, in the arena; NULL: none came. */
static const char *read_line(struct ask *ask, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(LONGEST_ANSWER);
	int n = 0;
	tcgetattr(STDIN_FILENO, &terminal_before);
	at_prompt = 1;
	catch_line_signals(ask);
	/* before the prompt is seen: what answers it is not for a line of the terminal's */
	el_set(ask->line, EL_PREP_TERM, 1);
	const char *line = el_gets(ask->line, &n);
	leave_line_signals(ask);
	at_prompt = 0;
	if (!line || n <= 0) {
		puts(""); /* what comes next begins on a line of its own */
		return NULL;
	}
	utf8_scrub(&text, line, strcspn(line, "\r\n"));
	return arena_strndup(arena, text.text, text.length);
}

/* Print what does not go on the line of the answer; gives what does. */
static const char *print_head(const struct ask *ask, const char *question)
{
	for (size_t n; n = screen_fold(ask->screen, question, 0), question[n];) {
		printf("%.*s\n", (int)n, question);
		question += n + (question[n] == ' ' || question[n] == '\n');
	}
	return question;
}

const char *ask_question(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err)
{
	struct ask *ask = owner;
	screen_live_end(ask->screen);
	if (!ask->line)
		open_line(ask);
	ask->prompt = print_head(ask, arena_strdup(arena, screen_visible(ask->screen, question)));
	ask->deadline_ms = deadline_ms;
	ask->err = err;
	error_set(err, RONDO_ERROR_NONE, "the input has ended"); /* unless more is known */
	const char *answer = read_line(ask, arena);
	if (answer)
		remember(ask, answer);
	return answer;
}

struct ask *ask_new(struct cancel *cancel, struct screen *screen)
{
	struct ask *ask = memory_alloc(sizeof *ask);
	*ask = (struct ask){.cancel = cancel, .screen = screen};
	return ask;
}

void ask_free(struct ask *ask)
{
	if (!ask)
		return;
	if (ask->line) {
		el_end(ask->line);
		history_end(ask->history);
	}
	arena_release(&ask->arena);
	free(ask);
}
