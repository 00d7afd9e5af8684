#include "cli/session.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

/* The handler of signals reaches the one run of this process through here. */
static struct cancel cancel;
static volatile sig_atomic_t interrupted;
static atomic_bool stop_requested;

/* The first signal stops in order; the second one at once: keepers kill what runs. */
static void session_on_signal(int number)
{
	if (interrupted++) {
		ask_restore_terminal();
		_exit(128 + number);
	}
	cancel_fire(&cancel, number);
}

/* An orderly stop, for conditions that listen to it; without one it changes nothing. */
static void session_on_request(int number)
{
	(void)number;
	atomic_store(&stop_requested, true);
}

/* A signal that was ignored at the start stays ignored, as SIGHUP is by nohup. */
static void session_catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = session_on_signal}, before;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	action = (struct sigaction){.sa_handler = session_on_request, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

const char *const session_streams[] = {"auto", "on", "off", NULL};

static void session_emit_json(void *owner, const struct rondo_event *event)
{
	const struct session *session = owner;
	bool passes = event->type == RONDO_EVENT_PROGRESS || event->type == RONDO_EVENT_CHUNK;
	if (passes && !session->streams)
		return;
	AUTO_FREE char *line = rondo_event_json(event);
	puts(line);
}

/* Nothing is drawn while somebody types. */
static const char *session_ask(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err)
{
	struct session *session = owner;
	live_pause(&session->view.live);
	const char *answer = ask_question(session->ask, question, deadline_ms, arena, err);
	live_resume(&session->view.live);
	return answer;
}

static bool session_does_stream(const struct session_options *options, const struct screen *screen)
{
	const char *when = options->streams ? options->streams : "off";
	return strcmp(when, "on") == 0 ||
		(strcmp(when, "auto") == 0 && screen->terminal && !options->json);
}

int session_begin(
	struct session *session, const struct session_options *options, struct rondo_error *err)
{
	*session = (struct session){.json = options->json,
		.stop_requested = &stop_requested,
		.notice = {.command = options->notify,
			.after_ms = options->notify_after_ms,
			.started_at_ms = clock_now_ms()}};
	run_screen_init(&session->view, options->style);
	session->view.is_brief = options->quiet;
	session->streams = session_does_stream(options, &session->view.screen);
	if (cancel_init(&cancel, NULL, 0, err) < 0)
		return -1;
	session_catch_signals();
	session->ctx.cancel = &cancel;
	if (options->json)
		session->ctx.emit = (struct context_emit){session_emit_json, session};
	if (options->json || options->quiet)
		return 0;
	session->ctx.emit = (struct context_emit){run_screen_emit, &session->view};
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		session->ask = ask_new(&cancel, &session->view.screen);
		session->ctx.ask = (struct context_ask){session_ask, session};
	}
	session->view.live.streams = session->streams;
	live_enter(&session->view.live, "preparing");
	live_start(&session->view.live);
	return 0;
}

int session_end(struct session *session, int status, const struct rondo_error *err)
{
	const struct run_report *report = &session->report;
	ask_free(session->ask);
	live_stop(&session->view.live);
	run_screen_flush(&session->view);
	screen_live_end(&session->view.screen);
	if (status < 0)
		screen_error(err);
	if (session->json) {
		AUTO_FREE char *line = run_report_json(report, status < 0 ? err : NULL, &cancel);
		puts(line);
	} else if (status == 0) {
		if (session->label)
			printf("%s: ", screen_visible(&session->view.screen, session->label));
		run_screen_result(&session->view, report);
	}
	session->notice.rings = session->view.screen.terminal && !session->json;
	if (!cancel_reason(&cancel)) /* else a person has just ended it */
		notice_give(&session->notice, report, status < 0);
	run_screen_release(&session->view);
	return status < 0 ? run_error_exit_code(err, &cancel) : run_outcome_exit_code(report->outcome);
}
