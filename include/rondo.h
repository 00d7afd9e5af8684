/*
 * rondo: turn a red test suite green by a round-robin group chat.
 *
 * The data that rondo's parts exchange, and the calls a program needs to run
 * a repair. Every string is valid UTF-8, NUL-terminated, and owned by whoever
 * handed out the struct that holds it; a struct reached through a callback
 * lives until the callback returns. Durations end in _ms, sizes are bytes.
 * Functions return 0, or -1 with `err` filled in; outputs are then untouched.
 */
#ifndef RONDO_H
#define RONDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a caller can do about a failure; each has an exit code of its own. */
enum rondo_error_code {
	RONDO_ERROR_NONE,
	RONDO_ERROR_USAGE,        /* exit 2: a wrong option, path or setting */
	RONDO_ERROR_CANNOT_JUDGE, /* exit 3: no sandbox, suite does not run */
	RONDO_ERROR_TRANSIENT,    /* exit 75: disk full, provider down */
	RONDO_ERROR_CANCELLED,    /* exit 130 or 143 */
	RONDO_ERROR_INTERNAL,     /* exit 3: a bug in rondo */
};

/* `message`: what was found and where; `help`: the command that mends it, or "". */
struct rondo_error {
	enum rondo_error_code code;
	char message[1024];
	char help[512];
};

enum rondo_message_type {
	RONDO_MESSAGE_TEXT,
	RONDO_MESSAGE_CODE_EXECUTION,
	RONDO_MESSAGE_EDIT,
	RONDO_MESSAGE_CANDIDATES,
	RONDO_MESSAGE_CANDIDATE_RESULTS,
	RONDO_MESSAGE_TEST_REPORT,
	RONDO_MESSAGE_HANDOFF,
	RONDO_MESSAGE_STOP,
};

/* What a model charged for one message; all 0 where no model spoke. */
struct rondo_usage {
	int64_t prompt_tokens;
	int64_t completion_tokens;
};

/* One thing said in the chat. `content` is for people, `data` (JSON, or NULL) for agents. */
struct rondo_message {
	int64_t id; /* 1, 2, 3 ... within a thread */
	enum rondo_message_type type;
	const char *source; /* the agent's name, or "user" for the task */
	const char *content;
	const char *data;
	struct rondo_usage models_usage;
	int64_t created_at_ms; /* since 1970, UTC */
};

enum rondo_event_type {
	RONDO_EVENT_RUN_START,  /* text: the run's id; data: where it was begun */
	RONDO_EVENT_BASE,       /* text: what the base is; data: base, suite, executor, participants */
	RONDO_EVENT_BASELINE,   /* text: counts; data: the failing ids */
	RONDO_EVENT_TURN_START, /* source: who speaks; turn; data: what the conditions made of the task */
	RONDO_EVENT_MODEL_REQUEST, /* source: the model; data: hash of what it is asked */
	RONDO_EVENT_MODEL_REPLY,   /* source: the model; text: what it says; data: hash of the request, usage */
	RONDO_EVENT_QUESTION,   /* source: who asks; text: what a human is asked */
	RONDO_EVENT_MESSAGE,    /* message; turn, 0 for the task; data: the speaker's state; text: "within", where the
	                         * speaker is a team, and one within it has said this */
	RONDO_EVENT_TURN_END,   /* turn; data: the conditions' state; the speaker's, where it passed */
	RONDO_EVENT_STOP,       /* text: why the chat stops; data: condition, verdict, message */
	RONDO_EVENT_PROGRESS,   /* text: what goes on just now; never recorded */
	RONDO_EVENT_NOTICE,     /* text: something the user should know */
	RONDO_EVENT_VERDICT,    /* text: verified, or why not; data: the evidence */
	RONDO_EVENT_RUN_END,    /* text: the reason as a word */
	RONDO_EVENT_RESUME,     /* text: from where a run that broke off goes on */
};

/* Something that happened; members that do not apply are NULL or 0. */
struct rondo_event {
	enum rondo_event_type type;
	int turn; /* from 1 */
	const char *team; /* within which agent that is a team itself; NULL: the run's own team */
	const char *source;
	const char *text;
	const char *data; /* JSON */
	const struct rondo_message *message;
};

/* Why a chat stopped, as DESIGN.md's table of verdicts orders them: worst last. */
enum rondo_verdict {
	RONDO_VERDICT_SUCCESS,
	RONDO_VERDICT_LIMIT,
	RONDO_VERDICT_STALL,
	RONDO_VERDICT_STOPPED,
};

/* What a team's run came to. Borrowed from the team's thread. */
struct rondo_task_result {
	const struct rondo_message *const *messages;
	size_t n;
	const char *stop_reason;      /* in words */
	const char *stop_condition;   /* the condition's type, "max_turns", "budget" or "silence" */
	const struct rondo_message *stop_message; /* that made the condition fire; NULL: none did */
	enum rondo_verdict verdict;
	bool left_unexecuted;         /* the last code or edit that was proposed was not carried out */
	struct rondo_usage usage;
	int64_t duration_ms;
};

/* The library's version, such as "0.1.0"; static. */
const char *rondo_version(void);

#ifdef __cplusplus
}
#endif
#endif
