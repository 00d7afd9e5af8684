/* What a run shows while it runs and when it is done; for the commands that run or show one. */
#pragma once
#include "base/arena.h"
#include "cli/live.h"

struct ag2_participant {
	const char *name;
	bool asks, always_asks; /* a human, before it speaks */
};

/* What AG2's form of a chat has to know of what came before. */
struct ag2_transcript {
	struct arena arena;
	const char *run;                      /* its id */
	struct ag2_participant *participants; /* of the run's own team; the first begins */
	size_t n;
	char languages[256]; /* of the newest code that was said: "python, sh" */
	size_t n_blocks;     /* of it; 0: there is none */
	bool has_stopped;
};

/* One line of the chat that is not shown yet. */
struct run_screen_held {
	const char *name, *text;
};

struct run_screen {
	struct screen screen;
	struct live live;
	int style;       /* its place among run_screen_styles */
	bool transcript; /* each message whole, under a header; else folded beside its speaker's name */
	bool reports;    /* reports whole, with what was printed of failures; else what they come to */
	/* how many lines of a text that only a model was sent: 0: none, and of more only how many more
	 */
	size_t prompt_lines;
	bool is_brief;   /* --quiet: of a verdict on somebody's change one line is shown */
	bool in_chat;    /* something was said: a blank line stands before the last block */
	const char *take; /* the command that takes a fix without a branch; NULL: none is told */
	/* The last try of the searcher, from its search to the report on its edit: it is shown when it
	 * is the last, or counted; one that was taken back is forgotten when the next begins. */
	struct arena held_arena;
	struct run_screen_held *held;
	size_t n_held;
	bool is_taken_back;
	struct ag2_transcript ag2;
	/* what each of several attempts does now; "": nothing yet */
	struct arena attempts_arena;
	const char **attempts;
	size_t n_attempts;
};

/* The forms that a chat can be shown in, as values of an option; and that option. */
extern const char *const run_screen_styles[];
#define RUN_SCREEN_STYLE(at) \
	OPTION("style", ENUM, at, \
		"how the chat is shown: rondo, or as the console of ag2 or autogen does", \
		.values = run_screen_styles, .fallback = "rondo", .argument = "STYLE")

/* `style` is one of run_screen_styles; NULL: the first. */
void run_screen_init(struct run_screen *view, const char *style);
void run_screen_release(struct run_screen *view);

/* Show what is not shown yet. */
void run_screen_flush(struct run_screen *view);

/* For context.emit: `owner` is the view. */
void run_screen_emit(void *owner, const struct rondo_event *event);

/* How rondo's own form shows what a run begins with; called by run_screen_emit. */
void site_show(struct run_screen *view, const struct rondo_event *event);
void site_show_baseline(struct run_screen *view, const struct rondo_event *event);

/* Of several attempts: one line for what they do now, how one ended, and the table of all. */
void attempts_screen_follow(struct run_screen *view, const struct rondo_event *event);
void attempts_screen_show_end(struct run_screen *view, const struct rondo_event *event);
void attempts_screen_result(struct screen *screen, const struct run_report *report);

/* How AG2's form shows events; called by run_screen_emit. */
void ag2_show_start(struct run_screen *view, const struct rondo_event *event);
void ag2_show_site(struct run_screen *view, const struct rondo_event *event);
void ag2_show_message(struct run_screen *view, const struct rondo_event *event);
void ag2_show_stop(struct run_screen *view, const struct rondo_event *event);

/* The same of AutoGen's. */
void autogen_show_message(struct run_screen *view, const struct rondo_event *event);

/* What of a message is shown; the message's, or the screen's. */
const char *run_screen_content(struct run_screen *view, const struct rondo_message *message);

/* The last block: what came of it, in about ten lines. */
void run_screen_result(struct run_screen *view, const struct run_report *report);

/* The same of somebody's change, for rondo verify. */
void verify_screen_result(struct screen *screen, const struct run_report *report, bool is_brief);
